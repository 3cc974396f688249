//! Many uniformly random playouts side by side: one lane each, all lanes one draw further a step.
//!
//! Every step looks at the whole board with shifts of bits, never at a list of chains, so that it
//! has hardly a branch and the compiler turns a loop over the lanes into vector instructions.
//! Lanes know nothing of colours, only of the side to move (`own`) and the other (`foe`).
//!
//! The results are those of [`super::playout`], draw by draw: `playout` is the definition.

use super::bits::Bits;
use super::playout::draw;

/// What is the same in all lanes: the board. `STRIDE` is 0 where it is known only at run time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board<const W: usize, const STRIDE: u32> {
    pub(super) full: Bits<W>,
    pub(super) edge: Bits<W>,
    pub(super) stride: u32,
}

impl<const W: usize, const STRIDE: u32> Board<W, STRIDE> {
    #[inline(always)]
    fn stride(&self) -> u32 {
        if STRIDE == 0 { self.stride } else { STRIDE }
    }

    #[inline(always)]
    pub(super) fn near(&self, set: Bits<W>) -> Bits<W> {
        set.neighbours(self.stride())
    }
}

/// One set of points in every lane, word by word.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Sets<const W: usize, const L: usize>([[u64; L]; W]);

impl<const W: usize, const L: usize> Sets<W, L> {
    const EMPTY: Sets<W, L> = Sets([[0; L]; W]);

    #[inline(always)]
    fn get(&self, lane: usize) -> Bits<W> {
        let mut set = Bits::EMPTY;
        for w in 0..W {
            set.0[w] = self.0[w][lane];
        }
        set
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, set: Bits<W>) {
        for w in 0..W {
            self.0[w][lane] = set.0[w];
        }
    }
}

/// One game as it enters or leaves a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane<const W: usize> {
    pub(super) own: Bits<W>,
    pub(super) foe: Bits<W>,
    pub(super) banned: Bits<W>,
    /// Points that `own` and `foe` were the first to play.
    pub(super) first: [Bits<W>; 2],
    pub(super) passes: u64,
    pub(super) plies: u64,
    pub(super) seed: u64,
}

/// `L` games that go on side by side.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Lanes<const W: usize, const L: usize> {
    own: Sets<W, L>,
    foe: Sets<W, L>,
    /// Points not to be drawn in this ply: a ko, and what was drawn already and is suicide.
    banned: Sets<W, L>,
    first_own: Sets<W, L>,
    first_foe: Sets<W, L>,
    seed: [u64; L],
    passes: [u64; L],
    plies: [u64; L],
    /// The stone that is being tried, or nothing for a pass.
    stone: Sets<W, L>,
    /// Its neighbours.
    near: Sets<W, L>,
    /// Stones known to hang together with a liberty.
    alive: Sets<W, L>,
    /// Stones that have a stone of their own side to the left, and above.
    joined_left: Sets<W, L>,
    joined_above: Sets<W, L>,
}

impl<const W: usize, const L: usize> Lanes<W, L> {
    pub(super) fn new() -> Lanes<W, L> {
        let none = Sets::EMPTY;
        Lanes {
            own: none,
            foe: none,
            banned: none,
            first_own: none,
            first_foe: none,
            seed: [0; L],
            passes: [0; L],
            plies: [0; L],
            stone: none,
            near: none,
            alive: none,
            joined_left: none,
            joined_above: none,
        }
    }

    pub(super) fn put(&mut self, lane: usize, game: Lane<W>) {
        self.own.set(lane, game.own);
        self.foe.set(lane, game.foe);
        self.banned.set(lane, game.banned);
        self.first_own.set(lane, game.first[0]);
        self.first_foe.set(lane, game.first[1]);
        self.seed[lane] = game.seed;
        self.passes[lane] = game.passes;
        self.plies[lane] = game.plies;
    }

    pub(super) fn get(&self, lane: usize) -> Lane<W> {
        Lane {
            own: self.own.get(lane),
            foe: self.foe.get(lane),
            banned: self.banned.get(lane),
            first: [self.first_own.get(lane), self.first_foe.get(lane)],
            passes: self.passes[lane],
            plies: self.plies[lane],
            seed: self.seed[lane],
        }
    }

    /// One draw in every lane. True when some lane has had two passes or `plies_max` plies.
    #[inline(always)]
    pub(super) fn step<const STRIDE: u32, const FIRST: bool>(
        &mut self,
        board: &Board<W, STRIDE>,
        plies_max: u64,
    ) -> bool {
        self.try_stones(board);
        while self.spread(board) {}
        self.settle::<FIRST>(plies_max)
    }

    /// Draws a point in every lane and prepares what [`Lanes::spread`] needs.
    #[inline(always)]
    fn try_stones<const STRIDE: u32>(&mut self, board: &Board<W, STRIDE>) {
        for lane in 0..L {
            let (own, foe) = (self.own.get(lane), self.foe.get(lane));
            let empty = board.full.minus(own | foe);
            let untried = empty.minus(eyes(board, empty, foe)).minus(self.banned.get(lane));
            let (drawn, seed) = draw(self.seed[lane], count(untried));
            let stone = nth(untried, drawn);
            self.seed[lane] = seed;
            self.stone.set(lane, stone);
            self.near.set(lane, board.near(stone) & board.full);
            let own = own | stone;
            self.alive.set(lane, (own | foe) & board.near(empty.minus(stone)));
            let joined = |by| (own & own.up(by)) | (foe & foe.up(by));
            self.joined_left.set(lane, joined(1));
            self.joined_above.set(lane, joined(board.stride()));
        }
    }

