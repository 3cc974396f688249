//! The fate of a group of Go.

use std::io::Write as _;
use std::num::NonZeroU64;

use anyhow::Context as _;
use banyan_games::go::Go;
use banyan_games::{Game, Record, Rules};
use banyan_learn::rules::zones;
use banyan_proofs::Effort;
use banyan_proofs::life::{self, Judgement, Learned, Status};
use banyan_records::diagram;
use serde::Serialize;

use crate::options::SolveArgs;
use crate::position::read_sgf;

/// The answer of `banyan solve --json`.
#[derive(Debug, Serialize)]
struct GroupReport {
    status: &'static str,
    line: Vec<String>,
    nodes: u64,
}

/// Says what becomes of a group.
///
/// # Errors
/// A position that cannot be read, or a point without a group.
pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let (Some(sgf), Some(named)) = (&args.sgf, &args.target) else {
        anyhow::bail!("solve needs --sgf FILE and --target POINT for a game of Go");
    };
    let game = read_sgf(sgf, (args.game, args.rules), None, args.ply)?;
    let Rules::Go(rules) = &game.rules else { anyhow::bail!("this is no game of Go") };
    let record = game.record::<Go>(rules).with_context(|| sgf.display().to_string())?;
    let mut position = record.position().clone();
    if let Some(side) = args.side {
        position.set_side_to_move(side)?;
    }
    let target = position.parse_move(named).context("--target")?;
    let nodes_max = args.nodes.map_or(life::EFFORT.nodes_max, NonZeroU64::get);
    let effort = Effort { nodes_max, ..life::EFFORT };
    let rules = args.learned_rules.as_deref().map(zones::file::read);
    let rules = rules.transpose().context("--learned-rules")?;
    let learned = Learned { rules: rules.as_ref(), lessons: None };
    let found = life::judge_with(&position, target, effort, learned).context("--target")?;
    let line: Vec<String> = found.line.iter().map(|&mv| position.move_text(mv)).collect();
    let mut out = std::io::stdout().lock();
    if args.json {
        let answer = GroupReport { status: found.status.name(), line, nodes: found.nodes };
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        write!(out, "{}", text(&record, &position, named, &found))?;
    }
    Ok(())
}

fn text(record: &Record<Go>, position: &Go, target: &str, found: &Judgement) -> String {
    let side = position.side_to_move();
    let said = match found.status {
        Status::Alive => "lives".to_owned(),
        Status::Dead => "dies".to_owned(),
        Status::Ko => "lives or dies by ko".to_owned(),
        Status::Unknown => format!("is not decided after {} positions: try --nodes", found.nodes),
    };
    let line: Vec<String> = found.line.iter().map(|&mv| position.move_text(mv)).collect();
    let mut text = format!("{}\n\n", diagram::text(record));
    text.push_str(&format!("{side} to move: the group at {target} {said}\n"));
    if !line.is_empty() {
        text.push_str(&format!("line: {}\n", line.join(" ")));
    }
    text.push_str(&format!("{} positions looked into\n", found.nodes));
    text
}
