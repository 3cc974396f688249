//! A way to talk to the cluster from any thread: searches, workers at the door, whoever looks on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use banyan_admission::{Identity, Outcasts};
use banyan_jobs::{
    Batch, BatchId, Claim, Crew, Evaluators, FromWorker, Lender, ModelFiles, Post, Profile, Root,
    SessionId, ToWorker, WorkerId, limits,
};
use banyan_scheduler::Event;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use super::command::{Command, Stop, TICK};
use crate::busy::Busy;
use crate::view::{Node, View};

/// Workers are told of the end within this, or find out by themselves.
const FAREWELL_MAX: Duration = Duration::from_secs(1);

/// A way to talk to the cluster from any thread.
#[derive(Clone, Debug)]
pub struct Link {
    commands: mpsc::Sender<Command>,
    stops: mpsc::Sender<Stop>,
    pub(super) view: Arc<View>,
    pub(super) busy: Arc<Busy>,
    /// The number of the next worker that joins.
    next_worker: Arc<AtomicU64>,
    next_session: Arc<AtomicU32>,
}

impl Link {
    pub(crate) fn new(
        commands: mpsc::Sender<Command>,
        stops: mpsc::Sender<Stop>,
        outcasts: Arc<Outcasts>,
    ) -> Link {
        Link {
            commands,
            stops,
            view: Arc::new(View::knowing(outcasts)),
            busy: Arc::default(),
            next_worker: Arc::default(),
            next_session: Arc::default(),
        }
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

    /// The view as the cluster's thread published it last, a few milliseconds ago.
    pub(crate) fn seen(&self) -> &View {
        &self.view
    }

    /// Passes a command on, if there is room for it at once.
    pub(crate) fn offer(&self, command: Command) -> bool {
        self.commands.try_send(command).is_ok()
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

    /// Has the cluster judge by these as well, of which workers may ask for the files.
    pub(crate) fn judge_by(&self, evaluators: Evaluators, files: ModelFiles) {
        self.order(Command::Models(evaluators, files));
    }

    /// A name for a worker that joins.
    pub(crate) fn next_worker(&self) -> WorkerId {
        WorkerId(self.next_worker.fetch_add(1, Ordering::Relaxed))
    }

    /// Lets a made-up worker in; messages for it go to `outbound`.
    pub(crate) fn connect(&self, id: WorkerId, profile: Profile, outbound: mpsc::Sender<ToWorker>) {
        let _ = self.commands.blocking_send(Command::Connected(id, profile, None, outbound));
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

    /// Front ends that are attached, count; written by their session slots.
    pub(crate) fn attached(&self) -> &Arc<AtomicU64> {
        self.view.attached()
    }

    /// Says why a worker is not let in, if it was found to lie.
    pub(crate) fn refusal(&self, who: &Identity) -> Option<String> {
        self.view.register().refusal(who)
    }

    /// Tells the workers that this coordinator stops, and waits until they have been told, at most
    /// [`FAREWELL_MAX`]; returns whether nothing runs any more. May be called inside a runtime, which it
    /// then holds.
    pub fn farewell(&self) -> bool {
        let (done, told) = std::sync::mpsc::channel();
        match self.stops.try_send(done) {
            Ok(()) => told.recv_timeout(FAREWELL_MAX) != Err(RecvTimeoutError::Timeout),
            Err(TrySendError::Closed(_)) => true,
            Err(TrySendError::Full(_)) => false,
        }
    }

    /// Called from threads of no runtime; waits while the cluster has too much to do.
    pub(super) fn order(&self, command: Command) {
        let _ = self.commands.blocking_send(command);
    }

    pub(super) fn tell(&self, event: Event) {
        let _ = self.commands.blocking_send(Command::Event(event));
    }

    pub(crate) async fn send(&self, command: Command) -> bool {
        self.commands.send(command).await.is_ok()
    }

    /// Like [`Link::send`], for the pool's threads.
    pub(super) fn said(&self, worker: WorkerId, message: FromWorker) {
        self.tell(Event::Said(worker, message));
    }
}

impl Lender for Link {
    /// After 16 million numbers the first come again, whose tallies are long dead.
    fn new_session(&self) -> SessionId {
        SessionId(self.next_session.fetch_add(1, Ordering::Relaxed) & limits::SESSION_ID_MAX)
    }

    fn open(&self, root: Arc<Root>, claim: Claim, post: Post) {
        let _ = self.commands.blocking_send(Command::Open(root, claim, post));
    }

    fn submit(&self, session: SessionId, batches: Vec<Batch>) {
        self.tell(Event::Submitted(session, batches));
    }

    fn drop_batches(&self, session: SessionId, batches: Vec<BatchId>) {
        self.tell(Event::Dropped(session, batches));
    }

    fn close(&self, session: SessionId) {
        self.tell(Event::Closed(session));
    }

    fn crews(&self) -> Vec<Crew> {
        let nodes = self.view().nodes();
        let crew = |node: &Node| Crew { threads: node.playing_threads(), is_own: node.local };
        nodes.iter().map(|(_, node)| crew(node)).filter(|crew| crew.threads > 0).collect()
    }

    fn note_search_time(&self) {
        self.busy.search.publish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_that_hears_nothing_holds_nobody_back() {
        let (commands, _deaf) = mpsc::channel(1);
        let (stops, _deaf_too) = mpsc::channel(1);
        let link = Link::new(commands, stops, Arc::default());
        link.tell(Event::Tick);
        assert_eq!(link.commands.capacity(), 0, "its queue is full");
        let began = Instant::now();
        assert!(!link.farewell(), "it is not told");
        assert!(!link.farewell(), "nor by whoever asks after it");
        assert!(began.elapsed() < 3 * FAREWELL_MAX, "{:?}", began.elapsed());
    }

    #[test]
    fn a_cluster_that_is_gone_has_been_told() {
        let (commands, _) = mpsc::channel(1);
        let (stops, _) = mpsc::channel(1);
        assert!(Link::new(commands, stops, Arc::default()).farewell());
    }
}
