//! `banyan bench`: what each node contributes.

mod playouts_only;

mod positions;

mod signature;

mod simulated;

mod moment;

mod limit;

use std::io::Write as _;
use std::sync::atomic::Ordering;
use std::time::Duration;

use banyan_games::{Game, with_game};
use banyan_jobs::WorkerId;
use serde::Serialize;

use crate::cli::BenchArgs;
use crate::cluster::{Cluster, Link};
use crate::config::Config;
use crate::session::{Limits, Session};
use crate::signals;
use crate::view;

/// Before measuring, so that every worker has its window and its rate.
const WARM_UP: Duration = Duration::from_secs(1);

/// The default time of the measurement.
const TIME: Duration = Duration::from_secs(5);

#[derive(Debug, Serialize)]
struct Answer {
    nodes: Vec<Node>,
    total_playouts_per_s: f64,
    coordinator_cpu_s: f64,
    coordinator_cpu_us_per_playout: f64,
}

#[derive(Debug, Serialize)]
struct Node {
    name: String,
    threads: u32,
    playouts_per_s: f64,
    playouts_per_s_per_thread: f64,
    rtt_ms_p50: f64,
    rtt_ms_p99: f64,
    share_of_capacity: f64,
    share_of_work: f64,
    cpu_s: f64,
}

/// Nodes and processor time at one moment.
struct Moment {
    nodes: Vec<(WorkerId, view::Node)>,
    process_cpu: Duration,
}

impl Moment {
    fn now(link: &Link) -> Moment {
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let process_cpu = Duration::new(used.tv_sec as u64, used.tv_nsec as u32);
        Moment { nodes: link.view().nodes(), process_cpu }
    }

    fn node(&self, id: WorkerId) -> Option<&view::Node> {
        self.nodes.iter().find(|&&(other, _)| other == id).map(|(_, node)| node)
    }
}

/// Measures what was asked for: the cluster, or one of its parts alone.
pub(super) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    if args.signature {
        return signature::run(args);
    }
    if let Some(workers) = args.simulated_workers {
        return simulated::run(args, workers.into());
    }
    if args.playouts_only {
        let config = Config::new(&args.engine)?;
        return with_game!(&config.rules, G, rules => {
            playouts_only::run::<G>(rules, &config, args.json)
        });
    }
    let (config, cluster) = super::start(&args.engine)?;
    with_game!(&config.rules, G, rules => measure::<G>(rules, &config, &cluster, args.json))
}

/// Cores of this machine.
fn cores() -> f64 {
    std::thread::available_parallelism().map_or(1.0, |cores| cores.get() as f64)
}

fn measure<G: Game>(
    rules: &G::Rules,
    config: &Config,
    cluster: &Cluster,
    json: bool,
) -> anyhow::Result<()> {
    let link = cluster.link();
    let mut session = Session::<G>::new(rules, link, config)?;
    let stop = session.stop_flag();
    signals::on_stop(move || stop.store(true, Ordering::Relaxed))?;
    let side = session.record().position().side_to_move();
    let warm_up = Limits { time: Some(WARM_UP), playouts: None };
    session.think(side, warm_up, Vec::new(), &mut |_| {});
    let before = Moment::now(link);
    let time = config.asked_time.or(config.playouts.is_none().then_some(TIME));
    let limits = Limits { time, playouts: config.playouts };
    let report = session.think(side, limits, Vec::new(), &mut |_| {});
    let after = Moment::now(link);
    let answer = answer(&before, &after, report.elapsed.as_secs_f64());
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        print(&mut out, &answer)?;
    }
    Ok(())
}

fn answer(before: &Moment, after: &Moment, seconds: f64) -> Answer {
    let rates: f64 = after.nodes.iter().map(|(_, node)| node.rate).sum();
    let done = |id: WorkerId, node: &view::Node| {
        node.playouts - before.node(id).map_or(0, |before| before.playouts)
    };
    let total: u64 = after.nodes.iter().map(|(id, node)| done(*id, node)).sum();
    let node = |(id, node): &(WorkerId, view::Node)| {
        let playouts = done(*id, node) as f64;
        let cpu = node.cpu.saturating_sub(before.node(*id).map_or(Duration::ZERO, |b| b.cpu));
        Node {
            name: node.name.clone(),
            threads: node.threads,
            playouts_per_s: playouts / seconds,
            playouts_per_s_per_thread: playouts / seconds / f64::from(node.threads),
            rtt_ms_p50: node.round_trip.ms_p50,
            rtt_ms_p99: node.round_trip.ms_p99,
            share_of_capacity: node.rate / rates.max(1e-9),
            share_of_work: playouts / (total.max(1) as f64),
            cpu_s: cpu.as_secs_f64(),
        }
    };
    let local = |moment: &Moment| -> Duration {
        moment.nodes.iter().filter(|(_, node)| node.local).map(|(_, node)| node.cpu).sum()
    };
    let process = after.process_cpu.saturating_sub(before.process_cpu);
    let playing = local(after).saturating_sub(local(before));
    let coordinator_cpu_s = process.saturating_sub(playing).as_secs_f64();
    Answer {
        nodes: after.nodes.iter().map(node).collect(),
        total_playouts_per_s: total as f64 / seconds,
        coordinator_cpu_s,
        coordinator_cpu_us_per_playout: coordinator_cpu_s * 1e6 / total.max(1) as f64,
    }
}

fn print(out: &mut impl std::io::Write, answer: &Answer) -> std::io::Result<()> {
    writeln!(
        out,
        "node             threads  playouts/s  per thread  rtt p50   p99 ms  capacity   work   cpu s"
    )?;
    for node in &answer.nodes {
        writeln!(
            out,
            "{:<16} {:>7} {:>11.0} {:>11.0} {:>8.2} {:>8.2} {:>7.1} % {:>4.1} % {:>7.2}",
            node.name,
            node.threads,
            node.playouts_per_s,
            node.playouts_per_s_per_thread,
            node.rtt_ms_p50,
            node.rtt_ms_p99,
            100.0 * node.share_of_capacity,
            100.0 * node.share_of_work,
            node.cpu_s
        )?;
    }
    writeln!(
        out,
        "total {:.0} playouts/s; the coordinator itself used {:.2} s of processor time, \
         {:.2} µs a playout",
        answer.total_playouts_per_s,
        answer.coordinator_cpu_s,
        answer.coordinator_cpu_us_per_playout
    )
}
