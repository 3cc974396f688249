//! Positions of Connect6 as networks see them: encoding 2, which begins with the planes of
//! [encoding 1](crate::line::planes).
//!
//! What a stone would make is seen for the empty points near a stone, along each line by the most own stones that a
//! window of six through the point would then have, none of them the other side's: four or five are a threat, which
//! the next turn would fill, a double one where no single stone stops it; a three is wide in three windows or more, as
//! is a two.
//!
//! | plane | set on |
//! |---|---|
//! | 0 to 9 | as in encoding 1 |
//! | 10 to 19 | empty points by what a stone of the own side would make, below |
//! | 20 to 29 | the same of the foe's |
//!
//! | plane of a side | a stone would make |
//! |---|---|
//! | 0 | a double threat on one line |
//! | 1 | threats on two lines or more |
//! | 2 | a threat and a three on another line |
//! | 3, 4 | a wide three, an ordinary one |
//! | 5 | threes on two lines or more |
//! | 6, 7 | a wide two, an ordinary one |
//! | 8, 9 | twos or more on two lines or more, on three or more |

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use banyan_games::Game as _;
use banyan_games::connect6::Connect6;

use crate::line;
use crate::line::lines::{LOOKS, Lines, WAYS, each_bit};
use crate::planes::{Encoding, Planes};

use super::mix::best_windows;

/// Encoding of positions by this file.
pub const ENCODING: Encoding<'static> = Encoding {
    game: "connect6",
    version: 2,
    planes: OF_SIDE[1] + KINDS,
    globals: line::planes::GLOBALS,
    before: &[(1, line::planes::PLANES)],
};

/// Planes of what a side's stone would make, count.
const KINDS: usize = 10;

/// First of them, by whose stone it is: own, foe.
const OF_SIDE: [usize; 2] = [line::planes::PLANES, line::planes::PLANES + KINDS];

/// Makes planes and globals of a position.
pub fn encode(position: &Connect6, planes: &mut Planes) {
    planes.clear(&ENCODING, position.size());
    line::planes::put(position, planes);
    let width = usize::from(position.size().width);
    let lines = Lines::of(position);
    let sides = [position.side_to_move(), !position.side_to_move()].map(|side| side.index());
    for (row, near) in position.near_rows().into_iter().enumerate() {
        each_bit(near, |column| {
            let looks: [_; WAYS] = std::array::from_fn(|way| lines.looks(way, (row, column)));
            for (first, side) in OF_SIDE.into_iter().zip(sides) {
                let made = looks.map(|looks| MADE[usize::from(looks[side])]);
                let kinds = kinds_of(made);
                let set = (0..KINDS).filter(|kind| kinds >> kind & 1 == 1);
                set.for_each(|kind| planes.planes[first + kind].set(row * width + column));
            }
        });
    }
}

/// What a stone makes on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Made {
    /// Less than a two.
    Little,
    Two,
    WideTwo,
    Three,
    WideThree,
    Threat,
    DoubleThreat,
}

/// By what stands around.
static MADE: LazyLock<Box<[Made]>> = LazyLock::new(|| (0..LOOKS as u16).map(made_where).collect());

fn made_where(look: u16) -> Made {
    // Among the stones of a window is the one that is put there.
    let Some((beside, windows)) = best_windows(look) else { return Made::Little };
    match (beside + 1, windows) {
        (6, _) | (5, 2..) | (4, 3..) => Made::DoubleThreat,
        (5 | 4, _) => Made::Threat,
        (3, 3..) => Made::WideThree,
        (3, _) => Made::Three,
        (2, 3..) => Made::WideTwo,
        (2, _) => Made::Two,
        _ => Made::Little,
    }
}

/// The planes of a side that a point is on, a bit each.
#[inline(always)]
fn kinds_of(made: [Made; WAYS]) -> u16 {
    let count =
        |kinds: RangeInclusive<Made>| made.iter().filter(|made| kinds.contains(made)).count();
    let threats = count(Made::Threat..=Made::DoubleThreat);
    let threes = count(Made::Three..=Made::WideThree);
    let any = count(Made::Two..=Made::DoubleThreat);
    let on: [bool; KINDS] = [
        made.contains(&Made::DoubleThreat),
        threats > 1,
        threats > 0 && threes > 0,
        made.contains(&Made::WideThree),
        made.contains(&Made::Three),
        threes > 1,
        made.contains(&Made::WideTwo),
        made.contains(&Made::Two),
        any > 1,
        any > 2,
    ];
    on.into_iter().rev().fold(0, |kinds, on| kinds << 1 | u16::from(on))
}

#[cfg(test)]
mod tests {
    use banyan_games::connect6::Connect6Rules;
    use banyan_games::{Color, Move};

    use super::*;
    use crate::line::mix::marked;

    #[test]
    fn what_a_stone_makes_on_a_line_by_hand() {
        let made = |marks: &str| made_where(marked(marks));
        assert_eq!(made("..xxx....."), Made::DoubleThreat, "an open four");
        assert_eq!(made("o.xxx....."), Made::Threat, "two windows, and a point in both");
        assert_eq!(made("ooxxx....."), Made::Threat, "shut on one side");
        assert_eq!(made(".xxxx....."), Made::DoubleThreat, "a five with two ends");
        assert_eq!(made("oxxxx.oooo"), Made::Threat);
        assert_eq!(made("...xx....."), Made::WideThree);
        assert_eq!(made("oooxx....o"), Made::Three);
        assert_eq!(made("....x....."), Made::WideTwo);
        assert_eq!(made("oooox....o"), Made::Two);
        assert_eq!(made(".........."), Made::Little);
        assert_eq!(made("ooxxx.oooo"), Made::Little, "no room for six");
    }

    fn encoded(stones: [&str; 2], to_move: Color) -> (Connect6, Planes) {
        let rules = Connect6Rules::new(19).expect("a size");
        let position =
            Connect6::with_stones(&rules, stones, to_move).expect("points that are free");
        let mut planes = Planes::default();
        encode(&position, &mut planes);
        (position, planes)
    }

    #[test]
    fn planes_are_by_side_and_by_lines_together() {
        // Black's three in a row and two in a column meet at f8; White's are three in a corner.
        let stones = ["g8 h8 i8 f9 f10", "a19 b19 c19 s1"];
        for (to_move, black) in [(Color::Black, 0), (Color::White, 1)] {
            let (position, planes) = encoded(stones, to_move);
            let on = |point, side: usize| -> Vec<usize> {
                let Move(point) = position.parse_move(point).expect("a point");
                let is_on =
                    |kind: &usize| planes.planes[OF_SIDE[side] + kind].has(usize::from(point));
                (0..KINDS).filter(is_on).collect()
            };
            assert_eq!(on("f8", black), [0, 2, 3, 8], "a double threat and a three");
            assert_eq!(on("f8", 1 - black), [0; 0]);
            assert_eq!(on("d19", 1 - black), [0; 0], "a threat that one stone stops");
            assert_eq!(on("d19", black), [0; 0]);
            assert_eq!(on("b18", 1 - black), [7, 8], "twos on two lines");
        }
    }

    #[test]
    fn it_begins_with_encoding_1() {
        let (position, planes) = encoded(["g8 h8 i8", "j8 f9"], Color::White);
        let mut before = Planes::default();
        before.clear(&line::planes::encoding("connect6"), position.size());
        line::planes::put(&position, &mut before);
        let earlier = ENCODING.earlier().next().expect("one version before");
        assert_eq!(planes.planes[..earlier.planes], before.planes);
        assert_eq!(planes.globals, before.globals);
    }
}
