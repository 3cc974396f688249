//! Sets of points as bits, and code compiled for the vectors that a machine has.
//!
//! No rules of any game, and nothing of ours below: hardly ever touched, so compiled once.
//!
//! Reading order: vectors (`simd`), single words (`mix`, `nth`), the sets that positions hold (`bits`),
//! playouts of Go (`field`) and games whose sides are rows of bits (`rows`), and sums over many such
//! boards (`sums`).

pub mod simd;

pub mod mix;

pub mod nth;

pub mod bits;

pub mod field;

pub mod rows;

pub mod sums;
