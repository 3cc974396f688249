//! Positions of Gomoku as networks see them: encoding 2, which begins with the planes of
//! [encoding 1](crate::line::planes).
//!
//! What a stone would make is seen for the empty points near a stone, the variant's overlines and Renju's forbidden
//! points counted in. A four is one point from a five, an open four so in two ways; a three is one point from an open
//! four, a wide three so in two ways or more; a two is one point from a three.
//!
//! | plane | set on |
//! |---|---|
//! | 0 to 9 | as in encoding 1 |
//! | 10 to 21 | empty points by what a stone of the own side would make, below |
//! | 22 to 33 | the same of the foe's |
//!
//! | plane of a side | a stone would make |
//! |---|---|
//! | 0 | an open four |
//! | 1 | a four, and no open one |
//! | 2 | fours on two lines or more |
//! | 3 | a four and a three on another line |
//! | 4, 5 | a wide three, an ordinary one |
//! | 6 | threes on two lines or more |
//! | 7 | a shut three, one point from a four |
//! | 8, 9 | a wide two, an ordinary one |
//! | 10 | twos on two lines or more |
//! | 11 | a shut two, one point from a shut three |

use std::sync::LazyLock;

use banyan_games::Game as _;
use banyan_games::gomoku::{Gomoku, Variant};

use super::board::Board;
use super::shapes::{Crossing, Shape};
use crate::line;
use crate::planes::{Encoding, Planes};

/// Encoding of positions by this file.
pub const ENCODING: Encoding<'static> = Encoding {
    game: "gomoku",
    version: 2,
    planes: OF_SIDE[1] + KINDS,
    globals: line::planes::GLOBALS,
    before: &[(1, line::planes::PLANES)],
};

/// Planes of what a side's stone would make, count.
const KINDS: usize = 12;

/// First of them, by whose stone it is: own, foe.
const OF_SIDE: [usize; 2] = [line::planes::PLANES, line::planes::PLANES + KINDS];

/// Makes planes and globals of a position.
pub fn encode(position: &Gomoku, planes: &mut Planes) {
    planes.clear(&ENCODING, position.size());
    line::planes::put(position, planes);
    let is = |variant| if position.rules().variant() == variant { line::planes::ONE } else { 0 };
    planes.globals[2] = is(Variant::Standard);
    planes.globals[3] = is(Variant::Renju);
    let width = usize::from(position.size().width);
    let sides = [position.side_to_move(), !position.side_to_move()].map(|side| side.index());
    Board::of(position).each_near(|(row, column), crossings| {
        for (first, side) in OF_SIDE.into_iter().zip(sides) {
            let kinds = usize::from(KINDS_OF[crossings[side].index()]);
            let set = (0..KINDS).filter(|kind| kinds >> kind & 1 == 1);
            set.for_each(|kind| planes.planes[first + kind].set(row * width + column));
        }
    });
}

/// The planes of a side that a crossing is on, a bit each.
static KINDS_OF: LazyLock<Box<[u16]>> =
    LazyLock::new(|| (0..Crossing::COUNT).map(|at| kinds_of(Crossing::of_index(at))).collect());

fn kinds_of(crossing: Crossing) -> u16 {
    let shapes = crossing.sorted();
    let count = |kinds: &[Shape]| shapes.iter().filter(|shape| kinds.contains(shape)).count();
    let has = |kind| count(&[kind]) > 0;
    let fours = count(&[Shape::OpenFour, Shape::ShutFour]);
    let threes = count(&[Shape::WideThree, Shape::OpenThree]);
    let twos = count(&[Shape::WideTwo, Shape::OpenTwo]);
    let on: [bool; KINDS] = [
        has(Shape::OpenFour),
        fours > 0 && !has(Shape::OpenFour),
        fours > 1,
        fours > 0 && threes > 0,
        has(Shape::WideThree),
        has(Shape::OpenThree),
        threes > 1,
        has(Shape::ShutThree),
        has(Shape::WideTwo),
        has(Shape::OpenTwo),
        twos > 1,
        has(Shape::ShutTwo),
    ];
    (0..KINDS).filter(|&kind| on[kind]).fold(0, |kinds, kind| kinds | 1 << kind)
}

#[cfg(test)]
mod tests {
    use banyan_games::gomoku::GomokuRules;
    use banyan_games::{Color, Move};

    use super::*;

    fn encoded(variant: Variant, stones: [&str; 2], to_move: Color) -> Planes {
        let rules = GomokuRules::new(15, 15, variant).expect("a size");
        let position = Gomoku::with_stones(&rules, stones, to_move).expect("points that are free");
        let mut planes = Planes::default();
        encode(&position, &mut planes);
        planes
    }

    /// The planes of the side to move and of the other one that a point is on, without those of twos.
    fn on(planes: &Planes, point: &str) -> [Vec<usize>; 2] {
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        let Move(point) = Gomoku::new(&rules).parse_move(point).expect("a point");
        OF_SIDE.map(|first| {
            let is_on = |kind: &usize| planes.planes[first + kind].has(usize::from(point));
            (0..8).filter(is_on).collect()
        })
    }

    #[test]
    fn what_a_stone_would_make_by_hand() {
        // Three in a row of Black's, two of hers in a column that its end meets, three shut ones of White's.
        let stones = ["g8 h8 i8 f6 f7 a4", "a15 b15 c15"];
        for (to_move, black) in [(Color::Black, 0), (Color::White, 1)] {
            let planes = encoded(Variant::Freestyle, stones, to_move);
            let side = |point, side: usize| on(&planes, point)[side].clone();
            assert_eq!(
                side("f8", black),
                [0, 3, 4],
                "an open four, and a three that has room on both sides"
            );
            assert_eq!(side("j8", black), [0]);
            assert_eq!(side("k8", black), [1]);
            assert_eq!(side("f9", black), [5], "a gap between");
            assert_eq!(side("d15", 1 - black), [1]);
            assert_eq!(side("e15", 1 - black), [1]);
            assert_eq!(side("d15", black), [0; 0]);
            assert_eq!(side("b14", 1 - black), [0; 0]);
        }
    }

    #[test]
    fn two_lines_count_together() {
        let fours = encoded(Variant::Freestyle, ["g8 h8 i8 f9 f10 f11", "j8 f12 a1"], Color::Black);
        assert_eq!(on(&fours, "f8")[0], [1, 2]);
        let threes = encoded(Variant::Freestyle, ["g8 h8 f9 f10", "a1 a15 o1"], Color::Black);
        assert!(on(&threes, "f8")[0].contains(&6));
        // Two threes are forbidden to Black of Renju.
        let renju = encoded(Variant::Renju, ["g8 h8 f9 f10", "a1 a15 o1"], Color::Black);
        assert_eq!(on(&renju, "f8")[0], [0; 0]);
        assert!(renju.planes[9].points().count() > 0);
    }

    #[test]
    fn it_begins_with_encoding_1() {
        let planes = encoded(Variant::Standard, ["g8 h8 i8", "j8 f9"], Color::White);
        let rules = GomokuRules::new(15, 15, Variant::Standard).expect("a size");
        let position = Gomoku::with_stones(&rules, ["g8 h8 i8", "j8 f9"], Color::White);
        let mut before = Planes::default();
        before.clear(&line::planes::encoding("gomoku"), rules.size());
        line::planes::put(&position.expect("points that are free"), &mut before);
        let &[(_, count)] = ENCODING.before else { panic!("one version before") };
        assert_eq!(planes.planes[..count], before.planes);
        assert_eq!(planes.globals, [0, 128, 256, 0]);
    }
}
