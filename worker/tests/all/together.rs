//! Number of playouts that a thread takes from its queue at once.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Kind, Record};
use banyan_jobs::{
    Attempt, Batch, BatchId, Epoch, FromWorker, Growing, Job, Lent, Playouts, Root, RootId,
    SessionId, ToWorker,
};
use banyan_knowledge::Policy;
use banyan_worker::{FlushAfter, Worker, Workforce as _};

const BATCHES: u64 = 64;

/// Returns the number of tallies in each message, where none of them waits for company once it is there.
fn messages(policy: Policy) -> Vec<usize> {
    let rules = GoRules::new(9, 15).expect("a size of Go");
    let id = RootId { session: SessionId(0), epoch: Epoch(1) };
    let root = Root::of(&Record::<Go>::new(&rules), Color::Black, id, Growing::of(Kind::Go));
    let (sent, received) = channel();
    let sent = Arc::new(Mutex::new(sent));
    let answered = sent.clone();
    let sink = Arc::new(move |message| {
        answered.lock().expect("no panic").send(message).expect("the test listens");
    });
    let mut worker = Worker::start(1, FlushAfter(Duration::ZERO), sink).expect("a thread");
    worker.handle(ToWorker::Root(Arc::new(root)));
    let lent = (0..BATCHES).map(|number| {
        let playouts = Playouts { count: 1, policy, seed: number, asked: Asked::default() };
        let job = Job::LeafParallel(playouts);
        let batch = Batch { id: BatchId(number), root: id, path: Vec::new(), job };
        Lent { batch: Arc::new(batch), attempt: Attempt(1) }
    });
    // The first answer waits until all of it is lent.
    let held_back = sent.lock().expect("no panic");
    assert_eq!(worker.handle(ToWorker::Lend(lent.collect())), []);
    drop(held_back);
    let (mut sizes, mut all) = (Vec::new(), 0);
    while all < BATCHES as usize {
        let message = received.recv_timeout(Duration::from_secs(30)).expect("an answer");
        let FromWorker::Tallies(tallies) = message else { panic!("{message:?}") };
        all += tallies.len();
        sizes.push(tallies.len());
    }
    sizes
}

#[test]
fn heavy_playouts_are_answered_few_at_a_time_and_uniform_ones_are_played_side_by_side() {
    let heavy = messages(Policy::Heavy);
    assert!(heavy.iter().all(|&tallies| tallies <= 4), "{heavy:?}");
    // What comes first may be taken before the rest is there.
    let uniform = messages(Policy::Uniform);
    assert!(uniform.contains(&16), "{uniform:?}");
}
