//! One session of the simulated coordinator: its search, what it was told and given, and what it is held
//! to at its end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use banyan_engine::search::{Iteration, Search};
use banyan_games::gomoku::Gomoku;
use banyan_games::{Game, Move};
use banyan_jobs::{Batch, BatchId, Proof, SessionId, Tally, WorkerId};
use banyan_scheduler::{Claim, ClusterCapacity, Event, Settlement};
use banyan_search::{FinalMove, Tree};

use super::{Scenario, plan, root, rules, seedling};

/// The end of a session's search.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Hash of the tree.
    pub digest: u64,
    /// Playouts through the root.
    pub visits: u64,
    /// Batches made.
    pub batches: u64,
    /// The move that is played, with most visits.
    pub best: Move,
    /// The scheduler's books.
    pub settlement: Settlement,
    /// Playouts that were counted and taken back out.
    pub taken_back: u64,
    /// Playouts of machines that lie, and are in the tree.
    pub of_liars: u64,
    /// When it ended.
    pub at: Duration,
    /// Playouts through the root of every session at that moment.
    pub standing: Vec<u64>,
}

pub(super) struct Player<'a> {
    scenario: &'a Scenario,
    pub(super) session: SessionId,
    claim: Claim,
    search: Search<Gomoku>,
    capacity: ClusterCapacity,
    /// Playouts and twice the wins plus the draws of White, who moved into the root, by worker.
    delivered: BTreeMap<WorkerId, (u64, u64)>,
    /// Batches whose tally was delivered, by the scheduler that lives.
    batches: BTreeSet<BatchId>,
    /// Visits and White's half wins of the tree that this coordinator began with.
    began: (u64, u64),
    /// Games that ended during a descent.
    counted: u64,
    epoch: u32,
    taken_back: u64,
    /// When it looks next.
    looks_at: Duration,
    pub(super) settlement: Option<Settlement>,
    pub(super) end: Option<End>,
}

