//! One search by all workers: its top here, what is below lent out as subproblems.

mod classical;

mod endgame;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_games::{Color, Record};
use banyan_jobs::{
    Batch, BatchId, Claim, Crew, Epoch, Growing, Job, Lender, Purpose, Root, RootId, SessionId,
    Settlement, Solve, Solved, Tally, ToSearch,
};
use banyan_search::Searchable;
use banyan_search::parallel::{Below, Leaf, ParallelAlphaBeta, Subproblem};

use crate::mailbox::{Mailbox, mailbox};
pub(super) use classical::Together;
pub use endgame::Outcome;

/// Subproblems on their way for each two threads: one that waits is at hand when another is answered, but
/// is asked before that answer is known.
const SUBPROBLEMS_PER_TWO_THREADS: usize = 3;

/// Number of threads that make up for what they do not know of each other: those of this process know all of each
/// other, by one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enough {
    /// Number where some of them are this process's own,
    pub with_own: u32,
    /// and so many times as many as these.
    pub times_own: u32,
    /// Number where none is.
    pub without_own: u32,
}

impl Enough {
    /// For a search of all moves. (Measured: two are 1.1 to 1.3 times as fast as one, four twice; one alone
    /// goes on with the table of its last move. In the endgame two are slower than one, FFO 40 to 44: 20 s
    /// against 16.)
    pub const ALL_MOVES: Enough = Enough { with_own: 4, times_own: 2, without_own: 1 };

    /// For a search that leaves late moves out: there the table is worth more than many threads. (Measured:
    /// four are 0.7 to 1.4 times as fast as one in Gomoku, 0.9 to 2.0 times in Connect6; sixteen no faster in
    /// Gomoku, three times in Connect6.) The thread that asks, which waits for the others, searches alone
    /// where they are fewer, even if this process lends no thread to playouts.
    pub const FEW_MOVES: Enough = Enough { with_own: 16, times_own: 4, without_own: 4 };

    fn is_reached(self, crews: &[Crew]) -> bool {
        let own: u32 = crews.iter().filter(|crew| crew.is_own).map(|crew| crew.threads).sum();
        count(crews)
            >= match own {
                0 => self.without_own,
                own => self.with_own.max(self.times_own * own),
            }
    }
}

/// Between two looks at the clock and at a request to stop, when no answer comes.
const PATIENCE: Duration = Duration::from_millis(40);

/// The cluster answers a closed search at once.
const SETTLE_TIME_MAX: Duration = Duration::from_millis(500);

/// A way to all workers.
#[derive(Clone, Debug)]
pub struct Shared {
    lender: Arc<dyn Lender>,
    /// The session under which subproblems are lent.
    session: SessionId,
    claim: Claim,
    epoch: u32,
    next_number: u64,
}

impl Shared {
    /// A session of its own with a cluster.
    pub fn new(lender: Arc<dyn Lender>) -> Shared {
        let (session, claim) = (lender.new_session(), Claim::default());
        Shared { session, claim, lender, epoch: 0, next_number: 0 }
    }

    /// The same with another claim on the cluster.
    pub fn claiming(self, claim: Claim) -> Shared {
        Shared { claim, ..self }
    }

    /// Threads that would answer.
    pub fn threads(&self) -> u32 {
        count(&self.lender.crews())
    }

    /// Tells whether a search should be shared with the threads there are.
    pub fn is_worth_sharing(&self, enough: Enough) -> bool {
        enough.is_reached(&self.lender.crews())
    }

    /// Tells whether this is idle work, a book that grows.
    pub fn is_idle(&self) -> bool {
        self.claim.purpose == Purpose::Idle
    }

    /// Threads of this process that would answer.
    pub fn own_threads(&self) -> u32 {
        self.lender.crews().iter().filter(|crew| crew.is_own).map(|crew| crew.threads).sum()
    }

    /// Tells whether the searches of several positions should be shared: with workers always, since there is no
    /// table to be lost by it that this process's own threads would not keep.
    pub fn is_worth_pondering(&self) -> bool {
        self.lender.crews().iter().any(|crew| !crew.is_own && crew.threads > 0)
    }

    /// Another session with the same cluster, with a claim of its own.
    pub fn anew(&self, claim: Claim) -> Shared {
        Shared::new(self.lender.clone()).claiming(claim)
    }

