//! Moves played, taken back, and chosen.

use std::sync::atomic::Ordering;
use std::time::Instant;

use banyan_games::{Color, Game, Move};

use super::args::Args;
use super::engine::{Engine, make_turn_of};
use super::reply::{Answer, Fault};
use crate::decide::{self, Decision};
use crate::grower::Report;
use crate::session::Limits;

pub(super) fn play<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let mv = args.vertex(1, engine.record().position())?;
    engine.play(color, mv)?;
    Ok(String::new())
}

pub(super) fn undo<G: Game>(engine: &mut Engine<G>, _: &Args<'_>) -> Answer {
    engine.undo(1)?;
    Ok(String::new())
}

/// `gg-undo [N]`
pub(super) fn gg_undo<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    let count = match args.word(0) {
        Some(_) => args.number(0, "a number of moves")?,
        None => 1,
    };
    engine.undo(count)?;
    Ok(String::new())
}

/// Chooses a move and plays it.
pub(super) fn genmove<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let started = Instant::now();
    let decision = if engine.record().position().outcome().is_some() {
        Decision::Play(Move::PASS)
    } else {
        let limits = limits(engine, color);
        choose(engine, color, limits, None)?
    };
    answer(engine, color, decision, started)
}

/// Chooses a move and does not play it. The clocks do not matter.
pub(super) fn reg_genmove<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    if engine.record().position().outcome().is_some() {
        return Ok("pass".to_owned());
    }
    let limits = engine.session.limits();
    let decision = choose(engine, color, limits, None)?;
    Ok(text(engine, decision))
}

/// Chooses a move and plays it; passes only when no dead enemy stone is left.
pub(super) fn genmove_cleanup<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let started = Instant::now();
    let limits = limits(engine, color);
    let dead = engine.judge().dead.clone();
    let before = engine.record().clone();
    if before.position().outcome().is_some() {
        // The sides passed and disagree: the search goes on from before the last pass.
        engine.session.record_mut().undo();
    }
    let only = decide::cleaning_moves(engine.record(), color, &dead);
    let decision = match only {
        None => Ok(Decision::Play(Move::PASS)),
        Some(only) => choose(engine, color, limits, Some(only)),
    };
    *engine.session.record_mut() = before;
    answer(engine, color, decision?, started)
}

/// Plays what was decided and names it.
fn answer<G: Game>(
    engine: &mut Engine<G>,
    color: Color,
    decision: Decision,
    started: Instant,
) -> Answer {
    let text = text(engine, decision);
    if let Decision::Play(mv) = decision {
        engine.play(color, mv)?;
    }
    engine.clocks.spend(color, started.elapsed());
    Ok(text)
}

fn text<G: Game>(engine: &Engine<G>, decision: Decision) -> String {
    match decision {
        Decision::Play(mv) => engine.record().position().move_text(mv),
        Decision::Resign => "resign".to_owned(),
    }
}

/// With a clock, the clock and what was asked for in so many words; without, what is configured.
fn limits<G: Game>(engine: &Engine<G>, color: Color) -> Limits {
    let record = engine.record();
    let (area, plies) = (record.position().size().area(), record.plies().len());
    let Some(budget) = engine.clocks.budget(color, area, plies) else {
        return engine.session.limits();
    };
    let Limits { time, playouts } = engine.options.explicit;
    Limits { time: Some(time.map_or(budget, |time| time.min(budget))), playouts }
}

/// Searches the position with `color` to move, among `only` these moves or all that are sensible.
fn choose<G: Game>(
    engine: &mut Engine<G>,
    color: Color,
    limits: Limits,
    only: Option<Vec<Move>>,
) -> Result<Decision, Fault> {
    let before = engine.record().clone();
    make_turn_of(color, engine.session.record_mut());
    let side = engine.record().position().clone().set_side_to_move(color);
    let decision = side.map(|()| {
        let allowed = only.unwrap_or_else(|| decide::moves_to_search(engine.record(), color));
        if let &[mv] = allowed.as_slice() {
            return Decision::Play(mv);
        }
        let report = think(engine, color, limits, allowed.clone());
        let resign = decide::resign_below::<G>(engine.options.resign);
        decide::decide(engine.record(), color, &report, &allowed, resign)
    });
    *engine.session.record_mut() = before;
    Ok(decision?)
}

/// Thinks until the limits, a request to stop, or until the controller leaves.
///
/// A `quit` that stands behind the command from the beginning is a script's, which wants its answer.
fn think<G: Game>(
    engine: &mut Engine<G>,
    color: Color,
    limits: Limits,
    allowed: Vec<Move>,
) -> Report {
    let stop = engine.session.stop_flag();
    let mut watch = engine.calls.watch(engine.line);
    engine.session.think(color, limits, allowed, &mut |_| {
        if watch.wants_stop() {
            stop.store(true, Ordering::Relaxed);
        }
    })
}
