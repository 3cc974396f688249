//! The evaluation by shapes, kept up to date stone by stone.

use crate::evaluation::{Accumulator, Ranked};
use crate::line::lines::WAYS;
use crate::line::surroundings::{Follower, Surroundings};
use banyan_games::game::Game as _;
use banyan_games::line::LineRules as _;
use banyan_games::types::Move;

use super::board::Eyes;
use super::shapes::{Crossing, Shape};
use super::value::{Sum, by_shapes, rank_by_shapes};
use super::weights::{Entry, Threat, Weights};
use banyan_games::gomoku::Gomoku;

/// Knowledge of an empty point near a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    /// By side and direction.
    shapes: [[Shape; WAYS]; 2],
    /// By side.
    crossings: [Crossing; 2],
}

/// Sums over all points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Totals {
    /// Values, by who is to move.
    sums: [i32; 2],
    /// Points by what they threaten, by side.
    threats: [[u16; Threat::COUNT]; 2],
    /// Points that make an open four and no five, by side.
    open_fours: [u16; 2],
}

/// What stones would make, point by point.
pub(super) struct ShapeSums<'a> {
    weights: &'a Weights,
    eyes: Eyes,
    points: Vec<Point>,
    totals: Totals,
    /// Before each ply: the sums, and how many changes there had been.
    plies: Vec<(Totals, usize)>,
    /// Points before they changed.
    changes: Vec<(u16, Point)>,
}

impl ShapeSums<'_> {
    #[inline(always)]
    fn count(&mut self, crossings: [Crossing; 2], is_there: bool) {
        let [black, white] = crossings.map(|crossing| self.weights.of(crossing));
        let worth =
            |own: &Entry, other: &Entry| i32::from(own.value[0]) + i32::from(other.value[1]);
        let worth = [worth(black, white), worth(white, black)];
        let totals = &mut self.totals;
        for (side, entry) in [black, white].into_iter().enumerate() {
            let is_open_four = crossings[side].strongest() == Shape::OpenFour;
            let (threats, fours) =
                (&mut totals.threats[side][entry.threat as usize], &mut totals.open_fours[side]);
            match is_there {
                true => {
                    totals.sums[side] += worth[side];
                    *threats += 1;
                    *fours += u16::from(is_open_four);
                }
                false => {
                    totals.sums[side] -= worth[side];
                    *threats -= 1;
                    *fours -= u16::from(is_open_four);
                }
            }
        }
    }

    fn best(&self, side: usize) -> Threat {
        let threats = &self.totals.threats[side];
        let best = threats.iter().rposition(|&points| points > 0);
        best.map_or(Threat::None, |best| Threat::ALL[best])
    }

    fn sum(&self, position: &Gomoku) -> Sum {
        let own = position.side_to_move().index();
        Sum {
            points: self.totals.sums[own],
            best: [self.best(own), self.best(1 - own)],
            fives: u32::from(self.totals.threats[1 - own][Threat::Five as usize]),
        }
    }
}

impl Follower for ShapeSums<'_> {
    fn meet(&mut self, index: usize, looks: [[u16; 2]; WAYS]) {
        let shapes = self.eyes.shapes(looks);
        let crossings = self.eyes.crossings(shapes);
        self.points[index] = Point { shapes, crossings };
        self.count(crossings, true);
    }

    fn leave(&mut self, index: usize) {
        self.count(self.points[index].crossings, false);
    }

    #[inline(always)]
    fn change(&mut self, index: usize, way: usize, looks: [u16; 2]) {
        let shapes = self.eyes.shapes_in(looks);
        let point = self.points[index];
        if [0, 1].map(|side| point.shapes[side][way]) == shapes {
            return;
        }
        self.changes.push((index as u16, point));
        let mut now = point;
        for (side, shape) in shapes.into_iter().enumerate() {
            now.shapes[side][way] = shape;
        }
        now.crossings = self.eyes.crossings(now.shapes);
        self.points[index] = now;
        self.count(point.crossings, false);
        self.count(now.crossings, true);
    }

    fn begin(&mut self) {
        self.plies.push((self.totals, self.changes.len()));
    }

    fn take_back(&mut self) {
        let Some((totals, changes)) = self.plies.pop() else { return };
        self.totals = totals;
        for (index, point) in self.changes.drain(changes..) {
            self.points[usize::from(index)] = point;
        }
    }
}

/// A position near the root, and the way to it; somebody else may follow.
pub(super) struct ByShapes<'a, F = ()>(Surroundings<(ShapeSums<'a>, F)>);

