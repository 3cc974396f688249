//! The course of a measurement: a warm-up, each node alone, then rounds with all of them.
//!
//! All of it is one search that goes on, and a round is a slice of it. That is what people have who
//! let a search think: searches that start afresh would measure again and again how windows open and
//! how quickly a small tree is walked.

use std::sync::atomic::Ordering;
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use banyan_engine::{Limits, Playable, Report, Session};
use banyan_jobs::WorkerId;

use super::moment::Moment;
use crate::cluster::Link;
use crate::signals;

/// Before measuring, so that every worker has its window and its rate.
pub(super) const WARM_UP: Duration = Duration::from_secs(1);

/// For a node that is alone now: the others finish what they hold, and its window opens.
const SETTLING: Duration = Duration::from_millis(300);

/// One node is measured alone for so long,
const ALONE: Duration = Duration::from_millis(1_000);
/// or for less where there are many, so that all of them take no longer than this,
const ALONE_TOGETHER: Duration = Duration::from_secs(15);
/// but never for less than this.
const ALONE_MIN: Duration = Duration::from_millis(200);

/// Between two looks whether the search has ended by itself.
const LOOK: Duration = Duration::from_millis(20);

/// Moments and samples that were seen.
#[derive(Debug)]
pub(super) struct Seen {
    /// Before and after each node was alone, where there were several.
    pub alone: Vec<(WorkerId, Moment, Moment)>,
    /// The bounds of the rounds: one more than there are rounds, at least two.
    pub bounds: Vec<Moment>,
    /// Playouts through the root at the end.
    pub visits: u64,
}

/// Searches and watches: `rounds` rounds that take `time` together.
///
/// A search that ends earlier, by its playouts, by a proof or by a signal, has fewer rounds.
pub(super) fn watch<G: Playable>(
    session: &mut Session<G>,
    link: &Link,
    playouts: Option<u64>,
    rounds: u32,
    time: Duration,
) -> anyhow::Result<Seen> {
    let stop = session.stop_flag();
    signals::on_stop(session.end_for_good())?;
    let side = session.record().position().side_to_move();
    let limits = Limits { playouts, ..Limits::default() };
    let start = Moment::now(link);
    thread::scope(|scope| {
        let search = scope.spawn(|| session.think(side, limits, Vec::new(), &mut |_| {}));
        let course = Course { link, search: &search };
        course.wait(WARM_UP);
        let alone = course.each_alone();
        let mut bounds = course.rounds(rounds, time / rounds);
        if bounds.len() < 2 {
            bounds = vec![start, Moment::now(link)];
        }
        stop.store(true, Ordering::Relaxed);
        let report = search.join().map_err(|_| anyhow::anyhow!("the search broke"))?;
        Ok(Seen { alone, bounds, visits: report.visits })
    })
}

struct Course<'a, 'scope> {
    link: &'a Link,
    search: &'a ScopedJoinHandle<'scope, Report>,
}

impl Course<'_, '_> {
    /// Waits, no longer than the search lasts; returns whether it goes on.
    fn wait(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        while !self.search.is_finished() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            thread::sleep(left.min(LOOK));
        }
        false
    }

    /// Lends to one node after the other, where there are several.
    fn each_alone(&self) -> Vec<(WorkerId, Moment, Moment)> {
        let nodes = self.link.view().nodes();
        let present: Vec<WorkerId> =
            nodes.into_iter().filter(|(_, node)| node.present).map(|(id, _)| id).collect();
        if present.len() < 2 {
            return Vec::new();
        }
        let time = (ALONE_TOGETHER / present.len() as u32).clamp(ALONE_MIN, ALONE);
        let mut seen = Vec::new();
        for worker in present {
            self.link.restrict(Some(worker));
            self.wait(SETTLING);
            let before = Moment::now(self.link);
            if self.wait(time) {
                seen.push((worker, before, Moment::now(self.link)));
            }
        }
        self.link.restrict(None);
        self.wait(SETTLING);
        seen
    }

    /// The moments between the rounds; a round that the search did not last through is left out.
    fn rounds(&self, rounds: u32, each: Duration) -> Vec<Moment> {
        let mut bounds = vec![Moment::now(self.link)];
        while bounds.len() <= rounds as usize && self.wait(each) {
            bounds.push(Moment::now(self.link));
        }
        bounds
    }
}
