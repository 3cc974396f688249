//! Results of a measurement: pure arithmetic on the moments that were seen.

use std::time::Duration;

use banyan_jobs::{Usage, WorkerId};
use banyan_web::limit::{Limit, Load};
use serde::Serialize;

use super::moment::Moment;
use super::rounds::Seen;
use super::spread::Spread;
use crate::view;

/// The keys of DESIGN are fixed, since other programs read them; their values are medians over the
/// rounds where a round has one, and sums over all rounds elsewhere.
#[derive(Debug, Serialize)]
pub(super) struct BenchReport {
    pub nodes: Vec<Node>,
    pub total_playouts_per_s: f64,
    /// Processor time of the search thread and the cluster's.
    pub coordinator_cpu_s: f64,
    pub coordinator_cpu_us_per_playout: f64,
    pub rounds: usize,
    /// All rounds together.
    pub seconds: f64,
    /// Spread of the total.
    pub spread: Spread,
    /// The total over the sum of what the nodes did alone, 0 to about 1; nothing for a single node.
    pub efficiency: Option<f64>,
    pub search_thread_busy_percent: f64,
    /// The old name of it.
    pub grower_busy_percent: f64,
    pub cluster_busy_percent: f64,
    pub limit: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Node {
    pub name: String,
    pub threads: u32,
    /// Visits of the tree, of whatever kind.
    pub playouts_per_s: f64,
    /// Those of them that are evaluations.
    pub evaluations_per_s: f64,
    pub playouts_per_s_per_thread: f64,
    pub rtt_ms_p50: f64,
    pub rtt_ms_p99: f64,
    /// Share of the capacity for its kind of work: playouts, or judgements beside them.
    pub share_of_capacity: f64,
    pub share_of_work: f64,
    pub cpu_s: f64,
    /// Percentage of its threads' time.
    pub cpu_percent: f64,
    /// Spread of its playouts a second.
    pub spread: Spread,
    /// Playouts a second when all work went to it; nothing for a single node.
    pub alone_playouts_per_s: Option<f64>,
    /// The evaluator that it judges by, where it does nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judges_by: Option<String>,
    /// How full the batches are that its evaluator is asked for, 0 to 1: of what an evaluator of nothing else
    /// takes at once, by what was in flight at the ends of rounds; of the 8 positions that our own networks take
    /// together elsewhere, by its own word. Nothing where it judged nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_fill: Option<f64>,
    /// Reason why it was put out for good, if its tallies were found to be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarantined: Option<String>,
}

/// Settings that the moments do not hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Cores of this machine.
    pub cores: f64,
    /// Playouts that the tree allows in flight at the end.
    pub tree_window: f64,
}

pub(super) fn answer(seen: &Seen, setting: Setting) -> BenchReport {
    let measured = Measured::of(seen);
    let nodes: Vec<Node> =
        measured.last.nodes.iter().map(|(id, it)| measured.node(*id, it)).collect();
    let spread = measured.spread(|_| true);
    let alone: Option<f64> = nodes.iter().map(|node| node.alone_playouts_per_s).sum();
    let load = measured.load(setting);
    let coordinator = measured.search() + measured.cluster();
    BenchReport {
        total_playouts_per_s: spread.median,
        coordinator_cpu_s: coordinator,
        coordinator_cpu_us_per_playout: coordinator * 1e6 / measured.playouts.max(1) as f64,
        rounds: seen.bounds.len() - 1,
        seconds: measured.seconds,
        spread,
        efficiency: alone.filter(|&sum| sum > 0.0).map(|sum| spread.median / sum),
        search_thread_busy_percent: 100.0 * load.search,
        grower_busy_percent: 100.0 * load.search,
        cluster_busy_percent: 100.0 * load.cluster,
        limit: Limit::of(&load).to_string(),
        nodes,
    }
}

/// All rounds together.
struct Measured<'a> {
    seen: &'a Seen,
    first: &'a Moment,
    last: &'a Moment,
    seconds: f64,
    /// By all nodes.
    playouts: u64,
}

