//! The domain theory of Go, and the source's clause learned by it.

use banyan_ebg::covering::covers;
use banyan_ebg::limits::Limits;
use banyan_ebg::regression::explain;
use banyan_ebg::resolution::Prover;
use banyan_ebg::theory::{Theory, read_query};
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Record};
use banyan_learn::rules::go::facts::{THEORY, facts};
use banyan_learn::rules::go::picture::in_words;
use banyan_learn::rules::{Arguments, run};
use clap::Parser;
use serde_json::Value;

use crate::hands::{Hands, call};

#[derive(Parser)]
struct Typed {
    #[command(flatten)]
    arguments: Arguments<Hands>,
}

const SPLIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/theories/go_split.sgf");

fn answer(typed: &[&str]) -> Result<String, String> {
    let typed = Typed::try_parse_from([&["rules"], typed].concat()).map_err(|it| it.to_string())?;
    let mut out = Vec::new();
    run(&typed.arguments, &call, &mut out).map_err(|why| format!("{why:#}"))?;
    Ok(String::from_utf8(out).expect("text"))
}

/// The source's clause: legal, no ko, straight on, the opponent in two, both halves dead, most efficient.
const CLAUSE: &str = "best_move(B,N) :- legal(B,N), not_ko_banned(B,N,history(B)), \
                      extends_straight(B,N), splits_opponent_in_two(B,N), opponent(B,O), \
                      killed_if_played(left_block(B,N),N,O), killed_if_played(right_block(B,N),N,O), \
                      most_efficient(B,N)";

#[test]
fn the_sources_clause_is_learned_from_a_move_that_splits_a_group() {
    let text = answer(&["go", "--sgf", SPLIT, "--json"]).expect("an answer");
    let found: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(found["rule"], CLAUSE);
    assert_eq!(found["moves"][0]["point"], "e9");
    assert_eq!(found["moves"][0]["learned"], 24, "twelve stones die");
    let board: Vec<&str> =
        found["board"].as_array().expect("rows").iter().filter_map(Value::as_str).collect();
    let expected =
        [". . O O * O O . .", "O O O O X O O O O", "X X X X X X X X X", "? ? ? ? ? ? ? ? ?"];
    assert_eq!(board[..4], expected);
    let words = found["words"].as_str().expect("words");
    assert!(words.contains("it splits the opponent in two") && words.contains("no ko forbids it"));
    assert_eq!(found["proof"]["goal"], "best_move(b,e9)");
}

#[test]
fn the_answer_for_people_has_clause_words_board_and_proof() {
    let text = answer(&["go", "--sgf", SPLIT]).expect("an answer");
    assert!(text.contains("e9: 24 points by proof, "), "{text}");
    assert!(text.contains(&format!("\n{CLAUSE}.\n")), "{text}");
    assert!(text.contains("A move is best if\n- the rules allow the move,"), "{text}");
    assert!(text.contains("\n. . O O * O O . .\n"), "{text}");
    assert!(text.contains("\nbest_move(b,e9)  [by go.pl:"), "{text}");
}

/// The position, turned by so many quarters and with colours swapped or not: the same rule.
fn turned(quarters: usize, swapped: bool) -> Record<Go> {
    let rows = ["..OO.OO..", "OOOOXOOOO", "XXXXXXXXX"];
    let mut stones = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        for (column, sign) in text.chars().enumerate().filter(|(_, sign)| *sign != '.') {
            let turn = |(row, column), _| (column, 8 - row);
            let (row, column) = (0..quarters).fold((row, column), turn);
            let color = if (sign == 'X') == swapped { Color::White } else { Color::Black };
            stones.push((color, banyan_games::Move::point(row * 9 + column)));
        }
    }
    let rules = GoRules::new(9, 14).expect("a size");
    let side = if swapped { Color::White } else { Color::Black };
    Record::set_up(&rules, &stones, side).expect("stones")
}

#[test]
fn the_clause_covers_the_position_turned_and_with_colours_swapped() {
    let theory = |record: &Record<Go>, best: &str| {
        let facts = format!("{}most_efficient(b,{best}).\n", facts(record));
        Theory::read(("go.pl", THEORY), ("position", &facts)).expect("clauses")
    };
    let goal = |best: &str| read_query(&format!("best_move(b,{best})")).expect("a goal");
    let limits = Limits::default();
    let first = theory(&turned(0, false), "e9");
    let rule = explain(&first, &goal("e9"), limits).expect("operational").expect("a proof").rule;
    assert_eq!(rule.to_string(), CLAUSE);
    for (quarters, best) in ["e9", "j5", "e1", "a5"].into_iter().enumerate() {
        for swapped in [false, true] {
            let theory = theory(&turned(quarters, swapped), best);
            assert_eq!(covers(&theory, &rule, &goal(best), limits), Ok(true), "{best} {swapped}");
        }
    }
    assert!(in_words(&rule).starts_with("A move is best if"));
}

#[test]
fn what_the_facts_say_is_true_of_the_position() {
    let record = turned(0, false);
    let theory = Theory::read(("go.pl", THEORY), ("position", &facts(&record))).expect("clauses");
    let holds = |goal: &str| {
        let query = read_query(goal).expect(goal);
        Prover::new(&theory, &query, Limits::default()).next_proof().expect(goal).is_some()
    };
    for goal in [
        "stone(b,c9,white)",
        "stone(b,e8,black)",
        "liberty(b,string_c9,e9)",
        "step(north,e8,e9)",
        "legal(b,e9)",
        "heading(b,e9,north)",
        "extends_straight(b,e9)",
        "extends_straight(b,e6)",
        "killed_if_played(left_block(b,e9),e9,white)",
        "good_move(b,e9)",
    ] {
        assert!(holds(goal), "{goal}");
    }
    for goal in ["legal(b,c9)", "good_move(b,e6)", "good_move(b,a1)", "captures(b,e9,S)"] {
        assert!(!holds(goal), "{goal}");
    }
}

#[test]
fn a_position_without_a_good_move_says_so_and_a_bad_file_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("empty.sgf");
    std::fs::write(&file, "(;GM[1]FF[4]SZ[5]KM[7])").expect("written");
    let file = file.to_str().expect("a path");
    let text = answer(&["go", "--sgf", file]).expect("an answer");
    assert!(text.ends_with("the theory proves no move good here\n"), "{text}");
    let why = answer(&["go", "--sgf", file, "--move", "3"]).expect_err("no such ply");
    assert!(why.contains("0 plies, asked for the position after ply 3"), "{why}");
    let why = answer(&["facts", "--sgf", "nowhere.sgf"]).expect_err("no file");
    assert!(why.contains("cannot read nowhere.sgf"), "{why}");
}
