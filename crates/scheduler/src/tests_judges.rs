//! Workers that judge beside workers that play out.

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
use super::{Action, Auditing, Claim, Event, Origin, Scheduler};

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
    assert!(scheduler.is_starved() && scheduler.wants_judge(KATAGO));
    let joined = Event::Joined(JUDGE, judges(KATAGO), Origin::Remote);
    assert_eq!(lent(&scheduler.handle(2 * MS, joined)), [(JUDGE, 0)]);
    assert!(!scheduler.is_starved() && !scheduler.wants_judge(KATAGO));
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

#[test]
fn judgements_in_floating_point_are_not_compared() {
    let mut scheduler = opened(1.0, &[(JUDGE, judges(KATAGO)), (OTHER, judges(KATAGO))]);
    let lent = submit(&mut scheduler, vec![judged(0)]);
    let &[(worker, 0)] = &lent[..] else { panic!("{lent:?}") };
    let actions = scheduler.handle(2 * MS, said(worker, vec![judgement(0)]));
    assert_eq!(delivered(&actions), 1);
    assert_eq!(super::tests::lent(&actions), [], "every tally would be audited otherwise");
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

/// Who is told that a model is needed.
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
