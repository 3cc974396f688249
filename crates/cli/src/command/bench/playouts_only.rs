//! `banyan bench --playouts-only`: one thread, no tree, no cluster: batches as a worker runs them.

use std::io::Write as _;
use std::time::{Duration, Instant};

use banyan_engine::Playable;
use banyan_games::Record;
use banyan_games::counts::Asked;
use banyan_games::rng::mix;
use banyan_jobs::{Batch, BatchId, Growing, Job, Playouts, Prepared, Root, RootId};
use banyan_search::{Parameters, Valuing};
use serde::Serialize;

use crate::config::SearchConfig;

/// Playouts between two looks at the clock.
const CHUNK: u32 = 256;

/// The default time of the measurement.
const TIME: Duration = Duration::from_secs(5);

#[derive(Debug, Serialize)]
struct PlayoutsReport {
    game: String,
    size: String,
    policy: &'static str,
    playouts: u64,
    seconds: f64,
    playouts_per_s: f64,
    plies_per_playout: f64,
    black_wins_percent: f64,
}

/// Measures playouts of one thread.
///
/// # Errors
/// What keeps a batch from being run.
pub fn run<G: Playable>(rules: &G::Rules, config: &SearchConfig, json: bool) -> anyhow::Result<()> {
    let record = Record::<G>::new(rules);
    let side = record.position().side_to_move();
    // Whatever the leaves of the game's trees are worth, here games are played to their end.
    let parameters = Parameters::of(G::KIND).valued_by(Valuing::Playout);
    let growing = Growing { parameters, ..Growing::of(G::KIND) };
    let root = Root::of(&record, side, RootId::default(), growing);
    let prepared = Prepared::new(&root)?;
    let mut sums = (0u64, 0u64, 0u64);
    let time = super::measured(config.asked_time)?.unwrap_or(TIME);
    let max = config.settings.limits.playouts.unwrap_or(u64::MAX);
    let started = Instant::now();
    while sums.0 == 0 || started.elapsed() < time && sums.0 < max {
        let chunk = u64::from(CHUNK).min(max - sums.0) as u32;
        let tally = prepared.run(&batch(config, root.id, sums.0, chunk))?;
        let Some(counts) = tally.answer.counts() else { break };
        sums.0 += u64::from(counts.playouts());
        sums.1 += counts.plies;
        sums.2 += u64::from(counts.wins);
    }
    let seconds = started.elapsed().as_secs_f64();
    let (playouts, plies, wins) = sums;
    let answer = PlayoutsReport {
        game: root.rules.kind().to_string(),
        size: record.position().size().to_string(),
        policy: config.settings.plan.policy.name(),
        playouts,
        seconds,
        playouts_per_s: playouts as f64 / seconds,
        plies_per_playout: plies as f64 / playouts as f64,
        black_wins_percent: 100.0 * wins as f64 / playouts as f64,
    };
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        return Ok(());
    }
    writeln!(
        out,
        "{rules}: {:.0} playouts/s on one thread ({playouts} in {seconds:.1} s), \
         {:.1} plies a playout, Black wins {:.1} %",
        answer.playouts_per_s, answer.plies_per_playout, answer.black_wins_percent
    )?;
    Ok(())
}

fn batch(config: &SearchConfig, root: RootId, number: u64, count: u32) -> Batch {
    let seed = mix(config.settings.tuning.seed ^ mix(number));
    let playouts =
        Playouts { count, policy: config.settings.plan.policy, seed, asked: Asked::default() };
    let job = Job::LeafParallel(playouts);
    Batch { id: BatchId::new(root.session, number), root, path: Vec::new(), job }
}
