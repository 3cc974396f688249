//! Rules about local fights of Go: learned, proven anew, written, read, used.

use std::num::NonZeroUsize;
use std::sync::OnceLock;

use banyan_games::{Kind, Rng};
use banyan_learn::Crew;
use banyan_learn::rules::options::Settings;
use banyan_learn::rules::zones::learned::LearnedRule;
use banyan_learn::rules::zones::learning::{Course, learn};
use banyan_learn::rules::zones::measuring::measure;
use banyan_learn::rules::zones::questions::{Question, drawn_eyes, drawn_games, problems, without};
use banyan_learn::rules::{file, page, saving};
use banyan_proofs::Effort;
use banyan_proofs::life::rules::{Rule, Rules};
use banyan_rules::zones::completion::{alone, completion};
use banyan_rules::zones::{judged, rows};

const EFFORT: Effort = Effort { nodes_max: 3_000, table_bytes: 1 << 18 };

const ALONE: Crew = Crew { threads: NonZeroUsize::MIN };

fn course(questions: &[Question]) -> Course {
    course_by(ALONE, questions)
}

fn course_by(crew: Crew, questions: &[Question]) -> Course {
    let settings =
        Settings { effort: EFFORT, work_min: 20, rules_max: 60, completions: 5, hits_min: 0 };
    learn(questions, &settings, 1, &crew).expect("threads")
}

fn drawn(seed: u64) -> Vec<Question> {
    drawn_games(1, 7, seed).expect("a size of Go")
}

/// Rules that some eye spaces teach, learned once for all tests.
fn taught() -> &'static Course {
    static TAUGHT: OnceLock<Course> = OnceLock::new();
    TAUGHT.get_or_init(|| course(&eyes(3)))
}

#[test]
fn the_number_of_threads_changes_no_rule() {
    let three = Crew { threads: NonZeroUsize::new(3).expect("above 0") };
    assert_eq!(course_by(three, &eyes(3)).rules, taught().rules);
}

fn eyes(seed: u64) -> Vec<Question> {
    drawn_eyes(15, seed).expect("a size of Go")
}

#[test]
fn questions_about_the_same_zones_are_left_out() {
    let all = eyes(1);
    assert!(without(all.clone(), &all).len() < all.len() / 2, "open ones stay");
    assert_eq!(without(all.clone(), &[]).len(), all.len());
    assert!(!drawn(1).is_empty());
}

fn rules(learned: &[LearnedRule]) -> Rules {
    Rules::new(learned.iter().map(|it| it.rule.clone()).collect())
}

#[test]
fn rules_are_learned_and_change_no_verdict_of_other_games() {
    let other = eyes(1000);
    let course = course(&without(eyes(1), &other));
    assert!(course.rules.len() >= 20, "{} rules", course.rules.len());
    assert_eq!(course.contradicted, 0);
    let rules = rules(&course.rules);
    let (off, on) = (measure(&other, None, EFFORT), measure(&other, Some(&rules), EFFORT));
    let found = saving::compare(&off, &on);
    assert_eq!(found.changed, 0);
    assert!(found.decided >= 15, "{found:?}");
    assert!(found.positions[1] < found.positions[0], "{found:?}");
    assert!(rules.hits().iter().sum::<u64>() > 0);
}

#[test]
fn the_solver_agrees_with_rules_whatever_stands_around() {
    let course = taught();
    let mut rng = Rng::from_seed(7);
    for learned in course.rules.iter().take(10) {
        let found = judged(&learned.rule, 10, &mut rng);
        assert_eq!((found.contradicted, found.open), (0, 0), "{:?}", rows(learned.rule.shape()));
        assert!(found.agreed > 0);
    }
}

#[test]
fn a_rule_that_says_the_contrary_is_found_out() {
    let course = taught();
    let mut wrong = course.rules[0].rule.clone();
    wrong.verdict = match wrong.verdict {
        banyan_proofs::proof_number::Verdict::Proven => {
            banyan_proofs::proof_number::Verdict::Refuted
        }
        banyan_proofs::proof_number::Verdict::Refuted => {
            banyan_proofs::proof_number::Verdict::Proven
        }
    };
    wrong.layouts.truncate(1);
    let found = judged(&wrong, 10, &mut Rng::from_seed(7));
    assert!(found.contradicted > 0 && found.agreed == 0, "{found:?}");
}

