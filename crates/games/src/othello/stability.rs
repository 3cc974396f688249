//! Discs that can never be turned again.

/// Both sides' discs without the points they are on: all eight neighbours' shifts keep within these.
const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// The ways through a point, each as two opposite steps.
#[derive(Clone, Copy)]
enum Way {
    Row,
    Column,
    Rising,
    Falling,
}

impl Way {
    const ALL: [Way; 4] = [Way::Row, Way::Column, Way::Rising, Way::Falling];

    /// The points one step from `from`, both ways.
    #[inline(always)]
    fn beside(self, from: u64) -> u64 {
        match self {
            Way::Row => (from & NOT_H) << 1 | (from & NOT_A) >> 1,
            Way::Column => from << 8 | from >> 8,
            Way::Rising => (from & NOT_A) << 7 | (from & NOT_H) >> 7,
            Way::Falling => (from & NOT_H) << 9 | (from & NOT_A) >> 9,
        }
    }

    /// The points at an end of their line.
    const fn ends(self) -> u64 {
        const COLUMNS: u64 = !(NOT_A & NOT_H);
        const ROWS: u64 = 0xFF00_0000_0000_00FF;
        match self {
            Way::Row => COLUMNS,
            Way::Column => ROWS,
            Way::Rising | Way::Falling => COLUMNS | ROWS,
        }
    }

    /// The points whose whole line is taken.
    #[inline(always)]
    fn full(self, taken: u64) -> u64 {
        match self {
            Way::Row => {
                let mut full = taken & taken >> 1;
                full &= full >> 2;
                full &= full >> 4;
                (full & !NOT_A) * 0xFF
            }
            Way::Column => {
                let mut full = taken & taken.rotate_right(8);
                full &= full.rotate_right(16);
                full & full.rotate_right(32)
            }
            Way::Rising | Way::Falling => self.full_slant(taken),
        }
    }

    /// An empty point spreads along its line until the line's ends.
    #[inline(always)]
    fn full_slant(self, taken: u64) -> u64 {
        let mut open = !taken;
        for _ in 0..7 {
            open |= self.beside(open);
        }
        !open
    }
}

/// Discs of `own` that nobody can turn any more; not all of them, but none that could be turned.
///
/// A disc is safe on a way when the line is full, when it stands at an end of it, or beside a disc of
/// its own side that is safe on every way.
///
/// # Source
/// S8: "stable discs are worth most".
pub fn stable(own: u64, other: u64) -> u64 {
    let taken = own | other;
    let safe = Way::ALL.map(|way| way.full(taken) | way.ends());
    let mut stable = own & safe[0] & safe[1] & safe[2] & safe[3];
    loop {
        let mut next = own;
        for (way, safe) in Way::ALL.into_iter().zip(safe) {
            next &= safe | way.beside(stable);
        }
        next |= stable;
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::discs;
    use crate::rng::Rng;

    fn board(rows: [&str; 8]) -> (u64, u64) {
        let bits = |disc| {
            let points = rows.iter().flat_map(|row| row.bytes()).enumerate();
            points.filter(|&(_, byte)| byte == disc).fold(0, |bits, (at, _)| bits | 1 << at)
        };
        (bits(b'X'), bits(b'O'))
    }

    #[test]
    fn discs_behind_a_corner_are_stable() {
        let (own, other) = board([
            "XXX.....", //
            "XX......", "X.......", "........", "...OX...", "...XO...", "........", ".......O",
        ]);
        assert_eq!(stable(own, other), 0b0000_0001_0000_0011_0000_0111);
        assert_eq!(stable(other, own), 1 << 63);
    }

    #[test]
    fn a_full_board_is_stable_and_a_full_row_alone_is_not() {
        let (own, other) = (0x0F0F_0F0F_0F0F_0F0F, 0xF0F0_F0F0_F0F0_F0F0);
        assert_eq!((stable(own, other), stable(other, own)), (own, other));
        assert_eq!(stable(0xFF << 24, 0), 0);
        assert_eq!(stable(0xFF, 0), 0xFF, "on the edge the row is the only way");
    }

    #[test]
    fn full_lines_are_found_as_by_looking_at_each() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..2_000 {
            let taken = rng.bits() | rng.bits() | rng.bits() | rng.bits();
            for (way, steps) in Way::ALL.into_iter().zip([(1, 0), (0, 1), (1, -1), (1, 1)]) {
                for point in 0..64i32 {
                    let is_full = line(point, steps).all(|at| taken >> at & 1 != 0);
                    assert_eq!(way.full(taken) >> point & 1 != 0, is_full);
                }
            }
        }
    }

    /// The points of the line through `point`, by column and row steps.
    fn line(point: i32, (dx, dy): (i32, i32)) -> impl Iterator<Item = i32> {
        let (x, y) = (point % 8, point / 8);
        let on_board = |n: i32| (0..8).contains(&n);
        let at = move |n: i32| (x + n * dx, y + n * dy);
        (-7..8).map(at).filter(move |&(x, y)| on_board(x) && on_board(y)).map(|(x, y)| 8 * y + x)
    }

    #[test]
    fn stable_discs_stay_to_the_end_of_random_games() {
        let mut rng = Rng::from_seed(2);
        let mut seen = 0;
        for _ in 0..300 {
            let (mut own, mut other) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
            let (mut own_stable, mut other_stable) = (0u64, 0u64);
            for _ in 0..120 {
                let mut moves = discs::moves(own, other);
                if moves != 0 {
                    for _ in 0..rng.below(moves.count_ones()) {
                        moves &= moves - 1;
                    }
                    let at = moves & moves.wrapping_neg();
                    let flips = discs::flips(own, other, at);
                    (own, other) = (own | flips | at, other ^ flips);
                }
                own_stable |= stable(own, other);
                other_stable |= stable(other, own);
                assert_eq!((own_stable & !own, other_stable & !other), (0, 0));
                (own, other) = (other, own);
                (own_stable, other_stable) = (other_stable, own_stable);
            }
            seen += own_stable.count_ones();
        }
        assert!(seen > 5_000, "{seen}");
    }
}
