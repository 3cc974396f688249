//! Both directions of the wire: what is decoded can be encoded again, and worked with.

use std::sync::Arc;
use std::time::Duration;

use banyan_engine::search::{Iteration, Plan, Search};
use banyan_engine::sizing::{Sizing, Wish};
use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Kind, Move, Record};
use banyan_jobs::{
    Attempt, Batch, Bounds, Depths, Digest, Epoch, FromWorker, GameSupport, Growing, Job, Label,
    Labelling, Lent, Play, Practice, Practise, Prepared, Profile, Root, RootId, SessionId, Solve,
    Sought, ToWorker, Trial as RuleTrial, Wanted, WorkerId,
};
use banyan_knowledge::Policy;
use banyan_proto::bytes;
use banyan_scheduler::{Action, Auditing, Claim, Event, Origin, Scheduler};
use banyan_search::Searchable;
use banyan_search::Tree;

const SESSION: SessionId = SessionId(0);
const HOSTILE: WorkerId = WorkerId(1);
const ROOT: RootId = RootId { session: SESSION, epoch: Epoch(1) };
const PLAYOUTS: u32 = 16;
/// Batches that are out when the message comes: as many as a worker of one thread is lent at first.
const LENT: usize = 2;
/// Descents through what it left in the tree.
const DESCENTS_AFTER: usize = 32;

fn rules() -> GomokuRules {
    GomokuRules::new(5, 5, Default::default()).expect("a size of Gomoku")
}

fn root() -> Root {
    let record = Record::<Gomoku>::new(&rules());
    Root::of(&record, Color::Black, ROOT, Growing::of(Kind::Gomoku))
}

/// A worker's message reaches a search under way, is merged as far as it may be, and the trial goes
/// on; then everything it said is taken back.
pub(super) fn from_worker(bytes: &[u8]) -> bool {
    let Ok(message) = bytes::read_from_worker(bytes) else { return false };
    let again = bytes::read_from_worker(&bytes::of_from_worker(message.clone()));
    assert_eq!(again.as_ref(), Ok(&message));
    let mut trial = Trial::new();
    trial.lend();
    let merged = trial.hear(message);
    for _ in 0..DESCENTS_AFTER {
        let _ = trial.search.iterate();
    }
    trial.search.take_back(HOSTILE);
    let (tree, _) = trial.search.end();
    assert_eq!(tree.unobserved_total(), 0);
    merged
}

/// A search by subtree batches, with a worker that says what it likes.
struct Trial {
    scheduler: Scheduler,
    search: Search<Gomoku>,
}

impl Trial {
    fn new() -> Trial {
        let mut scheduler = Scheduler::new(Auditing::default());
        let games = vec![GameSupport {
            name: Kind::Gomoku.name().to_owned(),
            fingerprint: 0,
            models: Digest::EMPTY,
        }];
        let (name, build) = ("hostile".to_owned(), String::new());
        let profile = Profile {
            name,
            threads: 1,
            build,
            protocol: 0,
            games,
            evaluators: Vec::new(),
            spreads: false,
        };
        let now = Duration::ZERO;
        scheduler.handle(now, Event::Joined(HOSTILE, profile, Origin::Remote));
        scheduler.handle(now, Event::Opened(Arc::new(root()), Claim::default()));
        let growing = Growing::of(Kind::Gomoku);
        let position = Gomoku::new(&rules());
        let mut tree = Tree::new(growing.parameters, growing.seed, 0, Color::White);
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        tree.allow_at_root(Color::Black, &moves);
        let plan = Plan {
            seed: 1,
            sizing: Sizing { wish: Wish::Subtree, playouts: Some(PLAYOUTS) },
            ownership_every: 2,
            ..Plan::of(Policy::Uniform)
        };
        Trial { scheduler, search: Search::new(tree, ROOT, position, plan, 0) }
    }

    fn lend(&mut self) {
        let made = (0..LENT).filter_map(|_| match self.search.iterate() {
            Iteration::Batch(batch) => Some(batch),
            Iteration::Counted | Iteration::Complete | Iteration::Awaited => None,
        });
        let batches: Vec<Batch> = made.collect();
        assert_eq!(batches.len(), LENT);
        self.scheduler.handle(Duration::ZERO, Event::Submitted(SESSION, batches));
    }

