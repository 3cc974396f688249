//! Workers that judge beside workers that play out.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Kind, Record};
use banyan_jobs::{
    Answer, Batch, BatchId, ClusterCapacity, Epoch, Evaluate, FromWorker, Growing, Job, Judgement,
    ModelDigest, Offer, Profile, Root, RootId, Tally, ToWorker, WorkerId,
};
use banyan_knowledge::Chance;
use banyan_knowledge::evaluator::KATAGO;

use super::tests::{SESSION, batch, delivered, lent, profile, said};
use super::{Action, Auditing, Claim, Dismissal, Event, Origin, Scheduler};

const MS: Duration = Duration::from_millis(1);
const PLAYER: WorkerId = WorkerId(1);
const JUDGE: WorkerId = WorkerId(2);
const OTHER: WorkerId = WorkerId(3);

fn root(lambda: f32) -> Arc<Root> {
    let rules = GoRules::new(9, 14).expect("a board");
    let mut growing = Growing::of(Kind::Go);
    growing.parameters.lambda = lambda;
    growing.evaluator = Some(KATAGO);
    let id = RootId { session: SESSION, epoch: Default::default() };
    Arc::new(Root::of(&Record::<Go>::new(&rules), Color::Black, id, growing))
}

fn judges(evaluator: ModelDigest) -> Profile {
    let offer = Offer { game: "go".to_owned(), digest: evaluator, name: "b6".to_owned() };
    Profile { threads: 2, games: Vec::new(), evaluators: vec![offer], ..profile(&[]) }
}

fn played(number: u64) -> Batch {
    Batch { root: root(1.0).id, ..batch(number) }
}

fn judged(number: u64) -> Batch {
    Batch { job: Job::Evaluate(Evaluate { ownership: false }), ..played(number) }
}

fn judgement(number: u64) -> Tally {
    let policy = vec![Chance::of(0.5); 82];
    let answer = Answer::Judged(Judgement { value: 9, policy, ..Judgement::default() });
    Tally { batch: BatchId::new(SESSION, number), answer }
}

fn opened(lambda: f32, workers: &[(WorkerId, Profile)]) -> Scheduler {
    let mut scheduler = Scheduler::new(Auditing { every: 1, salt: 1, probation: crate::PROBATION });
    for (worker, profile) in workers {
        scheduler.handle(Duration::ZERO, Event::Joined(*worker, profile.clone(), Origin::Remote));
    }
    scheduler.handle(Duration::ZERO, Event::Opened(root(lambda), Claim::default()));
    scheduler
}

fn submit(scheduler: &mut Scheduler, batches: Vec<Batch>) -> Vec<(WorkerId, u64)> {
    lent(&scheduler.handle(MS, Event::Submitted(SESSION, batches)))
}

#[test]
fn a_judgement_is_lent_to_who_has_the_evaluator_and_a_playout_to_who_plays() {
    let workers = [(PLAYER, profile(&["go"])), (JUDGE, judges(KATAGO))];
    let mut scheduler = opened(0.5, &workers);
    let batches = vec![played(0), judged(1), played(2), judged(3)];
    let mut lent = submit(&mut scheduler, batches);
    lent.sort_by_key(|&(_, number)| number);
    assert_eq!(lent, [(PLAYER, 0), (JUDGE, 1), (PLAYER, 2), (JUDGE, 3)]);
}

#[test]
fn who_has_another_evaluator_or_none_is_lent_no_judgement() {
    let workers = [(PLAYER, profile(&["go"])), (OTHER, judges(ModelDigest([9; 32])))];
    let mut scheduler = opened(1.0, &workers);
    assert_eq!(submit(&mut scheduler, vec![judged(0)]), []);
    assert!(scheduler.is_starved(MS) && scheduler.wants_judge(KATAGO, MS));
    let joined = Event::Joined(JUDGE, judges(KATAGO), Origin::Remote);
    assert_eq!(lent(&scheduler.handle(2 * MS, joined)), [(JUDGE, 0)]);
    assert!(!scheduler.is_starved(MS) && !scheduler.wants_judge(KATAGO, 2 * MS));
}

