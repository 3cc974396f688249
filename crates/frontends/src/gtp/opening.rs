//! Openings of Gomoku in which sides are swapped: what is decided, by either side.
//!
//! What may be decided when is in [`crate::opening`], how an engine decides in its `choice`.

use std::time::Instant;

use banyan_engine::{Playable, Report};
use banyan_games::{Move, Record};

use super::args::Args;
use super::engine::Engine;
use super::reply::{Fault, Reply};
use super::thinking::{Effort, Task, think};
use crate::opening::choice::{self, Opinion, Thinker};
use crate::opening::{Decision, Rule, Step};

/// `banyan-opening [RULE]`: a new game opened by that rule; answers whose step it is, and which.
pub(super) fn opening<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    if let Some(word) = args.word(0) {
        const EXPECTED: &str = "none, swap, swap2 or two-fifths";
        let rule: Rule = word.parse().map_err(|_| Fault::Syntax(EXPECTED))?;
        engine.open_by(rule);
    }
    Ok(engine.opening().status(engine.record().plies().len()).to_owned())
}

/// `banyan-opening_play DECISION`: what the other side has decided; answers as [`opening`] does.
pub(super) fn play<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let decision = Decision::parse(args.rest(), engine.record().position())?;
    engine.decide(decision)?;
    opening(engine, &Args::new(""))
}

/// `banyan-opening_genmove`: decides for the side whose step it is, and says what.
pub(super) fn genmove<G: Playable>(engine: &mut Engine<G>, _: &Args<'_>) -> Reply {
    let (opening, record, started) = (*engine.opening(), engine.record().clone(), Instant::now());
    let side = record.position().side_to_move();
    let effort = Effort::on_the_clock(engine, side);
    let decision = choice::choose(&opening, &record, &mut Judge { engine, effort });
    let why_none = || match engine.step() {
        Step::Lay => Fault::NoOpening(record.position().size()),
        step => Fault::NoDecision(step.wanted(record.position())),
    };
    let decision = decision.ok_or_else(why_none)?;
    engine.decide(decision)?;
    engine.clocks.spend(side, started.elapsed());
    Ok(decision.text(record.position()))
}

/// The engine, as it thinks about positions that may come.
struct Judge<'a, G: Playable> {
    engine: &'a mut Engine<G>,
    /// Effort of the whole decision.
    effort: Effort,
}

impl<G: Playable> Thinker<G> for Judge<'_, G> {
    fn think(&mut self, record: &Record<G>, among: Vec<Move>, parts: u32) -> Opinion {
        let side = record.position().side_to_move();
        let any = among.first().copied();
        let before = std::mem::replace(self.engine.session.record_mut(), record.clone());
        let mut nobody = |_: &Report| {};
        let task = Task::unseen(side, &mut nobody);
        let (report, _) = think(self.engine, task, self.effort.part(parts), among);
        *self.engine.session.record_mut() = before;
        let best = report.candidates.first();
        let best = best.map(|best| Opinion { mv: best.mv, value: best.value });
        best.unwrap_or_else(|| Opinion {
            mv: any.or_else(|| record.candidates().first().copied()).unwrap_or(Move::PASS),
            value: 0.5,
        })
    }
}