    /// Returns whether anything of it was merged.
    fn hear(&mut self, message: FromWorker) -> bool {
        let now = Duration::from_millis(5);
        let mut merged = false;
        for action in self.scheduler.handle(now, Event::Said(HOSTILE, message)) {
            if let Action::Deliver(_, worker, tallies) = action {
                for tally in tallies {
                    merged |= self.search.take(Some(worker), tally);
                }
            }
        }
        merged
    }
}

/// Playouts of one hostile batch that are really played.
const PLAYED_MAX: u32 = 64;
const BATCHES_PLAYED_MAX: usize = 4;
/// Visits of each of its searches of self-play.
const VISITS_MAX: u32 = 2;

/// A coordinator's message is understood as a worker does: a root is prepared, batches are played.
pub(super) fn to_worker(bytes: &[u8]) -> bool {
    let Ok(message) = bytes::read_to_worker(bytes) else { return false };
    let again = bytes::read_to_worker(&bytes::of_to_worker(message.clone()));
    assert_eq!(again.as_ref(), Ok(&message));
    match message {
        ToWorker::Root(root) => {
            let Ok(prepared) = Prepared::new(&root) else { return false };
            prepared.run(&batch(root.id)).is_ok()
        }
        ToWorker::Lend(lent) => {
            let othello = played(Record::<Othello>::new(&OthelloRules), "f5 d6");
            let go = played(Record::<Go>::new(&GoRules::new(7, 15).expect("a size of Go")), "");
            let connect6 = Connect6Rules::new(9).expect("a size of Connect6");
            let connect6 = played(Record::<Connect6>::new(&connect6), "");
            let [line, othello, go, connect6] = [root(), othello, go, connect6]
                .map(|root| Prepared::new(&root).expect("our own root"));
            let play = |lent: &Lent| {
                let mut batch = Batch { root: ROOT, ..(*lent.batch).clone() };
                let prepared = match &mut batch.job {
                    Job::Solve(subproblem) => {
                        subproblem.nodes_max = subproblem.nodes_max.min(PLAYED_MAX);
                        &othello
                    }
                    Job::LeafParallel(_) | Job::Subtree(_) | Job::Evaluate(_) => &line,
                    Job::Play(play) => {
                        play.wanted.games = 1;
                        let Depths { full, short, decided, .. } = &mut play.wanted.depths;
                        for visits in [full, short, decided] {
                            *visits = (*visits).min(VISITS_MAX);
                        }
                        &go
                    }
                    Job::Practise(practise) => {
                        practise.judged = false;
                        let Practice { games, plies, solve_from, .. } = &mut practise.practice;
                        (*games, *plies, *solve_from) = (1, (*plies).min(2), (*solve_from).min(8));
                        &othello
                    }
                    Job::Label(label) => {
                        label.judged = false;
                        label.labelling.count = 1;
                        &connect6
                    }
                    Job::Try(trial) => {
                        trial.completions = trial.completions.min(1);
                        if trial.alone { &go } else { &line }
                    }
                };
                if let Some(playouts) = batch.job.playouts_mut() {
                    playouts.count = playouts.count.min(PLAYED_MAX);
                }
                prepared.run(&batch).is_ok()
            };
            lent.iter().take(BATCHES_PLAYED_MAX).filter(|lent| play(lent)).count() > 0
        }
        _ => true,
    }
}

fn batch(root: RootId) -> Batch {
    let mut trial = Trial::new();
    let Iteration::Batch(batch) = trial.search.iterate() else {
        panic!("the game has hardly begun")
    };
    Batch { root, path: Vec::new(), ..batch }
}

