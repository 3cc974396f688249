//! Subproblems that nobody needs any more.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Kind, Record};
use banyan_jobs::{
    Attempt, Batch, BatchId, Epoch, FromWorker, Growing, Job, Lent, Playouts, Root, RootId,
    SessionId, Solve, Sought, ToWorker, limits,
};
use banyan_knowledge::Policy;
use banyan_search::Bounds;
use banyan_worker::{FlushAfter, Worker, Workforce as _};

const SUBPROBLEM: BatchId = BatchId(7);

fn root() -> Root {
    let rules = GomokuRules::new(15, 15, Default::default()).expect("a size of Gomoku");
    let id = RootId { session: SessionId(0), epoch: Epoch(1) };
    Root::of(&Record::<Gomoku>::new(&rules), Color::Black, id, Growing::of(Kind::Gomoku))
}

/// A subproblem about the empty board that takes years, or a moment.
fn lend(nodes_max: u32) -> ToWorker {
    let sought = Sought::Value { evaluation: 0, depth: limits::SOLVING_DEPTH_MAX };
    let batch = Batch {
        id: SUBPROBLEM,
        root: root().id,
        path: Vec::new(),
        job: Job::Solve(Solve { sought, bounds: Bounds::FULL, nodes_max, cost: 1 }),
    };
    ToWorker::Lend(vec![Lent { batch: Arc::new(batch), attempt: Attempt(1) }])
}

/// Fails after ten seconds.
fn wait_until(is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !is_so() {
        assert!(Instant::now() < deadline, "it never came to be");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_subproblem_is_given_up_when_it_is_dropped_and_its_name_means_another_one_after_a_reconnection()
{
    let answers = Arc::new(AtomicUsize::new(0));
    let heard = answers.clone();
    let sink = Arc::new(move |message: FromWorker| match message {
        FromWorker::Tallies(tallies) => {
            heard.fetch_add(tallies.len(), Ordering::SeqCst);
        }
        other => panic!("{other:?}"),
    });
    let mut worker = Worker::start(1, FlushAfter::LOCAL, sink).expect("a thread");
    worker.handle(ToWorker::Root(Arc::new(root())));
    assert_eq!(worker.handle(lend(u32::MAX)), []);
    std::thread::sleep(Duration::from_millis(30));
    assert_eq!(worker.held(), 1, "it is being searched");
    worker.handle(ToWorker::Drop(vec![SUBPROBLEM]));
    wait_until(|| worker.held() == 0);
    assert_eq!(answers.load(Ordering::SeqCst), 0);

    // Within one connection a name means one batch; the next coordinator begins to count anew.
    worker.handle(lend(1000));
    wait_until(|| worker.held() == 0);
    assert_eq!(answers.load(Ordering::SeqCst), 0);
    worker.forget_all();
    worker.handle(ToWorker::Root(Arc::new(root())));
    worker.handle(lend(1000));
    wait_until(|| worker.held() == 0);
    assert_eq!(answers.load(Ordering::SeqCst), 1);
}

#[test]
fn what_was_being_played_when_a_connection_ended_is_not_told_to_the_next() {
    let said = Arc::new(Mutex::new(Vec::new()));
    let heard = said.clone();
    let sink = Arc::new(move |message| heard.lock().expect("no panic").push(message));
    let mut worker = Worker::start(1, FlushAfter::LOCAL, sink).expect("a thread");
    let rules = GoRules::new(19, 15).expect("a size of Go");
    let id = root().id;
    let go = Root::of(&Record::<Go>::new(&rules), Color::Black, id, Growing::of(Kind::Go));
    worker.handle(ToWorker::Root(Arc::new(go)));
    // Some tenths of a second, or more.
    let (count, asked) = (500, Asked::default());
    let playouts = Playouts { count, policy: Policy::Heavy, seed: 1, asked };
    let job = Job::LeafParallel(playouts);
    let batch = Batch { id: SUBPROBLEM, root: id, path: Vec::new(), job };
    let lent = Lent { batch: Arc::new(batch), attempt: Attempt(1) };
    assert_eq!(worker.handle(ToWorker::Lend(vec![lent])), []);
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!((worker.held(), &said.lock().expect("no panic")[..]), (1, &[][..]));
    worker.forget_all();
    wait_until(|| worker.held() == 0);
    assert_eq!(said.lock().expect("no panic")[..], []);
}
