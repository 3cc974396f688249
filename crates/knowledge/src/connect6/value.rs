//! The shapes of a line of Connect6, and what they are worth.
//!
//! # Source
//! S10: value = A · patterns + B · segments with A = B = 1.

use banyan_games::line::LineRules;

use super::patterns::{Pattern, ROOM_MAX};
use banyan_games::connect6::Connect6Rules;

const SIX: usize = Connect6Rules::LENGTH;

/// Says each shape that one side has on a line.
pub(super) fn shapes((own, other): (u32, u32), length: usize, found: &mut impl FnMut(Pattern)) {
    groups(own, other, length, &mut |stones, room| found(Pattern::of(stones, room)));
}

/// The groups of stones on a line, each with its room: stones so near that a window can hold two
/// neighbours, and the points around them that a window with one of them can reach. A line that is empty
/// and long enough is one group without a stone.
fn groups(own: u32, other: u32, length: usize, found: &mut impl FnMut(u32, usize)) {
    let mut start = 0;
    while start < length {
        let rest = other >> start;
        let room = (rest.trailing_zeros() as usize).min(length - start);
        if room >= SIX {
            groups_of_room(own >> start & ones(room), room, found);
        }
        start += room + 1;
    }
}

/// So many low bits.
fn ones(count: usize) -> u32 {
    (1u64 << count).wrapping_sub(1) as u32
}

fn groups_of_room(stones: u32, room: usize, found: &mut impl FnMut(u32, usize)) {
    if stones == 0 {
        found(0, room.min(ROOM_MAX));
    }
    let mut left = stones;
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let mut last = first;
        while last < room && (left >> last & ones(SIX)) & !1 != 0 {
            last += 1 + ((left >> last & ones(SIX)) >> 1).trailing_zeros() as usize;
        }
        let from = first.saturating_sub(SIX - 1);
        let to = room.min(last + SIX).min(from + ROOM_MAX);
        found(left >> from & ones(to - from), to - from);
        left &= !ones(last + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect6::plain::urgent;
    use banyan_games::connect6::Connect6;
    use banyan_games::game::Game as _;
    use banyan_games::types::Color;

    fn position((black, white): (&str, &str), side: Color) -> Connect6 {
        let rules = Connect6Rules::new(19).expect("a size");
        Connect6::with_stones(&rules, [black, white], side).expect("free points")
    }

    #[test]
    fn a_line_falls_into_groups_with_the_room_that_their_windows_reach() {
        let line = |text: &str| {
            let bits = |wanted: u8| {
                let hit = text.bytes().enumerate().filter(move |&(_, byte)| byte == wanted);
                hit.fold(0u32, |bits, (at, _)| bits | 1 << at)
            };
            let mut found = Vec::new();
            groups(bits(b'x'), bits(b'o'), text.len(), &mut |stones, room| {
                found.push((stones, room));
            });
            found
        };
        assert_eq!(line("..xx..o....x"), [(0b1100, 6)]);
        assert_eq!(line("..................."), [(0, ROOM_MAX)]);
        assert_eq!(line("x.....x............"), [(1, 6), (1 << 5, 11)]);
        assert_eq!(line("x....x............."), [(0b10_0001, 11)]);
        assert_eq!(line("oxxxxxo"), []);
    }

    /// The shapes of a side on every line, the empty ones with them.
    fn counted(position: &Connect6, side: Color) -> [u16; Pattern::COUNT] {
        let mut counts = [0; Pattern::COUNT];
        for line in position.lines() {
            let [own, other] = [side, !side].map(|of| line.stones[of.index()]);
            shapes((own, other), line.length, &mut |pattern| counts[pattern as usize] += 1);
        }
        counts
    }

    #[test]
    fn a_position_s_shapes_are_those_of_its_lines() {
        // One stone in the middle: a live one each way; every other line of both sides is empty, White's too, but
        // for the four through the stone, which leave her two rooms each.
        let one = position(("k10", ""), Color::Black);
        let of = |lines: u16, own: u16| {
            let mut counts = [0; Pattern::COUNT];
            (counts[Pattern::V as usize], counts[Pattern::L1 as usize]) = (lines, own);
            counts
        };
        // 19 rows and columns, 27 slants each way that are six long or longer.
        assert_eq!(counted(&one, Color::Black), of(2 * 19 + 2 * 27 - 4, 4));
        assert_eq!(counted(&one, Color::White), of(2 * 19 + 2 * 27 + 4, 0));
    }

    #[test]
    fn urgent_is_what_makes_six_or_keeps_the_other_side_from_it() {
        let texts = |position: &Connect6| {
            let mut moves = Vec::new();
            urgent(position, &mut moves);
            let texts = moves.iter().map(|&mv| position.move_text(mv));
            texts.collect::<Vec<_>>().join(" ")
        };
        let stones = ("f8 g8 h8 i8", "a1 a5");
        assert_eq!(texts(&position(stones, Color::Black)), "d8", "one point of six");
        assert_eq!(texts(&position(stones, Color::White)), "d8 e8", "those of one window");
        assert_eq!(texts(&position(("f8 g8 h8", "a1 a5"), Color::White)), "");
        let mut second = position(("f8 g8 h8 i8", "a1 a5"), Color::Black);
        second.play(second.parse_move("s19").expect("a point"));
        assert_eq!(texts(&second), "", "one stone more makes five");
    }
}
