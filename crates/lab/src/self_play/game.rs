//! One game of a lab match: a record, and the search of the move that is being thought about.
//!
//! Batches come back in the order in which they were made, each as late as the window allows: the
//! oldest news that a cluster with that window would work with.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use banyan_engine::search::{Iteration, Plan, Search, Sums};
use banyan_engine::settings::ownership_every;
use banyan_engine::ties::best_by_score;
use banyan_games::rng::mix;
use banyan_games::{Color, Counts, Leaf, Move, Outcome, Record, Rng};
use banyan_jobs::{
    Answer, Batch, BatchId, Growing, Job, Playouts, Prepared, Root, RootId, Tally, Workspace,
};
use banyan_knowledge::{Evaluator, Evaluators, Query};
use banyan_search::Searchable;
use banyan_search::ponder::Foresight;
use banyan_search::time::GameLength;
use banyan_search::{Candidate, FinalMove, Parameters, Tree, leaf};

use super::settings::Settings;
use super::timing::{Countdown, SideClock};

/// Memory of a tree: enough for every search that a lab makes.
const TREE_BYTES: usize = 1 << 30;

/// A game goes on so many times the board's points at most, then it is scored as it stands.
const PLIES_A_POINT: usize = 2;

/// A game as the first settings see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// They won it.
    Win,
    /// Nobody did.
    Draw,
    /// They lost it.
    Loss,
}

/// A game under way.
pub struct LabGame<G: Searchable> {
    record: Record<G>,
    /// The side of the first settings.
    first: Color,
    /// That of the first settings, and the other.
    sides: [Side<G>; 2],
    seed: u64,
    search: Option<Thought<G>>,
    /// The candidates of the last search, the move that was played first.
    thought: Vec<Candidate>,
    /// The move that was found while the other side is still to ponder what it could be.
    found: Option<Move>,
    /// The outcome of the first settings' pondering.
    foresight: Foresights,
    /// Side whose clock ran out.
    late: Option<Color>,
}

/// One side of a game.
struct Side<G> {
    settings: Settings,
    /// Evaluator of its leaves, if they are not played out.
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    clock: Option<SideClock>,
    /// Its tree, on from its last search, where it keeps it.
    tree: Option<Tree>,
}

/// Outcomes of searches on the opponent's time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Foresights {
    /// Playouts.
    pub spent: u64,
    /// Those of them that went to the reply that came.
    pub kept: u64,
}

struct Thought<G: Searchable> {
    /// Number of the side that searches.
    by: usize,
    /// The candidates as it began, if it searches on the opponent's time.
    pondering: Option<Vec<Candidate>>,
    search: Search<G>,
    prepared: Prepared,
    in_flight: VecDeque<Batch>,
    space: Workspace,
    countdown: Option<Countdown>,
}

impl<G: Searchable> Thought<G> {
    /// Tells whether it should be looked how the search stands.
    fn is_due(&self) -> bool {
        let playouts = self.search.sums().playouts;
        self.countdown.is_some_and(|countdown| countdown.is_due(playouts))
    }

    fn is_over(&mut self) -> bool {
        if self.search.is_finished() {
            return true;
        }
        if !self.is_due() {
            return false;
        }
        let candidates = self.search.tree.candidates(FinalMove::Visits);
        let playouts = self.search.sums().playouts;
        self.countdown.as_mut().is_some_and(|it| it.is_enough(playouts, &candidates))
    }
}

/// A game that begins with so many random plies, fewer where it would end by them.
pub fn open_at_random<G: Searchable>(rules: &G::Rules, plies: u32, rng: &mut Rng) -> Record<G> {
    let mut record = Record::<G>::new(rules);
    for _ in 0..plies {
        let moves: Vec<_> = record.candidates().into_iter().filter(|mv| !mv.is_pass()).collect();
        if !moves.is_empty() {
            let mv = moves[rng.below(moves.len() as u32) as usize];
            let mut next = record.clone();
            next.play(mv).expect("a candidate is legal");
            if next.position().outcome().is_some() {
                break;
            }
            record = next;
        }
    }
    record
}

