//! Audits: who is asked, what follows when tallies differ, and how leases are accounted for.

use super::tests::{SESSION, batch, counted, delivered, lent, profile, root, said, tally};
use super::*;
use banyan_games::{Color, Counts, Move};
use banyan_jobs::{Answer, Grow, Job, Proof, Siblings, Subtree, Tally};

const MS: Duration = Duration::from_millis(1);
const ONE: WorkerId = WorkerId(1);
const TWO: WorkerId = WorkerId(2);
const THREE: WorkerId = WorkerId(3);

/// Audits every batch.
const AUDITING: Auditing = Auditing { every: 1, salt: 0, probation: PROBATION };

/// More than the referee has to spare.
const LONG: Duration = Duration::from_secs(3_600);

fn joined(worker: WorkerId) -> Event {
    Event::Joined(worker, profile(&["gomoku"]), Origin::Remote)
}

fn open() -> Event {
    Event::Opened(root(1), Claim::default())
}

/// A scheduler that audits every batch, with workers on probation.
fn new_workers(workers: &[WorkerId]) -> Scheduler {
    let mut scheduler = Scheduler::new(AUDITING);
    for &worker in workers {
        scheduler.handle(Duration::ZERO, joined(worker));
    }
    scheduler.handle(Duration::ZERO, open());
    scheduler
}

/// Answers whatever is lent or asked as honest workers would, until nothing is left; the coordinator's own
/// answers take `took` each.
fn answer_all(scheduler: &mut Scheduler, mut actions: Vec<Action>, took: Duration) {
    while let Some(action) = actions.pop() {
        let event = match action {
            Action::Send(worker, ToWorker::Lend(lent)) => {
                let answers = lent.iter().map(|lent| tally(lent.batch.id.number())).collect();
                said(worker, answers)
            }
            Action::Referee(_, batch) => Event::Refereed(tally(batch.id.number()), took),
            _ => continue,
        };
        actions.extend(scheduler.handle(MS, event));
    }
}

/// The same whose word is taken, and a coordinator that has no time to spare.
fn audited(workers: &[WorkerId]) -> Scheduler {
    let mut scheduler = new_workers(workers);
    let batches = (1_000..1_000 + 8 * workers.len() as u64).map(batch).collect();
    let actions = scheduler.handle(Duration::ZERO, Event::Submitted(SESSION, batches));
    answer_all(&mut scheduler, actions, LONG);
    assert!(scheduler.members().all(|(_, member)| member.standing.is_trusted()));
    scheduler.handle(MS, Event::Closed(SESSION));
    scheduler.handle(MS, open());
    scheduler
}

/// Lets so much time pass that the coordinator has some to spare, in which nobody was silent.
fn rest(scheduler: &mut Scheduler) -> Duration {
    let now = 5_000 * LONG;
    let mut asked = refereed(&scheduler.handle(now, Event::Stalled(now)));
    // It looks at what was said before.
    while let Some(number) = asked.pop() {
        asked.extend(refereed(&scheduler.handle(now, Event::Refereed(tally(number), MS))));
    }
    now
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
        let actions = scheduler.handle(4 * MS, Event::Refereed(tally(0), MS));
        assert_eq!(put_out(&actions), [liar]);
        assert!(actions.contains(&Action::TakeBack(SESSION, liar)), "{actions:?}");
        let left: Vec<WorkerId> = scheduler.members().map(|(id, _)| id).collect();
        assert_eq!(left.len(), 1);
        assert!(!left.contains(&liar));
        assert_eq!(totals(&mut scheduler, 5 * MS).disputed, 1);
    }
}

#[test]
fn a_new_workers_tally_counts_once_the_coordinator_has_played_its_batch() {
    let mut scheduler = new_workers(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, (0..9).map(batch).collect()));
    let actions = scheduler.handle(2 * MS, said(ONE, vec![tally(0)]));
    assert_eq!((delivered(&actions), refereed(&actions)), (0, vec![0]));
    let actions = scheduler.handle(3 * MS, Event::Refereed(tally(0), MS));
    assert_eq!(delivered(&actions), 1);
    assert_eq!(scheduler.ledger(SESSION).expect("open").totals().merged, 1);
}

