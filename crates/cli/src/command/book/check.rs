//! `banyan book check`: whether a book is whole.

use std::io::Write as _;

use banyan_book::{Book, State, check};
use banyan_games::with_game;

use crate::options::BookFileArgs;

/// Faults that are listed.
const FAULTS_SHOWN: usize = 20;

/// Says how large a book is, and what is wrong with it.
///
/// # Errors
/// A book that cannot be read, or is not whole.
pub fn run(args: &BookFileArgs) -> anyhow::Result<()> {
    let rules = super::rules_of(&args.book)?;
    let (faults, words) = with_game!(&rules, G, rules => {
        let book = Book::<G>::look(&args.book, rules)?;
        let nodes = book.nodes();
        let moves: usize = nodes.iter().map(|node| node.edges.len()).sum();
        let waiting = nodes.iter().filter(|node| node.state == State::Waiting).count();
        let deepest = nodes.iter().map(|node| node.line.len()).max().unwrap_or(0);
        let words = format!(
            "{rules}: {} positions, {moves} moves, {waiting} positions not valued yet, the deepest after {deepest} plies",
            nodes.len()
        );
        (check(&book), words)
    });
    let out = &mut std::io::stdout();
    writeln!(out, "{words}")?;
    for fault in faults.iter().take(FAULTS_SHOWN) {
        writeln!(out, "{fault}")?;
    }
    let count = faults.len();
    anyhow::ensure!(count == 0, "{}: {count} faults", args.book.display());
    writeln!(out, "whole")?;
    Ok(())
}