/// One step of every game: each search takes its oldest batch home. Leaf-parallel batches of all games
/// are played out side by side, and leaves of all games judged side by side.
pub fn turn<G: Searchable>(games: &mut [&mut LabGame<G>]) {
    let (mut waiting, mut judging) = (Vec::new(), Vec::new());
    for (index, game) in games.iter_mut().enumerate() {
        let Some(batch) = game.next_batch() else { continue };
        match batch.job {
            Job::LeafParallel(playouts) => {
                waiting.push(Waiting::new(index, game, &batch, playouts));
            }
            Job::Evaluate(_) => judging.push((index, game.position_of(&batch), batch.id)),
            Job::Subtree(_)
            | Job::Solve(_)
            | Job::Play(_)
            | Job::Try(_)
            | Job::Practise(_)
            | Job::Label(_) => game.run(&batch),
        }
    }
    judge(judging, games);
    // Sides that play out or value leaves in different ways cannot be played out together.
    let mut left: Vec<&mut Waiting<G>> = waiting.iter_mut().collect();
    while let Some(first) = left.first() {
        let (parameters, policy) = (first.parameters, first.playouts.policy);
        let is_alike = |waiting: &&mut Waiting<G>| {
            waiting.parameters == parameters && waiting.playouts.policy == policy
        };
        let (alike, others): (Vec<_>, _) = left.into_iter().partition(is_alike);
        let mut leaves: Vec<Leaf<'_, G>> = alike.into_iter().map(Waiting::leaf).collect();
        leaf::play_out(&parameters, policy, &mut leaves);
        left = others;
    }
    for Waiting { game, batch, counts, .. } in waiting {
        games[game].take(Tally { batch, answer: Answer::Counts(counts) });
    }
    games.iter_mut().for_each(|game| game.play_when_ready());
}

/// Has leaves judged, each with its game and batch, those of one evaluator all at once.
fn judge<G: Searchable>(mut left: Vec<(usize, G, BatchId)>, games: &mut [&mut LabGame<G>]) {
    let mut judgements = Vec::new();
    while let Some(&(first, ..)) = left.first() {
        let evaluator = games[first].evaluator().expect("who asks for judgements has a judge");
        let is_alike = |game: usize| {
            games[game].evaluator().is_some_and(|other| Arc::ptr_eq(&other, &evaluator))
        };
        let (alike, others): (Vec<_>, _) = left.into_iter().partition(|&(game, ..)| is_alike(game));
        let queries: Vec<Query<'_, G>> = alike.iter().map(|(_, leaf, _)| Query::of(leaf)).collect();
        evaluator.evaluate(&queries, &mut judgements).expect("a network judges every position");
        for ((game, _, batch), judgement) in alike.into_iter().zip(&judgements) {
            games[game].take(Tally { batch, answer: Answer::Judged(judgement.clone()) });
        }
        left = others;
    }
}

/// A leaf-parallel batch that waits for company.
struct Waiting<G> {
    game: usize,
    batch: BatchId,
    playouts: Playouts,
    parameters: Parameters,
    position: G,
    rng: Rng,
    counts: Counts,
}

impl<G: Searchable> Waiting<G> {
    fn new(index: usize, game: &LabGame<G>, batch: &Batch, playouts: Playouts) -> Waiting<G> {
        let position = game.position_of(batch);
        let counts = Counts::new(position.size().area(), playouts.asked);
        let (rng, parameters) = (Rng::from_seed(playouts.seed), game.searcher().parameters);
        Waiting { game: index, batch: batch.id, playouts, rng, parameters, position, counts }
    }

    fn leaf(&mut self) -> Leaf<'_, G> {
        let Waiting { playouts, position, rng, counts, .. } = self;
        Leaf { position, playouts: playouts.count, rng, counts }
    }
}

impl<G: Searchable> LabGame<G> {
    /// A game that goes on from `record`, between two settings.
    ///
    /// - `first`: the side of the first settings.
    /// - `seed`: of all searches.
    pub fn new(record: Record<G>, first: Color, settings: [Settings; 2], seed: u64) -> LabGame<G> {
        let sides = settings.map(|settings| Side {
            clock: settings.timing.map(SideClock::new),
            evaluator: None,
            tree: None,
            settings,
        });
        LabGame {
            record,
            first,
            sides,
            seed,
            search: None,
            thought: Vec::new(),
            found: None,
            foresight: Foresights::default(),
            late: None,
        }
    }

    /// The same where leaves of these sides are judged, as their settings say: that of the first settings,
    /// and the other.
    pub fn judged_by(mut self, evaluators: [Option<Arc<dyn Evaluator<G>>>; 2]) -> LabGame<G> {
        for (side, evaluator) in self.sides.iter_mut().zip(evaluators) {
            side.evaluator = evaluator;
        }
        self
    }

    /// The outcome of the first settings' pondering.
    pub fn foresight(&self) -> Foresights {
        self.foresight
    }

    /// Time left on the clocks of the first settings' side and of the other, where they run.
    pub fn time_left(&self) -> [Option<Duration>; 2] {
        self.sides.each_ref().map(|side| side.clock.map(|clock| clock.left()))
    }

    /// Tells whether a clock ran out.
    pub fn is_lost_on_time(&self) -> bool {
        self.late.is_some()
    }

    /// The game so far.
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// The candidates of the last search, the move that was played first.
    pub fn thought(&self) -> &[Candidate] {
        &self.thought
    }

    /// Plays another candidate in place of the last search's move, before the next one has begun.
    pub fn stray(&mut self, mv: Move) {
        self.record.undo();
        self.record.play(mv).expect("a candidate is legal");
    }