#[test]
fn a_new_worker_is_lent_no_more_than_its_probation_is_long() {
    let mut scheduler = new_workers(&[ONE]);
    let mut actions = scheduler.handle(MS, Event::Submitted(SESSION, (0..40).map(batch).collect()));
    let mut held = Vec::new();
    // Nobody looks at what it says.
    for number in 0..40 {
        held.extend(lent(&actions));
        if !held.contains(&(ONE, number)) {
            break;
        }
        actions = scheduler.handle(2 * MS, said(ONE, vec![tally(number)]));
    }
    assert_eq!(held.len(), 4, "{held:?}");
}

#[test]
fn no_lie_of_a_new_worker_counts_and_its_batches_are_lent_again() {
    let mut scheduler = new_workers(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0), batch(1)]));
    let actions = scheduler.handle(2 * MS, said(ONE, vec![lie(0), tally(1)]));
    assert_eq!((delivered(&actions), refereed(&actions)), (0, vec![0, 1]));
    let actions = scheduler.handle(3 * MS, Event::Refereed(tally(0), MS));
    assert_eq!((put_out(&actions), delivered(&actions)), (vec![ONE], 0));
    let again = lent(&scheduler.handle(4 * MS, joined(TWO)));
    assert_eq!(again.iter().filter(|&&(_, number)| number == 0).count(), 1, "{again:?}");
}

#[test]
fn nothing_counts_of_who_leaves_before_it_is_known_to_be_honest() {
    let mut scheduler = new_workers(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0), batch(1)]));
    let actions = scheduler.handle(2 * MS, said(ONE, vec![lie(0), lie(1)]));
    assert_eq!((delivered(&actions), refereed(&actions)), (0, vec![0, 1]));
    scheduler.handle(3 * MS, Event::Left(ONE));
    scheduler.handle(4 * MS, joined(TWO));
    let mut again = Vec::new();
    for number in [0, 1] {
        let actions = scheduler.handle(5 * MS, Event::Refereed(tally(number), MS));
        assert_eq!((delivered(&actions), put_out(&actions)), (0, vec![ONE]));
        again.extend(lent(&actions));
    }
    assert_eq!(again, [(TWO, 0), (TWO, 1)]);
    assert_eq!(scheduler.ledger(SESSION).expect("open").totals().merged, 0);
}

#[test]
fn two_who_lie_alike_are_found_by_the_coordinator() {
    let mut scheduler = audited(&[ONE, TWO]);
    let now = rest(&mut scheduler);
    scheduler.handle(now, Event::Submitted(SESSION, vec![batch(0)]));
    let first = scheduler.handle(now, said(ONE, vec![lie(0)]));
    assert_eq!((delivered(&first), lent(&first)), (1, vec![(TWO, 0)]));
    assert_eq!(refereed(&first), [0], "though nobody disputes it");
    let agreed = scheduler.handle(now, said(TWO, vec![lie(0)]));
    assert_eq!(refereed(&agreed), [] as [u64; 0]);
    let actions = scheduler.handle(now, Event::Refereed(tally(0), MS));
    assert_eq!(put_out(&actions), [ONE]);
    assert!(actions.contains(&Action::TakeBack(SESSION, ONE)), "{actions:?}");
}

