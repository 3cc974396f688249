//! Drives the scheduler: gives it the clock and the links, and does what it says.
//!
//! One thread with one runtime. The rpc edge runs on it too; playouts and the tree never do.

use std::collections::HashMap;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banyan_jobs::Batch;
use banyan_jobs::{
    FromWorker, Prepared, Profile, Root, SessionId, Tally, ToWorker, WorkerId, limits,
};
use banyan_worker::{FlushAfter, Sink, Worker};
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;

use crate::busy::Busy;
use crate::mailbox::Post;
use crate::rpc::{Security, TlsError};
use crate::scheduler::{Action, Auditing, Dismissal, Event, Room, Scheduler, Settlement, Slack};
use crate::view::View;

/// How often the scheduler hears that time has passed.
const TICK: Duration = Duration::from_millis(40);

/// The loop turns at least once a tick; after a pause this long the process itself was stopped.
const STALL_MIN: Duration = Duration::from_millis(500);

/// A search that no worker plays for gets a thread of this process after so long.
const STARVED_MAX: Duration = Duration::from_secs(1);

/// Workers are told of the end within this, or find out by themselves.
const FAREWELL_MAX: Duration = Duration::from_secs(1);

/// For the farewells to reach the sockets.
const FAREWELL_WRITES: Duration = Duration::from_millis(20);

/// Events handled between two looks at the tick, so that a flood cannot starve it.
const EVENTS_PER_TURN_MAX: usize = 256;

/// What the driver is asked to do.
pub(crate) enum Command {
    /// Something happened.
    Event(Event),
    /// A remote worker was welcomed; messages for it go there.
    Connected(WorkerId, Profile, mpsc::Sender<ToWorker>),
    /// A session has a new root; what concerns it goes there.
    Open(Arc<Root>, Post<ToGrower>),
    /// Publish the view now, then answer.
    Refresh(oneshot::Sender<()>),
    /// Tell the workers, end the loop, answer.
    Stop(std::sync::mpsc::Sender<()>),
}

/// From the cluster to a session's grower.
///
/// The mailbox is unbounded in itself: it holds at most one message for each batch in flight, which
/// `limits::BATCHES_IN_FLIGHT_MAX` bounds, and a few windows.
#[derive(Debug)]
pub enum ToGrower {
    /// Tallies of its batches, and the worker that sent them where its word may be doubted.
    Tallies(Option<WorkerId>, Vec<Tally>),
    /// What this worker sent was lies.
    TakeBack(WorkerId),
    /// What the cluster can do for it.
    Room(Room),
    /// Its search is closed.
    Settled(Settlement),
}

/// Local threads and where to listen.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Threads of this process that play out; 0 for none.
    pub threads: u32,
    /// Accept workers here.
    pub listen: Option<SocketAddr>,
    /// Who may join there.
    pub security: Security,
    /// Serve metrics here.
    pub metrics: Option<SocketAddr>,
    /// The game that workers must know.
    pub kind: banyan_games::Kind,
    /// One batch in so many is played again elsewhere and compared; 0 for none.
    pub audit_every: u32,
}

/// Why a cluster cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// An address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// Certificates that are none.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// No thread or runtime to be had.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// A running cluster; it stops when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    link: Link,
    listening: Option<SocketAddr>,
    runtime: tokio::runtime::Handle,
    thread: Option<JoinHandle<()>>,
}

/// A way to talk to the cluster from any thread.
#[derive(Clone, Debug)]
pub struct Link {
    commands: mpsc::Sender<Command>,
    view: Arc<View>,
    busy: Arc<Busy>,
    /// The number of the next worker that joins.
    next_worker: Arc<AtomicU64>,
}

