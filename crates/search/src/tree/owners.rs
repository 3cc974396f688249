//! Points that decide the game: who holds them at the end goes with who wins.
//!
//! The playouts since the root was last another tell it, from wherever in the tree, so that a node that
//! nobody has played out yet is believed to be about the same fights as the rest. It is known of single
//! playouts alone: the sums of several do not say which went with which.
//!
//! # Source
//! Coulom 2009, *Criticality: a Monte-Carlo heuristic for Go programs*; Pellegrino, Hubbard, Galbraith,
//! Potter & Chen 2009, *Localizing search in computer Go using statistical covariance*.

use banyan_games::Counts;

/// So many playouts say something; fewer are noise.
const KNOWN_PLAYOUTS: u64 = 100;

/// A point is not settled at all while one side holds it in at most this part of the playouts more than the
/// other does.
const SETTLED_FROM: f32 = 0.5;

/// Owners of points at the end of single playouts, counted together with who won these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owners {
    /// Playouts, count.
    pub playouts: u64,
    /// Those that Black won, minus those that White won.
    pub won: i64,
    /// Per point: playouts in which Black held it, minus those in which White did. Empty before the first.
    pub held: Vec<i64>,
    /// Per point: playouts in which the winner held it, minus those in which the loser did.
    pub held_by_winner: Vec<i64>,
    /// Tells whether the root's moves were weighed by it.
    pub is_used: bool,
}

impl Owners {
    /// Adds the counts of a single playout, if they say who held which point.
    pub(super) fn add(&mut self, counts: &Counts) {
        self.count(counts, 1);
    }

    /// Takes out what was added.
    pub(super) fn take_back(&mut self, counts: &Counts) {
        self.count(counts, -1);
    }

    fn count(&mut self, counts: &Counts, sign: i64) {
        let Some(held) = counts.ownership.as_ref().filter(|_| counts.playouts() == 1) else {
            return;
        };
        let won = i64::from(counts.wins) - i64::from(counts.losses);
        self.playouts = self.playouts.saturating_add_signed(sign);
        self.won += sign * won;
        self.held.resize(held.len(), 0);
        self.held_by_winner.resize(held.len(), 0);
        let sums = self.held.iter_mut().zip(&mut self.held_by_winner);
        for ((sum, by_winner), &held) in sums.zip(held) {
            *sum += sign * i64::from(held);
            *by_winner += sign * won * i64::from(held);
        }
    }

    /// Tells whether they say anything.
    pub(super) fn is_known(&self) -> bool {
        self.playouts >= KNOWN_PLAYOUTS
    }

    /// The covariance of holding the point and winning, each 1 for Black and -1 for White, in `-1.0..=1.0`:
    /// 0 for a point that is always the same side's or that nobody's game depends on.
    pub(super) fn criticality(&self, point: usize) -> f32 {
        let mean = |sum: i64| sum as f32 / self.playouts as f32;
        match (self.held.get(point), self.held_by_winner.get(point)) {
            (Some(&held), Some(&by_winner)) if self.playouts > 0 => {
                mean(by_winner) - mean(held) * mean(self.won)
            }
            _ => 0.0,
        }
    }

    /// The certainty of who holds the point, in `0.0..=1.0`: 1 where it is always the same side.
    pub(super) fn settled(&self, point: usize) -> f32 {
        let held = self.held.get(point).map_or(0, |held| held.unsigned_abs());
        let mean = held as f32 / self.playouts.max(1) as f32;
        ((mean - SETTLED_FROM) / (1.0 - SETTLED_FROM)).max(0.0)
    }

    /// The contradiction, if there is one.
    pub(super) fn flaw(&self) -> Option<&'static str> {
        let is_too_large = |sum: &i64| sum.unsigned_abs() > self.playouts;
        let mut sums = self.held.iter().chain(&self.held_by_winner).chain([&self.won]);
        if self.held.len() != self.held_by_winner.len() {
            Some("owners of points are not of one number")
        } else if self.playouts > PLAYOUTS_MAX {
            Some("more playouts with owners than can be")
        } else if sums.any(is_too_large) {
            Some("a point was held in more playouts than there were")
        } else {
            None
        }
    }
}

/// So many playouts are never reached, and as many more still fit.
const PLAYOUTS_MAX: u64 = 1 << 60;

#[cfg(test)]
mod tests {
    use banyan_games::Outcome;
    use banyan_games::{Color, counts::Asked};

    use super::*;

    /// A playout that `winner` won, with these holders of three points.
    fn playout(winner: Color, held: [i32; 3]) -> Counts {
        let mut counts = Counts::new(3, Asked { amaf: false, ownership: true });
        counts.add(Outcome::win(winner), 1);
        counts.ownership = Some(held.to_vec());
        counts
    }

    /// Black always has the first point, the winner the second, and the third goes by lot.
    fn fight() -> Owners {
        let mut owners = Owners::default();
        for (winner, lot) in
            [(Color::Black, 1), (Color::Black, -1), (Color::White, 1), (Color::White, -1)]
        {
            let second = if winner == Color::Black { 1 } else { -1 };
            (0..25).for_each(|_| owners.add(&playout(winner, [1, second, lot])));
        }
        owners
    }

    #[test]
    fn a_point_is_critical_whose_holder_wins() {
        let owners = fight();
        assert!(owners.is_known());
        assert_eq!([0, 1, 2, 3].map(|point| owners.criticality(point)), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!([0, 1, 2, 3].map(|point| owners.settled(point)), [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn who_wins_anyway_makes_no_point_critical() {
        let mut owners = Owners::default();
        (0..60).for_each(|n| {
            owners.add(&playout(Color::White, [-1, if n % 2 == 0 { 1 } else { -1 }, 0]))
        });
        assert_eq!([0, 1, 2].map(|point| owners.criticality(point)), [0.0; 3]);
    }

    #[test]
    fn what_is_taken_back_was_never_there() {
        let before = fight();
        let mut owners = before.clone();
        owners.add(&playout(Color::White, [1, 1, 0]));
        assert_ne!(owners, before);
        owners.take_back(&playout(Color::White, [1, 1, 0]));
        assert_eq!(owners, before);
    }

    #[test]
    fn the_sums_of_several_playouts_say_nothing() {
        let mut both = playout(Color::White, [1, 1, 0]);
        both.merge(&playout(Color::Black, [1, 1, 0]));
        let mut owners = Owners::default();
        owners.add(&both);
        assert_eq!(owners, Owners::default());
    }

    #[test]
    fn owners_that_cannot_be_have_a_flaw() {
        let sound = fight();
        assert_eq!(sound.flaw(), None);
        assert_eq!(Owners::default().flaw(), None);
        for wrong in [
            Owners { held: vec![0; 2], ..sound.clone() },
            Owners { playouts: u64::MAX, ..sound.clone() },
            Owners { won: i64::MIN, ..sound.clone() },
            Owners { held_by_winner: vec![0, 101, 0], ..sound.clone() },
        ] {
            assert!(wrong.flaw().is_some(), "{wrong:?}");
        }
    }
}
