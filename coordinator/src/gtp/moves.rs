//! Moves played, taken back, and chosen.

use std::time::{Duration, Instant};

use banyan_games::{Color, Game, Move};
use banyan_search::time::{Allotment, Standing};

use super::args::Args;
use super::engine::{Engine, make_turn_of};
use super::input::Listener;
use super::reply::{Answer, Fault};
use super::thought::Thought;
use crate::decide::{self, Decision};
use crate::grower::Report;
use crate::session::{Limits, Question, Watch};

/// How often a search without a clock reports.
const INTERVAL_MAX: Duration = Duration::from_millis(100);

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

/// A move to be chosen, and who looks on.
pub(super) struct Task<'a> {
    pub color: Color,
    /// Of so many candidates the line is wanted.
    pub lines: usize,
    /// How often a report is wanted, at most [`INTERVAL_MAX`].
    pub interval: Duration,
    pub see: &'a mut dyn FnMut(&Report),
}

impl<'a> Task<'a> {
    /// Nobody looks on.
    pub fn unseen(color: Color, see: &'a mut dyn FnMut(&Report)) -> Task<'a> {
        Task { color, lines: 0, interval: INTERVAL_MAX, see }
    }
}

/// Chooses a move and plays it.
pub(super) fn genmove<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    choose_and_play(engine, Task::unseen(args.color(0)?, &mut |_| {}))
}

/// The same for whoever looks on.
pub(super) fn choose_and_play<G: Game>(engine: &mut Engine<G>, task: Task<'_>) -> Answer {
    engine.check_opened()?;
    let (color, started) = (task.color, Instant::now());
    let effort = Effort::on_the_clock(engine, color);
    let choice = if engine.record().position().outcome().is_some() {
        Choice::unsearched(Move::PASS)
    } else {
        choose(engine, task, effort, None)?
    };
    answer(engine, color, choice, started)
}

/// Chooses a move and does not play it. The clocks do not matter.
pub(super) fn reg_genmove<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    if engine.record().position().outcome().is_some() {
        return Ok("pass".to_owned());
    }
    let effort = Effort { limits: engine.session.limits(), allotment: None };
    let choice = choose(engine, Task::unseen(color, &mut |_| {}), effort, None)?;
    Ok(text(engine, choice.decision))
}

/// Chooses a move and plays it; passes only when no dead enemy stone is left.
pub(super) fn genmove_cleanup<G: Game>(engine: &mut Engine<G>, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let started = Instant::now();
    let effort = Effort::on_the_clock(engine, color);
    let dead = engine.judge().dead.clone();
    let before = engine.record().clone();
    if before.position().outcome().is_some() {
        // The sides passed and disagree: the search goes on from before the last pass.
        engine.session.record_mut().undo();
    }
    let only = decide::cleaning_moves(engine.record(), color, &dead);
    let choice = match only {
        None => Ok(Choice::unsearched(Move::PASS)),
        Some(only) => choose(engine, Task::unseen(color, &mut |_| {}), effort, Some(only)),
    };
    *engine.session.record_mut() = before;
    answer(engine, color, choice?, started)
}

/// A decision, and the search behind it where there was one.
struct Choice {
    decision: Decision,
    report: Option<Report>,
    effort: Option<Effort>,
}

impl Choice {
    fn unsearched(mv: Move) -> Choice {
        Choice { decision: Decision::Play(mv), report: None, effort: None }
    }
}

/// Plays what was decided and names it.
fn answer<G: Game>(
    engine: &mut Engine<G>,
    color: Color,
    choice: Choice,
    started: Instant,
) -> Answer {
    let text = text(engine, choice.decision);
    if let Some(report) = &choice.report {
        let usual = choice.effort.and_then(|effort| effort.allotment).map(|it| it.usual);
        let foresight = engine.session.foresight();
        let thought = Thought::new(engine.record().position(), &text, report, foresight);
        thought.tell(usual, engine.options.json);
    }
    if let Decision::Play(mv) = choice.decision {
        engine.play(color, mv)?;
        engine.expect_reply();
    }
    let used = started.elapsed();
    engine.clocks.spend(color, used);
    if let Some(report) = &choice.report {
        engine.clocks.note_lag(color, used.saturating_sub(report.elapsed));
    }
    Ok(text)
}

