//! What stands around a point on a line, as one side sees it.

use crate::line::lines::{BESIDE, SIGHT};

/// A digit of a look: an own stone.
pub(crate) const OWN: u16 = 1;

/// The other side's stone, or no point of the board.
pub(crate) const TAKEN: u16 = 2;

/// The points of a line beside one, from one end to the other.
pub(crate) fn digits(look: u16) -> [u16; BESIDE] {
    std::array::from_fn(|at| look / 3u16.pow(at as u32) % 3)
}

/// The look of such points.
fn look_of(digits: [u16; BESIDE]) -> u16 {
    digits.iter().rev().fold(0, |look, digit| 3 * look + digit)
}

/// What stands around a point, seen from the other end of the line.
fn mirrored(look: u16) -> u16 {
    let mut digits = digits(look);
    digits.reverse();
    look_of(digits)
}

/// One look for all of which the same counts to who wants so many in a row: what lies beyond a point that is not to
/// be had does not, nor which end is which, nor anything where there is no room for so many.
pub(crate) fn what_counts(look: u16, length: usize) -> u16 {
    let mut digits = digits(look);
    let (before, after) = digits.split_at_mut(SIGHT);
    let room = 1 + reach(before.iter_mut().rev()) + reach(after.iter_mut());
    if room < length {
        digits = [TAKEN; BESIDE];
    }
    let look = look_of(digits);
    look.min(mirrored(look))
}

/// How far one sees; what lies beyond is taken.
fn reach<'a>(digits: impl Iterator<Item = &'a mut u16>) -> usize {
    let (mut seen, mut is_open) = (0, true);
    for digit in digits {
        is_open &= *digit != TAKEN;
        if is_open {
            seen += 1;
        } else {
            *digit = TAKEN;
        }
    }
    seen
}

/// A look from marks: `x` own, `o` taken, `.` empty; the point itself is not among them.
#[cfg(test)]
pub(crate) fn marked(marks: &str) -> u16 {
    look_of(std::array::from_fn(|at| match marks.as_bytes()[at] {
        b'x' => OWN,
        b'o' => TAKEN,
        _ => 0,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::lines::LOOKS;

    #[test]
    fn a_look_mirrored_twice_is_itself() {
        assert!((0..LOOKS as u16).all(|look| mirrored(mirrored(look)) == look));
        assert_eq!(mirrored(1), 3u16.pow(BESIDE as u32 - 1));
        assert!((0..LOOKS as u16).all(|look| look_of(digits(look)) == look));
    }

    #[test]
    fn looks_are_alike_where_what_counts_is() {
        let is_alike = |a: &str, b: &str| what_counts(marked(a), 6) == what_counts(marked(b), 6);
        assert!(is_alike("xxo..x....", "o.o..x...."), "beyond the other side's stone");
        assert!(is_alike("xxo..x....", "....x..ooo"), "from the other end");
        assert!(!is_alike("xo...x....", "oo..xx...."));
        assert!(is_alike("ooox..xoxx", "oooooo.ooo"), "no room for six");
        assert!(!is_alike("oox....oxx", "oooooooooo"), "just enough");
        for (length, count) in [(5, 1_991), (6, 1_949)] {
            let all: std::collections::BTreeSet<u16> =
                (0..LOOKS as u16).map(|look| what_counts(look, length)).collect();
            assert_eq!(all.len(), count);
            assert!(all.iter().all(|&look| what_counts(look, length) == look));
        }
    }
}
