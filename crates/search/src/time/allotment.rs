//! A clock spent with thought: a usual time for each ply, and when to stop before it or go on beyond.
//!
//! - The shares are those of the equal split, and more: what searches save that stop early is handed out
//!   beforehand.
//! - A search stops when what is left of its time would hardly change the move, and early where the game
//!   is as good as won or lost.
//! - A search whose most visited move is not the best one, or that is behind, goes on for longer.
//! - For what replies take beyond the thinking there is a reserve, which is never thought away.
//!
//! # Source
//! Huang, Coulom & Lin 2010, *Time Management for Monte-Carlo Tree Search Applied to the Game of Go*
//! (unstable, behind); Baier & Winands 2016, *Time Management for Monte Carlo Tree Search* (STOP with
//! the saved time handed out again). The numbers are our own: docs/experiments/search.md.

use std::time::Duration;

use super::{BUDGET_MIN, Clock, GameLength, LAG_PERCENT, TimeControl};
use crate::tree::answer::Candidate;

/// The reserve is at most one part in so many of the whole.
const RESERVE_PARTS: u32 = 2;

/// The least is one part in so many of what is left, for each ply of the reserve.
const BUDGET_MIN_PARTS: u32 = 4;

/// Time that stopping early saves is handed out beforehand: the usual time is so many hundredths of a share.
const INVEST_PERCENT: u32 = 180;

/// No ply takes more than so many hundredths of its usual time,
const MOST_PERCENT: u32 = 250;

/// nor, where the time is for more plies than one, more than one part in so many of what is left.
const MOST_PARTS: u32 = 4;

/// A search that is unstable goes on to so many hundredths of its usual time,
const UNSTABLE_PERCENT: u32 = 150;

/// and one that is behind to so many.
const BEHIND_PERCENT: u32 = 125;

/// A value below this is behind.
const BEHIND_BELOW: f64 = 0.45;

/// A value below this is as good as lost, and one as near to 1 as good as won:
const LOST_BELOW: f64 = 0.05;

/// then a search takes so many hundredths of what it would.
const SETTLED_PERCENT: u32 = 20;

/// The second move is not expected to gain more than this share of the playouts to come on the first.
const SECOND_SHARE: f64 = 0.35;

/// A rival has at least this share of the best move's visits.
const RIVAL_SHARE: f64 = 0.1;

/// Tells whether enough is thought is asked at least so often,
const INTERVAL_MAX: Duration = Duration::from_millis(100);

/// at most so often,
const INTERVAL_MIN: Duration = Duration::from_millis(5);

/// and in between so many times within the usual time of a ply.
const LOOKS: u32 = 20;

/// Time that one ply may be thought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// When a search that goes as expected ends.
    pub usual: Duration,
    /// When every search ends.
    pub most: Duration,
    /// Tells whether time that is not used is there for later plies.
    pub saves: bool,
}

/// Standing of a search, for the question whether to go on.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    /// Thought so far.
    pub elapsed: Duration,
    /// Playouts made in that time.
    pub playouts: u64,
    /// The candidates, the one to play first.
    pub candidates: &'a [Candidate],
}

/// A part of a clock: the main time, or a period.
struct Part {
    left: Duration,
    /// Time that there was at the beginning.
    whole: Duration,
    /// To be played in it.
    plies: u32,
    reserve_plies: u32,
    lag: Duration,
}

impl Part {
    /// The allotment of the next ply.
    fn allot(&self) -> Allotment {
        let reserve = (self.lag * self.reserve_plies).min(self.whole / RESERVE_PARTS);
        let usable = self.left.saturating_sub(reserve) * (100 - LAG_PERCENT) / 100;
        let least = BUDGET_MIN.min(self.left / BUDGET_MIN_PARTS / self.reserve_plies);
        if self.plies == 1 {
            let most = usable.max(least);
            return Allotment { usual: most, most, saves: false };
        }
        let usual = usable / self.plies * INVEST_PERCENT / 100;
        let most = (usual * MOST_PERCENT / 100).min(usable / MOST_PARTS.min(self.plies)).max(least);
        Allotment { usual: usual.clamp(least, most), most, saves: true }
    }
}

