//! `banyan rules prove`, `explain` and `learn` by a theory: what can be typed, and what it does.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use banyan_ebg::clause::{Goal, Literal, texts};
use banyan_ebg::covering::{self, Learned};
use banyan_ebg::limits::Limits;
use banyan_ebg::place::end_of_text;
use banyan_ebg::proof::{Proof, Shown};
use banyan_ebg::regression::explain;
use banyan_ebg::resolution::Prover;
use banyan_ebg::theory::{Query, Theory, read_queries, read_query};
use clap::Args;
use serde::Serialize;

/// A theory with the facts of examples.
#[derive(Clone, Debug, Args)]
pub struct Sources {
    /// Clauses of the domain theory, in Prolog's syntax, with `operational(name/arity).` for each predicate
    /// that rules may rest on.
    #[arg(long, value_name = "FILE")]
    theory: PathBuf,
    /// Facts of the examples, in Prolog's syntax.
    #[arg(long, value_name = "FILE")]
    facts: PathBuf,
    #[command(flatten)]
    manner: Manner,
}

/// A theory and a goal.
#[derive(Clone, Debug, Args)]
pub struct Asked {
    #[command(flatten)]
    sources: Sources,
    /// What is to be proven, such as "safe_to_stack(obj1,obj2)".
    #[arg(long, value_name = "GOAL")]
    goal: String,
}

/// A theory and examples, where no game is named.
#[derive(Clone, Debug, Args)]
pub struct Taught {
    /// Clauses of the domain theory, in Prolog's syntax.
    #[arg(long, value_name = "FILE", required_unless_present = "game", conflicts_with = "game")]
    theory: Option<PathBuf>,
    /// Facts of the examples, in Prolog's syntax.
    #[arg(long, value_name = "FILE", required_unless_present = "game", conflicts_with = "game")]
    facts: Option<PathBuf>,
    /// Goals that hold, each ended by a full stop: the examples that rules are learned from.
    #[arg(long, value_name = "FILE", required_unless_present = "game", conflicts_with = "game")]
    positives: Option<PathBuf>,
    #[command(flatten)]
    manner: Manner,
}

