//! A cluster of one thread, for tests: it plays whatever it is handed, one batch after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use banyan_jobs::{
    Batch, BatchId, Claim, ClusterCapacity, Crew, Lender, Post, Prepared, Root, SessionId,
    Settlement, Tally, ToSearch, WorkerId, Workspace,
};
use crossbeam_channel::{Receiver, Sender, unbounded};

/// Playouts that may be in flight: enough that the thread never waits.
const WINDOW: u32 = 16;

/// The one that plays the batches of tests.
pub(crate) const WORKER: WorkerId = WorkerId(1);

/// A worker that may lie: what it makes of an honest tally; and whether its lies come to light with it.
pub(crate) type Answering = Box<dyn FnMut(&Batch, Tally) -> (Tally, bool) + Send>;

enum Command {
    Open(Arc<Root>, Post),
    Play(Vec<Batch>),
    Close,
}

/// One thread that plays. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Alone {
    commands: Sender<Command>,
    sessions: AtomicU32,
}

impl Alone {
    /// An honest worker.
    pub fn start() -> Arc<dyn Lender> {
        Alone::answering(Box::new(|_, tally| (tally, false)))
    }

    /// One that answers in its own way.
    pub fn answering(answer: Answering) -> Arc<dyn Lender> {
        let (commands, inbox) = unbounded();
        std::thread::spawn(move || play(&inbox, answer));
        Arc::new(Alone { commands, sessions: AtomicU32::new(0) })
    }

    fn tell(&self, command: Command) {
        self.commands.send(command).expect("it plays while this lives");
    }
}

fn play(inbox: &Receiver<Command>, mut answer: Answering) {
    let (mut open, mut space) = (None, Workspace::default());
    while let Ok(command) = inbox.recv() {
        match command {
            Command::Open(root, post) => {
                let capacity =
                    ClusterCapacity { window: WINDOW, threads: 2, ..ClusterCapacity::default() };
                post(ToSearch::Capacity(capacity));
                open = Some((Prepared::new(&root).expect("a position"), post));
            }
            Command::Play(batches) => {
                let (prepared, post) = open.as_ref().expect("opened first");
                for batch in &batches {
                    let honest = prepared.run_all(&[batch], &mut space).pop().expect("one");
                    let (tally, is_found_out) = answer(batch, honest.expect("a good batch"));
                    if is_found_out {
                        post(ToSearch::TakeBack(WORKER));
                    }
                    post(ToSearch::Tallies(Some(WORKER), vec![tally]));
                }
            }
            Command::Close => {
                let (_, post) = open.take().expect("opened first");
                post(ToSearch::Settled(Settlement::default()));
            }
        }
    }
}

impl Lender for Alone {
    fn new_session(&self) -> SessionId {
        SessionId(self.sessions.fetch_add(1, Ordering::Relaxed))
    }

    fn open(&self, root: Arc<Root>, _: Claim, post: Post) {
        self.tell(Command::Open(root, post));
    }

    fn submit(&self, _: SessionId, batches: Vec<Batch>) {
        self.tell(Command::Play(batches));
    }

    fn drop_batches(&self, _: SessionId, _: Vec<BatchId>) {}

    fn close(&self, _: SessionId) {
        self.tell(Command::Close);
    }

    fn crews(&self) -> Vec<Crew> {
        vec![Crew { threads: 1, is_own: true }]
    }

    fn note_search_time(&self) {}
}
