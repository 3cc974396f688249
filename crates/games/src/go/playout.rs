//! Uniformly random playouts of a position: one to watch, or a batch to add up.
//!
//! A playout takes one number from the generator, its seed, and draws everything from that: it is
//! the same game whether it runs alone or beside others, of its own leaf or of another, on any
//! machine.
//! How a ply is drawn and played is the business of [`super::lanes`].

use super::lanes::{Board, Lane, Lanes};
use super::position::{Go, Points};
use crate::counts::{Counts, Observer};
use crate::game::{Game, Leaf};
use crate::rng::Rng;
use crate::types::{Color, Margin, Move, Outcome};
use banyan_kernels::field::Field;
use banyan_kernels::simd::{Task, Vectors};

/// Lanes of a group: they fill one vector of the widest kind.
const LANES: usize = 8;
/// Groups that take turns, so that one computes while the other waits for its last instruction.
const GROUPS: usize = 2;

/// Runs `$function::<words, stride>($arguments)` for a board of `$side`: strides of the usual sizes
/// are known to the compiler, 0 means at run time.
macro_rules! for_side {
    ($side:expr, $function:ident($($argument:expr),*)) => {
        match $side {
            9 => $function::<2, 10>($($argument),*),
            13 => $function::<4, 14>($($argument),*),
            19 => $function::<7, 20>($($argument),*),
            ..=10 => $function::<2, 0>($($argument),*),
            ..=13 => $function::<4, 0>($($argument),*),
            ..=19 => $function::<7, 0>($($argument),*),
            _ => $function::<13, 0>($($argument),*),
        }
    };
}

/// Plays one uniform playout of `game`; returns the outcome and the number of plies, passes with
/// them.
///
/// Every legal move that does not fill an own one-point eye is equally likely; a side without any
/// passes. After three plies a point, which only long cycles reach, the game counts as ended and is
/// scored as it stands.
pub(super) fn one(game: &Go, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
    let side = game.layout.side();
    for_side!(side, watch(game, rng, observer))
}

