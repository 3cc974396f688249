//! The clocks of both sides, and the ways in which controllers set them.

use std::time::Duration;

use banyan_games::{Color, Game};
use banyan_search::time::{Allotment, Clock, TimeControl};

use super::Sharing;
use super::args::Args;
use super::engine::Engine;
use super::reply::{Answer, Fault};

/// Both sides' clocks; none where nothing limits the game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clocks {
    control: Option<TimeControl>,
    /// Indexed by [`Color::index`].
    clocks: [Option<Clock>; 2],
}

impl Clocks {
    /// A new game is timed like this.
    fn set(&mut self, control: Option<TimeControl>) {
        self.control = control;
        self.restart();
    }

    /// A new game, timed like the last.
    pub fn restart(&mut self) {
        self.clocks = [self.control.map(Clock::new); 2];
    }

    /// Takes over what the controller says is left of a side's time. One that never said how the
    /// game is timed is taken at its word: stones mean a period to play them in.
    fn left(&mut self, color: Color, left: Duration, count: u32) {
        let assumed = match count {
            0 => TimeControl::Absolute { main: left },
            stones => TimeControl::Canadian { main: Duration::ZERO, period: left, stones },
        };
        let clock = self.clocks[color.index()].get_or_insert_with(|| Clock::new(assumed));
        clock.set(left, count);
    }

    /// Counts a ply of `color` that took `used`.
    pub fn spend(&mut self, color: Color, used: Duration) {
        if let Some(clock) = &mut self.clocks[color.index()] {
            clock.spend(used);
        }
    }

    /// Notes what a reply of `color` took beyond the thinking.
    pub fn note_lag(&mut self, color: Color, lag: Duration) {
        if let Some(clock) = &mut self.clocks[color.index()] {
            clock.note_lag(lag);
        }
    }

    /// The time for the next ply of `color`; nothing where no clock runs.
    ///
    /// - `game`: points of the board, and plies so far.
    pub fn allot(&self, color: Color, sharing: Sharing, game: (usize, usize)) -> Option<Allotment> {
        self.clocks[color.index()].map(|clock| sharing.allot(&clock, game))
    }

    /// Whether any clock runs.
    pub fn are_running(&self) -> bool {
        self.clocks.iter().any(Option::is_some)
    }

    /// The longest that the next ply of `color` may take; nothing where no clock runs.
    pub fn longest(&self, color: Color) -> Option<Duration> {
        self.clocks[color.index()].map(|clock| clock.left())
    }
}

/// `time_settings MAIN PERIOD STONES`, in seconds.
///
/// A period without stones means no limit, and so do three zeros, which some controllers send when
/// nobody chose a time.
pub(super) fn time_settings<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    const EXPECTED: &str = "main time, byo-yomi time and byo-yomi stones";
    let main = args.seconds(0, EXPECTED)?;
    let period = args.seconds(1, EXPECTED)?;
    let stones: u32 = args.number(2, EXPECTED)?;
    engine.clocks.set(match (period.is_zero(), stones) {
        (true, _) if main.is_zero() => None,
        (true, _) => Some(TimeControl::Absolute { main }),
        (false, 0) => None,
        (false, stones) => Some(TimeControl::Canadian { main, period, stones }),
    });
    Ok(String::new())
}

/// `kgs-time_settings none | absolute M | byoyomi M T PERIODS | canadian M T STONES`.
pub(super) fn kgs_time_settings<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    engine
        .clocks
        .set(control(args, "none, absolute M, byoyomi M T PERIODS or canadian M T STONES")?);
    Ok(String::new())
}

/// The same and `fischer M INCREMENT`, `fischer-capped M INCREMENT MAIN_MAX PLY_MAX`, where a cap of 0 or
/// less is none.
pub(super) fn kata_time_settings<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    const EXPECTED: &str = "none, absolute M, byoyomi M T PERIODS, canadian M T STONES, \
                            fischer M INCREMENT or fischer-capped M INCREMENT MAIN_MAX PLY_MAX";
    let cap = |at| match args.seconds(at, EXPECTED) {
        Ok(Duration::ZERO) => Ok(Duration::MAX),
        other => other,
    };
    let (main_max, ply_max) = match args.word(0) {
        Some("fischer") => (Duration::MAX, Duration::MAX),
        Some("fischer-capped") => (cap(3)?, cap(4)?),
        _ => {
            engine.clocks.set(control(args, EXPECTED)?);
            return Ok(String::new());
        }
    };
    let (main, increment) = (args.seconds(1, EXPECTED)?, args.seconds(2, EXPECTED)?);
    engine.clocks.set(Some(TimeControl::Fischer { main, increment, main_max, ply_max }));
    Ok(String::new())
}

pub(super) fn kata_list_time_settings<G: Game>(_: &mut Engine<G>, _: &Args<'_>) -> Answer {
    Ok("none absolute byoyomi canadian fischer fischer-capped".to_owned())
}

fn control(args: &Args<'_>, expected: &'static str) -> Result<Option<TimeControl>, Fault> {
    let main = || args.seconds(1, expected);
    let period = || args.seconds(2, expected);
    let count = || args.number::<u32>(3, expected).map(|count| count.max(1));
    Ok(match args.word(0) {
        Some("none") => None,
        Some("absolute") => Some(TimeControl::Absolute { main: main()? }),
        Some("byoyomi") => {
            Some(TimeControl::ByoYomi { main: main()?, period: period()?, periods: count()? })
        }
        Some("canadian") => {
            Some(TimeControl::Canadian { main: main()?, period: period()?, stones: count()? })
        }
        _ => return Err(Fault::Syntax(expected)),
    })
}

/// `time_left COLOR TIME STONES`.
pub(super) fn time_left<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    const EXPECTED: &str = "a color, the time left and the stones left";
    let color = args.color(0)?;
    let left = args.seconds(1, EXPECTED)?;
    let count = args.number(2, EXPECTED)?;
    engine.clocks.left(color, left, count);
    Ok(String::new())
}
