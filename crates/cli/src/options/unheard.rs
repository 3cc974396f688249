//! What was typed and nobody would hear: refused, with what would make it heard.
//!
//! What stands in the environment or in `banyan.toml` is meant for other commands too and does no harm.

use banyan_games::Kind;
use clap::ArgMatches;
use clap::parser::ValueSource;

/// Options that say something beside another alone.
struct Beside {
    commands: &'static [&'static str],
    options: &'static [&'static str],
    /// The other one, and its value.
    needed: (&'static str, &'static str),
}

const BESIDE: &[Beside] = &[
    Beside {
        commands: &["search", "gtp", "nboard", "gomocup"],
        options: &["book_random", "book_margin"],
        needed: ("book", " FILE"),
    },
    Beside {
        commands: &["gtp", "nboard"],
        options: &["tls_ca", "weight", "name"],
        needed: ("remote", " HOST:PORT"),
    },
    Beside {
        commands: &["search"],
        options: &["checkpoint_every"],
        needed: ("checkpoint", " FILE"),
    },
    Beside {
        commands: &["bench"],
        options: &["latency", "in_process"],
        needed: ("simulated_workers", " N"),
    },
];

/// Options of a cluster that others see or join.
const OF_CLUSTERS: [&str; 5] = ["listen", "min_workers", "join_timeout", "http", "metrics"];

/// Refuses what was typed for something that is not there.
///
/// # Errors
/// Names the option, and what is expected with it.
pub fn refuse(matches: &ArgMatches) -> anyhow::Result<()> {
    let Some((command, typed)) = matches.subcommand() else { return Ok(()) };
    for Beside { commands, options, needed: (needed, value) } in BESIDE {
        let is_alone = commands.contains(&command) && typed.value_source(needed).is_none();
        if let Some(id) = options.iter().find(|id| is_alone && is_typed(typed, id)) {
            let (option, needed) = (option(id), option(needed));
            anyhow::bail!("{option} is for {needed}: expected {needed}{value} with it");
        }
    }
    match command {
        "bench" => refuse_cluster_of_bench(typed),
        "solve" => refuse_cluster_of_solver(typed),
        "book" => refuse_other_games(typed),
        _ => Ok(()),
    }
}

/// Refuses a certificate that nobody would be shown, as nothing says that TLS is spoken.
///
/// # Errors
/// Names what is expected with it.
pub fn refuse_certificate(typed: &ArgMatches) -> anyhow::Result<()> {
    let is_there = |id| typed.value_source(id).is_some();
    if is_typed(typed, "tls_cert") && is_there("remote") && !is_there("tls_ca") {
        anyhow::bail!(
            "--tls-cert is shown by TLS alone, which --tls-ca asks for: expected --tls-ca FILE with --remote"
        );
    }
    Ok(())
}

/// Parts that are measured alone have no cluster.
fn refuse_cluster_of_bench(typed: &ArgMatches) -> anyhow::Result<()> {
    let is_there = [
        ("simulated_workers", typed.value_source("simulated_workers").is_some()),
        ("playouts_only", typed.get_flag("playouts_only")),
        ("signature", typed.get_flag("signature")),
    ];
    let Some((alone, _)) = is_there.into_iter().find(|&(_, is_there)| is_there) else {
        return Ok(());
    };
    let alone = option(alone);
    match OF_CLUSTERS.into_iter().find(|id| is_typed(typed, id)) {
        Some(id) => {
            let option = option(id);
            anyhow::bail!("{option} is of a cluster, and {alone} has none: expected one of them")
        }
        None => Ok(()),
    }
}

