//! Rules about local fights in a file.

use std::path::Path;

use banyan_games::Kind;
use banyan_proofs::life::rules::{Rule, Rules};

use crate::rules::file;

/// Reads a file of rules, as the solver uses them.
///
/// # Errors
/// As [`file::read`].
pub fn read(path: &Path) -> anyhow::Result<Rules> {
    let learned = file::read::<Rule>(path, Kind::Go)?;
    Ok(Rules::new(learned.into_iter().map(|learned| learned.rule).collect()))
}
