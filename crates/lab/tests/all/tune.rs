//! Numbers tuned by games of an engine that resigns at the move that one of them says: who resigns later wins.

use std::fs;
use std::path::Path;

use banyan_lab::tune::Arguments;
use clap::Parser as _;

const FAKE: &str = env!("CARGO_BIN_EXE_banyan-fake-engine");

fn parameters(folder: &Path, text: &str) {
    fs::write(folder.join("parameters"), text).expect("a file");
}

/// Tunes in this folder; what was printed, or why it could not be done.
fn tuned(folder: &Path, engine: &str, options: &[&str]) -> Result<String, String> {
    let at = |name: &str| folder.join(name).display().to_string();
    let (numbers, log) = (at("parameters"), at("log.jsonl"));
    let fixed = ["banyan-tune", "--engine", engine, "--parameters", &numbers, "--jsonl", &log];
    let game = ["--game", "gomoku", "--random-opening-plies", "2"];
    let mut printed = Vec::new();
    let arguments = Arguments::parse_from(fixed.iter().chain(&game).chain(options));
    match arguments.run(&mut printed) {
        Ok(()) => Ok(String::from_utf8(printed).expect("text")),
        Err(why) => Err(format!("{why:#}")),
    }
}

fn values(folder: &Path) -> Vec<f64> {
    let log = fs::read_to_string(folder.join("log.jsonl")).expect("a log");
    let lines = log.lines().skip(1).map(serde_json::from_str::<serde_json::Value>);
    lines.map(|line| line.expect("JSON")["values"][0][1].as_f64().expect("a number")).collect()
}

#[test]
fn a_number_rises_where_more_of_it_wins_and_a_run_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    parameters(folder.path(), "late 6 1 20 3\nidle 3 0 9 1 # means nothing");
    let engine = format!("'{FAKE}' --game gomoku --fault resign --at {{late}} --seed {{idle}}");
    tuned(folder.path(), &engine, &["--iterations", "6", "--rate", "0.2"]).expect("tuned");
    let first = values(folder.path());
    assert_eq!(first.len(), 6);
    assert!(first.windows(2).all(|two| two[0] < two[1]), "{first:?}");
    // A runner that was killed leaves half a line.
    let log = folder.path().join("log.jsonl");
    let whole = fs::read_to_string(&log).expect("a log");
    fs::write(&log, format!("{whole}{{\"iteration\":7,")).expect("a file");
    let out = folder.path().join("best").display().to_string();
    let said = tuned(
        folder.path(),
        &engine,
        &["--iterations", "9", "--rate", "0.2", "--concurrency", "2", "--out", &out],
    );
    let said = said.expect("tuned");
    let all = values(folder.path());
    assert_eq!((all.len(), &all[..6]), (9, &first[..]));
    let late = format!("{:.0}", all[8]);
    assert!(said.contains(&format!("9 of 9: late {late}, idle ")), "{said}");
    assert!(said.contains("late                        6 -> "), "{said}");
    let best = fs::read_to_string(&out).expect("a command");
    assert!(best.contains(&format!("--at {late} --seed ")), "{best}");
    // As if it had never been broken off.
    let whole = tempfile::tempdir().expect("a folder");
    parameters(whole.path(), "late 6 1 20 3\nidle 3 0 9 1 # means nothing");
    tuned(whole.path(), &engine, &["--iterations", "9", "--rate", "0.2"]).expect("tuned");
    assert_eq!(values(whole.path()).len(), 9);
    for (one, other) in values(whole.path()).iter().zip(&all) {
        assert!((one - other).abs() < 1e-9, "{one} {other}");
    }
    let refused = |engine: &str, options: &[&str]| {
        let all = [&["--iterations", "12"], options].concat();
        let why = tuned(folder.path(), engine, &all).expect_err("refused");
        let found = why.split("it is about another ").nth(1).map(str::to_owned);
        found.unwrap_or(why)
    };
    assert_eq!(refused(&engine, &[]), "set of options", "another rate");
    assert_eq!(refused(&format!("{engine} --at 3"), &["--rate", "0.2"]), "engine");
    parameters(folder.path(), "late 6 1 20 3\nidle 2 0 9 1");
    assert_eq!(refused(&engine, &["--rate", "0.2"]), "set of numbers");
    // A file of somebody else's stays as it is.
    fs::write(&log, "dear diary").expect("a file");
    let said = refused(&engine, &["--rate", "0.2"]);
    assert!(said.ends_with("log.jsonl: line 1: it is no log of a tuning"), "{said}");
    assert_eq!(fs::read_to_string(&log).expect("a file"), "dear diary");
}

#[test]
fn a_template_is_filled_for_each_side() {
    let folder = tempfile::tempdir().expect("a folder");
    parameters(folder.path(), "late 6 1 20 3");
    let template = folder.path().join("template").display().to_string();
    fs::write(&template, "--game gomoku --fault resign --at {late}\n").expect("a file");
    let out = folder.path().join("best").display().to_string();
    let engine = format!("xargs -a {{file}} '{FAKE}'");
    let options = ["--iterations", "4", "--rate", "0.2", "--template", &template, "--out", &out];
    tuned(folder.path(), &engine, &options).expect("tuned");
    let found = values(folder.path());
    assert!(found[3] > found[0] && found[0] > 6.0, "{found:?}");
    let best = fs::read_to_string(&out).expect("a file");
    assert_eq!(best, format!("--game gomoku --fault resign --at {:.0}\n", found[3]));
}

#[test]
fn what_cannot_be_tuned_is_refused_in_words() {
    let refused = |numbers: &str, engine: &str, options: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        parameters(folder.path(), numbers);
        tuned(folder.path(), engine, options).expect_err("refused")
    };
    let engine = format!("'{FAKE}' --game gomoku --seed {{a}}");
    let said = refused("a 1 0 9 1\nb 1 0 9 1", &engine, &[]);
    assert!(said.ends_with("parameters: expected {b} in --engine or --template"), "{said}");
    assert!(refused("a 1 0 9", &engine, &[]).contains("parameters: line 1: 'a 1 0 9'"));
    assert!(refused("a 1 0 9 1", &engine, &["--template", "none"]).contains("none: "));
    assert!(
        refused("a 1 0 9 1", &format!("{engine} {{file}}"), &[]).contains("expected {file} in")
    );
    for (option, wrong, expected) in [
        ("--pairs", "0", "--pairs 0: expected 1 to 1000"),
        ("--pairs", "4000000000", "--pairs 4000000000: expected 1 to 1000"),
        ("--rate", "inf", "--rate inf: expected a number above 0, up to 1"),
        ("--rate", "NaN", "--rate NaN: expected a number above 0, up to 1"),
    ] {
        assert_eq!(refused("a 1 0 9 1", &engine, &[option, wrong]), expected);
    }
    let nowhere = refused("a 1 0 9 1", &engine, &["--out", "/nowhere/file"]);
    assert!(nowhere.starts_with("cannot write /nowhere/file"), "{nowhere}");
    let dies = refused("a 1 0 9 1", &format!("{engine} --fault die --at 2"), &[]);
    assert!(dies.starts_with("a game was lost by ") && dies.contains("--seed "), "{dies}");
}
