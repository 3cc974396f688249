//! Single transitions; whole histories stand in the simulation tests.

use std::sync::Arc;
use std::time::Duration;

use banyan_games::counts::Asked;
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Counts, Kind, Record};
use banyan_jobs::{
    Answer, Batch, BatchId, Bound, Digest, Epoch, FromWorker, GameSupport, Growing, Job, Playouts,
    Profile, Root, RootId, SessionId, Solved, Tally, ToWorker, Usage, WorkerId, limits,
};
use banyan_knowledge::Policy;

use super::{Action, Claim, ClusterCapacity, Dismissal, Event, Origin, Scheduler};

const MS: Duration = Duration::from_millis(1);
pub(super) const SESSION: SessionId = SessionId(4);
const ONE: WorkerId = WorkerId(1);
const TWO: WorkerId = WorkerId(2);

pub(super) fn profile(games: &[&str]) -> Profile {
    let support = |name: &&str| GameSupport {
        name: (*name).to_owned(),
        fingerprint: 0,
        models: Digest::EMPTY,
    };
    Profile {
        name: "w".to_owned(),
        threads: 1,
        build: "test".to_owned(),
        protocol: 1,
        games: games.iter().map(support).collect(),
        evaluators: Vec::new(),
        spreads: false,
    }
}

pub(super) fn root(epoch: u32) -> Arc<Root> {
    let rules = GomokuRules::new(7, 7, Default::default()).expect("a size of Gomoku");
    let id = RootId { session: SESSION, epoch: Epoch(epoch) };
    Arc::new(Root::of(&Record::<Gomoku>::new(&rules), Color::Black, id, Growing::of(Kind::Gomoku)))
}

pub(super) fn batch(number: u64) -> Batch {
    let policy = Policy::Uniform;
    let playouts = Playouts { count: 4, policy, seed: number, asked: Asked::default() };
    let job = Job::LeafParallel(playouts);
    Batch { id: BatchId::new(SESSION, number), root: root(1).id, path: Vec::new(), job }
}

pub(super) fn tally(number: u64) -> Tally {
    counted(number, Counts { wins: 4, ..Counts::default() })
}

pub(super) fn counted(number: u64, counts: Counts) -> Tally {
    Tally { batch: batch(number).id, answer: Answer::Counts(counts) }
}

/// A scheduler with an open session and workers that play Gomoku.
fn opened(workers: &[WorkerId]) -> Scheduler {
    let mut scheduler = Scheduler::default();
    for &worker in workers {
        let profile = profile(&["gomoku"]);
        scheduler.handle(Duration::ZERO, Event::Joined(worker, profile, Origin::Remote));
    }
    scheduler.handle(Duration::ZERO, Event::Opened(root(1), Claim::default()));
    scheduler
}

pub(super) fn said(worker: WorkerId, tallies: Vec<Tally>) -> Event {
    Event::Said(worker, FromWorker::Tallies(tallies))
}

/// The numbers of the batches that the actions lend, by worker.
pub(super) fn lent(actions: &[Action]) -> Vec<(WorkerId, u64)> {
    let mut lent = Vec::new();
    for action in actions {
        if let Action::Send(worker, ToWorker::Lend(batches)) = action {
            lent.extend(batches.iter().map(|lent| (*worker, lent.batch.id.number())));
        }
    }
    lent
}

pub(super) fn delivered(actions: &[Action]) -> usize {
    let count = |action: &Action| match action {
        Action::Deliver(_, _, tallies) => tallies.len(),
        _ => 0,
    };
    actions.iter().map(count).sum()
}

#[test]
fn a_root_goes_before_its_first_batch_and_only_once() {
    let mut scheduler = opened(&[ONE]);
    let actions = scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    let is_root = |action: &Action| matches!(action, Action::Send(_, ToWorker::Root(_)));
    assert!(is_root(&actions[0]));
    assert_eq!(lent(&actions), [(ONE, 0)]);
    scheduler.handle(2 * MS, said(ONE, vec![tally(0)]));
    let actions = scheduler.handle(3 * MS, Event::Submitted(SESSION, vec![batch(1)]));
    assert!(!actions.iter().any(is_root));
    assert_eq!(lent(&actions), [(ONE, 1)]);
}

