//! Workers that are made up: they answer every batch with a tally of a pool, after a fixed time.
//!
//! To the coordinator they are workers like others. What it does for one that dialled in, it does for
//! these on the same threads: a task a worker each way, messages encoded and decoded. Only the socket
//! is left out. All of them live on one thread of their own, which does as little as it can.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_games::counts::Asked;
use banyan_games::{Move, rng::mix};
use banyan_jobs::{
    Answer, Batch, BatchId, Evaluate, Evaluators, FromWorker, Grow, Job, Lent, Offer, Playouts,
    Prepared, Profile, Root, Tally, ToWorker, Usage, WorkerId, Workspace, limits,
};
use banyan_knowledge::Policy;
use banyan_proto::bytes::{self, TallyBytes};
use banyan_scheduler::Event;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use tokio::sync::mpsc;

use crate::cluster::{Cluster, Command, Link};

/// Tallies that are drawn from, for each kind of batch: as many as this many playouts or evaluations give, but
/// no fewer and no more than so many.
const POOL_PLAYOUTS: usize = 20_000;
const POOL_EVALUATIONS: usize = 256;
const POOL_MIN: usize = 4;
const POOL_MAX: usize = 256;

/// Bits of a subtree batch's size that make another pool, a small one, once there are so many: sizes grow with the tree
/// unless they are fixed, and each pool is really played.
const SIZE_BITS: u32 = 3;
const POOLS_EXACT: usize = 8;

/// Pools of other sizes that are kept: a long search has thousands, and each is made of a played one in no time.
const POOLS_ALIKE_MAX: usize = 64;

/// Messages on their way up from one worker: what its window holds, a batch each.
const UP_MESSAGES_MAX: usize = 1024;

/// Transport of the messages of made-up workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// As bytes, encoded and decoded as for a socket.
    Bytes,
    /// As they are.
    InProcess,
}

/// Lets so many workers of one thread each join a cluster, which judge by `evaluators`; each answers after
/// `latency`. They leave with the cluster.
pub(crate) fn join(
    cluster: &Cluster,
    workers: u32,
    latency: Duration,
    carrier: Carrier,
    evaluators: Evaluators,
) -> std::io::Result<()> {
    // Unbounded in itself: it holds what is lent, which the windows bound.
    let (down, heard) = unbounded();
    let offers = Offer::all(&evaluators);
    let profile = Profile { evaluators: offers, ..banyan_worker::own_profile("simulated", 1) };
    let mut up = Vec::new();
    for index in 0..workers as usize {
        let (outbound, messages) = mpsc::channel(limits::OUTBOUND_MESSAGES_MAX);
        let (answers, answered) = mpsc::channel(UP_MESSAGES_MAX);
        let worker = cluster.link().next_worker();
        cluster.link().connect(worker, profile.clone(), outbound);
        cluster.spawn(carry_down(messages, index, down.clone(), carrier));
        cluster.spawn(carry_up(answered, worker, cluster.link().clone()));
        up.push(answers);
    }
    let crowd = Crowd {
        heard,
        up,
        latency,
        carrier,
        evaluators,
        prepared: None,
        pools: HashMap::new(),
        alike: HashMap::new(),
    };
    std::thread::Builder::new().name("simulated".to_owned()).spawn(move || crowd.run())?;
    Ok(())
}

/// Parts of a message that a made-up worker takes in.
enum Heard {
    Root(Arc<Root>),
    Lend(Vec<Asking>),
    Ping(u64),
}

/// Parts of a batch that are kept.
struct Asking {
    id: BatchId,
    kind: Kind,
    /// The first ply of its path; a pass where it has none.
    first: Move,
}

/// All that a tally depends on as far as a checking coordinator can see, and whether the other side is to
/// move at the leaf: the children of a subtree must be moves of the side that is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    work: Work,
    odd: bool,
}

/// Jobs that made-up workers answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Work {
    LeafParallel { playouts: u32, asked: Asked },
    Subtree { playouts: u32, asked: Asked, floor: u32, judged: bool },
    Evaluate { ownership: bool },
}

impl Work {
    /// Nothing for a subproblem or a game.
    fn of(job: &Job) -> Option<Work> {
        match job {
            Job::LeafParallel(it) => {
                Some(Work::LeafParallel { playouts: it.count, asked: it.asked })
            }
            Job::Subtree(Grow { playouts: it, floor, judged, .. }) => Some(Work::Subtree {
                playouts: it.count,
                asked: it.asked,
                floor: *floor,
                judged: *judged,
            }),
            Job::Evaluate(Evaluate { ownership }) => Some(Work::Evaluate { ownership: *ownership }),
            Job::Solve(_) | Job::Play(_) | Job::Try(_) | Job::Practise(_) | Job::Label(_) => None,
        }
    }

