//! `banyan rules learn --game go`, `show`, `check` and `measure`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use banyan_games::Rng;
use banyan_proofs::Effort;
use banyan_proofs::life::rules::Rules;
use clap::Args;
use serde::Serialize;

use super::learned::LearnedRule;
use super::learning::{Settings, judged, learn};
use super::measuring::{compare, measure};
use super::questions::{self, Question};
use super::{file, page};

/// Where questions come from.
#[derive(Clone, Debug, Args)]
pub struct Source {
    /// Folder of SGF files: all chains of their positions are asked about.
    #[arg(long, value_name = "DIR")]
    sgf: Option<PathBuf>,
    /// File of problems (docs/rules.md).
    #[arg(long, value_name = "FILE")]
    problems: Option<PathBuf>,
    /// Games that are drawn by the tree's priors, count: examples without any file.
    #[arg(long, value_name = "N")]
    drawn: Option<u32>,
    /// Eye spaces that are drawn, count: problems without any file.
    #[arg(long, value_name = "N")]
    eyes: Option<u32>,
    /// Leave out zones that the problems of this file are about.
    #[arg(long, value_name = "FILE")]
    except: Option<PathBuf>,
    /// Points a side of drawn games' boards.
    #[arg(long, value_name = "N", default_value_t = 9)]
    size: u32,
    /// Seed of whatever is drawn.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Positions looked into for a question, each of its two searches, count.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    nodes: u64,
}

/// How rules of a game are learned.
#[derive(Clone, Debug, Args)]
pub struct Lesson {
    #[command(flatten)]
    source: Source,
    /// File that rules are written to.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Positions that a proof must have taken to become a rule, count.
    #[arg(long, value_name = "N", default_value_t = 20)]
    work_min: u32,
    /// Rules at most, those with the dearest proofs first.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    rules_max: usize,
    /// Random completions on which each rule is proven anew before it is believed, count.
    #[arg(long, value_name = "N", default_value_t = 20)]
    completions: u32,
}

/// Options of `banyan rules show`.
#[derive(Clone, Debug, Args)]
pub struct Shown {
    /// File of rules.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File that the page is written to [default: standard output].
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

/// Options of `banyan rules check`.
#[derive(Clone, Debug, Args)]
pub struct Checked {
    /// File of rules.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Random completions of each rule, count.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    completions: u32,
    /// Rules that are checked, from the first on [default: all].
    #[arg(long, value_name = "N")]
    rules: Option<usize>,
    /// Seed of what is drawn.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Options of `banyan rules measure`.
#[derive(Clone, Debug, Args)]
pub struct Measured {
    /// File of rules.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    source: Source,
    /// Answer with one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The answer of `banyan rules measure --json`.
#[derive(Debug, Serialize)]
struct Saving {
    questions: usize,
    decided: usize,
    changed: usize,
    gained: usize,
    lost: usize,
    positions_off: u64,
    positions_on: u64,
    seconds_off: f64,
    seconds_on: f64,
    rules: usize,
    rules_met: usize,
    look_ups: u64,
    microseconds_a_look_up: f64,
}

impl Source {
    fn questions(&self) -> anyhow::Result<Vec<Question>> {
        let mut all = Vec::new();
        if let Some(folder) = &self.sgf {
            all.extend(questions::games(folder)?);
        }
        if let Some(file) = &self.problems {
            all.extend(problems_of(file)?);
        }
        if let Some(count) = self.eyes {
            all.extend(questions::drawn_eyes(count, self.seed)?);
        }
        if let Some(count) = self.drawn {
            all.extend(questions::drawn_games(count, self.size, self.seed)?);
        }
        if let Some(file) = &self.except {
            all = questions::without(all, &problems_of(file)?);
        }
        let expected = "--sgf DIR, --problems FILE, --eyes N or --drawn N";
        anyhow::ensure!(!all.is_empty(), "nothing to ask: expected {expected}");
        Ok(all)
    }

