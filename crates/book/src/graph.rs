//! The positions of a book in memory, with values backed up from the leaves.

use std::collections::{BTreeSet, HashMap, HashSet};

use banyan_games::{Color, Game, Move, Outcome};

use crate::place::Place;

/// Certain wins are worth at least this, and certain losses at most one less it: more, the larger the margin.
const CERTAIN: f64 = 0.95;

/// State of knowledge about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It was not valued yet, or a move that its valuation rested on came into the book since.
    Waiting = 0,
    /// Its best move outside the book is known, with its value.
    Valued = 1,
    /// It is known for certain how it ends.
    Proven = 2,
}

impl State {
    /// The state with this number.
    pub fn of(number: i64) -> Option<State> {
        [State::Waiting, State::Valued, State::Proven].into_iter().find(|it| *it as i64 == number)
    }
}

/// A move of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// In the parent's image.
    pub mv: Move,
    /// Position that it leads to.
    pub child: usize,
    /// Valuations of which it was on the way.
    pub visits: u64,
    /// Games it was played in.
    pub games: u64,
    /// Points that whoever played it made in those, a win being 2.
    pub points: u64,
}

/// A position of the book.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The packed position.
    pub key: Vec<u8>,
    /// The side to move.
    pub side: Color,
    /// Moves from the start to exactly this image.
    pub line: Vec<Move>,
    /// State of knowledge about it.
    pub state: State,
    /// The best move that is not in the book, and its value to the side to move; nothing where all are, or
    /// where that is not known. It may be in the book by games, until a search values the position after it. In a
    /// proven position the move that proves it, in the book or not.
    pub spare: Option<(Move, f64)>,
    /// The value to the side to move, backed up.
    pub value: f64,
    /// Valuations below it, its own with them.
    pub visits: u64,
    /// Games that came by.
    pub games: u64,
    /// Points of the side to move in those, a win being 2.
    pub points: u64,
    /// So many times it is to be looked into before all others.
    pub wanted: u64,
    /// Its moves in the book, in ascending order.
    pub edges: Vec<Edge>,
    /// Positions that lead here.
    pub parents: Vec<usize>,
}

impl Node {
    /// Tells whether a move, in this image, is in the book.
    pub fn has(&self, mv: Move) -> bool {
        self.edges.binary_search_by_key(&mv, |edge| edge.mv).is_ok()
    }

    /// What a search of this node said of a move, where it is the best of those that no search looked into.
    pub fn judged(&self, mv: Move) -> Option<f64> {
        let spare = self.spare.filter(|_| self.state == State::Valued);
        spare.filter(|&(best, _)| best == mv).map(|(_, value)| value)
    }
}

/// The worth of a certain end, by its margin for the side to move in half points.
///
/// - `largest`: the largest margin that there is.
pub fn of_margin(margin: i32, largest: i32) -> f64 {
    let part = f64::from(margin.abs().min(largest)) / f64::from(largest.max(1));
    match margin {
        0 => 0.5,
        1.. => CERTAIN + (1.0 - CERTAIN) * part,
        _ => (1.0 - CERTAIN) * (1.0 - part),
    }
}

/// The worth of a game's end to a side.
pub fn of_outcome(outcome: Outcome, side: Color, points: usize) -> f64 {
    let margin = if side == Color::Black { outcome.margin.0 } else { -outcome.margin.0 };
    of_margin(margin, 2 * points as i32)
}

/// A value of one side as another sees it.
pub fn turned(value: f64, from: Color, to: Color) -> f64 {
    if from == to { value } else { 1.0 - value }
}

/// All positions.
#[derive(Debug, Default)]
pub struct Graph {
    /// The start is the first.
    pub nodes: Vec<Node>,
    by_key: HashMap<Vec<u8>, usize>,
    /// Nodes and edges (parent, place among its edges) that the database does not have like this.
    pub changed: BTreeSet<usize>,
    pub changed_edges: BTreeSet<(usize, Move)>,
    /// Games that were imported, by hashes, and those of them that the database does not have.
    pub imported: HashSet<u64>,
    pub changed_imported: Vec<u64>,
}