/// Solvers of other games than Othello have one thread, and Othello's has threads of this process alone unless it
/// listens.
fn refuse_cluster_of_solver(typed: &ArgMatches) -> anyhow::Result<()> {
    let game = typed.get_one::<Kind>("game").copied().unwrap_or(Kind::Go);
    let is_listening = typed.value_source("listen").is_some();
    let is_without_threads = typed.get_one::<u32>("threads") == Some(&0);
    let found = |ids: &[&'static str]| ids.iter().copied().find(|id| is_typed(typed, id));
    if game != Kind::Othello {
        let is_alone = typed.get_one::<u32>("threads") == Some(&1);
        let threads = if is_alone { &[][..] } else { &["threads"] };
        return match found(&[&OF_CLUSTERS[..], threads].concat()) {
            Some(id) => {
                let option = option(id);
                anyhow::bail!(
                    "{option} is for Othello, and {game} is solved by one thread of this process: expected \
                     --game othello with it"
                )
            }
            None => Ok(()),
        };
    }
    match found(&["http", "metrics"]).filter(|_| !is_listening && !is_without_threads) {
        Some(id) => {
            anyhow::bail!("{} shows a cluster, and without --listen there is none", option(id))
        }
        None => Ok(()),
    }
}

/// Of the games that a book is made for Othello alone is solved.
fn refuse_other_games(typed: &ArgMatches) -> anyhow::Result<()> {
    let Some(("build", typed)) = typed.subcommand() else { return Ok(()) };
    let game = typed.get_one::<Kind>("game").copied().unwrap_or(Kind::Go);
    let fits = game == Kind::Othello || !is_typed(typed, "solve_from");
    anyhow::ensure!(fits, "--solve-from is an option of othello, not of {game}");
    Ok(())
}

fn is_typed(typed: &ArgMatches, id: &str) -> bool {
    typed.value_source(id) == Some(ValueSource::CommandLine)
}

fn option(id: &str) -> String {
    format!("--{}", id.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::options::Cli;

    fn refused(typed: &str) -> Option<String> {
        let matches = Cli::command().get_matches_from(typed.split(' '));
        refuse(&matches).err().map(|error| error.to_string())
    }

    #[test]
    fn what_needs_another_option_is_refused_without_it() {
        for (typed, words, with) in [
            ("search --book-random", "expected --book FILE with it", "--book a.book"),
            ("gtp --book-margin 0.1", "expected --book FILE with it", "--book shipped"),
            ("gtp --book-margin 0.1 --no-book", "expected --book FILE with it", ""),
            ("nboard --book-random=7", "expected --book FILE with it", "--book a.book"),
            ("gomocup --book-random", "expected --book FILE with it", "--book a.book"),
            ("gtp --weight 50", "expected --remote HOST:PORT with it", "--remote a:1"),
            ("nboard --name x", "expected --remote HOST:PORT with it", "--remote a:1"),
            (
                "search --checkpoint-every 5s",
                "expected --checkpoint FILE with it",
                "--checkpoint a",
            ),
            ("bench --latency 50ms", "--simulated-workers N with it", "--simulated-workers 2"),
            ("bench --in-process", "--simulated-workers N with it", "--simulated-workers 2"),
        ] {
            let typed = format!("banyan {typed}");
            let said = refused(&typed).expect("nobody would hear it");
            assert!(said.ends_with(words), "{typed}: {said}");
            if !with.is_empty() {
                assert_eq!(refused(&format!("{typed} {with}")), None, "{typed} {with}");
            }
        }
    }

    #[test]
    fn a_cluster_is_refused_where_there_is_none() {
        for (typed, words) in [
            ("bench --simulated-workers 2 --listen 7411", "--simulated-workers has none"),
            ("bench --playouts-only --listen 7411 --min-workers 3", "--playouts-only has none"),
            ("solve --game gomoku --listen 7411 --min-workers 5", "expected --game othello"),
            ("solve --game go --threads 2", "expected --game othello"),
            ("solve --game othello --threads 1 --http 8411", "without --listen there is none"),
            ("solve --game othello --metrics 9411", "without --listen there is none"),
        ] {
            let said = refused(&format!("banyan {typed}")).expect(typed);
            assert!(said.contains(words), "{typed}: {said}");
        }
        for typed in [
            "bench --simulated-workers 2 --threads 1",
            "solve --game othello --listen 7411 --http 8411 --min-workers 5",
            "solve --game othello --threads 4",
            "solve --game gomoku --json",
            "solve --game gomoku --threads 1",
        ] {
            assert_eq!(refused(&format!("banyan {typed}")), None, "{typed}");
        }
    }

    #[test]
    fn a_book_takes_what_makes_it_grow_alone() {
        let build = "banyan book build --book a.book";
        let words = "--solve-from is an option of othello, not of gomoku";
        let said = refused(&format!("{build} --game gomoku --solve-from 20"));
        assert_eq!(said.as_deref(), Some(words));
        assert_eq!(refused(&format!("{build} --game othello --solve-from 20")), None);
        for (typed, words) in [
            (format!("{build} --game othello --solve-from 27"), "27 is not in 2..=26"),
            (format!("{build} --positions 0"), "expected a whole number from 1 on"),
            (
                "banyan book import --book a.book --plies 0 a.sgf".to_owned(),
                "expected a whole number from 1 on",
            ),
        ] {
            let said = Cli::command().try_get_matches_from(typed.split(' ')).expect_err(&typed);
            assert!(said.to_string().contains(words), "{said}");
        }
    }
}
