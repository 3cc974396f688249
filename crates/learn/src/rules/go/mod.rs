//! Moves of Go by rules: a position as facts (`facts`), what its good moves are worth (`efficiency`), a learned
//! clause in words and as a board (`picture`), and what can be typed (`command`).

pub mod facts;

pub mod efficiency;

pub mod picture;

pub mod command;
