//! A machine with a worker on it: one thread, a queue, a speed. It runs real playouts, and some lie
//! about them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use banyan_games::Rng;
use banyan_jobs::{
    Answer, Batch, FromWorker, Prepared, Profile, Proof, RootId, Tally, ToWorker, Usage, WorkerId,
};

pub(super) struct Host {
    index: usize,
    /// Time of one playout.
    pace: Duration,
    connection: Option<WorkerId>,
    roots: BTreeMap<RootId, Prepared>,
    queue: VecDeque<Arc<Batch>>,
    /// When the batch at the front is done.
    done_at: Option<Duration>,
    frozen: Option<Duration>,
    /// Nothing passes to or from it until then.
    cut: Duration,
    honesty: Honesty,
    /// Tallies since it joined.
    sent: u32,
}

/// The honesty of a machine's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Honesty {
    /// Answers with what it counted.
    Honest,
    /// Sometimes something else.
    Liar,
    /// It was found to lie, and is not let in again.
    Found,
}

impl Host {
    /// Machines differ in speed by up to twenty times.
    pub(super) fn new(index: usize, honesty: Honesty, rng: &mut Rng) -> Host {
        Host {
            index,
            pace: Duration::from_micros(u64::from(50 + rng.below(950))),
            connection: None,
            roots: BTreeMap::new(),
            queue: VecDeque::new(),
            done_at: None,
            frozen: None,
            cut: Duration::ZERO,
            honesty,
            sent: 0,
        }
    }

    pub(super) fn honesty(&self) -> Honesty {
        self.honesty
    }

    /// Tallies since it joined, the one that it has just made with them.
    pub(super) fn sent(&self) -> u32 {
        self.sent
    }

    pub(super) fn found_out(&mut self) {
        self.honesty = Honesty::Found;
    }

    pub(super) fn is_connected(&self) -> bool {
        self.connection.is_some()
    }

    pub(super) fn cut_off(&mut self, until: Duration) {
        self.cut = until;
    }

    pub(super) fn cut_until(&self) -> Duration {
        self.cut
    }

    pub(super) fn is(&self, worker: WorkerId) -> bool {
        self.connection == Some(worker)
    }

    pub(super) fn connect(&mut self, worker: WorkerId) -> Profile {
        self.lose_connection();
        self.connection = Some(worker);
        self.sent = 0;
        Profile {
            name: format!("host-{}", self.index),
            threads: 1,
            build: "simulated".to_owned(),
            protocol: banyan_jobs::profile::PROTOCOL_VERSION,
            games: ["gomoku"]
                .map(|name| banyan_jobs::GameSupport {
                    name: name.to_owned(),
                    fingerprint: 0,
                    models: banyan_jobs::Digest::EMPTY,
                })
                .into(),
            evaluators: Vec::new(),
            spreads: false,
        }
    }

    pub(super) fn lose_connection(&mut self) {
        self.connection = None;
        self.queue.clear();
        self.roots.clear();
        self.done_at = None;
    }

    /// Dies; returns the connection that died with it.
    pub(super) fn crash(&mut self) -> Option<WorkerId> {
        let worker = self.connection;
        self.lose_connection();
        self.frozen = None;
        worker
    }

    pub(super) fn freeze(&mut self, until: Duration) {
        self.frozen = Some(until);
    }

    pub(super) fn frozen_until(&self, now: Duration) -> Option<Duration> {
        self.frozen.filter(|&thaw| thaw > now)
    }

    pub(super) fn hear(&mut self, message: ToWorker) -> Option<FromWorker> {
        match message {
            ToWorker::Root(root) => {
                let prepared = Prepared::new(&root).expect("the coordinator sends positions");
                self.roots.insert(root.id, prepared);
            }
            ToWorker::Lend(lent) => self.queue.extend(lent.into_iter().map(|lent| lent.batch)),
            ToWorker::Ping(nonce) => {
                return Some(FromWorker::Pong { nonce, usage: Usage::default() });
            }
            ToWorker::Forget(_)
            | ToWorker::Drop(_)
            | ToWorker::Need(_)
            | ToWorker::Part(_)
            | ToWorker::Welcome
            | ToWorker::Released
            | ToWorker::Farewell => {}
            ToWorker::Refused(why) => panic!("a worker was refused on an open connection: {why}"),
        }
        None
    }

