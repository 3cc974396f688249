//! Jobs: what a worker may be asked to do with one leaf, and the batch that asks it.

use banyan_games::counts::Asked;
use banyan_games::{Kind, Move};
use banyan_knowledge::{Judgement, Policy};
pub use banyan_rules::Trial;
pub use banyan_search::{Bounds, INFINITE};
use banyan_search::{Known, NodeId, Tree, Word};
pub use banyan_selfplay::patterns::{Labelling, Practice};

use crate::ids::{BatchId, RootId};
use crate::limits;

/// Work from one leaf. Its answer is a pure function of this and the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its name.
    pub id: BatchId,
    /// The root that the path starts from.
    pub root: RootId,
    /// The plies from the root to the leaf.
    pub path: Vec<Move>,
    /// The job to do there.
    pub job: Job,
}

/// The kinds of work, each with what it needs and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Job {
    /// Playouts that all start at the leaf; answered by counts.
    LeafParallel(Playouts),
    /// Playouts of a private tree that the worker grows under the leaf, one a descent; answered by counts
    /// and by what the most visited nodes of that tree counted.
    Subtree(Grow),
    /// A search of the leaf for its value; answered by a bound.
    Solve(Solve),
    /// A judgement of the leaf by the root's evaluator; answered by it.
    Evaluate(Evaluate),
    /// Games of self-play on the root's board; answered by them. The path is empty.
    Play(Play),
    /// A trial of a learned rule, by the root's game and board; answered by what came of it. The path is empty.
    Try(Trial),
    /// Games of classical searches against themselves on the root's board, by tables over patterns; answered by
    /// them. The path is empty.
    Practise(Practise),
    /// Positions of classical searches of one game of lines, with what longer ones say of them; answered by them. The
    /// path is the game.
    Label(Label),
}

/// Positions of classical searches of one game, from which tables over patterns learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Positions that are wanted.
    pub labelling: Labelling,
    /// Searches go by the tables that the root names; else by what is built in.
    pub judged: bool,
    /// Expected cost, in playouts; above 0. It changes no answer.
    pub cost: u32,
}

/// Games of classical searches against themselves, from which tables over patterns learn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Practise {
    /// Games that are wanted.
    pub practice: Practice,
    /// They are played by the tables that the root names; else by what is built in.
    pub judged: bool,
    /// Expected cost, in playouts; above 0. It changes no answer.
    pub cost: u32,
}

/// Games that are played against oneself, to be learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// Games that are wanted.
    pub wanted: banyan_selfplay::Wanted,
    /// The root's evaluator judges their positions; else heavy playouts do.
    pub judged: bool,
    /// Expected cost, in playouts or evaluations; above 0. It changes no answer.
    pub cost: u32,
}

/// Demands on an evaluator beside a value and a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluate {
    /// Owners of points at the end, and the score, where the evaluator says so.
    pub ownership: bool,
}

/// Playouts of one batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playouts {
    /// Number of them, above 0.
    pub count: u32,
    /// Policy by which they choose.
    pub policy: Policy,
    /// Seed of the random stream of this batch.
    pub seed: u64,
    /// Counts beyond wins and losses.
    pub asked: Asked,
}

/// A private tree of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grow {
    /// Playouts that it is grown by.
    pub playouts: Playouts,
    /// Nodes with at least so many new visits report their children; above 0.
    pub floor: u32,
    /// Knowledge that it begins with.
    pub known: Box<Known>,
    /// Its leaves are judged by the root's evaluator instead of played out, one a descent: then playouts are
    /// evaluations.
    pub judged: bool,
    /// Parts by which the tree is grown; nothing where it is grown descent by descent.
    pub spread: Option<Spread>,
}

/// A private tree that is grown by subtree batches of its own, so that many can work at it.
///
/// The parts are merged in the order in which they were made, and the next is made when one was: so the tree
/// is the same whoever grows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Parts in flight, above 0.
    pub parts: u32,
    /// Playouts of a part at most, above 0; it is a small part of the tree in any case.
    pub playouts: u32,
}

/// A node with this part of a subtree batch's playouts reports its children; groups of siblings are most
/// of what a batch costs whoever merges it.
const FLOOR_SHARE: u32 = 8;
/// A node with this part of a leaf's visits has its children among what is known.
const KNOWN_SHARE: u64 = 16;
const FLOOR_MIN: u32 = 2;

