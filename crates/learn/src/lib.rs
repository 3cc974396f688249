//! Learns what evaluations, playouts and the tree's priors know of a game, learned from games of our own.
//!
//! - [`adagrad`]: a weight that is learned by steps down its slope.
//! - [`evaluations`]: weights of the evaluations of Othello, Gomoku and Connect6 (`banyan-fit`).
//! - [`heavy`]: the tables of Go's heavy playouts and priors (`banyan-learn`).

pub mod adagrad;

pub mod evaluations;

pub mod heavy;

pub mod networks;
