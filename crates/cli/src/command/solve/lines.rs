//! Wins by force in Gomoku and Connect6.

use std::io::Write as _;
use std::num::NonZeroU64;

use anyhow::Context as _;
use banyan_games::line::{LineRules, Position};
use banyan_games::{Game, Record, Rules, Terms};
use banyan_proofs::Effort;
use banyan_proofs::threats::{self, ThreatsFound};
use banyan_records::diagram;
use serde::Serialize;

use crate::options::SolveArgs;
use crate::position::{played, read_sgf};

/// The answer of `banyan solve --json`.
#[derive(Debug, Serialize)]
struct Found {
    side: String,
    /// `win`, `none` (no win by threats) or `unknown` (given up).
    status: &'static str,
    /// By what the win is forced.
    means: Option<&'static str>,
    line: Vec<String>,
    nodes: u64,
}

/// A search for a win that may be told to stop.
type ThreatSearch<P> = fn(&P, Effort, &mut dyn FnMut(u64) -> bool) -> ThreatsFound;

/// Says whether the side to move wins by threats.
///
/// # Errors
/// A position that cannot be read, or a game that is over.
pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let game = args.sgf.as_ref().map(|file| read_sgf(file, args.game, args.ply)).transpose()?;
    let rules = game.as_ref().map_or_else(|| rules(args), |game| Ok(game.rules.clone()))?;
    match rules {
        Rules::Gomoku(rules) => {
            let record = match &game {
                Some(game) => game.record(&rules)?,
                None => played(&rules, &args.moves)?,
            };
            answer(args, &record, threats::gomoku)
        }
        Rules::Connect6(rules) => {
            let record = match &game {
                Some(game) => game.record(&rules)?,
                None => played(&rules, &args.moves)?,
            };
            answer(args, &record, threats::connect6)
        }
        _ => anyhow::bail!("this is no game of {}", args.game),
    }
}

fn rules(args: &SolveArgs) -> anyhow::Result<Rules> {
    let usual = Terms { variant: args.rules, ..Terms::of(args.game) };
    let terms = args.size.map_or(usual, |size| size.of(usual));
    Rules::new(args.game, terms).context("--size")
}

fn answer<R: LineRules>(
    args: &SolveArgs,
    record: &Record<Position<R>>,
    search: ThreatSearch<Position<R>>,
) -> anyhow::Result<()> {
    let position = record.position();
    if let Some(outcome) = position.outcome() {
        anyhow::bail!("the game is over ({outcome}): there is nothing to solve");
    }
    let nodes_max = args.nodes.map_or(threats::EFFORT.nodes_max, NonZeroU64::get);
    let answer = search(position, Effort { nodes_max, ..threats::EFFORT }, &mut |_| true);
    let found = found(position, &answer);
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&found)?)?,
        false => write!(out, "{}\n\n{}", diagram::text(record), text(&found))?,
    }
    Ok(())
}

fn found<R: LineRules>(position: &Position<R>, answer: &ThreatsFound) -> Found {
    let line = answer.win.iter().flat_map(|win| &win.line);
    Found {
        side: position.side_to_move().to_string(),
        status: match answer {
            ThreatsFound { win: Some(_), .. } => "win",
            ThreatsFound { is_complete: true, .. } => "none",
            ThreatsFound { is_complete: false, .. } => "unknown",
        },
        means: answer.win.as_ref().map(|win| win.means.name()),
        line: line.map(|&mv| position.move_text(mv)).collect(),
        nodes: answer.nodes,
    }
}

fn text(found: &Found) -> String {
    let Found { side, status, means, line, nodes } = found;
    let said = match (*means, *status) {
        (Some(means), _) => format!("wins by {means}"),
        (None, "none") => "has no win by threats".to_owned(),
        (None, _) => "is not decided: try more --nodes".to_owned(),
    };
    let line = if line.is_empty() { String::new() } else { format!("line: {}\n", line.join(" ")) };
    format!("{side} to move {said}\n{line}{nodes} positions looked into\n")
}