impl Cluster {
    /// Starts the driver, the local threads and the listener.
    ///
    /// # Errors
    /// [`ClusterError`] when an address or a thread is not to be had.
    pub fn start(setup: &Setup) -> Result<Cluster, ClusterError> {
        let (commands, inbox) = mpsc::channel(limits::EVENTS_WAITING_MAX);
        let link = Link {
            commands,
            view: Arc::default(),
            busy: Arc::default(),
            next_worker: Arc::default(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let locks = setup.security.locks()?;
        let listener = setup.listen.map(|address| listen(&runtime, address)).transpose()?;
        let metrics = setup.metrics.map(|address| listen(&runtime, address)).transpose()?;
        let listening = listener.as_ref().and_then(|listener| listener.local_addr().ok());
        let auditing = Auditing { every: setup.audit_every, salt: rand::random() };
        let mut driver = Driver::new(link.clone(), auditing);
        if setup.threads > 0 {
            driver.start_local(setup.threads)?;
        }
        let (edge_link, kind) = (link.clone(), setup.kind);
        let thread = std::thread::Builder::new().name("cluster".to_owned()).spawn(move || {
            runtime.block_on(async move {
                if let Some(metrics) = metrics {
                    let (view, busy) = (edge_link.view.clone(), edge_link.busy.clone());
                    tokio::spawn(crate::metrics::serve(metrics, view, busy));
                }
                if let Some(listener) = listener {
                    tokio::spawn(crate::rpc::serve(listener, locks, edge_link, kind));
                }
                driver.run(inbox).await;
            });
            // Streams of workers must not hold the process back.
            runtime.shutdown_timeout(Duration::from_millis(200));
        })?;
        Ok(Cluster { link, listening, runtime: handle, thread: Some(thread) })
    }

    /// A way to talk to it.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Runs a task on the cluster's thread, until it is done or the cluster stops.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(task);
    }

    /// Where it listens, with the port that it was given.
    pub fn listening(&self) -> Option<SocketAddr> {
        self.listening
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.link.farewell();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn listen(
    runtime: &tokio::runtime::Runtime,
    address: SocketAddr,
) -> Result<tokio::net::TcpListener, ClusterError> {
    let bind = async { tokio::net::TcpListener::bind(address).await };
    runtime.block_on(bind).map_err(|error| ClusterError::Listen(address, error))
}

impl Link {
    /// Opens a search: everything the session had before is dead.
    pub(crate) fn open(&self, root: Arc<Root>, grower: Post<ToGrower>) {
        let _ = self.commands.blocking_send(Command::Open(root, grower));
    }

    /// Hands over new batches; waits while the cluster has too much to do.
    pub fn submit(&self, session: SessionId, batches: Vec<Batch>) {
        self.tell(Event::Submitted(session, batches));
    }

    /// Closes a search; [`ToGrower::Settled`] follows.
    pub fn close(&self, session: SessionId) {
        self.tell(Event::Closed(session));
    }

    /// Lends to one worker alone, or to all again: for measuring what one contributes.
    pub fn restrict(&self, only: Option<WorkerId>) {
        self.tell(Event::Restrict(only));
    }

    /// The view, brought up to date first.
    pub fn view(&self) -> &View {
        let (done, published) = oneshot::channel();
        if self.commands.blocking_send(Command::Refresh(done)).is_ok() {
            let _ = published.blocking_recv();
        }
        &self.view
    }

    /// Waits until so many workers have dialled in, at most `timeout`; returns how many are there.
    pub fn wait_for_workers(&self, wanted: usize, timeout: Duration) -> usize {
        let deadline = Instant::now() + timeout;
        loop {
            let nodes = self.view().nodes();
            let came = nodes.iter().filter(|(_, node)| node.present && !node.local).count();
            if came >= wanted || Instant::now() >= deadline {
                return came;
            }
            std::thread::sleep(TICK);
        }
    }

    /// A name for a worker that joins.
    pub(crate) fn next_worker(&self) -> WorkerId {
        WorkerId(self.next_worker.fetch_add(1, Ordering::Relaxed))
    }

    /// Lets a worker in; messages for it go to `outbound`.
    pub(crate) fn connect(&self, id: WorkerId, profile: Profile, outbound: mpsc::Sender<ToWorker>) {
        let _ = self.commands.blocking_send(Command::Connected(id, profile, outbound));
    }

    /// Processor time of the coordinator's own threads; the cluster's is as of the last look at the
    /// view.
    pub fn busy(&self) -> &Busy {
        &self.busy
    }

    /// Workers present, by the last look.
    pub fn present(&self) -> usize {
        self.view.present()
    }

    /// The name of a worker, also of one that is gone.
    pub(crate) fn name_of(&self, worker: WorkerId) -> String {
        self.view.name(worker).unwrap_or_else(|| worker.to_string())
    }

    /// Connections that were refused, count; written at the door.
    pub(crate) fn refused(&self) -> &Arc<AtomicU64> {
        self.view.refused()
    }

    /// Why a worker of this name is not let in, if it was found to lie.
    pub(crate) fn quarantined(&self, name: &str) -> Option<String> {
        self.view.quarantined(name)
    }

    /// Tells the workers that this coordinator stops, and waits until they have been told. May be
    /// called inside a runtime, which it then holds.
    pub fn farewell(&self) {
        let (done, told) = std::sync::mpsc::channel();
        let mut command = Command::Stop(done);
        while let Err(mpsc::error::TrySendError::Full(back)) = self.commands.try_send(command) {
            command = back;
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = told.recv_timeout(FAREWELL_MAX);
    }

    fn tell(&self, event: Event) {
        let _ = self.commands.blocking_send(Command::Event(event));
    }

    pub(crate) async fn send(&self, command: Command) -> bool {
        self.commands.send(command).await.is_ok()
    }

    /// Like [`Link::send`], for the pool's threads.
    fn said(&self, worker: WorkerId, message: FromWorker) {
        self.tell(Event::Said(worker, message));
    }
}

/// Where messages for a worker go.
enum Outbound {
    Local(Worker),
    Remote(mpsc::Sender<ToWorker>),
}

struct Driver {
    scheduler: Scheduler,
    started: Instant,
    last_turn: Instant,
    link: Link,
    workers: HashMap<WorkerId, Outbound>,
    growers: HashMap<SessionId, Post<ToGrower>>,
    starved_since: Option<Instant>,
}

impl Driver {
    fn new(link: Link, auditing: Auditing) -> Driver {
        Driver {
            scheduler: Scheduler::new(auditing),
            started: Instant::now(),
            last_turn: Instant::now(),
            link,
            workers: HashMap::new(),
            growers: HashMap::new(),
            starved_since: None,
        }
    }

    async fn run(mut self, mut inbox: mpsc::Receiver<Command>) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut turn = Vec::with_capacity(EVENTS_PER_TURN_MAX);
        self.last_turn = Instant::now();
        loop {
            tokio::select! {
                biased;
                _ = ticks.tick() => {
                    self.notice_stall();
                    self.tick();
                }
                _ = inbox.recv_many(&mut turn, EVENTS_PER_TURN_MAX) => {
                    self.notice_stall();
                    for command in turn.drain(..) {
                        if let Command::Stop(done) = command {
                            self.farewell().await;
                            let _ = done.send(());
                            return;
                        }
                        self.obey(command);
                    }
                }
            }
        }
    }

    fn notice_stall(&mut self) {
        // From turn to turn, so that a stop in the midst of one is seen by the next.
        let gap = self.last_turn.elapsed();
        self.last_turn = Instant::now();
        if gap > STALL_MIN {
            tracing::info!(seconds = gap.as_secs_f32(), "this process was stopped");
            self.happen(Event::Stalled(gap));
        }
    }

    fn tick(&mut self) {
        self.happen(Event::Tick);
        self.publish();
        self.feed_the_starved();
    }

    fn publish(&self) {
        self.link.view.publish(&self.scheduler);
        self.link.busy.cluster.publish();
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Event(event) => self.happen(event),
            Command::Connected(worker, profile, outbound) => {
                self.workers.insert(worker, Outbound::Remote(outbound));
                self.link.view.joins();
                self.happen(Event::Joined(worker, profile, Slack::REMOTE));
                self.link.view.publish(&self.scheduler);
            }
            Command::Open(root, grower) => {
                self.growers.insert(root.id.session, grower);
                self.happen(Event::Opened(root));
            }
            Command::Refresh(done) => {
                self.publish();
                let _ = done.send(());
            }
            Command::Stop(_) => {}
        }
    }

    /// Tells the scheduler, and does what it says.
    fn happen(&mut self, event: Event) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            if let Event::Left(worker) = event {
                self.depart(worker);
            }
            for action in self.scheduler.handle(self.started.elapsed(), event) {
                events.extend(self.act(action));
            }
        }
    }

