//! `cargo xtask versus`: a peer and Banyan measured in turn, so that both meet the same machine.
//!
//! Reading order: one side, its command and its figure ([`side`]); what many figures say
//! ([`spread`]); the rounds and their table, here.

mod side;
mod spread;

use std::fmt::Write as _;
use std::num::NonZeroU32;

use clap::Parser;
use regex::Regex;

use side::{Extract, Run, Side};
use spread::Spread;

/// Runs a peer's command and one of Banyan's in turn and compares a figure that both print.
///
/// Each command is given to `sh`, must end by itself, and prints its figure to standard output or
/// standard error. Build both before: what a command spends on building is not taken out.
///
/// Example, for a peer that prints `92.7 kpps`:
/// cargo xtask versus --peer './peer-9x9 200000' --peer-pattern '([0-9.]+) kpps' --peer-scale 1000 \
///   --ours 'target/release/banyan bench --game go --size 9 --playouts-only --time 2s --json'
#[derive(Debug, Parser)]
#[command(name = "cargo xtask versus", verbatim_doc_comment)]
pub struct Arguments {
    /// The peer's command.
    #[arg(long, value_name = "COMMAND")]
    peer: String,

    /// The surroundings of the peer's figure: a regular expression with one group, the last match
    /// counts.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    peer_pattern: Regex,

    /// The peer's figure times this is in the same unit as ours.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    peer_scale: f64,

    /// The peer counts by the clock on the wall: count by the CPU's time instead.
    #[arg(long)]
    peer_per_cpu: bool,

    /// Banyan's command.
    #[arg(long, value_name = "COMMAND")]
    ours: String,

    /// The key of Banyan's figure in the last line of JSON, with dots between nested ones.
    #[arg(long, value_name = "KEY", default_value = "playouts_per_s")]
    ours_key: String,

    /// Where ours is not JSON: as --peer-pattern.
    #[arg(long, value_name = "REGEX", value_parser = pattern, conflicts_with = "ours_key")]
    ours_pattern: Option<Regex>,

    /// Ours counts by the clock on the wall: count by the CPU's time instead.
    ///
    /// For a machine that others use: a figure is multiplied by elapsed time / CPU time of its
    /// command. Right for commands of one thread that hardly wait.
    #[arg(long)]
    ours_per_cpu: bool,

    /// How often each of the two is run.
    #[arg(long, default_value = "5")]
    rounds: NonZeroU32,
}

impl Arguments {
    /// Runs the rounds, printing each as it ends, then what they say together.
    ///
    /// # Errors
    /// A command that fails, or prints no figure: with the end of what it printed.
    #[expect(clippy::print_stdout, reason = "a table for the person who asked")]
    pub fn run(self) -> anyhow::Result<()> {
        let rounds = self.rounds.get();
        let [peer, ours] = self.sides();
        println!("{HEADER}");
        let mut runs = Vec::new();
        for round in 1..=rounds {
            let pair = [peer.run()?, ours.run()?];
            println!("{}", row(round, &pair));
            runs.push(pair);
        }
        print!("{}", summary(&runs));
        Ok(())
    }

    fn sides(self) -> [Side; 2] {
        let peer = Side {
            name: "the peer",
            command: self.peer,
            extract: Extract::Pattern(self.peer_pattern),
            scale: self.peer_scale,
            per_cpu: self.peer_per_cpu,
        };
        let ours = Side {
            name: "Banyan",
            command: self.ours,
            extract: self.ours_pattern.map_or(Extract::Key(self.ours_key), Extract::Pattern),
            scale: 1.0,
            per_cpu: self.ours_per_cpu,
        };
        [peer, ours]
    }
}

/// A regular expression with exactly one group.
fn pattern(text: &str) -> Result<Regex, String> {
    let regex = Regex::new(text).map_err(|error| error.to_string())?;
    match regex.captures_len() - 1 {
        1 => Ok(regex),
        groups => Err(format!("has {groups} groups (…), and exactly one holds the figure")),
    }
}

const HEADER: &str = "round            peer            ours   ratio   share of a core: peer   ours";

fn row(round: u32, [peer, ours]: &[Run; 2]) -> String {
    let share = |run: &Run| run.cores.map_or("?".to_owned(), |cores| format!("{cores:.2}"));
    format!(
        "{round:>5}{:>16}{:>16}{:>8.2}{:>24}{:>7}",
        figure(peer.figure),
        figure(ours.figure),
        ours.figure / peer.figure,
        share(peer),
        share(ours),
    )
}

/// Medians, least and most of the figures, and both kinds of ratio. `runs` must not be empty.
fn summary(runs: &[[Run; 2]]) -> String {
    let [peer, ours] = [0, 1].map(|side| Spread::of(runs.iter().map(|pair| pair[side].figure)));
    let ratios = Spread::of(runs.iter().map(|[peer, ours]| ours.figure / peer.figure));
    let mut text = String::new();
    for (name, of) in [
        ("median", (|spread| spread.median) as fn(&Spread) -> f64),
        ("min", |spread| spread.min),
        ("max", |spread| spread.max),
    ] {
        let (peer, ours, ratio) = (of(&peer), of(&ours), of(&ratios));
        // A String takes all that is written.
        let _ = writeln!(text, "{name:<6}{:>15}{:>16}{ratio:>8.2}", figure(peer), figure(ours));
    }
    let _ = writeln!(
        text,
        "Banyan / peer: {:.2} by the medians, {:.2} in the median round",
        ours.median / peer.median,
        ratios.median,
    );
    text
}

/// A figure with as many digits as can be read: thousands apart, small ones with decimals.
fn figure(value: f64) -> String {
    if value.abs() < 100.0 {
        return format!("{value:.3}");
    }
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        let left = digits.len() - at;
        if at > 0 && left.is_multiple_of(3) && digits.as_bytes()[at - 1].is_ascii_digit() {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_pattern_has_exactly_one_group() {
        assert!(pattern("([0-9.]+) kpps").is_ok());
        assert!(pattern("[0-9.]+ kpps").is_err_and(|error| error.contains("0 groups")));
        assert!(pattern("(a)(b)").is_err_and(|error| error.contains("2 groups")));
        assert!(pattern("(").is_err());
    }

    #[test]
    fn thousands_stand_apart() {
        let cases = [
            (0.5, "0.500"),
            (99.94, "99.940"),
            (100.0, "100"),
            (1234.4, "1 234"),
            (1_234_567.0, "1 234 567"),
            (-123_456.0, "-123 456"),
        ];
        for (value, expected) in cases {
            assert_eq!(figure(value), expected);
        }
    }

    #[test]
    fn the_summary_has_medians_extremes_and_both_ratios() {
        let run = |figure| Run { figure, cores: None };
        let runs = [[run(100.0), run(400.0)], [run(200.0), run(500.0)], [run(400.0), run(1000.0)]];
        let text = summary(&runs);
        assert!(text.contains("median            200             500    2.50\n"), "{text}");
        assert!(text.contains("min               100             400    2.50\n"), "{text}");
        assert!(text.contains("max               400           1 000    4.00\n"), "{text}");
        assert!(text.ends_with("2.50 by the medians, 2.50 in the median round\n"), "{text}");
    }
}
