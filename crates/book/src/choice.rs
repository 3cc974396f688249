//! The position that a book looks into next: the one at the end of the cheapest path.
//!
//! A path costs something for each ply and something for what its moves lose; so good lines are followed deep
//! and bad ones not far. Costs are never below zero, so the cheapest path is found as Dijkstra finds it.
//!
//! # Source
//! Lincke 2000 (drop-out expansion: a ply costs 1, and the loss is weighed against it); Wu's opening books of
//! KataGo (least summed cost, with more for each move that was tried at a position).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::graph::{Graph, State};

/// Costs of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// For each ply, above 0.
    pub ply: f64,
    /// For a move that loses all of the value, 1; what loses less costs that part of it.
    pub loss: f64,
    /// At the end of the path, for each move that its position has in the book already.
    pub tried: f64,
}

impl Costs {
    /// Drop-out expansion: losing a twentieth of the value is worth one ply.
    pub const DROP_OUT: Costs = Costs { ply: 1.0, loss: 20.0, tried: 0.0 };
    /// Least cost: a ply is cheap, another move at the same position is not.
    pub const LEAST_COST: Costs = Costs { ply: 0.45, loss: 15.0, tried: 0.4 };
}

/// Search for the ends of the cheapest paths.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    /// Their costs.
    pub costs: Costs,
    /// Positions after more plies are left alone, count.
    pub plies_max: usize,
}

/// A cost as an order: costs are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cost(f64);

impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Cost) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Cost) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A step of the search for the cheapest: a position that is reached, or one that is looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Reach(usize),
    Take(usize),
}

impl Paths {
    /// The path from the start to the position to look into next, at its end; nothing where none is left.
    ///
    /// - `busy`: positions that somebody looks into.
    pub fn cheapest(&self, graph: &Graph, busy: &HashSet<usize>) -> Option<Vec<usize>> {
        let is_free = |id: &usize| self.may_take(graph, *id) && !busy.contains(id);
        let wanted = (0..graph.nodes.len()).filter(|&id| graph.nodes[id].wanted > 0);
        if let Some(id) = wanted.filter(is_free).max_by_key(|&id| graph.nodes[id].wanted) {
            return Some(vec![id]);
        }
        let mut heap = BinaryHeap::from([Reverse((Cost(0.0), Step::Reach(0)))]);
        // Each position that was reached, and from where.
        let mut reached: HashMap<usize, Option<usize>> = HashMap::new();
        let mut from: HashMap<usize, (Cost, usize)> = HashMap::new();
        while let Some(Reverse((Cost(cost), step))) = heap.pop() {
            let id = match step {
                Step::Take(id) => return Some(path(&reached, id)),
                Step::Reach(id) => id,
            };
            if reached.contains_key(&id) {
                continue;
            }
            reached.insert(id, from.get(&id).map(|&(_, parent)| parent));
            if is_free(&id) {
                let more = self.cost_of_taking(graph, id);
                heap.push(Reverse((Cost(cost + more), Step::Take(id))));
            }
            let node = &graph.nodes[id];
            for edge in &node.edges {
                let loss = (node.value - graph.value_of(id, edge)).max(0.0);
                let next = Cost(cost + self.costs.ply + self.costs.loss * loss);
                if from.get(&edge.child).is_none_or(|&(known, _)| next < known) {
                    from.insert(edge.child, (next, id));
                    heap.push(Reverse((next, Step::Reach(edge.child))));
                }
            }
        }
        None
    }

    fn may_take(&self, graph: &Graph, id: usize) -> bool {
        let node = &graph.nodes[id];
        match node.state {
            // The last moves that were tried are valued too, and what is wanted, however far.
            State::Waiting => node.wanted > 0 || node.line.len() <= self.plies_max,
            State::Valued => node.spare.is_some() && node.line.len() < self.plies_max,
            State::Proven => false,
        }
    }

    /// Cost of looking into a position beyond that of reaching it: to be valued nothing, and then as much as
    /// its best move outside the book.
    fn cost_of_taking(&self, graph: &Graph, id: usize) -> f64 {
        let node = &graph.nodes[id];
        let spare = node.spare.filter(|_| node.state == State::Valued);
        spare.map_or(0.0, |(_, value)| {
            let loss = (node.value - value).max(0.0);
            self.costs.ply + self.costs.loss * loss + self.costs.tried * node.edges.len() as f64
        })
    }
}

