//! The contract between a game and the search: what a position must be able to do.

use std::fmt::{Debug, Display};

use crate::counts::{Asked, Collector, Counts, NoObserver, Observer};
use crate::key::Key;
use crate::kind::Kind;
use crate::notation::{MoveTextError, Notation};
use crate::rng::Rng;
use crate::symmetry::Symmetry;
use crate::types::{Color, Move, Outcome, Size};

/// Playouts from one position, and where they are counted.
#[derive(Debug)]
pub struct Leaf<'a, G> {
    /// Position that they start from.
    pub position: &'a G,
    /// Number of them.
    pub playouts: u32,
    /// Source of their random numbers.
    pub rng: &'a mut Rng,
    /// Sums that they are added to.
    pub counts: &'a mut Counts,
}

/// Stones that cannot stand on the board as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Two stones on one point, or a point outside the board.
    #[error("cannot put a {color} stone on {point}: the point is taken or outside the board")]
    Occupied {
        /// The stone's side.
        color: Color,
        /// The point as this game writes it.
        point: String,
    },
    /// A group without a liberty.
    #[error("the group at {point} would have no liberty")]
    NoLiberty {
        /// A point of the group.
        point: String,
    },
    /// The game cannot be set up this way.
    #[error("{0}")]
    Unsupported(&'static str),
}

/// The game decides whose ply it is, and it is the other side's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is {}'s turn, not {asked}'s", !*asked)]
pub struct WrongSide {
    /// The side that was asked to play.
    pub asked: Color,
}

