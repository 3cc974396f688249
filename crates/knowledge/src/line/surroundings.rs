//! What stands around the empty points near a stone, kept up to date stone by stone.
//!
//! A stone changes what is seen within five points on its four lines, and no more. Moves are only noted when they
//! are played: a search often takes one back before anything is asked.

use banyan_games::game::Game as _;
use banyan_games::line::{LineRules, Position, REACH};
use banyan_games::types::{Color, Move, Size};

use super::lines::{Lines, SIGHT, STEPS, WAYS, each_bit};

/// Whoever follows what stands around the empty points near a stone, point by point.
pub(crate) trait Follower {
    /// A point is near from now on: what stands around it on each line, see [`Lines::looks`].
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

/// Two follow.
impl<A: Follower, B: Follower> Follower for (A, B) {
    #[inline(always)]
    fn meet(&mut self, index: usize, looks: [[u16; 2]; WAYS]) {
        self.0.meet(index, looks);
        self.1.meet(index, looks);
    }

    #[inline(always)]
    fn leave(&mut self, index: usize) {
        self.0.leave(index);
        self.1.leave(index);
    }

    #[inline(always)]
    fn change(&mut self, index: usize, way: usize, looks: [u16; 2]) {
        self.0.change(index, way, looks);
        self.1.change(index, way, looks);
    }

    fn begin(&mut self) {
        self.0.begin();
        self.1.begin();
    }

    fn take_back(&mut self) {
        self.0.take_back();
        self.1.take_back();
    }
}

/// A point by row and column.
pub(crate) type At = (usize, usize);

/// A position near the root, the way to it, and who follows.
pub(crate) struct Surroundings<F> {
    pub follower: F,
    lines: Lines,
    size: Size,
    /// Stones within reach of each point, by index.
    reached: Vec<u8>,
    /// The empty points near a stone: a bit for each column of each row.
    near: [u32; Size::SIDE_MAX as usize],
    stones: usize,
    /// Moves since the root.
    plies: Vec<(Color, At)>,
    /// The moves that the lines have; later ones are only noted.
    applied: usize,
}

impl<F: Follower> Surroundings<F> {
    pub fn of<R: LineRules>(follower: F, position: &Position<R>) -> Surroundings<F> {
        let size = position.size();
        let mut own = Surroundings {
            follower,
            lines: Lines::of(position),
            size,
            reached: vec![0; size.area()],
            near: position.near_rows(),
            stones: 0,
            plies: Vec::new(),
            applied: 0,
        };
        for color in Color::BOTH {
            for (row, &stones) in position.rows(color).iter().enumerate() {
                each_bit(stones, |column| {
                    own.stones += 1;
                    own.each_in_reach((row, column), |own, index, _| own.reached[index] += 1);
                });
            }
        }
        if own.stones == 0 {
            // Points in the middle count as near then, until there is a stone.
            own.near.fill(0);
        }
        for row in 0..usize::from(size.height) {
            each_bit(own.near[row], |column| own.meet((row, column)));
        }
        own
    }

    /// Notes a move of a side.
    pub fn play(&mut self, color: Color, mv: Move) {
        let width = usize::from(self.size.width);
        self.plies.push((color, (usize::from(mv.0) / width, usize::from(mv.0) % width)));
    }

    /// Takes the last move back, if there is one.
    pub fn take_back(&mut self) {
        let Some((color, at)) = self.plies.pop() else { return };
        if self.applied > self.plies.len() {
            self.applied -= 1;
            self.take(color, at);
        }
    }

    /// Makes the moves that were only noted.
    pub fn catch_up(&mut self) {
        while self.applied < self.plies.len() {
            let (color, at) = self.plies[self.applied];
            self.applied += 1;
            self.follower.begin();
            self.put(color, at);
        }
    }

    /// Stones on the board, count.
    pub fn stones(&self) -> usize {
        self.stones
    }

    pub fn is_near(&self, (row, column): At) -> bool {
        self.near[row] >> column & 1 == 1
    }

    /// The empty points near a stone, in the order of their indices.
    #[inline(always)]
    pub fn each_near(&self, mut visit: impl FnMut(usize)) {
        for row in 0..usize::from(self.size.height) {
            each_bit(self.near[row], |column| visit(self.index((row, column))));
        }
    }

    /// What stands around a point on each of its lines.
    #[inline(always)]
    pub fn looks(&self, at: At) -> [[u16; 2]; WAYS] {
        std::array::from_fn(|way| self.lines.looks(way, at))
    }

    fn index(&self, (row, column): At) -> usize {
        row * usize::from(self.size.width) + column
    }

    /// Points from which the middle one is near, and itself.
    #[inline(always)]
    fn each_in_reach(
        &mut self,
        (row, column): At,
        mut visit: impl FnMut(&mut Surroundings<F>, usize, At),
    ) {
        let (width, height) = (usize::from(self.size.width), usize::from(self.size.height));
        let from_to = |at: usize, side: usize| at.saturating_sub(REACH)..(at + REACH + 1).min(side);
        for row in from_to(row, height) {
            for column in from_to(column, width) {
                visit(self, row * width + column, (row, column));
            }
        }
    }

    /// A point is near from now on.
    fn meet(&mut self, at: At) {
        self.follower.meet(self.index(at), self.looks(at));
    }

    fn put(&mut self, color: Color, at: At) {
        if self.is_near(at) {
            self.follower.leave(self.index(at));
            self.near[at.0] &= !(1 << at.1);
        }
        self.lines.turn(color, at);
        self.stones += 1;
        for (way, (down, right)) in STEPS.into_iter().enumerate() {
            for n in 1..=SIGHT as isize {
                for n in [-n, n] {
                    self.look_again(way, (at.0 as isize + n * down, at.1 as isize + n * right));
                }
            }
        }
        self.each_in_reach(at, |own, index, near| {
            own.reached[index] += 1;
            if own.reached[index] == 1 && near != at {
                own.near[near.0] |= 1 << near.1;
                own.meet(near);
            }
        });
    }

    /// Something else may stand around the same point on one line now.
    #[inline(always)]
    fn look_again(&mut self, way: usize, (row, column): (isize, isize)) {
        let is_on = (0..isize::from(self.size.height)).contains(&row) && (0..32).contains(&column);
        // Nothing beyond the last column is near.
        if is_on && self.is_near((row as usize, column as usize)) {
            let at = (row as usize, column as usize);
            self.follower.change(self.index(at), way, self.lines.looks(way, at));
        }
    }

    fn take(&mut self, color: Color, at: At) {
        self.each_in_reach(at, |own, index, near| {
            own.reached[index] -= 1;
            if own.reached[index] == 0 {
                own.near[near.0] &= !(1 << near.1);
            }
        });
        self.lines.turn(color, at);
        self.stones -= 1;
        if self.reached[self.index(at)] > 0 {
            self.near[at.0] |= 1 << at.1;
        }
        self.follower.take_back();
    }
}
