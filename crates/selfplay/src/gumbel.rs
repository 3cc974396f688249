//! A search of few evaluations that always improves on the network's policy: Gumbel AlphaZero.
//!
//! At the root moves are drawn without replacement by adding Gumbel noise to their logits, and the visits
//! are shared out among them by sequential halving; below, visits follow the improved policy. What the
//! search teaches is the improved policy itself, not the visits.
//!
//! # Source
//! Danihelka, Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with Gumbel".

use super::judge::{Due, Said};
use super::learned::Learned;
use super::opening::uniform;
use super::playing::Searched;
use banyan_games::rng::mix;
use banyan_games::{Color, Move, Outcome, Rng};

/// Moves that the root considers at first.
const CONSIDERED: usize = 16;

/// Visits that a value counts for before there are any.
const VISITS_BEFORE: f32 = 50.0;

struct Edge {
    mv: Move,
    logit: f32,
    prior: f32,
    visits: u32,
    /// Sum of values for the side that moves here.
    sum: f32,
    /// Number of the node below, 0 for none.
    child: usize,
}

struct Node<G> {
    position: G,
    /// For its side to move.
    value: f32,
    visits: u32,
    is_over: bool,
    edges: Vec<Edge>,
}

/// A search under way.
pub struct Search<G> {
    nodes: Vec<Node<G>>,
    /// Weight of a value from 0 to 1 against logits, for each visit.
    value_scale: f32,
    /// Seed of its judge's chance.
    salt: u64,
    /// Noise of each of the root's moves.
    noise: Vec<f32>,
    /// Visits that a move must have to be visited next, for each visit to come.
    sequence: Vec<u32>,
    done: usize,
    /// Nodes with the edge that was taken, from the root on.
    path: Vec<(usize, usize)>,
    /// The node whose evaluation is due.
    waiting: usize,
}

/// Visits of the moves that are next, for each of `visits` visits among `moves` moves.
fn sequence(moves: usize, visits: usize) -> Vec<u32> {
    let mut left = moves.clamp(1, CONSIDERED);
    let rounds = left.next_power_of_two().ilog2().max(1) as usize;
    let (mut seen, mut all) = (vec![0; left], Vec::new());
    while all.len() < visits {
        for _ in 0..(visits / (rounds * left)).max(1) {
            all.extend_from_slice(&seen[..left]);
            seen[..left].iter_mut().for_each(|visits| *visits += 1);
        }
        left = (left / 2).max(2).min(moves.max(1));
    }
    all.truncate(visits);
    all
}

impl<G: Learned> Search<G> {
    /// A search of a position with these moves; its first evaluation is due.
    ///
    /// - `visits`: evaluations below the root, count.
    /// - `value_scale`: what a value from 0 to 1 counts against logits, for each visit.
    pub fn new((position, moves): (G, Vec<Move>), visits: u32, value_scale: f32) -> Search<G> {
        Search {
            noise: vec![0.0; moves.len()],
            sequence: sequence(moves.len(), visits as usize),
            nodes: vec![Node::new(position, moves, 0)],
            value_scale,
            salt: 0,
            done: 0,
            path: Vec::new(),
            waiting: 0,
        }
    }

    /// The same search with Gumbel noise at its root: it may play what it does not think best.
    pub fn with_noise(mut self, rng: &mut Rng) -> Search<G> {
        // A library's logarithm differs between machines by a last bit; libm's is our own code's.
        self.noise.fill_with(|| -libm::log(-libm::log(uniform(rng).max(1e-9))) as f32);
        self.salt = rng.bits();
        self
    }