fn path(reached: &HashMap<usize, Option<usize>>, last: usize) -> Vec<usize> {
    let mut path = vec![last];
    while let Some(&Some(before)) = path.last().and_then(|last| reached.get(last)) {
        path.push(before);
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use banyan_games::{Color, Move};

    use super::*;
    use crate::graph::Node;

    fn node(graph: &mut Graph, plies: usize, value: f64) -> usize {
        let key = vec![graph.nodes.len() as u8];
        graph.push(Node {
            key,
            side: [Color::Black, Color::White][plies % 2],
            line: vec![Move::point(0); plies],
            state: State::Valued,
            spare: Some((Move::point(0), value)),
            value,
            visits: 1,
            games: 0,
            points: 0,
            wanted: 0,
            edges: Vec::new(),
            parents: Vec::new(),
        })
    }

    /// A start of value 0.5 whose best move leads to one end, and one that loses `loss` to another.
    fn fork(loss: f64) -> Graph {
        let mut graph = Graph::default();
        node(&mut graph, 0, 0.5);
        graph.nodes[0].spare = None;
        let (good, bad) = (node(&mut graph, 1, 0.5), node(&mut graph, 1, 0.5 + loss));
        let deep = node(&mut graph, 2, 0.5);
        graph.nodes[good].spare = None;
        graph.link(0, Move::point(1), good);
        graph.link(0, Move::point(2), bad);
        graph.link(good, Move::point(1), deep);
        graph
    }

    fn next(graph: &Graph, costs: Costs, busy: &[usize]) -> Option<Vec<usize>> {
        let busy = busy.iter().copied().collect();
        Paths { costs, plies_max: 9 }.cheapest(graph, &busy)
    }

    #[test]
    fn a_move_that_loses_less_than_a_ply_is_worth_is_looked_into_before_a_deeper_one() {
        // 1 + 20 * 0.04 + 1 against 2 + 1, and 1 + 20 * 0.06 + 1.
        assert_eq!(next(&fork(0.04), Costs::DROP_OUT, &[]), Some(vec![0, 2]));
        assert_eq!(next(&fork(0.06), Costs::DROP_OUT, &[]), Some(vec![0, 1, 3]));
        // 0.45 + 15 * 0.04 + 0.45 against 3 * 0.45.
        assert_eq!(next(&fork(0.04), Costs::LEAST_COST, &[]), Some(vec![0, 1, 3]));
    }

    #[test]
    fn what_somebody_looks_into_is_left_to_him_and_what_is_wanted_comes_first() {
        let mut graph = fork(0.06);
        assert_eq!(next(&graph, Costs::DROP_OUT, &[3]), Some(vec![0, 2]));
        assert_eq!(next(&graph, Costs::DROP_OUT, &[2, 3]), None);
        graph.nodes[2].wanted = 1;
        assert_eq!(next(&graph, Costs::DROP_OUT, &[]), Some(vec![2]));
    }

    #[test]
    fn moves_that_were_tried_make_another_one_dear() {
        let mut graph = fork(0.3);
        graph.nodes[0].spare = Some((Move::point(7), 0.45));
        // 0.45 + 15 * 0.05 + 2 * 0.4 against 3 * 0.45.
        assert_eq!(next(&graph, Costs::LEAST_COST, &[]), Some(vec![0, 1, 3]));
        let cheap = Costs { tried: 0.0, ..Costs::LEAST_COST };
        assert_eq!(next(&graph, cheap, &[]), Some(vec![0]));
    }

    #[test]
    fn nothing_is_left_where_all_is_proven_or_too_deep() {
        let mut graph = fork(0.1);
        for node in &mut graph.nodes {
            node.state = State::Proven;
        }
        assert_eq!(next(&graph, Costs::DROP_OUT, &[]), None);
        let paths = Paths { costs: Costs::DROP_OUT, plies_max: 0 };
        assert_eq!(paths.cheapest(&fork(0.1), &HashSet::new()), None);
    }

    #[test]
    fn what_games_left_unjudged_too_deep_is_left_alone_unless_it_is_wanted() {
        let mut graph = fork(0.1);
        for node in &mut graph.nodes {
            node.state = State::Waiting;
        }
        let waiting: HashSet<usize> = [0, 1, 2].into();
        let next = |graph: &Graph, plies_max| {
            Paths { costs: Costs::DROP_OUT, plies_max }.cheapest(graph, &waiting)
        };
        assert_eq!(next(&graph, 1), None);
        assert_eq!(next(&graph, 2), Some(vec![0, 1, 3]));
        graph.nodes[3].wanted = 1;
        assert_eq!(next(&graph, 1), Some(vec![3]));
    }
}