/// Adds playouts as [`one`] plays them to the counts of each leaf; all are of the same size.
///
/// Never inlined, so that its many kernels are compiled in this crate and in no other.
#[inline(never)]
pub(super) fn many(leaves: &mut [Leaf<'_, Go>]) {
    many_with(Vectors::widest(), leaves);
}

fn many_with(vectors: Vectors, leaves: &mut [Leaf<'_, Go>]) {
    let Some(first) = leaves.first() else { return };
    let layout = first.position.layout;
    debug_assert!(leaves.iter().all(|leaf| leaf.position.layout == layout));
    for_side!(layout.side(), gather(vectors, leaves));
}

fn watch<const W: usize, const STRIDE: u32>(
    game: &Go,
    rng: &mut Rng,
    observer: &mut impl Observer,
) -> (Outcome, u32) {
    let start = Start::<W, STRIDE>::new(game);
    let mut lanes = Lanes::<W, 1>::new();
    lanes.put(0, start.lane(rng));
    while !start.is_over(&lanes.get(0)) {
        let before = lanes.get(0);
        lanes.find_untried(&start.board);
        lanes.draw_stones();
        lanes.prepare(&start.board);
        while lanes.spread(&start.board) {}
        lanes.settle::<false>(start.plies_max);
        let after = lanes.get(0);
        let stone = after.foe.minus(before.own);
        let point = stone.points(game.layout).next();
        if let Some(point) = point.filter(|_| after.plies > before.plies) {
            observer.played(start.to_move(&before), Move::point(point));
        }
    }
    let end = End::new(&start, &lanes.get(0));
    observer.ended(end.outcome, |point| {
        let holds = |color: &Color| end.areas[color.index()].contains(point, game.layout);
        Color::BOTH.into_iter().find(holds)
    });
    (end.outcome, end.plies)
}

fn gather<const W: usize, const STRIDE: u32>(vectors: Vectors, leaves: &mut [Leaf<'_, Go>]) {
    let amaf = leaves.iter().any(|leaf| leaf.counts.amaf.is_some());
    let starts: Vec<Start<'_, W, STRIDE>> =
        leaves.iter().map(|leaf| Start::new(leaf.position)).collect();
    let batch = Batch { starts: &starts, leaves, next: 0, started: 0 };
    if amaf {
        vectors.run(Firsts::<_, true>(batch));
    } else {
        vectors.run(Firsts::<_, false>(batch));
    }
}

/// State that all playouts from one position share.
struct Start<'a, const W: usize, const STRIDE: u32> {
    game: &'a Go,
    board: Board<W, STRIDE>,
    lane: Lane<W>,
    plies_max: u64,
}

impl<'a, const W: usize, const STRIDE: u32> Start<'a, W, STRIDE> {
    fn new(game: &'a Go) -> Self {
        let layout = game.layout;
        let board = Board {
            full: Field::new(layout.full(), layout),
            edge: Field::new(layout.edge(), layout),
            stride: layout.stride(),
        };
        let ko = game.ko.map_or(Points::EMPTY, |bit| Points::one(usize::from(bit)));
        let lane = Lane {
            own: Field::new(&game.stones[game.side.index()], layout),
            foe: Field::new(&game.stones[(!game.side).index()], layout),
            banned: Field::new(&ko, layout),
            first: [Field::EMPTY; 2],
            passes: u64::from(game.passes),
            plies: 0,
            seed: 0,
        };
        Start { game, board, lane, plies_max: 3 * layout.area() as u64 }
    }

    fn lane(&self, rng: &mut Rng) -> Lane<W> {
        Lane { seed: rng.bits(), ..self.lane }
    }

    fn is_over(&self, lane: &Lane<W>) -> bool {
        lane.passes >= 2 || lane.plies >= self.plies_max
    }

    fn to_move(&self, lane: &Lane<W>) -> Color {
        [self.game.side, !self.game.side][(lane.plies % 2) as usize]
    }
}

/// Result of a playout; two entries are Black's and White's.
struct End<const W: usize> {
    outcome: Outcome,
    plies: u32,
    /// Stones, and empty regions that reach one side alone.
    areas: [Field<W>; 2],
    /// Points that each side was the first to play, where asked for.
    first: [Field<W>; 2],
}

impl<const W: usize> End<W> {
    fn new<const STRIDE: u32>(start: &Start<'_, W, STRIDE>, lane: &Lane<W>) -> End<W> {
        let by_colour = |[own, foe]: [Field<W>; 2]| match start.to_move(lane) {
            Color::Black => [own, foe],
            Color::White => [foe, own],
        };
        let areas = by_colour(areas(&start.board, [lane.own, lane.foe]));
        let difference = areas[0].count() as i32 - areas[1].count() as i32;
        let komi = i32::from(start.game.rules().komi());
        End {
            outcome: Outcome { margin: Margin(2 * difference - komi) },
            plies: lane.plies as u32,
            areas,
            first: by_colour(lane.first),
        }
    }

    fn add_to(&self, counts: &mut Counts, game: &Go) {
        counts.add(self.outcome, self.plies);
        for color in Color::BOTH {
            let first = self.first[color.index()].points(game.layout);
            counts.add_firsts(color, self.outcome, first);
            counts.add_area(color, self.areas[color.index()].points(game.layout));
        }
    }
}

fn areas<const W: usize, const STRIDE: u32>(
    board: &Board<W, STRIDE>,
    stones: [Field<W>; 2],
) -> [Field<W>; 2] {
    let empty = board.full.minus(stones[0] | stones[1]);
    let reached = stones.map(|set| (board.near(set) & empty).flood(&empty, board.stride));
    [stones[0] | reached[0].minus(reached[1]), stones[1] | reached[1].minus(reached[0])]
}

/// Playouts of some leaves that fill the lanes of a few groups until all are counted.
struct Batch<'a, 'b, const W: usize, const STRIDE: u32> {
    starts: &'a [Start<'a, W, STRIDE>],
    leaves: &'a mut [Leaf<'b, Go>],
    /// The leaf that the next playout starts from.
    next: usize,
    /// Playouts of that leaf that were started, count.
    started: u32,
}

/// Lanes, and the leaf whose game each of them plays, if any.
struct Group<const W: usize> {
    lanes: Lanes<W, LANES>,
    leaf: [Option<usize>; LANES],
}