impl<'a> ByShapes<'a> {
    pub fn of(weights: &'a Weights, position: &Gomoku) -> ByShapes<'a> {
        ByShapes::followed(weights, (), position)
    }
}

impl<'a, F: Follower> ByShapes<'a, F> {
    /// The same, with somebody who follows.
    pub fn followed(weights: &'a Weights, follower: F, position: &Gomoku) -> ByShapes<'a, F> {
        let dead = Point { shapes: [[Shape::Dead; WAYS]; 2], crossings: [Crossing::DEAD; 2] };
        let sums = ShapeSums {
            weights,
            eyes: Eyes::of(position),
            points: vec![dead; position.size().area()],
            totals: Totals { sums: [0; 2], threats: [[0; Threat::COUNT]; 2], open_fours: [0; 2] },
            plies: Vec::new(),
            changes: Vec::new(),
        };
        ByShapes(Surroundings::of((sums, follower), position))
    }

    fn sums(&self) -> &ShapeSums<'a> {
        &self.0.follower.0
    }

    /// Who follows.
    pub fn follower(&self) -> &F {
        &self.0.follower.1
    }

    /// Appends the legal points whose strongest shapes, the side to move's and the other's, are such.
    fn push(
        &self,
        position: &Gomoku,
        moves: &mut Vec<Move>,
        is_wanted: impl Fn(Shape, Shape) -> bool,
    ) {
        let side = position.side_to_move().index();
        let points = &self.sums().points;
        self.0.each_near(|index| {
            let [mine, other] =
                [side, 1 - side].map(|side| points[index].crossings[side].strongest());
            let mv = Move::point(index);
            if is_wanted(mine, other) && position.is_legal(mv) {
                moves.push(mv);
            }
        });
    }
}

impl<F: Follower> Accumulator<Gomoku> for ByShapes<'_, F> {
    fn play(&mut self, position: &Gomoku, mv: Move) {
        self.0.play(position.side_to_move(), mv);
    }

    fn take_back(&mut self) {
        self.0.take_back();
    }

    fn value(&mut self, position: &Gomoku) -> i32 {
        self.0.catch_up();
        let sums = self.sums();
        if self.0.stones() == 0 {
            return by_shapes(sums.weights, position);
        }
        sums.sum(position).value(sums.weights)
    }

    fn rank(&mut self, position: &Gomoku, moves: &mut [Ranked]) {
        self.0.catch_up();
        let sums = self.sums();
        if self.0.stones() == 0 {
            return rank_by_shapes(sums.weights, position, moves);
        }
        let (own, width) = (position.side_to_move().index(), usize::from(position.size().width));
        for Ranked { mv, rank } in moves {
            let index = usize::from(mv.0);
            let at = (index / width, index % width);
            let crossings = match self.0.is_near(at) {
                true => sums.points[index].crossings,
                false => sums.eyes.crossings(sums.eyes.shapes(self.0.looks(at))),
            };
            *rank = sums.weights.rank(crossings, own);
        }
    }

    /// Returns the value where nobody has a five to make; else appends the fives, those of the side to move if it
    /// has any.
    fn quiescence_value(&mut self, position: &Gomoku, moves: &mut Vec<Move>) -> Option<i32> {
        self.0.catch_up();
        let sums = self.sums();
        if self.0.stones() == 0 {
            return Some(by_shapes(sums.weights, position));
        }
        let before = moves.len();
        let sum = sums.sum(position);
        match sum.best {
            [Threat::Five, _] => self.push(position, moves, |own, _| own == Shape::Five),
            [_, Threat::Five] => self.push(position, moves, |_, other| other == Shape::Five),
            _ => {}
        }
        (moves.len() == before).then(|| sum.at_rest(sums.weights))
    }