#[test]
fn what_was_said_last_is_looked_at_when_its_worker_has_left() {
    let mut scheduler = audited(&[ONE, TWO]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    scheduler.handle(MS, said(ONE, vec![lie(0)]));
    let left = scheduler.handle(MS, Event::Left(ONE));
    assert_eq!(refereed(&left), [] as [u64; 0], "no time to spare");
    let later = scheduler.handle(5_000 * LONG, Event::Stalled(5_000 * LONG));
    assert_eq!(refereed(&later), [0]);
    let actions = scheduler.handle(5_000 * LONG, Event::Refereed(tally(0), MS));
    assert_eq!(put_out(&actions), [ONE]);
}

#[test]
fn a_search_that_begins_later_is_told_of_the_liars_before_it() {
    let mut scheduler = audited(&[ONE, TWO]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    scheduler.handle(2 * MS, said(ONE, vec![lie(0)]));
    scheduler.handle(3 * MS, said(TWO, vec![tally(0)]));
    scheduler.handle(4 * MS, Event::Closed(SESSION));
    scheduler.handle(5 * MS, Event::Refereed(tally(0), MS));
    let actions = scheduler.handle(6 * MS, open());
    assert!(actions.contains(&Action::TakeBack(SESSION, ONE)), "{actions:?}");
}

#[test]
fn what_proves_something_near_the_root_is_always_compared() {
    let mut scheduler = Scheduler::new(Auditing { every: u32::MAX, salt: 9, ..AUDITING });
    scheduler.handle(Duration::ZERO, Event::Joined(TWO, profile(&["gomoku"]), Origin::Local));
    scheduler.handle(Duration::ZERO, joined(ONE));
    scheduler.handle(Duration::ZERO, open());
    scheduler.handle(MS, Event::Restrict(Some(ONE)));
    let actions = scheduler.handle(MS, Event::Submitted(SESSION, (100..140).map(batch).collect()));
    answer_all(&mut scheduler, actions, LONG);
    assert!(scheduler.members().all(|(_, member)| member.standing.is_trusted()));
    for (number, proof, audits) in [(200, Proof::Open, 0), (201, Proof::Loss, 1)] {
        scheduler.handle(2 * MS, Event::Submitted(SESSION, vec![subtree_batch(number)]));
        let actions = scheduler.handle(3 * MS, said(ONE, vec![subtree_tally(number, proof)]));
        assert_eq!(delivered(&actions), 1, "{actions:?}");
        let waits = scheduler.ledger(SESSION).expect("open").has_audits();
        assert_eq!(usize::from(waits), audits);
    }
}

fn subtree_batch(number: u64) -> Batch {
    let Job::LeafParallel(playouts) = batch(number).job else { panic!("playouts") };
    let grow = Grow { playouts, floor: 2, known: Box::default(), judged: false, spread: None };
    Batch { job: Job::Subtree(grow), ..batch(number) }
}

/// A subtree of one child.
fn subtree_tally(number: u64, proof: Proof) -> Tally {
    let subtree = Subtree {
        groups: vec![Siblings { parent: None, side: Color::Black, children: 1, is_partial: false }],
        moves: vec![Move(24)],
        visits: vec![4],
        half_wins: vec![8],
        amaf_visits: vec![0],
        amaf_half_wins: vec![0],
        proofs: vec![proof],
        priors: vec![0; 1],
        judged: vec![0; 1],
        leaf_judged: 0,
    };
    let counts = Counts { wins: 4, ..Counts::default() };
    Tally { batch: batch(number).id, answer: Answer::Subtree(counts, Box::new(subtree)) }
}

#[test]
fn a_lone_workers_audits_are_played_by_the_coordinator_itself() {
    let mut scheduler = audited(&[ONE]);
    let now = rest(&mut scheduler);
    scheduler.handle(now, Event::Submitted(SESSION, vec![batch(0)]));
    let mut asked = refereed(&scheduler.handle(now, said(ONE, vec![lie(0)])));
    asked.extend(refereed(&scheduler.handle(now + 300 * MS, Event::Tick)));
    assert!(asked.contains(&0));
    let actions = scheduler.handle(now + 301 * MS, Event::Refereed(tally(0), MS));
    assert_eq!(put_out(&actions), [ONE]);
    assert!(scheduler.is_starved(MS));
}

#[test]
fn a_liar_that_left_meanwhile_is_still_named_and_taken_back() {
    let mut scheduler = audited(&[ONE, TWO]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    scheduler.handle(2 * MS, said(ONE, vec![lie(0)]));
    scheduler.handle(3 * MS, said(TWO, vec![tally(0)]));
    scheduler.handle(4 * MS, Event::Left(ONE));
    let actions = scheduler.handle(5 * MS, Event::Refereed(tally(0), MS));
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
    let mut scheduler = Scheduler::default();
    scheduler.handle(Duration::ZERO, joined(ONE));
    scheduler.handle(Duration::ZERO, open());
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
    let mut scheduler = Scheduler::new(AUDITING);
    scheduler.handle(MS, Event::Joined(ONE, profile(&["gomoku"]), Origin::Local));
    scheduler.handle(MS, Event::Opened(root(1), Claim::default()));
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
    scheduler.handle(2 * MS, said(ONE, vec![tally(0)]));
    scheduler.handle(2 * MS, Event::Joined(TWO, profile(&["gomoku"]), Origin::Remote));
    assert!(refereed(&scheduler.handle(900 * MS, Event::Tick)).is_empty());
    assert_eq!(totals(&mut scheduler, 901 * MS).sent, 1);
}

#[test]
fn a_worker_whose_search_ends_while_it_is_looked_at_is_lent_work_by_the_next() {
    let mut scheduler = new_workers(&[ONE]);
    for _ in 0..4 {
        scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0), batch(1)]));
        let actions = scheduler.handle(2 * MS, said(ONE, vec![tally(0), tally(1)]));
        assert_eq!(refereed(&actions), [0, 1], "it was lent both");
        scheduler.handle(3 * MS, Event::Closed(SESSION));
        scheduler.handle(4 * MS, Event::Refereed(tally(0), MS));
        scheduler.handle(4 * MS, Event::CannotReferee(batch(1).id));
        scheduler.handle(5 * MS, open());
    }
}

