//! A coordinator's batches, and a cluster that answers when it is told to.

use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, MutexGuard};

use banyan_games::counts::Asked;
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Kind, Record};
use banyan_jobs::{Attempt, Crew, Grow, Growing, Job, Lent, Playouts, Post};
use banyan_knowledge::Policy;
use banyan_knowledge::network::{add_network, built_in};

use super::*;

const LIAR: WorkerId = WorkerId(1);
const HONEST: WorkerId = WorkerId(2);

/// Calls to a cluster.
#[derive(Default)]
struct Calls {
    open: Vec<Arc<Root>>,
    batches: Vec<Batch>,
    dropped: Vec<BatchId>,
    closed: Vec<SessionId>,
    posts: Vec<Post>,
}

/// A cluster that notes what it is asked.
#[derive(Clone, Default)]
struct Noted(Arc<Mutex<Calls>>);

impl std::fmt::Debug for Noted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Noted")
    }
}

impl Noted {
    fn asked(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().expect("one thread")
    }

    /// Batches that it was lent and that were neither dropped nor answered, oldest first.
    fn take(&self) -> Vec<Batch> {
        let mut asked = self.asked();
        let dropped = std::mem::take(&mut asked.dropped);
        let mut batches = std::mem::take(&mut asked.batches);
        batches.retain(|batch| !dropped.contains(&batch.id));
        batches
    }
}

impl Lender for Noted {
    fn new_session(&self) -> SessionId {
        SessionId(70 + self.asked().open.len() as u32)
    }

    fn open(&self, root: Arc<Root>, _: Claim, post: Post) {
        self.asked().open.push(root);
        self.asked().posts.push(post);
    }

    fn submit(&self, _: SessionId, batches: Vec<Batch>) {
        self.asked().batches.extend(batches);
    }

    fn drop_batches(&self, _: SessionId, batches: Vec<BatchId>) {
        self.asked().dropped.extend(batches);
    }

    fn close(&self, session: SessionId) {
        self.asked().closed.push(session);
    }

    fn crews(&self) -> Vec<Crew> {
        Vec::new()
    }

    fn note_search_time(&self) {}
}

/// Work with one root, and the cluster that it lends to.
struct Trial {
    work: Work,
    cluster: Noted,
    heard: Receiver<Heard>,
    root: Arc<Root>,
}

impl Trial {
    fn new() -> Trial {
        let (sender, heard) = mpsc::channel();
        let cluster = Noted::default();
        let mut work = Work::new(cluster.clone(), Evaluators::default(), sender);
        let root = root(3);
        assert_eq!(work.hear(Heard::Above(ToWorker::Root(root.clone()))), []);
        Trial { work, cluster, heard, root }
    }

    fn lend(&mut self, number: u64, job: Job) -> Vec<FromWorker> {
        let batch = Batch {
            id: BatchId::new(self.root.id.session, number),
            root: self.root.id,
            path: Vec::new(),
            job,
        };
        let lent = Lent { batch: Arc::new(batch), attempt: Attempt(1) };
        self.work.hear(Heard::Above(ToWorker::Lend(vec![lent])))
    }

    /// The answer of `worker` to a batch of the cluster's.
    fn answer(
        &mut self,
        worker: WorkerId,
        batch: &Batch,
        change: fn(&mut Tally),
    ) -> Vec<FromWorker> {
        let opened = self.cluster.asked().open.clone();
        let root = opened.iter().find(|it| it.id == batch.root).expect("its root was told");
        let mut tally = Prepared::new(root).expect("a root").run(batch).expect("a batch");
        change(&mut tally);
        let tallies = ToSearch::Tallies(Some(worker), vec![tally]);
        self.work.hear(Heard::Below(root.id.session, tallies))
    }

    /// Answers everything, the newest first, until nothing is asked any more; what the coordinator hears.
    fn finish(&mut self, mut waiting: Vec<Batch>) -> Vec<FromWorker> {
        let mut answers = Vec::new();
        waiting.extend(self.cluster.take());
        while let Some(batch) = waiting.pop() {
            answers.extend(self.answer(HONEST, &batch, |_| {}));
            waiting.extend(self.cluster.take());
        }
        answers
    }

    /// Runs the same batch on one thread.
    fn alone(&self, number: u64, job: Job) -> FromWorker {
        let id = BatchId::new(self.root.id.session, number);
        let batch = Batch { id, root: self.root.id, path: Vec::new(), job };
        let tally = Prepared::new(&self.root).expect("a root").run(&batch).expect("a batch");
        FromWorker::Tallies(vec![tally])
    }
}

fn root(epoch: u32) -> Arc<Root> {
    let rules = GomokuRules::new(7, 7, Default::default()).expect("a size of Gomoku");
    let id = RootId { session: SessionId(9), epoch: Epoch(epoch) };
    Arc::new(Root::of(&Record::<Gomoku>::new(&rules), Color::Black, id, Growing::of(Kind::Gomoku)))
}

fn playouts() -> Playouts {
    Playouts { count: 600, policy: Policy::Uniform, seed: 5, asked: Asked::default() }
}

fn whole() -> Job {
    Job::LeafParallel(playouts())
}

fn spread() -> Job {
    let spread = Some(banyan_jobs::Spread { parts: 4, playouts: 40 });
    let known = Box::default();
    Job::Subtree(Grow { playouts: playouts(), floor: 20, known, judged: false, spread })
}

#[test]
fn a_batch_that_is_not_spread_is_lent_on_and_answered_under_its_own_name() {
    let mut trial = Trial::new();
    assert_eq!(trial.lend(17, whole()), []);
    let asked = trial.cluster.take();
    assert_eq!((asked.len(), asked[0].root), (1, trial.cluster.asked().open[0].id));
    assert_eq!(trial.finish(asked), [trial.alone(17, whole())]);
    assert_eq!(trial.work.take_ended(), 1);
}

