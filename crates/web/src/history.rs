//! The cluster over the last minute: rates that were measured, who came and went, and what limits it.
//!
//! A pure function of the snapshots that it is given and of their times; [`crate::server`] takes them.

mod picture;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use banyan_jobs::{Totals, WorkerId};

use crate::limit::{Limit, Load};
use crate::snapshot::{Node, Search, Snapshot};

pub use picture::{Event, NodePicture, Picture, SearchPicture, TotalsPicture};

/// Between two snapshots.
pub const INTERVAL: Duration = Duration::from_millis(500);

/// Points of a graph: a minute.
const POINTS: usize = 120;

/// Rates are means over so many intervals.
const RATE_POINTS: usize = 6;

/// Shares of work are over so many.
const SHARE_POINTS: usize = 20;

/// Events that are remembered.
const EVENTS_MAX: usize = 60;

/// Nodes that are gone stay listed as long as they are in the snapshot, at most so many.
const GONE_MAX: usize = 8;

/// Workers that have work in flight for less than this share of their room wait for the tree.
const FULL: f64 = 0.7;

/// Load of this machine, each a share of all its cores, 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cores {
    /// By whatever runs on it.
    pub all: f64,
    /// By this process.
    pub own: f64,
}

/// Observations of one worker.
#[derive(Clone, Debug, Default)]
struct Trace {
    playouts: VecDeque<u64>,
    cpu: VecDeque<f64>,
    rates: VecDeque<u32>,
    was_present: bool,
    was_quarantined: bool,
    was_draining: bool,
}

/// The last minute.
#[derive(Debug, Default)]
pub struct History {
    traces: BTreeMap<WorkerId, Trace>,
    busy: VecDeque<[f64; 2]>,
    rates: VecDeque<u32>,
    totals: Option<Totals>,
    events: VecDeque<Event>,
    began: Option<Duration>,
    /// A network alone judged in every search of late.
    is_judged: bool,
}

/// All nodes together, as one of them is compared to.
struct Whole {
    /// Playouts a second that they are seen to do.
    capacity: f64,
    /// Those of the last ten seconds.
    work: f64,
    /// A network alone judges in every search.
    is_judged: bool,
}

fn push<T>(points: &mut VecDeque<T>, point: T) {
    points.push_back(point);
    if points.len() > POINTS {
        points.pop_front();
    }
}

/// A counter's growth over the last `points` intervals, per second.
fn growth(counts: &VecDeque<u64>, points: usize) -> f64 {
    let Some(&last) = counts.back() else { return 0.0 };
    let before = counts.len().saturating_sub(points + 1);
    let intervals = (counts.len() - 1 - before).max(1) as f64;
    last.saturating_sub(counts[before]) as f64 / (intervals * INTERVAL.as_secs_f64())
}

impl History {
    /// Takes a snapshot, one each [`INTERVAL`].
    ///
    /// - `now`: since any fixed moment.
    pub fn take(&mut self, now: Duration, snapshot: &Snapshot) {
        let began = *self.began.get_or_insert(now);
        let at = now.saturating_sub(began).as_secs();
        let is_first = self.busy.is_empty();
        for node in &snapshot.nodes {
            self.notice(at, node, is_first);
            let trace = self.traces.entry(node.id).or_default();
            push(&mut trace.playouts, node.playouts);
            push(&mut trace.cpu, node.cpu.as_secs_f64());
            let rate = growth(&trace.playouts, 2);
            push(&mut trace.rates, if node.is_present { rate as u32 } else { 0 });
        }
        let is_known = |id: &WorkerId| snapshot.nodes.iter().any(|node| node.id == *id);
        self.traces.retain(|id, _| is_known(id));
        let cpu = [snapshot.search_cpu, snapshot.cluster_cpu].map(|cpu| cpu.as_secs_f64());
        push(&mut self.busy, cpu);
        let present = snapshot.nodes.iter().filter(|node| node.is_present);
        let sum: f64 = present.map(|node| growth(&self.traces[&node.id].playouts, 2)).sum();
        push(&mut self.rates, sum as u32);
        // Between two searches the figures are still those of the last one.
        if !snapshot.searches.is_empty() {
            self.is_judged = snapshot.searches.iter().all(|search| search.is_judged);
        }
        self.count(at, &snapshot.totals);
    }

