//! Searches that prove: what they find is certain, whatever a tree or an evaluation believes; of life and
//! death as far as the chains around the fight live. No I/O, no clock, no threads.
//!
//! Reading order: how hard they may try (`effort`), the search (`proof_number`), how often learned rules
//! are used in it (`usage`), and what it proves: life and
//! death in Go (`life`), wins by force in games of lines (`threats`). Othello's last discs are solved by
//! alpha-beta, which is `banyan-search`'s.

pub mod effort;

pub mod proof_number;

mod usage;

pub mod life;

pub mod threats;

pub use effort::Effort;