/// Nodes that do one kind of work together.
struct Together {
    playouts: u64,
    /// Playouts a second that they are seen to do.
    rates: f64,
}

impl<'a> Measured<'a> {
    fn of(seen: &'a Seen) -> Measured<'a> {
        let (first, last) = (&seen.bounds[0], &seen.bounds[seen.bounds.len() - 1]);
        Measured {
            seen,
            first,
            last,
            seconds: last.since(first).as_secs_f64().max(1e-9),
            playouts: done(first, last, |_| true, |node| node.playouts),
        }
    }

    /// The nodes that do the same kind of work as this one.
    fn together(&self, node: &view::Node) -> Together {
        let judges = node.judges_by.is_some();
        let is_like = |other: &view::Node| other.judges_by.is_some() == judges;
        let nodes = || self.last.nodes.iter().filter(|(_, other)| is_like(other));
        let of = |id| nodes().any(|&(other, _)| other == id);
        Together {
            playouts: done(self.first, self.last, of, |node| node.playouts),
            rates: nodes().map(|(_, node)| node.rate).sum(),
        }
    }

    /// The share of the positions that a judge takes at once that were in flight to it, at the ends of rounds.
    fn in_flight_fill(&self, id: WorkerId) -> f64 {
        let moments = self.seen.bounds.iter().filter_map(|moment| moment.node(id));
        let fills = moments.map(|node| f64::from(node.in_flight) / f64::from(node.threads));
        let fills: Vec<f64> = fills.map(|fill| fill.min(1.0)).collect();
        fills.iter().sum::<f64>() / fills.len().max(1) as f64
    }

    /// Playouts a second of some nodes, over the rounds.
    fn spread(&self, of: impl Fn(WorkerId) -> bool) -> Spread {
        let playouts = |node: &view::Node| node.playouts;
        Spread::of(self.seen.bounds.windows(2).map(|at| rate(&at[0], &at[1], &of, playouts)))
    }

    /// Evaluations a second of one node, the median of the rounds.
    fn evaluations(&self, id: WorkerId) -> f64 {
        let (of, evaluations) = (|other| other == id, |node: &view::Node| node.evaluations);
        let rounds = self.seen.bounds.windows(2);
        Spread::of(rounds.map(|at| rate(&at[0], &at[1], of, evaluations))).median
    }

    fn node(&self, id: WorkerId, node: &view::Node) -> Node {
        let spread = self.spread(|other| other == id);
        let made = done(self.first, self.last, |other| other == id, |node| node.playouts);
        let alone = self.seen.alone.iter().find(|(worker, ..)| *worker == id);
        let cores = self.cores_of(id, node);
        let threads = f64::from(node.threads);
        let together = self.together(node);
        let judges = node.judges_by.is_some();
        Node {
            name: node.name.clone(),
            threads: node.threads,
            playouts_per_s: spread.median,
            evaluations_per_s: self.evaluations(id),
            playouts_per_s_per_thread: spread.median / threads,
            rtt_ms_p50: node.round_trip.ms_p50,
            rtt_ms_p99: node.round_trip.ms_p99,
            share_of_capacity: node.rate / together.rates.max(1e-9),
            share_of_work: made as f64 / together.playouts.max(1) as f64,
            cpu_s: cores * self.seconds,
            cpu_percent: 100.0 * cores / threads,
            spread,
            alone_playouts_per_s: alone
                .map(|(_, before, after)| rate(before, after, |it| it == id, |node| node.playouts)),
            judges_by: node.judges_by.clone(),
            batch_fill: match judges {
                true => Some(self.in_flight_fill(id)),
                false => node.usage.evaluated.fill_since(self.usage_before(id).evaluated),
            },
            quarantined: node.quarantined.clone(),
        }
    }

    /// Cores that a node kept busy: what its pongs say, over the time between them.
    fn cores_of(&self, id: WorkerId, node: &view::Node) -> f64 {
        let at = self.first.node(id).map_or_else(Default::default, |before| before.usage_at);
        let between = node.usage_at.saturating_sub(at).as_secs_f64();
        let used = node.usage.cpu.saturating_sub(self.usage_before(id).cpu);
        if between > 0.0 { used.as_secs_f64() / between } else { 0.0 }
    }

    /// What a node said it had used when the rounds began.
    fn usage_before(&self, id: WorkerId) -> Usage {
        self.first.node(id).map_or_else(Default::default, |before| before.usage)
    }

    fn search(&self) -> f64 {
        self.last.search.saturating_sub(self.first.search).as_secs_f64()
    }

    fn cluster(&self) -> f64 {
        self.last.cluster.saturating_sub(self.first.cluster).as_secs_f64()
    }

    fn load(&self, setting: Setting) -> Load {
        let present = || self.last.nodes.iter().filter(|(_, node)| node.present);
        let threads: f64 = present().map(|(_, node)| f64::from(node.threads)).sum();
        let busy: f64 = present().map(|(id, node)| self.cores_of(*id, node)).sum();
        let (cores, process) = self.last.cores_busy(self.first, setting.cores);
        Load {
            search: self.search() / self.seconds,
            cluster: self.cluster() / self.seconds,
            workers: busy / threads.max(1.0),
            cores,
            process,
            tree_window: setting.tree_window,
            workers_window: present().map(|(_, node)| f64::from(node.window)).sum(),
            round_trip_ms: present().map(|(_, n)| n.round_trip.ms_p50).fold(0.0, f64::max),
        }
    }
}

/// What some nodes did between two moments, of what `count` counts.
fn done(
    before: &Moment,
    after: &Moment,
    of: impl Fn(WorkerId) -> bool,
    count: impl Fn(&view::Node) -> u64,
) -> u64 {
    let nodes = after.nodes.iter().filter(|(id, _)| of(*id));
    let earlier = |id| before.node(id).map_or(0, &count);
    nodes.map(|(id, node)| count(node).saturating_sub(earlier(*id))).sum()
}

/// The same a second.
fn rate(
    before: &Moment,
    after: &Moment,
    of: impl Fn(WorkerId) -> bool,
    count: impl Fn(&view::Node) -> u64,
) -> f64 {
    let seconds = after.since(before).max(Duration::from_nanos(1)).as_secs_f64();
    done(before, after, of, count) as f64 / seconds
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_jobs::Evaluated;
    use banyan_scheduler::RoundTrip;
    use std::time::Instant;

    const LOCAL: WorkerId = WorkerId(0);
    const FAR: WorkerId = WorkerId(1);

    fn node(name: &str, playouts: u64, ms: u64) -> view::Node {
        view::Node {
            name: name.to_owned(),
            threads: 2,
            playouts,
            evaluations: if name == "pine/katago" { playouts } else { playouts / 10 },
            rate: 1_000.0,
            window: 100,
            in_flight: 1,
            judges_by: (name == "pine/katago").then(|| "b6".to_owned()),
            // Both threads busy for half of the time.
            usage: Usage {
                cpu: Duration::from_millis(ms),
                evaluated: Evaluated { count: playouts / 10, room: playouts / 5 },
            },
            usage_at: Duration::from_millis(ms),
            round_trip: RoundTrip { ms_p50: 0.5, ms_p99: 2.0 },
            local: name == "local",
            present: true,
            trusted: true,
            draining: false,
            is_cluster: false,
            quarantined: None,
        }
    }

    /// `ms` after the start, with so many playouts done by each.
    fn moment(start: Instant, ms: u64, local: u64, far: u64) -> Moment {
        Moment {
            at: start + Duration::from_millis(ms),
            nodes: vec![(LOCAL, node("local", local, ms)), (FAR, node("far", far, ms))],
            machine: None,
            process: Duration::from_millis(ms),
            search: Duration::from_millis(ms / 4),
            cluster: Duration::from_millis(ms / 10),
        }
    }

    const SETTING: Setting = Setting { cores: 4.0, tree_window: 1e6 };

    fn seen() -> Seen {
        let start = Instant::now();
        Seen {
            // 400/s and 200/s alone.
            alone: vec![
                (LOCAL, moment(start, 0, 0, 0), moment(start, 1_000, 400, 7)),
                (FAR, moment(start, 1_000, 400, 7), moment(start, 2_000, 409, 207)),
            ],
            // Rounds of 500, 300 and 450 playouts/s.
            bounds: vec![
                moment(start, 2_000, 500, 300),
                moment(start, 3_000, 800, 500),
                moment(start, 4_000, 1_000, 600),
                moment(start, 5_000, 1_300, 750),
            ],
            visits: 2_050,
        }
    }

    #[test]
    fn rounds_give_medians_and_the_nodes_alone_the_efficiency() {
        let answer = answer(&seen(), SETTING);
        assert_eq!(answer.spread, Spread { median: 450.0, min: 300.0, max: 500.0 });
        assert_eq!((answer.rounds, answer.seconds), (3, 3.0));
        assert_eq!(answer.efficiency, Some(0.75));
        let [local, far] = &answer.nodes[..] else { panic!("two nodes") };
        assert_eq!((local.playouts_per_s, local.playouts_per_s_per_thread), (300.0, 150.0));
        assert_eq!(far.spread, Spread { median: 150.0, min: 100.0, max: 200.0 });
        assert_eq!(
            (local.alone_playouts_per_s, far.alone_playouts_per_s),
            (Some(400.0), Some(200.0))
        );
        assert_eq!((local.share_of_capacity, local.share_of_work), (0.5, 0.64));
        assert_eq!((local.cpu_s, local.cpu_percent), (3.0, 50.0));
        assert_eq!((answer.search_thread_busy_percent, answer.cluster_busy_percent), (25.0, 10.0));
        assert_eq!(answer.coordinator_cpu_s, 1.05);
        assert_eq!(answer.coordinator_cpu_us_per_playout, 840.0);
    }

    #[test]
    fn evaluations_are_told_apart_from_playouts_beside_them() {
        let answer = answer(&seen(), SETTING);
        let [local, far] = &answer.nodes[..] else { panic!("two nodes") };
        assert_eq!((local.evaluations_per_s, far.evaluations_per_s), (30.0, 15.0));
        assert_eq!((local.batch_fill, far.batch_fill), (Some(0.5), Some(0.5)));
    }

    #[test]
    fn who_judged_nothing_has_no_batches_to_fill() {
        let mut seen = seen();
        for (_, node) in seen.bounds.iter_mut().flat_map(|moment| &mut moment.nodes) {
            (node.evaluations, node.usage.evaluated) = (0, Evaluated::default());
        }
        let local = &answer(&seen, SETTING).nodes[0];
        assert_eq!((local.evaluations_per_s, local.batch_fill), (0.0, None));
    }

    #[test]
    fn who_judges_shares_its_kind_of_work_with_others_that_judge() {
        let judge = WorkerId(2);
        let mut seen = seen();
        for (nth, moment) in seen.bounds.iter_mut().enumerate() {
            moment.nodes.push((judge, node("pine/katago", 70 * nth as u64, 0)));
        }
        let answer = answer(&seen, SETTING);
        let [local, _, pine] = &answer.nodes[..] else { panic!("three nodes") };
        assert_eq!((pine.share_of_capacity, pine.share_of_work), (1.0, 1.0));
        assert_eq!((local.share_of_capacity, local.share_of_work), (0.5, 0.64));
        assert_eq!((pine.evaluations_per_s, pine.batch_fill), (70.0, Some(0.5)));
    }

    #[test]
    fn a_single_node_is_not_compared_with_itself() {
        let answer =
            answer(&Seen { alone: Vec::new(), ..seen() }, Setting { tree_window: 10.0, ..SETTING });
        assert_eq!(answer.efficiency, None);
        assert!(answer.limit.starts_with("the tree's window: 10 "), "{}", answer.limit);
    }
}
