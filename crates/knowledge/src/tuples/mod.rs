//! Tables over patterns (n-tuple networks): a board's value as a sum of weights, one for what stands on each
//! of many small sets of cells, by the stage of the game.
//!
//! Knows no game: cells are numbers, and a game says which sets it looks at, which symmetries its board has
//! and what it counts besides. Reading order: which weights a board asks for (`layout`), the weights
//! themselves (`table`), and how they are kept (`file`).
//!
//! # Source
//! Bledsoe & Browning 1959 for n-tuples; Buro 1997 (Logistello) for patterns of Othello with a table for each
//! stage of the game.

mod layout;

mod table;

mod file;

pub use file::{FileError, Header};
pub use layout::{CELL_STATES, Layout, Shape};
pub use table::{Stages, Tables};
