//! Audits: who is asked, what follows when tallies differ, and how leases are accounted for.

use super::tests::{SESSION, batch, counted, delivered, lent, profile, root, said, tally};
use super::*;
use banyan_games::Counts;
use banyan_jobs::Tally;

const MS: Duration = Duration::from_millis(1);
const ONE: WorkerId = WorkerId(1);
const TWO: WorkerId = WorkerId(2);
const THREE: WorkerId = WorkerId(3);

/// Every batch is audited.
fn audited(workers: &[WorkerId]) -> Scheduler {
    let mut scheduler = Scheduler::new(Auditing { every: 1, salt: 0 });
    for &worker in workers {
        let joined = Event::Joined(worker, profile(&["gomoku"]), Origin::Remote);
        scheduler.handle(Duration::ZERO, joined);
    }
    scheduler.handle(Duration::ZERO, Event::Opened(root(1), Claim::default()));
    scheduler
}

fn lie(number: u64) -> Tally {
    counted(number, Counts { losses: 4, ..Counts::default() })
}

fn refereed(actions: &[Action]) -> Vec<u64> {
    let number = |action: &Action| match action {
        Action::Referee(_, batch) => Some(batch.id.number()),
        _ => None,
    };
    actions.iter().filter_map(number).collect()
}

fn put_out(actions: &[Action]) -> Vec<WorkerId> {
    let who = |action: &Action| match action {
        Action::Dismiss(worker, Dismissal::Lied(_)) => Some(*worker),
        _ => None,
    };
    actions.iter().filter_map(who).collect()
}

fn totals(scheduler: &mut Scheduler, now: Duration) -> Totals {
    let settled = scheduler.handle(now, Event::Closed(SESSION));
    let totals = settled.into_iter().find_map(|action| match action {
        Action::Settled(_, settlement) => Some(settlement.totals),
        _ => None,
    });
    totals.expect("a closed session is settled")
}

#[test]
fn an_audited_batch_is_delivered_at_once_and_lent_to_another_worker_only() {
    let mut scheduler = audited(&[ONE, TWO]);
    let first = lent(&scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)])));
    assert_eq!(first, [(ONE, 0)]);
    let actions = scheduler.handle(2 * MS, said(ONE, vec![tally(0)]));
    assert_eq!((delivered(&actions), lent(&actions)), (1, vec![(TWO, 0)]));
    let actions = scheduler.handle(3 * MS, said(TWO, vec![tally(0)]));
    assert_eq!((delivered(&actions), refereed(&actions)), (0, vec![]));
    let totals = totals(&mut scheduler, 4 * MS);
    assert_eq!((totals.audited, totals.disputed, totals.merged), (1, 0, 1));
    assert_eq!((totals.sent, totals.answered, totals.lost, totals.dead), (2, 2, 0, 0));
}

#[test]
fn whoever_the_coordinator_does_not_agree_with_is_put_out_and_taken_back() {
    for liar in [ONE, TWO] {
        let mut scheduler = audited(&[ONE, TWO]);
        scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
        let says = |worker| if worker == liar { lie(0) } else { tally(0) };
        scheduler.handle(2 * MS, said(ONE, vec![says(ONE)]));
        let actions = scheduler.handle(3 * MS, said(TWO, vec![says(TWO)]));
        assert_eq!(refereed(&actions), [0]);
        let actions = scheduler.handle(4 * MS, Event::Refereed(tally(0)));
        assert_eq!(put_out(&actions), [liar]);
        assert!(actions.contains(&Action::TakeBack(SESSION, liar)), "{actions:?}");
        let left: Vec<WorkerId> = scheduler.members().map(|(id, _)| id).collect();
        assert_eq!(left.len(), 1);
        assert!(!left.contains(&liar));
        assert_eq!(totals(&mut scheduler, 5 * MS).disputed, 1);
    }
}