fn text<G: Game>(engine: &Engine<G>, decision: Decision) -> String {
    match decision {
        Decision::Play(mv) => engine.record().position().move_text(mv),
        Decision::Resign => "resign".to_owned(),
    }
}

/// How long and how hard to think.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    limits: Limits,
    /// Where a clock runs.
    allotment: Option<Allotment>,
}

impl Effort {
    /// With a clock, the clock and what was asked for in so many words; without, what is configured.
    pub fn on_the_clock<G: Game>(engine: &Engine<G>, color: Color) -> Effort {
        let record = engine.record();
        let (area, plies) = (record.position().size().area(), record.plies().len());
        let sharing = engine.options.sharing;
        let Some(allotment) = engine.clocks.allot(color, sharing, (area, plies)) else {
            return Effort { limits: engine.session.limits(), allotment: None };
        };
        let Limits { time, playouts } = engine.options.explicit;
        let most = time.map_or(allotment.most, |time| time.min(allotment.most));
        Effort { limits: Limits { time: Some(most), playouts }, allotment: Some(allotment) }
    }

    /// One of so many parts of it, in which a search ends at the usual time.
    pub fn part(&self, parts: u32) -> Effort {
        let Limits { time, playouts } = self.limits;
        let usual = self.allotment.map(|allotment| allotment.usual);
        let time = [time, usual].into_iter().flatten().min();
        let limits = Limits {
            time: time.map(|time| time / parts),
            playouts: playouts.map(|playouts| (playouts / u64::from(parts)).max(1)),
        };
        Effort { limits, allotment: None }
    }

    fn interval(&self) -> Duration {
        self.allotment.map_or(INTERVAL_MAX, |allotment| allotment.interval())
    }
}

/// Searches the position for the side that is asked for, among `only` these moves or all that are
/// sensible.
fn choose<G: Game>(
    engine: &mut Engine<G>,
    task: Task<'_>,
    effort: Effort,
    only: Option<Vec<Move>>,
) -> Result<Choice, Fault> {
    let color = task.color;
    let before = engine.record().clone();
    make_turn_of(color, engine.session.record_mut());
    let side = engine.record().position().clone().set_side_to_move(color);
    let choice = side.map(|()| {
        let allowed = only.unwrap_or_else(|| decide::moves_to_search(engine.record(), color));
        if let &[mv] = allowed.as_slice() {
            return Choice::unsearched(mv);
        }
        let (report, is_lent) = think(engine, task, effort, allowed.clone());
        // A value under another komi is no reason to give up.
        let resign = if is_lent { 0.0 } else { decide::resign_below::<G>(engine.options.resign) };
        let decision = decide::decide(engine.record(), color, &report, &allowed, resign);
        Choice { decision, report: Some(report), effort: Some(effort) }
    });
    *engine.session.record_mut() = before;
    Ok(choice?)
}

/// Thinks until enough is thought, the limits, a request to stop, or until the controller leaves; says
/// as well whether it was under another komi than the game's.
///
/// A `quit` that stands behind the command from the beginning is a script's, which wants its answer.
pub(super) fn think<G: Game>(
    engine: &mut Engine<G>,
    task: Task<'_>,
    effort: Effort,
    allowed: Vec<Move>,
) -> (Report, bool) {
    let question = Question {
        allowed,
        lines: task.lines,
        interval: task.interval.min(effort.interval()),
        ..Question::new(task.color, effort.limits)
    };
    let mut thinking = Thinking {
        listener: engine.calls.listen(engine.line),
        allotment: effort.allotment,
        is_enough: false,
        see: task.see,
    };
    engine.as_searched(|session, is_lent| (session.answer(question, &mut thinking), is_lent))
}

/// A search for a move that is waited for.
struct Thinking<'a> {
    listener: Listener,
    allotment: Option<Allotment>,
    is_enough: bool,
    see: &'a mut dyn FnMut(&Report),
}

impl Watch for Thinking<'_> {
    fn see(&mut self, report: &Report) {
        (self.see)(report);
        let standing = Standing {
            elapsed: report.elapsed,
            playouts: report.sums.playouts,
            candidates: &report.candidates,
        };
        self.is_enough = self.allotment.is_some_and(|allotment| allotment.is_enough(&standing));
    }

    fn wants_stop(&mut self) -> bool {
        self.is_enough || self.listener.wants_stop()
    }
}