#[test]
fn a_spread_batch_comes_to_the_same_as_on_one_thread_whatever_order_its_parts_come_in() {
    let mut trial = Trial::new();
    assert_eq!(trial.lend(1, spread()), []);
    let first = trial.cluster.take();
    assert_eq!(first.len(), 4, "so many parts are in flight");
    assert_eq!(trial.finish(first), [trial.alone(1, spread())]);
    assert_eq!(trial.work.take_ended(), 1);
}

#[test]
fn what_a_liar_had_a_part_in_is_grown_again() {
    let mut trial = Trial::new();
    trial.lend(1, spread());
    let parts = trial.cluster.take();
    let lie = |tally: &mut Tally| {
        let counts = tally.answer.counts_mut().expect("playouts");
        std::mem::swap(&mut counts.wins, &mut counts.losses);
    };
    assert_eq!(trial.answer(LIAR, &parts[0], lie), []);
    trial.cluster.take();
    let session = trial.cluster.asked().open[0].id.session;
    assert_eq!(trial.work.hear(Heard::Below(session, ToSearch::TakeBack(LIAR))), []);
    // Its other parts are not waited for, and come to nothing if they come.
    assert_eq!(trial.answer(HONEST, &parts[1], |_| {}), []);
    assert_eq!(trial.finish(Vec::new()), [trial.alone(1, spread())]);
}

#[test]
fn who_did_not_lie_is_not_asked_again() {
    let mut trial = Trial::new();
    trial.lend(1, spread());
    let parts = trial.cluster.take();
    trial.answer(HONEST, &parts[0], |_| {});
    trial.cluster.take();
    let session = trial.cluster.asked().open[0].id.session;
    trial.work.hear(Heard::Below(session, ToSearch::TakeBack(LIAR)));
    assert_eq!(trial.cluster.take(), []);
}

#[test]
fn what_is_not_needed_any_more_is_called_off() {
    let mut trial = Trial::new();
    trial.lend(1, spread());
    trial.lend(2, whole());
    let asked: Vec<BatchId> = trial.cluster.asked().batches.iter().map(|it| it.id).collect();
    let id = |number| BatchId::new(SessionId(9), number);
    trial.work.hear(Heard::Above(ToWorker::Drop(vec![id(1), id(2), id(3)])));
    assert_eq!(trial.cluster.asked().dropped, asked);
    assert_eq!(trial.work.take_ended(), 2);
    assert_eq!(trial.cluster.take(), []);
}

#[test]
fn a_root_that_is_dead_takes_its_batches_with_it() {
    for end in [Heard::Above(ToWorker::Forget(root(4).id)), Heard::Alone] {
        let mut trial = Trial::new();
        trial.lend(1, spread());
        let parts = trial.cluster.take();
        assert_eq!(trial.work.hear(end), []);
        let session = trial.cluster.asked().open[0].id.session;
        assert_eq!(trial.cluster.asked().closed, [session]);
        assert_eq!(trial.answer(HONEST, &parts[0], |_| {}), []);
        assert_eq!(trial.cluster.take(), []);
        assert_eq!(trial.work.take_ended(), 1);
        let [FromWorker::Failed(_, why)] = &trial.lend(2, whole())[..] else {
            panic!("its root is dead")
        };
        assert!(why.contains("root 9.3 is not known here"), "{why}");
    }
}

#[test]
fn messages_of_the_cluster_come_by_the_thread_that_owns_the_work() {
    let trial = Trial::new();
    let session = trial.cluster.asked().open[0].id.session;
    trial.cluster.asked().posts[0](ToSearch::TakeBack(LIAR));
    let heard = trial.heard.try_recv();
    assert!(matches!(heard, Ok(Heard::Below(of, ToSearch::TakeBack(LIAR))) if of == session));
}

#[test]
fn a_model_that_comes_is_named_below_from_then_on_and_what_is_held_begins_anew() {
    let network = built_in(Kind::Gomoku).expect("one ships");
    let mut evaluators = Evaluators::default();
    add_network(&mut evaluators, &network).expect("a network of Gomoku");
    let evaluator = Some(network.digest());
    let mut trial = Trial::new();
    let growing = Growing { evaluator, ..trial.root.growing };
    let named = Arc::new(Root { id: root(4).id, growing, ..(*trial.root).clone() });
    trial.root = named.clone();
    let told = || Heard::Above(ToWorker::Root(named.clone()));
    trial.work.hear(told());
    trial.lend(1, whole());
    let asked = trial.cluster.take();
    // Nobody below is asked for what is not here; and what is told twice changes nothing.
    trial.work.hear(told());
    assert_eq!(trial.cluster.asked().open[1].growing.evaluator, None);
    let offers = FromWorker::Offers(Offer::all(&evaluators));
    assert_eq!(trial.work.hear(Heard::Models(evaluators, ModelFiles::default())), [offers]);
    trial.work.hear(told());
    assert_eq!(trial.cluster.asked().open.len(), 3);
    assert_eq!(trial.cluster.asked().open[2].growing.evaluator, evaluator);
    assert_eq!(trial.cluster.asked().closed, [asked[0].id.session()]);
    let again = trial.cluster.take();
    assert_eq!((again.len(), again[0].root), (1, trial.cluster.asked().open[2].id));
    assert_eq!(trial.work.take_ended(), 0);
    assert_eq!(trial.finish(again), [trial.alone(1, whole())]);
    assert_eq!(trial.work.take_ended(), 1);
}