#[test]
fn a_judge_that_answers_nothing_any_more_is_as_good_as_none() {
    let mut scheduler = opened(1.0, &[(JUDGE, judges(KATAGO))]);
    let is_wanted = |scheduler: &Scheduler, now| scheduler.wants_judge(KATAGO, now);
    submit(&mut scheduler, vec![judged(0), judged(1)]);
    assert!(!is_wanted(&scheduler, 900 * MS) && is_wanted(&scheduler, 1_100 * MS));
    // An answer says that it lives, and how long it takes: three times that is waited for from now on.
    scheduler.handle(1_000 * MS, said(JUDGE, vec![judgement(0)]));
    assert!(!is_wanted(&scheduler, 3_900 * MS) && is_wanted(&scheduler, 4_100 * MS));
    let joined = Event::Joined(OTHER, judges(KATAGO), Origin::StandIn);
    scheduler.handle(4_100 * MS, joined);
    assert!(!is_wanted(&scheduler, 4_101 * MS));
    let has_other = |scheduler: &Scheduler, now| {
        scheduler.has_judge_but(OTHER, (banyan_games::Kind::Go, KATAGO), now)
    };
    assert!(!has_other(&scheduler, 4_101 * MS));
    scheduler.handle(4_102 * MS, said(JUDGE, vec![judgement(1)]));
    assert!(has_other(&scheduler, 4_103 * MS));
}

#[test]
fn what_a_judge_that_is_gone_held_waits_for_another() {
    let mut scheduler = opened(1.0, &[(JUDGE, judges(KATAGO)), (PLAYER, profile(&["go"]))]);
    assert_eq!(submit(&mut scheduler, vec![judged(0), judged(1)]).len(), 2);
    assert_eq!(lent(&scheduler.handle(2 * MS, Event::Left(JUDGE))), []);
    let joined = Event::Joined(OTHER, judges(KATAGO), Origin::Remote);
    let mut lent = lent(&scheduler.handle(3 * MS, joined));
    lent.sort_by_key(|&(_, number)| number);
    assert_eq!(lent, [(OTHER, 0), (OTHER, 1)]);
    let tallies = vec![judgement(0), judgement(1)];
    assert_eq!(delivered(&scheduler.handle(4 * MS, said(OTHER, tallies))), 2);
}

/// Lets audits be answered by what was answered before.
fn answer_audits(scheduler: &mut Scheduler, actions: Vec<Action>) {
    for (auditor, number) in lent(&actions) {
        let actions = scheduler.handle(2 * MS, said(auditor, vec![judgement(number)]));
        assert_eq!(delivered(&actions), 0, "it counts once");
        answer_audits(scheduler, actions);
    }
}

/// A judgement of `JUDGE` that counts, whose audit `OTHER` has been lent; both have passed their probation.
fn audited(other: Origin) -> Scheduler {
    let mut scheduler = opened(1.0, &[(JUDGE, judges(KATAGO))]);
    scheduler.handle(Duration::ZERO, Event::Joined(OTHER, judges(KATAGO), other));
    // Of what is judged nobody can say for sure that it is right, so nobody waits for another's word.
    for (worker, from) in [(JUDGE, 0), (OTHER, AUDITED / 2)] {
        let actions = scheduler.handle(MS, Event::Restrict(Some(worker)));
        answer_audits(&mut scheduler, actions);
        for number in from..from + AUDITED / 2 {
            assert_eq!(submit(&mut scheduler, vec![judged(number)]), [(worker, number)]);
            let actions = scheduler.handle(2 * MS, said(worker, vec![judgement(number)]));
            assert_eq!(delivered(&actions), 1, "it counts at once");
            answer_audits(&mut scheduler, actions);
        }
    }
    let actions = scheduler.handle(2 * MS, Event::Restrict(Some(JUDGE)));
    answer_audits(&mut scheduler, actions);
    assert_eq!(submit(&mut scheduler, vec![judged(AUDITED)]), [(JUDGE, AUDITED)]);
    let actions = scheduler.handle(2 * MS, said(JUDGE, vec![judgement(AUDITED)]));
    assert_eq!((delivered(&actions), lent(&actions)), (1, Vec::new()));
    let actions = scheduler.handle(2 * MS, Event::Restrict(None));
    assert_eq!(lent(&actions), [(OTHER, AUDITED)], "every tally is audited");
    scheduler
}

