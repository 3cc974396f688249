//! Several sessions at once: who is lent to first, and who is told what.

use std::collections::VecDeque;

use banyan_jobs::{FromWorker, Tally};

use super::tests::{SESSION, batch, profile, root, said, tally};
use super::*;

const MS: Duration = Duration::from_millis(1);
const ONE: WorkerId = WorkerId(1);
const OTHER: SessionId = SessionId(5);
const PONDERING: Claim =
    Claim { purpose: Purpose::Pondering, weight: std::num::NonZeroU32::MIN, is_lent_on: false };

fn other_root() -> Arc<Root> {
    let id = RootId { session: OTHER, ..root(1).id };
    Arc::new(Root { id, ..(*root(1)).clone() })
}

fn others(number: u64) -> Batch {
    Batch { id: BatchId::new(OTHER, number), root: other_root().id, ..batch(number) }
}

/// One worker with a thread, and two sessions, the second with this claim.
fn two(claim: Claim) -> Scheduler {
    let mut scheduler = Scheduler::default();
    let joined = Event::Joined(ONE, profile(&["gomoku"]), Origin::Remote);
    scheduler.handle(Duration::ZERO, joined);
    scheduler.handle(Duration::ZERO, Event::Opened(root(1), Claim::default()));
    scheduler.handle(Duration::ZERO, Event::Opened(other_root(), claim));
    scheduler
}

/// The sessions whose batches the actions lend.
fn lent_for(actions: &[Action]) -> Vec<SessionId> {
    ids(actions).iter().map(|id| id.session()).collect()
}

fn windows(actions: &[Action], of: SessionId) -> Vec<u32> {
    let window = |action: &Action| match action {
        Action::Capacity(session, capacity) if *session == of => Some(capacity.window),
        _ => None,
    };
    actions.iter().filter_map(window).collect()
}

/// The batches whose leases the actions are.
fn ids(actions: &[Action]) -> Vec<BatchId> {
    let lent = |action: &Action| match action {
        Action::Send(_, ToWorker::Lend(batches)) => {
            batches.iter().map(|lent| lent.batch.id).collect()
        }
        _ => Vec::new(),
    };
    actions.iter().flat_map(lent).collect()
}

/// The worker answers what it was lent first, so many times; returns whose batches it is lent instead.
fn work(scheduler: &mut Scheduler, lent: &mut VecDeque<BatchId>, times: usize) -> Vec<SessionId> {
    let mut order = Vec::new();
    for _ in 0..times {
        let done = Tally { batch: lent.pop_front().expect("it has work"), ..tally(0) };
        let new = ids(&scheduler.handle(2 * MS, said(ONE, vec![done])));
        order.extend(new.iter().map(|id| id.session()));
        lent.extend(new);
    }
    order
}

#[test]
fn sessions_of_equal_weight_are_lent_to_in_turn() {
    let mut scheduler = two(Claim::default());
    let first = scheduler.handle(MS, Event::Submitted(SESSION, (0..8).map(batch).collect()));
    let then = scheduler.handle(MS, Event::Submitted(OTHER, (0..8).map(others).collect()));
    // The worker's window is two batches, and the first session was there alone.
    assert_eq!((lent_for(&first), lent_for(&then)), (vec![SESSION; 2], vec![]));
    let mut lent = ids(&first).into();
    let order = work(&mut scheduler, &mut lent, 6);
    // The second makes up for what it came too late for.
    assert_eq!(order, [OTHER, OTHER, SESSION, OTHER, SESSION, OTHER]);
}

#[test]
fn who_waited_for_nothing_saves_up_the_turns_of_one_window_at_most() {
    let mut scheduler = two(Claim::default());
    let first = scheduler.handle(MS, Event::Submitted(SESSION, (0..60).map(batch).collect()));
    let mut lent = ids(&first).into();
    assert_eq!(work(&mut scheduler, &mut lent, 20), [SESSION; 20]);
    scheduler.handle(MS, Event::Submitted(OTHER, (0..60).map(others).collect()));
    let order = work(&mut scheduler, &mut lent, 20);
    let in_a_row = order.iter().take_while(|&&session| session == OTHER).count();
    // The worker's window is two batches, and two more may wait.
    assert!((1..=4).contains(&in_a_row), "{in_a_row}: {order:?}");
    let after = order[in_a_row..].iter().filter(|&&session| session == OTHER).count();
    assert!(after.abs_diff((20 - in_a_row) / 2) <= 1, "{order:?}");
}

