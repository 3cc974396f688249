//! Points of fixed handicap stones.
//!
//! # Source
//! `fixed_handicap` of the Go Text Protocol, version 2.

use crate::types::Move;

/// The points of `count` fixed handicap stones on a board of `side`, or nothing where the protocol
/// allows no such number: 2 to 9 on odd boards from 9 up, 2 to 4 on even ones from 8 up and on 7x7.
pub(super) fn points(side: usize, count: u32) -> Option<Vec<Move>> {
    let most = match side {
        ..7 => return None,
        7 => 4,
        side if side % 2 == 0 => 4,
        _ => 9,
    };
    if !(2..=most).contains(&count) {
        return None;
    }
    let line = if side < 13 { 2 } else { 3 };
    let (low, middle, high) = (line, side / 2, side - 1 - line);
    // (row from the top, column): corners from the lower left, then sides, each in pairs.
    let corners = [(high, low), (low, high), (low, low), (high, high)];
    let sides = [(middle, low), (middle, high), (high, middle), (low, middle)];
    let mut stones: Vec<_> = corners.into_iter().chain(sides).collect();
    let with_centre = count >= 5 && count % 2 == 1;
    stones.truncate(count as usize - usize::from(with_centre));
    if with_centre {
        stones.push((middle, middle));
    }
    Some(stones.into_iter().map(|(row, column)| Move::point(row * side + column)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::types::Size;

    fn named(side: u8, count: u32) -> Option<String> {
        let texts = points(usize::from(side), count)?
            .into_iter()
            .map(|mv| Notation::Go.format(mv, Size::square(side)));
        Some(texts.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn the_stones_stand_where_the_protocol_puts_them() {
        assert_eq!(named(19, 2).as_deref(), Some("D4 Q16"));
        assert_eq!(named(19, 3).as_deref(), Some("D4 Q16 D16"));
        assert_eq!(named(19, 5).as_deref(), Some("D4 Q16 D16 Q4 K10"));
        assert_eq!(named(19, 6).as_deref(), Some("D4 Q16 D16 Q4 D10 Q10"));
        assert_eq!(named(19, 7).as_deref(), Some("D4 Q16 D16 Q4 D10 Q10 K10"));
        assert_eq!(named(19, 8).as_deref(), Some("D4 Q16 D16 Q4 D10 Q10 K4 K16"));
        assert_eq!(named(9, 9).as_deref(), Some("C3 G7 C7 G3 C5 G5 E3 E7 E5"));
        assert_eq!(named(13, 2).as_deref(), Some("D4 K10"));
    }

    #[test]
    fn sizes_without_a_centre_or_room_take_fewer_stones() {
        for (side, most) in [(6, 0), (7, 4), (8, 4), (9, 9), (10, 4), (19, 9), (24, 4), (25, 9)] {
            for count in 0..12 {
                let allowed = (2..=most).contains(&count);
                assert_eq!(points(side, count).is_some(), allowed, "{count} on {side}");
            }
        }
    }
}
