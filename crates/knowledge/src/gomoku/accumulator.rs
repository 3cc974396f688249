//! The evaluation by shapes, kept up to date stone by stone.
//!
//! A stone changes what others would make within five points on its four lines, and no more. Moves are only
//! noted when they are played: a search often takes one back before anything is asked.

use crate::evaluation::{Accumulator, Ranked};
use crate::line::lines::{SIGHT, STEPS, WAYS, each_bit};
use banyan_games::game::Game as _;
use banyan_games::line::{LineRules as _, REACH};
use banyan_games::types::{Color, Move, Size};

use super::board::Board;
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

/// Whoever follows what stands around the empty points near a stone, point by point.
pub(super) trait Follower {
    /// A point is near from now on: what stands around it on each line, see [`Board::looks`].
    fn meet(&mut self, index: usize, looks: [[u16; 2]; WAYS]);
    /// A point that was near is taken.
    fn leave(&mut self, index: usize);
    /// What stands around a point that is near is something else now, on one line.
    fn change(&mut self, index: usize, way: usize, looks: [u16; 2]);
    /// A ply begins.
    fn begin(&mut self);
    /// The last ply that was begun is taken back, with all that was said since.
    fn take_back(&mut self);
}

/// Nobody follows.
impl Follower for () {
    fn meet(&mut self, _: usize, _: [[u16; 2]; WAYS]) {}

    fn leave(&mut self, _: usize) {}

    fn change(&mut self, _: usize, _: usize, _: [u16; 2]) {}

    fn begin(&mut self) {}

    fn take_back(&mut self) {}
}

/// A move since the root.
struct Ply {
    color: Color,
    at: (usize, usize),
    /// Before the move.
    totals: Totals,
    /// The changes that were logged before it.
    changes: usize,
}

/// A position near the root, and the way to it.
pub(super) struct ByShapes<'a, F = ()> {
    pub(super) follower: F,
    weights: &'a Weights,
    board: Board,
    size: Size,
    /// Stones within reach of each point, by index.
    near: Vec<u8>,
    points: Vec<Point>,
    totals: Totals,
    stones: usize,
    plies: Vec<Ply>,
    /// The moves that the board has; later ones are only noted.
    applied: usize,
    changes: Vec<(u16, Point)>,
}

