//! Moves that each side played later on, by point.

use banyan_games::{Amaf as Counted, Color, Move, Size};

use super::Amaf;

/// Room for each point of the largest board; a pass finds itself in the last place, which stays empty.
pub(super) const POINTS_MAX: usize = Size::AREA_MAX.next_power_of_two();
const _: () =
    assert!(Size::AREA_MAX < POINTS_MAX && u16::MAX as usize % POINTS_MAX == POINTS_MAX - 1);

/// Moves that each side played after some node of a path, by point: kept from merge to merge for its room.
#[derive(Clone, Debug)]
pub(super) struct Later {
    pub(super) by_side: [Box<[Amaf; POINTS_MAX]>; 2],
}

impl Default for Later {
    fn default() -> Later {
        let nothing = || Box::new([Amaf::default(); POINTS_MAX]);
        Later { by_side: [nothing(), nothing()] }
    }
}

impl Later {
    pub(super) fn fill(&mut self, amaf: &Counted) {
        let slots = amaf.visits.chunks_exact(2).zip(amaf.half_wins.chunks_exact(2));
        for (point, (visits, half_wins)) in slots.take(POINTS_MAX - 1).enumerate() {
            for side in 0..2 {
                self.by_side[side][point] = Amaf::new(visits[side], half_wins[side]);
            }
        }
    }

    /// A move of the path comes before all that was played later on its point.
    pub(super) fn put_first(&mut self, mover: Color, mv: Move, all: Amaf) {
        // The move into a root may be anything: it comes with a checkpoint, and nobody asks the rules.
        if let Some(point) = mv.index().filter(|&point| point < POINTS_MAX) {
            self.by_side[mover.index()][point] = all;
            self.by_side[(!mover).index()][point] = Amaf::default();
        }
    }

    pub(super) fn of(&self, side: Color, mv: Move) -> Amaf {
        self.by_side[side.index()][usize::from(mv.0) % POINTS_MAX]
    }
}
