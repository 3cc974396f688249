//! Game records in SGF, the format in which Go's programs and servers keep their games.
//!
//! Reads the first game of a file along its main line (the first variation everywhere) or with all its
//! variations, in any of FF\[1\] to FF\[4\] and in the encodings that servers use, and writes games as
//! FF\[4\]. Comments, markup and clocks are passed over. No I/O: bytes in, text out.
//!
//! Reading order: `game` (what comes out), `encoding` (bytes to text), `parser` (text to nodes),
//! `point` and `header` (values to moves and rules), `reader` (nodes to a game), `writer` (a record
//! to text).
//!
//! ```text
//! let game = sgf::read(&bytes, &sgf::Options::default())?;
//! with_game!(&game.rules, G, rules => { let record = game.record::<G>(rules)?; … });
//! ```

mod game;

mod encoding;

mod parser;

mod point;

mod header;

mod reader;

mod writer;

mod error;

pub use error::{Place, SgfError};
pub use game::{FILE_BYTES_MAX, Options, SgfGame, SgfTree, TreePly};
pub use reader::{read, read_tree};
pub use writer::{Header, ply_text, write_sgf, write_tree};

#[cfg(test)]
mod tests;
