//! Wins by threats in games of lines: asked for by `solve`, and looked for before every search.

use std::process::Command;

use banyan_lab::processes::binary;
use serde_json::Value;

fn answer(args: &[&str]) -> Value {
    let output = Command::new(binary("banyan")).args(args).output().expect("it runs");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Black has two open twos that cross at h8.
const DOUBLE_THREE: &str = "f8 a1 g8 a3 h6 c1 h7 o15";

#[test]
fn a_double_three_is_solved_and_renju_forbids_it() {
    let solve = ["solve", "--game", "gomoku", "--json", "--moves", DOUBLE_THREE];
    let found = answer(&solve);
    assert_eq!((&found["side"], &found["status"]), (&"black".into(), &"win".into()), "{found}");
    assert_eq!(found["means"], "threes");
    assert!(found["nodes"].as_u64() > Some(0));
    let renju = answer(&[&solve[..], &["--rules", "renju"]].concat());
    assert_ne!(renju["line"][0], "h8", "{renju}");
}

#[test]
fn connect6_is_solved_and_a_quiet_position_has_no_win() {
    let solve = ["solve", "--game", "connect6", "--json", "--moves"];
    let four = "k10 a1 a3 l10 m10 c1 c3 n10 q1 e1 e3";
    let found = answer(&[&solve[..], &[four]].concat());
    assert_eq!((&found["status"], &found["means"]), (&"win".into(), &"double threats".into()));
    assert_eq!(found["line"].as_array().map(Vec::len), Some(2), "{found}");
    let quiet = answer(&[&solve[..], &["k10 a1 a3"]].concat());
    assert_eq!(quiet["status"], "none", "{quiet}");
}

#[test]
fn a_win_by_threats_decides_with_every_engine_and_a_threat_is_answered() {
    let search = ["search", "--game", "gomoku", "--threads", "1", "--playouts", "6000", "--json"];
    let found = answer(&[&search[..], &["--moves", DOUBLE_THREE]].concat());
    assert_eq!(found["decided_by"]["module"], "threats", "{found}");
    assert_eq!((&found["value"], &found["pv"][0]), (&1.0.into(), &found["best"]));
    // White must do something about f8 g8 h8.
    let threat = answer(&[&search[..], &["--moves", "f8 a1 g8 c5 h8"]].concat());
    let best = threat["best"].as_str().expect("a move");
    assert!(["d8", "e8", "i8", "j8"].contains(&best), "{threat}");
    let candidates = threat["candidates"].as_array().expect("a list");
    assert!(candidates.len() <= 4, "{threat}");
}

/// White wins by double threats, five turns deep.
const DEEP: &str = "l8 j6 l6 k7 m7 l4 n6 i7 k3 k6 l7 m6 m8";

#[test]
fn rules_that_were_learned_find_a_win_with_fewer_positions() {
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/connect6.rules.gz");
    let solve = ["solve", "--game", "connect6", "--json", "--moves", DEEP];
    let plain = answer(&solve);
    let found = answer(&[&solve[..], &["--learned-rules", rules]].concat());
    assert_eq!((&plain["status"], &found["status"]), (&"win".into(), &"win".into()));
    let (plain_nodes, nodes) = (plain["nodes"].as_u64(), found["nodes"].as_u64());
    assert!(nodes.expect("a count") * 4 < plain_nodes.expect("a count"), "{plain} {found}");
    assert_eq!(plain.get("rule"), None, "{plain}");
    assert!(found["rule"].as_u64() >= Some(1), "{found}");
}

#[test]
fn searches_of_connect6_know_rules_unless_told_not_to() {
    let search = ["search", "--game", "connect6", "--threads", "1", "--playouts", "2000", "--json"];
    let search = [&search[..], &["--moves", DEEP]].concat();
    let found = answer(&search);
    assert_eq!(found["decided_by"]["module"], "threats", "{found}");
    let without = answer(&[&search[..], &["--no-learned-rules"]].concat());
    assert_eq!(without["decided_by"]["module"], "uct", "{without}");
}

#[test]
fn rules_of_another_game_and_rules_that_nobody_reads_are_refused_in_words() {
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/connect6.rules.gz");
    for (args, expected) in [
        (
            &["search", "--game", "gomoku"][..],
            "line 1: rules of connect6, expected those of gomoku",
        ),
        (&["search", "--game", "go"], "rules of connect6, expected those of go"),
        (&["search", "--game", "othello"], "othello has no --learned-rules: expected"),
        (&["search", "--game", "connect6", "--no-threats"], "--no-threats"),
        (&["search", "--game", "connect6", "--no-learned-rules"], "cannot be used with"),
        (&["solve", "--game", "othello"], "othello has no --learned-rules: expected"),
        (&["solve", "--game", "gomoku", "--moves", DEEP], "expected those of gomoku"),
    ] {
        let args = [args, &["--learned-rules", rules]].concat();
        let output = Command::new(binary("banyan")).args(&args).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(expected), "{args:?}: {said}");
    }
}