    /// Lets life spread along the chains; true while that may still matter.
    ///
    /// It matters in a lane until the stone and all enemies next to it are seen to live.
    #[inline(always)]
    fn spread<const STRIDE: u32>(&mut self, board: &Board<W, STRIDE>) -> bool {
        let mut open = 0;
        for lane in 0..L {
            let before = self.alive.get(lane);
            let (left, above) = (self.joined_left.get(lane), self.joined_above.get(lane));
            let (right, below) = (left.down(1), above.down(board.stride()));
            let mut alive = before;
            alive |= alive.up(1) & left;
            alive |= alive.down(1) & right;
            alive |= alive.up(board.stride()) & above;
            alive |= alive.down(board.stride()) & below;
            self.alive.set(lane, alive);
            let asked = self.stone.get(lane) | (self.near.get(lane) & self.foe.get(lane));
            let doubtful = any(asked.minus(alive)) != 0;
            let grew = any(alive ^ before) != 0;
            open |= u64::from(doubtful & grew);
        }
        open != 0
    }

    /// Puts the stones that are legal, takes what they capture, and gives the other side the move.
    #[inline(always)]
    fn settle<const FIRST: bool>(&mut self, plies_max: u64) -> bool {
        let mut ended = 0;
        for lane in 0..L {
            let (own, foe) = (self.own.get(lane), self.foe.get(lane));
            let (stone, near, alive) =
                (self.stone.get(lane), self.near.get(lane), self.alive.get(lane));
            let passed = any(stone) == 0;
            let captures = any((near & foe).minus(alive)) != 0;
            let legal = passed | captures | (any(stone & alive) != 0);
            let dead = when(captures, foe.minus(alive));
            let rest = foe.minus(dead);
            let is_ko = (count(dead) == 1) & (any(near.minus(rest) ^ dead) == 0);
            let banned = self.banned.get(lane);
            self.own.set(lane, choose(legal, rest, own));
            self.foe.set(lane, choose(legal, own | stone, foe));
            self.banned.set(lane, choose(legal, when(is_ko, dead), banned | stone));
            if FIRST {
                let (own, foe) = (self.first_own.get(lane), self.first_foe.get(lane));
                self.first_own.set(lane, choose(legal, foe, own));
                self.first_foe.set(lane, choose(legal, own | stone.minus(foe), foe));
            }
            let passes = if passed { self.passes[lane] + 1 } else { 0 };
            let passes = if legal { passes } else { self.passes[lane] };
            let plies = self.plies[lane] + u64::from(legal);
            self.passes[lane] = passes;
            self.plies[lane] = plies;
            ended |= u64::from((passes >= 2) | (plies >= plies_max));
        }
        ended != 0
    }
}

/// The one-point eyes of the side whose enemy is `foe`.
#[inline(always)]
fn eyes<const W: usize, const STRIDE: u32>(
    board: &Board<W, STRIDE>,
    empty: Bits<W>,
    foe: Bits<W>,
) -> Bits<W> {
    let stride = board.stride();
    let (a, b) = (foe.up(stride - 1), foe.up(stride + 1));
    let (c, d) = (foe.down(stride - 1), foe.down(stride + 1));
    let one = a | b | c | d;
    let two = (a & b) | (c & d) | ((a | b) & (c | d));
    let broken = two | (one & board.edge);
    empty.minus(board.near(foe | empty) | broken)
}

#[inline(always)]
fn any<const W: usize>(set: Bits<W>) -> u64 {
    let mut any = 0;
    for w in 0..W {
        any |= set.0[w];
    }
    any
}

#[inline(always)]
fn count<const W: usize>(set: Bits<W>) -> u64 {
    let mut count = 0;
    for w in 0..W {
        count += u64::from(set.0[w].count_ones());
    }
    count
}

/// The set, or the empty one.
#[inline(always)]
fn when<const W: usize>(condition: bool, set: Bits<W>) -> Bits<W> {
    choose(condition, set, Bits::EMPTY)
}

#[inline(always)]
fn choose<const W: usize>(condition: bool, yes: Bits<W>, no: Bits<W>) -> Bits<W> {
    let mut chosen = no;
    for w in 0..W {
        chosen.0[w] = if condition { yes.0[w] } else { no.0[w] };
    }
    chosen
}

/// The bit with `rank` set bits below it, alone; the empty set where there is none.
#[inline(always)]
fn nth<const W: usize>(set: Bits<W>, rank: u64) -> Bits<W> {
    let (mut word, mut rank_in_word, mut below) = (0, 0, 0);
    let mut holds = [false; W];
    for w in 0..W {
        let upto = below + u64::from(set.0[w].count_ones());
        holds[w] = (below <= rank) & (rank < upto);
        word |= if holds[w] { set.0[w] } else { 0 };
        rank_in_word |= if holds[w] { rank - below } else { 0 };
        below = upto;
    }
    let bit = nth_in_word(word, rank_in_word);
    let mut found = Bits::EMPTY;
    for w in 0..W {
        found.0[w] = if holds[w] { bit } else { 0 };
    }
    found
}

#[inline(always)]
fn nth_in_word(word: u64, mut rank: u64) -> u64 {
    let mut position = 0;
    for half in [32, 16, 8, 4, 2, 1] {
        let low = (word >> position) & ((1 << half) - 1);
        let count = u64::from(low.count_ones());
        let above = rank >= count;
        rank -= if above { count } else { 0 };
        position += if above { half } else { 0 };
    }
    1 << position
}
