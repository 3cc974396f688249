//! Laws that the knowledge of each game must keep.

mod go;
mod line;
mod othello;
mod quiet;
