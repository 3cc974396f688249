//! `banyan rules learn --game go`, and `show`, `check` and `measure` of such rules.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use banyan_games::{Kind, Terms};
use banyan_proofs::life::rules::{Rule, Rules};

use super::learning::learn;
use super::measuring::measure;
use super::questions::{self, Question};
use crate::rules::options::{Checked, Lesson, Measured, Shown, Source};
use crate::rules::provers::Provers;
use crate::rules::saving::{Saving, Use};
use crate::rules::{file, judging, page};

/// Points a side of drawn games' boards.
const SIZE: u32 = 9;

/// Positions that a proof must have taken.
const WORK_MIN: u32 = 20;

/// Hits that a rule must have, count.
const HITS_MIN: u64 = 0;

fn questions_of(source: &Source) -> anyhow::Result<Vec<Question>> {
    anyhow::ensure!(
        source.size.is_none() || source.drawn.is_some(),
        "--size is about the boards of drawn games: --drawn says how many"
    );
    let mut all = Vec::new();
    if let Some(folder) = &source.sgf {
        all.extend(questions::games(folder)?);
    }
    if let Some(file) = &source.problems {
        all.extend(problems_of(file)?);
    }
    if let Some(count) = source.eyes {
        all.extend(questions::drawn_eyes(count, source.seed)?);
    }
    if let Some(count) = source.drawn {
        let size = source.size.unwrap_or(SIZE);
        all.extend(questions::drawn_games(count, size, source.seed)?);
    }
    if let Some(file) = &source.except {
        all = questions::without(all, &problems_of(file)?);
    }
    let expected = "--sgf DIR, --problems FILE, --eyes N or --drawn N";
    anyhow::ensure!(!all.is_empty(), "nothing to ask: expected {expected}");
    Ok(all)
}

/// Learns rules of Go, and writes them to a file.
///
/// # Errors
/// In words: questions that cannot be read, a file that cannot be written.
pub(in crate::rules) fn learn_rules(
    lesson: &Lesson,
    provers: &dyn Provers,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let (to, questions) = (lesson.to()?, questions_of(&lesson.source)?);
    let settings = lesson.settings(WORK_MIN, HITS_MIN);
    let course = learn(&questions, &settings, lesson.source.seed, provers)?;
    file::write(to, Kind::Go, &course.rules)?;
    writeln!(
        out,
        "{} questions, {} shapes proven; not proven alone {}, contradicted {}, met too seldom {}; {} rules in {}",
        questions.len(),
        course.shapes,
        course.not_alone,
        course.contradicted,
        course.idle,
        course.rules.len(),
        to.display()
    )?;
    Ok(())
}

/// The page of a file of rules.
///
/// # Errors
/// In words: a file that is none.
pub fn show(shown: &Shown) -> anyhow::Result<String> {
    Ok(page::page(Kind::Go, &file::read::<Rule>(&shown.file, Kind::Go)?))
}

/// Judges rules by the solver on random completions.
///
/// # Errors
/// In words: a file that is none; rules that are wrong.
pub(in crate::rules) fn check(
    checked: &Checked,
    provers: &dyn Provers,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let learned = file::read::<Rule>(&checked.file, Kind::Go)?;
    let rules = banyan_games::Rules::new(Kind::Go, Terms::of(Kind::Go))?;
    judging::check(&learned, &rules, checked, provers, out)
}

/// Searches questions with rules and without.
///
/// # Errors
/// In words: files that cannot be read.
pub fn measure_rules(measured: &Measured) -> anyhow::Result<Saving> {
    let rules = super::file::read(&measured.file)?;
    let (questions, effort) = (questions_of(&measured.source)?, measured.source.effort());
    let off = measure(&questions, None, effort);
    let on = measure(&questions, Some(&rules), effort);
    let used = Use::new(&rules.hits(), rules.asked(), look_up(&rules));
    Ok(Saving::new(&off, &on, used))
}

fn problems_of(file: &Path) -> anyhow::Result<Vec<Question>> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    questions::problems(&name, &text)
}

/// Microseconds that it takes to look a known shape up, its key included.
fn look_up(rules: &Rules) -> f64 {
    let (shapes, begun) = (rules.all(), Instant::now());
    let times = (100_000 / shapes.len().max(1)).max(1);
    let found = (0..times)
        .flat_map(|_| shapes)
        .filter(|rule| std::hint::black_box(rules.matching(rule.shape())).is_some());
    let count = found.count().max(1);
    begun.elapsed().as_secs_f64() * 1e6 / count as f64
}
