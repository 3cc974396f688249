//! Game records in SGF, the format in which Go's programs and servers keep their games.
//!
//! Reads the first game of a file along its main line (the first variation everywhere), in any of
//! FF\[1\] to FF\[4\] and in the encodings that servers use, and writes games as FF\[4\].
//! Comments, markup, clocks and further variations are passed over. No I/O: bytes in, text out.
//!
//! Reading order: `encoding` (bytes to text), `parser` (text to nodes), `point` and `header` (values
//! to moves and rules), `reader` (nodes to a game), `writer` (a record to text).
//!
//! ```text
//! let game = sgf::read(&bytes, &sgf::Options::default())?;
//! with_game!(&game.rules, G, rules => { let record = game.record::<G>(rules)?; … });
//! ```

mod encoding;

mod parser;

mod point;

mod header;

mod reader;

mod writer;

mod error;

use banyan_games::{Color, Game, Kind, Move, Record, Rules};

pub use error::{Place, SgfError};
pub use reader::read;
pub use writer::{Header, write_sgf};

/// The longest file that is read, in bytes: a hundred times the largest commented game seen.
pub const FILE_BYTES_MAX: usize = 64 << 20;

/// What the file alone does not decide.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The game that was asked for. Needed where GM is absent or wrong, as with many programs that
    /// write every game as GM\[1\]; a file of a plainly different game is refused.
    pub kind: Option<Kind>,
    /// Komi in half points, in place of what the file says.
    pub komi: Option<i16>,
    /// Read only the first so many plies of the main line: the position *after* ply N, so 0 gives
    /// the start with its handicap stones. What follows is not looked at.
    /// (GTP's `loadsgf FILE N` means the position *before* move N: `N - 1` here.)
    pub plies: Option<usize>,
}

/// A game as a file tells it; whether its moves are legal is seen in [`SgfGame::record`].
#[derive(Clone, Debug)]
pub struct SgfGame {
    /// The game with its size, and komi in Go.
    pub rules: Rules,
    /// Stones on the board before the first ply: handicap, problems.
    pub setup: Vec<(Color, Move)>,
    /// Who plays first.
    pub side_to_move: Color,
    /// The main line, a forced pass of Othello only where the file writes it.
    pub plies: Vec<(Color, Move)>,
    /// Black's name, PB.
    pub black: Option<String>,
    /// White's name, PW.
    pub white: Option<String>,
    /// The result as the file writes it, RE.
    pub result: Option<String>,
    /// Where each ply stands in the file; as long as `plies`.
    places: Vec<Place>,
    /// Where the first set-up stone stands.
    setup_at: Place,
}

impl SgfGame {
    /// Plays the file's moves by `rules`, which are [`SgfGame::rules`] taken apart by
    /// [`with_game!`](banyan_games::with_game).
    ///
    /// A pass that the rules force and the file leaves out (Othello) is put in.
    /// A pass after the end of the game is left out.
    ///
    /// # Errors
    /// [`SgfError::Setup`] and [`SgfError::Illegal`], with the place in the file.
    pub fn record<G: Game>(&self, rules: &G::Rules) -> Result<Record<G>, SgfError> {
        let mut record = self.start::<G>(rules)?;
        for (number, (&(color, mv), &at)) in self.plies.iter().zip(&self.places).enumerate() {
            if mv.is_pass() && record.position().outcome().is_some() {
                continue;
            }
            if record.position().side_to_move() != color && is_forced_pass(&record) {
                let forced = record.play(Move::PASS);
                debug_assert!(forced.is_ok(), "a forced pass is legal");
            }
            let played = record.play_as(color, mv);
            played.map_err(|source| SgfError::Illegal { at, ply: number + 1, color, source })?;
        }
        Ok(record)
    }

    fn start<G: Game>(&self, rules: &G::Rules) -> Result<Record<G>, SgfError> {
        let plain = Record::<G>::new(rules);
        if self.setup.is_empty() && plain.position().side_to_move() == self.side_to_move {
            return Ok(plain);
        }
        Record::set_up(rules, &self.setup, self.side_to_move)
            .map_err(|source| SgfError::Setup { at: self.setup_at, source })
    }
}

/// Whether the side to move can do nothing but pass.
pub(crate) fn is_forced_pass<G: Game>(record: &Record<G>) -> bool {
    let mut moves = Vec::new();
    record.position().legal_moves(&mut moves);
    moves == [Move::PASS]
}

#[cfg(test)]
mod tests;
