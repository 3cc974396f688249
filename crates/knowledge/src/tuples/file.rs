//! Tables as a file: a few lines that say what they are, an empty line, and the weights, deflated.
//!
//! ```text
//! banyan tuples 1
//! game othello
//! layout 4e1f0c2d9a7b3388
//! stages 12 16 20 24 28 32 36 40 44 48 52 56 60
//! made from 100000 games against itself, five plies deep
//!
//! (weights of the first stage in the order of the layout, then of the next; 16 bits each, low byte first)
//! ```

use std::io::Read as _;

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use thiserror::Error;

use super::layout::Layout;
use super::table::{Stages, Tables};
use crate::digest::Digest;

const MAGIC: &str = "banyan tuples 1";

/// A header is no longer than this, bytes.
const HEADER_MAX: usize = 4096;

/// Description of a file's tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game's name.
    pub game: String,
    /// The layout that the weights are for.
    pub layout: Digest,
    /// The stages at which they are given.
    pub stages: Stages,
    /// Their provenance, one line.
    pub made: String,
}

/// Reasons why a file holds no tables for a game.
#[derive(Debug, Error)]
pub enum FileError {
    /// It does not begin as such files do.
    #[error("no tables of weights: its first line is not `{MAGIC}`")]
    Magic,
    /// A line that is missing, or says nothing that can be.
    #[error("tables of weights: line `{0}` is missing or wrong")]
    Line(&'static str),
    /// It is for another game.
    #[error("tables of weights for {found}, expected {wanted}")]
    Game {
        /// The game that the file is for.
        found: String,
        /// The game that was asked for.
        wanted: &'static str,
    },
    /// It is for other patterns.
    #[error("tables of weights for the patterns {found}, this build has {wanted}")]
    Layout {
        /// The patterns that the file is for.
        found: Digest,
        /// The patterns that were asked for.
        wanted: Digest,
    },
    /// The weights are fewer or more than the header says, or damaged.
    #[error("tables of weights: {wanted} weights expected, found {found}")]
    Weights {
        /// So many are there.
        found: usize,
        /// So many belong there.
        wanted: usize,
    },
}

impl Tables {
    /// Reads tables for a game's layout.
    ///
    /// - `last`: the last stage that is ever asked about.
    ///
    /// # Errors
    /// [`FileError`] says what is wrong with the file, or what it is for.
    pub fn read<const LANES: usize>(
        bytes: &[u8],
        (game, layout): (&'static str, &Layout<LANES>),
        last: u32,
    ) -> Result<Tables, FileError> {
        let (header, deflated) = Header::split(bytes)?;
        if header.game != game {
            return Err(FileError::Game { found: header.game, wanted: game });
        }
        if header.layout != layout.digest() {
            return Err(FileError::Layout { found: header.layout, wanted: layout.digest() });
        }
        // What a header says is no reason to make room for more than a game can need.
        if header.stages.knots().len() > last as usize + 1 {
            return Err(FileError::Line("stages"));
        }
        let wanted = header.stages.knots().len() * layout.stored_len();
        let mut inflated = Vec::with_capacity(2 * wanted);
        // One byte more than there should be tells that there is too much.
        let limit = 2 * wanted as u64 + 1;
        let whole = DeflateDecoder::new(deflated).take(limit).read_to_end(&mut inflated);
        if whole.is_err() || inflated.len() != 2 * wanted {
            return Err(FileError::Weights { found: inflated.len() / 2, wanted });
        }
        let weight = |pair: &[u8]| i16::from_le_bytes([pair[0], pair[1]]);
        let stored = inflated.chunks_exact(2).map(weight).collect();
        Ok(Tables::new(header.stages, stored, last))
    }
}

impl Header {
    /// Splits a file into its header and the rest of it.
    ///
    /// # Errors
    /// [`FileError`] with the line that is missing.
    pub fn split(bytes: &[u8]) -> Result<(Header, &[u8]), FileError> {
        let end = bytes.windows(2).take(HEADER_MAX).position(|pair| pair == b"\n\n");
        let text = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok());
        let (Some(end), Some(text)) = (end, text) else { return Err(FileError::Magic) };
        let mut lines = text.lines();
        if lines.next() != Some(MAGIC) {
            return Err(FileError::Magic);
        }
        let mut line = |key: &'static str| {
            let rest = lines.next().and_then(|line| line.strip_prefix(key)?.strip_prefix(' '));
            rest.ok_or(FileError::Line(key))
        };
        let game = line("game")?.to_owned();
        let layout = u64::from_str_radix(line("layout")?, 16);
        let layout = Digest(layout.map_err(|_| FileError::Line("layout"))?);
        let knots: Result<Vec<u32>, _> = line("stages")?.split(' ').map(str::parse).collect();
        let knots = knots.map_err(|_| FileError::Line("stages"))?;
        if knots.is_empty() || !knots.is_sorted_by(|a, b| a < b) {
            return Err(FileError::Line("stages"));
        }
        let made = line("made")?.to_owned();
        let header = Header { game, layout, stages: Stages::new(knots), made };
        Ok((header, &bytes[end + 2..]))
    }

