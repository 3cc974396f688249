//! The fewest stones that join a side's edges, if the opponent passed: A*.
//!
//! The search goes from point to point, best first by what is behind it and a lower bound of what is before it. A
//! cheaper way to a point that was reached before replaces what was known of it, and of what comes after.
//!
//! # Source
//! S7; Hart, Nilsson & Raphael 1968.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::lines::{Lines, Point, points};

/// A point to go on from: the stones up to it with the lower bound of those beyond, its line (the furthest first
/// among equals), its place, and the stones up to it.
type Reach = Reverse<(u16, Reverse<usize>, usize, u16)>;

/// The empty points of a shortest way from the first edge to the last, in order; none where the opponent has cut
/// all ways.
pub(super) fn shortest(lines: &Lines) -> Option<Vec<Point>> {
    let side = lines.side;
    let bound = lower_bounds(lines);
    let ends = lines.at_edge(1);
    let mut best = vec![u16::MAX; side * side];
    let mut came_from: Vec<Option<Point>> = vec![None; side * side];
    let mut open = BinaryHeap::new();
    let mut reach = |open: &mut BinaryHeap<Reach>, (line, bit): Point, stones: u16, from| {
        let known = &mut best[line * side + bit];
        if stones < *known {
            *known = stones;
            came_from[line * side + bit] = from;
            open.push(Reverse((stones + bound[line], Reverse(line), bit, stones)));
        }
    };
    for (line, &starts) in lines.at_edge(0)[..side].iter().enumerate() {
        points(starts).for_each(|bit| reach(&mut open, (line, bit), 1, None));
    }
    let mut end = None;
    while let Some(Reverse((_, Reverse(line), bit, stones))) = open.pop() {
        if ends[line] >> bit & 1 == 1 {
            end = Some((line, bit));
            break;
        }
        for (line_of, &near) in lines.next_to((line, bit))[..side].iter().enumerate() {
            points(near).for_each(|bit_of| {
                reach(&mut open, (line_of, bit_of), stones + 1, Some((line, bit)))
            });
        }
    }
    let mut way: Vec<Point> =
        std::iter::successors(end, |&(line, bit)| came_from[line * side + bit]).collect();
    way.reverse();
    (!way.is_empty()).then_some(way)
}

/// By line, how many stones are needed beyond a point there at least: one for each line further on in which there
/// is no stone of the side's own.
fn lower_bounds(lines: &Lines) -> Vec<u16> {
    let mut bounds = vec![0; lines.side];
    for line in (1..lines.side).rev() {
        bounds[line - 1] = bounds[line] + u16::from(lines.own[line] == 0);
    }
    bounds
}

#[cfg(test)]
mod tests {
    use banyan_games::hex::{Hex, HexRules};
    use banyan_games::{Color, Game as _, Rng};

    use super::super::lines::tests::drawn;
    use super::*;

    #[test]
    fn a_way_is_as_long_as_the_stones_that_are_missing() {
        let way = |drawing| shortest(&Lines::of(&drawn(drawing), Color::Black));
        assert_eq!(way("... ... ...").map(|way| way.len()), Some(3));
        assert_eq!(way("... .X. ...").map(|way| way.len()), Some(2));
        assert_eq!(way("... OOO ..."), None);
        // Around White's wall: a1 and a2, then X and the edge.
        assert_eq!(way(".... .OOO X... X..."), Some(vec![(0, 0), (1, 0)]));
    }

    /// Plain breadth first.
    fn slow(lines: &Lines) -> Option<usize> {
        let side = lines.side;
        let mut reached = lines.at_edge(0);
        let ends = lines.at_edge(1);
        for stones in 1..=side * side {
            if (0..side).any(|line| reached[line] & ends[line] != 0) {
                return Some(stones);
            }
            let before = reached;
            for (line, &before) in before[..side].iter().enumerate() {
                for bit in points(before) {
                    let near = lines.next_to((line, bit));
                    (0..side).for_each(|line| reached[line] |= near[line]);
                }
            }
        }
        None
    }

    #[test]
    fn the_way_is_a_shortest_one_and_joins_the_edges() {
        let mut rng = Rng::from_seed(11);
        let mut cut = 0;
        for side in [3, 4, 6, 9, 11].repeat(20) {
            let mut position = Hex::new(&HexRules::new(side).expect("a size"));
            for _ in 0..rng.below(side * side) {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let mut next = position.clone();
                next.play(moves[rng.below(moves.len() as u32) as usize]);
                if next.outcome().is_some() {
                    break;
                }
                position = next;
            }
            for color in Color::BOTH {
                let lines = Lines::of(&position, color);
                let way = shortest(&lines);
                assert_eq!(way.as_ref().map(Vec::len), slow(&lines), "{color} {position:?}");
                let Some(way) = way else {
                    cut += 1;
                    continue;
                };
                let mut stones: Vec<_> = (0..(side * side) as usize)
                    .map(banyan_games::Move::point)
                    .filter_map(|mv| Some((position.stone(mv)?, mv)))
                    .collect();
                stones.extend(way.iter().map(|&at| (color, lines.move_at(at))));
                let mut joined = Hex::new(position.rules());
                joined.set_up(&stones, Color::Black).expect("free points");
                let winner = joined.outcome().and_then(banyan_games::Outcome::winner);
                assert_eq!(winner, Some(color), "{position:?}");
            }
        }
        assert_eq!(cut, 0, "while nobody has won, nobody is cut off");
    }
}
