//! `banyan book export`: a book as text.

use std::io::Write as _;

use anyhow::Context as _;
use banyan_book::{Book, lines, sgf};
use banyan_games::with_game;

use crate::command::model::is_same;
use crate::options::{BookExportArgs, ExportFormat};

/// Writes a book as text.
///
/// # Errors
/// A book that cannot be read, a file that cannot be written.
pub fn run(args: &BookExportArgs) -> anyhow::Result<()> {
    let rules = super::rules_of(&args.file.book)?;
    let text = with_game!(&rules, G, rules => {
        let book = Book::<G>::look(&args.file.book, rules)?;
        match args.format {
            ExportFormat::Sgf => sgf(&book),
            ExportFormat::Lines => lines(&book),
        }
    });
    match &args.out {
        Some(out) => {
            anyhow::ensure!(
                !is_same(out, &args.file.book),
                "{} would be written over {}: expected another name",
                out.display(),
                args.file.book.display()
            );
            std::fs::write(out, text).with_context(|| format!("cannot write {}", out.display()))
        }
        None => Ok(std::io::stdout().write_all(text.as_bytes())?),
    }
}