#[test]
fn pondering_waits_while_thinking_needs_the_workers() {
    let mut scheduler = two(PONDERING);
    let mine = (0..4).map(batch).collect();
    scheduler.handle(MS, Event::Submitted(OTHER, (0..4).map(others).collect()));
    assert_eq!(scheduler.ledger(OTHER).expect("open").lent_playouts(), 0, "it has no part yet");
    scheduler.handle(MS, Event::Submitted(SESSION, mine));
    let mut order = Vec::new();
    for number in 0..4 {
        order.extend(lent_for(&scheduler.handle(2 * MS, said(ONE, vec![tally(number)]))));
    }
    assert_eq!(order, [SESSION; 2]);
    // Once it has been seen to use nothing for two ticks it leaves the worker to others.
    scheduler.handle(50 * MS, Event::Tick);
    let actions = scheduler.handle(100 * MS, Event::Tick);
    assert!(!lent_for(&actions).is_empty(), "{actions:?}");
}

#[test]
fn who_is_left_is_told_of_all_of_the_cluster_at_once() {
    let mut scheduler = two(PONDERING);
    let actions = scheduler.handle(MS, Event::Closed(SESSION));
    assert_eq!(windows(&actions, OTHER), [2]);
    let actions = scheduler.handle(2 * MS, Event::Opened(root(2), Claim::default()));
    assert_eq!(windows(&actions, OTHER), [0]);
}

#[test]
fn what_a_cluster_is_lent_goes_to_no_cluster_below_it() {
    let mut scheduler = Scheduler::default();
    let cluster = Profile { spreads: true, threads: 8, ..profile(&["gomoku"]) };
    scheduler.handle(Duration::ZERO, Event::Joined(ONE, cluster, Origin::Remote));
    let lent_on = Claim { is_lent_on: true, ..Claim::default() };
    scheduler.handle(Duration::ZERO, Event::Opened(root(1), lent_on));
    scheduler.handle(Duration::ZERO, Event::Opened(other_root(), Claim::default()));
    assert_eq!(ids(&scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(1)]))), []);
    let own = Event::Submitted(OTHER, vec![others(1)]);
    assert_eq!(ids(&scheduler.handle(MS, own)), [others(1).id]);
    let plain = Event::Joined(WorkerId(2), profile(&["gomoku"]), Origin::Remote);
    assert_eq!(ids(&scheduler.handle(MS, plain)), [batch(1).id]);
}

#[test]
fn a_search_is_told_how_many_threads_share_a_batch() {
    let told = |actions: Vec<Action>| {
        let capacity = |action| match action {
            Action::Capacity(SESSION, capacity) => Some(capacity),
            _ => None,
        };
        let last = actions.into_iter().filter_map(capacity).last().expect("news");
        (last.threads, last.threads_a_batch)
    };
    let mut scheduler = Scheduler::default();
    let cluster = Profile { spreads: true, threads: 8, ..profile(&["gomoku"]) };
    scheduler.handle(Duration::ZERO, Event::Joined(ONE, cluster, Origin::Remote));
    let opened = Event::Opened(root(1), Claim::default());
    assert_eq!(told(scheduler.handle(Duration::ZERO, opened)), (8, 8));
    let more = Event::Said(ONE, FromWorker::Threads(12));
    assert_eq!(told(scheduler.handle(MS, more)), (12, 12));
    let plain = Event::Joined(WorkerId(2), profile(&["gomoku"]), Origin::Remote);
    // Thirteen threads, two batches at a time.
    assert_eq!(told(scheduler.handle(MS, plain)), (13, 6));
}