#[test]
fn completions_hold_the_shape_and_differ_around_it() {
    let course = taught();
    let shape = course.rules.last().expect("rules").rule.shape();
    let (mut rng, mut hashes) = (Rng::from_seed(1), std::collections::BTreeSet::new());
    for percent in [0, 20, 40].repeat(30) {
        if let Some(found) = completion(shape, percent, &mut rng) {
            assert_eq!(found.fight.shape(u32::MAX).expect("closed").key(), shape.key());
            hashes.insert(found.fight.hash());
        }
    }
    assert!(hashes.len() >= 3, "{}", hashes.len());
    assert!(alone(shape).is_some());
}

fn parse(text: &str) -> anyhow::Result<Vec<LearnedRule>> {
    file::parse::<Rule>(text, Kind::Go)
}

#[test]
fn a_file_holds_rules_and_is_refused_when_it_was_cut_or_changed() {
    let rules = &taught().rules;
    let text = file::text(Kind::Go, rules).expect("JSON");
    assert_eq!(parse(&text).expect("whole"), *rules);
    let refused = |text: &str| format!("{:#}", parse(text).expect_err("refused"));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let cut = lines[..lines.len() - 1].concat();
    let expected = format!("line {}: cut short after {} rules", lines.len(), rules.len());
    assert!(refused(&cut).starts_with(&expected), "{}", refused(&cut));
    assert!(refused(&cut[..cut.len() - 9]).contains(&format!("line {}: no rule", lines.len() - 1)));
    let changed = text.replacen("\"dead\":true", "\"dead\":false", 1);
    assert_ne!(changed, text);
    assert!(refused(&changed).contains("the file was changed"));
    let old = text.replacen("\"version\":1", "\"version\":9", 1);
    assert_eq!(refused(&old), "line 1: version 9, this program reads 1");
    let other = text.replacen("\"game\":\"go\"", "\"game\":\"hex\"", 1);
    assert_eq!(refused(&other), "line 1: rules of hex, expected those of go");
    assert!(refused("").contains("empty") && refused("hello\n").contains("no header"));
}

#[test]
fn the_page_shows_board_proof_hits_and_saving() {
    let rules = &taught().rules;
    let page = page::page(Kind::Go, rules);
    assert_eq!(page.matches("<svg ").count(), rules.len());
    for text in [format!("<h1>{} rules of go</h1>", rules.len()), rules[0].proof.clone()] {
        assert!(page.contains(&text), "{text}");
    }
    let met = |hits| LearnedRule { hits, ..rules[0].clone() };
    let work = met(1).saved();
    for (hits, words) in [
        (0, format!("Its proof took {work} positions.")),
        (1, format!("Met once, saved {work} positions.")),
        (5, format!("Met 5 times, saved {} positions ({work} each).", 5 * work)),
    ] {
        assert!(page::page(Kind::Go, &[met(hits)]).contains(&words), "{words}");
    }
}

#[test]
fn problems_are_read_or_refused_with_their_line() {
    let good =
        "# corner\nB6 black\n...XO..\nXXXXO..\nOOOOO..\n.......\n.......\n.......\n.......\n";
    let read = problems("p.txt", good).expect("a problem");
    assert_eq!((read.len(), read[0].name.as_str()), (1, "corner"));
    for (text, expected) in [
        ("", "p.txt holds no problem"),
        ("\n# a\nB6 red\n..\n..\n", "p.txt, line 2: 'red' where black or white"),
        ("# a\nB2 black\n...\n..\n", "5 points, which is no square"),
        ("# a\nA1 black\n..\n..\n", "no stone stands on A1"),
        ("# a\n", "three lines"),
    ] {
        let why = format!("{:#}", problems("p.txt", text).expect_err(text));
        assert!(why.contains(expected), "{why}");
    }
}
