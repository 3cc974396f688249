//! `banyan book probe`: the moves that a book knows, for programs.

use std::io::Write as _;

use banyan_book::{BookMove, Reader};
use banyan_games::{Game as _, with_game};
use banyan_records::passes;
use serde::Serialize;

use crate::options::BookProbeArgs;
use crate::position::played;

/// The answer of `--json`. The keys are fixed: other programs read them.
#[derive(Debug, Serialize)]
struct Probed {
    /// The best first; empty where the book has nothing.
    moves: Vec<Known>,
}

#[derive(Debug, Serialize)]
struct Known {
    #[serde(rename = "move")]
    mv: String,
    /// To who plays it, 0 to 1.
    value: f64,
    visits: u64,
    games: u64,
}

/// Writes the moves that a book knows at a position.
///
/// # Errors
/// A book that cannot be read, moves that cannot be played.
pub fn run(args: &BookProbeArgs) -> anyhow::Result<()> {
    let rules = super::rules_of(&args.file.book)?;
    let probed = with_game!(&rules, G, rules => {
        let book = Reader::open::<G>(&args.file.book, rules)?;
        let mut record = played::<G>(rules, &args.moves)?;
        passes::play_forced(&mut record);
        let moves = book.page(&record)?.map(|page| page.moves).unwrap_or_default();
        let known = |known: BookMove| Known {
            mv: record.position().move_text(known.mv),
            value: known.value,
            visits: known.visits,
            games: known.games,
        };
        Probed { moves: moves.into_iter().map(known).collect() }
    });
    let out = &mut std::io::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&probed)?)?;
        return Ok(());
    }
    if probed.moves.is_empty() {
        writeln!(out, "the book has nothing here")?;
    }
    for Known { mv, value, visits, games } in &probed.moves {
        writeln!(out, "{mv:5} value {value:.3}  visits {visits:6}  games {games:6}")?;
    }
    Ok(())
}