#[test]
fn a_lone_worker_is_audited_by_the_coordinator_itself() {
    let mut scheduler = audited(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    scheduler.handle(2 * MS, said(ONE, vec![lie(0)]));
    assert!(refereed(&scheduler.handle(10 * MS, Event::Tick)).is_empty());
    assert_eq!(refereed(&scheduler.handle(300 * MS, Event::Tick)), [0]);
    let actions = scheduler.handle(301 * MS, Event::Refereed(tally(0)));
    assert_eq!(put_out(&actions), [ONE]);
    assert!(scheduler.is_starved());
}

#[test]
fn a_liar_that_left_meanwhile_is_still_named_and_taken_back() {
    let mut scheduler = audited(&[ONE, TWO]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    scheduler.handle(2 * MS, said(ONE, vec![lie(0)]));
    scheduler.handle(3 * MS, said(TWO, vec![tally(0)]));
    scheduler.handle(4 * MS, Event::Left(ONE));
    let actions = scheduler.handle(5 * MS, Event::Refereed(tally(0)));
    assert_eq!(put_out(&actions), [ONE]);
    assert!(actions.contains(&Action::TakeBack(SESSION, ONE)), "{actions:?}");
}

#[test]
fn an_audit_whose_auditor_leaves_goes_to_a_third() {
    let mut scheduler = audited(&[ONE, TWO, THREE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    scheduler.handle(2 * MS, said(ONE, vec![tally(0)]));
    let actions = scheduler.handle(3 * MS, Event::Left(TWO));
    assert_eq!(lent(&actions), [(THREE, 0)]);
    scheduler.handle(4 * MS, said(THREE, vec![tally(0)]));
    let totals = totals(&mut scheduler, 5 * MS);
    assert_eq!((totals.audited, totals.lost, totals.answered), (1, 1, 2));
}

#[test]
fn leases_that_are_open_at_the_end_are_counted_as_dead() {
    let mut scheduler = audited(&[ONE, TWO]);
    scheduler.handle(MS, Event::Submitted(SESSION, (0..3).map(batch).collect()));
    scheduler.handle(2 * MS, said(ONE, vec![tally(0)]));
    let totals = totals(&mut scheduler, 3 * MS);
    assert_eq!(totals.sent, totals.answered + totals.lost + totals.dead);
    assert_eq!((totals.answered, totals.merged, totals.abandoned), (1, 1, 2));
}

#[test]
fn batches_that_are_not_needed_any_more_are_lent_to_nobody_and_who_has_them_is_told() {
    let mut scheduler = audited(&[ONE]);
    let number = |number| batch(number).id;
    let first = scheduler.handle(MS, Event::Submitted(SESSION, (0..40).map(batch).collect()));
    let held: Vec<u64> = lent(&first).into_iter().map(|(_, number)| number).collect();
    let (out, waiting) = (held[0], 39);
    assert!(!held.contains(&waiting), "more batches than fit one worker");
    let dropped = vec![number(out), number(waiting), number(77)];
    let actions = scheduler.handle(2 * MS, Event::Dropped(SESSION, dropped));
    assert!(actions.contains(&Action::Send(ONE, ToWorker::Drop(vec![number(out)]))), "{actions:?}");
    // An answer that was on its way is nobody's fault.
    let actions = scheduler.handle(3 * MS, said(ONE, vec![tally(out)]));
    assert_eq!((delivered(&actions), put_out(&actions)), (0, vec![]));
    let mut lent_since = Vec::new();
    for at in 0..40 {
        let held: Vec<_> = scheduler.ledger(SESSION).map(|it| it.open()).into_iter().collect();
        assert!(held[0] <= 38);
        let actions = scheduler.handle(4 * MS + at * MS, said(ONE, vec![tally(at.into())]));
        lent_since.extend(lent(&actions).into_iter().map(|(_, number)| number));
    }
    assert!(!lent_since.contains(&waiting), "{lent_since:?}");
    let totals = totals(&mut scheduler, 90 * MS);
    assert_eq!((totals.merged, totals.abandoned), (38, 2));
    assert_eq!(totals.sent, totals.answered + totals.lost + totals.dead);
}

#[test]
fn threads_of_this_process_audit_others_and_are_not_audited() {
    let mut scheduler = Scheduler::new(Auditing { every: 1, salt: 0 });
    scheduler.handle(MS, Event::Joined(ONE, profile(&["gomoku"]), Origin::Local));
    scheduler.handle(MS, Event::Opened(root(1), Claim::default()));
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    scheduler.handle(2 * MS, said(ONE, vec![tally(0)]));
    scheduler.handle(2 * MS, Event::Joined(TWO, profile(&["gomoku"]), Origin::Remote));
    assert!(refereed(&scheduler.handle(900 * MS, Event::Tick)).is_empty());
    assert_eq!(totals(&mut scheduler, 901 * MS).sent, 1);
}
