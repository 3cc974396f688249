//! `banyan bench --simulated-workers N`: what the coordinator itself can do.
//!
//! The real scheduler, the real search and the real tree on their real threads; the workers are made
//! up and answer any batch after a fixed time. What comes out is the number of playouts a second that
//! no number of workers would exceed.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Context as _;
use banyan_cli::command::bench::measured;
use banyan_cli::config::SearchConfig;
use banyan_cli::options::BenchArgs;
use banyan_engine::sizing::Wish;
use banyan_engine::{Limits, Playable, Report, Session};
use banyan_games::with_game;
use banyan_web::limit::Limit;
use serde::Serialize;

use super::TIME;
use super::moment::Moment;
use super::rounds::WARM_UP;
use crate::cluster::{Cluster, Own};
use crate::config::Config;
use crate::rpc::simulated::{self, Carrier};
use crate::signals;

/// Playouts of a leaf-parallel and of a subtree batch, where --mode is given and --batch does not say.
const LEAF_PLAYOUTS: u32 = 8;
const SUBTREE_PLAYOUTS: u32 = 1_000;

/// The keys are fixed: other programs read them.
#[derive(Debug, Serialize)]
struct SimulatedReport {
    simulated_workers: u32,
    latency_ms: f64,
    mode: &'static str,
    /// Playouts of a batch; their mean where the search chose.
    batch: u32,
    merged_playouts_per_s: f64,
    merged_batches_per_s: f64,
    search_thread_busy_percent: f64,
    /// The old name of it.
    grower_busy_percent: f64,
    limit: String,
    cluster_busy_percent: f64,
    /// Processor time of the search thread for one batch: descent and merging.
    search_thread_us_per_batch: f64,
    /// The old name of it.
    grower_us_per_batch: f64,
    /// Processor time of the cluster's thread for one batch: scheduler, encoding, decoding.
    cluster_us_per_batch: f64,
}

pub(super) fn run(args: &BenchArgs, workers: u32) -> anyhow::Result<()> {
    let Config { search, setup, .. } = Config::new(&args.engine)?;
    anyhow::ensure!(
        setup.katago.is_none(),
        "simulated workers have no KataGo: expected --evaluator net, playouts or mixed"
    );
    measured(search.asked_time)?;
    let mut config = fixed(search, args.engine.mode);
    // What they tell is of another position: of a short list of likely moves hardly one would fit there.
    config.settings.tuning.parameters.puct_least = 0.0;
    let cluster = Cluster::start(Own::default(), 0).context("cannot start the cluster")?;
    let carrier = if args.in_process { Carrier::InProcess } else { Carrier::Bytes };
    simulated::join(&cluster, workers, args.latency, carrier, setup.evaluators)
        .context("no thread for workers")?;
    let answer = with_game!(&config.rules, G, rules => {
        measure::<G>(rules, &config, &cluster, args, workers)?
    });
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        print(&mut out, &answer)?;
    }
    Ok(())
}

/// Batches of the mode and the size that are asked for; without either those that the search chooses.
fn fixed(mut config: SearchConfig, mode: Option<Wish>) -> SearchConfig {
    let sizing = &mut config.settings.plan.sizing;
    match (mode, sizing.playouts) {
        (Some(Wish::Subtree), _) => sizing.playouts = sizing.playouts.or(Some(SUBTREE_PLAYOUTS)),
        (Some(Wish::LeafParallel), _) | (_, Some(_)) => {
            sizing.wish = Wish::LeafParallel;
            sizing.playouts = sizing.playouts.or(Some(LEAF_PLAYOUTS));
        }
        (None | Some(Wish::Auto), None) => sizing.wish = Wish::Auto,
    }
    config
}

