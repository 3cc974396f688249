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
        match message {
            ToWorker::Welcome => {
                self.gauges.is_let_in.store(true, Ordering::Relaxed);
                return Vec::new();
            }
            ToWorker::Ping(nonce) => {
                let mut usage = Usage::default();
                self.link.seen().nodes().iter().for_each(|(_, node)| usage += node.usage);
                return vec![FromWorker::Pong { nonce, usage }];
            }
            ToWorker::Need(model) => {
                let said = self.models.need(model).into_iter().collect();
                return self.pass_on(said);
            }
            ToWorker::Part(part) => {
                let said = self.models.take(part);
                return self.pass_on(said);
            }
            ToWorker::Lend(ref lent) => {
                self.gauges.held.fetch_add(lent.len(), Ordering::Relaxed);
            }
            _ => {}
        }
        let _ = self.to_work.send(Heard::Above(message));
        Vec::new()
    }

    fn held(&self) -> usize {
        self.gauges.held.load(Ordering::Relaxed)
    }

    fn forget_all(&mut self) {
        self.models.forget();
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
        loop {
            let answers = match self.heard.recv_timeout(LOOK_INTERVAL) {
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(heard) => {
                    // Before they are offered: the roots that follow are to find them here.
                    if let Heard::Models(evaluators, files) = &heard {
                        self.link.judge_by(evaluators.clone(), files.clone());
                    }
                    self.work.hear(heard)
                }
                Err(RecvTimeoutError::Timeout) => Vec::new(),
            };
            answers.into_iter().for_each(|answer| (self.sink)(answer));
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
        let works = |node: &&Node| node.present && !node.is_cluster;
        let present = nodes.iter().map(|(_, node)| node).filter(works);
        let threads = present.map(|node| node.threads).sum();
        let before = self.gauges.threads.swap(threads, Ordering::Relaxed);
        if threads == before {
            return;
        }
        if threads == 0 {
            tracing::info!("no worker is here: the other coordinator is left until one is");
        }
        if threads > 0 && before > 0 {
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
