//! The part of a board that decides a local fight, and nothing beyond it does.
//!
//! The attacker's chains that have a liberty where nobody may play in the fight cannot be taken: they are a
//! wall. What hangs together with the chain in question without crossing the wall is its zone. Where all of
//! the zone's empty points belong to the fight, moves elsewhere are passes to it, so that its fate depends on
//! what stands in the zone, on the wall beside it, and on the edge of the board.

use super::fight::Fight;
use super::position::Points;
use banyan_kernels::bits::Bits;

/// What decides a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Points inside, with or without stones.
    pub inside: Points,
    /// The attacker's stones next to it that cannot be taken.
    pub wall: Points,
    /// The chain in question.
    pub target: Points,
}

impl Fight {
    /// The zone as it is now; nothing where it is open, or the chain is taken.
    pub fn zone(&self) -> Option<Zone> {
        let position = self.position();
        let target = position.chain(self.defender(), Bits::one(self.target()));
        let attackers = position.stones()[(!self.defender()).index()];
        let unreachable = position.empty().minus(self.area());
        let stride = position.layout().stride();
        let walls = (position.neighbours(unreachable) & attackers).flood(attackers, stride);
        let inside = target.flood(position.full().minus(walls), stride);
        let is_closed = !(inside & position.empty()).intersects(unreachable);
        let wall = position.neighbours(inside) & walls;
        (is_closed && !target.is_empty()).then_some(Zone { inside, wall, target })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::tests::diagram;
    use crate::types::{Color, Move};

    fn zone(text: &str, point: usize) -> Option<Zone> {
        let position = diagram(text);
        Fight::new(&position, Move::point(point), Color::Black).expect("a stone").zone()
    }

    #[test]
    fn a_wall_with_a_liberty_outside_bounds_the_zone() {
        let corner = "
            . . . X O . .
            X X X X O . .
            O O O O O . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let zone = zone(corner, 7).expect("closed");
        assert_eq!((zone.inside.len(), zone.wall.len(), zone.target.len()), (8, 6, 5));
    }

    #[test]
    fn a_chain_that_can_be_taken_is_no_wall() {
        // The three white stones in the corner have no liberty but the fight's own.
        let inside = "
            . O O X O . .
            X X X X O . .
            O O O O O . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let zone = zone(inside, 7).expect("closed");
        assert_eq!((zone.inside.len(), zone.wall.len()), (8, 6));
    }

    #[test]
    fn an_open_side_leaves_no_zone() {
        let open = "
            . . . . . . .
            . X . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        assert_eq!(zone(open, 8), None);
    }

    #[test]
    fn stones_that_are_played_make_the_zone_smaller() {
        let wide = "
            . . . . . X O
            X X X X X X O
            O O O O O O O
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let position = diagram(wide);
        let mut fight = Fight::new(&position, Move::point(7), Color::Black).expect("a stone");
        let before = fight.zone().expect("closed").inside;
        assert_eq!(before.len(), 12);
        fight.play(Move::point(2));
        // A black stone more, but no less to fight about.
        assert_eq!(fight.zone().expect("closed").inside, before);
        assert_eq!(fight.side_to_move(), Color::White);
    }
}
