//! One game of a lab match: a record, and the search of the move that is being thought about.
//!
//! Batches come back in the order in which they were made, each as late as the window allows: the
//! oldest news that a cluster with that window would work with.

use std::collections::VecDeque;

use banyan::growth::{Growth, Plan, Step};
use banyan_games::rng::mix;
use banyan_games::{Color, Counts, Game, Leaf, Move, Outcome, Record, Rng};
use banyan_jobs::{Batch, Growing, Mode, Prepared, Root, RootId, Tally, Workspace};
use banyan_search::{Candidate, FinalMove, Parameters, Tree, leaf};

use super::{Score, Settings};

/// Memory of a tree: enough for every search that a lab makes.
const TREE_BYTES: usize = 1 << 30;

/// A game goes on so many times the board's points at most, then it is scored as it stands.
const PLIES_A_POINT: usize = 2;

/// A game under way.
pub(crate) struct LabGame<G: Game> {
    record: Record<G>,
    /// The side of the first settings.
    first: Color,
    settings: [Settings; 2],
    seed: u64,
    search: Option<Search<G>>,
    /// The candidates of the last search, the move that was played first.
    thought: Vec<Candidate>,
}

struct Search<G: Game> {
    growth: Growth<G>,
    prepared: Prepared,
    in_flight: VecDeque<Batch>,
    space: Workspace,
}

/// A game that begins with so many random plies.
pub(crate) fn open_at_random<G: Game>(rules: &G::Rules, plies: u32, rng: &mut Rng) -> Record<G> {
    let mut record = Record::<G>::new(rules);
    for _ in 0..plies {
        let moves: Vec<_> = record.candidates().into_iter().filter(|mv| !mv.is_pass()).collect();
        if !moves.is_empty() {
            let mv = moves[rng.below(moves.len() as u32) as usize];
            record.play(mv).expect("a candidate is legal");
        }
    }
    record
}

/// One step of every game: each search takes its oldest batch home. Flat batches of all games are
/// played out side by side.
pub(crate) fn turn<G: Game>(games: &mut [&mut LabGame<G>]) {
    let mut flat = Vec::new();
    for (index, game) in games.iter_mut().enumerate() {
        let Some(batch) = game.next_batch() else { continue };
        match batch.mode {
            Mode::Flat => flat.push(Waiting::new(index, game, batch)),
            Mode::Grown { .. } | Mode::Solve(_) => game.run(&batch),
        }
    }
    // Sides that play out or value leaves in different ways cannot be played out together.
    let mut left: Vec<&mut Waiting<G>> = flat.iter_mut().collect();
    while let Some(first) = left.first() {
        let (parameters, policy) = (first.parameters, first.batch.policy);
        let is_alike = |waiting: &&mut Waiting<G>| {
            waiting.parameters == parameters && waiting.batch.policy == policy
        };
        let (alike, others): (Vec<_>, _) = left.into_iter().partition(is_alike);
        let mut leaves: Vec<Leaf<'_, G>> = alike.into_iter().map(Waiting::leaf).collect();
        leaf::play_out(&parameters, policy, &mut leaves);
        left = others;
    }
    for Waiting { game, batch, counts, .. } in flat {
        games[game].take(Tally { batch: batch.id, counts, grown: None, solved: None });
    }
    games.iter_mut().for_each(|game| game.play_when_ready());
}

/// A flat batch that waits for company.
struct Waiting<G> {
    game: usize,
    batch: Batch,
    parameters: Parameters,
    position: G,
    rng: Rng,
    counts: Counts,
}

impl<G: Game> Waiting<G> {
    fn new(index: usize, game: &LabGame<G>, batch: Batch) -> Waiting<G> {
        let mut position = game.record.position().clone();
        batch.path.iter().for_each(|&mv| position.play(mv));
        let counts = Counts::new(position.size().area(), batch.asked);
        let (rng, parameters) = (Rng::from_seed(batch.seed), game.thinker().parameters);
        Waiting { game: index, rng, batch, parameters, position, counts }
    }

    fn leaf(&mut self) -> Leaf<'_, G> {
        let Waiting { batch, position, rng, counts, .. } = self;
        Leaf { position, playouts: batch.playouts, rng, counts }
    }
}

impl<G: Game> LabGame<G> {
    pub(crate) fn new(
        record: Record<G>,
        first: Color,
        settings: [Settings; 2],
        seed: u64,
    ) -> LabGame<G> {
        LabGame { record, first, settings, seed, search: None, thought: Vec::new() }
    }

    /// The game so far.
    pub(crate) fn record(&self) -> &Record<G> {
        &self.record
    }

    /// The candidates of the last search, the move that was played first.
    pub(crate) fn thought(&self) -> &[Candidate] {
        &self.thought
    }

    /// Plays another candidate in place of the last search's move, before the next one has begun.
    pub(crate) fn stray(&mut self, mv: Move) {
        self.record.undo();
        self.record.play(mv).expect("a candidate is legal");
    }

    /// How the game ended, once it has.
    pub(crate) fn score(&self, resign: f64) -> Option<Score> {
        let position = self.record.position();
        let mover = self.record.plies().last().map(|&(color, _)| color);
        if self.thought.first().is_some_and(|best| best.value < resign) {
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
            self.search = Some(self.think());
        }
        let search = self.search.as_mut()?;
        while search.growth.has_room(u32::MAX) {
            match search.growth.step() {
                Step::Batch(batch) => search.in_flight.push_back(batch),
                Step::Counted => {}
                Step::Complete => break,
            }
        }
        search.in_flight.pop_front()
    }

    /// The settings of the side to move.
    fn thinker(&self) -> &Settings {
        &self.settings[usize::from(self.record.position().side_to_move() != self.first)]
    }

    /// A search of the position as it stands, with a tree of its own.
    fn think(&self) -> Search<G> {
        let position = self.record.position();
        let side = position.side_to_move();
        let settings = self.thinker();
        let seed = mix(self.seed ^ mix(self.record.plies().len() as u64));
        let plan = Plan {
            policy: settings.policy,
            seed,
            playouts_max: Some(settings.playouts),
            sizing: settings.sizing,
            window: settings.window,
            in_order: false,
            ownership_every: 0,
            replies: None,
        };
        let growing = Growing { parameters: settings.parameters, seed };
        let mut tree = Tree::new(settings.parameters, seed, TREE_BYTES, !side);
        tree.allow_at_root(side, &self.record.candidates());
        let root = Root::of(&self.record, side, RootId::default(), growing);
        Search {
            growth: Growth::new(tree, root.id, position.clone(), plan, 0),
            prepared: Prepared::new(&root).expect("a record is a game"),
            in_flight: VecDeque::new(),
            space: Workspace::default(),
        }
    }

    fn run(&mut self, batch: &Batch) {
        let Some(search) = &mut self.search else { return };
        let mut answers = search.prepared.run_all(&[batch], &mut search.space);
        let tally = answers.pop().and_then(Result::ok).expect("our own batches are legal");
        search.growth.take(None, tally);
    }

    fn take(&mut self, tally: Tally) {
        if let Some(search) = &mut self.search {
            search.growth.take(None, tally);
        }
    }

    /// Plays the best move when its search is over.
    fn play_when_ready(&mut self) {
        let Some(search) = self.search.take_if(|search| search.growth.is_finished()) else {
            return;
        };
        let (tree, _) = search.growth.end();
        self.thought = tree.candidates(FinalMove::Visits);
        let mv = self.thought.first().map_or(Move::PASS, |best| best.mv);
        self.record.play(mv).expect("a candidate at the root is legal");
    }
}
