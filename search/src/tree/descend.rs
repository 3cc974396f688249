//! One walk from the root to a leaf.

use banyan_games::{Game, Move, Outcome, Rng};

use super::{NodeId, Path, Proof, Tree};

/// Where a descent stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Descent {
    /// At a leaf that wants playouts.
    Leaf(Path),
    /// At the end of a game, whose outcome is known without any.
    Ended(Path, Outcome),
}

impl Tree {
    /// Walks from the root, choosing the best child each time, and expands on the way.
    ///
    /// `position` must be the root's; it is played forward to the leaf.
    pub fn descend<G: Game>(&mut self, position: &mut G) -> Descent {
        let mut path = vec![self.root];
        let mut node = self.root;
        while self.is_expanded(node) || self.expand(node, position) {
            node = self.select(node);
            path.push(node);
            position.play(self.move_into(node));
        }
        match position.outcome() {
            Some(outcome) => Descent::Ended(path, outcome),
            None => Descent::Leaf(path),
        }
    }

    /// Gives a leaf its children once it has been played out; returns whether it has them now.
    fn expand<G: Game>(&mut self, node: NodeId, position: &G) -> bool {
        if (self.visits(node) as f64) < f64::from(self.parameters.expand_after) || self.is_full() {
            return false;
        }
        let mut moves = Vec::with_capacity(position.size().area() + 1);
        position.candidates(&mut moves);
        shuffle(&mut moves, self.seed ^ position.hash());
        self.add_children(node, position.side_to_move(), &moves);
        !moves.is_empty()
    }

    /// The child with the largest urgency; the first of equals.
    fn select(&self, node: NodeId) -> NodeId {
        let urgency = Urgency::at(self, node);
        let first = self.first_child[node.index()] as usize;
        let mut best = (first, f32::NEG_INFINITY);
        for child in first..first + usize::from(self.child_count[node.index()]) {
            let value = urgency.of(self, child);
            if value > best.1 {
                best = (child, value);
            }
        }
        NodeId(best.0 as u32)
    }
}

/// The formula that ranks the children of one node.
///
/// - value: (wins + ½ draws) / (visits + w·√T), T the playouts in flight through the child, w the
///   weight of the virtual loss;
/// - blended with the AMAF value by [`rave_weight`];
/// - plus c·√(ln N / (visits + T)), N and T counting what is in flight (unobserved) as well.
struct Urgency {
    exploration: f32,
    first_play: f32,
    virtual_loss: f32,
    rave_weight: f32,
}

impl Urgency {
    fn at(tree: &Tree, node: NodeId) -> Urgency {
        let parameters = &tree.parameters;
        let visits = tree.visits(node) as f64;
        let tried = visits + f64::from(tree.unobserved(node));
        // A library's logarithm differs between machines by a last bit; libm's is our own code's.
        let log = libm::log(tried.max(1.0)) as f32;
        Urgency {
            exploration: parameters.exploration * log.sqrt(),
            first_play: parameters.first_play_urgency,
            virtual_loss: parameters.virtual_loss,
            rave_weight: rave_weight(visits as f32, parameters.rave_equivalence),
        }
    }

    fn of(&self, tree: &Tree, child: usize) -> f32 {
        let flags = tree.flags[child];
        if flags.is_banned() {
            return f32::NEG_INFINITY;
        }
        match flags.proof() {
            Proof::Win => return f32::MAX,
            Proof::Loss => return f32::MIN,
            Proof::Draw | Proof::Open => {}
        }
        let visits = tree.visits[child] as f32;
        let in_flight = tree.unobserved[child] as f32;
        let amaf_visits = tree.amaf_visits[child] as f32;
        let seen = visits + self.virtual_loss * in_flight.sqrt();
        let own =
            if seen > 0.0 { 0.5 * tree.half_wins[child] as f32 / seen } else { self.first_play };
        let value = if amaf_visits > 0.0 && self.rave_weight > 0.0 {
            let amaf = 0.5 * tree.amaf_half_wins[child] as f32 / amaf_visits;
            let weight = if seen > 0.0 { self.rave_weight } else { 1.0 };
            own + weight * (amaf - own)
        } else {
            own
        };
        value + self.exploration / (visits + in_flight).max(1.0).sqrt()
    }
}

/// Weight of a child's AMAF value against its own, for RAVE.
///
/// β = √(k / (3n + k)): 1 at an unvisited parent, ½ at n = k, towards 0 as visits arrive.
///
/// - `parent_visits` (n): playouts through the parent, count.
/// - `equivalence` (k): parent visits at which both weigh the same, count; 0 turns RAVE off.
/// - returns β in `0.0..=1.0`, no unit.
///
/// # Source
/// Gelly & Silver 2007, hand-selected schedule.
pub fn rave_weight(parent_visits: f32, equivalence: f32) -> f32 {
    if equivalence <= 0.0 {
        return 0.0;
    }
    (equivalence / (3.0 * parent_visits + equivalence)).sqrt()
}

/// Fisher-Yates by a seed.
fn shuffle(moves: &mut [Move], seed: u64) {
    let mut rng = Rng::from_seed(seed);
    for last in (1..moves.len()).rev() {
        moves.swap(last, rng.below(last as u32 + 1) as usize);
    }
}