impl Grow {
    /// Visits that a node needs for its children to be reported, in a batch of so many playouts. Where these are
    /// evaluations one is enough: a policy that is not reported has to be asked for again, and says nothing new then.
    pub fn floor_of(playouts: u32, judged: bool) -> u32 {
        if judged { 1 } else { (playouts / FLOOR_SHARE).max(FLOOR_MIN) }
    }

    /// Groups of siblings that it begins with, and that it reports, at most.
    pub fn groups_max(judged: bool) -> usize {
        if judged { limits::JUDGED_GROUPS_MAX } else { limits::GROUPS_MAX }
    }

    /// A private tree below a leaf of `tree`, with what is known there, and whose word that is.
    pub fn below(tree: &Tree, leaf: NodeId, playouts: Playouts) -> (Grow, Word) {
        let (visits, judged) = (tree.visits(leaf), tree.is_all_judged());
        let floor = Grow::floor_of(playouts.count, judged);
        let (known, word) = if visits > u64::from(limits::KNOWN_VISITS_MAX) {
            (Known::default(), Word::Own)
        } else {
            let share = (visits / KNOWN_SHARE).max(u64::from(FLOOR_MIN));
            let known_floor = if judged { 1 } else { share };
            tree.known(leaf, known_floor, Grow::groups_max(judged))
        };
        (Grow { playouts, floor, known: Box::new(known), judged, spread: None }, word)
    }
}

/// A subproblem: what is the leaf worth to its side to move?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solve {
    /// The kind of worth.
    pub sought: Sought,
    /// Bounds of what matters of it: a value within, or on which side of it.
    pub bounds: Bounds,
    /// Give up after about so many positions.
    pub nodes_max: u32,
    /// Expected cost, in playouts; above 0. It changes no answer.
    pub cost: u32,
}

/// Kinds of worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// The exact score at the end of the game: in Othello discs.
    Score,
    /// The value of alpha-beta to a depth.
    Value {
        /// Index among the game's evaluations, from 0.
        evaluation: u32,
        /// Plies it looks ahead.
        depth: u32,
    },
}

/// Evaluations that are best asked for together: a network goes through a layer with so many positions.
pub(crate) const EVALUATIONS_TOGETHER: u32 = 8;

impl Evaluate {
    /// A judgement without what was not asked for.
    pub(crate) fn of(self, judgement: Judgement) -> Judgement {
        if self.ownership {
            return judgement;
        }
        Judgement { score: None, ownership: Vec::new(), ..judgement }
    }
}

/// Positions that cost about as much as a playout of Othello: what a batch that solves is taken to cost.
pub const NODES_PER_PLAYOUT: u32 = 8;

/// Playouts that cost about as much as a byte of a game of classical searches: a game of Othello has about 183
/// and takes some hundredths of a second.
const PLAYOUTS_PER_BYTE: u32 = 8;

/// Cost of games of classical searches that are so many bytes, in playouts.
pub(crate) fn practice_cost(bytes: usize) -> u32 {
    (bytes as u32).saturating_mul(PLAYOUTS_PER_BYTE).max(1)
}

/// Bytes of a game of classical searches, about.
const BYTES_PER_GAME: [usize; 2] = [183, 300];

impl Practise {
    /// Games of a game's board, with what they are expected to cost.
    ///
    /// - `judged`: they are played by the tables that the root names.
    pub fn new(game: Kind, practice: Practice, judged: bool) -> Practise {
        let bytes = BYTES_PER_GAME[usize::from(game != Kind::Othello)] * practice.games as usize;
        let times = 1u32.checked_shl(practice.depth_beyond(game)).unwrap_or(u32::MAX);
        let cost = practice_cost(bytes).saturating_mul(times).min(limits::PLAYOUTS_PER_BATCH_MAX);
        Practise { practice, judged, cost }
    }
}

/// Bytes of a position of a search with the moves that lead there, about: fifty of them.
const BYTES_PER_LABEL: usize = 300;

/// Playouts that cost about as much as such a position: some hundredths of a second.
const PLAYOUTS_PER_LABEL: u32 = 1000;

const _: () =
    assert!(limits::LABELS_PER_BATCH_MAX * PLAYOUTS_PER_LABEL <= limits::PLAYOUTS_PER_BATCH_MAX);

/// Cost of positions of searches that are so many bytes, in playouts.
pub(crate) fn labels_cost(bytes: usize) -> u32 {
    ((bytes / BYTES_PER_LABEL) as u32).saturating_mul(PLAYOUTS_PER_LABEL).max(1)
}

