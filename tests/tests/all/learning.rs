//! Learning beside the networks of Go, as somebody types it.

use std::process::{Command, Output};

use banyan_lab::processes::binary;
use serde_json::Value;

fn banyan(args: &[&str]) -> Output {
    Command::new(binary("banyan")).args(args).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const SEARCH: [&str; 9] = [
    "search",
    "--game",
    "connect6",
    "--threads",
    "1",
    "--no-threats",
    "--moves",
    "k10 k9 j9",
    "--json",
];

fn decided_by(more: &[&str]) -> Value {
    let output = banyan(&[&SEARCH[..], more].concat());
    let found: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
    found["decided_by"].clone()
}

#[test]
fn td_learns_from_games_against_a_program_and_what_it_learned_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().to_str().expect("a name in Unicode");
    let program = binary("banyan");
    let opponent = format!(
        "'{}' gtp --game connect6 --engine alphabeta --depth 1 --threads 1 --no-threats",
        program.display()
    );
    let learn = ["train", "td", "--game", "connect6", "--alpha", "0.3", "--lambda", "0.7"];
    let more = ["--games", "2", "--dir", dir, "--opponent", &opponent];
    let output = banyan(&[&learn[..], &more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("2 of 2 games"), "{}", text(&output.stdout));
    let curve = std::fs::read_to_string(folder.path().join("curve.table")).expect("a table");
    assert!(curve.starts_with("| games | score |") && curve.contains("\n| 2 |"), "{curve}");
    let drawing = std::fs::read_to_string(folder.path().join("curve.svg")).expect("a drawing");
    assert!(drawing.starts_with("<svg "), "{drawing}");
    let model = folder.path().join("connect6.td");
    let model = model.to_str().expect("a name in Unicode");
    let engine = ["--engine", "alphabeta", "--depth", "1"];
    let own = decided_by(&[&engine[..], &["--patterns", model]].concat());
    assert_eq!(own["depth"], 1);
    for evaluation in ["td", "tables", "s10", "shapes", "mix"] {
        let named = decided_by(&[&engine[..], &["--evaluation", evaluation]].concat());
        assert_ne!(named["score"], own["score"], "{evaluation}");
    }
}

#[test]
fn the_source_s_experiment_with_steps_of_mtdf_can_be_typed() {
    let asked = ["--engine", "mtdf", "--evaluation", "s10", "--depth", "3", "--mtdf-step"];
    let [plain, fixed, adaptive, last] = ["0", "150000", "adaptive", "last"].map(|step| {
        let found = decided_by(&[&asked[..], &[step]].concat());
        (found["score"].as_i64(), found["passes"].as_u64().expect("a count"))
    });
    assert!(plain.0 == fixed.0 && plain.0 == adaptive.0 && plain.0 == last.0);
    assert!(
        [fixed, adaptive, last].iter().all(|step| plain.1 > 2 * step.1),
        "{plain:?} {fixed:?} {adaptive:?} {last:?}"
    );
}

#[test]
fn a_model_of_gomoku_is_learned_and_read_and_another_game_s_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().to_str().expect("a name in Unicode");
    let learn = ["train", "patterns", "--game", "gomoku", "--games", "2", "--plies", "1"];
    let output = banyan(&[&learn[..], &["--passes", "1", "--dir", dir]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let tables = folder.path().join("gomoku.tables");
    let tables = tables.to_str().expect("a name in Unicode");
    let search = ["search", "--engine", "alphabeta", "--depth", "1", "--patterns", tables];
    let found = banyan(&[&search[..], &["--game", "gomoku"]].concat());
    assert!(found.status.success(), "{}", text(&found.stderr));
    let refused = banyan(&[&search[..], &["--game", "connect6"]].concat());
    assert!(text(&refused.stderr).contains("expected"), "{}", text(&refused.stderr));
    assert!(!refused.status.success());
    let none = banyan(&[&search[..], &["--game", "othello"]].concat());
    assert!(text(&none.stderr).contains("expected --game gomoku or connect6 with it"));
}