impl Clock {
    /// The time for the next ply.
    ///
    /// - `plies`: both sides' plies so far.
    pub fn allot(&self, length: GameLength, plies: usize) -> Allotment {
        let own = length.own_plies_left(plies).max(2);
        let reserve_plies = length.reserve_plies(plies);
        let whole = self.control.main();
        let lag = self.lag;
        let main = Part { left: self.main, whole, plies: own, reserve_plies, lag }.allot();
        let whole = self.control.overtime().0;
        let period =
            |plies| Part { left: self.period, whole, plies, reserve_plies: plies, lag }.allot();
        let overtime = match self.control {
            TimeControl::Absolute { .. } => return main,
            TimeControl::Canadian { .. } => period(self.count),
            TimeControl::ByoYomi { .. } => period(1),
            TimeControl::Fischer { increment, .. } => return self.with_increment(main, increment),
        };
        if overtime.usual >= main.usual { overtime } else { main }
    }

    /// A share of the main time and what the ply will add, as far as that is there already.
    fn with_increment(&self, share: Allotment, increment: Duration) -> Allotment {
        let left = self.left();
        let bound =
            Part { left, whole: left, plies: 2, reserve_plies: 1, lag: self.lag }.allot().most;
        let usual = share.usual + increment * (100 - LAG_PERCENT) / 100;
        Allotment { usual: usual.min(bound), most: (share.most + usual).min(bound), saves: true }
    }
}

impl Allotment {
    /// The interval at which to ask whether a search has thought enough.
    pub fn interval(&self) -> Duration {
        (self.usual / LOOKS).clamp(INTERVAL_MIN, INTERVAL_MAX)
    }

    /// Tells whether a search has thought enough.
    pub fn is_enough(&self, standing: &Standing<'_>) -> bool {
        if !self.saves {
            return standing.elapsed >= self.most;
        }
        let until = self.until(standing);
        standing.elapsed >= until || standing.is_decided(until)
    }

    /// When the search should end as it stands.
    fn until(&self, standing: &Standing<'_>) -> Duration {
        let mut until = self.usual;
        if standing.is_unstable() {
            until = until * UNSTABLE_PERCENT / 100;
        }
        if standing.candidates.first().is_some_and(|best| best.value < BEHIND_BELOW) {
            until = until * BEHIND_PERCENT / 100;
        }
        let until = until.min(self.most);
        if standing.is_settled() { until * SETTLED_PERCENT / 100 } else { until }
    }
}