    /// The position to be evaluated now, and its moves; nothing once the search is over.
    pub fn due(&self) -> Option<Due<'_, G>> {
        let node = &self.nodes[self.waiting];
        let moves = || node.edges.iter().map(|edge| edge.mv).collect();
        let salt = mix(self.salt ^ self.waiting as u64);
        let position = &node.position;
        (self.done <= self.sequence.len()).then(|| Due { position, moves: moves(), salt })
    }

    /// Takes what was said of the position that was due, and finds the next.
    pub fn take(&mut self, said: &Said) {
        let node = &mut self.nodes[self.waiting];
        node.value = said.value;
        let most = said.logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = said.logits.iter().map(|logit| libm::expf(logit - most)).sum();
        for (edge, logit) in node.edges.iter_mut().zip(&said.logits) {
            edge.logit = logit - most;
            edge.prior = libm::expf(edge.logit) / sum;
        }
        self.back_up();
        while self.done < self.sequence.len() {
            if self.descend() {
                return;
            }
            self.back_up();
        }
        self.done = self.sequence.len() + 1;
    }

    /// Goes down to a new leaf; returns whether it has to be evaluated.
    fn descend(&mut self) -> bool {
        let mut at = 0;
        loop {
            let edge =
                if at == 0 { self.at_root() } else { self.nodes[at].below_root(self.value_scale) };
            self.path.push((at, edge));
            let child = self.nodes[at].edges[edge].child;
            if child == 0 {
                self.waiting = self.expand(at, edge);
                self.done += 1;
                return !self.nodes[self.waiting].is_over;
            }
            at = child;
            if self.nodes[at].is_over {
                self.waiting = at;
                self.done += 1;
                return false;
            }
        }
    }

    fn expand(&mut self, at: usize, edge: usize) -> usize {
        let number = self.nodes.len();
        let mut position = self.nodes[at].position.clone();
        position.play(self.nodes[at].edges[edge].mv);
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        self.nodes.push(Node::new(position, moves, G::LEAF_PROOF));
        self.nodes[at].edges[edge].child = number;
        number
    }

    fn back_up(&mut self) {
        let leaf = &mut self.nodes[self.waiting];
        let (mut value, mut side) = (leaf.value, leaf.position.side_to_move());
        leaf.visits += 1;
        for (at, edge) in self.path.drain(..).rev() {
            let node = &mut self.nodes[at];
            // A turn may have several plies.
            if node.position.side_to_move() != side {
                (value, side) = (1.0 - value, !side);
            }
            node.visits += 1;
            node.edges[edge].visits += 1;
            node.edges[edge].sum += value;
        }
    }

    /// The root's move of the next visit: of those with as many visits as are due, the best.
    fn at_root(&self) -> usize {
        let due = self.sequence[self.done];
        let is_due = |at: &usize| self.nodes[0].edges[*at].visits == due;
        let scores = self.scores();
        let best =
            (0..scores.len()).filter(is_due).max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        best.unwrap_or_else(|| largest(&scores))
    }

    /// Noise, logit and value of each of the root's moves together.
    fn scores(&self) -> Vec<f32> {
        self.nodes[0]
            .improved(self.value_scale)
            .iter()
            .zip(&self.noise)
            .map(|(logit, noise)| logit + noise)
            .collect()
    }

    /// Result of the search.
    pub fn end(&self) -> Searched {
        let root = &self.nodes[0];
        let policy = softmax(&root.improved(self.value_scale));
        let most = root.edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let scores = self.scores();
        let best = (0..scores.len())
            .filter(|&at| root.edges[at].visits == most)
            .max_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        let value: f32 = root.value + root.edges.iter().map(|edge| edge.sum).sum::<f32>();
        let moves = root.edges.iter().map(|edge| edge.mv);
        Searched {
            best: best.map(|at| root.edges[at].mv),
            shares: moves.zip(policy.into_iter().map(f64::from)).collect(),
            value: f64::from(value / root.visits as f32),
        }
    }
}

impl<G: Learned> Node<G> {
    /// - `proof`: positions that may be looked into to prove how it ends, 0 for none.
    fn new(position: G, moves: Vec<Move>, proof: u64) -> Node<G> {
        let proven = || (proof > 0).then(|| position.proven(proof)).flatten();
        let value = position
            .outcome()
            .or_else(proven)
            .map(|outcome| value_of(outcome, position.side_to_move()));
        let edge = |mv| Edge { mv, logit: 0.0, prior: 0.0, visits: 0, sum: 0.0, child: 0 };
        Node {
            is_over: value.is_some(),
            value: value.unwrap_or(0.0),
            visits: 0,
            edges: moves.into_iter().map(edge).collect(),
            position,
        }
    }

    /// Logits of the moves with what their values add; an unvisited move has the mixed value.
    fn improved(&self, value_scale: f32) -> Vec<f32> {
        let visits: u32 = self.edges.iter().map(|edge| edge.visits).sum();
        let most = self.edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let visited = || self.edges.iter().filter(|edge| edge.visits > 0);
        let priors: f32 = visited().map(|edge| edge.prior).sum();
        let weighed: f32 = visited().map(|edge| edge.prior * edge.value()).sum();
        let mean = if priors > 0.0 { weighed / priors } else { 0.0 };
        let mixed = (self.value + visits as f32 * mean) / (1 + visits) as f32;
        let scale = (VISITS_BEFORE + most as f32) * value_scale;
        let value = |edge: &Edge| if edge.visits > 0 { edge.value() } else { mixed };
        self.edges.iter().map(|edge| edge.logit + scale * value(edge)).collect()
    }