    fn job(self, seed: u64) -> Job {
        let uniform = |(count, asked)| Playouts { count, policy: Policy::Uniform, seed, asked };
        match self {
            Work::LeafParallel { playouts, asked } => Job::LeafParallel(uniform((playouts, asked))),
            Work::Subtree { playouts, asked, floor, judged } => Job::Subtree(Grow {
                playouts: uniform((playouts, asked)),
                floor,
                // What is known of a leaf would make the tally another, but no larger.
                known: Box::default(),
                judged,
                spread: None,
            }),
            Work::Evaluate { ownership } => Job::Evaluate(Evaluate { ownership }),
        }
    }

    /// The same with a size that is played for all that are hardly larger, and the playouts that it lacks.
    fn like(self) -> (Work, u32) {
        match self {
            Work::Subtree { playouts, asked, floor: _, judged } => {
                let bits = u32::BITS - playouts.leading_zeros();
                let less = playouts & ((1 << bits.saturating_sub(SIZE_BITS)) - 1);
                let playouts = playouts - less;
                let floor = Grow::floor_of(playouts, judged);
                (Work::Subtree { playouts, asked, floor, judged }, less)
            }
            other => (other, 0),
        }
    }

    /// Tallies to draw from.
    fn pool(self) -> usize {
        let (playouts, all) = match self {
            Work::LeafParallel { playouts, .. } => (playouts, POOL_PLAYOUTS),
            Work::Subtree { playouts, judged: false, .. } => (playouts, POOL_PLAYOUTS),
            Work::Subtree { playouts, judged: true, .. } => (playouts, POOL_EVALUATIONS),
            Work::Evaluate { .. } => (1, POOL_EVALUATIONS),
        };
        (all / playouts as usize).clamp(POOL_MIN, POOL_MAX)
    }
}

enum Parcel {
    Bytes(Vec<u8>),
    Message(FromWorker),
}

/// Does for one worker what the rpc edge does with its messages.
async fn carry_down(
    mut messages: mpsc::Receiver<ToWorker>,
    worker: usize,
    down: Sender<(Instant, usize, Heard)>,
    carrier: Carrier,
) {
    while let Some(message) = messages.recv().await {
        let heard = match &message {
            ToWorker::Root(root) => Some(Heard::Root(root.clone())),
            ToWorker::Lend(lent) => Some(Heard::Lend(lent.iter().filter_map(asking).collect())),
            ToWorker::Ping(nonce) => Some(Heard::Ping(*nonce)),
            _ => None,
        };
        if carrier == Carrier::Bytes {
            std::hint::black_box(bytes::of_to_worker(message));
        }
        if let Some(heard) = heard {
            let _ = down.send((Instant::now(), worker, heard));
        }
    }
}

/// Nothing for a subproblem: made-up workers play out and judge.
fn asking(Lent { batch, attempt: _ }: &Lent) -> Option<Asking> {
    let Batch { id, ref path, ref job, .. } = **batch;
    let kind = Kind { work: Work::of(job)?, odd: path.len() % 2 == 1 };
    Some(Asking { id, kind, first: path.first().copied().unwrap_or(Move::PASS) })
}

async fn carry_up(mut parcels: mpsc::Receiver<Parcel>, worker: WorkerId, link: Link) {
    while let Some(parcel) = parcels.recv().await {
        let message = match parcel {
            Parcel::Message(message) => message,
            Parcel::Bytes(bytes) => match bytes::read_from_worker(&bytes) {
                Ok(message) => message,
                Err(wrong) => {
                    tracing::error!("a made-up worker sent nonsense: {wrong}");
                    return;
                }
            },
        };
        if !link.send(Command::Event(Event::Said(worker, message))).await {
            return;
        }
    }
}

/// All made-up workers.
struct Crowd {
    heard: Receiver<(Instant, usize, Heard)>,
    up: Vec<mpsc::Sender<Parcel>>,
    latency: Duration,
    carrier: Carrier,
    evaluators: Evaluators,
    prepared: Option<Prepared>,
    /// Those that were played.
    pools: HashMap<Kind, Pool>,
    /// Those of other sizes.
    alike: HashMap<Kind, Pool>,
}

/// Tallies that were really played, from the root or one ply below it.
struct Pool {
    tallies: Vec<Tally>,
    encoded: Vec<TallyBytes>,
}