const AUDITED: u64 = 2 * crate::PROBATION as u64;

/// That of [`judgement`] with another value.
fn judgement_of(value: u16) -> Tally {
    let mut tally = judgement(AUDITED);
    let Answer::Judged(judgement) = &mut tally.answer else { panic!("a judgement") };
    judgement.value = value;
    tally
}

/// Tells what follows where the auditor finds another value; one judgement of a position counts in any case.
fn answered(scheduler: &mut Scheduler, value: u16) -> Vec<Action> {
    let actions = scheduler.handle(3 * MS, said(OTHER, vec![judgement_of(value)]));
    assert_eq!(delivered(&actions), 0, "{actions:?}");
    let is_about_it = |it: &Action| {
        matches!(it, Action::Referee(..) | Action::Dismiss(..) | Action::Discord(..))
            || matches!(it, Action::TakeBack(..))
    };
    actions.into_iter().filter(is_about_it).collect()
}

#[test]
fn judgements_in_floating_point_are_compared_within_a_tolerance() {
    let mut scheduler = audited(Origin::Remote);
    assert_eq!(answered(&mut scheduler, 9 + 1_000), []);
}

#[test]
fn where_nobody_can_say_who_of_two_judges_errs_it_is_told_and_both_stay() {
    let mut scheduler = audited(Origin::Remote);
    let told = Action::Discord([JUDGE, OTHER], "Black wins 0.0 % and 27.5 %".to_owned());
    assert_eq!(answered(&mut scheduler, 9_000), [told]);
    assert_eq!(scheduler.members().count(), 2);
}

#[test]
fn a_judge_that_differs_from_the_one_in_this_process_is_put_out_and_what_it_said_taken_back() {
    let mut scheduler = audited(Origin::Local);
    let actions = answered(&mut scheduler, 9_000);
    let [Action::Dismiss(JUDGE, Dismissal::Misbehaved(why)), back] = &actions[..] else {
        panic!("{actions:?}")
    };
    assert!(why.contains("(Black wins 0.0 % and 27.5 %): expected the same network"), "{why}");
    assert_eq!(*back, Action::TakeBack(SESSION, JUDGE));
    // It may have another network, and may come again.
    scheduler.handle(5 * MS, Event::Joined(JUDGE, judges(KATAGO), Origin::Remote));
    assert_eq!(scheduler.members().count(), 2);
}

/// A stand-in's word, by other means, would put out everybody who judges as asked.
#[test]
fn nobody_is_audited_by_a_stand_in_and_an_audit_that_nobody_takes_comes_to_nothing() {
    let mut scheduler = opened(1.0, &[(JUDGE, judges(KATAGO))]);
    assert_eq!(submit(&mut scheduler, vec![judged(0)]), [(JUDGE, 0)]);
    let joined = Event::Joined(OTHER, judges(KATAGO), Origin::StandIn);
    assert_eq!(lent(&scheduler.handle(MS, joined)), []);
    let actions = scheduler.handle(2 * MS, said(JUDGE, vec![judgement(0)]));
    assert_eq!((delivered(&actions), lent(&actions)), (1, Vec::new()));
    let has_audits = |scheduler: &Scheduler| scheduler.ledger(SESSION).expect("open").has_audits();
    assert!(has_audits(&scheduler));
    let actions = scheduler.handle(Duration::from_secs(1), Event::Tick);
    let asks = |it: &Action| matches!(it, Action::Referee(..));
    assert!(!actions.iter().any(asks) && lent(&actions).is_empty(), "{actions:?}");
    assert!(!has_audits(&scheduler));
    let settled = scheduler.handle(Duration::from_secs(1), Event::Closed(SESSION));
    let audited = settled.iter().find_map(|action| match action {
        Action::Settled(_, settlement) => Some(settlement.totals.audited),
        _ => None,
    });
    assert_eq!(audited, Some(0), "nothing was compared");
}