impl<'a> ByShapes<'a> {
    pub fn of(weights: &'a Weights, position: &Gomoku) -> ByShapes<'a> {
        ByShapes::followed(weights, (), position)
    }
}

impl<'a, F: Follower> ByShapes<'a, F> {
    /// The same, with somebody who follows.
    pub fn followed(weights: &'a Weights, follower: F, position: &Gomoku) -> ByShapes<'a, F> {
        let size = position.size();
        let dead = Point { shapes: [[Shape::Dead; WAYS]; 2], crossings: [Crossing::DEAD; 2] };
        let totals = Totals { sums: [0; 2], threats: [[0; Threat::COUNT]; 2], open_fours: [0; 2] };
        let mut own = ByShapes {
            follower,
            weights,
            board: Board::of(position),
            size,
            near: vec![0; size.area()],
            points: vec![dead; size.area()],
            totals,
            stones: 0,
            plies: Vec::new(),
            applied: 0,
            changes: Vec::new(),
        };
        for color in Color::BOTH {
            for (row, &stones) in position.rows(color).iter().enumerate() {
                each_bit(stones, |column| {
                    own.stones += 1;
                    own.each_in_reach((row, column), |own, index, _| own.near[index] += 1);
                });
            }
        }
        if own.stones == 0 {
            // Points in the middle count as near then, until there is a stone.
            own.board.near.fill(0);
        }
        own.each_near(|own, at| own.meet(at));
        own
    }

    fn index(&self, (row, column): (usize, usize)) -> usize {
        row * usize::from(self.size.width) + column
    }

    /// Points from which the middle one is near, and itself.
    #[inline(always)]
    fn each_in_reach(
        &mut self,
        (row, column): (usize, usize),
        mut visit: impl FnMut(&mut ByShapes<'a, F>, usize, (usize, usize)),
    ) {
        let (width, height) = (usize::from(self.size.width), usize::from(self.size.height));
        let from_to = |at: usize, side: usize| at.saturating_sub(REACH)..(at + REACH + 1).min(side);
        for row in from_to(row, height) {
            for column in from_to(column, width) {
                visit(self, row * width + column, (row, column));
            }
        }
    }

    #[inline(always)]
    fn each_near(&mut self, mut visit: impl FnMut(&mut ByShapes<'a, F>, (usize, usize))) {
        for row in 0..usize::from(self.size.height) {
            each_bit(self.board.near[row], |column| visit(self, (row, column)));
        }
    }

    fn is_near(&self, (row, column): (usize, usize)) -> bool {
        self.board.near[row] >> column & 1 == 1
    }

    /// Counts a point that is near from now on.
    fn meet(&mut self, at: (usize, usize)) {
        let index = self.index(at);
        let looks = std::array::from_fn(|way| self.board.looks(way, at));
        let by_way = looks.map(|looks| self.board.shapes_in(looks));
        let shapes = [0, 1].map(|side| by_way.map(|shapes| shapes[side]));
        let crossings = self.board.crossings_of(shapes);
        self.points[index] = Point { shapes, crossings };
        self.count(crossings, true);
        self.follower.meet(index, looks);
    }

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

    /// Makes the moves that were only noted.
    fn catch_up(&mut self) {
        while self.applied < self.plies.len() {
            let Ply { color, at, .. } = self.plies[self.applied];
            let (totals, changes) = (self.totals, self.changes.len());
            self.plies[self.applied] = Ply { color, at, totals, changes };
            self.applied += 1;
            self.follower.begin();
            self.put(color, at);
        }
    }

    fn put(&mut self, color: Color, at: (usize, usize)) {
        if self.is_near(at) {
            self.count(self.points[self.index(at)].crossings, false);
            self.follower.leave(self.index(at));
            self.board.near[at.0] &= !(1 << at.1);
        }
        self.board.turn(color, at);
        self.stones += 1;
        for (way, (down, right)) in STEPS.into_iter().enumerate() {
            for n in 1..=SIGHT as isize {
                for n in [-n, n] {
                    self.look_again(way, (at.0 as isize + n * down, at.1 as isize + n * right));
                }
            }
        }
        self.each_in_reach(at, |own, index, near| {
            own.near[index] += 1;
            if own.near[index] == 1 && near != at {
                own.board.near[near.0] |= 1 << near.1;
                own.meet(near);
            }
        });
    }

    /// The same point may make another shape on one line now.
    #[inline(always)]
    fn look_again(&mut self, way: usize, (row, column): (isize, isize)) {
        let is_on = (0..isize::from(self.size.height)).contains(&row) && (0..32).contains(&column);
        // Nothing beyond the last column is near.
        if !is_on || !self.is_near((row as usize, column as usize)) {
            return;
        }
        let at = (row as usize, column as usize);
        let index = self.index(at);
        let looks = self.board.looks(way, at);
        self.follower.change(index, way, looks);
        let shapes = self.board.shapes_in(looks);
        let point = self.points[index];
        if [0, 1].map(|side| point.shapes[side][way]) == shapes {
            return;
        }
        self.changes.push((index as u16, point));
        let mut now = point;
        for (side, shape) in shapes.into_iter().enumerate() {
            now.shapes[side][way] = shape;
        }
        now.crossings = self.board.crossings_of(now.shapes);
        self.points[index] = now;
        self.count(point.crossings, false);
        self.count(now.crossings, true);
    }

    fn take(&mut self, Ply { color, at, totals, changes }: Ply) {
        self.each_in_reach(at, |own, index, near| {
            own.near[index] -= 1;
            if own.near[index] == 0 {
                own.board.near[near.0] &= !(1 << near.1);
            }
        });
        for (index, point) in self.changes.drain(changes..) {
            self.points[usize::from(index)] = point;
        }
        self.board.turn(color, at);
        self.stones -= 1;
        if self.near[self.index(at)] > 0 {
            self.board.near[at.0] |= 1 << at.1;
        }
        self.totals = totals;
        self.follower.take_back();
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

    /// Appends the legal points whose strongest shapes, the side to move's and the other's, are such.
    fn push(
        &mut self,
        position: &Gomoku,
        moves: &mut Vec<Move>,
        is_wanted: impl Fn(Shape, Shape) -> bool,
    ) {
        let side = position.side_to_move().index();
        self.each_near(|own, at| {
            let index = own.index(at);
            let [mine, other] =
                [side, 1 - side].map(|side| own.points[index].crossings[side].strongest());
            let mv = Move::point(index);
            if is_wanted(mine, other) && position.is_legal(mv) {
                moves.push(mv);
            }
        });
    }
}

impl<F: Follower> Accumulator<Gomoku> for ByShapes<'_, F> {
    fn play(&mut self, position: &Gomoku, mv: Move) {
        let width = usize::from(self.size.width);
        let at = (usize::from(mv.0) / width, usize::from(mv.0) % width);
        let color = position.side_to_move();
        self.plies.push(Ply { color, at, totals: self.totals, changes: 0 });
    }

    fn take_back(&mut self) {
        let Some(ply) = self.plies.pop() else { return };
        if self.applied > self.plies.len() {
            self.applied -= 1;
            self.take(ply);
        }
    }

    fn value(&mut self, position: &Gomoku) -> i32 {
        self.catch_up();
        if self.stones == 0 {
            return by_shapes(self.weights, position);
        }
        self.sum(position).value(self.weights)
    }

    fn rank(&mut self, position: &Gomoku, moves: &mut [Ranked]) {
        self.catch_up();
        if self.stones == 0 {
            return rank_by_shapes(self.weights, position, moves);
        }
        let (own, width) = (position.side_to_move().index(), usize::from(self.size.width));
        for Ranked { mv, rank } in moves {
            let index = usize::from(mv.0);
            let at = (index / width, index % width);
            let crossings = match self.is_near(at) {
                true => self.points[index].crossings,
                false => self.board.crossings(at.0, at.1),
            };
            *rank = self.weights.rank(crossings, own);
        }
    }

    /// Returns the value where nobody has a five to make; else appends the fives, those of the side to move if it
    /// has any.
    fn quiescence_value(&mut self, position: &Gomoku, moves: &mut Vec<Move>) -> Option<i32> {
        self.catch_up();
        if self.stones == 0 {
            return Some(by_shapes(self.weights, position));
        }
        let before = moves.len();
        let sum = self.sum(position);
        match sum.best {
            [Threat::Five, _] => self.push(position, moves, |own, _| own == Shape::Five),
            [_, Threat::Five] => self.push(position, moves, |_, other| other == Shape::Five),
            _ => {}
        }
        (moves.len() == before).then(|| sum.at_rest(self.weights))
    }

    /// A five or an open four where that wins; else what stops the other side's, and own fours where it
    /// has only an open four to come.
    fn forced(&mut self, position: &Gomoku, moves: &mut Vec<Move>) {
        self.catch_up();
        let own = position.side_to_move().index();
        let [own_fours, other_fours] = [own, 1 - own].map(|side| self.totals.open_fours[side] > 0);
        let before = moves.len();
        match [self.best(own), self.best(1 - own)] {
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
    use banyan_games::gomoku::{GomokuRules, Variant};
    use banyan_games::rng::Rng;

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
                for _ in 0..6 {
                    follow(&Gomoku::new(&rules), &mut rng);
                }
            }
        }
    }

    fn follow(root: &Gomoku, rng: &mut Rng) {
        let mut line = vec![root.clone()];
        let mut accumulator = ByShapes::of(Weights::learned(), root);
        for _ in 0..150 {
            let position = line.last().expect("the root at least");
            let moves = candidates(position);
            if line.len() > 1 && (moves.is_empty() || rng.below(3) == 0) {
                line.pop();
                accumulator.take_back();
            } else {
                let mv = moves[rng.below(moves.len() as u32) as usize];
                let mut next = position.clone();
                next.play(mv);
                if next.outcome().is_some() {
                    continue;
                }
                accumulator.play(position, mv);
                line.push(next);
            }
            if rng.below(2) == 0 {
                agrees(&mut accumulator, line.last().expect("a position"));
            }
        }
    }

    fn agrees(accumulator: &mut ByShapes<'_>, position: &Gomoku) {
        let mut afresh = ByShapes::of(Weights::learned(), position);
        assert_eq!(
            accumulator.value(position),
            by_shapes(Weights::learned(), position),
            "{position:?}"
        );
        assert_eq!(afresh.totals, accumulator.totals, "{position:?}");
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