    /// Score of the game, once it has ended.
    pub fn score(&self, resign: f64) -> Option<Score> {
        if let Some(late) = self.late {
            return Some(if late == self.first { Score::Loss } else { Score::Win });
        }
        let position = self.record.position();
        let mover = self.record.plies().last().map(|&(color, _)| color);
        // While its move is pondered a value belongs to one that is not on the board yet.
        let is_played = self.found.is_none();
        if is_played && self.thought.first().is_some_and(|best| best.value < resign) {
            let resigns = mover.expect("a value belongs to a move");
            return Some(if resigns == self.first { Score::Loss } else { Score::Win });
        }
        let is_long = self.record.plies().len() >= PLIES_A_POINT * position.size().area();
        let outcome = match position.outcome() {
            Some(outcome) => outcome,
            None if is_long => position.score_without(&[]).unwrap_or(Outcome::DRAW),
            None => return None,
        };
        Some(match outcome.winner() {
            None => Score::Draw,
            Some(winner) if winner == self.first => Score::Win,
            Some(_) => Score::Loss,
        })
    }

    /// The batch whose tally is due, if the search of the next move has one.
    fn next_batch(&mut self) -> Option<Batch> {
        if self.search.is_none() {
            self.think();
        }
        let search = self.search.as_mut()?;
        while search.search.has_room(u32::MAX) && !search.is_due() {
            match search.search.iterate() {
                Iteration::Batch(batch) => search.in_flight.push_back(batch),
                Iteration::Counted => {}
                Iteration::Complete | Iteration::Awaited => break,
            }
        }
        search.in_flight.pop_front()
    }

    /// Number of the side to move.
    fn turn(&self) -> usize {
        usize::from(self.record.position().side_to_move() != self.first)
    }

    /// Number of the side that searches.
    fn searching(&self) -> usize {
        self.search.as_ref().map_or(self.turn(), |search| search.by)
    }

    /// The settings of the side that searches.
    fn searcher(&self) -> &Settings {
        &self.sides[self.searching()].settings
    }

    /// Evaluator of the side that searches.
    fn evaluator(&self) -> Option<Arc<dyn Evaluator<G>>> {
        self.sides[self.searching()].evaluator.clone()
    }

    /// The position of a batch's leaf.
    fn position_of(&self, batch: &Batch) -> G {
        let mut position = self.record.position().clone();
        batch.path.iter().for_each(|&mv| position.play(mv));
        position
    }

    /// Begins to search the position as it stands for the side to move.
    fn think(&mut self) {
        let turn = self.turn();
        let Side { settings, clock, tree, .. } = &mut self.sides[turn];
        let (kept, position) = (tree.take(), self.record.position());
        let length = GameLength::of(G::KIND, position.size().area());
        let countdown = clock.map(|clock| clock.start(length, self.record.plies().len()));
        let playouts = countdown.map_or(settings.playouts, |countdown| countdown.playouts_max());
        let search = self.search(turn, kept, playouts);
        self.search = Some(Thought { countdown, ..search });
    }

    /// Begins to search it for the other side, on the time of the side to move, which searched by so many
    /// playouts; not where the other side does not ponder, or has not searched yet.
    fn ponder(&mut self, playouts: u64) {
        let by = 1 - self.turn();
        if self.sides[by].settings.ponder.is_none() {
            return;
        }
        let Some(tree) = self.sides[by].tree.take() else { return };
        let clocks = self.sides.each_ref().map(|side| side.clock);
        let playouts = match (clocks[by], clocks[1 - by]) {
            (Some(own), Some(other)) => own.meanwhile(&other, playouts),
            _ => playouts,
        };
        let before = tree.candidates(FinalMove::Visits);
        let search = self.search(by, Some(tree), playouts);
        self.search = Some(Thought { pondering: Some(before), ..search });
    }

    /// A search of the position as it stands.
    ///
    /// - `by`: number of the side that searches.
    /// - `kept`: its tree, if it has one.
    fn search(&self, by: usize, kept: Option<Tree>, playouts: u64) -> Thought<G> {
        let settings = &self.sides[by].settings;
        let position = self.record.position();
        let side = position.side_to_move();
        let is_own_time = by == self.turn();
        let on_other_time = u64::from(!is_own_time) << 32;
        let seed = mix(self.seed ^ mix(self.record.plies().len() as u64 | on_other_time));
        let plan = Plan {
            seed,
            playouts_max: Some(playouts),
            sizing: settings.sizing,
            window: settings.window,
            ownership_every: ownership_every::<G>(),
            replies: settings.ponder.filter(|_| !is_own_time),
            ..Plan::of(settings.policy)
        };
        let mut evaluators = Evaluators::default();
        let evaluator = self.sides[by].evaluator.clone().map(|evaluator| {
            let digest = evaluator.digest();
            evaluators.add(evaluator);
            digest
        });
        let growing = Growing { parameters: settings.parameters, seed, evaluator };
        let fresh = || Tree::new(settings.parameters, seed, TREE_BYTES, !side);
        let mut tree = kept.unwrap_or_else(fresh);
        let mut moves = self.record.candidates();
        tree.leave_out_bad(position, &mut moves);
        tree.allow_at_root(side, &moves);
        let root = Root::of(&self.record, side, RootId::default(), growing);
        Thought {
            by,
            pondering: None,
            search: Search::new(tree, root.id, position.clone(), plan, 0),
            prepared: Prepared::with(&root, &evaluators).expect("a record is a game"),
            in_flight: VecDeque::new(),
            space: Workspace::default(),
            countdown: None,
        }
    }

