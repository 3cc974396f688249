//! The part of a board that decides a local fight, and nothing beyond it does.
//!
//! The attacker's chains that have a liberty where nobody may play in the fight cannot be taken: they are a
//! wall. What hangs together with the chain in question without crossing the wall is its zone. Where all of
//! the zone's empty points belong to the fight, moves elsewhere are passes to it, so that its fate depends on
//! what stands in the zone, on the wall beside it, and on the edge of the board.

use super::fight::Fight;
use super::position::Points;
use banyan_kernels::bits::Bits;
use banyan_kernels::in_words;

/// The part of a board that decides a fight.
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
        in_words!(self.position().layout(), W => self.zone_in::<W>())
    }

    /// The zone, worked out in as many words as the board needs.
    fn zone_in<const W: usize>(&self) -> Option<Zone> {
        let position = self.position();
        let stride = position.layout().stride();
        let full: Bits<W> = position.full().narrow();
        let empty: Bits<W> = position.empty().narrow();
        let [defenders, attackers]: [Bits<W>; 2] = [self.defender(), !self.defender()]
            .map(|color| position.stones()[color.index()].narrow());
        let target = (Bits::one(self.target()) & defenders).flood(defenders, stride);
        let unreachable = empty.minus(self.area().narrow());
        let walls = (unreachable.neighbours(stride) & attackers).flood(attackers, stride);
        let inside = target.flood(full.minus(walls), stride);
        let is_closed = !(inside & empty).intersects(unreachable);
        let wall = inside.neighbours(stride) & walls;
        let zone = || Zone { inside: inside.widen(), wall: wall.widen(), target: target.widen() };
        (is_closed && !target.is_empty()).then(zone)
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
