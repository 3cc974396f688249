//! What can be typed, and what a settings file and the environment change.

use std::process::{Command, Output};

fn banyan(args: &[&str], config: Option<&str>, env: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().expect("a folder for a file");
    let file = folder.path().join("banyan.toml");
    if let Some(text) = config {
        std::fs::write(&file, text).expect("written");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_banyan"));
    command.args(args).current_dir(folder.path()).env("NO_COLOR", "1");
    command.envs(env.iter().copied()).output().expect("it runs")
}

fn playouts(output: &Output) -> u64 {
    let text = String::from_utf8_lossy(&output.stdout);
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text} {}", String::from_utf8_lossy(&output.stderr))
    });
    answer["playouts"].as_u64().expect("a count")
}

const SEARCH: &[&str] = &["search", "--json", "--threads", "1"];

#[test]
fn what_is_typed_wins_over_the_environment_and_that_over_the_file() {
    let file = Some("playouts = 300\nsize = 5\n");
    let env = [("BANYAN_PLAYOUTS", "200")];
    assert_eq!(playouts(&banyan(SEARCH, file, &[])), 300);
    assert_eq!(playouts(&banyan(SEARCH, file, &env)), 200);
    assert_eq!(playouts(&banyan(&[SEARCH, &["--playouts", "100"]].concat(), file, &env)), 100);
}

#[test]
fn a_wrong_settings_file_is_refused_with_the_key() {
    for (text, words) in [
        ("playuots = 3", "'playuots' is no option"),
        ("playouts = [1]", "playouts must be"),
        ("playouts =", "banyan.toml"),
        ("playouts = \"many\"", "many"),
    ] {
        let output = banyan(SEARCH, Some(text), &[]);
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}: {log}");
        assert!(log.contains(words), "{text}: {log}");
    }
}

#[test]
fn every_command_explains_itself() {
    for command in ["search", "gtp", "bench"] {
        let output = banyan(&[command, "--help"], None, &[]);
        assert!(output.status.success());
        let text = String::from_utf8_lossy(&output.stdout);
        for option in ["--listen", "--threads", "--time", "--reproducible", "BANYAN_SEED"] {
            assert!(text.contains(option), "{command}: {option}");
        }
    }
}
