//! The points worth a look: those near a stone.

use crate::types::{Move, Size};

use super::position::Position;
use super::rules::LineRules;

/// A point further than so many steps from every stone, slantwise steps included, is left out: a stone
/// there makes no more than one on the way does.
pub const REACH: usize = 2;

impl<R: LineRules> Position<R> {
    /// Appends the empty points near a stone, ascending; of an empty board those near its middle, and it.
    pub(super) fn near_stones(&self, moves: &mut Vec<Move>) {
        for (row, near) in self.near_rows().into_iter().enumerate() {
            let mut left = near;
            while left != 0 {
                moves.push(self.point_of(row, left.trailing_zeros() as usize));
                left &= left - 1;
            }
        }
    }

    /// The same points, a bit for each column of each row.
    pub fn near_rows(&self) -> [u32; Size::SIDE_MAX as usize] {
        let (width, height) = (usize::from(self.size.width), usize::from(self.size.height));
        let [black, white] = &self.stones;
        // As many rows before the first and after the last as a stone reaches.
        let mut wide = [0; Size::SIDE_MAX as usize + 2 * REACH];
        for (wide, (black, white)) in wide[REACH..].iter_mut().zip(black.iter().zip(white)) {
            let taken = black | white;
            *wide = (1..=REACH).fold(taken, |near, n| near | taken << n | taken >> n);
        }
        if usize::from(self.empty) == self.size.area() {
            let middle = 1 << (width / 2);
            wide[REACH + height / 2] =
                (1..=REACH).fold(middle, |near, n| near | middle << n | middle >> n);
        }
        let mut near = [0; Size::SIDE_MAX as usize];
        for (row, near) in near.iter_mut().enumerate().take(height) {
            let rows = wide[row..=row + 2 * REACH].iter().fold(0, |near, row| near | row);
            *near = rows & !(black[row] | white[row]) & ((1 << width) - 1);
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use crate::game::Game;
    use crate::gomoku::{Gomoku, GomokuRules, Variant};
    use crate::rng::Rng;
    use crate::types::Move;

    #[test]
    fn candidates_are_the_legal_points_within_two_steps_of_a_stone() {
        let mut rng = Rng::from_seed(2);
        for variant in [Variant::Freestyle, Variant::Renju] {
            let rules = GomokuRules::new(11, 8, variant).expect("a size");
            let mut position = Gomoku::new(&rules);
            let mut candidates = Vec::new();
            position.candidates(&mut candidates);
            let rows = (2..=6).flat_map(|row| (3..=7).map(move |column| 11 * row + column));
            assert!(rows.map(Move::point).eq(candidates));
            while position.outcome().is_none() {
                let mut legal = Vec::new();
                position.legal_moves(&mut legal);
                position.play(legal[rng.below(legal.len() as u32) as usize]);
                let stones: Vec<usize> =
                    (0..88).filter(|&at| position.stone(Move::point(at)).is_some()).collect();
                let is_near = |mv: &Move| {
                    let at = usize::from(mv.0);
                    let steps = |stone: &usize| {
                        (at / 11).abs_diff(stone / 11).max((at % 11).abs_diff(stone % 11))
                    };
                    stones.iter().any(|stone| steps(stone) <= 2)
                };
                let (mut legal, mut found) = (Vec::new(), Vec::new());
                position.legal_moves(&mut legal);
                legal.retain(is_near);
                position.candidates(&mut found);
                assert_eq!(found, legal);
            }
        }
    }
}
