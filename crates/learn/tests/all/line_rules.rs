//! Rules about wins by threats in Gomoku and Connect6: learned, proven anew, written, read, used.

use std::num::NonZeroUsize;
use std::sync::OnceLock;

use banyan_games::connect6::Connect6Rules;
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::line::{Position, Windows};
use banyan_games::{Color, Game, Kind, Move, Rng, Size};
use banyan_learn::Crew;
use banyan_learn::rules::learned::LearnedRule;
use banyan_learn::rules::lines::built_in;
use banyan_learn::rules::lines::learning::{Course, compiled, learn};
use banyan_learn::rules::lines::measuring::measure;
use banyan_learn::rules::lines::questions::{Question, Taught, drawn_games, problems, without};
use banyan_learn::rules::options::Settings;
use banyan_learn::rules::saving::{Comparison, compare};
use banyan_learn::rules::{file, page};
use banyan_proofs::Effort;
use banyan_proofs::threats::explain::Explained as _;
use banyan_proofs::threats::lessons::Learned;
use banyan_proofs::threats::rules::{Cell, Content, Rule, Rules};
use banyan_rules::lines::completion::completion;
use banyan_rules::lines::judged;

const EFFORT: Effort = Effort { nodes_max: 2_000, table_bytes: 1 << 18 };

const SETTINGS: Settings =
    Settings { effort: EFFORT, work_min: 4, rules_max: 1_000, completions: 5, hits_min: 1 };

const ALONE: Crew = Crew { threads: NonZeroUsize::MIN };

fn gomoku() -> GomokuRules {
    GomokuRules::new(15, 15, Variant::Freestyle).expect("a size")
}

fn connect6() -> Connect6Rules {
    Connect6Rules::new(19).expect("a size")
}

/// Problems of Gomoku.
fn wins() -> Vec<Question<GomokuRules>> {
    let text = include_str!("../../../proofs/tests/all/threats.txt");
    problems("threats.txt", text, &gomoku()).expect("problems")
}

/// Rules that they teach, learned once for all tests.
fn taught() -> &'static Course {
    static TAUGHT: OnceLock<Course> = OnceLock::new();
    TAUGHT.get_or_init(|| learn(&wins(), &gomoku(), (&SETTINGS, 1), &ALONE).expect("threads"))
}

/// Rules that games of Connect6 teach.
fn taught_connect6() -> &'static Course {
    static TAUGHT: OnceLock<Course> = OnceLock::new();
    TAUGHT.get_or_init(|| {
        learn(&drawn_games(60, &connect6(), 1), &connect6(), (&SETTINGS, 1), &ALONE)
            .expect("threads")
    })
}

fn compared<R: Taught>(questions: &[Question<R>], rules: &Rules) -> Comparison {
    let (off, on) = (measure(questions, None, EFFORT), measure(questions, Some(rules), EFFORT));
    compare(&off, &on)
}

#[test]
fn rules_of_gomoku_save_positions_and_change_no_verdict() {
    let (course, rules) = (taught(), compiled(&taught().rules));
    assert!(course.rules.len() >= 5, "{course:?}");
    assert_eq!(course.contradicted, 0);
    let found = compared(&wins(), &rules);
    assert_eq!(found.changed, 0, "{found:?}");
    assert!(found.decided >= 20 && found.positions[1] < found.positions[0], "{found:?}");
    let other = compared(&drawn_games(4, &gomoku(), 1_000), &rules);
    assert!(other.changed == 0 && other.decided >= 50, "{other:?}");
}

#[test]
fn rules_of_connect6_save_positions_in_other_games_and_change_no_verdict() {
    let course = taught_connect6();
    assert!(course.rules.len() >= 20, "{course:?}");
    let rules = compiled(&course.rules);
    let found = compared(&drawn_games(60, &connect6(), 1_000), &rules);
    assert_eq!(found.changed, 0, "{found:?}");
    assert!(found.decided >= 100, "{found:?}");
    assert!(20 * found.positions[1] < 19 * found.positions[0], "{found:?}");
    let mut rng = Rng::from_seed(7);
    for learned in course.rules.iter().take(5) {
        let found = judged(&learned.rule, &connect6(), 10, &mut rng);
        assert!(found.contradicted == 0 && found.agreed >= 5, "{found:?}");
    }
}

#[test]
fn the_solver_agrees_with_rules_whatever_stands_around() {
    let mut rng = Rng::from_seed(7);
    for learned in &taught().rules {
        let found = judged(&learned.rule, &gomoku(), 10, &mut rng);
        assert!(found.contradicted == 0 && found.agreed >= 5, "{found:?}");
    }
}

#[test]
fn a_rule_with_one_of_its_stones_alone_is_found_out() {
    let mut rng = Rng::from_seed(7);
    for learned in &taught().rules {
        let mut wrong = learned.rule.clone();
        let own = wrong.cells.iter_mut().filter(|cell| cell.content == Content::Own);
        own.skip(1).for_each(|cell| cell.content = Content::Empty);
        let found = judged(&wrong, &gomoku(), 20, &mut rng);
        assert!(found.contradicted > 0, "{found:?}");
    }
}

