//! Wins by force in games of lines: every move of the attacker threatens to win, so that few answers
//! have to be looked at.
//!
//! What is found is proven; what is not found may still be there. Reading order: wins of Gomoku by fours
//! alone (`fours`), by fours and threes (`attack`), wins of Connect6 by turns that must be answered with
//! both stones (`double`); what is learned from them: shapes that win wherever they lie (`rules`), what a search
//! uses and writes down of them (`lessons`), what a proof rests on (`grounds`), and how that becomes a rule
//! (`explain`).
//!
//! # Source
//! Allis, van den Herik & Huntjens 1996 for threat-space search; Wu & Huang 2006 for Connect6.

mod found;

pub mod rules;

pub mod lessons;

mod grounds;

pub mod explain;

mod fours;

mod attack;

mod double;

use crate::effort::Effort;

/// Some seconds: what a person waits for.
pub const EFFORT: Effort = Effort { nodes_max: 200_000, table_bytes: 64 << 20 };

pub use attack::{answers, gomoku, gomoku_with, wins_by_fours};
pub use double::{connect6, connect6_answers, connect6_with};
pub use found::{Means, ThreatsFound, Win};