/// How proofs are looked for and shown.
#[derive(Clone, Debug, Args)]
pub struct Manner {
    /// Clauses within each other up to which a proof is looked for, count.
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    depth: usize,
    /// Literals that are taken up before the search gives up, count.
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Answer with one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The answer of `banyan rules prove --json`.
#[derive(Debug, Serialize)]
struct Answer {
    goal: String,
    proven: bool,
    /// Values of the goal's variables.
    bindings: serde_json::Map<String, serde_json::Value>,
    proof: Option<serde_json::Value>,
}

/// The answer of `banyan rules explain --json`, and a rule of `learn --json`.
#[derive(Debug, Serialize)]
struct RuleShown {
    rule: String,
    proof: Shown,
    /// The example that it was learned from.
    example: String,
    /// Examples that it covers and no rule before it does.
    covers: Vec<String>,
}

/// The answer of `banyan rules learn --json`.
#[derive(Debug, Serialize)]
struct RulesShown {
    rules: Vec<RuleShown>,
    /// Examples that the theory cannot prove.
    unexplained: Vec<String>,
}

/// Stack for proofs of the greatest `--depth`, bytes; memory is taken only as far as it is used.
///
/// A clause within another took 3 KiB where nothing is optimised, 6 KiB with alternatives in its body.
const STACK_BYTES: usize = 512 << 20;

/// Prints what `work` writes; it walks proofs by recursion, on a stack that holds the deepest.
///
/// # Errors
/// Those of the work; a thread that cannot be started, a text that cannot be written.
pub fn print_with_room(
    work: impl FnOnce(&mut Vec<u8>) -> anyhow::Result<()> + Send,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let thread = std::thread::Builder::new().name("proofs".to_owned()).stack_size(STACK_BYTES);
    let text = std::thread::scope(|scope| {
        let started = thread.spawn_scoped(scope, || {
            let mut text = Vec::new();
            work(&mut text).map(|()| text)
        });
        let room = || format!("cannot start a thread with a stack of {} MiB", STACK_BYTES >> 20);
        let worked = started.with_context(room)?.join();
        worked.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    Ok(out.write_all(&text)?)
}

impl Sources {
    fn read(&self) -> anyhow::Result<Theory> {
        read_theory(&self.theory, &self.facts)
    }
}

impl Manner {
    fn limits(&self) -> Limits {
        Limits { depth: self.depth, steps: self.steps }
    }
}

fn read_theory(theory: &Path, facts: &Path) -> anyhow::Result<Theory> {
    let texts = (text_of(theory)?, text_of(facts)?);
    let names = (theory.display().to_string(), facts.display().to_string());
    Ok(Theory::read((&names.0, &texts.0), (&names.1, &texts.1))?)
}

fn text_of(file: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let text = String::from_utf8(bytes).map_err(|why| {
        let (line, column) = end_of_text(&why);
        anyhow::anyhow!("{}:{line}:{column}: what stands here is no text in UTF-8", file.display())
    })?;
    // Some editors begin a file with it.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Says whether a goal follows, with its proof.
///
/// # Errors
/// In words: files that cannot be read, clauses that are none, a search without an answer.
pub fn prove(asked: &Asked, out: &mut impl Write) -> anyhow::Result<()> {
    let theory = asked.sources.read()?;
    let query = read_query(&asked.goal)?;
    let mut prover = Prover::new(&theory, &query, asked.sources.manner.limits());
    let proofs = prover.next_proof()?;
    let values = if proofs.is_some() { prover.values() } else { Vec::new() };
    if asked.sources.manner.json {
        let bindings = values.into_iter().map(|(name, value)| (name, value.into())).collect();
        let proof = proofs.as_deref().map(|proofs| as_json(proofs, &theory)).transpose()?;
        let answer = Answer { goal: text(&query), proven: proofs.is_some(), bindings, proof };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        return Ok(());
    }
    match proofs {
        None => write!(out, "no\n{}", notes(&theory))?,
        Some(proofs) => {
            writeln!(out, "yes")?;
            for (name, value) in values {
                writeln!(out, "{name} = {value}")?;
            }
            for proof in &proofs {
                write!(out, "{}", Shown::new(proof, &theory).text())?;
            }
        }
    }
    Ok(())
}

/// One goal's proof is an object, several ones' a list.
fn as_json(proofs: &[Proof], theory: &Theory) -> serde_json::Result<serde_json::Value> {
    match proofs {
        [proof] => serde_json::to_value(Shown::new(proof, theory)),
        proofs => {
            let shown: Vec<Shown> = proofs.iter().map(|it| Shown::new(it, theory)).collect();
            serde_json::to_value(shown)
        }
    }
}

/// Possible reasons why there is no proof.
fn notes(theory: &Theory) -> String {
    let unknown = theory.unknown().into_iter().map(|literal| {
        let place = &literal.place;
        format!("note: {place}: nothing says what `{}` is\n", predicate_of(literal))
    });
    unknown.collect()
}

fn predicate_of(literal: &Literal) -> String {
    match &literal.goal {
        Goal::Call(term) => term.predicate().map_or_else(|| term.to_string(), |it| it.to_string()),
        _ => literal.to_string(),
    }
}

/// Prints the rule that explains a goal.
///
/// # Errors
/// As [`prove`]; a goal that does not follow, or that cannot be told by operational predicates.
pub fn explain_goal(asked: &Asked, out: &mut impl Write) -> anyhow::Result<()> {
    let theory = asked.sources.read()?;
    let query = read_query(&asked.goal)?;
    let goal = text(&query);
    let Some(explanation) = explain(&theory, &query, asked.sources.manner.limits())? else {
        let why = format!("the theory does not prove {goal}\n{}", notes(&theory));
        anyhow::bail!("{}", why.trim_end());
    };
    let (rule, proof) = (explanation.rule.to_string(), Shown::new(&explanation.proof, &theory));
    match asked.sources.manner.json {
        true => {
            let covers = vec![goal.clone()];
            let shown = RuleShown { rule, proof, example: goal, covers };
            writeln!(out, "{}", serde_json::to_string(&shown)?)?;
        }
        false => writeln!(out, "{rule}.")?,
    }
    Ok(())
}

/// Learns rules that cover examples, and prints them as clauses.
///
/// # Errors
/// As [`explain_goal`]; examples that do not follow are named, and no error.
pub fn learn(taught: &Taught, out: &mut impl Write) -> anyhow::Result<()> {
    let Taught { theory: Some(theory), facts: Some(facts), positives: Some(file), .. } = taught
    else {
        anyhow::bail!("--theory, --facts and --positives were expected");
    };
    let theory = read_theory(theory, facts)?;
    let name = file.display().to_string();
    let positives = read_queries(&name, &text_of(file)?)?;
    anyhow::ensure!(
        !positives.is_empty(),
        "{name} holds no goal: expected goals that hold, each ended by a full stop"
    );
    let learned = covering::learn(&theory, &positives, taught.manner.limits())?;
    let goals: Vec<String> = positives.iter().map(text).collect();
    match taught.manner.json {
        true => {
            let shown = rules_shown(&learned, &goals, &theory);
            writeln!(out, "{}", serde_json::to_string(&shown)?)?;
        }
        false => write!(out, "{}", as_clauses(&learned, &goals))?,
    }
    Ok(())
}

fn rules_shown(learned: &Learned, goals: &[String], theory: &Theory) -> RulesShown {
    let named = |numbers: &[usize]| numbers.iter().map(|&it| goals[it].clone()).collect();
    let rules = learned.rules.iter().map(|learned| RuleShown {
        rule: learned.rule.to_string(),
        proof: Shown::new(&learned.proof, theory),
        example: goals[learned.from].clone(),
        covers: named(&learned.covers),
    });
    RulesShown { rules: rules.collect(), unexplained: named(&learned.unexplained) }
}

/// A text that is a theory itself: what there is to say beside the clauses stands in comments.
fn as_clauses(learned: &Learned, goals: &[String]) -> String {
    let mut text = String::new();
    for learned in &learned.rules {
        let covers: Vec<&str> = learned.covers.iter().map(|&it| goals[it].as_str()).collect();
        text.push_str(&format!("{}.\n% covers {}\n", learned.rule, covers.join(", ")));
    }
    for &example in &learned.unexplained {
        text.push_str(&format!("% the theory does not prove {}\n", goals[example]));
    }
    text
}

fn text(query: &Query) -> String {
    texts(&query.goals, &|it| query.names[it].clone())
}
