//! `banyan bench --playouts-only` with an evaluator: one thread, no tree, no cluster: positions of a game
//! of chance, judged as a worker has them judged, one by one and several at a time.

use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use banyan_engine::Playable;
use banyan_games::Record;
use banyan_knowledge::{Evaluator, Query};
use serde::Serialize;

use crate::config::SearchConfig;
use crate::position::by_chance;

/// Positions between two looks at the clock; but for the first plies of games others each time, as what was judged
/// before is kept and would cost nothing.
const POSITIONS: usize = 64;

/// Positions of a call where several are judged at a time.
const TOGETHER: usize = 8;

/// The default time of the measurement.
const TIME: Duration = Duration::from_secs(5);

#[derive(Debug, Serialize)]
struct EvaluationsReport {
    game: String,
    size: String,
    evaluator: String,
    evaluations: u64,
    seconds: f64,
    /// Several at a time.
    evaluations_per_s: f64,
    /// The same by the thread's own processor time, which a busy machine does not change so much.
    evaluations_per_cpu_s: f64,
    /// One by one.
    single_evaluations_per_s: f64,
    single_evaluations_per_cpu_s: f64,
}

/// A part of the measurement.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    evaluations: u64,
    seconds: f64,
    cpu_s: f64,
}

/// Measures evaluations of one thread.
///
/// # Errors
/// An evaluator that is not here, or does not judge.
pub fn run<G: Playable>(rules: &G::Rules, config: &SearchConfig, json: bool) -> anyhow::Result<()> {
    let asked = config.settings.tuning.evaluator.context("no evaluator is asked")?;
    let evaluator =
        config.judging.evaluators.get::<G>(asked).context("the evaluator is not here")?;
    let record = Record::<G>::new(rules);
    let mut positions = by_chance(record.position());
    let time = super::measured(config.asked_time)?.unwrap_or(TIME) / 2;
    // In turn, so that both have the same of whatever else the machine does.
    let (mut several, mut single) = (Part::default(), Part::default());
    let started = Instant::now();
    while single.evaluations == 0 || started.elapsed() < 2 * time {
        for (part, together) in [(&mut several, TOGETHER), (&mut single, 1)] {
            let positions: Vec<G> = positions.by_ref().take(POSITIONS).collect();
            part.add(&*evaluator, &positions, together)?;
        }
    }
    let report = EvaluationsReport {
        game: G::KIND.to_string(),
        size: record.position().size().to_string(),
        evaluator: evaluator.name().to_owned(),
        evaluations: several.evaluations + single.evaluations,
        seconds: started.elapsed().as_secs_f64(),
        evaluations_per_s: several.evaluations as f64 / several.seconds,
        evaluations_per_cpu_s: several.evaluations as f64 / several.cpu_s,
        single_evaluations_per_s: single.evaluations as f64 / single.seconds,
        single_evaluations_per_cpu_s: single.evaluations as f64 / single.cpu_s,
    };
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    writeln!(
        out,
        "{rules}: {:.0} evaluations/s on one thread, {TOGETHER} at a time, {:.0} one by one; \
         by processor time {:.0} and {:.0}",
        report.evaluations_per_s,
        report.single_evaluations_per_s,
        report.evaluations_per_cpu_s,
        report.single_evaluations_per_cpu_s
    )?;
    Ok(())
}

impl Part {
    /// Has all positions judged, so many at a time.
    fn add<G>(
        &mut self,
        evaluator: &dyn Evaluator<G>,
        positions: &[G],
        together: usize,
    ) -> anyhow::Result<()> {
        let (started, cpu) = (Instant::now(), cpu_s());
        let mut judgements = Vec::new();
        for chunk in positions.chunks(together) {
            let queries: Vec<Query<'_, G>> = chunk.iter().map(Query::of).collect();
            evaluator.evaluate(&queries, &mut judgements)?;
        }
        self.evaluations += positions.len() as u64;
        self.seconds += started.elapsed().as_secs_f64();
        self.cpu_s += cpu_s() - cpu;
        Ok(())
    }
}

/// Processor time of this thread, seconds.
fn cpu_s() -> f64 {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    used.tv_sec as f64 + used.tv_nsec as f64 / 1e9
}