    /// A five or an open four where that wins; else what stops the other side's, and own fours where it
    /// has only an open four to come.
    fn forced(&mut self, position: &Gomoku, moves: &mut Vec<Move>) {
        self.0.catch_up();
        let (own, sums) = (position.side_to_move().index(), self.sums());
        let [own_fours, other_fours] = [own, 1 - own].map(|side| sums.totals.open_fours[side] > 0);
        let before = moves.len();
        match [sums.best(own), sums.best(1 - own)] {
            [Threat::Five, _] => {
                self.push(position, moves, |own, _| own == Shape::Five);
                moves.truncate(before + 1);
            }
            [_, Threat::Five] => self.push(position, moves, |_, other| other == Shape::Five),
            _ if own_fours => {
                self.push(position, moves, |own, _| own == Shape::OpenFour);
                moves.truncate(before + 1);
            }
            // Black of Renju might be forbidden to make it, by a stone elsewhere.
            _ if other_fours && !position.rules().forbids_points() => {
                self.push(position, moves, |own, other| own.max(other) >= Shape::ShutFour);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::windows::urgent;
    use crate::line::wander::{any, wander};
    use banyan_games::gomoku::{GomokuRules, Variant};
    use banyan_games::rng::Rng;
    use banyan_games::types::Color;

    fn position((black, white): (&str, &str), side: Color) -> Gomoku {
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        Gomoku::with_stones(&rules, [black, white], side).expect("free points")
    }

    fn candidates(position: &Gomoku) -> Vec<Move> {
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        moves
    }

    /// Down random lines and back up again, now and then without a question on the way.
    #[test]
    fn an_accumulator_says_what_is_found_afresh() {
        let mut rng = Rng::from_seed(12);
        for variant in Variant::ALL {
            for (width, height) in [(15, 15), (9, 6), (5, 25), (25, 25)] {
                let rules = GomokuRules::new(width, height, variant).expect("a size");
                let root = Gomoku::new(&rules);
                for _ in 0..6 {
                    let accumulator = ByShapes::of(Weights::learned(), &root);
                    wander((&root, accumulator), (150, &mut rng), any, agrees);
                }
            }
        }
    }

    fn agrees(accumulator: &mut ByShapes<'_>, position: &Gomoku) -> usize {
        let mut afresh = ByShapes::of(Weights::learned(), position);
        assert_eq!(
            accumulator.value(position),
            by_shapes(Weights::learned(), position),
            "{position:?}"
        );
        assert_eq!(afresh.sums().totals, accumulator.sums().totals, "{position:?}");
        let mut ranks = [(); 2]
            .map(|()| candidates(position).into_iter().map(Ranked::new).collect::<Vec<Ranked>>());
        accumulator.rank(position, &mut ranks[0]);
        rank_by_shapes(Weights::learned(), position, &mut ranks[1]);
        assert_eq!(ranks[0], ranks[1], "{position:?}");
        let [mut own, mut other] = [Vec::new(), Vec::new()];
        let (at_rest, expected) = (
            accumulator.quiescence_value(position, &mut own),
            afresh.quiescence_value(position, &mut other),
        );
        assert_eq!((at_rest, &own), (expected, &other), "{position:?}");
        accumulator.forced(position, &mut own);
        afresh.forced(position, &mut other);
        assert_eq!(own, other, "{position:?}");
        1
    }

    #[test]
    fn shapes_at_rest_are_the_value_and_else_the_fives() {
        let mut moves = Vec::new();
        for stones in [("f8 g8 h8", "a1 c1"), ("h8", "i9"), ("f8 g8 h8 e9", "e8 e7 e6")] {
            for side in Color::BOTH {
                let position = position(stones, side);
                let value = ByShapes::of(Weights::learned(), &position)
                    .quiescence_value(&position, &mut moves);
                assert_eq!(
                    (value, moves.len()),
                    (Some(by_shapes(Weights::learned(), &position)), 0)
                );
            }
        }
        for (black, white) in [("f8 g8 h8 i8", "e8 a1 a2 a3 a4"), ("f8 g8 h8 i8", "a1 c1 e2")] {
            for side in Color::BOTH {
                let position = position((black, white), side);
                let mut expected = Vec::new();
                urgent(&position, &mut expected);
                moves.clear();
                let value = ByShapes::of(Weights::learned(), &position)
                    .quiescence_value(&position, &mut moves);
                assert_eq!(value, None);
                moves.sort();
                assert_eq!(moves, expected);
            }
        }
    }

    #[test]
    fn an_open_three_forces_what_stops_its_four_and_own_fours() {
        let forced = |stones, side| {
            let position = position(stones, side);
            let mut moves = Vec::new();
            ByShapes::of(Weights::learned(), &position).forced(&position, &mut moves);
            let mut names: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
            names.sort();
            names.join(" ")
        };
        let three = ("g8 h8 i8", "a1 c1 d1");
        assert_eq!(forced(three, Color::White), "b1 e1 e8 f8 j8 k8");
        assert_eq!(forced(three, Color::Black), "f8", "an open four wins, and one is enough");
        assert_eq!(forced(("g8 h8 i8 j8", "f8 a1"), Color::White), "k8");
        assert_eq!(forced(("g8 h8", "a1"), Color::White), "");
    }
}
