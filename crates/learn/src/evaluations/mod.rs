//! Fits the weights of an evaluation to games of Banyan against itself.
//!
//! A game begins with random plies and goes on by alpha-beta with an evaluation as it stands; what it comes
//! to is what each of its positions should have been worth, and what is played what should come first. What
//! is printed is what the evaluation reads.

mod asked;
mod course;

mod connect6;
pub(crate) mod gomoku;
mod othello;

use std::io::Write;

pub use asked::{Arguments, Fitted};

/// Plays, fits, and writes the weights to `out`.
///
/// # Errors
/// What writing says; an evaluation that is none; an option of another game.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    arguments.check()?;
    match arguments.game {
        Fitted::Othello => othello::run(arguments, out),
        Fitted::Gomoku => gomoku::run(arguments, out),
        Fitted::Connect6 => connect6::run(arguments, out),
    }
}