/// Black threatens to win; after some second stones of White, such as m10, he still does.
const THREATENED: &str = "k9 l10 k11 l13 i7 h7 h6 l7 n12 n9 o10 q12 p12 q14 k12 s12 q13 r12";

#[test]
fn alpha_beta_of_connect6_plays_no_move_after_which_the_other_side_wins_by_threats() {
    let solve = ["solve", "--game", "connect6", "--nodes", "3000", "--json", "--moves"];
    let lost = answer(&[&solve[..], &[&format!("{THREATENED} m10")]].concat());
    assert_eq!((&lost["side"], &lost["status"]), (&"black".into(), &"win".into()), "{lost}");
    let search = ["search", "--game", "connect6", "--engine", "alphabeta", "--threads", "1"];
    let more = ["--time", "2s", "--json", "--moves", THREATENED];
    let found = answer(&[&search[..], &more].concat());
    assert_eq!(found["decided_by"]["module"], "alphabeta", "{found}");
    let best = found["best"].as_str().expect("a move");
    let after = answer(&[&solve[..], &[&format!("{THREATENED} {best}")]].concat());
    assert_ne!(after["status"], "win", "{best}: {after}");
}

#[test]
fn a_search_of_so_many_positions_takes_no_more_where_the_other_side_threatens() {
    let search = ["search", "--game", "connect6", "--engine", "alphabeta", "--threads", "1"];
    let more = ["--time", "20s", "--playouts", "3000", "--json", "--moves", THREATENED];
    let found = answer(&[&search[..], &more].concat());
    let positions = found["decided_by"]["positions"].as_u64().expect("a count");
    assert!((1..6_000).contains(&positions), "{found}");
}

#[test]
fn a_group_of_go_is_judged_by_rules_that_were_learned() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("eyes.rules").to_str().expect("UTF-8").to_owned();
    let learn = ["rules", "learn", "--game", "go", "--eyes", "100", "--nodes", "3000"];
    let more = ["--work-min", "5", "--completions", "4", "--out", &rules];
    let learned = Command::new(binary("banyan")).args([&learn[..], &more].concat()).output();
    assert!(learned.expect("it runs").status.success());
    let sgf = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/learn/theories/go_split.sgf");
    // Searches take them, too, where they ask about chains; where they do not, that is said.
    let search = ["search", "--playouts", "50", "--threads", "1", "--learned-rules", &rules];
    for (args, expected) in [
        (&["--evaluator", "playouts"][..], None),
        (&["--set", "vital_prior=0.2"], None),
        (&[], Some("--learned-rules of go are asked where playouts judge")),
        (&["--evaluator", "playouts", "--size", "13"], Some("on 9x9 and less")),
    ] {
        let output = Command::new(binary("banyan")).args([&search[..], args].concat()).output();
        let output = output.expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), expected.is_none(), "{args:?}: {said}");
        assert!(said.contains(expected.unwrap_or_default()), "{args:?}: {said}");
    }
    let solve = ["solve", "--sgf", sgf, "--target", "A8", "--json"];
    let (plain, found) =
        (answer(&solve), answer(&[&solve[..], &["--learned-rules", &rules]].concat()));
    assert_eq!((&plain["status"], &found["status"]), (&"dead".into(), &"dead".into()));
    assert!(found["nodes"].as_u64() < plain["nodes"].as_u64(), "{plain} {found}");
}