#[test]
fn a_search_is_told_of_players_and_of_judges_apart() {
    let capacity = |lambda| {
        let mut scheduler = opened(1.0, &[(PLAYER, profile(&["go"])), (JUDGE, judges(KATAGO))]);
        let actions = scheduler.handle(MS, Event::Opened(root(lambda), Claim::default()));
        let told = actions.into_iter().filter_map(|action| match action {
            Action::Capacity(_, capacity) => Some(capacity),
            _ => None,
        });
        told.last().expect("it is told")
    };
    let mixed: ClusterCapacity = capacity(0.5);
    assert_eq!((mixed.threads, mixed.judges), (1, 2));
    let alone = capacity(1.0);
    assert_eq!((alone.threads, alone.judges, alone.window), (2, 2, 4));
}

/// Lists who is told that a model is needed.
fn told(actions: &[Action]) -> Vec<(WorkerId, ModelDigest)> {
    let need = |action: &Action| match action {
        &Action::Send(worker, ToWorker::Need(digest)) => Some((worker, digest)),
        _ => None,
    };
    actions.iter().filter_map(need).collect()
}

#[test]
fn workers_are_told_once_of_an_exact_model_that_they_lack_and_judge_when_they_have_it() {
    let net = ModelDigest([5; 32]);
    let by_net = |epoch| {
        let mut root = Root::clone(&root(1.0));
        root.growing.evaluator = Some(net);
        root.id.epoch = Epoch(epoch);
        Event::Opened(Arc::new(root), Claim::default())
    };
    let mut scheduler = opened(1.0, &[(PLAYER, profile(&["go"])), (OTHER, profile(&["hex"]))]);
    assert_eq!(told(&scheduler.handle(MS, by_net(1))), [(PLAYER, net)], "KataGo does not travel");
    assert_eq!(told(&scheduler.handle(MS, by_net(2))), []);
    let joined = Event::Joined(JUDGE, profile(&["go"]), Origin::Local);
    assert_eq!(told(&scheduler.handle(MS, joined)), [(JUDGE, net)]);
    let batch =
        |number| Batch { root: RootId { session: SESSION, epoch: Epoch(2) }, ..judged(number) };
    assert_eq!(submit(&mut scheduler, vec![batch(0)]), []);
    let offer = Offer { game: "go".to_owned(), digest: net, name: "net".to_owned() };
    let offers = Event::Said(PLAYER, FromWorker::Offers(vec![offer]));
    assert_eq!(lent(&scheduler.handle(2 * MS, offers)), [(PLAYER, 0)]);
}

/// A judge that takes its leases one after the other.
struct Desk {
    worker: WorkerId,
    /// Time that a judgement takes.
    takes: Duration,
    waiting: VecDeque<u64>,
    busy_until: Duration,
    judged: u32,
}

impl Desk {
    fn new(worker: WorkerId) -> Desk {
        let (waiting, busy_until) = (VecDeque::new(), Duration::ZERO);
        Desk { worker, takes: MS, waiting, busy_until, judged: 0 }
    }

    /// The judgement that is done now, if one is; then the next begins.
    fn done(&mut self, now: Duration) -> Option<u64> {
        if now < self.busy_until {
            return None;
        }
        let number = self.waiting.pop_front()?;
        self.busy_until = now + self.takes;
        self.judged += 1;
        Some(number)
    }
}

/// Lets a search keep `open` judgements waiting from one time to another, millisecond by millisecond.
fn keep_busy(
    scheduler: &mut Scheduler,
    desks: &mut [Desk],
    (from, to): (u32, u32),
    (next, open): (&mut u64, u64),
) {
    for now in (from..to).map(|tick| tick * MS) {
        let mut actions = Vec::new();
        for desk in &mut *desks {
            if let Some(number) = desk.done(now) {
                actions.extend(scheduler.handle(now, said(desk.worker, vec![judgement(number)])));
            }
        }
        let delivered = delivered(&actions) as u64;
        let more = if now == from * MS && *next == 0 { open } else { delivered };
        let batches = (*next..*next + more).map(judged).collect();
        *next += more;
        actions.extend(scheduler.handle(now, Event::Submitted(SESSION, batches)));
        actions.extend(scheduler.handle(now, Event::Tick));
        for (worker, number) in lent(&actions) {
            let desk = desks.iter_mut().find(|desk| desk.worker == worker).expect("it is known");
            desk.waiting.push_back(number);
        }
    }
}

