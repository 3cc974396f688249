//! Multi-ProbCut: what a shallow search says of a deep one, and how surely.
//!
//! The difference between the values of a shallow and a deep search of one position is a normal variable, more or
//! less, whose deviation was measured on positions of games (docs/experiments/othello.md). A deep search is cut where
//! a shallow one is beyond the bounds by more deviations than the trust asks for.
//!
//! # Source
//! Buro 1995, 2000.

use banyan_knowledge::othello::learned::DISC;

/// Confidence that a cut needs: the number of an entry of [`DEVIATIONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trust(pub(super) u8);

/// Deviations that a shallow search must be beyond the bounds, by trust; nothing is cut by the last.
const DEVIATIONS: [f32; 6] = [1.1, 1.4, 1.8, 2.3, 3.0, f32::INFINITY];

/// Nothing is cut.
pub const SURE: Trust = Trust(DEVIATIONS.len() as u8 - 1);

impl Trust {
    /// The least sure.
    pub const FIRST: Trust = Trust(0);

    /// The next surer one.
    pub fn next(self) -> Option<Trust> {
        (self < SURE).then_some(Trust(self.0 + 1))
    }

    /// A margin of so many deviations, in parts of a disc.
    pub(super) fn margin(self, deviation: f32) -> i32 {
        (DEVIATIONS[usize::from(self.0)] * deviation * DISC as f32) as i32
    }
}

/// Searches of fewer plies are not cut.
pub(super) const DEPTH_MIN: u32 = 3;

/// The depth of the shallow search for a deep one: about half, and odd where that is odd.
pub(super) fn shallow(depth: u32) -> u32 {
    2 * (depth / 4) + depth % 2
}

/// The deviation of a search of `depth` plies from one of `shallow` plies, discs.
///
/// - `empties`: of the position; where `depth` is not less, the deep search ends with the game.
pub fn deviation(empties: u32, depth: u32, shallow: u32) -> f32 {
    let (left, depth, shallow) = (empties as f32, depth as f32, shallow as f32);
    (WEIGHTS[0] + WEIGHTS[1] * left + WEIGHTS[2] * depth + WEIGHTS[3] * shallow).max(LEAST)
}

/// Weights of 1, the empties, the deep and the shallow plies: `banyan train probcut`, 1,000 positions, searches of
/// up to eight plies and to the end from 16 empties.
const WEIGHTS: [f32; 4] = [3.7, -0.0205, 0.478, -0.783];
const LEAST: f32 = 1.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shallow_search_is_about_half_as_deep_and_odd_where_the_deep_one_is() {
        assert_eq!([3, 4, 5, 6, 7, 8, 11, 16].map(shallow), [1, 2, 3, 2, 3, 4, 5, 8]);
    }

    #[test]
    fn trust_grows_until_nothing_is_cut() {
        let mut trust = Trust::FIRST;
        let mut margins = vec![trust.margin(2.0)];
        while let Some(next) = trust.next() {
            trust = next;
            margins.push(trust.margin(2.0));
        }
        assert!(margins.is_sorted_by(|a, b| a < b), "{margins:?}");
        assert_eq!((trust, margins[0]), (SURE, (2.2 * DISC as f32) as i32));
    }
}
