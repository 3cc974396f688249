//! Time to think: from a game's clock to the time for one ply.
//!
//! Pure: no clock is read here. Whoever plays says what was used, or what the controller says is left.
//! Here are the clocks and an equal split; `allotment` spends a clock with more thought, and
//! `sharing` is the choice between the two.

mod allotment;

mod length;

mod sharing;

pub use allotment::{Allotment, Standing};
pub use length::GameLength;
pub use sharing::Sharing;

use std::time::Duration;

/// Time that a reply takes beyond the thinking: the controller, the network, a loaded machine.
const LAG: Duration = Duration::from_millis(150);

/// The same as a share of the thinking, in hundredths.
const LAG_PERCENT: u32 = 2;

/// Thinking for less than this is hardly better than none.
const BUDGET_MIN: Duration = Duration::from_millis(10);

/// But never more than one part in so many of what is left.
const BUDGET_MIN_PARTS: u32 = 20;

/// Time control of a game, for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// So long for the whole game.
    Absolute {
        /// The whole time.
        main: Duration,
    },
    /// After the main time so many plies within each period; one ply in each is a time per move.
    Canadian {
        /// Main time.
        main: Duration,
        /// One period.
        period: Duration,
        /// Plies to be made in it, at least 1.
        stones: u32,
    },
    /// After the main time each ply has a period; one that takes longer uses up a period.
    ByoYomi {
        /// Main time.
        main: Duration,
        /// One period.
        period: Duration,
        /// Periods, at least 1.
        periods: u32,
    },
    /// Each ply adds to the main time.
    Fischer {
        /// Main time at the start.
        main: Duration,
        /// Time that a ply adds when it is made.
        increment: Duration,
        /// Main time never grows beyond this.
        main_max: Duration,
        /// No ply may take longer.
        ply_max: Duration,
    },
}

impl TimeControl {
    fn main(self) -> Duration {
        match self {
            TimeControl::Absolute { main }
            | TimeControl::Canadian { main, .. }
            | TimeControl::ByoYomi { main, .. }
            | TimeControl::Fischer { main, .. } => main,
        }
    }

    /// One whole period, and stones or periods: what overtime begins with.
    fn overtime(self) -> (Duration, u32) {
        match self {
            TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => (Duration::ZERO, 1),
            TimeControl::Canadian { period, stones, .. } => (period, stones.max(1)),
            TimeControl::ByoYomi { period, periods, .. } => (period, periods.max(1)),
        }
    }
}

/// One side's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    /// Main time left.
    main: Duration,
    /// Left of the running period; a whole one during the main time.
    period: Duration,
    /// Stones to be played in the running period, or periods left with the running one; never 0.
    count: u32,
    /// Time that a reply is expected to take beyond the thinking.
    lag: Duration,
}

impl Clock {
    /// A clock at the start of the game.
    pub fn new(control: TimeControl) -> Clock {
        let (period, count) = control.overtime();
        Clock { control, main: control.main(), period, count, lag: LAG }
    }

    /// Takes over what the controller says is left.
    ///
    /// - `left`: main time when `count` is 0, else time left in the running period.
    /// - `count`: stones (Canadian) or periods (byo-yomi) left.
    pub fn set(&mut self, left: Duration, count: u32) {
        *self = Clock { lag: self.lag, ..Clock::new(self.control) };
        let has_overtime = !self.control.overtime().0.is_zero();
        if count == 0 || !has_overtime {
            self.main = left;
        } else {
            (self.main, self.period, self.count) = (Duration::ZERO, left, count);
        }
    }

    /// The clock of another time control, on a machine whose lag is known.
    #[must_use]
    pub fn under(self, control: TimeControl) -> Clock {
        Clock { lag: self.lag, ..Clock::new(control) }
    }

    /// Notes what a reply took beyond the thinking, on a loaded machine far more than usual. Twice the
    /// mean of the last few is expected of the next ones.
    pub fn note_lag(&mut self, lag: Duration) {
        self.lag = LAG.max((self.lag * 3 + lag * 2) / 4);
    }

    /// Counts a ply that took `used`.
    pub fn spend(&mut self, used: Duration) {
        let over = used.saturating_sub(self.main);
        self.main = self.main.saturating_sub(used);
        if let TimeControl::Fischer { increment, main_max, .. } = self.control {
            self.main = (self.main + increment).min(main_max);
        }
        if !self.main.is_zero() {
            return;
        }
        match self.control {
            TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => {}
            TimeControl::Canadian { period, stones, .. } => {
                self.period = self.period.saturating_sub(over);
                self.count -= 1;
                if self.count == 0 {
                    (self.period, self.count) = (period, stones.max(1));
                }
            }
            TimeControl::ByoYomi { period, .. } => {
                let mut over = over;
                while over > self.period && self.count > 1 {
                    over -= self.period;
                    (self.period, self.count) = (period, self.count - 1);
                }
                self.period = period;
            }
        }
    }

