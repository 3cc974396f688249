//! This cluster as a worker of another coordinator's: what that one lends is lent on, and a subtree batch that
//! is to be spread grows here, by parts.
//!
//! Models come from that one as to any worker, and are passed on to the workers here.
//!
//! Reading order: `work` (what is held, and what each message means), here the thread that owns it and the link
//! that feeds it.

mod work;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banyan_jobs::{Evaluators, FromWorker, Offer, Profile, ToWorker, Usage, limits};
use banyan_worker::dial::Address;
use banyan_worker::link::{self, Joining, LinkError};
use banyan_worker::models::Models;
use banyan_worker::{Sink, Workforce};
use tokio::runtime;
use tokio::sync::watch;

use self::work::{Heard, Work};
use crate::cluster::Link;
use crate::view::Node;

/// Between two looks at who works here.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// The coordinator that a cluster works for, and as who.
#[derive(Clone, Debug)]
pub struct Join {
    /// Address of that coordinator.
    pub address: Address,
    /// Name in its tables.
    pub name: String,
    /// Those that this cluster has of itself.
    pub evaluators: Evaluators,
}

/// A cluster that works for another one; it drains when this is dropped.
#[derive(Debug)]
pub struct Upstream {
    drain: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Upstream {
    /// Joins whenever there are workers here, and leaves when there are none, until it is dropped.
    ///
    /// - `refused`: called when the coordinator will not have it from the first; one that put it out later, or had it
    ///   drain, is left, and this cluster goes on for its own front ends.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread or runtime to give.
    pub fn start(
        join: Join,
        link: &Link,
        refused: impl FnOnce(LinkError) + Send + 'static,
    ) -> std::io::Result<Upstream> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let (drain, draining) = watch::channel(false);
        let link = link.clone();
        let thread =
            std::thread::Builder::new().name("upstream-link".to_owned()).spawn(move || {
                let Join { address, name, evaluators } = join;
                let gauges = Arc::<Gauges>::default();
                let seen = gauges.clone();
                let (is_fit, fit) = watch::channel(false);
                let profile = Profile { spreads: true, ..banyan_worker::profile(&name, 1) };
                let start = |sink| {
                    let crowd = Crowd::start(link, evaluators, gauges, (sink, is_fit))?;
                    Ok(Box::new(crowd) as Box<_>)
                };
                let mut until = draining.clone();
                let drained = async move { drop(until.wait_for(|&draining| draining).await) };
                let joined = link::join(address.clone(), Joining { profile, fit }, start, drained);
                let alone = "this cluster works for it no more until it is started again";
                match runtime.block_on(joined) {
                    Err(error) if seen.is_let_in.load(Ordering::Relaxed) => {
                        tracing::error!("{address}: {error}: {alone}");
                    }
                    Err(error) => refused(error),
                    Ok(()) if !*draining.borrow() => {
                        tracing::warn!("{address} had this cluster drain: {alone}");
                    }
                    Ok(()) => {}
                }
            })?;
        Ok(Upstream { drain, thread: Some(thread) })
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.drain.send_replace(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// All who work for this cluster, as one worker.
struct Crowd {
    to_work: Sender<Heard>,
    link: Link,
    models: Models,
    gauges: Arc<Gauges>,
}

/// Numbers that are shown of it.
#[derive(Debug, Default)]
struct Gauges {
    /// Batches taken in and not yet answered.
    held: AtomicUsize,
    /// Threads that play out here.
    threads: AtomicU32,
    /// Tells whether the coordinator ever welcomed it.
    is_let_in: AtomicBool,
    /// Connections that ended so far, count.
    ended: AtomicUsize,
}

impl Crowd {
    fn start(
        link: Link,
        evaluators: Evaluators,
        gauges: Arc<Gauges>,
        (sink, is_fit): (Sink, watch::Sender<bool>),
    ) -> std::io::Result<Crowd> {
        let (to_work, heard) = mpsc::channel();
        let models = Models::beginning_with(evaluators.clone()).passing_on();
        let work = Work::new(link.clone(), evaluators, to_work.clone());
        let thread =
            Thread { heard, work, link: link.clone(), gauges: gauges.clone(), sink, is_fit };
        std::thread::Builder::new().name("upstream".to_owned()).spawn(move || thread.run())?;
        Ok(Crowd { to_work, link, models, gauges })
    }

    /// Passes models that came on to the thread that owns the work, which offers them.
    fn pass_on(&mut self, mut said: Vec<FromWorker>) -> Vec<FromWorker> {
        let files = self.models.arrivals();
        if !files.is_empty() {
            let _ = self.to_work.send(Heard::Models(self.models.evaluators().clone(), files));
            said.retain(|it| !matches!(it, FromWorker::Offers(_)));
        }
        said
    }
}

impl Workforce for Crowd {
    fn handle(&mut self, message: ToWorker) -> Vec<FromWorker> {
        // A large model may have been read since the last one: pings come all the time.
        let mut said = self.models.settle();
        match message {
            ToWorker::Welcome => self.gauges.is_let_in.store(true, Ordering::Relaxed),
            ToWorker::Ping(nonce) => {
                let mut usage = Usage::default();
                self.link.seen().nodes().iter().for_each(|(_, node)| usage += node.usage);
                said.push(FromWorker::Pong { nonce, usage });
            }
            ToWorker::Need(model) => said.extend(self.models.need(model)),
            ToWorker::Part(part) => said.extend(self.models.take(part)),
            message => {
                if let ToWorker::Lend(lent) = &message {
                    self.gauges.held.fetch_add(lent.len(), Ordering::Relaxed);
                }
                let _ = self.to_work.send(Heard::Above(message));
            }
        }
        self.pass_on(said)
    }

    fn held(&self) -> usize {
        self.gauges.held.load(Ordering::Relaxed)
    }

    fn forget_all(&mut self) {
        self.models.forget();
        // Before all that waits to be heard: its answers are to be thrown away.
        self.gauges.ended.fetch_add(1, Ordering::AcqRel);
        let _ = self.to_work.send(Heard::Alone);
    }

    fn offers(&self) -> Vec<Offer> {
        self.models.offers()
    }

    fn threads(&self) -> u32 {
        self.gauges.threads.load(Ordering::Relaxed).clamp(1, limits::THREADS_MAX)
    }
}

/// Owns the work.
struct Thread {
    heard: Receiver<Heard>,
    work: Work,
    link: Link,
    gauges: Arc<Gauges>,
    sink: Sink,
    is_fit: watch::Sender<bool>,
}

impl Thread {
    /// Until the link is gone.
    fn run(mut self) {
        self.look();
        if self.gauges.threads.load(Ordering::Relaxed) == 0 {
            tracing::info!("the other coordinator is joined as soon as a worker is here");
        }
        let mut looked = Instant::now();
        let mut ended = 0;
        loop {
            let answers = match self.heard.recv_timeout(LOOK_INTERVAL) {
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(heard) => {
                    ended += usize::from(matches!(heard, Heard::Alone));
                    // Before they are offered: the roots that follow are to find them here.
                    if let Heard::Models(evaluators, files) = &heard {
                        self.link.judge_by(evaluators.clone(), files.clone());
                    }
                    self.work.hear(heard)
                }
                Err(RecvTimeoutError::Timeout) => Vec::new(),
            };
            // The next connection knows nothing of what was lent by one that is gone.
            for answer in answers {
                if ended == self.gauges.ended.load(Ordering::Acquire) {
                    (self.sink)(answer);
                }
            }
            // A drain ends when nothing is held, so not before its answer is on the way.
            self.gauges.held.fetch_sub(self.work.take_ended(), Ordering::Relaxed);
            if looked.elapsed() >= LOOK_INTERVAL {
                self.look();
                looked = Instant::now();
            }
        }
    }

    /// Says how many work here, where that has changed.
    fn look(&mut self) {
        let nodes = self.link.seen().nodes();
        // What is lent here goes to no cluster below this one, which might be the one above.
        let own = nodes.iter().map(|(_, node)| node).filter(|node: &&Node| !node.is_cluster);
        let threads = own.map(Node::playing_threads).sum();
        let before = self.gauges.threads.swap(threads, Ordering::Relaxed);
        if threads == before {
            return;
        }
        if threads == 0 {
            tracing::info!("no worker is here: the other coordinator is left until one is");
        }
        // It may be connected all the same, if nobody was missed for long.
        if threads > 0 {
            (self.sink)(FromWorker::Threads(threads.min(limits::THREADS_MAX)));
        }
        self.is_fit.send_replace(threads > 0);
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        let _ = self.to_work.send(Heard::End);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Color, Kind, Record};
    use banyan_jobs::{Attempt, Batch, BatchId, Evaluate, Growing, Job, Lent, Root, RootId};

    use super::*;

    /// A batch of a root that nobody told of, which is answered at once: it failed.
    fn lend(number: u64) -> Heard {
        let rules = GoRules::new(9, 15).expect("a board");
        let record = Record::<Go>::new(&rules);
        let root = Root::of(&record, Color::Black, RootId::default(), Growing::of(Kind::Go));
        let id = BatchId::new(root.id.session, number);
        let job = Job::Evaluate(Evaluate { ownership: false });
        let batch = Arc::new(Batch { id, root: root.id, path: Vec::new(), job });
        Heard::Above(ToWorker::Lend(vec![Lent { batch, attempt: Attempt(1) }]))
    }

    #[test]
    fn what_a_lost_connection_lent_is_not_answered_over_the_next() {
        let (to_work, heard) = mpsc::channel();
        let (said, gauges) = (Arc::new(Mutex::new(Vec::new())), Arc::<Gauges>::default());
        let sink: Sink = {
            let said = said.clone();
            Arc::new(move |message| said.lock().expect("no panic under the lock").push(message))
        };
        let (commands, _nobody) = tokio::sync::mpsc::channel(1);
        let (stops, _nobody_either) = tokio::sync::mpsc::channel(1);
        let link = Link::new(commands, stops, Arc::default());
        let work = Work::new(link.clone(), Evaluators::default(), to_work.clone());
        let (is_fit, _fit) = watch::channel(false);
        let models = Models::beginning_with(Evaluators::default());
        let mut crowd =
            Crowd { to_work: to_work.clone(), link: link.clone(), models, gauges: gauges.clone() };
        to_work.send(lend(1)).expect("it is heard");
        crowd.forget_all();
        to_work.send(lend(2)).expect("it is heard");
        drop(crowd);
        Thread { heard, work, link, gauges, sink, is_fit }.run();
        let said = said.lock().expect("no panic under the lock");
        let failed = |message: &FromWorker| match message {
            FromWorker::Failed(batch, _) => batch.number(),
            other => panic!("{other:?}"),
        };
        assert_eq!(said.iter().map(failed).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn who_only_judges_or_drains_plays_out_nothing() {
        let player = Node { threads: 2, present: true, ..Node::default() };
        assert_eq!(player.playing_threads(), 2);
        let judge = Node { threads: 32, judges_by: Some("b6".to_owned()), ..player.clone() };
        let draining = Node { draining: true, ..player.clone() };
        let gone = Node { present: false, ..player };
        assert_eq!([judge, draining, gone].map(|node| node.playing_threads()), [0; 3]);
    }
}
