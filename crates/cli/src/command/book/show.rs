//! `banyan book show`: a book as people look at it.

use std::fmt::Write as _;
use std::io::Write as _;

use banyan_book::{BookMove, Reader, facts};
use banyan_engine::Playable;
use banyan_games::{Game as _, Record, with_game};
use banyan_records::{diagram, passes};

use crate::options::BookShowArgs;
use crate::position::played;

/// Writes what a book knows of a position.
///
/// # Errors
/// A book that cannot be read, moves that cannot be played.
pub fn run(args: &BookShowArgs) -> anyhow::Result<()> {
    let rules = super::rules_of(&args.file.book)?;
    let facts = facts(&args.file.book)?;
    let made = facts.last_means().unwrap_or("games alone");
    let text = with_game!(&rules, G, rules => {
        let book = Reader::open::<G>(&args.file.book, rules)?;
        let mut record = played::<G>(rules, &args.moves)?;
        passes::play_forced(&mut record);
        let mut text = format!(
            "{}: {rules}; {} positions, valued by {made}\n\n{}\n\n",
            book.name(),
            book.positions()?,
            diagram::text(&record)
        );
        match book.page(&record)? {
            None => text.push_str("the book does not know this position\n"),
            Some(page) => {
                let node = &page.node;
                let spare = page.outside(&record).map_or_else(String::new, |(mv, value)| {
                    let mv = record.position().move_text(mv);
                    format!("; best move outside the book {mv}, {value:.3}")
                });
                let side = node.side;
                writeln!(
                    text,
                    "value {:.3} for {side}, visits {}, games {}{spare}",
                    node.value, node.visits, node.games
                )?;
                tree(&mut text, &book, (&record, page.moves), (args.plies, args.best), 0)?;
            }
        }
        text
    });
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// A line a move, the moves after it below it and further right.
fn tree<G: Playable>(
    text: &mut String,
    book: &Reader,
    (record, moves): (&Record<G>, Vec<BookMove>),
    (plies, best): (usize, usize),
    depth: usize,
) -> anyhow::Result<()> {
    if depth == plies {
        return Ok(());
    }
    for BookMove { mv, value, visits, games, .. } in moves.into_iter().take(best) {
        let word = record.position().move_text(mv);
        let indent = "  ".repeat(depth + 1);
        writeln!(text, "{indent}{word:4} {value:.3}  visits {visits}, games {games}")?;
        let mut next = record.clone();
        if next.play(mv).is_err() {
            continue;
        }
        passes::play_forced(&mut next);
        let moves = book.page(&next)?.map(|page| page.moves).unwrap_or_default();
        tree(text, book, (&next, moves), (plies, best), depth + 1)?;
    }
    Ok(())
}
