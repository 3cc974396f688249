//! Running a batch: pure, checked, the same on every thread.

use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Move, Policy, Record, SetupError};
use banyan_jobs::{Batch, BatchId, Epoch, Prepared, Root, RootError, RootId, RunError, SessionId};

fn root(plies: &[(Color, Move)]) -> Root {
    let record = Record::<Go>::new(&GoRules::new(9, 15).expect("a size of Go"));
    let id = RootId { session: SessionId(1), epoch: Epoch(2) };
    Root { plies: plies.to_vec(), ..Root::of(&record, Color::Black, id) }
}

fn batch(path: &[Move]) -> Batch {
    Batch {
        id: BatchId::new(SessionId(1), 5),
        root: root(&[]).id,
        path: path.to_vec(),
        policy: Policy::Uniform,
        seed: 42,
        playouts: 20,
        asked: Asked { amaf: true, ownership: true },
    }
}

#[test]
fn a_batch_gives_the_same_tally_every_time_and_on_every_thread() {
    let prepared = Prepared::new(&root(&[])).expect("the start");
    let batch = batch(&[Move(40), Move(41)]);
    let tally = prepared.run(&batch).expect("legal");
    assert_eq!(tally.counts.playouts(), 20);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(prepared.run(&batch).as_ref(), Ok(&tally)));
        }
    });
    let other = prepared.run(&Batch { seed: 43, ..batch }).expect("legal");
    assert_ne!(other, tally);
}

#[test]
fn an_illegal_path_is_refused_with_the_ply() {
    let prepared = Prepared::new(&root(&[])).expect("the start");
    let twice = prepared.run(&batch(&[Move(40), Move(40)])).expect_err("occupied").to_string();
    let id = batch(&[]).id;
    assert_eq!(twice, format!("batch {id}: ply 2 of its path, E5, is illegal"));
    for nonsense in [81, 999, 65_534] {
        let refused = prepared.run(&batch(&[Move(nonsense)]));
        assert!(matches!(refused, Err(RunError::IllegalPath { ply: 1, .. })), "{refused:?}");
    }
}

#[test]
fn a_batch_of_another_root_is_refused() {
    let prepared = Prepared::new(&root(&[])).expect("the start");
    let named = RootId { session: SessionId(1), epoch: Epoch(3) };
    let refused = prepared.run(&Batch { root: named, ..batch(&[]) });
    assert!(matches!(refused, Err(RunError::OtherRoot { .. })), "{refused:?}");
}

#[test]
fn a_root_that_is_no_position_is_refused_with_the_ply() {
    let twice = [(Color::Black, Move(40)), (Color::White, Move(40))];
    let refused = Prepared::new(&root(&twice)).expect_err("occupied").to_string();
    assert_eq!(refused, "root 1.2, ply 2: illegal move E5");
    let setup = vec![(Color::Black, Move(0)), (Color::White, Move(0))];
    let refused = Prepared::new(&Root { setup, ..root(&[]) });
    let occupied = |error: &RootError| {
        matches!(error, RootError::Setup { reason: SetupError::Occupied { .. }, .. })
    };
    assert!(refused.as_ref().is_err_and(occupied), "{refused:?}");
}
