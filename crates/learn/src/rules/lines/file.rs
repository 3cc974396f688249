//! Rules about wins by threats in a file.

use std::path::Path;

use banyan_games::Kind;
use banyan_proofs::threats::rules::Rules;

use super::learning::compiled;
use crate::rules::file;

/// Reads a file of a game's rules, as a search uses them.
///
/// # Errors
/// As [`file::read`].
pub fn read(path: &Path, game: Kind) -> anyhow::Result<Rules> {
    Ok(compiled(&file::read(path, game)?))
}
