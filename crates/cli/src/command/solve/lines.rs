//! Wins by force in Gomoku and Connect6.

use std::io::Write as _;
use std::num::NonZeroU64;

use anyhow::Context as _;
use banyan_games::line::{LineRules, Position};
use banyan_games::{Game, Record, Rules, Terms};
use banyan_learn::rules::lines;
use banyan_proofs::Effort;
use banyan_proofs::threats::explain::Explained;
use banyan_proofs::threats::lessons::Learned;
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
    /// The number of the learned rule that knows how it goes on from the line's end, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<usize>,
    nodes: u64,
}

/// Says whether the side to move wins by threats.
///
/// # Errors
/// A position that cannot be read, or a game that is over.
pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let game = args
        .sgf
        .as_ref()
        .map(|file| read_sgf(file, (args.game, args.rules), None, args.ply))
        .transpose()?;
    let rules = game.as_ref().map_or_else(|| rules(args), |game| Ok(game.rules.clone()))?;
    match rules {
        Rules::Gomoku(rules) => {
            let record = match &game {
                Some(game) => game.record(&rules)?,
                None => played(&rules, &args.moves)?,
            };
            answer(args, &record)
        }
        Rules::Connect6(rules) => {
            let record = match &game {
                Some(game) => game.record(&rules)?,
                None => played(&rules, &args.moves)?,
            };
            answer(args, &record)
        }
        _ => anyhow::bail!("this is no game of {}", args.game),
    }
}

fn rules(args: &SolveArgs) -> anyhow::Result<Rules> {
    let usual = Terms { variant: args.rules, ..Terms::of(args.game) };
    let terms = args.size.map_or(usual, |size| size.of(usual));
    Rules::new(args.game, terms).context("--size")
}

fn answer<R: Explained>(args: &SolveArgs, record: &Record<Position<R>>) -> anyhow::Result<()> {
    let position = record.position();
    if let Some(outcome) = position.outcome() {
        anyhow::bail!("the game is over ({outcome}): there is nothing to solve");
    }
    let nodes_max = args.nodes.map_or(threats::EFFORT.nodes_max, NonZeroU64::get);
    let rules = args.learned_rules.as_deref().map(|file| lines::file::read(file, R::KIND));
    let rules = rules.transpose().context("--learned-rules")?;
    let learned = Learned { rules: rules.as_ref(), lessons: None };
    let effort = Effort { nodes_max, ..threats::EFFORT };
    let answer = R::search(position, effort, learned, &mut |_| true);
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
        rule: answer.win.as_ref().and_then(|win| win.rule).map(|at| at + 1),
        nodes: answer.nodes,
    }
}

fn text(found: &Found) -> String {
    let Found { side, status, means, line, rule, nodes } = found;
    let said = match (*means, *status) {
        (Some(means), _) => format!("wins by {means}"),
        (None, "none") => "has no win by threats".to_owned(),
        (None, _) => "is not decided: try more --nodes".to_owned(),
    };
    let line = if line.is_empty() { String::new() } else { format!("line: {}\n", line.join(" ")) };
    let rule = rule.map(|rule| format!("from there by rule {rule}\n")).unwrap_or_default();
    format!("{side} to move {said}\n{line}{rule}{nodes} positions looked into\n")
}