#[test]
fn completions_hold_the_rule_and_differ_around_it() {
    let (mut rng, mut hashes) = (Rng::from_seed(1), std::collections::BTreeSet::new());
    for percent in [0, 10, 30].repeat(30) {
        let rule = &taught().rules[0].rule;
        if let Some(position) = completion(rule, &gomoku(), percent, &mut rng) {
            assert!(is_met_plainly(rule, &position));
            hashes.insert(position.hash());
        }
    }
    assert!(hashes.len() >= 20, "{}", hashes.len());
}

/// Every image of a rule at every place, as anybody would look.
fn is_met_plainly<R: Taught>(rule: &Rule, position: &Position<R>) -> bool {
    let (windows, side) = (Windows::of(position), position.side_to_move());
    let places = -1..i8::try_from(Size::SIDE_MAX).expect("a side");
    (0..8).any(|symmetry| {
        let turned = rule.turned(symmetry);
        let mut at = places.clone().flat_map(|row| places.clone().map(move |it| (row, it)));
        at.any(|at| turned.holds(&windows, side, at))
    })
}

#[test]
fn the_tree_of_rules_finds_what_a_plain_look_finds() {
    let (rules, mut met) = (compiled(&taught().rules), 0);
    let mut rng = Rng::from_seed(3);
    let mut positions: Vec<Gomoku> =
        drawn_games(2, &gomoku(), 5).into_iter().map(|it| it.position).collect();
    for learned in &taught().rules {
        positions.extend((0..3).filter_map(|_| completion(&learned.rule, &gomoku(), 8, &mut rng)));
    }
    for position in &positions {
        let side = position.side_to_move();
        let found = rules.matching(&Windows::of(position), side, &[]);
        let plainly = taught().rules.iter().any(|it| is_met_plainly(&it.rule, position));
        assert_eq!(found.is_some(), plainly, "{position:?}");
        if let Some(number) = found {
            met += 1;
            assert!(is_met_plainly(&taught().rules[number].rule, position));
        }
    }
    assert!(met >= 5, "{met}");
}

#[test]
fn a_win_that_rules_know_has_the_moves_up_to_where_its_rule_is_met() {
    let (course, mut by_rules) = (taught_connect6(), 0);
    let rules = compiled(&course.rules);
    for Question { position, .. } in drawn_games(60, &connect6(), 1_000) {
        let learned = Learned { rules: Some(&rules), lessons: None };
        let found = Connect6Rules::search(&position, EFFORT, learned, &mut |_| true);
        let Some((win, number)) = found.win.and_then(|win| Some((win.clone(), win.rule?))) else {
            continue;
        };
        let mut end = position;
        win.line.iter().for_each(|&mv| end.play(mv));
        assert!(is_met_plainly(&course.rules[number].rule, &end), "{win:?}");
        by_rules += 1;
    }
    assert!(by_rules >= 5, "{by_rules}");
}

#[test]
fn rules_are_not_asked_where_six_in_a_row_do_not_win() {
    let rules = compiled(&taught().rules);
    let standard = GomokuRules::new(15, 15, Variant::Standard).expect("a size");
    let mut rng = Rng::from_seed(11);
    let freestyle = completion(&taught().rules[0].rule, &gomoku(), 0, &mut rng).expect("a board");
    let mut position = Gomoku::new(&standard);
    let stones: Vec<(Color, Move)> = (0..225)
        .map(Move::point)
        .filter_map(|point| Some((freestyle.stone(point)?, point)))
        .collect();
    position.set_up(&stones, freestyle.side_to_move()).expect("the same stones");
    let learned = Learned { rules: Some(&rules), lessons: None };
    let _ = GomokuRules::search(&position, EFFORT, learned, &mut |_| true);
    assert_eq!(rules.asked(), 0);
}

#[test]
fn of_too_many_rules_those_stay_that_saved_most() {
    let all = &taught_connect6().rules;
    // Nor does it matter how many threads there are.
    let crew = Crew { threads: NonZeroUsize::new(3).expect("above 0") };
    let settings = Settings { rules_max: 7, ..SETTINGS };
    let kept = learn(&drawn_games(60, &connect6(), 1), &connect6(), (&settings, 1), &crew)
        .expect("threads")
        .rules;
    let mut saved: Vec<u64> = all.iter().map(LearnedRule::saved).collect();
    saved.sort_unstable();
    let least = saved[saved.len() - 7];
    assert_eq!(kept.len(), 7);
    assert!(kept.iter().all(|it| all.contains(it) && it.saved() >= least));
}

fn parse(text: &str) -> anyhow::Result<Vec<LearnedRule<Rule>>> {
    file::parse::<Rule>(text, Kind::Gomoku)
}