impl Graph {
    /// The node of a packed position.
    pub fn find(&self, key: &[u8]) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    /// Takes in a node as it was stored.
    pub fn push(&mut self, node: Node) -> usize {
        self.by_key.insert(node.key.clone(), self.nodes.len());
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The node of a place, made if it is not there.
    pub fn at<G: Game>(&mut self, place: &Place<G>) -> usize {
        if let Some(found) = self.find(&place.key) {
            return found;
        }
        let side = place.position.side_to_move();
        let ended = place.position.outcome();
        let value = ended.map(|it| of_outcome(it, side, place.position.size().area()));
        let node = Node {
            key: place.key.clone(),
            side,
            line: place.line.clone(),
            state: if ended.is_some() { State::Proven } else { State::Waiting },
            spare: None,
            value: value.unwrap_or(0.5),
            visits: 0,
            games: 0,
            points: 0,
            wanted: 0,
            edges: Vec::new(),
            parents: Vec::new(),
        };
        let id = self.push(node);
        self.changed.insert(id);
        id
    }

    /// Puts a move of the book between two nodes, unless it is there; tells whether it is new.
    pub fn link(&mut self, parent: usize, mv: Move, child: usize) -> bool {
        let edges = &mut self.nodes[parent].edges;
        let Err(at) = edges.binary_search_by_key(&mv, |edge| edge.mv) else { return false };
        edges.insert(at, Edge { mv, child, visits: 0, games: 0, points: 0 });
        self.nodes[child].parents.push(parent);
        self.changed_edges.insert((parent, mv));
        true
    }

    /// The edge of a move, to be changed.
    pub fn edge_mut(&mut self, parent: usize, mv: Move) -> Option<&mut Edge> {
        let edges = &mut self.nodes[parent].edges;
        let at = edges.binary_search_by_key(&mv, |edge| edge.mv).ok()?;
        self.changed_edges.insert((parent, mv));
        Some(&mut self.nodes[parent].edges[at])
    }

    /// The value of a move of the book to who plays it: what a search said of it, also where games followed it.
    pub fn value_of(&self, parent: usize, edge: &Edge) -> f64 {
        let (node, child) = (&self.nodes[parent], &self.nodes[edge.child]);
        let judged = node.judged(edge.mv);
        judged.unwrap_or_else(|| turned(child.value, child.side, node.side))
    }

    /// Tells whether no search valued a node.
    pub fn is_from_games(&self, id: usize) -> bool {
        let node = &self.nodes[id];
        node.state == State::Waiting && node.visits == 0
    }

    /// A search valued a node: what was thought of its move before, where games had followed that, is over.
    pub fn release_parents(&mut self, id: usize) {
        for parent in self.nodes[id].parents.clone() {
            let node = &mut self.nodes[parent];
            let mut here = node.edges.iter().filter(|edge| edge.child == id);
            if here.any(|edge| node.judged(edge.mv).is_some()) {
                (node.state, node.spare) = (State::Waiting, None);
                self.changed.insert(parent);
            }
        }
    }

    /// A node's value by its moves: the best of those in the book and the spare one.
    ///
    /// Where nothing is known but games, the part of the points that the side to move made in them, as if one
    /// more had been drawn.
    pub fn backed_up(&self, id: usize) -> f64 {
        let node = &self.nodes[id];
        if node.state == State::Proven {
            return node.value;
        }
        let moves = node.edges.iter().map(|edge| self.value_of(id, edge));
        let best = moves.chain(node.spare.map(|(_, value)| value)).reduce(f64::max);
        best.unwrap_or((node.points + 1) as f64 / (2 * (node.games + 1)) as f64)
    }

    /// Backs a change at a node up to all that lead to it.
    ///
    /// It ends, since each ply adds a stone.
    pub fn back_up(&mut self, from: usize) {
        let mut waiting = vec![from];
        while let Some(id) = waiting.pop() {
            let value = self.backed_up(id);
            if value != self.nodes[id].value {
                self.nodes[id].value = value;
                self.changed.insert(id);
                waiting.extend(&self.nodes[id].parents);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;

    /// The start, with `f5 d6`, `f5 f6` and `f5 f4` below the one first move that there is.
    fn graph() -> (Graph, Vec<usize>) {
        let mut graph = Graph::default();
        let mut ids = Vec::new();
        for words in ["", "f5", "f5 d6", "f5 f6", "f5 f4"] {
            let start = Place::<Othello>::start(&OthelloRules);
            let line =
                words.split_whitespace().map(|it| start.position.parse_move(it).expect("it"));
            let line: Vec<Move> = line.collect();
            let place = Place::<Othello>::after_line(&OthelloRules, &line).expect("legal");
            ids.push(graph.at(&place));
        }
        graph.link(ids[0], Move::point(1), ids[1]);
        for (at, &child) in ids[2..].iter().enumerate() {
            graph.link(ids[1], Move::point(at), child);
        }
        (graph, ids)
    }

    fn value(graph: &mut Graph, id: usize, value: f64) {
        graph.nodes[id].state = State::Valued;
        graph.nodes[id].spare = Some((Move::point(9), value));
        graph.back_up(id);
    }

    #[test]
    fn values_are_backed_up_by_the_best_move_of_each_side() {
        let (mut graph, ids) = graph();
        // Black's, after White's replies.
        value(&mut graph, ids[2], 0.6);
        value(&mut graph, ids[3], 0.3);
        value(&mut graph, ids[4], 0.8);
        // White takes the reply that leaves Black 0.3, and the start is Black's again.
        assert_eq!(graph.nodes[ids[1]].value, 0.7);
        assert!((graph.nodes[ids[0]].value - 0.3).abs() < 1e-12);
        // A move outside the book that is better counts as well.
        graph.nodes[ids[1]].spare = Some((Move::point(20), 0.9));
        graph.back_up(ids[1]);
        assert!((graph.nodes[ids[0]].value - 0.1).abs() < 1e-12);
    }

    #[test]
    fn games_alone_are_worth_their_points_and_half_a_point_more() {
        let (mut graph, ids) = graph();
        let node = &mut graph.nodes[ids[2]];
        (node.games, node.points) = (3, 2);
        // (2 + 1) / (2 * 4)
        assert_eq!(graph.backed_up(ids[2]), 0.375);
    }

    #[test]
    fn certain_ends_are_ordered_by_their_margin() {
        let values = [-128, -2, 0, 2, 128].map(|margin| of_margin(margin, 128));
        assert!(values.is_sorted(), "{values:?}");
        assert_eq!((values[0], values[2], values[4]), (0.0, 0.5, 1.0));
        assert!((values[3] - (0.95 + 0.05 * 2.0 / 128.0)).abs() < 1e-12);
    }
}
