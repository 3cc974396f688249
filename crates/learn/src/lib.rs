//! Learning from games of our own: evaluations, playouts, the tree's priors, networks, tables over patterns.
//!
//! - [`adagrad`]: a weight that is learned by steps down its slope.
//! - [`files`]: folders of learning, held by one process, their files written whole.
//! - [`Crew`]: threads that share work, and [`Meter`]: how far they have come.
//! - [`gate`]: the match that tells whether what was learned is stronger.
//! - [`evaluations`]: weights of the evaluations of Othello, Gomoku and Connect6 (`banyan-fit`).
//! - [`heavy`]: the tables of Go's heavy playouts and priors (`banyan-learn`).
//! - [`networks`]: networks that learn from self-play (`banyan train`).
//! - [`tuples`]: tables over patterns of Othello (`banyan train patterns`).
//! - [`lines`]: tables over line shapes of Gomoku and Connect6 (`banyan train patterns`).
//! - [`td`]: learning of Connect6 by temporal differences (`banyan train td`).
//! - [`rules`]: rules learned from proofs (`banyan rules`), of games and by [`banyan_ebg`].

pub mod adagrad;

pub mod files;

mod crew;

mod meter;

pub use crew::Crew;

pub use meter::Meter;

pub mod gate;

mod games_file;

pub mod evaluations;

pub mod heavy;

pub mod practisers;

pub mod networks;

pub mod tuples;

pub mod lines;

pub mod td;

pub mod rules;
