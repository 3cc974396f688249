//! Positions as networks see them: what a game's encoding makes of one.

use banyan_games::{Game, Size};
use banyan_net::input::SIDE_MIN;
pub use banyan_net::{Encoding, Input, Plane};

/// One position as planes and globals; kept from position to position for its room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Planes {
    /// Points in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Binary planes, in the encoding's order.
    pub planes: Vec<Plane>,
    /// Numbers that belong to no point, in the encoding's order, in 1/256.
    pub globals: Vec<i16>,
    /// Tells whether rows and columns have changed places.
    pub is_turned: bool,
}

impl Planes {
    /// Takes everything out and gives every plane of an encoding room, on a board of this size.
    pub fn clear(&mut self, encoding: &Encoding<'_>, size: Size) {
        (self.width, self.height) = (usize::from(size.width), usize::from(size.height));
        self.planes.clear();
        self.planes.resize(encoding.planes, Plane::default());
        self.is_turned = false;
        self.globals.clear();
        self.globals.resize(encoding.globals, 0);
    }

    /// The point of the game's board where a point of the planes lies, and the other way round.
    pub fn point(&self, at: usize) -> usize {
        if self.is_turned { at % self.width * self.width + at / self.width } else { at }
    }

    /// As a network takes it that sees so many planes, the first of them; one of an earlier version of the encoding
    /// sees fewer than there are.
    pub fn input(&self, planes: usize) -> Input<'_> {
        let Planes { width, height, planes: ref all, ref globals, is_turned: _ } = *self;
        Input { width, height, planes: &all[..planes.min(all.len())], globals }
    }
}

/// Tells whether a network may look at a board of this size.
pub fn is_board(size: Size) -> bool {
    [size.width, size.height].iter().all(|&side| usize::from(side) >= SIDE_MIN)
}

/// The name of a game's encoding for people: `go/1`.
pub fn name_of<G: Game>(encoding: &Encoding<'_>) -> String {
    format!("{}/{}", G::KIND, encoding.version)
}