    fn run(&mut self, batch: &Batch) {
        let Some(search) = &mut self.search else { return };
        let mut answers = search.prepared.run_all(&[batch], &mut search.space);
        let tally = answers.pop().and_then(Result::ok).expect("our own batches are legal");
        search.search.take(None, tally);
    }

    fn take(&mut self, tally: Tally) {
        if let Some(search) = &mut self.search {
            search.search.take(None, tally);
        }
    }

    /// Takes what was searched when it is over, and plays the move that was found once nobody is to ponder
    /// it.
    fn play_when_ready(&mut self) {
        let Some(search) = self.search.take_if(Thought::is_over) else {
            return;
        };
        let (tree, sums) = search.search.end();
        match search.pondering {
            None => self.thought_through(tree, &sums),
            Some(before) => self.pondered(search.by, tree, &before),
        }
        if self.search.is_none()
            && let Some(mv) = self.found.take()
        {
            self.record.play(mv).expect("a candidate at the root is legal");
            for side in &mut self.sides {
                side.tree.take_if(|tree| !tree.advance(mv));
            }
        }
    }

    /// The side to move has found its move.
    fn thought_through(&mut self, tree: Tree, sums: &Sums) {
        let color = self.record.position().side_to_move();
        let side = &mut self.sides[usize::from(color != self.first)];
        self.thought = tree.candidates(side.settings.final_move());
        if side.settings.ties {
            let best = best_by_score(&self.thought, sums, color);
            if let Some(better) = self.thought.get_mut(..=best) {
                better.rotate_right(1);
            }
        }
        self.found = Some(self.thought.first().map_or(Move::PASS, |best| best.mv));
        if side.settings.keep {
            side.tree = Some(tree);
        }
        if let Some(clock) = &mut side.clock
            && !clock.spend(sums.playouts)
        {
            self.late = Some(color);
        }
        self.ponder(sums.playouts);
    }

    /// The other side has searched what the move that was found could be.
    fn pondered(&mut self, by: usize, tree: Tree, before: &[Candidate]) {
        let reply = self.found.expect("a move was found before it was pondered");
        if by == 0 {
            let after = tree.candidates(FinalMove::Visits);
            let Foresight { spent, kept, .. } = Foresight::new(before, &after, reply);
            self.foresight.spent += spent;
            self.foresight.kept += kept;
        }
        self.sides[by].tree = Some(tree);
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::{Game as _, Kind, Size};

    use super::*;

    #[test]
    fn private_trees_ask_the_evaluator_of_their_side() {
        let parse = |text| Settings::parse(text, Kind::Go).expect("settings");
        let first = parse("net=built-in mode=subtree batch=4 window=8 playouts=40");
        let network = first.network.as_ref().expect("a network");
        let judge = network.evaluator::<Go>(Size::square(7)).expect("it learned on 7x7");
        let record = Record::<Go>::new(&GoRules::new(7, 19).expect("a size of Go"));
        let settings = [first, parse("playouts=1 batch=1")];
        let mut game = LabGame::new(record, Color::Black, settings, 1);
        game = game.judged_by([Some(judge), None]);
        let mut batches = 0;
        while game.record().plies().is_empty() {
            turn(&mut [&mut game]);
            batches += 1;
        }
        assert!(batches <= 12, "{batches} of four evaluations");
        let visits: u64 = game.thought().iter().map(|it| it.visits).sum();
        assert!((36..=40).contains(&visits), "{visits}");
        let judged = game.thought().iter().all(|it| it.visits == 0 || it.value != 0.5);
        assert!(judged, "{:?}", game.thought());
    }

    #[test]
    fn an_opening_by_chance_ends_before_its_game_does() {
        let rules = GomokuRules::new(5, 5, Variant::Freestyle).expect("rules");
        for seed in 0..20 {
            let record = open_at_random::<Gomoku>(&rules, 200, &mut Rng::from_seed(seed));
            assert!(record.position().outcome().is_none() && record.plies().len() > 4);
        }
    }
}
