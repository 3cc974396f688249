//! Two-distances: how far an empty point is from an edge where the opponent may always take the nearest way.
//!
//! A point at the edge is 1 away from it; any other is one further than the second nearest of the points that it
//! is next to. Points are settled best first, in order of their distance, each by the second of its neighbours.
//!
//! # Source
//! van Rijswijck 2002 (Queenbee).

use super::lines::{EMPTY, Lines, Point, Set, points};

/// The distances of all empty points from one edge; [`FAR`] where there is no way.
pub(super) struct Distances {
    side: usize,
    by_point: Vec<u16>,
}

/// No way.
pub(super) const FAR: u16 = u16::MAX;

impl Distances {
    /// From the first edge (0) or the last (1).
    pub fn from_edge(lines: &Lines, edge: usize) -> Distances {
        let side = lines.side;
        let mut distances = Distances { side, by_point: vec![FAR; side * side] };
        let mut is_met = EMPTY;
        let mut settled = each(&lines.at_edge(edge), side);
        let mut open = lines.empty;
        let mut distance = 0;
        while !settled.is_empty() {
            distance += 1;
            for &(line, bit) in &settled {
                distances.by_point[line * side + bit] = distance;
                open[line] &= !(1 << bit);
            }
            settled = further(lines, &settled, (&mut open, &mut is_met));
        }
        distances
    }

    /// The distance of a point.
    pub fn of(&self, (line, bit): Point) -> u16 {
        self.by_point[line * self.side + bit]
    }
}

/// The open points that have their second neighbour among those that were settled.
fn further(lines: &Lines, settled: &[Point], (open, is_met): (&mut Set, &mut Set)) -> Vec<Point> {
    let mut second = EMPTY;
    for &at in settled {
        let near = lines.next_to(at);
        for line in 0..lines.side {
            let near = near[line] & open[line];
            second[line] |= near & is_met[line];
            is_met[line] |= near;
        }
    }
    each(&second, lines.side)
}

fn each(set: &Set, side: usize) -> Vec<Point> {
    (0..side).flat_map(|line| points(set[line]).map(move |bit| (line, bit))).collect()
}

/// The least potential of a side, and how many points have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Potential {
    /// The sum of both two-distances of a point, the least there is; [`FAR`] where no point has one.
    pub least: u16,
    /// Points that have it: the ways to attack.
    pub points: u16,
}

/// The two-distances of a position, as one side sees it.
pub(super) struct TwoDistances {
    edges: [Distances; 2],
}

impl TwoDistances {
    /// From both edges.
    pub fn of(lines: &Lines) -> TwoDistances {
        TwoDistances { edges: [0, 1].map(|edge| Distances::from_edge(lines, edge)) }
    }

    /// The sum for an empty point; [`FAR`] where one edge is out of reach.
    pub fn potential(&self, at: Point) -> u16 {
        let [first, last] = [0, 1].map(|edge: usize| self.edges[edge].of(at));
        first.saturating_add(last)
    }

    /// The least, over all empty points.
    pub fn least(&self, lines: &Lines) -> Potential {
        let mut potential = Potential { least: FAR, points: 0 };
        for at in each(&lines.empty, lines.side) {
            let own = self.potential(at);
            if own < potential.least {
                potential = Potential { least: own, points: 0 };
            }
            potential.points += u16::from(own == potential.least && own != FAR);
        }
        potential
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::hex::{Hex, HexRules};
    use banyan_games::{Color, Game as _, Rng};

    use super::super::lines::tests::drawn;
    use super::*;

    #[test]
    fn distances_on_an_empty_board_by_hand() {
        let lines = Lines::of(&drawn("... ... ..."), Color::Black);
        let distances = Distances::from_edge(&lines, 0);
        let of = |line| [0, 1, 2].map(|bit| distances.of((line, bit)));
        assert_eq!(of(0), [1, 1, 1]);
        // a2 is below a1 and b1; c2 is below c1 alone, so that its second is b2.
        assert_eq!(of(1), [2, 2, 3]);
        assert_eq!(of(2), [3, 4, 5]);
        // Half a turn exchanges the edges: c1, b2 and a3 have 1 + 3, 2 + 2 and 3 + 1.
        let least = TwoDistances::of(&lines).least(&lines);
        assert_eq!(least, Potential { least: 4, points: 3 });
    }

    #[test]
    fn a_stone_brings_the_points_around_it_near() {
        let lines = Lines::of(&drawn("... .X. ..."), Color::Black);
        let least = TwoDistances::of(&lines).least(&lines);
        // b1 and c1 touch the stone, and so do a3 and b3: 1 + 2.
        assert_eq!(least, Potential { least: 3, points: 4 });
    }

    #[test]
    fn who_is_cut_off_has_no_potential() {
        let lines = Lines::of(&drawn("... OOO ..."), Color::Black);
        let least = TwoDistances::of(&lines).least(&lines);
        assert_eq!(least, Potential { least: FAR, points: 0 });
    }

    /// The definition: one more than the second least of the neighbours, until nothing changes.
    fn slow(lines: &Lines, edge: usize) -> Vec<u16> {
        let side = lines.side;
        let at_edge = lines.at_edge(edge);
        let mut distances = vec![FAR; side * side];
        loop {
            let mut has_changed = false;
            for (line, bit) in each(&lines.empty, side) {
                let near = lines.next_to((line, bit));
                let mut of: Vec<u16> = each(&near, side)
                    .iter()
                    .map(|&(line, bit)| distances[line * side + bit])
                    .collect();
                of.sort();
                let second = of.get(1).copied().unwrap_or(FAR).saturating_add(1);
                let own = if at_edge[line] >> bit & 1 == 1 { 1 } else { second };
                if own < distances[line * side + bit] {
                    distances[line * side + bit] = own;
                    has_changed = true;
                }
            }
            if !has_changed {
                return distances;
            }
        }
    }

    #[test]
    fn best_first_is_what_the_definition_says() {
        let mut rng = Rng::from_seed(4);
        for side in [3, 5, 8, 11].repeat(10) {
            let mut position = Hex::new(&HexRules::new(side).expect("a size"));
            for _ in 0..rng.below(side * side / 2) {
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
                for edge in 0..2 {
                    let fast = Distances::from_edge(&lines, edge);
                    assert_eq!(fast.by_point, slow(&lines, edge), "{color} {edge} {position:?}");
                }
            }
        }
    }
}
