//! Learning by temporal differences, TD(λ): the network 64-18-1 of S10 to the letter, and a tuned model with
//! more inputs under another name.
//!
//! Reading order: what learns (`learner`), how games are played (`game`), against whom (`opponent`), what became
//! of it (`curve`), and the command (`command`).

mod learner;

mod game;

mod opponent;

mod curve;

mod command;

pub use command::{Arguments, run};