    /// Does one thing; returns what follows from it at once.
    fn act(&mut self, action: Action) -> Vec<Event> {
        match action {
            Action::Send(worker, message) => return self.send(worker, message),
            Action::Dismiss(worker, why) => self.dismiss(worker, why),
            Action::Deliver(session, worker, tallies) => {
                let from = self.is_doubted(worker).then_some(worker);
                self.tell_grower(session, ToGrower::Tallies(from, tallies));
            }
            Action::TakeBack(session, worker) => {
                self.tell_grower(session, ToGrower::TakeBack(worker));
            }
            Action::Referee(root, batch) => self.referee(root, batch),
            Action::Room(session, room) => self.tell_grower(session, ToGrower::Room(room)),
            Action::Settled(session, settlement) => {
                self.tell_grower(session, ToGrower::Settled(settlement));
                self.growers.remove(&session);
            }
        }
        Vec::new()
    }

    fn send(&mut self, worker: WorkerId, message: ToWorker) -> Vec<Event> {
        match self.workers.get_mut(&worker) {
            Some(Outbound::Local(local)) => {
                let answers = local.handle(message);
                answers.into_iter().map(|answer| Event::Said(worker, answer)).collect()
            }
            // A worker that does not read its messages will be silent soon; dropping one is safe,
            // since its leases run out.
            Some(Outbound::Remote(outbound)) => match outbound.try_send(message) {
                Ok(()) => Vec::new(),
                Err(_) => vec![Event::Left(worker)],
            },
            None => Vec::new(),
        }
    }

