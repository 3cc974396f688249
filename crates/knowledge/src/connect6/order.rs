//! Order of moves: what a stone makes, or takes from the other side, on each line through a point, weighed by what
//! was learned from games.
//!
//! On a line a stone has prospects: the most stones that it would join in a window which can still be
//! filled, and how many windows have so many. The logit of a move is a sum over its four lines, for either
//! side, by whether the turn has one more stone.

use std::sync::LazyLock;

use crate::digest::Digest;
use crate::evaluation::Ranked;
use crate::line::lines::{BESIDE, Lines, SIGHT, WAYS, digits};
use banyan_games::game::Game as _;
use banyan_games::line::LineRules as _;
use banyan_games::types::Move;

use banyan_games::connect6::{Connect6, Connect6Rules};

const SIX: usize = Connect6Rules::LENGTH;

const _: () = assert!(SIGHT == SIX - 1);

/// Windows from so many on are the same.
const WINDOWS_MAX: usize = 3;

/// A stone's prospect on one line, for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect(u8);

impl Prospect {
    /// Different prospects: none, and for 0 to 5 stones one, two, three or more windows.
    pub const COUNT: usize = 1 + SIX * WINDOWS_MAX;

    /// No window can be filled.
    pub const NONE: Prospect = Prospect(0);

    /// - `stones`: the most that a window has which can be filled, fewer than six.
    /// - `windows`: how many have so many, above 0.
    pub fn new(stones: usize, windows: usize) -> Prospect {
        debug_assert!(stones < SIX && windows > 0);
        Prospect((WINDOWS_MAX * stones + windows.min(WINDOWS_MAX)) as u8)
    }

    /// The prospect of the windows that can be filled, by the stones in them.
    pub(super) fn of_windows(stones: impl Iterator<Item = usize>) -> Prospect {
        let mut by_stones = [0; SIX];
        stones.for_each(|stones| by_stones[stones.min(SIX - 1)] += 1);
        let most = by_stones.iter().enumerate().rev().find(|&(_, &windows)| windows > 0);
        most.map_or(Prospect::NONE, |(stones, &windows)| Prospect::new(stones, windows))
    }

    /// The most stones that a window has which can be filled.
    pub fn stones(self) -> Option<usize> {
        Some(self.index().checked_sub(1)? / WINDOWS_MAX)
    }

    /// Below [`Prospect::COUNT`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The prospect of this number, below [`Prospect::COUNT`].
    pub fn of_index(index: usize) -> Prospect {
        debug_assert!(index < Prospect::COUNT);
        Prospect(index as u8)
    }
}

/// Stones of a window, and windows that have so many; `- -` for [`Prospect::NONE`].
impl std::fmt::Display for Prospect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.index().checked_sub(1) {
            None => write!(f, "- -"),
            Some(at) => write!(f, "{} {}", at / WINDOWS_MAX, at % WINDOWS_MAX + 1),
        }
    }
}

/// By line through a point: what the side to move's stone comes to, and what the other side's would.
pub type Prospects = [[Prospect; 2]; WAYS];

/// The surroundings of a position's empty points.
pub struct Sight<'a> {
    position: &'a Connect6,
    lines: Lines,
}

impl Sight<'_> {
    /// A look at a position.
    pub fn of(position: &Connect6) -> Sight<'_> {
        Sight { position, lines: Lines::of(position) }
    }

    /// Prospects of a stone on an empty point.
    pub fn prospects(&self, mv: Move) -> Prospects {
        let (side, at) = (self.position.side_to_move().index(), row_and_column(self.position, mv));
        std::array::from_fn(|way| {
            seen(&self.lines, way, at, side).map(|seen| Prospect(PROSPECTS[seen]))
        })
    }
}

fn row_and_column(position: &Connect6, mv: Move) -> (usize, usize) {
    let (point, width) = (usize::from(mv.0), usize::from(position.size().width));
    (point / width, point % width)
}

/// Around a point on a line, for the side to move and for the other one: [`digits`] of the side's stones,
/// and twice those of what it cannot have.
#[inline(always)]
fn seen(lines: &Lines, way: usize, at: (usize, usize), side: usize) -> [usize; 2] {
    let (stones, outside) = lines.around(way, at);
    let [own, other] = [stones[side], stones[1 - side]];
    [own + 2 * (other + outside), other + 2 * (own + outside)]
}

/// A window that begins at the first point of a line.
const ONE_WINDOW: usize = (1 << SIX) - 1;

/// Looks of a line around a point, count.
const LOOKS: usize = 3usize.pow(BESIDE as u32);

/// Prospects by what stands around: a digit in base three for each point, 1 for an own stone and 2 for what
/// is not to be had.
static PROSPECTS: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    let mut prospects = vec![0; LOOKS];
    for own in 0..1 << BESIDE {
        for taken in (0..1 << BESIDE).filter(|taken| taken & own == 0) {
            // The point itself, in the middle, is empty.
            let wide = |bits: usize| bits & ((1 << SIGHT) - 1) | bits >> SIGHT << (SIGHT + 1);
            let windows = (0..SIX).map(|first| ONE_WINDOW << first);
            let free = windows.filter(|window| wide(taken) & window == 0);
            let stones = free.map(|window| (wide(own) & window).count_ones() as usize);
            prospects[digits(own) + 2 * digits(taken)] = Prospect::of_windows(stones).0;
        }
    }
    prospects.into_boxed_slice()
});

