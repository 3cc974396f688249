//! Roots that a worker cannot play from.

use std::sync::Arc;

use banyan_games::counts::Asked;
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Kind, Record};
use banyan_jobs::{
    Attempt, Batch, BatchId, Digest, FromWorker, Growing, Job, Lent, Playouts, Root, RootId,
    ToWorker,
};
use banyan_knowledge::Policy;
use banyan_worker::{FlushAfter, Worker, Workforce as _};

fn root() -> Root {
    let (record, id) = (Record::<Othello>::new(&OthelloRules), RootId::default());
    Root::of(&record, Color::Black, id, Growing::of(Kind::Othello))
}

fn lend() -> ToWorker {
    let asked = Asked::default();
    let job = Job::LeafParallel(Playouts { count: 1, policy: Policy::Uniform, seed: 0, asked });
    let batch = Batch { id: BatchId(7), root: root().id, path: Vec::new(), job };
    ToWorker::Lend(vec![Lent { batch: Arc::new(batch), attempt: Attempt(1) }])
}

/// Answers at once, to a batch, of a worker that was told of this root, if of any.
fn answers(root: Option<Root>) -> Vec<FromWorker> {
    let mut worker = Worker::start(1, FlushAfter::LOCAL, Arc::new(|_| {})).expect("a thread");
    root.into_iter().for_each(|root| drop(worker.handle(ToWorker::Root(Arc::new(root)))));
    worker.handle(lend())
}

#[test]
fn a_batch_of_a_root_that_names_other_models_fails_with_both_digests() {
    assert_eq!(answers(Some(root())), []);
    let named = Digest(root().models.0 ^ 1);
    let said = answers(Some(Root { models: named, ..root() }));
    let [FromWorker::Failed(BatchId(7), why)] = &said[..] else { panic!("{said:?}") };
    let held = root().models;
    assert_eq!(
        *why,
        format!("root 0.0 names the models {named} of othello, and this build has {held}")
    );
}

#[test]
fn a_batch_of_a_root_that_never_came_fails() {
    let said = answers(None);
    assert!(matches!(&said[..], [FromWorker::Failed(_, why)] if why.contains("not known here")));
}
