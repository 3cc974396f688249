//! Subtree batches by an evaluator: private trees under their leaves, grown side by side.
//!
//! Each tree has one leaf judged at a time, so that no descent of it is made from stale news; the leaves of
//! all trees are judged together, as evaluators like them. What a tree counts does not depend on its company.

use banyan_games::{Color, Counts, Move, Outcome};
use banyan_knowledge::evaluator::VALUE_ONE;
use banyan_knowledge::{Evaluator, EvaluatorError, Judgement, Query};
use banyan_search::{Descent, Path, Proof, Searchable, Tree};

use crate::answer::Answer;
use crate::grow::imported;
use crate::job::Grow;
use crate::root::Growing;
use crate::sums::{OWNERSHIP_ONE, UNITS_PER_HALF_POINT};
use crate::workspace::Workspace;

/// A batch whose private tree grows.
pub(crate) struct Growth<G> {
    /// Index of the batch among those that are run together.
    pub index: usize,
    leaf: G,
    /// From the start of the game to the leaf.
    plies: Vec<(Color, Move)>,
    floor: u32,
    tree: Tree,
    /// Positions judged for Black and for White, and games that ended.
    counts: Counts,
    /// What evaluations say of owners and scores, where that is asked for.
    told: Option<Told>,
    /// Evaluations to come.
    left: u32,
}

/// Sums over evaluations.
struct Told {
    /// Count.
    evaluations: i64,
    /// Of scores, in their unit.
    score: i64,
    /// Of owners, by point, in their unit.
    owners: Vec<i64>,
}

impl Told {
    fn add(&mut self, judgement: &Judgement) {
        self.evaluations += 1;
        self.score += i64::from(judgement.score.unwrap_or(0));
        for (sum, &held) in self.owners.iter_mut().zip(&judgement.ownership) {
            *sum += i64::from(held);
        }
    }

    /// Writes them as counts of playouts: games that ended are taken to have had the same owners.
    fn tell(&self, counts: &mut Counts) {
        counts.margin_sum += self.score / UNITS_PER_HALF_POINT;
        let playouts = i64::from(counts.playouts());
        let held = |sum: &i64| sum * playouts / (self.evaluations.max(1) * OWNERSHIP_ONE as i64);
        counts.ownership = Some(self.owners.iter().map(|sum| held(sum) as i32).collect());
    }
}

/// A leaf of a private tree that waits for its judgement.
struct Waiting<G> {
    growth: usize,
    path: Path,
    position: G,
    plies: Vec<(Color, Move)>,
}

impl<G: Searchable> Growth<G> {
    /// A tree that holds what is known.
    ///
    /// - `plies`: from the start of the game to the leaf.
    pub(crate) fn new(
        (index, leaf, plies): (usize, G, Vec<(Color, Move)>),
        Grow { playouts, floor, known, .. }: &Grow,
        growing: Growing,
        space: &mut Workspace,
    ) -> Growth<G> {
        let tree = imported(&leaf, known, growing, space);
        let area = leaf.size().area();
        let counts = Counts::new(area, playouts.asked);
        let owners = vec![0; area];
        let told = Told { evaluations: 0, score: 0, owners };
        let told = playouts.asked.ownership.then_some(told);
        Growth { index, leaf, plies, floor: *floor, tree, counts, told, left: playouts.count }
    }

    /// Walks to a leaf; a walk that meets the end of a game counts on the spot, and the next begins.
    fn walk(&mut self, growth: usize) -> Option<Waiting<G>> {
        while self.left > 0 {
            self.left -= 1;
            let mut position = self.leaf.clone();
            match self.tree.descend(&mut position, 0) {
                Descent::Ended(path, outcome) => self.count_ended(&path, outcome),
                Descent::Leaf(path) => {
                    if let Some(outcome) = self.proven(&position) {
                        self.count_ended(&path, outcome);
                        continue;
                    }
                    let plies = self.plies_to(&path);
                    return Some(Waiting { growth, path, position, plies });
                }
            }
        }
        None
    }

    /// Proves the outcome of a leaf, where a short search can: cheaper than a judgement, and surer.
    fn proven(&self, position: &G) -> Option<Outcome> {
        let nodes_max = u64::from(self.tree.parameters().proof_nodes);
        (nodes_max > 0).then(|| position.proven(nodes_max)).flatten()
    }

    /// The plies from the start of the game to the end of a path.
    fn plies_to(&self, path: &Path) -> Vec<(Color, Move)> {
        let below =
            path[1..].iter().map(|&node| (self.tree.mover(node), self.tree.move_into(node)));
        self.plies.iter().copied().chain(below).collect()
    }

    fn count_ended(&mut self, path: &Path, outcome: Outcome) {
        self.tree.merge_outcome(path, outcome);
        if let Some(&last) = path.last() {
            self.tree.prove(path, Proof::of(outcome, self.tree.mover(last)));
        }
        self.counts.add(outcome, path.len() as u32 - 1);
    }

    fn merge(&mut self, path: &Path, judgement: &Judgement) {
        self.tree.merge_judgement(path, judgement);
        if let Some(told) = &mut self.told {
            told.add(judgement);
        }
        let side = match judgement.value.cmp(&(VALUE_ONE / 2)) {
            std::cmp::Ordering::Greater => &mut self.counts.wins,
            std::cmp::Ordering::Equal => &mut self.counts.draws,
            std::cmp::Ordering::Less => &mut self.counts.losses,
        };
        *side += 1;
        self.counts.plies += path.len() as u64 - 1;
    }

    fn answer(mut self, space: &mut Workspace) -> (usize, Answer) {
        if let Some(told) = &self.told {
            told.tell(&mut self.counts);
        }
        let grown = self.tree.grown(u64::from(self.floor), Grow::groups_max(true));
        space.trees.push(self.tree);
        (self.index, Answer::Subtree(self.counts, Box::new(grown)))
    }
}

/// Grows all of these trees; the answer of each with its index.
///
/// # Errors
/// What the evaluator says when it cannot judge: then none of them has an answer.
pub(crate) fn grow<G: Searchable>(
    mut growths: Vec<Growth<G>>,
    evaluator: &dyn Evaluator<G>,
    start: &G,
    space: &mut Workspace,
) -> Result<Vec<(usize, Answer)>, EvaluatorError> {
    let mut judgements = Vec::new();
    loop {
        let walks = growths.iter_mut().enumerate().map(|(at, growth)| growth.walk(at));
        let waiting: Vec<Waiting<G>> = walks.flatten().collect();
        if waiting.is_empty() {
            break;
        }
        let query = |it| {
            let Waiting { position, plies, .. }: &Waiting<G> = it;
            Query { position, start, plies }
        };
        let queries: Vec<Query<'_, G>> = waiting.iter().map(query).collect();
        evaluator.evaluate(&queries, &mut judgements)?;
        space.evaluated.at_once(queries.len());
        for (Waiting { growth, path, .. }, judgement) in waiting.iter().zip(&judgements) {
            growths[*growth].merge(path, judgement);
        }
    }
    Ok(growths.into_iter().map(|growth| growth.answer(space)).collect())
}
