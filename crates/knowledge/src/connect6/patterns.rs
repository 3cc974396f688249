//! The fourteen shapes of Connect6.
//!
//! # Source
//! S10; Wu & Huang 2006 for what is live and what is dead: how many stones it
//! takes to shut a shape once it has four stones.

use std::sync::LazyLock;

/// Points of a line that one shape may take up, at most: a longer one is judged by its first so many.
pub(super) const ROOM_MAX: usize = 16;

/// Stones that win.
pub(super) const SIX: usize = 6;

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Pattern {
    C6,
    DW,
    L5,
    D5,
    L4,
    D4,
    L3,
    S3,
    D3,
    L2,
    D2,
    L1,
    D1,
    V,
}

impl Pattern {
    /// Kinds of shapes.
    pub const COUNT: usize = 14;

    /// All, with their names.
    pub const ALL: [(Pattern, &str); Pattern::COUNT] = [
        (Pattern::C6, "C6"),
        (Pattern::DW, "DW"),
        (Pattern::L5, "L5"),
        (Pattern::D5, "D5"),
        (Pattern::L4, "L4"),
        (Pattern::D4, "D4"),
        (Pattern::L3, "L3"),
        (Pattern::S3, "S3"),
        (Pattern::D3, "D3"),
        (Pattern::L2, "L2"),
        (Pattern::D2, "D2"),
        (Pattern::L1, "L1"),
        (Pattern::D1, "D1"),
        (Pattern::V, "V"),
    ];

    /// The shape of some stones (bits) on `room` points, 6 to [`ROOM_MAX`], that the other side has none of.
    pub fn of(stones: u32, room: usize) -> Pattern {
        static TABLES: LazyLock<Vec<Vec<Pattern>>> =
            LazyLock::new(|| (0..=ROOM_MAX).map(table).collect());
        TABLES[room][stones as usize]
    }
}

/// The shapes of all stones on so many points.
fn table(room: usize) -> Vec<Pattern> {
    if room < SIX {
        return Vec::new();
    }
    // With more stones first: a shape of few is what it becomes with one more.
    let mut shut_by = vec![0; 1 << room];
    let mut all: Vec<u32> = (0..1 << room).collect();
    all.sort_by_key(|stones| std::cmp::Reverse(stones.count_ones()));
    for &stones in &all {
        shut_by[stones as usize] = if fullest(stones, room) >= 4 {
            stones_to_shut(stones, room)
        } else {
            let fuller = |bit: &u32| fullest(stones | bit, room) > fullest(stones, room);
            let bits = (0..room).map(|at| 1 << at).filter(|bit| stones & bit == 0).filter(fuller);
            bits.map(|bit| shut_by[(stones | bit) as usize]).max().unwrap_or(0)
        };
    }
    (0..1 << room).map(|stones| pattern(stones, room, shut_by[stones as usize])).collect()
}

fn pattern(stones: u32, room: usize, shut_by: u32) -> Pattern {
    let fullest = fullest(stones, room);
    match (fullest, shut_by) {
        (SIX.., _) => Pattern::C6,
        (4 | 5, 3..) => Pattern::DW,
        (5, 2) => Pattern::L5,
        (5, _) => Pattern::D5,
        (4, 2) => Pattern::L4,
        (4, _) => Pattern::D4,
        (3, 2..) => Pattern::L3,
        (3, _)
            if windows(room).filter(|window| (stones & window).count_ones() == 3).count() > 1 =>
        {
            Pattern::S3
        }
        (3, _) => Pattern::D3,
        (2, 2..) => Pattern::L2,
        (2, _) => Pattern::D2,
        (1, 2..) => Pattern::L1,
        (1, _) => Pattern::D1,
        (0, _) => Pattern::V,
    }
}

/// Six points in a row each, as bits.
fn windows(room: usize) -> impl Iterator<Item = u32> {
    (0..=room - SIX).map(|start| 0b11_1111 << start)
}

/// Stones in the window that has most.
fn fullest(stones: u32, room: usize) -> usize {
    windows(room).map(|window| (stones & window).count_ones() as usize).max().unwrap_or(0)
}

/// Counts the stones that the other side needs so that no window with four or more is left: from one end, each as
/// far along as it can be.
fn stones_to_shut(stones: u32, room: usize) -> u32 {
    let (mut shut, mut count) = (0u32, 0);
    for window in windows(room) {
        if (stones & window).count_ones() >= 4 && shut & window == 0 {
            let empty = window & !stones;
            if empty == 0 {
                continue;
            }
            shut |= 1 << empty.ilog2();
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drawing of a line: `x` for a stone, `.` for an empty point.
    fn shape(line: &str) -> Pattern {
        let bits = line.bytes().enumerate().filter(|&(_, byte)| byte == b'x');
        Pattern::of(bits.fold(0, |stones, (at, _)| stones | 1 << at), line.len())
    }

    #[test]
    fn shapes_are_live_when_it_takes_two_stones_to_shut_their_four() {
        let expected = [
            ("xxxxxx", Pattern::C6),
            (".xxxxxx.", Pattern::C6),
            ("..xxxx..", Pattern::L4),
            (".xxxx..", Pattern::D4),
            ("xxxx..", Pattern::D4),
            (".xxxxx.", Pattern::L5),
            ("xxxxx.", Pattern::D5),
            ("..xxx...", Pattern::L3),
            ("xxx...", Pattern::D3),
            (".xxx...", Pattern::S3),
            ("...xx...", Pattern::L2),
            ("xx....", Pattern::D2),
            ("....x....", Pattern::L1),
            ("x.....", Pattern::D1),
            ("......", Pattern::V),
            ("xx..xx..xx..xx", Pattern::DW),
            ("xx..xx..xx", Pattern::L4),
        ];
        for (line, pattern) in expected {
            assert_eq!(shape(line), pattern, "{line}");
        }
    }
}
