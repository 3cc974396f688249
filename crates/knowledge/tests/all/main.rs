//! What must hold of what is known of each game.

mod go;
mod line;
mod othello;
