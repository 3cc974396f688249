//! Chains that live whatever their owner does not do.

use super::position::{Go, Points};
use crate::game::Game;
use crate::types::{Color, Move};

use banyan_kernels::bits::Bits;

/// A part of the board without stones of one colour, as it matters to that colour's life.
struct Region {
    points: Points,
    /// Chains next to it, by number.
    next_to: Vec<usize>,
    /// Those of them that every empty point of it is a liberty of.
    vital_to: Vec<usize>,
}

impl Go {
    /// Tells whether the chain on `point` cannot be taken even if its side passes for ever; false where no
    /// stone stands.
    ///
    /// # Source
    /// Benson 1976, Life in the Game of Go.
    pub fn is_unconditionally_alive(&self, point: Move) -> bool {
        let (Some(color), Some(bit)) = (self.stone(point), self.bit(point)) else { return false };
        let chains = self.chains_of(color);
        let Some(asked) = chains.iter().position(|chain| chain.contains(bit)) else { return false };
        let mut regions = self.regions_of(color, &chains);
        let mut alive = vec![true; chains.len()];
        loop {
            let vital = |chain: usize| {
                regions.iter().filter(|region| region.vital_to.contains(&chain)).count()
            };
            let fallen: Vec<usize> =
                (0..chains.len()).filter(|&chain| alive[chain] && vital(chain) < 2).collect();
            if fallen.contains(&asked) {
                return false;
            }
            if fallen.is_empty() {
                return true;
            }
            fallen.iter().for_each(|&chain| alive[chain] = false);
            regions.retain(|region| region.next_to.iter().all(|&chain| alive[chain]));
        }
    }

    /// All chains, each by its stones.
    pub fn chains(&self) -> Vec<Vec<Move>> {
        let stones =
            |chain: &Points| chain.iter().map(|bit| Move::point(self.layout.point(bit))).collect();
        Color::BOTH.iter().flat_map(|&color| self.chains_of(color)).map(|c| stones(&c)).collect()
    }

    fn chains_of(&self, color: Color) -> Vec<Points> {
        let mut left = self.stones[color.index()];
        let mut chains = Vec::new();
        while let Some(seed) = left.first() {
            let chain = self.chain(color, seed);
            left = left.minus(chain);
            chains.push(chain);
        }
        chains
    }

    /// The regions that are vital to somebody.
    fn regions_of(&self, color: Color, chains: &[Points]) -> Vec<Region> {
        let open = self.full().minus(self.stones[color.index()]);
        let near: Vec<Points> = chains.iter().map(|&chain| self.neighbours(chain)).collect();
        let mut left = open;
        let mut regions = Vec::new();
        while let Some(seed) = left.first() {
            let points = seed.flood(open, self.layout.stride());
            left = left.minus(points);
            let empty = points & self.empty();
            let next_to: Vec<usize> =
                (0..chains.len()).filter(|&chain| near[chain].intersects(points)).collect();
            let is_vital = |chain: &usize| empty.minus(near[*chain]).is_empty();
            let vital_to = next_to.iter().copied().filter(is_vital).collect();
            regions.push(Region { points, next_to, vital_to });
        }
        regions.retain(|region| !region.vital_to.is_empty() && !region.points.is_empty());
        regions
    }

    /// The points next to the chain on `bit` that are empty.
    pub(super) fn liberties_of(&self, bit: usize) -> Points {
        let color = Color::BOTH.into_iter().find(|color| self.stones[color.index()].contains(bit));
        color.map_or(Points::EMPTY, |color| {
            self.neighbours(self.chain(color, Bits::one(bit))) & self.empty()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::tests::diagram;

    fn alive(text: &str, row: usize, column: usize) -> bool {
        let position = diagram(text);
        position.is_unconditionally_alive(Move::point(row * 7 + column))
    }

    #[test]
    fn two_small_eyes_live_and_one_does_not() {
        let two = "
            . X . X O . .
            X X X X O . .
            O O O O O . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        assert!(alive(two, 1, 0));
        let one = two.replacen(". X . X", ". X X X", 1);
        assert!(!alive(&one, 1, 0));
    }

    #[test]
    fn chains_live_together_by_eyes_that_both_touch() {
        let shared = "
            . X . X O . .
            X O . X O . .
            X X X O O . .
            O O O O . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        // The right chain touches one region only.
        assert!(!alive(shared, 0, 3));
        let ring = "
            . X . X . X O
            X X X X X X O
            O O O O O O O
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        assert!(alive(ring, 0, 1));
    }

    #[test]
    fn an_eye_with_an_empty_point_that_is_no_liberty_is_not_vital() {
        // The eye of three at the top could be played in.
        let large = "
            . . . X . X O
            X X X X X X O
            O O O O O O O
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        // All three points are liberties of the chain, so they are an eye for Benson too.
        assert!(alive(large, 1, 0));
        let wider = "
            . . . X . X O
            . . . X X X O
            X X X X O O O
            O O O O O . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        assert!(!alive(wider, 2, 0));
    }
}
