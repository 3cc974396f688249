//! `banyan bench`: what each node contributes, what limits the cluster, and its parts alone.
//!
//! Reading order: `rounds` (the course of a measurement), `moment` (what is read from the cluster),
//! `answer` (what it comes to; what limits it stands in [`banyan_web::limit`]), `table`; then `simulated`,
//! which stands for itself, as do the parts that need no cluster: [`banyan_cli::command::bench`].

mod rounds;

mod moment;

mod answer;

mod spread;

mod table;

mod simulated;

use std::io::Write as _;
use std::time::Duration;

use banyan_cli::command::bench::{evaluations_only, measured, playouts_only, signature};
use banyan_cli::config::SearchConfig;
use banyan_cli::options::{BenchArgs, EngineArg, EvaluatorArg};
use banyan_engine::{Playable, Session};
use banyan_games::with_game;
use banyan_knowledge::Policy;

use crate::cluster::Cluster;
use crate::config::Config;
use answer::Setting;

/// The default time of a measurement, all rounds together.
const TIME: Duration = Duration::from_secs(5);

/// Measures what was asked for: the cluster, or one of its parts alone.
pub(super) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    anyhow::ensure!(
        args.engine.engines.engine.is_none_or(|engine| engine == EngineArg::Uct),
        "bench measures the workers, which a classical engine leaves idle: expected --engine uct"
    );
    if args.signature {
        return signature::run(args);
    }
    // What machines, tree and wire are worth shows in playouts that cost nothing else.
    let mut args = args.clone();
    if !args.engine.evaluators.is_asked() {
        args.engine.evaluators.evaluator = Some(EvaluatorArg::Playouts);
    }
    if let Some(workers) = args.simulated_workers {
        return simulated::run(&args, workers.into());
    }
    args.engine.policy.get_or_insert(Policy::Uniform);
    measure(&args)
}

fn measure(args: &BenchArgs) -> anyhow::Result<()> {
    let Config { search, setup, wait } = Config::new(&args.engine)?;
    if args.playouts_only {
        return with_game!(&search.rules, G, rules => {
            match search.settings.tuning.evaluator {
                Some(_) => evaluations_only::run::<G>(rules, &search, args.json),
                None => playouts_only::run::<G>(rules, &search, args.json),
            }
        });
    }
    let node = super::gather(&setup, &wait)?;
    with_game!(&search.rules, G, rules => measure_nodes::<G>(rules, &search, node.cluster(), args))
}

fn measure_nodes<G: Playable>(
    rules: &G::Rules,
    config: &SearchConfig,
    cluster: &Cluster,
    args: &BenchArgs,
) -> anyhow::Result<()> {
    let mut session = Session::<G>::new(rules, cluster.lender(), &config.settings)?;
    let time = measured(config.asked_time)?.unwrap_or(TIME);
    let rounds = args.rounds.get();
    let seen =
        rounds::watch(&mut session, cluster.link(), config.settings.limits.playouts, rounds, time)?;
    let setting = Setting { cores: cores(), tree_window: f64::from(window(config, seen.visits)) };
    let answer = answer::answer(&seen, setting);
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        table::print(&mut out, &answer)?;
    }
    Ok(())
}

/// Playouts that may be in flight in a tree of so many visits.
fn window(config: &SearchConfig, visits: u64) -> u32 {
    let tree_window = config.settings.tuning.parameters.in_flight_max(visits);
    config.settings.plan.window.map_or(tree_window, |window| window.min(tree_window))
}

/// Cores of this machine.
fn cores() -> f64 {
    std::thread::available_parallelism().map_or(1.0, |cores| cores.get() as f64)
}
