//! The match runner: two GTP engines, any of our games, many games, one figure.
//!
//! The runner keeps the board, the clocks and the score itself and believes the engines nothing
//! else: an engine that plays an illegal move, dies, hangs or oversteps its time has lost that game.
//! It knows no search and no network.
//!
//! Reading order: `cli` (what was asked), `series` (the order of games, several at a time), `duel`
//! (one game) with `terms`, `engine`, `clock` and `scoring` below it, `verdict` (how it ended); then `log`,
//! `points` and `totals` (what comes out) and `statistics` and `sprt` (what it means).

pub mod cli;

pub mod series;

pub mod openings;

pub mod terms;

pub mod duel;

pub mod engine;

pub mod words;

pub mod clock;

pub mod scoring;

pub mod verdict;

pub mod log;

pub mod points;

pub mod totals;

pub mod statistics;

pub mod sprt;
