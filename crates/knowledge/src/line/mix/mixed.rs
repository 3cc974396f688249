//! The games that have such an evaluation.

use banyan_games::line::{LineRules, Position};

use crate::knowledge::Knowledge;
use crate::line::lines::WAYS;
use crate::line::surroundings::{Follower, Surroundings};

/// A game of lines whose positions are judged by what stands around points.
pub trait Mixed: Knowledge {
    /// The first line of a model's text.
    const TITLE: &str;

    /// The model of this build: its text, packed by gzip.
    const PACKED: &[u8];

    /// Kinds of looks, count.
    const KINDS: usize;

    /// Heads, count.
    const HEADS: usize;

    /// The kind of what stands around a point, by which it is judged where it has not been seen often, below
    /// [`Mixed::KINDS`].
    fn kind_of(look: u16) -> usize;

    /// One look for all that have one vector.
    fn alike(look: u16) -> u16;

    /// The head that judges a position, below [`Mixed::HEADS`].
    fn head(&self) -> usize;

    /// What stands around each empty point near a stone on each of its lines, as Black sees it and as White does:
    /// what a model learns from.
    fn looks(&self) -> Vec<[[u16; 2]; WAYS]>;
}

/// The same of any position on a board of lines.
pub(crate) fn looks<R: LineRules>(position: &Position<R>) -> Vec<[[u16; 2]; WAYS]> {
    Surroundings::of(Seen::default(), position).follower.0
}

/// Whoever only looks on.
#[derive(Default)]
struct Seen(Vec<[[u16; 2]; WAYS]>);

impl Follower for Seen {
    fn meet(&mut self, _: usize, looks: [[u16; 2]; WAYS]) {
        self.0.push(looks);
    }

    fn leave(&mut self, _: usize) {}

    fn change(&mut self, _: usize, _: usize, _: [u16; 2]) {}

    fn begin(&mut self) {}

    fn take_back(&mut self) {}
}
