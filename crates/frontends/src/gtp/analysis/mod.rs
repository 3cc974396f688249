//! Analysis: how the candidates stand, said again and again while the search goes on.
//!
//! Reading order: `asked` (what the command's words mean), `text` (a report as one line), then the two
//! kinds of commands below.

mod asked;

mod text;

use std::time::{Duration, Instant};

use banyan_engine::decide;
use banyan_engine::question::WATCH_INTERVAL;
use banyan_engine::{Limits, Playable, Question, Report, Watch};
use banyan_games::{Move, Record};

use crate::gtp::args::Args;
use crate::gtp::engine::{Engine, make_turn_of};
use crate::gtp::input::Listener;
use crate::gtp::moves;
use crate::gtp::reply::{Fault, Feed, Reply};
use crate::gtp::thinking::Task;
use asked::{Asked, Dialect};

pub(super) fn lz_analyze<G: Playable>(
    engine: &mut Engine<G>,
    args: &Args<'_>,
    feed: &mut Feed<'_>,
) -> Reply {
    analyze(engine, &Asked::read(engine.record(), args, Dialect::LeelaZero)?, feed)
}

pub(super) fn kata_analyze<G: Playable>(
    engine: &mut Engine<G>,
    args: &Args<'_>,
    feed: &mut Feed<'_>,
) -> Reply {
    analyze(engine, &Asked::read(engine.record(), args, Dialect::KataGo)?, feed)
}

pub(super) fn lz_genmove_analyze<G: Playable>(
    engine: &mut Engine<G>,
    args: &Args<'_>,
    feed: &mut Feed<'_>,
) -> Reply {
    genmove_analyze(engine, &Asked::read(engine.record(), args, Dialect::LeelaZero)?, feed)
}

pub(super) fn kata_genmove_analyze<G: Playable>(
    engine: &mut Engine<G>,
    args: &Args<'_>,
    feed: &mut Feed<'_>,
) -> Reply {
    genmove_analyze(engine, &Asked::read(engine.record(), args, Dialect::KataGo)?, feed)
}

/// Analyzes the position until anything is said; then an empty line ends the answer.
///
/// The tree's memory bounds it, and not the limits for a move. A search that ends by itself, since
/// the position is solved, is told of all the same until then.
fn analyze<G: Playable>(engine: &mut Engine<G>, asked: &Asked, feed: &mut Feed<'_>) -> Reply {
    let before = engine.record().clone();
    make_turn_of(asked.color, engine.session.record_mut());
    let searched = searched_moves(engine, asked).map(|allowed| {
        let position = asked.position(engine.record());
        let mut analysis = Analysis {
            listener: engine.calls.listen(engine.line),
            printer: Printer::new(feed, position, asked),
        };
        let report = match allowed.is_empty() {
            true => Report::default(),
            false => engine.session.answer(question(asked, allowed), &mut analysis),
        };
        analysis.go_on_with(report, || engine.is_stopping());
    });
    *engine.session.record_mut() = before;
    searched.map(|()| String::new())
}

fn question(asked: &Asked, allowed: Vec<Move>) -> Question {
    Question {
        allowed,
        lines: asked.lines(),
        is_analysis: true,
        interval: asked.interval,
        ..Question::new(asked.color, Limits::default())
    }
}

/// The moves to analyze; none when the game is over.
fn searched_moves<G: Playable>(engine: &Engine<G>, asked: &Asked) -> Result<Vec<Move>, Fault> {
    let record = engine.record();
    record.position().clone().set_side_to_move(asked.color)?;
    if record.position().outcome().is_some() {
        return Ok(Vec::new());
    }
    let mut moves = decide::moves_to_search(record, asked.color);
    moves.retain(|&mv| asked.allows(mv));
    if moves.is_empty() { Err(Fault::NoMove) } else { Ok(moves) }
}

/// Chooses a move of those that are asked for and plays it, telling meanwhile how the candidates stand: by whatever
/// `genmove` plays by.
fn genmove_analyze<G: Playable>(
    engine: &mut Engine<G>,
    asked: &Asked,
    feed: &mut Feed<'_>,
) -> Reply {
    engine.check_opened()?;
    engine.check_room()?;
    let mut record = engine.record().clone();
    make_turn_of(asked.color, &mut record);
    record.position().clone().set_side_to_move(asked.color)?;
    let only = playable_moves(&record, asked)?;
    let mut printer = Printer::new(feed, asked.position(&record), asked);
    let task = Task {
        color: asked.color,
        lines: asked.lines(),
        interval: asked.interval,
        see: &mut |report| printer.show(report),
    };
    Ok(format!("play {}", moves::choose_and_play(engine, task, only)?))
}

/// The moves to choose among where some are left out; nothing where all may be played, or the game is over.
fn playable_moves<G: Playable>(
    record: &Record<G>,
    asked: &Asked,
) -> Result<Option<Vec<Move>>, Fault> {
    if record.position().outcome().is_some() {
        return Ok(None);
    }
    let all = decide::moves_to_play(record, asked.color);
    let moves: Vec<Move> = all.iter().copied().filter(|&mv| asked.allows(mv)).collect();
    match moves.len() {
        0 => Err(Fault::NoMove),
        count => Ok(Some(moves).filter(|_| count < all.len())),
    }
}

/// Writes a line for a report, as often as was asked for.
struct Printer<'a, 'f, G> {
    feed: &'a mut Feed<'f>,
    position: G,
    asked: &'a Asked,
    /// When the next line may be written, on the search's clock.
    due: Duration,
}

impl<'a, 'f, G: Playable> Printer<'a, 'f, G> {
    fn new(feed: &'a mut Feed<'f>, position: G, asked: &'a Asked) -> Self {
        feed.open();
        Printer { feed, position, asked, due: asked.interval }
    }

    fn show(&mut self, report: &Report) {
        if report.elapsed < self.due {
            return;
        }
        self.due = report.elapsed + self.asked.interval;
        let line = text::line(&self.position, report, self.asked);
        if !line.is_empty() {
            self.feed.line(&line);
        }
    }
}

/// A search that goes on until anything is said.
struct Analysis<'a, 'f, G> {
    listener: Listener,
    printer: Printer<'a, 'f, G>,
}

impl<G: Playable> Watch for Analysis<'_, '_, G> {
    fn see(&mut self, report: &Report) {
        self.printer.show(report);
    }

    fn wants_stop(&mut self) -> bool {
        self.listener.is_spoken_to() || self.printer.feed.is_broken()
    }
}

impl<G: Playable> Analysis<'_, '_, G> {
    /// Says the same until anything is said.
    fn go_on_with(&mut self, mut report: Report, is_stopping: impl Fn() -> bool) {
        let began = Instant::now();
        let searched = report.elapsed;
        while !self.wants_stop() && !is_stopping() {
            report.elapsed = searched + began.elapsed();
            self.printer.show(&report);
            std::thread::sleep(WATCH_INTERVAL);
        }
    }
}