    fn event(&mut self, at: u64, kind: &str, text: String) {
        self.events.push_back(Event { at, kind: kind.to_owned(), text });
        if self.events.len() > EVENTS_MAX {
            self.events.pop_front();
        }
    }

    /// Notes what changed about a worker.
    fn notice(&mut self, at: u64, node: &Node, is_first: bool) {
        let trace = self.traces.entry(node.id).or_default();
        let before = trace.clone();
        trace.was_present = node.is_present;
        trace.was_quarantined = node.quarantined.is_some();
        trace.was_draining = node.is_draining;
        let name = &node.name;
        // One that came and went since the last snapshot is told of too, as both.
        let is_new = before.playouts.is_empty() && !is_first;
        if is_new {
            let threads = match node.threads {
                1 => "one thread".to_owned(),
                threads => format!("{threads} threads"),
            };
            self.event(at, "join", format!("{name} joined with {threads}"));
        }
        if let Some(why) = node.quarantined.as_ref().filter(|_| !before.was_quarantined) {
            self.event(at, "bad", format!("{name} was put out for good: {why}"));
        } else if (before.was_present || is_new) && !node.is_present {
            let how = if before.was_draining || node.is_draining {
                "left, its work done"
            } else {
                "is gone"
            };
            self.event(at, "leave", format!("{name} {how}"));
        } else if node.is_draining && !before.was_draining {
            self.event(at, "leave", format!("{name} finishes what it holds"));
        }
    }

    /// Notes what was lost, lent again or found to differ.
    fn count(&mut self, at: u64, totals: &Totals) {
        let Some(before) = self.totals.replace(*totals) else { return };
        let lost = totals.lost.saturating_sub(before.lost);
        let again = totals.lent_again.saturating_sub(before.lent_again);
        if lost > 0 {
            self.event(at, "lease", format!("{lost} leases lost, {again} lent again"));
        }
        let disputed = totals.disputed.saturating_sub(before.disputed);
        if disputed > 0 {
            self.event(at, "bad", format!("{disputed} audits found another tally"));
        }
    }

    /// The cluster as it is drawn.
    pub fn picture(&self, snapshot: &Snapshot, cores: Cores) -> Picture {
        let present = || snapshot.nodes.iter().filter(|node| node.is_present);
        let whole = Whole {
            capacity: present().map(|node| node.rate).sum(),
            work: present().map(|node| self.work(node)).sum(),
            is_judged: self.is_judged,
        };
        let gone = snapshot.nodes.iter().rev().filter(|node| !node.is_present).take(GONE_MAX);
        let listed = present().chain(gone);
        let busy = |thread: usize| busy(&self.busy, thread);
        let Totals { sent, lost, lent_again, dropped, audited, disputed, playouts, .. } =
            snapshot.totals;
        Picture {
            nodes: listed.map(|node| self.node(node, &whole)).collect(),
            searches: searches(snapshot),
            events: self.events.iter().rev().cloned().collect(),
            rate: present().map(|node| growth(&self.traces[&node.id].playouts, RATE_POINTS)).sum(),
            graph: self.rates.iter().copied().collect(),
            threads: present().map(|node| node.threads).sum(),
            limit: self.limit(snapshot, cores),
            search_busy: busy(0),
            cluster_busy: busy(1),
            joined: snapshot.joined,
            refused: snapshot.refused,
            attached: snapshot.attached,
            liars: snapshot.liars,
            totals: TotalsPicture {
                playouts,
                leases: sent,
                lost,
                again: lent_again,
                dropped,
                audited,
                disputed,
            },
        }
    }

    fn trace(&self, node: &Node) -> Trace {
        self.traces.get(&node.id).cloned().unwrap_or_default()
    }

    /// Playouts a second of a worker over the last ten seconds.
    fn work(&self, node: &Node) -> f64 {
        self.traces.get(&node.id).map_or(0.0, |trace| growth(&trace.playouts, SHARE_POINTS))
    }