impl<'a> Player<'a> {
    pub(super) fn new(scenario: &'a Scenario, session: SessionId, claim: Claim) -> Player<'a> {
        let plan = plan(scenario, scenario.playouts);
        let id = root(session, 1).id;
        Player {
            scenario,
            session,
            claim,
            search: Search::new(seedling(), id, Gomoku::new(&rules()), plan, 0),
            capacity: ClusterCapacity::default(),
            delivered: BTreeMap::new(),
            batches: BTreeSet::new(),
            began: (0, 0),
            counted: 0,
            epoch: 1,
            taken_back: 0,
            looks_at: Duration::ZERO,
            settlement: None,
            end: None,
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.search.is_finished()
    }

    pub(super) fn opened(&self) -> Event {
        Event::Opened(Arc::new(root(self.session, self.epoch)), self.claim)
    }

    /// Tells whether its thread has a core now; it then has none for a pause, which differs by up to a half.
    pub(super) fn wakes(&mut self, now: Duration, pause: Duration) -> bool {
        let wakes = now >= self.looks_at;
        if wakes {
            let part =
                banyan_games::rng::mix(now.as_nanos() as u64 ^ u64::from(self.session.0)) % 1_000;
            self.looks_at = now + pause.mul_f64(0.5 + part as f64 / 1_000.0);
        }
        wakes
    }

    /// Playouts through its root.
    pub(super) fn visits(&self) -> u64 {
        self.end.as_ref().map_or(self.search.tree.visits(self.search.tree.root()), |end| end.visits)
    }

    /// For a failure's message.
    pub(super) fn standing(&self) -> String {
        format!("{} in flight of {}", self.search.in_flight(), self.capacity.window)
    }

    pub(super) fn fill(&mut self) -> Vec<Batch> {
        while let Some(claim) = self.search.claim() {
            self.search.settle(claim.look_into());
        }
        let mut batches = Vec::new();
        while self.search.has_room(self.capacity.window) {
            match self.search.iterate() {
                Iteration::Batch(batch) => batches.push(batch),
                Iteration::Counted => self.counted += 1,
                Iteration::Complete | Iteration::Awaited => break,
            }
        }
        batches
    }

    pub(super) fn merge_next(&mut self) -> bool {
        self.search.merge_next()
    }

    pub(super) fn note(&mut self, capacity: ClusterCapacity) {
        self.capacity = capacity;
        self.search.set_capacity(capacity);
    }

    pub(super) fn take(&mut self, worker: WorkerId, tallies: Vec<Tally>) {
        let seed = self.scenario.seed;
        for tally in tallies {
            assert!(self.batches.insert(tally.batch), "seed {seed}: delivered twice");
            let counts = tally.answer.counts().expect("playouts were asked for");
            let sums = self.delivered.entry(worker).or_default();
            sums.0 += u64::from(counts.playouts());
            sums.1 += u64::from(2 * counts.losses + counts.draws);
            assert!(self.search.take(Some(worker), tally), "seed {seed}: unknown");
        }
    }

    pub(super) fn take_back(&mut self, worker: WorkerId) {
        self.search.take_back(worker);
        self.delivered.remove(&worker);
    }

    /// A new coordinator goes on with the tree.
    pub(super) fn restart(&mut self) {
        self.batches.clear();
        self.delivered.clear();
        self.capacity = ClusterCapacity::default();
        self.epoch += 1;
        let (tree, sums) = self.take_search().end();
        self.taken_back += sums.taken_back;
        let visits = tree.visits(tree.root());
        self.began = (visits, half_wins(&tree));
        self.counted = 0;
        let plan = plan(self.scenario, self.scenario.playouts.saturating_sub(visits));
        let id = root(self.session, self.epoch).id;
        self.search = Search::new(tree, id, Gomoku::new(&rules()), plan, 0);
    }

    /// Ends the search, which is settled, and asserts what every search promises.
    pub(super) fn finish(&mut self, at: Duration, standing: Vec<u64>, liars: &BTreeSet<WorkerId>) {
        let seed = self.scenario.seed;
        let batches = self.search.next_number();
        let (tree, sums) = self.take_search().end();
        assert_eq!(tree.unobserved_total(), 0, "seed {seed}: a virtual loss stayed");
        let visits = tree.visits(tree.root());
        assert_eq!(self.began.0 + sums.playouts, visits, "seed {seed}");
        let (playouts, won) =
            self.delivered.values().fold(self.began, |sum, it| (sum.0 + it.0, sum.1 + it.1));
        assert_eq!(playouts + self.counted, visits, "seed {seed}: what was taken back is gone");
        let open = tree.proof(tree.root()) == Proof::Open;
        if self.counted == 0 && open {
            assert_eq!(won, half_wins(&tree), "seed {seed}: no lie that was taken back is left");
        }
        let settlement = self.settlement.take().expect("a closed session is settled");
        let totals = settlement.totals;
        assert_eq!(totals.merged, batches, "seed {seed}: every batch is merged exactly once");
        let leases = totals.answered + totals.lost + totals.dead;
        assert_eq!(totals.sent, leases, "seed {seed}: every lease has one end: {totals:?}");
        let taken_back = self.taken_back + sums.taken_back;
        let of_liars = self.delivered.iter().filter(|(worker, _)| liars.contains(worker));
        let of_liars = of_liars.map(|(_, sums)| sums.0).sum();
        let digest = tree.digest();
        let best = tree.candidates(FinalMove::Visits)[0].mv;
        self.end = Some(End {
            digest,
            visits,
            best,
            batches,
            settlement,
            taken_back,
            of_liars,
            at,
            standing,
        });
    }

    fn take_search(&mut self) -> Search<Gomoku> {
        let (id, position) = (root(self.session, self.epoch).id, Gomoku::new(&rules()));
        let empty = Search::new(seedling(), id, position, plan(self.scenario, 1), 0);
        std::mem::replace(&mut self.search, empty)
    }
}

/// White's, who moved into the root.
fn half_wins(tree: &Tree) -> u64 {
    (tree.value(tree.root()) * 2.0 * tree.visits(tree.root()) as f64).round() as u64
}