impl Standing<'_> {
    /// Tells whether another move with visits enough has a better value than the one to play.
    fn is_unstable(&self) -> bool {
        let Some((best, others)) = self.candidates.split_first() else { return false };
        let visits_min = best.visits as f64 * RIVAL_SHARE;
        others.iter().any(|other| other.visits as f64 >= visits_min && other.value > best.value)
    }

    /// Tells whether the game is as good as won or lost, as far as playouts say it: an evaluation at the end of a line
    /// may say so in the middle of a fight.
    fn is_settled(&self) -> bool {
        if self.playouts == 0 {
            return false;
        }
        let value = self.candidates.first().map_or(0.5, |best| best.value);
        !(LOST_BELOW..=1.0 - LOST_BELOW).contains(&value)
    }

    /// Tells whether no other move is expected to have more visits than the one to play before `until`.
    fn is_decided(&self, until: Duration) -> bool {
        let Some((best, others)) = self.candidates.split_first() else { return false };
        let second = others.iter().map(|other| other.visits).max().unwrap_or(0);
        let rate = self.playouts as f64 / self.elapsed.as_secs_f64().max(1e-3);
        let to_come = rate * until.saturating_sub(self.elapsed).as_secs_f64();
        self.playouts > 0 && best.visits.saturating_sub(second) as f64 > to_come * SECOND_SHARE
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::{Kind, Move};
    use proptest::prelude::*;

    use super::super::tests::{any_control, go, millis, seconds};
    use super::*;
    use crate::tree::proof::Proof;

    fn candidate(point: usize, visits: u64, value: f64) -> Candidate {
        Candidate { mv: Move::point(point), visits, value, prior: 0.1, proof: Proof::Open }
    }

    const TEN_SECONDS: Allotment = Allotment { usual: seconds(10), most: seconds(25), saves: true };

    fn is_enough(elapsed: u64, candidates: &[Candidate]) -> bool {
        // A thousand playouts a second.
        let standing = Standing { elapsed: seconds(elapsed), playouts: 1000 * elapsed, candidates };
        TEN_SECONDS.is_enough(&standing)
    }

    #[test]
    fn a_minute_of_absolute_time_is_shared_with_a_reserve() {
        let clock = Clock::new(TimeControl::Absolute { main: seconds(60) });
        // 9x9: 60 plies expected, 30 of ours. The reserve is 40 times 150 ms, and of the rest 2 %.
        let usable = (60_000.0 - 6_000.0) * 0.98;
        let Allotment { usual, most, saves } = clock.allot(go(81), 0);
        assert!((usual.as_secs_f64() * 1000.0 - usable / 30.0 * 1.8).abs() < 1.0, "{usual:?}");
        assert!((most.as_secs_f64() * 1000.0 - usable / 30.0 * 1.8 * 2.5).abs() < 1.0, "{most:?}");
        assert!(saves);
    }

    #[test]
    fn what_replies_are_seen_to_take_is_kept_back() {
        let mut clock = Clock::new(TimeControl::Absolute { main: seconds(60) });
        let calm = clock.allot(go(81), 0);
        clock.note_lag(millis(50));
        assert_eq!(clock.allot(go(81), 0), calm);
        (0..20).for_each(|_| clock.note_lag(millis(300)));
        clock.set(seconds(60), 0);
        // Twice 300 ms for 40 plies: of 60 s there are 36 where there were 54.
        let usual = clock.allot(go(81), 0).usual;
        assert!((usual.as_secs_f64() / calm.usual.as_secs_f64() - 36.0 / 54.0).abs() < 0.01);
    }

    #[test]
    fn a_period_for_one_ply_is_used_up_but_for_the_reserve() {
        let control = TimeControl::ByoYomi { main: seconds(0), period: seconds(10), periods: 3 };
        let allotment = Clock::new(control).allot(go(81), 0);
        assert_eq!(allotment.most, (seconds(10) - millis(150)) * 98 / 100);
        assert!(!allotment.saves);
        let decided = [candidate(1, 9_000, 0.9), candidate(2, 10, 0.1)];
        let standing = Standing { elapsed: seconds(9), playouts: 9_010, candidates: &decided };
        assert!(!allotment.is_enough(&standing));
    }

    #[test]
    fn a_period_for_several_plies_leaves_some_for_each() {
        let control = TimeControl::Canadian { main: seconds(0), period: seconds(50), stones: 25 };
        let allotment = Clock::new(control).allot(go(81), 0);
        // 50 s less 25 times 150 ms, less 2 %, for 25 plies.
        let share = (50.0 - 3.75) * 0.98 / 25.0;
        assert!((allotment.usual.as_secs_f64() - share * 1.8).abs() < 0.001, "{allotment:?}");
        assert!(allotment.saves);
    }

    #[test]
    fn a_ply_of_fischer_time_has_its_increment_and_a_share() {
        let increment = seconds(5);
        let of = |main| TimeControl::Fischer {
            main,
            increment,
            main_max: Duration::MAX,
            ply_max: Duration::MAX,
        };
        let none = Clock::new(TimeControl::Absolute { main: seconds(60) }).allot(go(81), 0);
        let some = Clock::new(of(seconds(60))).allot(go(81), 0);
        assert_eq!(some.usual, none.usual + increment * 98 / 100);
        // What is not there yet cannot be used.
        assert!(Clock::new(of(seconds(1))).allot(go(81), 0).most < millis(500));
    }

    #[test]
    fn a_search_that_nothing_can_change_stops_and_another_goes_on() {
        let close = [candidate(1, 3_000, 0.6), candidate(2, 2_000, 0.5)];
        assert!(!is_enough(5, &close));
        // 5,000 playouts are to come, by which the second is not expected to gain 1,750.
        let open = [candidate(1, 3_370, 0.6), candidate(2, 1_630, 0.5)];
        assert!(!is_enough(5, &open));
        let decided = [candidate(1, 3_380, 0.6), candidate(2, 1_620, 0.5)];
        assert!(is_enough(5, &decided));
        assert!(is_enough(10, &close));
    }

    #[test]
    fn an_unstable_search_and_one_that_is_behind_go_on_for_longer() {
        let unstable = [candidate(1, 5_000, 0.5), candidate(2, 4_900, 0.6)];
        assert!(!is_enough(14, &unstable) && is_enough(15, &unstable));
        let behind = [candidate(1, 5_000, 0.3), candidate(2, 4_900, 0.2)];
        assert!(!is_enough(12, &behind) && is_enough(13, &behind));
        // A move that was hardly tried says nothing.
        let lucky = [candidate(1, 5_000, 0.5), candidate(2, 4_800, 0.4), candidate(3, 9, 0.9)];
        assert!(is_enough(10, &lucky));
    }

    #[test]
    fn a_game_as_good_as_won_or_lost_takes_a_fifth() {
        let with_value = |value| [candidate(1, 500, value), candidate(2, 490, 0.01)];
        assert!(!is_enough(1, &with_value(0.96)) && is_enough(2, &with_value(0.96)));
        assert!(!is_enough(2, &with_value(0.94)));
        // Behind as well: a fifth of 12.5 s.
        assert!(!is_enough(2, &with_value(0.04)) && is_enough(3, &with_value(0.04)));
        assert!(!is_enough(3, &with_value(0.06)));
        // Said by an evaluation, which makes no playouts.
        let said = with_value(0.96);
        let standing = |elapsed| Standing { elapsed, playouts: 0, candidates: &said };
        assert!(!TEN_SECONDS.is_enough(&standing(seconds(9))));
        assert!(TEN_SECONDS.is_enough(&standing(seconds(10))));
    }

    #[test]
    fn carried_visits_of_one_move_end_a_search_early() {
        let carried = [candidate(1, 90_000, 0.6), candidate(2, 100, 0.5)];
        assert!(is_enough(1, &carried));
    }

    proptest! {
        #[test]
        fn no_game_is_lost_on_time_when_every_ply_takes_the_most(
            control in any_control(),
            area in 4usize..626,
        ) {
            let mut clock = Clock::new(control);
            for ply in 0..area {
                let Allotment { usual, most, .. } = clock.allot(go(area), 2 * ply);
                prop_assert!(usual <= most && most <= clock.left(), "ply {ply}: {most:?} of {clock:?}");
                clock.spend(most);
            }
        }

        /// The worst of clocks, a lag at every ply, and searches that always take the most.
        #[test]
        fn an_absolute_clock_outlives_its_lags(
            main in 10u64..600,
            area in 25usize..362,
            share in 0u32..=100,
            kind in 0..Kind::ALL.len(),
            lags in prop::collection::vec(0u64..100, 181),
        ) {
            let kind = Kind::ALL[kind];
            // Games of lines keep less for plies that hardly ever follow.
            let bearable = if matches!(kind, Kind::Gomoku | Kind::Connect6) { 75 } else { 100 };
            // All discs are down by then.
            let plies = if kind == Kind::Othello { (area - 4) / 2 } else { area / 2 };
            let mut clock = Clock::new(TimeControl::Absolute { main: seconds(main) });
            // What a clock of this length can bear: a quarter of it, over the whole game.
            let lag_max = u128::from(main * 1000 / 4) / (area as u128 / 2);
            for (ply, &lag) in lags.iter().enumerate().take(plies) {
                let lag = Duration::from_millis(u128::from(lag.min(bearable)).min(lag_max) as u64);
                let used = clock.allot(GameLength::of(kind, area), 2 * ply).most * share / 100 + lag;
                prop_assert!(used <= clock.left(), "{kind:?} {ply}: {used:?} of {clock:?}");
                clock.spend(used);
            }
        }

        #[test]
        fn no_period_is_overrun_by_a_tenth_of_a_second(
            main in 0u64..100,
            period in 1u64..60,
            stones in 1u32..6,
            increment in 1u64..10,
            lag in 0u64..100,
        ) {
            let [main, period, increment] = [main, period * u64::from(stones), increment].map(seconds);
            let (main_max, ply_max) = (Duration::MAX, Duration::MAX);
            for control in [
                TimeControl::ByoYomi { main, period, periods: 2 },
                TimeControl::Canadian { main, period, stones },
                TimeControl::Fischer { main: main + increment, increment, main_max, ply_max },
            ] {
                let mut clock = Clock::new(control);
                for ply in 0..100 {
                    let used = clock.allot(go(81), 2 * ply).most + millis(lag);
                    prop_assert!(used <= clock.left(), "ply {ply}: {used:?} of {clock:?}");
                    clock.spend(used);
                }
                if let TimeControl::ByoYomi { .. } = control {
                    prop_assert_eq!(clock.count, 2);
                }
            }
        }
    }
}