    /// Begins to ask about positions that follow from the end of a record, whose game goes on.
    fn open<G: Searchable>(&mut self, record: &Record<G>, side: Color) -> Asking<'_> {
        self.epoch += 1;
        let root = RootId { session: self.session, epoch: Epoch(self.epoch) };
        let (post, inbox) = mailbox();
        let sent = Root::of(record, side, root, Growing::of(G::KIND));
        let post = Box::new(move |news| post.send(news));
        self.lender.open(Arc::new(sent), self.claim, post);
        Asking {
            shared: self,
            inbox,
            root,
            on_their_way: HashMap::new(),
            answered: HashMap::new(),
            again: HashMap::new(),
            sure: HashSet::new(),
            threads: 1,
            nodes: 0,
        }
    }
}

fn count(crews: &[Crew]) -> u32 {
    crews.iter().map(|crew| crew.threads).sum()
}

/// Subproblems under way.
struct Asking<'a> {
    shared: &'a mut Shared,
    inbox: Mailbox<ToSearch>,
    root: RootId,
    /// One entry a subproblem that was lent: at most three for two threads of the cluster.
    on_their_way: HashMap<BatchId, (Leaf, Batch)>,
    /// Answers in this run of workers whose word may be doubted: at most one entry a leaf.
    answered: HashMap<Leaf, (Batch, Solved)>,
    /// Those that are asked for once more, and those of which the second answer was like the first.
    again: HashMap<BatchId, Leaf>,
    sure: HashSet<Leaf>,
    threads: u32,
    /// Positions that were looked at.
    nodes: u64,
}

/// Outcome of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// The value at the root is known.
    Solved,
    /// It was long enough.
    Stopped,
    /// Two answers to what decides differ, and nobody knows which is right.
    Doubtful,
    /// Somebody's answers were lies, and what followed from them is worth nothing.
    Deceived,
}