/// A position of one game, with all that its rules need to go on from here: rules, and uniform playouts.
///
/// What is known of a game beyond its rules is not said here, nor which games there are.
///
/// Histories stay outside ([`crate::Record`]): a position knows at most a simple ko. Legality by
/// positional superko is the record's business, for games with [`Game::SUPERKO`].
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// Settings fixed before the first move: size, komi, length of a winning line.
    type Rules: Clone + Debug + PartialEq + Display + Send + Sync + 'static;

    /// Kind of the game.
    const KIND: Kind;
    /// Notation in which its people write a move.
    const NOTATION: Notation;
    /// Tells whether a move may not bring back an earlier position of stones.
    const SUPERKO: bool = false;
    /// Tells whether the game is scored by who holds each point, and ends by agreement.
    const TERRITORY: bool = false;

    /// The start position.
    fn new(rules: &Self::Rules) -> Self;

    /// The rules this position is played by.
    fn rules(&self) -> &Self::Rules;

    /// The board's size in points.
    fn size(&self) -> Size;

    /// Returns the side to move. After the end of the game any answer will do.
    fn side_to_move(&self) -> Color;

    /// The stone on a point. `point` must be on the board.
    fn stone(&self, point: Move) -> Option<Color>;

    /// Tells whether the side to move may play `mv` (any `u16` may be asked). False once the game is over.
    fn is_legal(&self, mv: Move) -> bool;

    /// Appends every legal move, in ascending order, a pass last. Nothing once the game is over.
    fn legal_moves(&self, moves: &mut Vec<Move>);

    /// Appends the moves worth searching, in ascending order, a pass last: legal moves without those
    /// that can never be good. Not empty unless the game is over.
    fn candidates(&self, moves: &mut Vec<Move>) {
        self.legal_moves(moves);
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// May panic on an illegal move; callers with moves from outside ask [`Game::is_legal`] first.
    fn play(&mut self, mv: Move);

    /// Returns the result of the game, or nothing while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// A 64-bit hash of the stones, the side to move and, in Go, a simple ko.
    fn hash(&self) -> u64;

    /// A 64-bit hash of the stones alone: what superko compares.
    fn stones_hash(&self) -> u64 {
        self.hash()
    }

    /// Returns the place of the next ply in the turns of both sides: with the stones, all that a position is but for
    /// passes and kos.
    fn phase(&self) -> u8 {
        self.side_to_move() as u8
    }

    /// The turns and reflections of the board that keep the game the same, [`Symmetry::NONE`] first: those
    /// that leave the start position as it is.
    fn symmetries(&self) -> Vec<Symmetry> {
        let (size, start) = (self.size(), Self::new(self.rules()));
        Symmetry::all(size).filter(|it| it.keeps(size, |point| start.stone(point))).collect()
    }

    /// Returns the key that this position has in common with its symmetric images.
    fn key(&self) -> Key {
        let stone = |point| self.stone(point);
        Key::least(self.size(), self.phase(), &self.symmetries(), stone)
    }

    /// Asks for a free point to put a stone on; for [`Game::set_up`].
    ///
    /// # Errors
    /// [`SetupError::Occupied`] for a point that is taken or outside the board.
    fn check_free(&self, color: Color, point: Move) -> Result<(), SetupError> {
        let is_on_board = usize::from(point.0) < self.size().area();
        if is_on_board && self.stone(point).is_none() {
            return Ok(());
        }
        Err(SetupError::Occupied { color, point: self.move_text(point) })
    }

    /// Puts stones on the empty start position and gives `side` the move.
    ///
    /// # Errors
    /// [`SetupError`]; the position may then be half set up and should be thrown away.
    fn set_up(&mut self, stones: &[(Color, Move)], side: Color) -> Result<(), SetupError>;

    /// Makes `color` the side to move, where the game lets a side play twice in a row.
    ///
    /// # Errors
    /// [`WrongSide`] where the rules decide whose ply it is.
    fn set_side_to_move(&mut self, color: Color) -> Result<(), WrongSide> {
        if self.side_to_move() == color { Ok(()) } else { Err(WrongSide { asked: color }) }
    }

    /// Plays this position to its end, every candidate being equally likely; returns the outcome and the
    /// number of plies.
    ///
    /// A position whose game is over returns its outcome and 0 plies.
    fn playout(&mut self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32);

    /// Runs `count` playouts from this position and adds them to `counts`.
    ///
    /// The sums depend on the position, `count`, what `counts` collects and the state of
    /// `rng`, and on nothing else: not on the machine's features nor on threads.
    fn playouts(&self, count: u32, rng: &mut Rng, counts: &mut Counts) {
        if counts.amaf.is_none() && counts.ownership.is_none() {
            for _ in 0..count {
                let (outcome, plies) = self.clone().playout(rng, &mut NoObserver);
                counts.add(outcome, plies);
            }
            return;
        }
        let area = self.size().area();
        let mut watched = Counts::new(
            area,
            Asked { amaf: counts.amaf.is_some(), ownership: counts.ownership.is_some() },
        );
        let mut ended = Vec::with_capacity(count as usize);
        let mut collector = Collector::new(&mut watched, area);
        for _ in 0..count {
            ended.push(self.clone().playout(rng, &mut collector));
        }
        for (outcome, plies) in ended {
            watched.add(outcome, plies);
        }
        counts.merge(&watched);
    }

    /// Runs the playouts of many leaves of one game, by the same rules; each adds up to what
    /// [`Game::playouts`] gives for it alone.
    ///
    /// A game that plays several boards side by side fills them from all leaves.
    fn play_out(leaves: &mut [Leaf<'_, Self>]) {
        for leaf in leaves {
            leaf.position.playouts(leaf.playouts, leaf.rng, leaf.counts);
        }
    }

    /// Returns the result of the game if it stopped here and the stones in `dead` were taken off.
    ///
    /// Only games of territory answer while the game goes on.
    fn score_without(&self, dead: &[Move]) -> Option<Outcome> {
        let _ = dead;
        self.outcome()
    }

    /// The points connected to the stone on `point`, itself with them; empty where no stone stands.
    fn group(&self, point: Move) -> Vec<Move> {
        self.stone(point).map(|_| vec![point]).unwrap_or_default()
    }

    /// Returns the points of `count` handicap stones on this board, or nothing where the game has none.
    fn handicap_points(&self, count: u32) -> Option<Vec<Move>> {
        let _ = count;
        None
    }

    /// The move as its people write it.
    fn move_text(&self, mv: Move) -> String {
        Self::NOTATION.format(mv, self.size())
    }

    /// The move that a text names; whether it is legal is not asked.
    ///
    /// # Errors
    /// [`MoveTextError`], which repeats the text.
    fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        Self::NOTATION.parse(text, self.size())
    }
}
