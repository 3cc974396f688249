//! Making sure of what peers say is proven, before it decides a search.
//!
//! What a peer's subtree proves is a claim; the tree says which node has to be looked into before a move
//! at the root is decided by claims. Here that node is searched in a private tree, which knows nothing of
//! what anybody said. A claim that is not found to be true within its playouts counts for nothing.
//!
//! Whoever runs the search has it done: on another thread where arrival may decide, on the spot where the
//! tree must follow from the search alone.

use banyan_games::counts::Asked;
use banyan_games::{Color, Counts, Leaf, Move, Outcome, Rng};
use banyan_knowledge::Policy;
use banyan_search::{Descent, Parameters, Path, Proof, Searchable, Tree, leaf};

use super::Search;

/// Playouts that making sure of claims may take: so many, and one for so many that were made.
const PLAYOUTS_FREE: u64 = 32_768;
const PLAYOUTS_SHARE: u64 = 8;

/// Playouts for one claim: so many, and so many times as many as went through its node, at most.
const PLAYOUTS_MIN: u64 = 512;
const PLAYOUTS_PER_VISIT: u64 = 4;
const PLAYOUTS_MAX: u64 = 1 << 16;

/// Bytes of the private tree.
const TREE_BYTES: usize = 32 << 20;

/// A node that has to be looked into.
#[derive(Clone, Debug)]
pub struct Claim<G> {
    /// From the root to the node.
    moves: Vec<Move>,
    position: G,
    parameters: Parameters,
    policy: Policy,
    seed: u64,
    playouts_max: u64,
}

/// Finding about a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    moves: Vec<Move>,
    /// Result of the game when both sides play their best; nothing where that was not found.
    worth: Worth,
    playouts: u64,
}

/// Result of a game with the best play of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    Unknown,
    Draw,
    WonBy(Color),
}

impl Worth {
    fn of(outcome: Outcome) -> Worth {
        outcome.winner().map_or(Worth::Draw, Worth::WonBy)
    }

    /// Reads the proof of a node that `mover` moved into.
    fn of_proof(proof: Proof, mover: Color) -> Worth {
        match proof {
            Proof::Open => Worth::Unknown,
            Proof::Draw => Worth::Draw,
            Proof::Win => Worth::WonBy(mover),
            Proof::Loss => Worth::WonBy(!mover),
        }
    }

    fn proof(self, mover: Color) -> Proof {
        match self {
            Worth::Unknown => Proof::Open,
            Worth::Draw => Proof::Draw,
            Worth::WonBy(winner) if winner == mover => Proof::Win,
            Worth::WonBy(_) => Proof::Loss,
        }
    }
}

impl<G: Searchable> Search<G> {
    /// Finds what has to be looked into before a move is decided at the root, if there is anything and it has not
    /// taken too long already. One at a time: [`Search::settle`] first.
    pub fn claim(&mut self) -> Option<Claim<G>> {
        let free = PLAYOUTS_FREE + self.made / PLAYOUTS_SHARE;
        if self.is_making_sure || self.made_sure >= free {
            return None;
        }
        while let Some(path) = self.tree.claim() {
            let moves: Vec<Move> =
                path[1..].iter().map(|&node| self.tree.move_into(node)).collect();
            let Some(position) = self.position_after(&moves) else {
                self.tree.settle(&path, Proof::Open);
                continue;
            };
            if self.tree.check_list(&path, &position) {
                continue;
            }
            self.is_making_sure = true;
            return Some(self.claim_at(&path, moves, position));
        }
        None
    }

    fn claim_at(&self, path: &Path, moves: Vec<Move>, position: G) -> Claim<G> {
        let visits = path.last().map_or(0, |&node| self.tree.visits(node));
        let wanted = PLAYOUTS_MIN + PLAYOUTS_PER_VISIT * visits;
        Claim {
            moves,
            position,
            parameters: *self.tree.parameters(),
            policy: self.plan.policy,
            seed: self.plan.seed,
            playouts_max: wanted.min(PLAYOUTS_MAX),
        }
    }

    /// Takes in what was found of the last claim.
    pub fn settle(&mut self, found: Finding) {
        let Finding { moves, worth, playouts } = found;
        self.is_making_sure = false;
        self.made_sure += playouts.max(1);
        let path = self.tree.path_of(&moves);
        // What was folded meanwhile says nothing any more.
        if let Some(&node) = path.last().filter(|_| path.len() == moves.len() + 1) {
            self.tree.settle(&path, worth.proof(self.tree.mover(node)));
        }
    }

    /// The position after moves from the root; nothing where the rules forbid one.
    fn position_after(&self, moves: &[Move]) -> Option<G> {
        let mut position = self.position.clone();
        for &mv in moves {
            if !position.is_legal(mv) {
                return None;
            }
            position.play(mv);
        }
        Some(position)
    }
}

impl<G: Searchable> Claim<G> {
    /// Looks into it: some milliseconds, rarely more than a second.
    pub fn look_into(self) -> Finding {
        let (worth, playouts) = self.worth();
        Finding { moves: self.moves, worth, playouts }
    }

    fn worth(&self) -> (Worth, u64) {
        if let Some(outcome) = self.position.outcome() {
            return (Worth::of(outcome), 0);
        }
        let nodes_max = u64::from(self.parameters.proof_nodes);
        if let Some(outcome) = (nodes_max > 0).then(|| self.position.proven(nodes_max)).flatten() {
            return (Worth::of(outcome), 1);
        }
        let mover = !self.position.side_to_move();
        let mut tree = Tree::new(self.parameters, self.seed, TREE_BYTES, mover);
        tree.expand_root(&self.position);
        let mut rng = Rng::from_seed(self.seed);
        for playout in 0..self.playouts_max {
            if tree.proof(tree.root()) != Proof::Open {
                return (Worth::of_proof(tree.proof(tree.root()), mover), playout);
            }
            self.play_out(&mut tree, &mut rng);
        }
        (Worth::of_proof(tree.proof(tree.root()), mover), self.playouts_max)
    }

    fn play_out(&self, tree: &mut Tree, rng: &mut Rng) {
        let mut position = self.position.clone();
        let (path, outcome) = match tree.descend(&mut position, 0) {
            Descent::Ended(path, outcome) => (path, Some(outcome)),
            Descent::Leaf(path) => {
                let outcome = self.proven(tree, &path, &position);
                (path, outcome)
            }
        };
        if let Some(outcome) = outcome {
            tree.merge_outcome(&path, outcome);
            let mover = path.last().map(|&last| tree.mover(last)).expect("a path holds the root");
            return tree.prove(&path, Proof::of(outcome, mover));
        }
        let asked = Asked { amaf: leaf::counts_amaf::<G>(&self.parameters), ownership: false };
        let mut counts = Counts::new(position.size().area(), asked);
        let leaf = Leaf { position: &position, playouts: 1, rng, counts: &mut counts };
        leaf::play_out(&self.parameters, self.policy, &mut [leaf]);
        tree.merge(&path, &counts);
    }

    fn proven(&self, tree: &Tree, path: &Path, position: &G) -> Option<Outcome> {
        let nodes_max = u64::from(self.parameters.proof_nodes);
        let is_met_again = path.last().is_some_and(|&leaf| tree.visits(leaf) > 0);
        (nodes_max > 0 && is_met_again).then(|| position.proven(nodes_max)).flatten()
    }
}
