//! `banyan rules`: options and answers.

use banyan_learn::rules::{Arguments, run};
use clap::Parser;
use serde_json::Value;

use crate::hands::{Hands, call};

#[derive(Parser)]
struct Typed {
    #[command(flatten)]
    arguments: Arguments<Hands>,
}

fn theory(name: &str) -> String {
    format!("{}/../ebg/theories/{name}.pl", env!("CARGO_MANIFEST_DIR"))
}

/// Output of a command, or the error in one line.
fn answer(command: &str, name: &str, rest: &[&str]) -> Result<String, String> {
    let (file, facts) = (theory(name), theory(&format!("{name}_facts")));
    let mut typed = vec!["rules", command, "--theory", &file, "--facts", &facts];
    typed.extend(rest);
    let typed = Typed::try_parse_from(typed).map_err(|why| why.to_string())?;
    let mut out = Vec::new();
    run(&typed.arguments, &call, &mut out).map_err(|why| format!("{why:#}"))?;
    Ok(String::from_utf8(out).expect("text"))
}

fn json(command: &str, name: &str, rest: &[&str]) -> Value {
    let text = answer(command, name, &[rest, &["--json"]].concat()).expect("an answer");
    serde_json::from_str(&text).expect("JSON")
}

const GOAL: &[&str] = &["--goal", "safe_to_stack(obj1,obj2)"];

#[test]
fn prove_says_yes_with_the_tree_or_no() {
    let text = answer("prove", "safe_to_stack", GOAL).expect("an answer");
    assert!(text.starts_with("yes\nsafe_to_stack(obj1,obj2)  [by "), "{text}");
    let no = answer("prove", "safe_to_stack", &["--goal", "safe_to_stack(obj5,obj2)."]);
    assert_eq!(no.expect("an answer"), "no\n");
    let found = json("prove", "safe_to_stack", &["--goal", "lighter(X,obj2)"]);
    assert_eq!(found["proven"], true);
    assert_eq!(found["bindings"]["X"], "obj1");
    assert_eq!(found["proof"]["goal"], "lighter(obj1,obj2)");
    assert_eq!(found["proof"]["by"], "rule");
    assert_eq!(found["proof"]["children"][0]["children"][0]["by"], "fact");
    let no = json("prove", "safe_to_stack", &["--goal", "safe_to_stack(obj5,obj2)"]);
    assert_eq!((&no["proven"], &no["proof"]), (&Value::Bool(false), &Value::Null));
}

#[test]
fn explain_prints_the_clause() {
    let rule =
        "safe_to_stack(X,Y) :- volume(X,V), density(X,D), WX is V*D, type(Y,endtable), WX < 5";
    let text = answer("explain", "safe_to_stack", GOAL).expect("a rule");
    assert_eq!(text, format!("{rule}.\n"));
    let found = json("explain", "safe_to_stack", GOAL);
    assert_eq!(found["rule"], rule);
    assert_eq!(found["proof"]["goal"], "safe_to_stack(obj1,obj2)");
    let why = answer("explain", "safe_to_stack", &["--goal", "safe_to_stack(obj5,obj2)"]);
    let why = why.expect_err("no proof");
    assert_eq!(why, "the theory does not prove safe_to_stack(obj5,obj2)");
    let why = answer("explain", "safe_to_stack", &["--goal", "volume(obj1,V)"]);
    assert!(why.expect_err("a fact").contains("volume/2 is operational"));
}

#[test]
fn learn_covers_a_file_of_goals() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("positives.pl");
    let goals = "safe_to_stack(obj1,obj2). safe_to_stack(obj3,obj4).\nsafe_to_stack(obj5,obj2).\n";
    std::fs::write(&file, goals).expect("written");
    let positives = ["--positives", file.to_str().expect("a path")];
    let text = answer("learn", "safe_to_stack", &positives).expect("rules");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("safe_to_stack(X,Y) :- volume(X,V), "), "{text}");
    assert_eq!(lines[1], "% covers safe_to_stack(obj1,obj2), safe_to_stack(obj3,obj4)");
    assert_eq!(lines[2], "% the theory does not prove safe_to_stack(obj5,obj2)");
    let found = json("learn", "safe_to_stack", &positives);
    assert_eq!(found["rules"][0]["covers"][1], "safe_to_stack(obj3,obj4)");
    assert_eq!(found["unexplained"][0], "safe_to_stack(obj5,obj2)");
}

