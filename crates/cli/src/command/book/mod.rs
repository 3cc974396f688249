//! `banyan book` but for making one: books looked at, filled with games, written for others, checked.

pub mod check;

pub mod export;

pub mod import;

pub mod probe;

pub mod show;

use std::path::Path;

use banyan_book::facts;
use banyan_games::Rules;

/// The rules of the book in a file.
///
/// # Errors
/// Whatever is wrong with the file.
pub fn rules_of(file: &Path) -> anyhow::Result<Rules> {
    let facts = facts(file)?;
    let rules = facts.terms();
    rules.ok_or_else(|| {
        anyhow::anyhow!("{}: this program has no game like {}", file.display(), facts.rules)
    })
}