    /// The move whose visits lag furthest behind the improved policy.
    fn below_root(&self, value_scale: f32) -> usize {
        let policy = softmax(&self.improved(value_scale));
        let all = self.edges.iter().map(|edge| edge.visits).sum::<u32>() + 1;
        let lag = |(edge, share): (&Edge, f32)| share - edge.visits as f32 / all as f32;
        let lags: Vec<f32> = self.edges.iter().zip(policy).map(lag).collect();
        largest(&lags)
    }
}

impl Edge {
    fn value(&self) -> f32 {
        self.sum / self.visits as f32
    }
}

/// Worth of an end of the game to a side.
fn value_of(outcome: Outcome, side: Color) -> f32 {
    outcome.winner().map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 })
}

fn largest(numbers: &[f32]) -> usize {
    (0..numbers.len()).max_by(|&a, &b| numbers[a].total_cmp(&numbers[b])).unwrap_or(0)
}

fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| libm::expf(logit - most)).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Game as _;
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::go::{Go, GoRules};

    /// Searches with a judge that knows nothing but a logit for one move.
    fn searched(position: &Go, visits: u32, liked: Option<Move>) -> Searched {
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        let mut search = Search::new((position.clone(), moves), visits, 0.5);
        while let Some(due) = search.due() {
            let logit = |mv: &Move| if Some(*mv) == liked { 2.0 } else { 0.0 };
            let logits = due.moves.iter().map(logit).collect();
            search.take(&Said { value: 0.5, logits });
        }
        assert_eq!(search.nodes[0].visits, visits + 1);
        search.end()
    }

    #[test]
    fn sixteen_moves_are_halved_until_two_are_left() {
        assert_eq!(sequence(40, 8), [0; 8]);
        // Four rounds: 16 moves once, 8 moves twice, 4 moves four times, 2 moves eight times.
        let visits = sequence(40, 64);
        assert_eq!(visits.iter().filter(|&&visits| visits == 0).count(), 16);
        assert_eq!(visits.len(), 64);
        assert_eq!(visits.last(), Some(&14));
        assert_eq!(sequence(1, 3), [0, 1, 2]);
    }

    #[test]
    fn a_pass_that_wins_at_once_is_found_though_no_judge_likes_it() {
        let mut position = Go::new(&GoRules::new(7, -15).unwrap());
        position.play(Move::PASS);
        position.play(Move::point(24));
        position.play(Move::PASS);
        // Two passes end the game, and White, who gives komi, has lost it: Black passes.
        let found = searched(&position, 64, None);
        assert_eq!(found.best, Some(Move::PASS));
        assert!(found.value > 0.5, "{}", found.value);
        let (_, share) = *found.shares.last().unwrap();
        assert!(share > 0.9, "{share}");
    }

    /// Searches with a judge that likes Black's or White's game so much, whoever is to move.
    fn judged(position: &Connect6, visits: u32, black: f32) -> Search<Connect6> {
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        let mut search = Search::new((position.clone(), moves), visits, 0.5);
        while let Some(due) = search.due() {
            let is_black = due.position.side_to_move() == Color::Black;
            // So that it is among the moves that are looked at.
            let logit = |mv: &Move| if *mv == Move::point(41) { 1.0 } else { 0.0 };
            let logits = due.moves.iter().map(logit).collect();
            let value = if is_black { black } else { 1.0 - black };
            search.take(&Said { value, logits });
        }
        search
    }

    #[test]
    fn both_stones_of_a_turn_are_their_sides() {
        let mut position = Connect6::new(&Connect6Rules::new(9).expect("a size"));
        position.play(Move::point(0));
        // White has two stones to play, and nobody is near a win.
        for black in [0.1, 0.5, 0.9] {
            let value = judged(&position, 40, black).end().value;
            assert!((value - f64::from(1.0 - black)).abs() < 1e-3, "{value} for {black}");
        }
        for point in [37, 38, 72, 74, 39, 40, 76, 78, 36] {
            position.play(Move::point(point));
        }
        // White's second stone makes six at once.
        assert_eq!(position.side_to_move(), Color::White);
        let found = judged(&position, 64, 0.9).end();
        assert_eq!(found.best, Some(Move::point(41)));
        assert!(found.value > 0.15, "{}", found.value);
    }

    #[test]
    fn without_news_the_policy_stays_as_it_was() {
        let position = Go::new(&GoRules::new(7, 15).unwrap());
        let found = searched(&position, 8, Some(Move::point(24)));
        assert_eq!(found.best, Some(Move::point(24)));
        let wanted = 2f64.exp() / (2f64.exp() + 49.0);
        let (_, share) = found.shares[24];
        assert!((share - wanted).abs() < 1e-3, "{share} for {wanted}");
    }
}
