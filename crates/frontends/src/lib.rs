//! Protocols that other programs speak to an engine: words in, words out.
//!
//! A front end reads lines, keeps one game, and asks a [`Session`](banyan_engine::Session) to think. It
//! knows no socket, no cluster and no command line; what it is told beyond the protocol stands in its
//! `Options`.
//!
//! Reading order: `lines` (how they are read), `opening` (Gomoku's openings by swap, which two protocols
//! share), `nboard` (Othello's protocol, the shortest), `gomocup` (Gomoku's), `gtp` (every game's).

mod lines;

#[cfg(test)]
mod looking;

pub mod opening;

pub mod nboard;

pub mod gomocup;

pub mod gtp;
