//! A side's clock in playouts: one takes a fixed part of a second, so that a match on clocks is a pure
//! function of its arguments, whatever else the machine does.
//!
//! How much is thought is asked of what the engine asks, as often as the engine does. Replies take
//! nothing beyond the thinking.

use std::time::Duration;

use anyhow::{bail, ensure};
use banyan_search::Candidate;
use banyan_search::time::{Allotment, Clock, GameLength, Sharing, Standing, TimeControl};

/// Timing of one side's games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    sharing: Sharing,
    control: TimeControl,
    /// Playouts a second.
    rate: f64,
}

/// The words about a side's clock, word by word; seconds but for the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Words {
    sharing: Option<Sharing>,
    rate: Option<f64>,
    main: Option<f64>,
    increment: Option<f64>,
    period: Option<f64>,
    stones: Option<u32>,
    periods: Option<u32>,
}

impl Words {
    /// Takes a word over; says whether it is one about the clock.
    ///
    /// # Errors
    /// A value that it cannot have.
    pub fn set(&mut self, name: &str, value: &str) -> anyhow::Result<bool> {
        match name {
            "clock" => match value {
                "adaptive" => self.sharing = Some(Sharing::Adaptive),
                "even" => self.sharing = Some(Sharing::Even),
                _ => bail!("clock is even or adaptive"),
            },
            "rate" => self.rate = Some(seconds(value)?),
            "main" => self.main = Some(seconds(value)?),
            "increment" => self.increment = Some(seconds(value)?),
            "period" => self.period = Some(seconds(value)?),
            "stones" => self.stones = Some(value.parse()?),
            "periods" => self.periods = Some(value.parse()?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The clock that all words together mean; none without a word.
    ///
    /// # Errors
    /// Words that say too little or contradict each other.
    pub fn timing(self) -> anyhow::Result<Option<Timing>> {
        let Words { sharing: Some(sharing), rate: Some(rate), main: Some(main), .. } = self else {
            ensure!(self == Words::default(), "a clock needs clock=, main= and rate=");
            return Ok(None);
        };
        ensure!(rate > 0.0, "rate is above 0");
        let main = Duration::from_secs_f64(main);
        let of = Duration::from_secs_f64;
        let (main_max, ply_max) = (Duration::MAX, Duration::MAX);
        let control = match (self.increment.map(of), self.period.map(of), self.stones, self.periods)
        {
            (None, None, None, None) => TimeControl::Absolute { main },
            (Some(increment), None, None, None) => {
                TimeControl::Fischer { main, increment, main_max, ply_max }
            }
            (None, Some(period), Some(stones @ 1..), None) => {
                TimeControl::Canadian { main, period, stones }
            }
            (None, Some(period), None, Some(periods @ 1..)) => {
                TimeControl::ByoYomi { main, period, periods }
            }
            _ => bail!("beside main= there may be increment=, or period= with stones= or periods="),
        };
        Ok(Some(Timing { sharing, control, rate }))
    }
}

/// A finite number, not below 0.
fn seconds(value: &str) -> anyhow::Result<f64> {
    let number: f64 = value.parse()?;
    ensure!((0.0..1e9).contains(&number), "{value} is not within 0 and a billion");
    Ok(number)
}

/// One side's clock in a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideClock {
    timing: Timing,
    clock: Clock,
}

impl SideClock {
    pub fn new(timing: Timing) -> SideClock {
        SideClock { timing, clock: Clock::new(timing.control) }
    }

    /// The time for the next ply.
    ///
    /// - `plies`: both sides' plies so far.
    pub fn start(&self, length: GameLength, plies: usize) -> Countdown {
        let Timing { sharing, rate, .. } = self.timing;
        let allotment = sharing.allot(&self.clock, length, plies);
        Countdown { allotment, rate, look: allotment.interval() }
    }

    /// Counts a ply of so many playouts; says whether there was time for them.
    #[must_use]
    pub fn spend(&mut self, playouts: u64) -> bool {
        let used = Duration::from_secs_f64(playouts as f64 / self.timing.rate);
        let is_in_time = used <= self.clock.left();
        self.clock.spend(used);
        is_in_time
    }

    /// Playouts that this side makes while the other makes so many.
    ///
    /// - `other`: the other's clock.
    pub fn meanwhile(&self, other: &SideClock, playouts: u64) -> u64 {
        (playouts as f64 / other.timing.rate * self.timing.rate) as u64
    }

    /// The longest that the next ply could take.
    pub fn left(&self) -> Duration {
        self.clock.left()
    }
}

/// The time of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Countdown {
    allotment: Allotment,
    rate: f64,
    /// When to look next how the search stands.
    look: Duration,
}

impl Countdown {
    /// Playouts that the search may take, at least 1: a search finds something.
    pub fn playouts_max(&self) -> u64 {
        ((self.allotment.most.as_secs_f64() * self.rate) as u64).max(1)
    }

