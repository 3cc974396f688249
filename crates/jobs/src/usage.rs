//! What a worker has used, and how much it had judged.

use std::time::Duration;

use derive_more::AddAssign;

use crate::job::EVALUATIONS_TOGETHER;

/// What a worker has used since it started; a cluster's is the sum of its workers'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, AddAssign)]
pub struct Usage {
    /// Processor time.
    pub cpu: Duration,
    /// What was judged.
    pub evaluated: Evaluated,
}

/// Positions that evaluators judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, AddAssign)]
pub struct Evaluated {
    /// Count.
    pub count: u64,
    /// Those that there was room for: as many as a network takes at once, for each time that it was asked.
    pub room: u64,
}

impl Evaluated {
    /// Counts positions that are judged at once.
    pub(crate) fn at_once(&mut self, positions: usize) {
        let positions = positions as u64;
        self.count += positions;
        self.room += positions.next_multiple_of(u64::from(EVALUATIONS_TOGETHER));
    }

    /// Tells how full the batches since `before` were, 0 to 1; nothing where there were none.
    pub fn fill_since(self, before: Evaluated) -> Option<f64> {
        let count = self.count.saturating_sub(before.count);
        let room = self.room.saturating_sub(before.room);
        (room > 0).then(|| (count as f64 / room as f64).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_as_full_as_a_network_could_have_taken_more() {
        let mut evaluated = Evaluated::default();
        assert_eq!(evaluated.fill_since(Evaluated::default()), None);
        for positions in [1, 3, 8, 12] {
            evaluated.at_once(positions);
        }
        assert_eq!(evaluated, Evaluated { count: 24, room: 40 });
        assert_eq!(evaluated.fill_since(Evaluated { count: 4, room: 16 }), Some(20.0 / 24.0));
        let of_a_liar = Evaluated { count: 9, room: 3 };
        assert_eq!(of_a_liar.fill_since(Evaluated::default()), Some(1.0));
    }
}
