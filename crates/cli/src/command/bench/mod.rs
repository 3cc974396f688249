//! `banyan bench` of the parts alone: playouts, evaluations, and one number for all that the search does.

pub mod playouts_only;

pub mod evaluations_only;

pub mod signature;

mod positions;

use std::time::Duration;

/// The time of a measurement that was asked for, if one was.
///
/// # Errors
/// None at all: in it nothing can be measured.
pub fn measured(asked: Option<Duration>) -> anyhow::Result<Option<Duration>> {
    let is_time = asked.is_none_or(|time| !time.is_zero());
    anyhow::ensure!(is_time, "--time 0s: nothing can be measured: expected a longer time");
    Ok(asked)
}
