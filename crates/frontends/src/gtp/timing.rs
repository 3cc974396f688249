//! The ways in which controllers set the clocks.

use std::time::Duration;

use banyan_engine::Playable;
use banyan_search::time::TimeControl;

use super::args::Args;
use super::engine::Engine;
use super::reply::{Fault, Reply};

/// `time_settings MAIN PERIOD STONES`, in seconds.
///
/// A period without stones means no limit, and so do three zeros, which some controllers send when
/// nobody chose a time.
pub(super) fn time_settings<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
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
pub(super) fn kgs_time_settings<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    engine
        .clocks
        .set(control(args, "none, absolute M, byoyomi M T PERIODS or canadian M T STONES")?);
    Ok(String::new())
}

/// The same and `fischer M INCREMENT`, `fischer-capped M INCREMENT MAIN_MAX PLY_MAX`, where a cap of 0 or
/// less is none.
pub(super) fn kata_time_settings<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
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

pub(super) fn kata_list_time_settings<G: Playable>(_: &mut Engine<G>, _: &Args<'_>) -> Reply {
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
pub(super) fn time_left<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    const EXPECTED: &str = "a color, the time left and the stones left";
    let color = args.color(0)?;
    let left = args.seconds(1, EXPECTED)?;
    let count = args.number(2, EXPECTED)?;
    engine.clocks.left(color, left, count);
    Ok(String::new())
}