impl<const W: usize, const STRIDE: u32> Batch<'_, '_, W, STRIDE> {
    #[inline(always)]
    fn run<const FIRST: bool>(mut self) {
        self.count_what_is_over();
        let (board, plies_max) = (&self.starts[0].board, self.starts[0].plies_max);
        let mut groups =
            [const { Group { lanes: Lanes::<W, LANES>::new(), leaf: [None; LANES] } }; GROUPS];
        let used = self.unstarted().div_ceil(LANES).min(GROUPS);
        let groups = &mut groups[..used];
        for group in &mut *groups {
            for lane in 0..LANES {
                self.refill(group, lane);
            }
        }
        while groups.iter().any(|group| group.leaf != [None; LANES]) {
            for group in &mut *groups {
                group.lanes.find_untried(board);
            }
            for group in &mut *groups {
                group.lanes.draw_stones();
            }
            for group in &mut *groups {
                group.lanes.prepare(board);
            }
            for group in &mut *groups {
                while group.lanes.spread(board) {}
            }
            for group in &mut *groups {
                if group.lanes.settle::<FIRST>(plies_max) {
                    self.collect(group);
                }
            }
        }
    }

    /// Counts the games of a group that have ended and starts others in their lanes.
    #[inline(never)]
    fn collect(&mut self, group: &mut Group<W>) {
        for lane in 0..LANES {
            let game = group.lanes.get(lane);
            let start = &self.starts[group.leaf[lane].unwrap_or(0)];
            if start.is_over(&game) {
                if let Some(leaf) = group.leaf[lane] {
                    End::new(start, &game).add_to(self.leaves[leaf].counts, start.game);
                }
                self.refill(group, lane);
            }
        }
    }

    /// Starts the next playout in a lane; where none is left, the lane plays on for nobody.
    fn refill(&mut self, group: &mut Group<W>, lane: usize) {
        while self.next < self.leaves.len() && self.is_through(self.next) {
            (self.next, self.started) = (self.next + 1, 0);
        }
        group.leaf[lane] = (self.next < self.leaves.len()).then_some(self.next);
        let game = match self.leaves.get_mut(self.next) {
            Some(leaf) => {
                self.started += 1;
                self.starts[self.next].lane(leaf.rng)
            }
            None => Lane { passes: 0, ..self.starts[0].lane },
        };
        group.lanes.put(lane, game);
    }

    /// Tells whether the leaf that playouts start from has no more of them for the lanes.
    fn is_through(&self, leaf: usize) -> bool {
        let start = &self.starts[leaf];
        self.leaves[leaf].playouts == self.started || start.is_over(&start.lane)
    }

    /// Playouts that wait for a lane; more than there are lanes make no difference.
    fn unstarted(&self) -> usize {
        self.leaves.iter().map(|leaf| leaf.playouts as usize).sum()
    }

    /// Leaves whose game is over have no use for a lane.
    fn count_what_is_over(&mut self) {
        for (leaf, start) in self.leaves.iter_mut().zip(self.starts) {
            if start.is_over(&start.lane) {
                for _ in 0..leaf.playouts {
                    End::new(start, &start.lane(leaf.rng)).add_to(leaf.counts, start.game);
                }
            }
        }
    }
}

/// A batch that does (`FIRST`) or does not keep who was the first to play each point.
struct Firsts<T, const FIRST: bool>(T);

impl<const W: usize, const STRIDE: u32, const FIRST: bool> Task
    for Firsts<Batch<'_, '_, W, STRIDE>, FIRST>
{
    #[inline(always)]
    fn run(self) {
        self.0.run::<FIRST>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Asked;
    use crate::go::GoRules;

    #[test]
    fn every_kind_of_vectors_gives_the_same_counts() {
        for side in [5, 9, 13, 17, 19, 25] {
            let game = Go::new(&GoRules::new(side, 13).expect("a size of 2 to 25"));
            let asked = Asked { amaf: side % 4 == 1, ownership: true };
            let with = |vectors: Vectors| {
                let mut counts = Counts::new(game.layout.area(), asked);
                let (position, rng) = (&game, &mut Rng::from_seed(7));
                let leaf = Leaf { position, playouts: 40, rng, counts: &mut counts };
                many_with(vectors, &mut [leaf]);
                counts
            };
            let expected = with(Vectors::all().next().expect("every machine has some"));
            for vectors in Vectors::all() {
                assert_eq!(with(vectors), expected, "{vectors:?} on {side}");
            }
        }
    }
}