#[test]
fn a_lie_that_nobody_else_disputes_is_no_audit_that_came_out_equal() {
    let mut scheduler = new_workers(&[ONE]);
    scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0), batch(1)]));
    scheduler.handle(2 * MS, said(ONE, vec![lie(0), tally(1)]));
    assert_eq!(put_out(&scheduler.handle(3 * MS, Event::Refereed(tally(0), MS))), [ONE]);
    assert_eq!(totals(&mut scheduler, 4 * MS).disputed, 1);
}

#[test]
fn a_batch_is_audited_once_it_was_compared_so_those_equal_never_become_fewer() {
    let looked = |scheduler: &Scheduler| (scheduler.totals().audited, scheduler.totals().disputed);
    for is_over in [false, true] {
        let mut scheduler = new_workers(&[ONE]);
        scheduler.handle(MS, Event::Submitted(SESSION, vec![batch(0)]));
        assert_eq!(refereed(&scheduler.handle(2 * MS, said(ONE, vec![tally(0)]))), [0]);
        scheduler.handle(3 * MS, Event::CannotReferee(batch(0).id));
        assert_eq!(looked(&scheduler), (0, 0), "nothing was compared");
        scheduler.handle(4 * MS, Event::Submitted(SESSION, vec![batch(1), batch(2)]));
        let actions = scheduler.handle(5 * MS, said(ONE, vec![tally(1), lie(2)]));
        assert_eq!((refereed(&actions), looked(&scheduler)), (vec![1, 2], (0, 0)));
        scheduler.handle(6 * MS, Event::Refereed(tally(1), MS));
        assert_eq!(looked(&scheduler), (1, 0));
        if is_over {
            scheduler.handle(7 * MS, Event::Closed(SESSION));
        }
        scheduler.handle(8 * MS, Event::Refereed(tally(2), MS));
        assert_eq!(looked(&scheduler), (2, 1));
    }
}

#[test]
fn a_dispute_that_finds_the_coordinator_busy_waits_for_it() {
    let mut scheduler = audited(&[ONE, TWO, THREE]);
    scheduler.handle(MS, Event::Restrict(Some(ONE)));
    scheduler.handle(MS, Event::Submitted(SESSION, (0..3).map(batch).collect()));
    let actions = scheduler.handle(2 * MS, said(ONE, vec![lie(0), lie(1)]));
    assert_eq!(lent(&actions), [(ONE, 2)]);
    scheduler.handle(2 * MS, said(ONE, vec![lie(2)]));
    let audits = scheduler.handle(3 * MS, Event::Restrict(Some(TWO)));
    assert_eq!(lent(&audits), [(TWO, 0), (TWO, 1)]);
    let actions = scheduler.handle(4 * MS, said(TWO, vec![tally(0), tally(1)]));
    assert_eq!((refereed(&actions), lent(&actions)), (vec![0, 1], vec![(TWO, 2)]));
    let actions = scheduler.handle(4 * MS, said(TWO, vec![tally(2)]));
    assert_eq!(refereed(&actions), [] as [u64; 0]);
    // The search goes on from another position meanwhile.
    scheduler.handle(5 * MS, Event::Opened(root(2), Claim::default()));
    let actions = scheduler.handle(5 * MS, Event::CannotReferee(batch(0).id));
    let asked = Action::Referee(root(1), std::sync::Arc::new(batch(2)));
    assert!(actions.contains(&asked), "by the root of its batch: {actions:?}");
    scheduler.handle(6 * MS, Event::CannotReferee(batch(1).id));
    let actions = scheduler.handle(7 * MS, Event::Refereed(tally(2), MS));
    assert_eq!(put_out(&actions), [ONE]);
}