    /// The longest that the next ply may take without losing on time.
    pub fn left(&self) -> Duration {
        match self.control {
            TimeControl::Absolute { .. } => self.main,
            TimeControl::Canadian { .. } => self.main + self.period,
            TimeControl::ByoYomi { period, .. } => {
                self.main + self.period + period * (self.count - 1)
            }
            TimeControl::Fischer { ply_max, .. } => self.main.min(ply_max),
        }
    }

    /// The time for the next ply by an equal split, thinking only: what a reply takes beyond it is kept
    /// back.
    ///
    /// - `plies`: both sides' plies so far.
    ///
    /// The main time is shared evenly among the plies that are still to be expected; there are always
    /// some, so that no game is too long. In overtime a ply has its period, or its share of one.
    /// From that share [`LAG`] and [`LAG_PERCENT`] are taken off.
    pub fn budget(&self, length: GameLength, plies: usize) -> Duration {
        let overtime = match self.control {
            TimeControl::Absolute { .. } => Duration::ZERO,
            TimeControl::Canadian { .. } => self.period / self.count,
            TimeControl::ByoYomi { .. } => self.period,
            TimeControl::Fischer { increment, .. } => increment.min(self.main),
        };
        let share = (self.main / length.own_plies_left(plies)).max(overtime);
        let kept = LAG + share * LAG_PERCENT / 100;
        let least = BUDGET_MIN.min((self.main + self.period) / BUDGET_MIN_PARTS);
        share.saturating_sub(kept).max(least).min(self.left())
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Kind;
    use proptest::prelude::*;

    use super::*;

    /// Go on so many points.
    pub(super) fn go(area: usize) -> GameLength {
        GameLength::of(Kind::Go, area)
    }

    pub(super) const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    pub(super) const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn absolute_time_is_shared_among_the_plies_to_come() {
        let clock = Clock::new(TimeControl::Absolute { main: seconds(60) });
        // 9x9: 60 plies expected, 30 of ours: 2 s each, less 150 ms and 2 % of 2 s.
        assert_eq!(clock.budget(go(81), 0), millis(2000 - 150 - 40));
        // After 40 plies 20 are left at least, 10 of ours: 6 s each.
        assert_eq!(clock.budget(go(81), 40), millis(6000 - 150 - 120));
        assert_eq!(clock.budget(go(81), 400), clock.budget(go(81), 40));
        // 19x19: 270 plies expected, 135 of ours; 60 s / 135 = 444 ms.
        assert_eq!(clock.budget(go(361), 0).as_millis(), 444 - 150 - 9);
    }

    #[test]
    fn a_short_clock_is_answered_at_once() {
        let mut clock = Clock::new(TimeControl::Absolute { main: seconds(60) });
        clock.set(seconds(1), 0);
        assert_eq!(clock.budget(go(81), 60), millis(10));
        clock.set(millis(100), 0);
        assert_eq!(clock.budget(go(81), 60), millis(5));
        clock.set(Duration::ZERO, 0);
        assert_eq!(clock.budget(go(81), 60), Duration::ZERO);
    }

    #[test]
    fn a_time_per_move_is_used_but_for_the_lag() {
        let control = TimeControl::Canadian { main: seconds(0), period: seconds(5), stones: 1 };
        let mut clock = Clock::new(control);
        for _ in 0..100 {
            assert_eq!(clock.budget(go(361), 10), millis(5000 - 150 - 100));
            clock.spend(seconds(4));
        }
    }

    #[test]
    fn canadian_overtime_is_shared_among_its_stones() {
        let control = TimeControl::Canadian { main: seconds(10), period: seconds(50), stones: 25 };
        let mut clock = Clock::new(control);
        clock.spend(seconds(11));
        assert_eq!((clock.main, clock.period, clock.count), (seconds(0), seconds(49), 24));
        clock.set(seconds(48), 12);
        // 48 s for 12 stones: 4 s each.
        assert_eq!(clock.budget(go(81), 30), millis(4000 - 150 - 80));
        for _ in 0..12 {
            clock.spend(seconds(3));
        }
        assert_eq!((clock.period, clock.count), (seconds(50), 25));
    }

    #[test]
    fn byo_yomi_gives_each_ply_a_period_and_loses_one_when_it_is_overrun() {
        let control = TimeControl::ByoYomi { main: seconds(0), period: seconds(10), periods: 3 };
        let mut clock = Clock::new(control);
        assert_eq!(clock.budget(go(81), 0), millis(10_000 - 150 - 200));
        clock.spend(seconds(9));
        assert_eq!((clock.period, clock.count), (seconds(10), 3));
        clock.spend(seconds(15));
        assert_eq!((clock.period, clock.count), (seconds(10), 2));
        clock.spend(seconds(99));
        assert_eq!(clock.count, 1);
    }

    #[test]
    fn fischer_time_grows_with_each_ply_up_to_its_cap() {
        let control = TimeControl::Fischer {
            main: seconds(60),
            increment: seconds(5),
            main_max: seconds(62),
            ply_max: seconds(20),
        };
        let mut clock = Clock::new(control);
        // 60 s / 30 plies is less than what a ply adds.
        assert_eq!(clock.budget(go(81), 0), millis(5000 - 150 - 100));
        clock.spend(seconds(2));
        assert_eq!(clock.main, seconds(62));
        clock.spend(seconds(30));
        assert_eq!(clock.main, seconds(37));
        assert_eq!(clock.left(), seconds(20));
        clock.set(seconds(3), 0);
        assert_eq!(clock.left(), seconds(3));
    }

    #[test]
    fn what_is_left_counts_every_period() {
        let control = TimeControl::ByoYomi { main: seconds(60), period: seconds(10), periods: 3 };
        assert_eq!(Clock::new(control).left(), seconds(90));
        let control = TimeControl::Canadian { main: seconds(60), period: seconds(50), stones: 25 };
        assert_eq!(Clock::new(control).left(), seconds(110));
    }

    #[test]
    fn the_end_of_the_main_time_is_not_shared_below_what_overtime_gives() {
        let control = TimeControl::ByoYomi { main: seconds(10), period: seconds(10), periods: 1 };
        let clock = Clock::new(control);
        assert_eq!(clock.budget(go(81), 0), millis(10_000 - 150 - 200));
    }

    #[test]
    fn what_the_controller_says_is_left_replaces_what_was_measured() {
        let mut clock = Clock::new(TimeControl::Absolute { main: seconds(600) });
        clock.spend(seconds(100));
        clock.set(seconds(30), 0);
        // 10 plies of ours are left: 3 s each.
        assert_eq!(clock.budget(go(81), 60), millis(3000 - 150 - 60));
    }

    pub(super) fn any_control() -> impl Strategy<Value = TimeControl> {
        let duration = || (0u64..600_000).prop_map(Duration::from_millis);
        prop_oneof![
            duration().prop_map(|main| TimeControl::Absolute { main }),
            (duration(), duration(), 1u32..30).prop_map(|(main, period, stones)| {
                TimeControl::Canadian { main, period, stones }
            }),
            (duration(), duration(), 1u32..10).prop_map(|(main, period, periods)| {
                TimeControl::ByoYomi { main, period, periods }
            }),
            (duration(), duration(), duration(), duration()).prop_map(
                |(main, increment, more, ply_max)| {
                    let main_max = main + more;
                    TimeControl::Fischer { main, increment, main_max, ply_max }
                }
            ),
        ]
    }

    fn in_time(clock: &Clock, used: Duration) -> bool {
        used <= clock.left()
    }

    proptest! {
        #[test]
        fn a_game_on_the_budget_never_exceeds_the_clock(
            control in any_control(),
            area in 4usize..626,
        ) {
            let mut clock = Clock::new(control);
            for ply in 0..area {
                let used = clock.budget(go(area), 2 * ply);
                prop_assert!(in_time(&clock, used), "ply {ply}: {used:?} of {clock:?}");
                clock.spend(used);
            }
        }

        #[test]
        fn a_blitz_game_survives_a_lag_of_a_tenth_of_a_second(
            main in 30u64..600,
            lags in prop::collection::vec(0u64..100, 60),
        ) {
            let mut clock = Clock::new(TimeControl::Absolute { main: seconds(main) });
            for (ply, &lag) in lags.iter().enumerate() {
                let used = clock.budget(go(81), 2 * ply) + millis(lag);
                prop_assert!(in_time(&clock, used), "ply {ply}: {used:?} of {clock:?}");
                clock.spend(used);
            }
        }

        #[test]
        fn no_period_of_byo_yomi_is_lost_to_a_tenth_of_a_second(
            main in 0u64..100,
            period in 1u64..60,
            lag in 0u64..100,
        ) {
            let (main, period) = (seconds(main), seconds(period));
            let mut clock = Clock::new(TimeControl::ByoYomi { main, period, periods: 2 });
            for ply in 0..100 {
                clock.spend(clock.budget(go(81), 2 * ply) + millis(lag));
                prop_assert_eq!(clock.count, 2);
            }
        }
    }
}