#[test]
fn a_tally_counts_once() {
    let mut scheduler = opened(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    assert_eq!(delivered(&scheduler.handle(2 * MS, said(ONE, vec![tally(0)]))), 1);
    assert_eq!(delivered(&scheduler.handle(3 * MS, said(ONE, vec![tally(0)]))), 0);
    let totals = scheduler.ledger(SESSION).expect("open").totals();
    assert_eq!((totals.sent, totals.merged, totals.dropped), (1, 1, 1));
}

#[test]
fn what_a_lost_worker_held_is_lent_again_at_once_and_its_late_tally_is_dropped() {
    let mut scheduler = opened(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    scheduler.handle(2 * MS, Event::Joined(TWO, profile(&["gomoku"]), Origin::Remote));
    assert_eq!(lent(&scheduler.handle(3 * MS, Event::Left(ONE))), [(TWO, 0)]);
    assert_eq!(delivered(&scheduler.handle(4 * MS, said(ONE, vec![tally(0)]))), 0);
    assert_eq!(delivered(&scheduler.handle(5 * MS, said(TWO, vec![tally(0)]))), 1);
}

#[test]
fn a_late_tally_of_an_expired_lease_counts_if_it_is_the_first() {
    let mut scheduler = opened(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    let late = limits::LEASE_MIN + 2 * MS;
    scheduler.handle(
        late,
        Event::Said(
            ONE,
            FromWorker::Pong { nonce: 0, usage: Usage { cpu: MS, ..Usage::default() } },
        ),
    );
    let again = lent(&scheduler.handle(late, Event::Tick));
    assert_eq!(again, [(ONE, 0)], "the only worker is asked once more");
    assert_eq!(delivered(&scheduler.handle(late + MS, said(ONE, vec![tally(0)]))), 1);
    assert_eq!(delivered(&scheduler.handle(late + MS, said(ONE, vec![tally(0)]))), 0);
}

#[test]
fn a_silent_worker_is_sent_away_and_may_come_back() {
    let mut scheduler = opened(&[ONE, TWO]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    let late = limits::SILENCE_MAX + 2 * MS;
    scheduler.handle(
        late,
        Event::Said(
            TWO,
            FromWorker::Pong { nonce: 0, usage: Usage { cpu: MS, ..Usage::default() } },
        ),
    );
    let actions = scheduler.handle(late, Event::Tick);
    assert!(actions.contains(&Action::Dismiss(ONE, Dismissal::Silent)), "{actions:?}");
    assert_eq!(lent(&actions), [(TWO, 0)]);
}

#[test]
fn after_a_stall_of_our_own_nobody_is_silent() {
    let mut scheduler = opened(&[ONE]);
    let gap = Duration::from_secs(60);
    scheduler.handle(gap, Event::Stalled(gap));
    let actions = scheduler.handle(gap + MS, Event::Tick);
    assert!(!actions.iter().any(|action| matches!(action, Action::Dismiss(..))), "{actions:?}");
}

#[test]
fn a_draining_worker_is_released_and_lent_nothing_more() {
    let mut scheduler = opened(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    let actions = scheduler.handle(2 * MS, Event::Said(ONE, FromWorker::Draining));
    assert!(actions.contains(&Action::Send(ONE, ToWorker::Released)), "{actions:?}");
    assert!(
        actions.contains(&Action::Capacity(SESSION, ClusterCapacity::default())),
        "{actions:?}"
    );
    assert_eq!(lent(&scheduler.handle(3 * MS, Event::Submitted(SESSION, vec![batch(1)]))), []);
    assert_eq!(delivered(&scheduler.handle(4 * MS, said(ONE, vec![tally(0)]))), 1);
    assert!(scheduler.is_starved(MS));
}

#[test]
fn a_tally_that_cannot_be_right_puts_the_worker_out() {
    let wrong_count = counted(0, Counts { wins: 5, ..Counts::default() });
    let ownership = Some(vec![0; 49]);
    let unasked = counted(0, Counts { wins: 4, ownership, ..Counts::default() });
    let solved = Solved { bound: Bound::Exact(4), nodes: 4 };
    let other_kind = Tally { answer: Answer::Solved(solved), ..tally(0) };
    for wrong in [wrong_count, unasked, other_kind] {
        let mut scheduler = opened(&[ONE, TWO]);
        scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
        let actions = scheduler.handle(2 * MS, said(ONE, vec![wrong]));
        let out = |action: &Action| matches!(action, Action::Dismiss(ONE, Dismissal::Misbehaved(why)) if why.contains("its tally"));
        assert!(actions.iter().any(out), "{actions:?}");
        assert_eq!(lent(&actions), [(TWO, 0)]);
    }
}

#[test]
fn a_tally_for_a_batch_that_was_lent_to_another_puts_the_worker_out() {
    let mut scheduler = opened(&[ONE, TWO]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    let actions = scheduler.handle(2 * MS, said(TWO, vec![tally(0)]));
    assert_eq!(delivered(&actions), 0);
    assert!(matches!(&actions[0], Action::Dismiss(TWO, Dismissal::Misbehaved(_))), "{actions:?}");
}

#[test]
fn a_worker_that_does_not_know_the_game_is_lent_nothing() {
    let mut scheduler = opened(&[]);
    scheduler.handle(MS, Event::Joined(ONE, profile(&["go"]), Origin::Remote));
    assert_eq!(lent(&scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]))), []);
    assert!(scheduler.is_starved(MS));
}

#[test]
fn a_new_root_kills_the_batches_of_the_old_one() {
    let mut scheduler = opened(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    let actions = scheduler.handle(2 * MS, Event::Opened(root(2), Claim::default()));
    assert!(actions.contains(&Action::Send(ONE, ToWorker::Forget(root(1).id))), "{actions:?}");
    assert_eq!(delivered(&scheduler.handle(3 * MS, said(ONE, vec![tally(0)]))), 0);
    let (_, member) = scheduler.members().next().expect("one worker");
    assert_eq!(member.in_flight(), 0);
}

#[test]
fn an_idle_worker_gets_a_stragglers_batch_as_well() {
    let mut scheduler = opened(&[ONE, TWO]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0), batch(1)]));
    scheduler.handle(5 * MS, said(TWO, vec![tally(1)]));
    let actions = scheduler.handle(100 * MS, Event::Tick);
    assert_eq!(lent(&actions), [(TWO, 0)]);
    assert_eq!(delivered(&scheduler.handle(101 * MS, said(TWO, vec![tally(0)]))), 1);
    let settled = scheduler.handle(102 * MS, Event::Closed(SESSION));
    let totals = settled.iter().find_map(|action| match action {
        Action::Settled(SESSION, settlement) => Some(settlement.totals),
        _ => None,
    });
    let totals = totals.expect("a closed session is settled");
    assert_eq!((totals.sent, totals.merged, totals.lent_again, totals.abandoned), (3, 2, 1, 0));
}

#[test]
fn a_restricted_scheduler_lends_to_one_alone_until_it_is_told_otherwise() {
    let mut scheduler = opened(&[ONE, TWO]);
    let actions = scheduler.handle(MS, Event::Restrict(Some(TWO)));
    // The floor of one worker with a thread: two batches of one playout.
    let one = ClusterCapacity { window: 2, threads: 1, ..ClusterCapacity::default() };
    let capacity = ClusterCapacity { threads_a_batch: 1, ..one };
    assert!(actions.contains(&Action::Capacity(SESSION, capacity)), "{actions:?}");
    let batches = (0..6).map(batch).collect();
    let lent_to: Vec<WorkerId> =
        lent(&scheduler.handle(2 * MS, Event::Submitted(SESSION, batches)))
            .into_iter()
            .map(|(worker, _)| worker)
            .collect();
    assert!(!lent_to.is_empty() && lent_to.iter().all(|&worker| worker == TWO), "{lent_to:?}");
    let actions = scheduler.handle(3 * MS, Event::Restrict(None));
    assert!(lent(&actions).iter().any(|&(worker, _)| worker == ONE), "{actions:?}");
}

#[test]
fn who_joins_a_restricted_scheduler_waits_and_nobody_starves_meanwhile() {
    let mut scheduler = opened(&[ONE]);
    scheduler.handle(MS, Event::Restrict(Some(ONE)));
    scheduler.handle(MS, Event::Joined(TWO, profile(&["gomoku"]), Origin::Remote));
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    assert_eq!(lent(&scheduler.handle(2 * MS, Event::Left(ONE))), []);
    assert!(!scheduler.is_starved(MS));
    assert_eq!(lent(&scheduler.handle(3 * MS, Event::Restrict(None))), [(TWO, 0)]);
}

/// 4 playouts in 25 ms are 160 a second, however long nothing was asked of the worker before.
#[test]
fn work_that_was_called_off_makes_nobody_slower() {
    let dropped = Event::Dropped(SESSION, vec![batch(0).id]);
    for call_off in [dropped, Event::Closed(SESSION), Event::Opened(root(2), Claim::default())] {
        let mut scheduler = opened(&[ONE]);
        scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
        scheduler.handle(2 * MS, call_off);
        let later = Duration::from_secs(9);
        scheduler.handle(later, Event::Opened(root(3), Claim::default()));
        let asked = Batch { root: root(3).id, ..batch(1) };
        scheduler.handle(later, Event::Submitted(SESSION, vec![asked]));
        scheduler.handle(later + 25 * MS, said(ONE, vec![tally(1)]));
        let (_, member) = scheduler.members().next().expect("one worker");
        assert_eq!(member.rate(), 160.0);
    }
}

#[test]
fn a_playout_costs_what_it_costs_here_however_long_its_worker_has_worked_elsewhere() {
    let mut scheduler = opened(&[ONE]);
    let pong = |cpu| {
        let usage = Usage { cpu, ..Usage::default() };
        Event::Said(ONE, FromWorker::Pong { nonce: 0, usage })
    };
    let before = Duration::from_secs(8 * 3_600);
    scheduler.handle(MS, pong(before));
    for number in 0..200 {
        scheduler.handle(2 * MS, Event::Submitted(SESSION, vec![batch(number)]));
        scheduler.handle(3 * MS, said(ONE, vec![tally(number)]));
    }
    // 800 playouts in 80 ms.
    scheduler.handle(4 * MS, pong(before + 80 * MS));
    let (_, member) = scheduler.members().next().expect("one");
    assert_eq!(member.merged_playouts(), 800);
    assert_eq!(member.playout_cost(), Some(Duration::from_micros(100)));
}
