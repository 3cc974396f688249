//! The threads that play out. They take batches from one queue and hand tallies to a sink.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banyan_jobs::{
    Batch, BatchId, Dropped, Evaluated, FromWorker, Prepared, RunError, Tally, Usage, Workspace,
};
use crossbeam_channel::{Receiver, Sender, unbounded};

/// Receiver of tallies. Called from the pool's threads; may block, which holds the pool back.
pub type Sink = Arc<dyn Fn(FromWorker) + Send + Sync>;

/// Time for which a tally waits for company in its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlushAfter(pub Duration);

impl FlushAfter {
    /// In process a message costs a microsecond or two: what waits only holds the tree back.
    pub const LOCAL: FlushAfter = FlushAfter(Duration::from_micros(100));
    /// On a socket it costs ten times that on both sides.
    pub const REMOTE: FlushAfter = FlushAfter(Duration::from_micros(300));
}

/// Tallies that make a message full.
const FLUSH_AT: usize = 64;

/// One batch in the queue.
#[derive(Debug)]
pub struct Queued {
    /// The root that it starts from.
    pub prepared: Prepared,
    /// The batch to play.
    pub batch: Arc<Batch>,
    /// Set when the batch's root is dead; the batch is then dropped without a tally.
    pub dead: Arc<AtomicBool>,
}

/// Threads with a queue.
///
/// The queue is unbounded in itself; it holds what the coordinator lends, which its window bounds.
#[derive(Debug)]
pub struct Pool {
    jobs: Option<Sender<Queued>>,
    gauges: Arc<Gauges>,
    threads: Vec<JoinHandle<()>>,
}

/// Numbers that the pool's threads publish; each has one meaning and is only ever added to or set.
#[derive(Debug, Default)]
struct Gauges {
    /// Batches taken in and not yet answered.
    held: AtomicUsize,
    /// Set once, by the owner that drops the pool: what is left in the queue is not played.
    closing: AtomicBool,
    /// Written by the owner, read by the threads.
    dropped: Arc<Dropped>,
    /// One entry a thread, written by that thread alone.
    used: Vec<Used>,
}

/// What one thread has used.
#[derive(Debug, Default)]
struct Used {
    /// Processor time, nanoseconds.
    cpu_ns: AtomicU64,
    /// Positions judged.
    evaluations: AtomicU64,
    /// Positions that could have been judged at once with them, and these.
    evaluations_room: AtomicU64,
}

impl Used {
    fn set(&self, cpu_ns: u64, evaluated: Evaluated) {
        self.cpu_ns.store(cpu_ns, Ordering::Relaxed);
        self.evaluations.store(evaluated.count, Ordering::Relaxed);
        self.evaluations_room.store(evaluated.room, Ordering::Relaxed);
    }

    fn get(&self) -> Usage {
        let evaluated = Evaluated {
            count: self.evaluations.load(Ordering::Relaxed),
            room: self.evaluations_room.load(Ordering::Relaxed),
        };
        Usage { cpu: Duration::from_nanos(self.cpu_ns.load(Ordering::Relaxed)), evaluated }
    }
}

impl Pool {
    /// Starts `threads` threads that answer into `sink`.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn start(threads: u32, flush_after: FlushAfter, sink: Sink) -> std::io::Result<Pool> {
        let (jobs, queue) = unbounded();
        let used = (0..threads).map(|_| Used::default()).collect();
        let gauges = Arc::new(Gauges { used, ..Gauges::default() });
        let spawn = |index: u32| {
            let (queue, sink, gauges) = (queue.clone(), sink.clone(), gauges.clone());
            let name = format!("playout-{index}");
            let space = Workspace::new(gauges.dropped.clone());
            let (index, tallies) = (index as usize, Vec::new());
            let thread = Player { queue, sink, flush_after, gauges, index, tallies, space };
            std::thread::Builder::new().name(name).spawn(move || thread.run())
        };
        let threads = (0..threads).map(spawn).collect::<Result<_, _>>()?;
        Ok(Pool { jobs: Some(jobs), gauges, threads })
    }

    /// Threads that play out.
    pub fn threads(&self) -> u32 {
        self.threads.len() as u32
    }

    /// Puts a batch at the end of the queue.
    pub fn push(&self, job: Queued) {
        self.gauges.held.fetch_add(1, Ordering::Relaxed);
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
    }

    /// No answer is expected to these batches: those in the queue are not played, and a subproblem that
    /// is searched ends soon.
    pub fn drop_batches(&self, batches: &[BatchId]) {
        self.gauges.dropped.add(batches);
    }

    /// Batches to come may have the names of those that were dropped.
    pub fn forget_dropped(&self) {
        self.gauges.dropped.clear();
    }

    /// Batches taken in and not yet answered.
    pub fn held(&self) -> usize {
        self.gauges.held.load(Ordering::Acquire)
    }

    /// What the pool's threads have used so far.
    pub fn usage(&self) -> Usage {
        let mut total = Usage::default();
        self.gauges.used.iter().for_each(|used| total += used.get());
        total
    }
}