impl Asking<'_> {
    /// Asks and takes answers in until the search is solved, or `goes_on`, which is asked with the
    /// positions so far, says no.
    ///
    /// - `job`: what is asked of a leaf.
    /// - `deciding`: the leaves that decide, once it is solved; those are asked about twice.
    fn run<G: Searchable, B: Below<G>>(
        &mut self,
        parallel: &mut ParallelAlphaBeta<G, B>,
        job: &dyn Fn(&Subproblem) -> Solve,
        deciding: &dyn Fn(&ParallelAlphaBeta<G, B>) -> Vec<Leaf>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> End {
        self.answered.clear();
        self.sure.clear();
        let end = loop {
            let is_solved = parallel.is_solved();
            if is_solved && self.is_sure(&deciding(parallel)) {
                break End::Solved;
            }
            if !goes_on(self.nodes) {
                break if is_solved { End::Doubtful } else { End::Stopped };
            }
            if !is_solved {
                self.ask(parallel, job);
            }
            let mut message = self.inbox.take_until(Instant::now() + PATIENCE);
            let mut worst = None;
            while let Some(heard) = message {
                worst = worst.max(self.take(heard, parallel));
                message = self.inbox.take();
            }
            if let Some(end) = worst {
                break end;
            }
            self.take_back(parallel, |parallel, leaf| !parallel.matters(leaf));
        };
        self.take_back(parallel, |_, _| true);
        self.again.clear();
        end
    }

    /// Tells whether any answer of this run rests on a single word that may be doubted.
    fn has_doubts(&self) -> bool {
        self.answered.keys().any(|&leaf| self.is_doubted(leaf))
    }

    /// Tells whether the answer of a leaf is the single word of somebody who may be doubted.
    fn is_doubted(&self, leaf: Leaf) -> bool {
        self.answered.contains_key(&leaf) && !self.sure.contains(&leaf)
    }

    /// Tells whether each of these leaves was answered twice alike, or by who is not doubted; asks for the second
    /// answers that are missing.
    fn is_sure(&mut self, deciding: &[Leaf]) -> bool {
        let open: Vec<Leaf> =
            deciding.iter().filter(|&&leaf| self.is_doubted(leaf)).copied().collect();
        let mut batches = Vec::new();
        for &leaf in &open {
            if let Some((batch, _)) = self.answered.get(&leaf)
                && !self.again.values().any(|&asked| asked == leaf)
            {
                let id = BatchId::new(self.shared.session, self.shared.next_number);
                self.shared.next_number += 1;
                self.again.insert(id, leaf);
                batches.push(Batch { id, ..batch.clone() });
            }
        }
        if !batches.is_empty() {
            self.shared.lender.submit(self.shared.session, batches);
        }
        open.is_empty()
    }

    /// Subproblems that were lent so far, by this search and those before.
    fn asked(&self) -> u64 {
        self.shared.next_number
    }

    fn ask<G: Searchable, B: Below<G>>(
        &mut self,
        parallel: &mut ParallelAlphaBeta<G, B>,
        job: &dyn Fn(&Subproblem) -> Solve,
    ) {
        let room = SUBPROBLEMS_PER_TWO_THREADS * self.threads as usize / 2 + 1;
        let mut batches = Vec::new();
        while self.on_their_way.len() < room
            && let Some(subproblem) = parallel.ask()
        {
            let id = BatchId::new(self.shared.session, self.shared.next_number);
            self.shared.next_number += 1;
            let job = Job::Solve(job(&subproblem));
            let batch = Batch { id, root: self.root, path: subproblem.path, job };
            self.on_their_way.insert(id, (subproblem.leaf, batch.clone()));
            batches.push(batch);
        }
        if !batches.is_empty() {
            self.shared.lender.submit(self.shared.session, batches);
        }
    }

    /// Returns how the run ends, where this ends it.
    fn take<G: Searchable, B: Below<G>>(
        &mut self,
        message: ToSearch,
        parallel: &mut ParallelAlphaBeta<G, B>,
    ) -> Option<End> {
        match message {
            ToSearch::Tallies(from, tallies) => {
                let mut are_alike = true;
                for tally in &tallies {
                    are_alike &= self.count(tally, from.is_some(), parallel);
                }
                return (!are_alike).then_some(End::Doubtful);
            }
            ToSearch::Capacity(capacity) => self.threads = capacity.threads,
            ToSearch::TakeBack(_) => return Some(End::Deceived),
            ToSearch::Settled(_) => {}
        }
        None
    }

    /// Takes an answer in; returns whether it is like an earlier one to the same question.
    fn count<G: Searchable, B: Below<G>>(
        &mut self,
        tally: &Tally,
        is_doubted: bool,
        parallel: &mut ParallelAlphaBeta<G, B>,
    ) -> bool {
        let asked = self.on_their_way.remove(&tally.batch);
        let Some(solved) = tally.answer.solved() else { return true };
        self.nodes += u64::from(solved.nodes);
        if let Some((leaf, batch)) = asked {
            parallel.answer(leaf, solved.bound);
            if is_doubted {
                self.sure.remove(&leaf);
                self.answered.insert(leaf, (batch, solved));
            } else {
                self.answered.remove(&leaf);
            }
            return true;
        }
        let Some(leaf) = self.again.remove(&tally.batch) else { return true };
        let is_alike = self.answered.get(&leaf).is_none_or(|(_, first)| *first == solved);
        if is_alike {
            self.sure.insert(leaf);
        }
        is_alike
    }

    /// Takes back what a bound has decided: nobody needs to look for it any more.
    fn take_back<G: Searchable, B: Below<G>>(
        &mut self,
        parallel: &mut ParallelAlphaBeta<G, B>,
        is_useless: impl Fn(&mut ParallelAlphaBeta<G, B>, Leaf) -> bool,
    ) {
        let useless = self.on_their_way.extract_if(|_, (leaf, _)| {
            let is_useless = is_useless(parallel, *leaf);
            if is_useless {
                parallel.take_back(*leaf);
            }
            is_useless
        });
        let useless: Vec<BatchId> = useless.map(|(batch, _)| batch).collect();
        if !useless.is_empty() {
            self.shared.lender.drop_batches(self.shared.session, useless);
        }
    }

    fn close(self) -> Settlement {
        self.shared.lender.close(self.shared.session);
        let deadline = Instant::now() + SETTLE_TIME_MAX;
        while let Some(message) = self.inbox.take_until(deadline) {
            if let ToSearch::Settled(settlement) = message {
                return settlement;
            }
        }
        Settlement::default()
    }
}