    fn effort(&self) -> Effort {
        Effort { nodes_max: self.nodes, table_bytes: 1 << 20 }
    }
}

/// Learns rules of Go, and writes them to a file.
///
/// # Errors
/// In words: questions that cannot be read, a file that cannot be written.
pub fn learn_rules(lesson: &Lesson, out: &mut impl Write) -> anyhow::Result<()> {
    let to = lesson.out.as_ref().context("--out FILE says where rules go")?;
    let questions = lesson.source.questions()?;
    let settings = Settings {
        effort: lesson.source.effort(),
        work_min: lesson.work_min,
        rules_max: lesson.rules_max,
        completions: lesson.completions,
    };
    let course = learn(&questions, &settings, lesson.source.seed);
    file::write(to, &course.rules)?;
    writeln!(
        out,
        "{} questions, {} shapes proven; not proven alone {}, contradicted {}; {} rules in {}",
        questions.len(),
        course.shapes,
        course.not_alone,
        course.contradicted,
        course.rules.len(),
        to.display()
    )?;
    Ok(())
}

/// Writes the page of a file of rules.
///
/// # Errors
/// In words: a file that is none.
pub fn show(shown: &Shown, out: &mut impl Write) -> anyhow::Result<()> {
    let page = page::page(&file::read(&shown.file)?);
    match &shown.to {
        Some(to) => {
            std::fs::write(to, page).with_context(|| format!("cannot write {}", to.display()))
        }
        None => Ok(out.write_all(page.as_bytes())?),
    }
}

/// Judges rules by the solver on random completions.
///
/// # Errors
/// In words: a file that is none; rules that are wrong.
pub fn check(checked: &Checked, out: &mut impl Write) -> anyhow::Result<()> {
    let rules = file::read(&checked.file)?;
    let mut rng = Rng::from_seed(checked.seed);
    let (mut wrong, mut agreed, mut open) = (0, 0u64, 0u64);
    let asked = &rules[..checked.rules.map_or(rules.len(), |most| most.min(rules.len()))];
    for (number, LearnedRule { rule, .. }) in asked.iter().enumerate() {
        let found = judged(rule, checked.completions, &mut rng);
        agreed += u64::from(found.agreed);
        open += u64::from(found.open);
        if found.contradicted > 0 {
            wrong += 1;
            writeln!(out, "rule {} is wrong on {} completions", number + 1, found.contradicted)?;
        }
    }
    let count = asked.len();
    writeln!(
        out,
        "{count} rules, {agreed} completions agree, {open} given up, {wrong} rules wrong"
    )?;
    anyhow::ensure!(wrong == 0, "{wrong} rules are wrong");
    Ok(())
}

/// Searches questions with rules and without.
///
/// # Errors
/// In words: files that cannot be read.
pub fn measure_rules(measured: &Measured, out: &mut impl Write) -> anyhow::Result<()> {
    let rules = rules_of(&measured.file)?;
    let (questions, effort) = (measured.source.questions()?, measured.source.effort());
    let off = measure(&questions, None, effort);
    let on = measure(&questions, Some(&rules), effort);
    let found = compare(&off, &on);
    let saving = Saving {
        questions: questions.len(),
        decided: found.decided,
        changed: found.changed,
        gained: found.gained,
        lost: found.lost,
        positions_off: found.positions[0],
        positions_on: found.positions[1],
        seconds_off: off.time.as_secs_f64(),
        seconds_on: on.time.as_secs_f64(),
        rules: rules.all().len(),
        rules_met: rules.hits().iter().filter(|&&hits| hits > 0).count(),
        look_ups: rules.asked(),
        microseconds_a_look_up: look_up(&rules),
    };
    if measured.json {
        return Ok(writeln!(out, "{}", serde_json::to_string(&saving)?)?);
    }
    let share = 100.0 * (1.0 - saving.positions_on as f64 / saving.positions_off.max(1) as f64);
    writeln!(
        out,
        "{} questions, {} decided both ways, {} verdicts changed, {} more decided, {} fewer\n\
         positions {} without rules, {} with: {share:.1} % fewer\n\
         seconds {:.2} without, {:.2} with\n\
         {} rules, {} of them met; {} look-ups, {:.2} µs each",
        saving.questions,
        saving.decided,
        saving.changed,
        saving.gained,
        saving.lost,
        saving.positions_off,
        saving.positions_on,
        saving.seconds_off,
        saving.seconds_on,
        saving.rules,
        saving.rules_met,
        saving.look_ups,
        saving.microseconds_a_look_up,
    )?;
    Ok(())
}

fn problems_of(file: &Path) -> anyhow::Result<Vec<Question>> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    questions::problems(&name, &text)
}

fn rules_of(path: &Path) -> anyhow::Result<Rules> {
    Ok(Rules::new(file::read(path)?.into_iter().map(|learned| learned.rule).collect()))
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