/// Answers of an honest worker to the batches that are lent here, in one message and each alone.
pub(super) fn seeds_from_worker() -> Vec<Vec<u8>> {
    let prepared = Prepared::new(&root()).expect("our own root");
    let mut trial = Trial::new();
    let mut tallies = Vec::new();
    for _ in 0..LENT {
        let Iteration::Batch(batch) = trial.search.iterate() else {
            panic!("the game has hardly begun")
        };
        tallies.push(prepared.run(&batch).expect("our own batch"));
    }
    let mut seeds: Vec<FromWorker> =
        tallies.iter().map(|tally| FromWorker::Tallies(vec![tally.clone()])).collect();
    seeds.push(FromWorker::Tallies(tallies));
    seeds.into_iter().map(bytes::of_from_worker).collect()
}

/// Roots of two games, leaf-parallel and subtree batches, and subproblems.
pub(super) fn seeds_to_worker() -> Vec<Vec<u8>> {
    let mut trial = Trial::new();
    let prepared = Prepared::new(&root()).expect("our own root");
    let mut lent = Vec::new();
    for _ in 0..6 * LENT {
        let Iteration::Batch(batch) = trial.search.iterate() else { continue };
        trial.search.take(None, prepared.run(&batch).expect("our own batch"));
        lent.push(Lent { batch: Arc::new(batch), attempt: Attempt(1) });
    }
    let grown = lent.split_off(lent.len() - LENT);
    let mut seeds = vec![ToWorker::Root(Arc::new(root())), ToWorker::Lend(grown)];
    seeds.push(ToWorker::Lend(lent));
    let depths = Depths { full: 2, short: 1, decided: 1, full_permille: 350 };
    let wanted = Wanted { seed: 7, games: 1, depths };
    let games = Batch { job: Job::Play(Play { wanted, judged: false, cost: 50 }), ..batch(ROOT) };
    seeds.push(ToWorker::Lend(vec![Lent { batch: Arc::new(games), attempt: Attempt(1) }]));
    let practice = Practice { seed: 7, games: 4, plies: 4, solve_from: 14, evaluation: 0 };
    let job = Job::Practise(Practise::new(Kind::Othello, practice, false));
    let games = Batch { job, ..batch(ROOT) };
    seeds.push(ToWorker::Lend(vec![Lent { batch: Arc::new(games), attempt: Attempt(1) }]));
    let labelling = Labelling { seed: 7, count: 2, from: 1, evaluation: 0 };
    let job = Job::Label(Label::new(labelling, false));
    let path = [40, 30, 50].map(Move).to_vec();
    let positions = Batch { job, path, ..batch(ROOT) };
    seeds.push(ToWorker::Lend(vec![Lent { batch: Arc::new(positions), attempt: Attempt(1) }]));
    for game in [Kind::Go, Kind::Connect6] {
        let trial = RuleTrial::sample(game).expect("a sample");
        let trial = Batch { job: Job::Try(trial), ..batch(ROOT) };
        seeds.push(ToWorker::Lend(vec![Lent { batch: Arc::new(trial), attempt: Attempt(1) }]));
    }
    for sought in [Sought::Score, Sought::Value { evaluation: 0, depth: 4 }] {
        let bounds = Bounds::below(-2);
        let job = Job::Solve(Solve { sought, bounds, nodes_max: 1 << 20, cost: 1 });
        let subproblem = Batch { job, ..batch(ROOT) };
        let lent = Lent { batch: Arc::new(subproblem), attempt: Attempt(1) };
        seeds.push(ToWorker::Lend(vec![lent]));
    }
    let go = Record::<Go>::new(&GoRules::new(5, 1).expect("a size of Go"));
    let othello = Record::<Othello>::new(&OthelloRules);
    seeds.push(ToWorker::Root(Arc::new(played(go, "c3 pass c4"))));
    seeds.push(ToWorker::Root(Arc::new(played(othello, "f5 d6"))));
    seeds.into_iter().map(bytes::of_to_worker).collect()
}

fn played<G: Searchable>(mut record: Record<G>, moves: &str) -> Root {
    for text in moves.split_whitespace() {
        let mv = record.position().parse_move(text).expect("a move");
        record.play(mv).expect("legal");
    }
    Root::of(&record, record.position().side_to_move(), ROOT, Growing::of(G::KIND))
}
