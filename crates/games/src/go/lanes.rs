//! Many uniformly random playouts side by side: one lane each, all lanes one draw further a step.
//!
//! Every step looks at the whole board with shifts of bits, never at a list of chains, so that it
//! has hardly a branch and the compiler turns a loop over the lanes into vector instructions.
//! Lanes know nothing of colours, only of the side to move (`own`) and the other (`foe`).
//!
//! A lane never looks at another one: what happens in it depends on its start and its seed alone.

use crate::rng::mix;
use banyan_kernels::field::Field;
use banyan_kernels::nth::nth_bit;

/// Sweeps that follow safety along the chains to find hopeless points (measured: 0 to 3).
const SAFE_SWEEPS: usize = 2;

/// The part that is the same in all lanes: the board. `STRIDE` is 0 where it is known only at run time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board<const W: usize, const STRIDE: u32> {
    pub(super) full: Field<W>,
    pub(super) edge: Field<W>,
    pub(super) stride: u32,
}

impl<const W: usize, const STRIDE: u32> Board<W, STRIDE> {
    #[inline(always)]
    fn stride(&self) -> u32 {
        if STRIDE == 0 { self.stride } else { STRIDE }
    }

    #[inline(always)]
    pub(super) fn near(&self, set: Field<W>) -> Field<W> {
        set.neighbours(self.stride())
    }

    #[inline(always)]
    fn around(&self, set: Field<W>) -> Around<W> {
        Around([set.right(), set.left(), set.down(self.stride()), set.up(self.stride())])
    }
}

/// One set of points in every lane, word by word.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Sets<const W: usize, const L: usize>([[u64; L]; W]);

impl<const W: usize, const L: usize> Sets<W, L> {
    const EMPTY: Sets<W, L> = Sets([[0; L]; W]);

    #[inline(always)]
    fn get(&self, lane: usize) -> Field<W> {
        let mut set = Field::EMPTY;
        for w in 0..W {
            set.0[w] = self.0[w][lane];
        }
        set
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, set: Field<W>) {
        for w in 0..W {
            self.0[w][lane] = set.0[w];
        }
    }
}

/// One game as it enters or leaves a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane<const W: usize> {
    pub(super) own: Field<W>,
    pub(super) foe: Field<W>,
    pub(super) banned: Field<W>,
    /// Points that `own` and `foe` were the first to play.
    pub(super) first: [Field<W>; 2],
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
    /// The stone and the enemies next to it: whose life matters.
    asked: Sets<W, L>,
    /// Stones known to hang together with a liberty.
    alive: Sets<W, L>,
    /// Stones that have a stone of their own side on the left, above.
    joined: [Sets<W, L>; 2],
}