    /// A file of these stored weights, a row of them for each stage.
    pub fn write(&self, stored: &[i16]) -> Vec<u8> {
        use std::io::Write as _;
        let Header { game, layout, stages, made } = self;
        let knots: Vec<String> = stages.knots().iter().map(u32::to_string).collect();
        let knots = knots.join(" ");
        let text =
            format!("{MAGIC}\ngame {game}\nlayout {layout}\nstages {knots}\nmade {made}\n\n");
        let mut encoder = DeflateEncoder::new(text.into_bytes(), flate2::Compression::best());
        let weights: Vec<u8> = stored.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        encoder.write_all(&weights).and_then(|()| encoder.finish()).expect("memory takes it all")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuples::Shape;

    fn layout() -> Layout<1> {
        let shapes = [Shape { name: "pair", cells: &[0, 1] }];
        Layout::new(2, &shapes, &[vec![0, 1], vec![1, 0]], &[])
    }

    fn file() -> (Vec<i16>, Vec<u8>) {
        let layout = layout();
        let stored: Vec<i16> = (0..2 * layout.stored_len() as i16).map(|n| 300 * n - 900).collect();
        let header = Header {
            game: "othello".to_owned(),
            layout: layout.digest(),
            stages: Stages::new(vec![4, 8]),
            made: "by hand".to_owned(),
        };
        let bytes = header.write(&stored);
        assert_eq!(Header::split(&bytes).expect("its own header").0, header);
        (stored, bytes)
    }

    #[test]
    fn what_was_written_is_read() {
        let (stored, bytes) = file();
        let tables = Tables::read(&bytes, ("othello", &layout()), 8).expect("its own file");
        assert_eq!((tables.stored(), tables.stages().knots()), (&stored[..], &[4, 8][..]));
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused_in_words() {
        let (_, bytes) = file();
        let words = |bytes: &[u8], game, layout: &Layout<1>| {
            Tables::read(bytes, (game, layout), 8).expect_err("does not fit").to_string()
        };
        let other = Layout::new(2, &[Shape { name: "cell", cells: &[0] }], &[vec![0, 1]], &[]);
        assert!(words(&bytes, "gomoku", &layout()).contains("for othello, expected gomoku"));
        assert!(words(&bytes, "othello", &other).contains("this build has"));
        let cut = &bytes[..bytes.len() - 3];
        assert!(words(cut, "othello", &layout()).contains("14 weights expected"));
        assert!(words(b"PNG", "othello", &layout()).contains("first line"));
        let text = "banyan tuples 1\ngame othello\nlayout 1\nstages 8 4\nmade x\n\n";
        assert!(words(text.as_bytes(), "othello", &layout()).contains("`stages`"));
    }

    #[test]
    fn no_cut_and_no_changed_byte_panics() {
        let (_, bytes) = file();
        let layout = layout();
        for at in 0..bytes.len() {
            let _ = Tables::read(&bytes[..at], ("othello", &layout), 8);
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            let _ = Tables::read(&changed, ("othello", &layout), 8);
        }
    }
}
