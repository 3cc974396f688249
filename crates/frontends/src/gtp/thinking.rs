//! Choice of a move: how long it may be thought about, and the search for it.

use std::time::Duration;

use banyan_engine::decide::{self, Decision};
use banyan_engine::{Limits, Playable, Question, Report, Watch};
use banyan_games::{Color, Move};
use banyan_search::time::{Allotment, GameLength, Standing};

use super::engine::{Engine, make_turn_of};
use super::input::Listener;
use super::reply::Fault;

/// Time between two reports of a search without a clock.
const INTERVAL_MAX: Duration = Duration::from_millis(100);

/// A search has at least so long, whatever went before it.
const TIME_MIN: Duration = Duration::from_millis(1);

/// A move to be chosen, and who looks on.
pub(super) struct Task<'a> {
    pub color: Color,
    /// Candidates of which the line is wanted, count.
    pub lines: usize,
    /// Time wanted between two reports, at most [`INTERVAL_MAX`].
    pub interval: Duration,
    pub see: &'a mut dyn FnMut(&Report),
}

impl<'a> Task<'a> {
    /// Nobody looks on.
    pub fn unseen(color: Color, see: &'a mut dyn FnMut(&Report)) -> Task<'a> {
        Task { color, lines: 0, interval: INTERVAL_MAX, see }
    }
}

/// A decision, and the search behind it where there was one.
pub(super) struct Choice {
    pub decision: Decision,
    pub report: Option<Report>,
    /// The effort that the search was allowed.
    pub effort: Option<Effort>,
}

impl Choice {
    pub fn unsearched(mv: Move) -> Choice {
        Choice { decision: Decision::Play(mv), report: None, effort: None }
    }

    fn by_book(report: Report, effort: Effort) -> Choice {
        let mv = report.candidates.first().map_or(Move::PASS, |best| best.mv);
        Choice { decision: Decision::Play(mv), report: Some(report), effort: Some(effort) }
    }
}

/// Limits on how long and how hard to think.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    limits: Limits,
    /// Time allotted, where a clock runs.
    allotment: Option<Allotment>,
}

impl Effort {
    /// With a clock, the clock and what was asked for in so many words; without, what is configured.
    pub fn on_the_clock<G: Playable>(engine: &Engine<G>, color: Color) -> Effort {
        let record = engine.record();
        let length = GameLength::of(G::KIND, record.position().size().area());
        let plies = record.plies_from_start();
        let sharing = engine.options.sharing;
        let Some(allotment) = engine.clocks.allot(color, sharing, length, plies) else {
            return Effort::off_the_clock(engine);
        };
        let explicit = engine.options.explicit;
        let most = explicit.time.map_or(allotment.most, |time| time.min(allotment.most));
        Effort { limits: Limits { time: Some(most), ..explicit }, allotment: Some(allotment) }
    }

    /// The configured effort, whatever the clocks say.
    pub fn off_the_clock<G: Playable>(engine: &Engine<G>) -> Effort {
        Effort { limits: engine.session.limits(), allotment: None }
    }

    /// The time that is meant for the move, where a clock runs.
    pub fn usual(&self) -> Option<Duration> {
        self.allotment.map(|allotment| allotment.usual)
    }

    /// One of so many parts of it, in which a search ends at the usual time.
    pub fn part(&self, parts: u32) -> Effort {
        let Limits { time, playouts, .. } = self.limits;
        let time = [time, self.usual()].into_iter().flatten().min();
        let limits = Limits {
            time: time.map(|time| time / parts),
            playouts: playouts.map(|playouts| (playouts / u64::from(parts)).max(1)),
            ..self.limits
        };
        Effort { limits, allotment: None }
    }

    /// What is left of it when so much of the time is gone.
    pub fn without(&self, gone: Duration) -> Effort {
        let less = |time: Duration| time.saturating_sub(gone).max(TIME_MIN);
        let allotment = self.allotment.map(|Allotment { usual, most, saves }| Allotment {
            usual: less(usual),
            most: less(most),
            saves,
        });
        let limits = Limits { time: self.limits.time.map(less), ..self.limits };
        Effort { limits, allotment }
    }

    fn interval(&self) -> Duration {
        self.allotment.map_or(INTERVAL_MAX, |allotment| allotment.interval())
    }
}

/// Searches the position for the side that is asked for, among `only` these moves or all that are
/// sensible. Gives up only where it could choose among all.
pub(super) fn choose<G: Playable>(
    engine: &mut Engine<G>,
    task: Task<'_>,
    effort: Effort,
    only: Option<Vec<Move>>,
) -> Result<Choice, Fault> {
    let color = task.color;
    let before = engine.record().clone();
    make_turn_of(color, engine.session.record_mut());
    let side = engine.record().position().clone().set_side_to_move(color);
    let is_narrowed = only.is_some();
    let choice = side.map(|()| {
        let allowed = only.unwrap_or_else(|| decide::moves_to_play(engine.record(), color));
        if let &[mv] = allowed.as_slice() {
            return Choice::unsearched(mv);
        }
        if let Some(report) = engine.session.book_move(color, effort.limits, &allowed) {
            return Choice::by_book(report, effort);
        }
        let (report, is_lent) = think(engine, task, effort, allowed.clone());
        // A value under another komi, or of moves that others chose, is no reason to give up.
        let resign = match is_lent || is_narrowed {
            true => 0.0,
            false => decide::resign_below::<G>(engine.options.resign),
        };
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
pub(super) fn think<G: Playable>(
    engine: &mut Engine<G>,
    task: Task<'_>,
    effort: Effort,
    allowed: Vec<Move>,
) -> (Report, bool) {
    let question = Question {
        allowed,
        lines: task.lines,
        interval: task.interval.min(effort.interval()),
        saves_time: effort.allotment.is_some_and(|allotment| allotment.saves),
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

    fn has_enough(&self) -> bool {
        self.is_enough
    }

    fn wants_stop(&mut self) -> bool {
        self.listener.wants_stop()
    }
}