impl<const W: usize, const L: usize> Lanes<W, L> {
    pub(super) const fn new() -> Lanes<W, L> {
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
            asked: none,
            alive: none,
            joined: [none; 2],
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

    /// Leaves the points that may be drawn in `stone`, and enemies that live whatever is drawn in
    /// `alive`.
    #[inline(always)]
    pub(super) fn find_untried<const STRIDE: u32>(&mut self, board: &Board<W, STRIDE>) {
        for lane in 0..L {
            let (own, foe) = (self.own.get(lane), self.foe.get(lane));
            let empty = board.full.minus(own | foe);
            let (by_own, by_foe) = (board.around(own), board.around(foe));
            let by_empty = board.around(empty);
            let eyes = empty.minus(by_foe.any() | by_empty.any()).minus(broken(board, &by_foe));
            let foe_eyes = empty.minus(by_own.any() | by_empty.any());
            let safe = safe(board, foe, &by_empty);
            // Between nothing but safe enemies a stone is suicide: it takes none of them.
            let hopeless = foe_eyes.minus(board.near(foe.minus(safe)));
            let untried = empty.minus(eyes | hopeless | self.banned.get(lane));
            self.stone.set(lane, untried);
            self.alive.set(lane, safe);
        }
    }

    /// Leaves one of these points in `stone`, or none where there was none.
    ///
    /// A step of its own for all groups, one after the other: drawing is a long chain of dependent
    /// instructions, of which the processor works on several if nothing else stands between.
    #[inline(always)]
    pub(super) fn draw_stones(&mut self) {
        for lane in 0..L {
            let untried = self.stone.get(lane);
            let (drawn, seed) = draw(self.seed[lane], count(untried));
            self.stone.set(lane, nth(untried, drawn));
            self.seed[lane] = seed;
        }
    }

    /// Prepares [`Lanes::spread`]: asks about the stone and what is next to it, and sees who has a
    /// liberty.
    #[inline(always)]
    pub(super) fn prepare<const STRIDE: u32>(&mut self, board: &Board<W, STRIDE>) {
        for lane in 0..L {
            let (own, foe) = (self.own.get(lane), self.foe.get(lane));
            let (stone, safe) = (self.stone.get(lane), self.alive.get(lane));
            let by_empty = board.around(board.full.minus(own | foe));
            let near = board.near(stone) & board.full;
            let lonely = any(near & own) == 0;
            self.near.set(lane, near);
            self.asked.set(lane, (near & foe) | when(!lonely, stone));
            let own = own | stone;
            let free = (own | foe) & (by_empty.two() | by_empty.any().minus(near));
            self.alive.set(lane, free | safe);
            self.joined[0].set(lane, (own & own.right()) | (foe & foe.right()));
            let stride = board.stride();
            self.joined[1].set(lane, (own & own.down(stride)) | (foe & foe.down(stride)));
        }
    }

    /// Lets life spread along the chains; true while that may still matter.
    ///
    /// It matters in a lane until the stone and all enemies next to it are seen to live.
    #[inline(always)]
    pub(super) fn spread<const STRIDE: u32>(&mut self, board: &Board<W, STRIDE>) -> bool {
        let mut open = 0;
        for lane in 0..L {
            let before = self.alive.get(lane);
            let mut alive = before;
            let [left, above] = [self.joined[0].get(lane), self.joined[1].get(lane)];
            alive.sweep(&left, &above, board.stride());
            self.alive.set(lane, alive);
            let asked = self.asked.get(lane);
            let doubtful = any(asked.minus(alive)) != 0;
            let grew = any(alive ^ before) != 0;
            open |= u64::from(doubtful & grew);
        }
        open != 0
    }

    /// Puts the stones that are legal, takes what they capture, and gives the other side the move.
    /// True when some lane has had two passes or `plies_max` plies.
    #[inline(always)]
    pub(super) fn settle<const FIRST: bool>(&mut self, plies_max: u64) -> bool {
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

/// The points that have a point of some set on the left, on the right, above, below.
struct Around<const W: usize>([Field<W>; 4]);

impl<const W: usize> Around<W> {
    #[inline(always)]
    fn any(&self) -> Field<W> {
        let [a, b, c, d] = self.0;
        a | b | c | d
    }

    #[inline(always)]
    fn two(&self) -> Field<W> {
        let [a, b, c, d] = self.0;
        (a & b) | (c & d) | ((a | b) & (c | d))
    }
}

/// Points that are no eye because of the enemies on their diagonals: two, or one on the edge.
#[inline(always)]
fn broken<const W: usize, const STRIDE: u32>(
    board: &Board<W, STRIDE>,
    by_foe: &Around<W>,
) -> Field<W> {
    let [left, right, ..] = by_foe.0;
    let stride = board.stride();
    let diagonal =
        Around([left.up(stride), left.down(stride), right.up(stride), right.down(stride)]);
    diagonal.two() | (diagonal.any() & board.edge)
}

/// Enemies whose chain is seen to have two liberties, so that it lives whatever is played next.
///
/// Two stones side by side that have a liberty each never have it in common. So a stone is safe
/// when it has two liberties, or one and a neighbour with one, or a safe neighbour.
#[inline(always)]
fn safe<const W: usize, const STRIDE: u32>(
    board: &Board<W, STRIDE>,
    foe: Field<W>,
    by_empty: &Around<W>,
) -> Field<W> {
    let free = foe & by_empty.any();
    let mut safe = (foe & by_empty.two()) | (free & board.near(free));
    for _ in 0..SAFE_SWEEPS {
        safe.sweep_within(&foe, board.stride());
    }
    safe
}

/// A whole number in `0..bound` from the seed, and the seed of the next draw.
///
/// The sequence is that of SplitMix64; `bound` is below 2^32, and 0 gives 0.
#[inline(always)]
fn draw(seed: u64, bound: u64) -> (u64, u64) {
    let drawn = ((mix(seed) >> 32) * bound) >> 32;
    (drawn, seed.wrapping_add(0x9E37_79B9_7F4A_7C15))
}

#[inline(always)]
fn any<const W: usize>(set: Field<W>) -> u64 {
    let mut any = 0;
    for w in 0..W {
        any |= set.0[w];
    }
    any
}

#[inline(always)]
fn count<const W: usize>(set: Field<W>) -> u64 {
    let mut count = 0;
    for w in 0..W {
        count += u64::from(set.0[w].count_ones());
    }
    count
}

/// The set, or the empty one.
#[inline(always)]
fn when<const W: usize>(condition: bool, set: Field<W>) -> Field<W> {
    choose(condition, set, Field::EMPTY)
}

#[inline(always)]
fn choose<const W: usize>(condition: bool, yes: Field<W>, no: Field<W>) -> Field<W> {
    let mut chosen = no;
    for w in 0..W {
        chosen.0[w] = if condition { yes.0[w] } else { no.0[w] };
    }
    chosen
}

/// The bit with `rank` set bits below it, alone; the empty set where there is none.
#[inline(always)]
fn nth<const W: usize>(set: Field<W>, rank: u64) -> Field<W> {
    let (mut word, mut rank_in_word, mut below) = (0, 0, 0);
    // All ones in the word that holds the bit, all zeros elsewhere.
    let mut here = Field::EMPTY;
    for w in 0..W {
        let upto = below + u64::from(set.0[w].count_ones());
        here.0[w] = if (below <= rank) & (rank < upto) { u64::MAX } else { 0 };
        word |= here.0[w] & set.0[w];
        rank_in_word |= here.0[w] & rank.wrapping_sub(below);
        below = upto;
    }
    here & Field([nth_bit(word, rank_in_word); W])
}