impl Drop for Pool {
    /// Lets the threads finish the batch they are in, drops the rest, and waits for them.
    fn drop(&mut self) {
        self.gauges.closing.store(true, Ordering::Relaxed);
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// One thread of the pool.
struct Player {
    queue: Receiver<Queued>,
    sink: Sink,
    flush_after: FlushAfter,
    gauges: Arc<Gauges>,
    index: usize,
    /// Tallies to be sent, each with the flag of its root.
    tallies: Vec<(Tally, Arc<AtomicBool>)>,
    space: Workspace,
}

impl Player {
    fn run(mut self) {
        while let Ok(job) = self.queue.recv() {
            let mut next = Some(job);
            let started = Instant::now();
            while let Some(job) = next.take() {
                let together;
                self.make_way_for(&job);
                (together, next) = self.with_company(job);
                self.play(&together);
                if together[0].batch.job.is_waited_for() {
                    self.flush();
                } else if self.tallies.len() >= FLUSH_AT || started.elapsed() >= self.flush_after.0
                {
                    // What was taken from the queue must not wait for the message to be sent.
                    if let Some(job) = &next {
                        self.make_way_for(job);
                        self.play(std::slice::from_ref(job));
                    }
                    break;
                }
                next = next.or_else(|| self.queue.try_recv().ok());
            }
            self.flush();
        }
    }

    /// Sends what is done, where the next batch may take long.
    fn make_way_for(&mut self, job: &Queued) {
        if !job.batch.job.is_small() {
            self.flush();
        }
    }

    /// Small batches of one root and kind from the queue, to be played out or judged side by side, and the
    /// first from the queue that does not belong to them.
    fn with_company(&self, first: Queued) -> (Vec<Queued>, Option<Queued>) {
        let (root, mut playouts) = (first.prepared.id(), first.batch.job.cost());
        let playouts_max = first.batch.job.together_max();
        let mut together = vec![first];
        while playouts < playouts_max {
            let Ok(job) = self.queue.try_recv() else { break };
            let is_of_root = job.prepared.id() == root && Arc::ptr_eq(&job.dead, &together[0].dead);
            if !is_of_root || !job.batch.job.is_small_like(&together[0].batch.job) {
                return (together, Some(job));
            }
            playouts += job.batch.job.cost();
            together.push(job);
        }
        (together, None)
    }

    /// Plays batches of one root.
    fn play(&mut self, jobs: &[Queued]) {
        let closing = self.gauges.closing.load(Ordering::Relaxed);
        if closing || jobs[0].dead.load(Ordering::Relaxed) {
            self.gauges.held.fetch_sub(jobs.len(), Ordering::Release);
            return;
        }
        let batches: Vec<&Batch> = jobs.iter().map(|job| &*job.batch).collect();
        let answers = jobs[0].prepared.run_all(&batches, &mut self.space);
        for (answer, Queued { batch, dead, .. }) in answers.into_iter().zip(jobs) {
            match answer {
                Ok(tally) => self.tallies.push((tally, dead.clone())),
                Err(why) => {
                    let is_asked = !matches!(why, RunError::Dropped { .. });
                    if is_asked && !dead.load(Ordering::Relaxed) {
                        (self.sink)(FromWorker::Failed(batch.id, why.to_string()));
                    }
                    self.gauges.held.fetch_sub(1, Ordering::Release);
                }
            }
        }
    }

    fn flush(&mut self) {
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        let ns = used.tv_sec as u64 * 1_000_000_000 + used.tv_nsec as u64;
        self.gauges.used[self.index].set(ns, self.space.evaluated());
        if self.tallies.is_empty() {
            return;
        }
        let answered = self.tallies.len();
        // Of a root that died meanwhile nobody wants them: the connection that it came by may be another one now,
        // whose coordinator never lent these batches.
        let wanted = self.tallies.drain(..).filter(|(_, dead)| !dead.load(Ordering::Relaxed));
        let tallies: Vec<Tally> = wanted.map(|(tally, _)| tally).collect();
        if !tallies.is_empty() {
            (self.sink)(FromWorker::Tallies(tallies));
        }
        // After the sink has them: a drain that sees nothing held has nothing left to send.
        self.gauges.held.fetch_sub(answered, Ordering::Release);
    }
}
