//! One side of a comparison: its command, run once, and the figure in what it printed.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use regex::Regex;
use serde_json::Value;

/// Lines of a command's output that an error repeats.
const TAIL_LINES: usize = 12;

/// A command and how to read its figure.
#[derive(Debug)]
pub struct Side {
    /// For errors.
    pub name: &'static str,
    /// For `sh -c`.
    pub command: String,
    pub extract: Extract,
    /// The factor of the figure.
    pub scale: f64,
    /// Tells whether a figure by the clock on the wall becomes one by the CPU's time.
    pub per_cpu: bool,
}

/// Place of the figure in the output.
#[derive(Debug)]
pub enum Extract {
    /// In the only group of the last match.
    Pattern(Regex),
    /// Under this key of the last line that is a JSON object; dots between nested keys.
    Key(String),
}

/// The result of one run of a command.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub figure: f64,
    /// CPU time / elapsed time, where the system tells it.
    pub cores: Option<f64>,
}

impl Side {
    /// Runs the command to its end.
    ///
    /// # Errors
    /// The command cannot be run or fails, or no figure above 0 is in its output.
    pub fn run(&self) -> anyhow::Result<Run> {
        let (started, cpu_before) = (Instant::now(), children_cpu_seconds());
        let output = Command::new("sh").arg("-c").arg(&self.command).stdin(Stdio::null()).output();
        let output = output.context("cannot run sh")?;
        let elapsed = started.elapsed().as_secs_f64();
        let cores = cpu_before
            .zip(children_cpu_seconds())
            .map(|(before, after)| (after - before) / elapsed);
        let streams = [&output.stdout, &output.stderr];
        let printed = streams.map(|bytes| String::from_utf8_lossy(bytes)).join("\n");
        let told = || format!("{} (`{}`) printed:\n{}", self.name, self.command, tail(&printed));
        ensure!(output.status.success(), "{} ended with {}", told(), output.status);
        let figure = self.extract.figure(&printed).with_context(told)? * self.scale;
        let figure = if self.per_cpu { figure / cores.context(NO_CPU_TIME)? } else { figure };
        Ok(Run { figure, cores })
    }
}

impl Extract {
    /// The figure in `printed`; above 0.
    fn figure(&self, printed: &str) -> anyhow::Result<f64> {
        let figure = match self {
            Extract::Pattern(regex) => last_match(regex, printed)?,
            Extract::Key(key) => under_key(key, printed)?,
        };
        ensure!(figure.is_finite() && figure > 0.0, "the figure {figure} is not above 0");
        Ok(figure)
    }
}

fn last_match(regex: &Regex, printed: &str) -> anyhow::Result<f64> {
    let Some(found) = regex.captures_iter(printed).last().and_then(|groups| groups.get(1)) else {
        bail!("nothing matches '{regex}'");
    };
    let plain = found.as_str().replace([',', '_'], "");
    plain.parse().with_context(|| format!("'{}' is not a number", found.as_str()))
}

fn under_key(key: &str, printed: &str) -> anyhow::Result<f64> {
    let object = |line: &str| serde_json::from_str(line).ok().filter(Value::is_object);
    let answer = printed.lines().rev().find_map(object).context("no line is a JSON object")?;
    let value = key.split('.').try_fold(&answer, |value, part| value.get(part));
    let value = value.with_context(|| format!("the JSON has no '{key}'"))?;
    value.as_f64().with_context(|| format!("'{key}' is {value}, not a number"))
}

/// The last lines of a text that say something.
fn tail(printed: &str) -> String {
    let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
    match lines.len() {
        0 => "(nothing)".to_owned(),
        count => lines[count.saturating_sub(TAIL_LINES)..].join("\n"),
    }
}

const NO_CPU_TIME: &str = "this system does not tell the CPU time of a command";

/// CPU time of all commands that were run to their end, from the kernel's `proc` file system.
fn children_cpu_seconds() -> Option<f64> {
    cpu_seconds(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Fields 16 and 17 of a `stat` line, in ticks of 10 ms; field 2 is a name that may hold anything.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(13).map(str::parse::<u64>);
    let (user, system) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    Some((user + system) as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_pattern(pattern: &str, printed: &str) -> anyhow::Result<f64> {
        Extract::Pattern(Regex::new(pattern).expect("a good pattern")).figure(printed)
    }

    fn by_key(key: &str, printed: &str) -> anyhow::Result<f64> {
        Extract::Key(key.to_owned()).figure(printed)
    }

    fn side(command: &str) -> Side {
        Side {
            name: "the peer",
            command: command.to_owned(),
            extract: Extract::Pattern(Regex::new("([0-9.]+) kpps").expect("a good pattern")),
            scale: 1000.0,
            per_cpu: false,
        }
    }

    #[test]
    fn the_last_match_counts() {
        let printed = "warm-up 1,000 games/s\nthen 44,749 games/s\n";
        assert_eq!(by_pattern("([0-9,]+) games/s", printed).ok(), Some(44749.0));
    }

    #[test]
    fn no_match_and_no_number_are_told_apart() {
        let error = by_pattern("([0-9]+) kpps", "none").expect_err("nothing matches");
        assert_eq!(error.to_string(), "nothing matches '([0-9]+) kpps'");
        let error = by_pattern("(.*) kpps", "many kpps").expect_err("no number");
        assert_eq!(error.to_string(), "'many' is not a number");
        let error = by_pattern("(.*) kpps", "0 kpps").expect_err("nothing to divide by");
        assert_eq!(error.to_string(), "the figure 0 is not above 0");
    }

    #[test]
    fn a_key_is_looked_up_in_the_last_line_of_json() {
        let printed = "{\"rate\": 1}\nwords\n{\"total\": {\"rate\": 2.5}}\nmore words";
        assert_eq!(by_key("total.rate", printed).ok(), Some(2.5));
        let error = by_key("rate", printed).expect_err("not in the last one");
        assert_eq!(error.to_string(), "the JSON has no 'rate'");
        assert!(by_key("total", printed).is_err());
        assert!(by_key("rate", "words").is_err());
    }

    #[test]
    fn a_command_is_run_and_its_figure_scaled() {
        let run = side("echo 92.5 kpps").run().expect("echo prints a figure");
        assert_eq!(run.figure, 92500.0);
    }

    #[test]
    fn a_command_that_fails_shows_how_its_output_ended() {
        let error = side("echo one; echo two >&2; exit 3").run().expect_err("it fails");
        let text = format!("{error:#}");
        assert!(text.contains("one\ntwo") && text.contains("exit status: 3"), "{text}");
    }

    #[test]
    fn output_without_a_figure_is_shown() {
        let error = side("echo hello").run().expect_err("no figure");
        let text = format!("{error:#}");
        assert!(text.contains("hello") && text.contains("nothing matches"), "{text}");
    }

    #[test]
    fn the_tail_is_short() {
        let printed: String = (0..100).map(|n| format!("{n}\n\n")).collect();
        assert_eq!(tail(&printed).lines().count(), TAIL_LINES);
        assert!(tail(&printed).ends_with("99"));
        assert_eq!(tail(" \n"), "(nothing)");
    }

    #[test]
    fn cpu_time_is_read_past_any_name() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194304 1 2 3 4 50 60 150 25 20 0 1 0 100";
        assert_eq!(cpu_seconds(stat), Some(1.75));
        assert_eq!(cpu_seconds("7 (cut) S 1"), None);
    }
}
