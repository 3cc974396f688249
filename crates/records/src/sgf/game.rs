//! A game as a file tells it, with its variations or without, and what the file alone does not decide.

use banyan_games::gomoku::Variant;
use banyan_games::{Color, Game, Kind, Move, Record, Rules};

use super::error::{Place, SgfError};
use crate::passes;

/// The longest file that is read, in bytes: a hundred times the largest commented game seen.
pub const FILE_BYTES_MAX: usize = 64 << 20;

/// Nodes of the main line, at most: some times as many as any game has plies.
pub const NODES_MAX: usize = 1 << 16;

/// Choices that the file alone does not decide.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The game that was asked for. Needed where GM is absent or wrong, as with many programs that
    /// write every game as GM\[1\]; a file of a plainly different game is refused.
    pub kind: Option<Kind>,
    /// The game where GM is absent and any game will do; Go unless told otherwise.
    pub kind_unsaid: Option<Kind>,
    /// Komi in half points where KM is absent, of a game without handicap; 7.5 points unless told otherwise.
    pub komi_unsaid: Option<i16>,
    /// Variant of Gomoku where the file says nothing of it.
    pub variant: Option<Variant>,
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
    /// The side that plays first.
    pub side_to_move: Color,
    /// The main line, a forced pass of Othello only where the file writes it.
    pub plies: Vec<(Color, Move)>,
    /// Black's name, PB.
    pub black: Option<String>,
    /// White's name, PW.
    pub white: Option<String>,
    /// The result as the file writes it, RE.
    pub result: Option<String>,
    /// The day as the file writes it, DT.
    pub date: Option<String>,
    /// Place of each ply in the file; as long as `plies`.
    pub(super) places: Vec<Place>,
    /// Place of the first set-up stone.
    pub(super) setup_at: Place,
}

/// One ply of a game with variations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreePly {
    /// The ply before it: its place in the list, from 1; 0 is the start.
    pub before: usize,
    /// Side that played.
    pub color: Color,
    /// Move that was played.
    pub mv: Move,
}

/// Places in the list of the plies of the main line.
pub(super) fn main_plies(plies: &[TreePly]) -> Vec<usize> {
    let mut main: Vec<usize> = Vec::new();
    for (at, ply) in plies.iter().enumerate() {
        if ply.before == main.last().map_or(0, |last| last + 1) {
            main.push(at);
        }
    }
    main
}

/// A game as a file tells it, with its variations.
#[derive(Clone, Debug)]
pub struct SgfTree {
    /// The game along its main line.
    pub game: SgfGame,
    /// All plies, each after the one before it and a variation as a whole before the next; the main line first
    /// wherever there are several.
    pub plies: Vec<TreePly>,
    /// Place of each ply in the file.
    pub(super) places: Vec<Place>,
}

impl SgfTree {
    /// The plies as the rules have them: passes that they force and the file leaves out (Othello) are put in,
    /// passes after the end left out, as is a pass that ends a game of territory in which stones follow. Holds a
    /// record for each ply of a line, so the list should be of some thousands at most.
    ///
    /// # Errors
    /// [`SgfError::Setup`] and [`SgfError::Illegal`], with the place in the file.
    pub fn played<G: Game>(&self, rules: &G::Rules) -> Result<(Record<G>, Vec<TreePly>), SgfError> {
        let start = self.game.start::<G>(rules)?;
        let mut played: Vec<TreePly> = Vec::new();
        let goes_on = self.goes_on();
        // Plies that follow each and are still to come: number 0 is the start.
        let mut following = vec![0u32; self.plies.len() + 1];
        self.plies.iter().for_each(|ply| following[ply.before] += 1);
        // The line to the ply at hand, of which something is still to come: number in the file, number here, and the
        // game after it. A game is as large as it is long, so that it is copied at forks alone.
        let mut line = vec![(0, 0, start.clone())];
        for (number, (&TreePly { before, color, mv }, &at)) in
            self.plies.iter().zip(&self.places).enumerate()
        {
            let fork = line.iter().rposition(|it| it.0 == before);
            line.truncate(1 + fork.expect("a file tells a ply after the one before it"));
            following[before] -= 1;
            let is_last = following[before] == 0;
            let from = if is_last { line.pop() } else { line.last().cloned() };
            let (_, mut last, mut record) = from.expect("the one before it");
            if mv.is_pass() && record.position().outcome().is_some() {
                line.push((number + 1, last, record));
                continue;
            }
            passes::play_on(&mut record);
            if record.position().side_to_move() != color && passes::is_forced(record.position()) {
                let side = record.position().side_to_move();
                played.push(TreePly { before: last, color: side, mv: Move::PASS });
                last = played.len();
                let forced = record.play(Move::PASS);
                debug_assert!(forced.is_ok(), "a forced pass is legal");
            }
            record.play_as(color, mv).map_err(|source| {
                let ply = record.plies().len() + 1;
                SgfError::Illegal { at, ply, color, source }
            })?;
            // Where stones follow, the pass that ends the game is taken back on each line of them.
            if !(passes::is_agreed(record.position()) && goes_on[number]) {
                played.push(TreePly { before: last, color, mv });
                last = played.len();
            }
            line.push((number + 1, last, record));
        }
        Ok((start, played))
    }

    /// Tells of each ply whether stones follow it, on any line.
    fn goes_on(&self) -> Vec<bool> {
        // Number 0 is the start.
        let mut found = vec![false; self.plies.len() + 1];
        for (number, ply) in self.plies.iter().enumerate().rev() {
            found[ply.before] |= found[number + 1] || !ply.mv.is_pass();
        }
        found.split_off(1)
    }
}

impl SgfGame {
    /// Plays the file's moves by `rules`, which are [`SgfGame::rules`] taken apart by
    /// [`with_game!`](banyan_games::with_game).
    ///
    /// A pass that the rules force and the file leaves out (Othello) is put in.
    /// A pass after the end of the game is left out; a stone after passes that ended a game of territory takes the
    /// last of them back, as the sides play on.
    ///
    /// # Errors
    /// [`SgfError::Setup`] and [`SgfError::Illegal`], with the place in the file.
    pub fn record<G: Game>(&self, rules: &G::Rules) -> Result<Record<G>, SgfError> {
        let mut record = self.start::<G>(rules)?;
        for (number, (&(color, mv), &at)) in self.plies.iter().zip(&self.places).enumerate() {
            if mv.is_pass() && record.position().outcome().is_some() {
                continue;
            }
            passes::play_on(&mut record);
            if record.position().side_to_move() != color && passes::is_forced(record.position()) {
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