impl Label {
    /// Positions, with what they are expected to cost.
    ///
    /// - `judged`: searches go by the tables that the root names.
    pub fn new(labelling: Labelling, judged: bool) -> Label {
        let cost = labelling.count.saturating_mul(PLAYOUTS_PER_LABEL);
        Label { labelling, judged, cost: cost.clamp(1, limits::PLAYOUTS_PER_BATCH_MAX) }
    }
}

/// Playouts that cost about as much as to try a rule on one board: half a millisecond.
const PLAYOUTS_PER_COMPLETION: u32 = 8;

/// Cost of a trial on so many boards, and of what is done before, in playouts.
pub(crate) fn trial_cost(completions: u32) -> u32 {
    completions.saturating_add(1).saturating_mul(PLAYOUTS_PER_COMPLETION)
}

/// Cost of a subproblem, in playouts.
pub fn cost(expected_nodes: f64) -> u32 {
    let playouts = expected_nodes / f64::from(NODES_PER_PLAYOUT);
    (playouts as u32).clamp(1, limits::PLAYOUTS_PER_BATCH_MAX)
}

impl Job {
    /// Its playouts, where it has any.
    pub fn playouts(&self) -> Option<&Playouts> {
        match self {
            Job::LeafParallel(playouts) | Job::Subtree(Grow { playouts, .. }) => Some(playouts),
            Job::Solve(_)
            | Job::Evaluate(_)
            | Job::Play(_)
            | Job::Try(_)
            | Job::Practise(_)
            | Job::Label(_) => None,
        }
    }

    /// Its playouts, to be changed.
    pub fn playouts_mut(&mut self) -> Option<&mut Playouts> {
        match self {
            Job::LeafParallel(playouts) | Job::Subtree(Grow { playouts, .. }) => Some(playouts),
            Job::Solve(_)
            | Job::Evaluate(_)
            | Job::Play(_)
            | Job::Try(_)
            | Job::Practise(_)
            | Job::Label(_) => None,
        }
    }

    /// Rough cost, in playouts; above 0. Windows, leases and shares are counted in this.
    #[inline]
    pub fn cost(&self) -> u32 {
        match self {
            Job::LeafParallel(playouts) | Job::Subtree(Grow { playouts, .. }) => playouts.count,
            Job::Solve(subproblem) => subproblem.cost,
            Job::Evaluate(_) => 1,
            Job::Play(play) => play.cost,
            Job::Try(trial) => trial_cost(trial.completions),
            Job::Practise(practise) => practise.cost,
            Job::Label(label) => label.cost,
        }
    }

    /// Tells whether a search knows nowhere else to go until the answer comes: it does not wait for company.
    pub fn is_waited_for(&self) -> bool {
        matches!(self, Job::Evaluate(_))
    }

    /// Tells whether the root's evaluator is asked.
    pub fn is_judged(&self) -> bool {
        matches!(
            self,
            Job::Evaluate(_)
                | Job::Subtree(Grow { judged: true, .. })
                | Job::Play(Play { judged: true, .. })
                | Job::Practise(Practise { judged: true, .. })
                | Job::Label(Label { judged: true, .. })
        )
    }

    /// Tells whether it is of a kind that is best run together with others of it.
    pub fn is_small(&self) -> bool {
        match self {
            Job::LeafParallel(_) | Job::Evaluate(_) => true,
            Job::Subtree(_)
            | Job::Solve(_)
            | Job::Play(_)
            | Job::Try(_)
            | Job::Practise(_)
            | Job::Label(_) => false,
        }
    }

    /// Tells whether both are of the same kind, and of one that is best run together.
    pub fn is_small_like(&self, other: &Job) -> bool {
        self.is_small() && std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Playouts or evaluations of jobs like this that are best run together, [`crate::Prepared::run_all`].
    ///
    /// Uniform playouts of Go go so many boards in step. Heavy ones go one after another: what is run with
    /// others is answered with them, and so in flight for longer.
    pub fn together_max(&self) -> u32 {
        match self {
            Job::LeafParallel(Playouts { policy: Policy::Uniform, .. }) => 16,
            Job::LeafParallel(Playouts { policy: Policy::Heavy, .. }) => 4,
            Job::Evaluate(_) => EVALUATIONS_TOGETHER,
            Job::Subtree(_)
            | Job::Solve(_)
            | Job::Play(_)
            | Job::Try(_)
            | Job::Practise(_)
            | Job::Label(_) => 0,
        }
    }
}
