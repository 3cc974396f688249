//! A batch of playouts from one position: fills the lanes, empties them, and adds up.

use super::bits::Bits;
use super::lanes::{Board, Lane, Lanes};
use super::playout::plies_max;
use super::position::Go;
use super::simd;
use crate::counts::Counts;
use crate::game::Game;
use crate::rng::Rng;
use crate::types::{Color, Margin, Outcome};

/// Lanes that go on together: two vectors of the widest kind.
const LANES: usize = 8;

/// Adds `count` uniform playouts of `game` to `counts`.
pub(super) fn playouts(game: &Go, count: u32, rng: &mut Rng, counts: &mut Counts) {
    match game.layout.side() {
        9 => run::<2, 10>(game, count, rng, counts),
        13 => run::<3, 14>(game, count, rng, counts),
        19 => run::<6, 20>(game, count, rng, counts),
        ..=10 => run::<2, 0>(game, count, rng, counts),
        ..=13 => run::<3, 0>(game, count, rng, counts),
        ..=15 => run::<4, 0>(game, count, rng, counts),
        ..=19 => run::<6, 0>(game, count, rng, counts),
        _ => run::<11, 0>(game, count, rng, counts),
    }
}

fn run<const W: usize, const STRIDE: u32>(
    game: &Go,
    count: u32,
    rng: &mut Rng,
    counts: &mut Counts,
) {
    let batch = &Batch::<W, STRIDE>::new(game);
    if counts.amaf.is_some() {
        simd::widest(Playouts::<W, STRIDE, true> { batch, count, rng, counts });
    } else {
        simd::widest(Playouts::<W, STRIDE, false> { batch, count, rng, counts });
    }
}

struct Playouts<'a, const W: usize, const STRIDE: u32, const FIRST: bool> {
    batch: &'a Batch<'a, W, STRIDE>,
    count: u32,
    rng: &'a mut Rng,
    counts: &'a mut Counts,
}

impl<const W: usize, const STRIDE: u32, const FIRST: bool> simd::Task
    for Playouts<'_, W, STRIDE, FIRST>
{
    #[inline(always)]
    fn run(self) {
        self.batch.run::<FIRST>(self.count, self.rng, self.counts);
    }
}

/// What all playouts of a batch share.
struct Batch<'a, const W: usize, const STRIDE: u32> {
    game: &'a Go,
    board: Board<W, STRIDE>,
    start: Lane<W>,
    plies_max: u64,
}

impl<'a, const W: usize, const STRIDE: u32> Batch<'a, W, STRIDE> {
    fn new(game: &'a Go) -> Self {
        let layout = game.layout;
        let board = Board {
            full: layout.full().narrow(),
            edge: layout.edge().narrow(),
            stride: layout.stride(),
        };
        let start = Lane {
            own: game.stones[game.side.index()].narrow(),
            foe: game.stones[(!game.side).index()].narrow(),
            banned: game.ko.map_or(Bits::EMPTY, |bit| Bits::one(usize::from(bit))),
            first: [Bits::EMPTY; 2],
            passes: u64::from(game.passes),
            plies: 0,
            seed: 0,
        };
        Batch { game, board, start, plies_max: u64::from(plies_max(game)) }
    }

    #[inline(always)]
    fn run<const FIRST: bool>(&self, count: u32, rng: &mut Rng, counts: &mut Counts) {
        let mut lanes = Lanes::<W, LANES>::new();
        let mut busy = [false; LANES];
        let mut unstarted = count;
        for lane in 0..LANES {
            busy[lane] = self.refill(&mut lanes, lane, &mut unstarted, rng);
        }
        while busy != [false; LANES] {
            if lanes.step::<STRIDE, FIRST>(&self.board, self.plies_max) {
                for lane in 0..LANES {
                    let game = lanes.get(lane);
                    if game.passes >= 2 || game.plies >= self.plies_max {
                        if busy[lane] {
                            self.add(&game, counts);
                        }
                        busy[lane] = self.refill(&mut lanes, lane, &mut unstarted, rng);
                    }
                }
            }
        }
    }

    /// Starts the next playout in a lane. A lane without one plays on for nobody; false then.
    fn refill(
        &self,
        lanes: &mut Lanes<W, LANES>,
        lane: usize,
        unstarted: &mut u32,
        rng: &mut Rng,
    ) -> bool {
        let starts = *unstarted > 0;
        *unstarted -= u32::from(starts);
        let seed = if starts { rng.bits() } else { 0 };
        lanes.put(lane, Lane { seed, ..self.start });
        starts
    }

    fn add(&self, end: &Lane<W>, counts: &mut Counts) {
        let areas = areas(&self.board, end);
        let sides = [self.game.side, !self.game.side];
        let to_move = sides[(end.plies % 2) as usize];
        let of = |color: Color| usize::from(color != to_move);
        let (black, white) = (areas[of(Color::Black)], areas[of(Color::White)]);
        let difference = black.len() as i32 - white.len() as i32;
        let komi = i32::from(self.game.rules().komi());
        let outcome = Outcome { margin: Margin(2 * difference - komi) };
        counts.add(outcome, end.plies as u32);
        let layout = self.game.layout;
        if let Some(amaf) = &mut counts.amaf {
            for color in Color::BOTH {
                let half_wins = match outcome.winner() {
                    None => 1,
                    Some(winner) => 2 * u32::from(winner == color),
                };
                for bit in end.first[of(color)].iter() {
                    let slot = crate::counts::Amaf::slot(layout.point(bit), color);
                    amaf.visits[slot] += 1;
                    amaf.half_wins[slot] += half_wins;
                }
            }
        }
        if let Some(ownership) = &mut counts.ownership {
            for bit in black.iter() {
                ownership[layout.point(bit)] += 1;
            }
            for bit in white.iter() {
                ownership[layout.point(bit)] -= 1;
            }
        }
    }
}

/// What the side to move and the other hold: stones, and empty regions that reach one of them alone.
fn areas<const W: usize, const STRIDE: u32>(
    board: &Board<W, STRIDE>,
    end: &Lane<W>,
) -> [Bits<W>; 2] {
    let empty = board.full.minus(end.own | end.foe);
    let reached =
        [end.own, end.foe].map(|stones| (board.near(stones) & empty).flood(empty, board.stride));
    [end.own | reached[0].minus(reached[1]), end.foe | reached[1].minus(reached[0])]
}