impl Crowd {
    /// Ends when the cluster does.
    fn run(mut self) {
        let mut due: VecDeque<(Instant, usize, Heard)> = VecDeque::new();
        loop {
            let next = due.front().map(|&(since, ..)| since + self.latency);
            let wait = next.map_or(self.latency, |at| at.saturating_duration_since(Instant::now()));
            match self.heard.recv_timeout(wait) {
                // The batches of a root follow it: what they need is played now.
                Ok((_, _, Heard::Root(root))) => self.prepare(&root),
                Ok(heard) => due.push_back(heard),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let now = Instant::now();
            while due.front().is_some_and(|&(since, ..)| since + self.latency <= now) {
                let Some((_, worker, heard)) = due.pop_front() else { break };
                self.answer(worker, heard);
            }
        }
    }

    fn prepare(&mut self, root: &Root) {
        if self.prepared.as_ref().is_none_or(|prepared| prepared.id() != root.id) {
            self.prepared = Prepared::with(root, &self.evaluators).ok();
        }
    }

    fn answer(&mut self, worker: usize, heard: Heard) {
        let parcel = match heard {
            Heard::Lend(batches) => self.tallies(&batches),
            Heard::Ping(nonce) => {
                Parcel::Message(FromWorker::Pong { nonce, usage: Usage::default() })
            }
            Heard::Root(_) => return,
        };
        // A full channel means that the cluster is far behind, and holds this thread back.
        let _ = self.up[worker].blocking_send(parcel);
    }

    fn tallies(&mut self, batches: &[Asking]) -> Parcel {
        // Not in the midst of a message: what it is answered with is drawn when all of it is there.
        if self.alike.len() >= POOLS_ALIKE_MAX {
            self.alike.clear();
        }
        for &Asking { kind, first, .. } in batches {
            let (Some(prepared), false) = (&self.prepared, self.alike.contains_key(&kind)) else {
                continue;
            };
            let is_exact = self.pools.len() < POOLS_EXACT || self.pools.contains_key(&kind);
            let (work, less) = if is_exact { (kind.work, 0) } else { kind.work.like() };
            let like = Kind { work, ..kind };
            let count = if is_exact { work.pool() } else { POOL_MIN };
            let play = || Pool::play(prepared, (like, first), count);
            let pool = self.pools.entry(like).or_insert_with(play);
            if like != kind {
                let pool = pool.with_more(less);
                self.alike.insert(kind, pool);
            }
        }
        let drawn = |&Asking { id, kind, .. }: &Asking| {
            let pool = self.alike.get(&kind).or_else(|| self.pools.get(&kind));
            pool.map(|pool| (id, pool, id.number() as usize % pool.tallies.len()))
        };
        let drawn = batches.iter().filter_map(drawn);
        match self.carrier {
            Carrier::Bytes => {
                Parcel::Bytes(bytes::tallies(drawn.map(|(id, pool, at)| (id, &pool.encoded[at]))))
            }
            Carrier::InProcess => {
                let tally = |(batch, pool, at): (_, &Pool, usize)| Tally {
                    batch,
                    ..pool.tallies[at].clone()
                };
                Parcel::Message(FromWorker::Tallies(drawn.map(tally).collect()))
            }
        }
    }
}

impl Pool {
    /// Plays so many.
    fn play(prepared: &Prepared, (Kind { work, odd }, first): (Kind, Move), count: usize) -> Pool {
        let root = prepared.id();
        let batch = |number: usize| Batch {
            id: BatchId::new(root.session, number as u64),
            root,
            path: if odd { vec![first] } else { Vec::new() },
            job: work.job(mix(number as u64)),
        };
        let batches: Vec<Batch> = (0..count).map(batch).collect();
        let batches: Vec<&Batch> = batches.iter().collect();
        let run = prepared.run_all(&batches, &mut Workspace::default()).into_iter();
        Pool::of(run.map(|tally| tally.expect("a legal path")).collect())
    }

    /// The same with so many playouts more at the leaf, which are lost.
    fn with_more(&self, playouts: u32) -> Pool {
        let mut tallies: Vec<Tally> = self.tallies.clone();
        for tally in &mut tallies {
            if let Answer::Subtree(counts, _) = &mut tally.answer {
                counts.losses += playouts;
            }
        }
        Pool::of(tallies)
    }

    fn of(tallies: Vec<Tally>) -> Pool {
        let encoded = tallies.iter().cloned().map(TallyBytes::of).collect();
        Pool { tallies, encoded }
    }
}
