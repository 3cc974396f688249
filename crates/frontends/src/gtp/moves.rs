//! Moves played, taken back, and asked for.

use std::time::{Duration, Instant};

use banyan_engine::Playable;
use banyan_engine::decide::{self, Decision};
use banyan_games::{Color, Move};

use super::args::Args;
use super::engine::Engine;
use super::reply::Reply;
use super::thinking::{Choice, Effort, Task, choose};
use super::thought::Thought;

/// What is dead is judged on a clock in at most one part in so many of a move's time.
const JUDGING_PARTS: u32 = 4;

pub(super) fn play<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let color = args.color(0)?;
    let mv = args.vertex(1, engine.record().position())?;
    engine.play(color, mv)?;
    Ok(String::new())
}

pub(super) fn undo<G: Playable>(engine: &mut Engine<G>, _: &Args<'_>) -> Reply {
    engine.undo(1)?;
    Ok(String::new())
}

/// `gg-undo [N]`
pub(super) fn gg_undo<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let count = match args.word(0) {
        Some(_) => args.number(0, "a number of moves")?,
        None => 1,
    };
    engine.undo(count)?;
    Ok(String::new())
}

/// Chooses a move and plays it.
pub(super) fn genmove<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    choose_and_play(engine, Task::unseen(args.color(0)?, &mut |_| {}), None)
}

/// The same for whoever looks on, among `only` these moves or all that are sensible.
pub(super) fn choose_and_play<G: Playable>(
    engine: &mut Engine<G>,
    task: Task<'_>,
    only: Option<Vec<Move>>,
) -> Reply {
    engine.check_opened()?;
    let (color, started) = (task.color, Instant::now());
    let effort = Effort::on_the_clock(engine, color);
    let choice = if engine.record().position().outcome().is_some() {
        Choice::unsearched(Move::PASS)
    } else {
        choose(engine, task, effort, only)?
    };
    answer(engine, color, choice, Spent { started, judging: Duration::ZERO })
}

/// Chooses a move and does not play it. The clocks do not matter.
pub(super) fn reg_genmove<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let color = args.color(0)?;
    if engine.record().position().outcome().is_some() {
        return Ok("pass".to_owned());
    }
    let effort = Effort::off_the_clock(engine);
    let choice = choose(engine, Task::unseen(color, &mut |_| {}), effort, None)?;
    Ok(text(engine, choice.decision))
}

/// Chooses a move and plays it; passes only when no dead enemy stone is left.
pub(super) fn genmove_cleanup<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let color = args.color(0)?;
    let started = Instant::now();
    let effort = Effort::on_the_clock(engine, color);
    // On a clock both are thought within the time of one move.
    let dead = match effort.usual() {
        Some(usual) => engine.judge_within(usual / JUDGING_PARTS).dead,
        None => engine.judge().dead.clone(),
    };
    let judged = started.elapsed();
    let before = engine.record().clone();
    if before.position().outcome().is_some() {
        // The sides passed and disagree: the search goes on from before the last pass.
        engine.session.record_mut().undo();
    }
    let only = decide::cleaning_moves(engine.record(), color, &dead);
    let choice = match only {
        None => Ok(Choice::unsearched(Move::PASS)),
        Some(only) => {
            let effort = if effort.usual().is_some() { effort.without(judged) } else { effort };
            choose(engine, Task::unseen(color, &mut |_| {}), effort, Some(only))
        }
    };
    *engine.session.record_mut() = before;
    answer(engine, color, choice?, Spent { started, judging: judged })
}

/// Time that a move took.
struct Spent {
    started: Instant,
    /// What of it went into judging the position, before the search.
    judging: Duration,
}

/// Plays what was decided and names it.
fn answer<G: Playable>(
    engine: &mut Engine<G>,
    color: Color,
    choice: Choice,
    spent: Spent,
) -> Reply {
    let text = text(engine, choice.decision);
    if let Some(report) = &choice.report {
        let usual = choice.effort.and_then(|effort| effort.usual());
        let foresight = engine.session.foresight();
        let thought = Thought::new(engine.record().position(), (color, &text), report, foresight);
        thought.tell(usual, engine.options.json);
    }
    match choice.decision {
        Decision::Play(mv) => {
            engine.play(color, mv)?;
            // A turn of Connect6 may have another stone.
            match engine.record().position().side_to_move() == color {
                true => engine.expect_no_reply(),
                false => engine.expect_reply(),
            }
        }
        Decision::Resign => engine.expect_no_reply(),
    }
    let used = spent.started.elapsed();
    engine.clocks.spend(color, used);
    if let Some(report) = &choice.report {
        engine.clocks.note_lag(color, used.saturating_sub(spent.judging + report.elapsed));
    }
    Ok(text)
}

fn text<G: Playable>(engine: &Engine<G>, decision: Decision) -> String {
    match decision {
        Decision::Play(mv) => engine.record().position().move_text(mv),
        Decision::Resign => "resign".to_owned(),
    }
}