/// One of two equals takes ten times as long from some moment on.
#[test]
fn a_judge_that_becomes_ten_times_slower_is_lent_a_tenth_and_holds_nobody_up() {
    let mut scheduler = opened(1.0, &[(JUDGE, judges(KATAGO)), (OTHER, judges(KATAGO))]);
    let mut desks = [Desk::new(JUDGE), Desk::new(OTHER)];
    let mut next = 0;
    let mut shares = Vec::new();
    let mut all = Vec::new();
    for (from, to, takes) in [(0, 1_000, 1), (1_000, 2_000, 10), (2_000, 4_000, 10)] {
        desks[1].takes = takes * MS;
        desks.iter_mut().for_each(|desk| desk.judged = 0);
        keep_busy(&mut scheduler, &mut desks, (from, to), (&mut next, 64));
        let judged = desks.each_ref().map(|desk| desk.judged);
        shares.push(f64::from(judged[1]) / f64::from(judged[0] + judged[1]));
        all.push((judged[0] + judged[1]) * 1_000 / (to - from));
    }
    assert!((0.45..0.55).contains(&shares[0]), "{shares:?}");
    assert!(shares[2] < 0.12, "{shares:?}: expected a share of one in eleven");
    // 1,100 a second is what both can do together.
    assert!(all[2] > 1_000, "{all:?} judgements a second");
}

/// A session that is judged by a network which the worker has not.
fn opened_by_network() -> (Scheduler, ModelDigest) {
    let network = ModelDigest([7; 32]);
    let mut scheduler = Scheduler::new(Auditing { every: 1, salt: 1, probation: crate::PROBATION });
    let joined = Event::Joined(PLAYER, profile(&["go"]), Origin::Remote);
    scheduler.handle(Duration::ZERO, joined);
    let mut root = root(1.0).as_ref().clone();
    root.growing.evaluator = Some(network);
    let actions = scheduler.handle(Duration::ZERO, Event::Opened(Arc::new(root), Claim::default()));
    assert!(actions.contains(&Action::Send(PLAYER, ToWorker::Need(network))), "{actions:?}");
    (scheduler, network)
}

#[test]
fn nobody_starves_while_a_worker_fetches_the_model() {
    let (mut scheduler, network) = opened_by_network();
    assert!(scheduler.is_starved(MS), "it has not asked for it");
    let want = |offset| Event::Said(PLAYER, FromWorker::Want(network, offset));
    scheduler.handle(MS, want(0));
    assert!(!scheduler.is_starved(2 * MS) && !scheduler.is_starved(10_000 * MS));
    assert!(scheduler.is_starved(10_002 * MS), "it asks for no more");
    scheduler.handle(10_003 * MS, want(9));
    assert!(!scheduler.is_starved(10_004 * MS));
    let unfit = FromWorker::Unfit(network, "it is damaged".to_owned());
    scheduler.handle(10_004 * MS, Event::Said(PLAYER, unfit));
    assert!(scheduler.is_starved(10_005 * MS));
}

#[test]
fn a_root_that_was_made_ready_without_a_model_is_forgotten_with_its_session() {
    let mut scheduler = opened(0.5, &[(PLAYER, profile(&["go"]))]);
    assert_eq!(submit(&mut scheduler, vec![played(0)]), [(PLAYER, 0)]);
    scheduler.handle(2 * MS, Event::Said(PLAYER, FromWorker::Offers(Vec::new())));
    let actions = scheduler.handle(3 * MS, Event::Closed(SESSION));
    let forget = Action::Send(PLAYER, ToWorker::Forget(root(0.5).id));
    assert!(actions.contains(&forget), "{actions:?}");
}