    /// When the next batch is done, if that is not known to the queue already.
    pub(super) fn next_done(&mut self, now: Duration) -> Option<Duration> {
        if self.done_at.is_some() {
            return None;
        }
        let batch = self.queue.front()?;
        self.done_at = Some(now + self.pace * batch.job.cost());
        self.done_at
    }

    /// Finishes the batch at the front.
    pub(super) fn work(&mut self) -> Option<(WorkerId, Tally)> {
        let worker = self.connection?;
        self.done_at.take()?;
        let batch = self.queue.pop_front()?;
        let prepared = self.roots.get(&batch.root)?;
        let tally = prepared.run(&batch).expect("the coordinator lends legal batches");
        self.sent += 1;
        Some((worker, tally))
    }
}

/// Behaviour of liars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deceit {
    /// Something else each time.
    #[default]
    Mixed,
    /// All of them say the same: Black has won every game.
    Alike,
    /// Every reply that was looked at loses; of batches without replies as [`Deceit::Alike`].
    Proofs,
    /// As [`Deceit::Alike`], once in thirty tallies.
    Rare,
    /// As [`Deceit::Alike`], after twenty that are true.
    Later,
    /// As [`Deceit::Alike`]; they leave after a few and come back under another name.
    HitAndRun,
    /// As [`Deceit::Alike`], in every second tally.
    Often,
}

impl Deceit {
    /// All kinds.
    pub const ALL: [Deceit; 6] = [
        Deceit::Mixed,
        Deceit::Alike,
        Deceit::Proofs,
        Deceit::Rare,
        Deceit::Later,
        Deceit::HitAndRun,
    ];

    /// Tells whether the tally that a liar has just made, its `nth` since it joined, is changed.
    pub(super) fn lies_at(self, nth: u32, rng: &mut Rng) -> bool {
        match self {
            Deceit::Rare => rng.below(30) == 0,
            Deceit::Often => rng.below(2) == 0,
            Deceit::Later => nth > 20,
            _ => true,
        }
    }

    /// Tallies after which it leaves.
    pub(super) fn leaves_after(self) -> Option<u32> {
        (self == Deceit::HitAndRun).then_some(6)
    }

    /// A tally that its batch does not give, and that nobody can tell from a true one without playing.
    pub(super) fn lie(self, mut tally: Tally, rng: &mut Rng) -> Tally {
        match (self, &mut tally.answer) {
            (Deceit::Mixed, _) => return mixed(tally, rng),
            (Deceit::Proofs, Answer::Subtree(_, subtree)) => {
                let replies = subtree.groups.first().map_or(0, |group| usize::from(group.children));
                subtree.proofs[..replies].fill(Proof::Loss);
            }
            (_, answer) => {
                if let Some(counts) = answer.counts_mut() {
                    (counts.wins, counts.draws, counts.losses) = (counts.playouts(), 0, 0);
                }
            }
        }
        tally
    }
}

/// Something else each time.
fn mixed(mut tally: Tally, rng: &mut Rng) -> Tally {
    let Some(counts) = tally.answer.counts_mut() else { return tally };
    let amaf = counts.amaf.as_mut().filter(|amaf| amaf.visits.iter().any(|&visits| visits > 0));
    match (rng.below(3), amaf) {
        // Black wins everything, or nothing.
        (0, _) => {
            let all = counts.playouts();
            let black = if counts.wins == all { 0 } else { all };
            (counts.wins, counts.draws, counts.losses) = (black, 0, all - black);
        }
        // A move was never played.
        (1, Some(amaf)) => {
            let played = amaf.visits.iter().position(|&visits| visits > 0).expect("one is");
            (amaf.visits[played], amaf.half_wins[played]) = (0, 0);
        }
        _ => counts.plies += 1,
    }
    tally
}