    /// Tells whether it is time to look how the search stands.
    pub fn is_due(&self, playouts: u64) -> bool {
        self.elapsed(playouts) >= self.look
    }

    /// Looks whether the search has thought enough.
    pub fn is_enough(&mut self, playouts: u64, candidates: &[Candidate]) -> bool {
        let elapsed = self.elapsed(playouts);
        self.look = elapsed + self.allotment.interval();
        self.allotment.is_enough(&Standing { elapsed, playouts, candidates })
    }

    fn elapsed(&self, playouts: u64) -> Duration {
        Duration::from_secs_f64(playouts as f64 / self.rate)
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::{Kind, Move};
    use banyan_search::Proof;

    use super::*;

    fn timing(text: &str) -> anyhow::Result<Option<Timing>> {
        let mut words = Words::default();
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').expect("a word of this test");
            assert!(words.set(name, value)?, "{word} is about a clock");
        }
        words.timing()
    }

    #[test]
    fn words_mean_each_kind_of_clock() {
        let of = |more: &str| {
            let text = format!("clock=even main=60 rate=500 {more}");
            timing(&text).expect("a clock").expect("a clock").control
        };
        let [main, two] = [60, 2].map(Duration::from_secs);
        let (main_max, ply_max) = (Duration::MAX, Duration::MAX);
        assert_eq!(of(""), TimeControl::Absolute { main });
        let increment = two;
        let fischer = TimeControl::Fischer { main, increment, main_max, ply_max };
        assert_eq!(of("increment=2"), fischer);
        let canadian = TimeControl::Canadian { main, period: two, stones: 5 };
        assert_eq!(of("period=2 stones=5"), canadian);
        let byo_yomi = TimeControl::ByoYomi { main, period: two, periods: 3 };
        assert_eq!(of("period=2 periods=3"), byo_yomi);
        assert_eq!(timing("").expect("no clock"), None);
    }

    #[test]
    fn words_that_are_no_clock_are_refused() {
        for (text, reason) in [
            ("main=60", "a clock needs"),
            ("clock=even main=60", "a clock needs"),
            ("clock=slow", "even or adaptive"),
            ("clock=even main=-1", "is not within"),
            ("clock=even main=60 rate=0", "rate is above 0"),
            ("clock=even main=60 rate=9 period=2", "beside main="),
            ("clock=even main=60 rate=9 period=2 stones=0", "beside main="),
            ("clock=even main=60 rate=9 increment=1 periods=2", "beside main="),
        ] {
            let refused = timing(text).expect_err(text).to_string();
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }

    #[test]
    fn a_search_takes_the_playouts_of_its_time_and_the_clock_runs_by_them() {
        let timing = timing("clock=even main=60 rate=500").expect("a clock").expect("a clock");
        let mut clock = SideClock::new(timing);
        let mut countdown = clock.start(GameLength::of(Kind::Go, 81), 0);
        // 60 s / 30 plies, less 150 ms and 2 %: 1.81 s.
        assert_eq!(countdown.playouts_max(), 905);
        // A look each 90.5 ms.
        assert!(!countdown.is_due(45) && countdown.is_due(46));
        let close = [0, 1].map(|point| Candidate {
            mv: Move::point(point),
            visits: 20,
            value: 0.5,
            prior: 0.5,
            proof: Proof::Open,
        });
        assert!(!countdown.is_enough(46, &close) && !countdown.is_due(46));
        assert!(countdown.is_enough(905, &close));
        let other = SideClock { timing: Timing { rate: 250.0, ..timing }, ..clock };
        assert_eq!(clock.meanwhile(&other, 100), 200);
        assert!(clock.spend(1_000));
        assert_eq!(clock.left(), Duration::from_secs(58));
        assert!(clock.spend(29_000));
        assert!(!clock.spend(1));
    }
}