    fn node(&self, node: &Node, whole: &Whole) -> NodePicture {
        let trace = self.trace(node);
        let is_judging = node.judges_by.is_some() || (whole.is_judged && node.is_present);
        let share = |part: f64, of: f64| if of > 0.0 && node.is_present { part / of } else { 0.0 };
        NodePicture {
            id: node.id.0.to_string(),
            name: node.name.clone(),
            threads: node.threads,
            work: match &node.judges_by {
                Some(name) => format!("evaluates by {name}"),
                None if is_judging => "evaluates".to_owned(),
                None => "plays out".to_owned(),
            },
            is_judging,
            is_local: node.is_local,
            is_present: node.is_present,
            is_trusted: node.is_trusted,
            is_draining: node.is_draining,
            quarantined: node.quarantined.clone(),
            rate: if node.is_present { growth(&trace.playouts, RATE_POINTS) } else { 0.0 },
            graph: trace.rates.iter().copied().collect(),
            playouts: node.playouts,
            in_flight: node.in_flight,
            window: node.window,
            capacity: share(node.rate, whole.capacity),
            share: share(self.work(node), whole.work),
            busy: cpu_busy(&trace) / f64::from(node.threads.max(1)),
            round_trip: [1e3 * node.round_trip_p50, 1e3 * node.round_trip_p99],
        }
    }

    fn limit(&self, snapshot: &Snapshot, cores: Cores) -> Option<String> {
        if snapshot.searches.is_empty() || self.busy.len() < RATE_POINTS {
            return None;
        }
        let present = || snapshot.nodes.iter().filter(|node| node.is_present);
        if present().next().is_none() {
            return Some("there is nobody to play: no worker has joined".to_owned());
        }
        let threads: f64 = present().map(|node| f64::from(node.threads)).sum();
        let load = Load {
            search: busy(&self.busy, 0),
            cluster: busy(&self.busy, 1),
            workers: present().map(|node| cpu_busy(&self.trace(node))).sum::<f64>()
                / threads.max(1.0),
            cores: cores.all,
            process: cores.own,
            tree_window: present().map(|node| f64::from(node.in_flight)).sum::<f64>() / FULL,
            workers_window: present().map(|node| f64::from(node.window)).sum(),
            round_trip_ms: present().map(|node| 1e3 * node.round_trip_p50).fold(0.0, f64::max),
        };
        Some(Limit::of(&load).to_string())
    }
}

/// Processor time of a worker over time, lately: cores. It says so with its pongs, now and then.
fn cpu_busy(trace: &Trace) -> f64 {
    let Some(&last) = trace.cpu.back() else { return 0.0 };
    let before = trace.cpu.len().saturating_sub(SHARE_POINTS + 1);
    let intervals = (trace.cpu.len() - 1 - before).max(1) as f64;
    (last - trace.cpu[before]).max(0.0) / (intervals * INTERVAL.as_secs_f64())
}

/// Processor time of one of the coordinator's threads over time, 0 to 1.
fn busy(points: &VecDeque<[f64; 2]>, thread: usize) -> f64 {
    let Some(last) = points.back() else { return 0.0 };
    let before = points.len().saturating_sub(RATE_POINTS + 1);
    let intervals = (points.len() - 1 - before).max(1) as f64;
    (last[thread] - points[before][thread]).max(0.0) / (intervals * INTERVAL.as_secs_f64())
}

fn searches(snapshot: &Snapshot) -> Vec<SearchPicture> {
    let search = |search: &Search| SearchPicture {
        session: search.session.to_string(),
        game: search.game.clone(),
        purpose: search.claim.purpose.word().to_owned(),
        weight: search.claim.weight.get(),
        part: search.part,
        open_playouts: search.open_playouts,
    };
    snapshot.searches.iter().map(search).collect()
}

#[cfg(test)]
mod tests {
    use banyan_jobs::{Claim, SessionId};

    use super::*;

    fn node(id: u64, playouts: u64) -> Node {
        Node {
            id: WorkerId(id),
            name: format!("w{id}"),
            threads: 2,
            playouts,
            rate: 100.0,
            window: 64,
            in_flight: 60,
            judges_by: None,
            cpu: Duration::ZERO,
            round_trip_p50: 0.001,
            round_trip_p99: 0.004,
            is_local: false,
            is_present: true,
            is_trusted: true,
            is_draining: false,
            quarantined: None,
        }
    }

    fn of(nodes: Vec<Node>) -> Snapshot {
        Snapshot { nodes, ..Snapshot::default() }
    }

    fn texts(history: &History) -> Vec<&str> {
        history.events.iter().map(|event| event.text.as_str()).collect()
    }