/// Logits in hundredths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// By the stones that the turn has left (one, two), whose stone it is (the side's to move, the other's),
    /// and its prospect.
    logits: [[[i16; Prospect::COUNT]; 2]; 2],
}

/// Words for whose stone it is: the side's to move, or the other's.
pub const WHOSE: [&str; 2] = ["own", "other"];

const TEXT: &str = include_str!("order.txt");

/// The contents of the learned table.
pub(super) fn model() -> Digest {
    Digest::EMPTY.and(TEXT.as_bytes())
}

static LEARNED: LazyLock<Order> =
    LazyLock::new(|| Order::parse(TEXT).expect("the table is tested to be readable"));

/// The learned order by what stands around, see [`Order::logits`] and [`PROSPECTS`].
static BY_LOOK: LazyLock<[[Box<[i16]>; 2]; 2]> = LazyLock::new(|| {
    let by_look = |logits: &[i16; Prospect::COUNT]| {
        PROSPECTS.iter().map(|&prospect| logits[usize::from(prospect)]).collect()
    };
    LEARNED.logits.each_ref().map(|whose| whose.each_ref().map(by_look))
});

impl Order {
    /// The learned order.
    #[cfg(test)]
    pub(super) fn learned() -> &'static Order {
        &LEARNED
    }

    /// Reads lines of `LEFT WHOSE STONES WINDOWS LOGIT`: 1 or 2 stones left in the turn, `own` or `other`,
    /// what a window has and how many windows have it, and hundredths of a logit. `%` begins a remark; what
    /// is not named is 0. The error is the first line that cannot be read.
    fn parse(text: &str) -> Result<Order, String> {
        let mut order = Order { logits: [[[0; Prospect::COUNT]; 2]; 2] };
        for line in text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty()) {
            order.read(line).ok_or(line)?;
        }
        Ok(order)
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let [left, whose, stones, windows, logit] =
            line.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
        let left = ["1", "2"].iter().position(|&word| word == left)?;
        let whose = WHOSE.iter().position(|&word| word == whose)?;
        let number = |word: &str, to: usize| word.parse().ok().filter(|number| *number <= to);
        let stones = number(stones, SIX - 1)?;
        let windows = number(windows, WINDOWS_MAX).filter(|&windows| windows > 0)?;
        self.logits[left][whose][Prospect::new(stones, windows).index()] = logit.parse().ok()?;
        Some(())
    }

    /// The logit of a move with these prospects, in hundredths.
    ///
    /// - `left`: stones that the turn has left, 1 or 2.
    #[cfg(test)]
    pub(super) fn logit(&self, left: usize, prospects: &Prospects) -> i32 {
        let by_whose = &self.logits[left - 1];
        let of =
            |(whose, prospect): (usize, &Prospect)| i32::from(by_whose[whose][prospect.index()]);
        prospects.iter().flat_map(|line| line.iter().enumerate().map(of)).sum()
    }
}

/// Ranks empty points for the side to move.
pub(super) fn rank(lines: &Lines, position: &Connect6, moves: &mut [Ranked]) {
    let side = position.side_to_move().index();
    let [own, other] = &BY_LOOK[usize::from(position.plies_left()) - 1];
    for Ranked { mv, rank } in moves {
        let at = row_and_column(position, *mv);
        *rank = (0..WAYS)
            .map(|way| {
                let seen = seen(lines, way, at, side);
                i32::from(own[seen[0]]) + i32::from(other[seen[1]])
            })
            .sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prospects_are_the_fullest_windows_that_can_be_filled() {
        let rules = Connect6Rules::new(19).expect("a size");
        let stones = ["h10 i10 j10", "g10 k11"];
        let position =
            Connect6::with_stones(&rules, stones, banyan_games::Color::Black).expect("free");
        let of =
            |point: &str| Sight::of(&position).prospects(position.parse_move(point).expect("free"));
        // Right of the three: from h, i and j on a window has three, two and one of them.
        assert_eq!(of("k10")[0], [Prospect::new(3, 1), Prospect::new(0, 1)]);
        // Two points farther on there are two windows that have two, and one with all three.
        assert_eq!(of("m10")[0][0], Prospect::new(3, 1));
        assert_eq!(of("o10")[0], [Prospect::new(1, 1), Prospect::new(0, 3)]);
        // Left of White's stone there is one window that she could fill with it.
        assert_eq!(of("f10")[0], [Prospect::new(0, 1), Prospect::new(1, 1)]);
        assert_eq!(Prospect::of_windows([].into_iter()), Prospect::NONE);
    }

    #[test]
    fn a_broken_line_of_the_table_is_named() {
        let line = "2 own 3 1 57";
        let order = Order::parse(&format!("% remark\n{line}\n")).expect("readable");
        assert_eq!(order.logits[1][0][Prospect::new(3, 1).index()], 57);
        for broken in [
            "2 own 3 1",
            "3 own 3 1 5",
            "2 mine 3 1 5",
            "2 own 6 1 5",
            "2 own 3 0 5",
            "2 own 3 1 x",
        ] {
            assert_eq!(Order::parse(&format!("{line}\n{broken}")), Err(broken.to_owned()));
        }
    }

    #[test]
    fn the_table_that_is_installed_can_be_read() {
        assert!(Order::learned().logits.iter().flatten().flatten().any(|&logit| logit != 0));
    }
}