    fn dismiss(&mut self, worker: WorkerId, why: Dismissal) {
        let name = self.link.name_of(worker);
        let reason = match why {
            Dismissal::Silent => {
                tracing::warn!(name, "worker lost: nothing heard of it");
                None
            }
            Dismissal::Misbehaved(why) => {
                tracing::error!(name, "worker put out: {why}");
                Some(why)
            }
            Dismissal::Lied(why) => {
                tracing::error!(
                    name,
                    "worker put out, and not let in again: its tallies are wrong: {why}"
                );
                self.link.view.quarantine(worker, &why);
                Some(format!("its tallies are wrong: {why}"))
            }
        };
        self.link.view.departed(worker);
        let outbound = self.workers.remove(&worker);
        if let (Some(Outbound::Remote(outbound)), Some(reason)) = (outbound, reason) {
            let _ = outbound.try_send(ToWorker::Refused(reason));
        }
    }

    /// Plays a batch on a thread of its own: the scheduler asks rarely, and for few at once.
    fn referee(&self, root: Arc<Root>, batch: Arc<Batch>) {
        let link = self.link.clone();
        let play = move || match Prepared::new(&root).map(|prepared| prepared.run(&batch)) {
            Ok(Ok(tally)) => link.tell(Event::Refereed(tally)),
            _ => tracing::error!(batch = %batch.id, "cannot play a batch of our own"),
        };
        if let Err(error) = std::thread::Builder::new().name("referee".to_owned()).spawn(play) {
            tracing::error!("no thread to audit a batch with: {error}");
        }
    }

    /// Whether a worker's word may be wrong: all but those of this process.
    fn is_doubted(&self, worker: WorkerId) -> bool {
        !matches!(self.workers.get(&worker), Some(Outbound::Local(_)))
    }

    /// A connection ended.
    fn depart(&mut self, worker: WorkerId) {
        if self.workers.remove(&worker).is_some() {
            tracing::info!(name = self.link.name_of(worker), "worker left");
            self.link.view.publish(&self.scheduler);
            self.link.view.departed(worker);
        }
    }

    fn tell_grower(&self, session: SessionId, message: ToGrower) {
        if let Some(grower) = self.growers.get(&session) {
            grower.send(message);
        }
    }

    fn start_local(&mut self, threads: u32) -> std::io::Result<()> {
        let id = self.link.next_worker();
        let link = self.link.clone();
        let sink: Sink = Arc::new(move |message| link.said(id, message));
        let worker = Worker::start(threads, FlushAfter::LOCAL, sink)?;
        self.workers.insert(id, Outbound::Local(worker));
        let profile = banyan_worker::profile("local", threads);
        self.happen(Event::Joined(id, profile, Slack::LOCAL));
        Ok(())
    }

    /// A search must end even when every worker is gone: this process then plays out itself.
    fn feed_the_starved(&mut self) {
        if !self.scheduler.is_starved() {
            self.starved_since = None;
            return;
        }
        let since = *self.starved_since.get_or_insert_with(Instant::now);
        if since.elapsed() < STARVED_MAX {
            return;
        }
        tracing::warn!("no worker is there: one thread of this process plays out from now on");
        if let Err(error) = self.start_local(1) {
            tracing::error!("no worker is there, and no thread to be had: {error}");
        }
    }

    async fn farewell(&mut self) {
        for outbound in self.workers.values() {
            if let Outbound::Remote(outbound) = outbound {
                let _ = outbound.try_send(ToWorker::Farewell);
            }
        }
        self.workers.clear();
        // The streams are tasks of this thread: let them write before the runtime ends.
        tokio::time::sleep(FAREWELL_WRITES).await;
    }
}
