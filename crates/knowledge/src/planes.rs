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

#[cfg(test)]
mod tests {
    use banyan_games::{Kind, Move, Rng, Rules, Symmetry, Terms, with_game};

    use super::*;
    use crate::knowledge::Knowledge;

    /// A network may learn from positions turned as fits turn them only where their planes turn with them.
    #[test]
    fn planes_of_a_turned_position_are_its_planes_turned() {
        for kind in Kind::ALL {
            let side = if kind == Kind::Othello { 8 } else { 9 };
            let terms = Terms { width: side, height: side, ..Terms::of(kind) };
            let rules = Rules::new(kind, terms).expect("a size of every game");
            with_game!(&rules, G, rules => law::<G>(rules));
        }
    }

    fn law<G: Knowledge>(rules: &G::Rules) {
        let mut rng = Rng::from_seed(5);
        let size = G::new(rules).size();
        // Those that leave the start as it is: a game can be played under them from its beginning.
        for symmetry in G::new(rules).symmetries() {
            let [mut one, mut other] = [G::new(rules), G::new(rules)];
            for _ in 0..30 {
                let mut moves = Vec::new();
                one.candidates(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.below(moves.len() as u32) as usize];
                one.play(mv);
                other.play(symmetry.image(mv, size));
                compare(&one, &other, symmetry);
            }
        }
    }

    fn compare<G: Knowledge>(one: &G, other: &G, symmetry: Symmetry) {
        let [mut planes, mut turned] = [Planes::default(), Planes::default()];
        one.encode(&mut planes);
        other.encode(&mut turned);
        let mut order: Vec<usize> = (0..planes.planes.len()).collect();
        if symmetry != Symmetry::NONE {
            for &[a, b] in G::HALF_TURN.unwrap_or_default() {
                order.swap(a, b);
            }
        }
        assert_eq!(planes.globals, turned.globals);
        let image = |point: usize| {
            let at = symmetry.image(Move::point(planes.point(point)), one.size());
            turned.point(usize::from(at.0))
        };
        // Ladders are read within bounds, some points before others.
        let is_read = |plane: usize| G::KIND == Kind::Go && (13..=17).contains(&plane);
        for (plane, &same) in order.iter().enumerate().filter(|&(plane, _)| !is_read(plane)) {
            let mut wanted: Vec<usize> = planes.planes[plane].points().map(image).collect();
            wanted.sort_unstable();
            let found: Vec<usize> = turned.planes[same].points().collect();
            assert_eq!(found, wanted, "{}: plane {plane}, {symmetry:?}, {other:?}", G::KIND);
        }
    }
}