fn measure<G: Playable>(
    rules: &G::Rules,
    config: &SearchConfig,
    cluster: &Cluster,
    args: &BenchArgs,
    workers: u32,
) -> anyhow::Result<SimulatedReport> {
    let link = cluster.link();
    let mut session = Session::<G>::new(rules, cluster.lender(), &config.settings)?;
    signals::on_stop(session.end_for_good())?;
    let side = session.record().position().side_to_move();
    let warm_up = Limits { time: Some(WARM_UP), ..Limits::default() };
    session.think(side, warm_up, Vec::new(), &mut |_| {});
    let before = Moment::now(link);
    let time = config.asked_time.or(config.settings.limits.playouts.is_none().then_some(TIME));
    let limits = Limits { time, ..config.settings.limits };
    let report = session.think(side, limits, Vec::new(), &mut |_| {});
    let after = Moment::now(link);
    let figures = Figures { before, after, report, config };
    Ok(figures.answer(args, workers))
}

struct Figures<'a> {
    before: Moment,
    after: Moment,
    report: Report,
    config: &'a SearchConfig,
}

impl Figures<'_> {
    fn answer(&self, args: &BenchArgs, workers: u32) -> SimulatedReport {
        let ended = self.report.ended.as_ref();
        let totals = ended.map(|ended| ended.settlement.totals).unwrap_or_default();
        let playouts = totals.playouts;
        let seconds = self.report.elapsed.as_secs_f64();
        let sizing = self.config.settings.plan.sizing;
        let batch = (playouts / totals.merged.max(1)) as u32;
        let [search, cluster] = self.busy();
        let us_per_batch = |used: Duration| used.as_secs_f64() * 1e6 / totals.merged.max(1) as f64;
        let wall = self.after.since(&self.before).as_secs_f64();
        let [search_busy, cluster_busy] = [search, cluster].map(|used| used.as_secs_f64() / wall);
        SimulatedReport {
            simulated_workers: workers,
            latency_ms: args.latency.as_secs_f64() * 1e3,
            mode: self.mode(batch),
            batch: sizing.playouts.unwrap_or(batch),
            merged_playouts_per_s: playouts as f64 / seconds,
            merged_batches_per_s: totals.merged as f64 / seconds,
            search_thread_busy_percent: 100.0 * search_busy,
            grower_busy_percent: 100.0 * search_busy,
            limit: Limit::of_made_up(search_busy, cluster_busy).to_string(),
            cluster_busy_percent: 100.0 * cluster_busy,
            search_thread_us_per_batch: us_per_batch(search),
            grower_us_per_batch: us_per_batch(search),
            cluster_us_per_batch: us_per_batch(cluster),
        }
    }

    /// Names the kind of batches of so many playouts where the search chose: leaf-parallel ones are single playouts.
    fn mode(&self, batch: u32) -> &'static str {
        match self.config.settings.plan.sizing.wish {
            Wish::Subtree => "subtree",
            Wish::Auto if batch > 1 => "subtree",
            Wish::Auto | Wish::LeafParallel => "leaf-parallel",
        }
    }

    /// Processor time of the search thread and of the cluster's.
    fn busy(&self) -> [Duration; 2] {
        let (before, after) = (&self.before, &self.after);
        [after.search.saturating_sub(before.search), after.cluster.saturating_sub(before.cluster)]
    }
}

fn print(out: &mut impl std::io::Write, answer: &SimulatedReport) -> std::io::Result<()> {
    writeln!(
        out,
        "{} simulated workers that answer after {} ms, {} batches of {} playouts",
        answer.simulated_workers, answer.latency_ms, answer.mode, answer.batch
    )?;
    writeln!(
        out,
        "merged {:.0} playouts/s in {:.0} batches/s",
        answer.merged_playouts_per_s, answer.merged_batches_per_s
    )?;
    writeln!(
        out,
        "search thread  busy {:>3.0} %, {:.2} µs a batch",
        answer.search_thread_busy_percent, answer.search_thread_us_per_batch
    )?;
    writeln!(
        out,
        "cluster thread busy {:>3.0} %, {:.2} µs a batch",
        answer.cluster_busy_percent, answer.cluster_us_per_batch
    )?;
    writeln!(out, "limit: {}", answer.limit)
}
