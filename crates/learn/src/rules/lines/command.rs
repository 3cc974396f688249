//! `banyan rules learn --game gomoku|connect6`, and `show`, `check` and `measure` of such rules.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use banyan_games::line::{Position, Windows};
use banyan_games::{Game, Size, Terms};
use banyan_knowledge::Knowledge;
use banyan_proofs::threats::rules::{Rule, Rules};

use super::learning::learn;
use super::measuring::measure;
use super::questions::{self, Question, Taught};
use crate::rules::options::{Checked, Lesson, Measured, Shown, Source};
use crate::rules::provers::Provers;
use crate::rules::saving::{Saving, Use};
use crate::rules::{file, judging, page};

/// Positions that a proof must have taken.
const WORK_MIN: u32 = 4;

/// Hits that a rule must have, count.
const HITS_MIN: u64 = 1;

fn rules_of<R: Taught>(size: Option<u32>) -> anyhow::Result<R> {
    let usual = Terms::of(R::KIND);
    let size = match size {
        None => Size { width: usual.width as u8, height: usual.height as u8 },
        Some(side) => {
            let known = u8::try_from(side).ok().filter(|side| *side <= Size::SIDE_MAX);
            let expected = || format!("--size {side}: expected at most {}", Size::SIDE_MAX);
            Size::square(known.with_context(expected)?)
        }
    };
    R::on(size).context("--size")
}

fn questions_of<R: Taught>(source: &Source, rules: &R) -> anyhow::Result<Vec<Question<R>>>
where
    Position<R>: Knowledge + Game<Rules = R>,
{
    anyhow::ensure!(source.eyes.is_none(), "--eyes draws problems of go, not of {}", R::KIND);
    let mut all = Vec::new();
    if let Some(folder) = &source.sgf {
        all.extend(questions::games(folder)?);
    }
    if let Some(file) = &source.problems {
        all.extend(problems_of(file, rules)?);
    }
    if let Some(count) = source.drawn {
        all.extend(questions::drawn_games(count, rules, source.seed));
    }
    if let Some(file) = &source.except {
        all = questions::without(all, &problems_of(file, rules)?);
    }
    let expected = "--sgf DIR, --problems FILE or --drawn N";
    anyhow::ensure!(!all.is_empty(), "nothing to ask: expected {expected}");
    Ok(all)
}

fn problems_of<R: Taught>(file: &Path, rules: &R) -> anyhow::Result<Vec<Question<R>>> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    questions::problems(&name, &text, rules)
}

/// Learns rules, and writes them to a file.
///
/// # Errors
/// In words: questions that cannot be read, a file that cannot be written.
pub(in crate::rules) fn learn_rules<R: Taught>(
    lesson: &Lesson,
    provers: &dyn Provers,
    out: &mut impl Write,
) -> anyhow::Result<()>
where
    Position<R>: Knowledge + Game<Rules = R>,
{
    let rules = rules_of::<R>(lesson.source.size)?;
    let (to, questions) = (lesson.to()?, questions_of(&lesson.source, &rules)?);
    let settings = lesson.settings(WORK_MIN, HITS_MIN);
    let course = learn(&questions, &rules, (&settings, lesson.source.seed), provers)?;
    file::write(to, R::KIND, &course.rules)?;
    let [not_proven, large, faster] = course.unexplained;
    writeln!(
        out,
        "{} questions, {} positions won; known by then {}, not proven alone {}, too large {}, faster answers {}, \
         contradicted {}, hardly tried {}, met too seldom {}; {} rules in {}",
        questions.len(),
        course.won,
        course.known,
        not_proven,
        large,
        faster,
        course.contradicted,
        course.untried,
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
pub fn show<R: Taught>(shown: &Shown) -> anyhow::Result<String> {
    Ok(page::page(R::KIND, &file::read::<Rule>(&shown.file, R::KIND)?))
}

/// Judges rules by the solver on random completions.
///
/// # Errors
/// In words: a file that is none; rules that are wrong.
pub(in crate::rules) fn check<R: Taught>(
    checked: &Checked,
    provers: &dyn Provers,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let (learned, rules) = (file::read::<Rule>(&checked.file, R::KIND)?, rules_of::<R>(None)?);
    judging::check(&learned, &rules.into(), checked, provers, out)
}

/// Searches questions with rules and without.
///
/// # Errors
/// In words: files that cannot be read.
pub fn measure_rules<R: Taught>(measured: &Measured) -> anyhow::Result<Saving>
where
    Position<R>: Knowledge + Game<Rules = R>,
{
    let learned = super::file::read(&measured.file, R::KIND)?;
    let (source, rules) = (&measured.source, rules_of::<R>(measured.source.size)?);
    let (questions, effort) = (questions_of(source, &rules)?, source.effort());
    let off = measure(&questions, None, effort);
    let on = measure(&questions, Some(&learned), effort);
    let used = Use::new(&learned.hits(), learned.asked(), look_up(&learned, &questions));
    Ok(Saving::new(&off, &on, used))
}

/// Microseconds that it takes to look a position up, around two of its stones.
fn look_up<R: Taught>(rules: &Rules, questions: &[Question<R>]) -> f64 {
    let boards: Vec<_> = questions
        .iter()
        .map(|Question { position, .. }| {
            let attacker = position.side_to_move();
            let own = (0..position.size().area()).map(banyan_games::Move::point);
            let own = own.filter(|&point| position.stone(point) == Some(attacker));
            (Windows::of(position), attacker, own.take(2).collect::<Vec<_>>())
        })
        .collect();
    let (begun, times) = (Instant::now(), (20_000 / boards.len().max(1)).max(1));
    for (windows, attacker, through) in (0..times).flat_map(|_| &boards) {
        std::hint::black_box(rules.matching(windows, *attacker, through));
    }
    begun.elapsed().as_secs_f64() * 1e6 / (times * boards.len()).max(1) as f64
}
