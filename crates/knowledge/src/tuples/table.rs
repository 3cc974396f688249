//! Weights by the stage of the game.

use std::sync::OnceLock;

use super::layout::Layout;

/// The stages at which weights are given, in rising order, at least one; between two they change evenly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages(Vec<u32>);

impl Stages {
    /// These stages.
    ///
    /// # Panics
    /// When there are none, or they do not rise.
    pub fn new(knots: Vec<u32>) -> Stages {
        assert!(!knots.is_empty() && knots.is_sorted_by(|a, b| a < b), "stages that rise");
        Stages(knots)
    }

    /// The stages.
    pub fn knots(&self) -> &[u32] {
        &self.0
    }

    /// The stage at or before this one and the one after it, by number, and the share of the second, which
    /// is below 1; the first and the last reach as far as there is anything.
    pub fn around(&self, stage: u32) -> (usize, usize, f32) {
        let after = self.0.partition_point(|&knot| knot <= stage);
        if after == 0 || after == self.0.len() {
            let only = after.saturating_sub(1);
            return (only, only, 0.0);
        }
        let (low, high) = (self.0[after - 1], self.0[after]);
        (after - 1, after, (stage - low) as f32 / (high - low) as f32)
    }
}

/// All weights of a layout, for every stage.
#[derive(Debug)]
pub struct Tables {
    stages: Stages,
    /// The stored weights of each stage's knot, one knot after the other.
    stored: Vec<i16>,
    /// The weights at each stage, made when it is first met.
    by_stage: Vec<OnceLock<Box<[i16]>>>,
}

impl Tables {
    /// Tables of these stored weights, a row of them for each knot.
    ///
    /// - `last`: the last stage that is ever asked about.
    pub fn new(stages: Stages, stored: Vec<i16>, last: u32) -> Tables {
        let by_stage = (0..=last).map(|_| OnceLock::new()).collect();
        Tables { stages, stored, by_stage }
    }

    /// The stages at which the weights were given.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// The stored weights.
    pub fn stored(&self) -> &[i16] {
        &self.stored
    }

    /// The sum of the weights that a board asks for at a stage.
    #[inline]
    pub fn sum<const LANES: usize>(
        &self,
        layout: &Layout<LANES>,
        indices: &[u16; LANES],
        (stage, counts): (u32, &[usize]),
    ) -> i32 {
        let weights = self.by_stage[stage as usize].get_or_init(|| self.expanded(layout, stage));
        layout.weights(indices, counts).map(|weight| i32::from(weights[weight])).sum()
    }

    #[cold]
    fn expanded<const LANES: usize>(&self, layout: &Layout<LANES>, stage: u32) -> Box<[i16]> {
        let (low, high, share) = self.stages.around(stage);
        let row = |knot: usize| &self.stored[knot * layout.stored_len()..][..layout.stored_len()];
        let (low, high) = (row(low), row(high));
        let between = |&stored: &u32| {
            let [low, high] = [low, high].map(|row| f32::from(row[stored as usize]));
            (low + share * (high - low)).round() as i16
        };
        layout.stored().iter().map(between).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuples::Shape;

    #[test]
    fn weights_change_evenly_between_two_stages_and_reach_beyond_the_outermost() {
        let shapes = [Shape { name: "cell", cells: &[0] }];
        let layout = Layout::<1>::new(1, &shapes, &[vec![0]], &[2]);
        // Empty, own, other; two counts; an idle weight.
        let stored = [[0, 100, -100, 7, 9, 0], [0, 200, -300, 8, 9, 0]].concat();
        let tables = Tables::new(Stages::new(vec![10, 14]), stored, 20);
        let own = |stage| tables.sum(&layout, &layout.indices(1, 0), (stage, &[1]));
        assert_eq!([0, 10, 11, 12, 14, 20].map(own), [109, 109, 134, 159, 209, 209]);
        let other = tables.sum(&layout, &layout.indices(0, 1), (12, &[0]));
        assert_eq!(other, -200 + 8);
    }
}