    #[test]
    fn rates_are_what_was_done_and_shares_add_up() {
        let mut history = History::default();
        let mut last = Snapshot::default();
        for step in 0..30u64 {
            last = of(vec![node(1, 300 * step), node(2, 100 * step)]);
            history.take(INTERVAL * step as u32, &last);
        }
        let picture = history.picture(&last, Cores::default());
        assert_eq!(picture.rate, 800.0);
        assert_eq!(picture.nodes.iter().map(|it| it.rate).collect::<Vec<_>>(), [600.0, 200.0]);
        assert_eq!(picture.nodes.iter().map(|it| it.share).collect::<Vec<_>>(), [0.75, 0.25]);
        assert_eq!(picture.nodes[0].capacity, 0.5);
        assert_eq!(picture.limit, None, "nothing is searched");
    }

    #[test]
    fn who_judges_is_said_to_evaluate_and_a_search_is_told_with_its_game() {
        let search = |is_judged| Search {
            session: SessionId(7),
            game: "go 9x9, komi 7.5".to_owned(),
            is_judged,
            claim: Claim::default(),
            part: 1.0,
            open_playouts: 0,
        };
        let katago = Node { judges_by: Some("b6".to_owned()), ..node(2, 0) };
        let told = |searches: &[bool]| {
            let searches = searches.iter().copied().map(search).collect();
            let snapshot = Snapshot { searches, ..of(vec![node(1, 0), katago.clone()]) };
            let mut history = History::default();
            history.take(Duration::ZERO, &snapshot);
            let picture = history.picture(&snapshot, Cores::default());
            assert!(picture.searches.iter().all(|search| search.game == "go 9x9, komi 7.5"));
            let works = picture.nodes.iter().map(|node| (node.work.clone(), node.is_judging));
            let works: Vec<(String, bool)> = works.collect();
            assert_eq!(works[1], ("evaluates by b6".to_owned(), true));
            works[0].clone()
        };
        let [plays, evaluates] =
            [("plays out", false), ("evaluates", true)].map(|(words, is)| (words.to_owned(), is));
        assert_eq!(told(&[]), plays);
        assert_eq!(told(&[true, true]), evaluates);
        assert_eq!(told(&[true, false]), plays);
    }

    #[test]
    fn who_comes_and_goes_is_told_and_who_was_there_is_not() {
        let mut history = History::default();
        history.take(Duration::ZERO, &of(vec![node(1, 0)]));
        assert!(texts(&history).is_empty());
        history.take(INTERVAL, &of(vec![node(1, 0), node(2, 0)]));
        let gone = Node { is_present: false, ..node(2, 9) };
        history.take(2 * INTERVAL, &of(vec![node(1, 0), gone.clone()]));
        let draining = Node { is_draining: true, ..node(1, 0) };
        history.take(3 * INTERVAL, &of(vec![draining.clone(), gone.clone()]));
        let left = Node { is_present: false, ..draining };
        let banned = Node { quarantined: Some("it lied".to_owned()), ..gone };
        history.take(4 * INTERVAL, &of(vec![left, banned]));
        let expected = [
            "w2 joined with 2 threads",
            "w2 is gone",
            "w1 finishes what it holds",
            "w1 left, its work done",
            "w2 was put out for good: it lied",
        ];
        assert_eq!(texts(&history), expected);
    }

    #[test]
    fn who_comes_and_goes_between_two_looks_is_told() {
        let mut history = History::default();
        let long_gone = Node { is_present: false, ..node(1, 5) };
        history.take(Duration::ZERO, &of(vec![long_gone.clone()]));
        let gone = Node { is_present: false, ..node(2, 9) };
        for look in 1..3 {
            history.take(look * INTERVAL, &of(vec![long_gone.clone(), gone.clone()]));
        }
        assert_eq!(texts(&history), ["w2 joined with 2 threads", "w2 is gone"]);
    }

    #[test]
    fn an_hour_takes_no_more_memory_than_a_minute() {
        let mut history = History::default();
        for step in 0..7_200u64 {
            // A new worker each time, and the last one gone.
            let gone = Node { is_present: false, ..node(step, step) };
            history.take(INTERVAL * step as u32, &of(vec![gone, node(step + 1, step)]));
        }
        assert_eq!((history.traces.len(), history.events.len()), (2, EVENTS_MAX));
        assert_eq!((history.rates.len(), history.busy.len()), (POINTS, POINTS));
    }
}