#[test]
fn files_and_goals_that_are_not_as_they_should_be_are_named() {
    let why = answer("prove", "nowhere", GOAL).expect_err("no file");
    assert!(why.contains("cannot read") && why.contains("nowhere.pl"), "{why}");
    let why = answer("prove", "safe_to_stack", &["--goal", "safe_to_stack(obj1"]);
    assert!(why.expect_err("cut short").starts_with("goal:1:19: "));
    let why = answer("prove", "safe_to_stack", &["--goal", "safe_to_stak(obj1,obj2)"]);
    let why = why.expect_err("unknown");
    assert!(why.contains("unknown predicate safe_to_stak/2") && why.contains("safe_to_stack/2"));
    let why = answer("prove", "safe_to_stack", &[GOAL, &["--depth", "0"]].concat());
    assert!(why.expect_err("no depth").contains("1..=10000"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("clauses.pl");
    std::fs::write(&file, "heavy(X) :- weight(X,W).").expect("written");
    let positives = ["--positives", file.to_str().expect("a path")];
    let why = answer("learn", "safe_to_stack", &positives).expect_err("a clause");
    assert!(why.contains("where a goal without a body was expected"), "{why}");
}

#[test]
fn a_goal_nearly_as_deep_as_may_be_is_proven_and_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (theory, facts) = (path("n.pl"), path("none.pl"));
    std::fs::write(&theory, "n(0). n(X) :- X > 0, Y is X - 1, n(Y).").expect("written");
    std::fs::write(&facts, "").expect("written");
    let deep = |goal: &str, command: &str| {
        let sources = ["--theory", &theory, "--facts", &facts, "--goal", goal];
        let limits = ["--depth", "10000", "--steps", "100000000", "--json"];
        let said = of_game(&[&[command], &sources[..], &limits].concat()).expect("an answer");
        // The beginning: JSON so deep is more than its reader takes.
        said[..40].to_owned()
    };
    assert!(deep("n(9000)", "prove").starts_with("{\"goal\":\"n(9000)\",\"proven\":true"));
    assert!(deep("n(3000)", "explain").starts_with("{\"rule\":\"n(X) :- X > 0, Y is X-1, "));
}

/// Output of a command about rules of a game, or the error in one line.
fn of_game(typed: &[&str]) -> Result<String, String> {
    let typed = Typed::try_parse_from([&["rules"], typed].concat());
    let mut out = Vec::new();
    run(&typed.map_err(|why| why.to_string())?.arguments, &call, &mut out)
        .map_err(|why| format!("{why:#}"))?;
    Ok(String::from_utf8(out).expect("text"))
}

#[test]
fn rules_of_games_of_lines_are_learned_shown_checked_and_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (file, page) = (path("c6.rules"), path("c6.html"));
    let drawn = ["--drawn", "40", "--nodes", "1500"];
    let learn = ["learn", "--game", "connect6", "--completions", "40", "--out", &file];
    let said = of_game(&[&learn[..], &drawn].concat()).expect("rules");
    assert!(said.contains(" positions won; ") && said.contains(" rules in "), "{said}");
    let text = std::fs::read_to_string(&file).expect("rules");
    let tried: Vec<u64> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok()?["completions"].as_u64())
        .collect();
    assert!(!tried.is_empty() && tried.iter().all(|count| (20..=40).contains(count)), "{tried:?}");
    assert!(tried.contains(&40), "those that are kept are tried on all: {tried:?}");
    of_game(&["show", &file, "--to", &page]).expect("a page");
    assert!(std::fs::read_to_string(&page).expect("it").contains(" rules of connect6</h1>"));
    let said = of_game(&["check", &file, "--completions", "5"]).expect("none is wrong");
    assert!(said.ends_with(" given up, 0 rules wrong\n"), "{said}");
    let measure = ["measure", &file, "--json", "--seed", "500"];
    let found = of_game(&[&measure[..], &drawn].concat()).expect("figures");
    let found: Value = serde_json::from_str(&found).expect("JSON");
    assert_eq!(found["changed"], 0, "{found}");
    assert!(found["rules"].as_u64() > Some(0) && found["look_ups"].as_u64() > Some(0), "{found}");

    let renamed = path("renamed.rules");
    let rename = |name: &str| {
        let text = std::fs::read_to_string(&file).expect("rules");
        let header = text.replacen("\"connect6\"", &format!("\"{name}\""), 1);
        std::fs::write(&renamed, header).expect("written");
        of_game(&["show", &renamed, "--to", &page]).expect_err("another game's")
    };
    let why = rename("go");
    assert!(why.contains("line 2: no rule of go: the file is one of another game"), "{why}");
    let why = rename("hex");
    assert!(why.contains("rules of hex, where those of go, gomoku or connect6"), "{why}");

    // Nothing is met a million times.
    let never = [&learn[..], &drawn, &["--hits-min", "1000000"]].concat();
    assert!(of_game(&never).expect("no rules").contains("; 0 rules in "));
    for (typed, expected) in [
        (&["learn", "--game", "connect6", "--eyes", "3", "--out", &file][..], "--eyes draws"),
        (&["learn", "--game", "connect6", "--out", &file], "nothing to ask: expected --sgf DIR"),
        (&["learn", "--game", "connect6", "--drawn", "1"], "--out FILE says where rules go"),
        (&["learn", "--game", "othello", "--out", &file], "rules of othello are not learned yet"),
        (
            &["learn", "--game", "gomoku", "--size", "30", "--drawn", "1", "--out", &file],
            "--size 30: expected at most 25",
        ),
        (&["show", &path("none.rules")], "cannot read"),
        (&["show", &file, "--to", &file], "c6.rules is no page, and would be written over"),
    ] {
        let why = of_game(typed).expect_err("refused");
        assert!(why.contains(expected), "{why}");
    }
}

#[test]
fn rules_of_go_that_are_met_too_seldom_are_dropped_where_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("eyes.rules").to_str().expect("UTF-8").to_owned();
    let learn = ["learn", "--game", "go", "--eyes", "10", "--nodes", "2000", "--completions", "4"];
    let learn = [&learn[..], &["--out", &file]].concat();
    assert!(of_game(&learn).expect("rules").contains(" met too seldom 0; "));
    let never = of_game(&[&learn[..], &["--hits-min", "1000000"]].concat()).expect("none");
    assert!(never.contains("; 0 rules in "), "{never}");
}

#[test]
fn options_of_a_theory_and_of_a_game_are_not_mixed() {
    let (file, facts) = (theory("safe_to_stack"), theory("safe_to_stack_facts"));
    let taught = ["learn", "--theory", &file, "--facts", &facts, "--positives", &facts];
    for option in ["--drawn", "--out", "--hits-min"] {
        let why = of_game(&[&taught[..], &[option, "3"]].concat()).expect_err("refused");
        assert_eq!(why, format!("{option} is about rules of a game: --game says of which"));
    }
    let why = of_game(&[&taught[..], &["--game", "go"]].concat()).expect_err("refused");
    assert!(why.contains("cannot be used with"), "{why}");
}
