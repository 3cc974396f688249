//! The last empties: nearly all positions of a solver are here, so that a table or an order of moves
//! would cost more than it saves.

use super::board::{Board, in_odd_quarters};
use crate::bounds::Bounds;

/// The value of a board with few empties, two at least, fail-soft within `alpha..beta`; `nodes` counts boards.
///
/// Odd quarters are played first.
pub(super) fn value(board: Board, bounds: Bounds, nodes: &mut u64) -> i32 {
    let empties = board.empties();
    let but_one = empties & (empties - 1);
    if but_one & (but_one - 1) == 0 {
        return two(board, bounds, nodes);
    }
    *nodes += 1;
    let odd = in_odd_quarters(empties);
    let mut best = i32::MIN;
    for mut left in [odd, empties ^ odd] {
        while left != 0 {
            let at = left & left.wrapping_neg();
            left ^= at;
            if BESIDE[at.trailing_zeros() as usize] & board.other == 0 {
                continue;
            }
            let Some(next) = board.after(at) else { continue };
            best = best.max(-value(next, bounds.above(best).turned(), nodes));
            if best >= bounds.beta {
                return best;
            }
        }
    }
    if best > i32::MIN {
        return best;
    }
    match board.passed() {
        passed if passed.moves() == 0 => board.score(),
        passed => -value(passed, bounds.turned(), nodes),
    }
}

/// The value of a board with one empty point.
pub(super) fn one_left(board: Board, nodes: &mut u64) -> i32 {
    *nodes += 1;
    one(board.own, board.empties().trailing_zeros() as usize)
}

/// The same with two empties.
fn two(board: Board, bounds: Bounds, nodes: &mut u64) -> i32 {
    *nodes += 1;
    match best_of_two(board, bounds.beta, nodes) {
        Some(best) => best,
        None => match best_of_two(board.passed(), -bounds.alpha, nodes) {
            Some(best) => -best,
            None => board.score(),
        },
    }
}

/// The better of the two moves, if any is legal; the first if it is at least `beta`.
#[inline(always)]
fn best_of_two(board: Board, beta: i32, nodes: &mut u64) -> Option<i32> {
    let empties = board.empties();
    let first = empties & empties.wrapping_neg();
    let mut best = None;
    for (at, last) in [(first, empties ^ first), (empties ^ first, first)] {
        if BESIDE[at.trailing_zeros() as usize] & board.other == 0 {
            continue;
        }
        let Some(next) = board.after(at) else { continue };
        *nodes += 1;
        let value = -one(next.own, last.trailing_zeros() as usize);
        if value >= beta {
            return Some(value);
        }
        best = best.max(Some(value));
    }
    best
}

/// The score when `at` alone is empty and the side with `own` discs moves: who turns how many is known
/// without turning them.
#[inline(always)]
fn one(own: u64, at: usize) -> i32 {
    let discs = own.count_ones() as i32;
    let flips = flips_of_last(own, at);
    if flips > 0 {
        return 2 * (discs + flips) - 62;
    }
    let other = !own & !(1 << at);
    let flips = flips_of_last(other, at);
    if flips > 0 {
        return 2 * (discs - flips) - 64;
    }
    let difference = 2 * discs - 63;
    difference + difference.signum()
}

/// Counts the discs that the last move of a game turns: along each line through its point, all up to the next disc
/// of its own side.
#[inline(always)]
fn flips_of_last(own: u64, at: usize) -> i32 {
    const FILE: u64 = 0x0101_0101_0101_0101;
    let (row, column) = (at / 8, at % 8);
    let [rising, falling] = SLANTS[at];
    let in_row = own >> (8 * row) & 0xFF;
    // The disc of each row lands in the top byte at the place of its row, or of its column.
    let in_column = ((own >> column & FILE).wrapping_mul(0x0102_0408_1020_4080)) >> 56;
    let in_rising = (own & rising).wrapping_mul(FILE) >> 56;
    let in_falling = (own & falling).wrapping_mul(FILE) >> 56;
    let by_column = &FLIPS[column];
    let sum = by_column[in_row as usize]
        + FLIPS[row][in_column as usize]
        + by_column[in_rising as usize]
        + by_column[in_falling as usize];
    i32::from(sum)
}

/// Discs turned by a move at a place of a line, by the mover's discs on it, when all others are the
/// opponent's.
static FLIPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256 {
            table[at][own] = flips_up(own, at) + flips_up(reversed(own), 7 - at);
            own += 1;
        }
        at += 1;
    }
    table
};

const fn flips_up(own: usize, at: usize) -> u8 {
    let mut next = at + 1;
    while next < 8 {
        if own >> next & 1 != 0 {
            return (next - at - 1) as u8;
        }
        next += 1;
    }
    0
}

const fn reversed(own: usize) -> usize {
    (own as u8).reverse_bits() as usize
}

/// The two slanting lines through each point.
static SLANTS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut at = 0;
    while at < 64 {
        let mut point = 0;
        while point < 64 {
            let (down, right) = (point / 8 - at / 8, point % 8 - at % 8);
            if down == -right {
                table[at as usize][0] |= 1 << point;
            }
            if down == right {
                table[at as usize][1] |= 1 << point;
            }
            point += 1;
        }
        at += 1i32;
    }
    table
};

/// The neighbours of each point.
static BESIDE: [u64; 64] = {
    let mut table = [0; 64];
    let mut at = 0;
    while at < 64 {
        let mut point = 0;
        while point < 64 {
            let (down, right): (i32, i32) = (point / 8 - at / 8, point % 8 - at % 8);
            if down.abs() <= 1 && right.abs() <= 1 && point != at {
                table[at as usize] |= 1 << point;
            }
            point += 1;
        }
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::super::board::tests::random;
    use super::*;
    use banyan_games::Rng;

    /// Minimax in plain words.
    fn minimax(board: Board, passed: bool) -> i32 {
        let mut best = None;
        for at in 0..64 {
            if board.empties() >> at & 1 != 0 {
                best = best.max(board.after(1 << at).map(|next| -minimax(next, false)));
            }
        }
        match best {
            Some(best) => best,
            None if passed => board.score(),
            None => -minimax(board.passed(), true),
        }
    }

    #[test]
    fn few_empties_have_the_value_of_minimax_in_whatever_bounds() {
        let mut rng = Rng::from_seed(4);
        for round in 0..3_000 {
            let board = Board::from(&random(2 + round % 5, &mut rng));
            let expected = minimax(board, false);
            for (alpha, beta) in
                [(-64, 64), (-1, 1), (expected - 1, expected), (expected, expected + 1)]
            {
                let found = value(board, Bounds::new(alpha, beta), &mut 0);
                if expected <= alpha {
                    assert!((expected..=alpha).contains(&found), "{board:?} {found}");
                } else if expected >= beta {
                    assert!((beta..=expected).contains(&found), "{board:?} {found}");
                } else {
                    assert_eq!(found, expected, "{board:?}");
                }
            }
        }
    }

    #[test]
    fn the_last_disc_turns_what_a_move_turns() {
        let mut rng = Rng::from_seed(5);
        for _ in 0..5_000 {
            let (own, at) = (rng.bits(), rng.below(64) as usize);
            let own = own & !(1 << at);
            let board = Board { own, other: !own & !(1 << at) };
            let turned = board.after(1 << at);
            let turned = turned.map_or(0, |next| board.other.count_ones() - next.own.count_ones());
            assert_eq!(flips_of_last(own, at), turned as i32);
            assert_eq!(one(own, at), minimax(board, false));
        }
    }
}