#[test]
fn a_file_holds_rules_and_is_refused_when_it_was_cut_or_changed() {
    let rules = &taught().rules;
    let text = file::text(Kind::Gomoku, rules).expect("JSON");
    assert_eq!(parse(&text).expect("whole"), *rules);
    let refused = |text: &str| format!("{:#}", parse(text).expect_err("refused"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let cut = refused(&lines[..lines.len() - 1].concat());
    let expected = format!("line {}: cut short after {} rules", lines.len(), rules.len());
    assert!(cut.starts_with(&expected), "{cut}");
    let longer = refused(&format!("{text}{text}"));
    let expected = format!("line {}: the file goes on after its last line", lines.len() + 1);
    assert!(longer.starts_with(&expected), "{longer}");
    let changed = text.replacen("\"work\":", "\"work\":1", 1);
    assert!(refused(&changed).contains("the file was changed"));
    for (from, to, expected) in [
        ("\"game\":\"gomoku\"", "\"game\":\"connect6\"", "line 1: rules of connect6, expected"),
        ("[\"", "[\"!", "no rectangle"),
        ("X", "Z", "'Z' is no sign of a point"),
        ("\"first\":[", "\"first\":[9", "which is no empty point"),
        ("\"guards\":[", "\"guards\":[[[99,0],[0,0],1],", "no window goes from"),
    ] {
        let why = refused(&text.replacen(from, to, 1));
        assert!(why.contains(expected), "{why}");
    }
}

#[test]
fn the_page_shows_board_conditions_proof_hits_and_saving() {
    let rules = &taught().rules;
    let page = page::page(Kind::Gomoku, rules);
    assert_eq!(page.matches("<svg ").count(), rules.len());
    let first = &rules[0];
    let stones = first.rule.cells.iter().filter(|Cell { content, .. }| *content == Content::Own);
    for text in [
        format!("<h1>{} rules of gomoku</h1>", rules.len()),
        format!("Black to move wins with {} stones", stones.count()),
        format!("Met {} times, saved {} positions", first.hits, first.saved()),
        "at most 1 of White's stones on each of ".to_owned(),
        first.proof.clone(),
    ] {
        assert!(page.contains(&text), "{text}");
    }
}

#[test]
fn problems_are_read_or_refused_with_their_line() {
    let read = problems("p.txt", "# one\n\nfours h8 h9 i8 i9\n", &gomoku()).expect("a problem");
    assert_eq!((read.len(), read[0].name.as_str()), (1, "p.txt, line 3: fours"));
    assert!(without(read.clone(), &read).is_empty());
    let turned = problems("p.txt", "fours h8 g8 h9 g9 # the same", &gomoku()).expect("a problem");
    assert!(without(read.clone(), &turned).is_empty());
    let other = problems("p.txt", "fours h8 h9 i8 j9", &gomoku()).expect("a problem");
    assert_eq!(without(read, &other).len(), 1);
    for (text, expected) in [
        ("", "p.txt holds no problem"),
        ("a h8 z99", "p.txt, line 1"),
        ("a h8 h8", "'h8' cannot be played"),
    ] {
        let why = format!("{:#}", problems("p.txt", text, &gomoku()).expect_err(text));
        assert!(why.contains(expected), "{why}");
    }
    let why = problems("p.txt", "a h8 h9 h10 h11", &connect6()).expect_err("half a turn");
    assert!(why.to_string().contains("in the middle of a turn"), "{why}");
}

#[test]
fn the_rules_of_this_build_are_read() {
    let rules = built_in(Kind::Connect6).expect("rules");
    assert_eq!(rules.all().len(), 1_000);
    assert!(built_in(Kind::Gomoku).is_none());
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/connect6.rules.gz");
    let bytes = std::fs::read(file).expect("the file");
    let why = file::unpacked(&bytes[..bytes.len() / 2]).expect_err("cut short");
    assert!(!why.to_string().is_empty());
    let folder = tempfile::tempdir().expect("a folder");
    let cut = folder.path().join("cut.rules.gz");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("written");
    let why = format!("{:#}", file::game_of(&cut).expect_err("cut short"));
    assert!(why.starts_with("cannot read") && why.contains("cut.rules.gz"), "{why}");
    // Two files one after the other are one file to gzip.
    let twice = file::unpacked(&[&bytes[..], &bytes[..]].concat()).expect("two texts");
    assert_eq!(twice, file::unpacked(&bytes).expect("a text").repeat(2));
}

/// In two images of this rule by the board's edge the solver finds no win: it looks at one order of a turn's stones.
#[test]
fn the_solver_agrees_with_a_rule_if_it_finds_the_win_in_any_image() {
    let rules = built_in(Kind::Connect6).expect("rules");
    let rule = &rules.all()[963];
    let turned = rule.turned(3);
    let own = turned.cells.iter().filter(|cell| cell.content == Content::Own);
    let point = |(row, column): (i8, i8)| Move::point(row as usize * 19 + column as usize);
    let stones: Vec<(Color, Move)> = own.map(|cell| (Color::Black, point(cell.place))).collect();
    let mut position = Position::<Connect6Rules>::new(&connect6());
    position.set_up(&stones, Color::Black).expect("an empty board");
    let found = Connect6Rules::search(&position, EFFORT, Learned::default(), &mut |_| true);
    assert!(found.win.is_none() && found.is_complete, "this test shows nothing: {found:?}");
    let found = judged(rule, &connect6(), 300, &mut Rng::from_seed(5));
    assert_eq!(found.contradicted, 0, "{found:?}");
}
