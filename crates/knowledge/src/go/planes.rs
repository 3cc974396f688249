//! Positions of Go as networks see them: encoding 2, which begins with the planes of encoding 1.
//!
//! "Own" is the side to move, so that one network serves both colours. Every plane is 0 where nothing is
//! said, and off the board. A position knows its last two stones and no more of its past; points that
//! superko alone forbids look free.
//!
//! | plane | set on |
//! |---|---|
//! | 0 | all points |
//! | 1, 2 | own stones, foe stones |
//! | 3, 4, 5 | own stones of chains with 1, 2, 3 liberties |
//! | 6, 7, 8 | the same of the foe's |
//! | 9 | the point that a ko forbids |
//! | 10 | the stone of the last ply; nothing after a pass |
//! | 11 | the own stone before it; nothing after a pass |
//! | 12 | candidates: legal points that fill no own one-point eye |
//! | 13 | own chains in atari that are lost even with the move |
//! | 14 | own chains of two liberties that a ladder catches if the foe begins |
//! | 15 | foe chains in atari that would be lost even with the move |
//! | 16 | foe chains of two liberties that a ladder catches |
//! | 17 | points that begin such a ladder |
//! | 18 to 29 | of the own side, below |
//! | 30 to 41 | the same of the foe's |
//!
//! | plane of a side | set on |
//! |---|---|
//! | 0, 1, 2 | stones of chains with 4, with 5 or 6, with 7 to 9 liberties |
//! | 3, 4 | stones of chains next to one eye, to more |
//! | 5 to 8 | rooms with up to 4, with 5 to 8, 9 to 14, 15 to 24 empty points |
//! | 9, 10 | rooms with one eye, with more |
//! | 11 | chains that cannot be taken even if their side passes for ever, and the regions that make it so |
//!
//! An eye is a connected region of empty points that stones of one colour alone border on; a room is a connected part of
//! the board without stones of the other colour, in which the side has stones: where these must live, unless they break
//! out.
//!
//! | global, in 1/256 | is |
//! |---|---|
//! | 0 | komi for the side to move, in 16 points |
//! | 1 | 1 where the points of the board and the whole points of komi are both even or both odd |
//! | 2 | points a side, in 20 |
//! | 3 | 1 after a pass |

use banyan_games::go::{Go, Points};
use banyan_games::types::Color;
use banyan_games::{Game, Move};
use banyan_kernels::bits::Bits;
use banyan_kernels::in_words;

use super::groups::Groups;
use super::ladder::Ladder;
use crate::planes::{Encoding, Plane, Planes};

/// Encoding of positions by this file.
pub const ENCODING: Encoding<'static> =
    Encoding { game: "go", version: 2, planes: 42, globals: 4, before: &[(1, 18)] };

/// First plane of a side's chains and rooms, by whose it is: own, foe.
const OF_SIDE: [usize; 2] = [18, 30];

/// One of a global.
const ONE: i16 = 256;

/// Makes planes and globals of a position.
pub fn encode(position: &Go, planes: &mut Planes) {
    planes.clear(&ENCODING, position.size());
    put_globals(position, &mut planes.globals);
    let put = Put { position, planes: &mut planes.planes };
    put.all();
}

fn put_globals(position: &Go, globals: &mut [i16]) {
    let komi = position.rules().komi();
    let side = position.layout().side();
    globals[0] = match position.side_to_move() {
        Color::Black => -8 * komi,
        Color::White => 8 * komi,
    };
    let whole_points = i32::from(komi).div_euclid(2);
    let is_even = (whole_points + (side * side) as i32).rem_euclid(2) == 0;
    globals[1] = if is_even { ONE } else { 0 };
    globals[2] = (side * usize::from(ONE.unsigned_abs()) / 20) as i16;
    globals[3] = if position.passes() > 0 { ONE } else { 0 };
}

/// A position on its way into planes.
struct Put<'a> {
    position: &'a Go,
    planes: &'a mut [Plane],
}

impl Put<'_> {
    fn all(mut self) {
        let position = self.position;
        let [own, foe] = self.sides().map(|side| position.stones()[side.index()]);
        self.planes[0] = Plane::full(position.layout().area());
        self.put(1, own);
        self.put(2, foe);
        in_words!(position.layout(), W => self.put_chains::<W>());
        for (plane, bit) in [(9, position.ko()), (10, position.last()), (11, position.before())] {
            self.put(plane, bit.map_or(Points::EMPTY, Bits::one));
        }
        let mut candidates = Vec::with_capacity(position.layout().area() + 1);
        position.candidates(&mut candidates);
        candidates.into_iter().filter_map(Move::index).for_each(|at| self.planes[12].set(at));
    }

    fn sides(&self) -> [Color; 2] {
        [self.position.side_to_move(), !self.position.side_to_move()]
    }

    fn put<const W: usize>(&mut self, plane: usize, set: Bits<W>) {
        let layout = self.position.layout();
        set.iter().for_each(|bit| self.planes[plane].set(layout.point(bit)));
    }

    /// Puts what follows from chains and their liberties.
    fn put_chains<const W: usize>(&mut self) {
        let layout = self.position.layout();
        let (full, stride) = (layout.full().narrow::<W>(), layout.stride());
        let stones = self.position.stones().map(|stones| stones.narrow::<W>());
        let mut ladder = Ladder::new(stones, full, stride);
        let groups = Groups::new(stones, full, stride);
        for (foe, side) in self.sides().into_iter().enumerate() {
            for chain in &groups.chains[side.index()] {
                let (chain, liberties) = (chain.stones, chain.liberties.len() as usize);
                if (1..=3).contains(&liberties) {
                    self.put(3 * foe + 2 + liberties, chain);
                }
                if liberties == 1 && ladder.is_caught(side, chain) {
                    self.put(2 * foe + 13, chain);
                }
                if liberties == 2 {
                    self.put_hunted((foe, chain), ladder.catches(side, chain));
                }
            }
            self.put_groups(OF_SIDE[foe], &groups, side);
        }
    }

    /// Puts a side's chains and rooms, from this plane on.
    fn put_groups<const W: usize>(&mut self, first: usize, groups: &Groups<W>, side: Color) {
        for chain in &groups.chains[side.index()] {
            let place = match chain.liberties.len() {
                4 => Some(0),
                5 | 6 => Some(1),
                7..=9 => Some(2),
                _ => None,
            };
            place.into_iter().for_each(|place| self.put(first + place, chain.stones));
            match groups.eyes_of(side, chain) {
                0 => {}
                1 => self.put(first + 3, chain.stones),
                _ => self.put(first + 4, chain.stones),
            }
        }
        for room in groups.rooms[side.index()].iter().filter(|room| room.has_stones) {
            let place = match room.empty {
                ..=4 => Some(5),
                5..=8 => Some(6),
                9..=14 => Some(7),
                15..=24 => Some(8),
                _ => None,
            };
            place.into_iter().for_each(|place| self.put(first + place, room.points));
            match room.eyes {
                0 => {}
                1 => self.put(first + 9, room.points),
                _ => self.put(first + 10, room.points),
            }
        }
        self.put(first + 11, groups.alive(side));
    }

    /// A chain of two liberties, and those of them where a ladder begins that catches it.
    fn put_hunted<const W: usize>(&mut self, (foe, chain): (usize, Bits<W>), from: Bits<W>) {
        if from.is_empty() {
            return;
        }
        self.put(2 * foe + 14, chain);
        if foe == 1 {
            self.put(17, from);
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::GoRules;
    use banyan_games::{Color, Rng};

    use super::*;
    use crate::go::groups::tests::CORNER_AND_SIDE;
    use crate::go::tests::diagram;

    fn encoded(position: &Go) -> Planes {
        let mut planes = Planes::default();
        encode(position, &mut planes);
        planes
    }

    fn points(planes: &Planes, plane: usize) -> Vec<usize> {
        planes.planes[plane].points().collect()
    }

    /// Black to move: White's stone in the middle is caught in a ladder, Black's two in the corner are in
    /// atari and lost.
    const LADDER: &str = "
        X O . . . . .
        X O . . . . .
        . O . X . . .
        . . X O . . .
        . . . . X . .
        . . . . . . .
        . . . . . . .";

    #[test]
    fn planes_of_a_position_by_hand() {
        let mut position = diagram(LADDER);
        let planes = encoded(&position);
        assert_eq!(points(&planes, 0).len(), 49);
        assert_eq!(points(&planes, 1), [0, 7, 17, 23, 32]);
        assert_eq!(points(&planes, 2), [1, 8, 15, 24]);
        assert_eq!(points(&planes, 3), [0, 7]);
        assert_eq!(points(&planes, 7), [24]);
        assert_eq!(points(&planes, 13), [0, 7]);
        assert_eq!(points(&planes, 14), Vec::<usize>::new());
        assert_eq!(points(&planes, 16), [24]);
        assert!(points(&planes, 17).contains(&25), "{:?}", points(&planes, 17));
        assert_eq!(points(&planes, 10), Vec::<usize>::new());
        assert_eq!(points(&planes, 12).len(), 49 - 9);
        // 7.5 points against Black, 7 and 49 both odd, 7/20.
        assert_eq!(planes.globals, [-120, 256, 89, 0]);
        position.play(Move::point(25));
        position.play(Move::PASS);
        let planes = encoded(&position);
        assert_eq!((points(&planes, 10), points(&planes, 11)), (vec![], vec![25]));
        assert_eq!(planes.globals[3], 256);
    }

    #[test]
    fn chains_eyes_and_rooms_by_hand() {
        let mut position = diagram(CORNER_AND_SIDE);
        // Black's corner has two eyes, the four stones on the right one; White's wall is next to two regions of her
        // own, the stones below it to one.
        let corner = vec![1, 3, 7, 8, 9, 10];
        let wall = vec![4, 11, 14, 15, 16, 17, 18, 19, 26, 27];
        let below = vec![29, 32, 39, 46];
        let rooms = [vec![0, 1, 2, 3, 7, 8, 9, 10], vec![33, 34, 40, 41, 47, 48]];
        let black_or_eye = rooms.concat();
        let outside: Vec<usize> = (0..49).filter(|point| !black_or_eye.contains(point)).collect();
        let mut both = black_or_eye;
        both.sort_unstable();
        let black = [
            vec![],
            vec![],
            vec![],
            vec![33, 34, 40, 47],
            corner,
            both,
            vec![],
            vec![],
            vec![],
            rooms[1].clone(),
            rooms[0].clone(),
            rooms[0].clone(),
        ];
        let none = Vec::new;
        let white = [
            below.clone(),
            none(),
            wall.clone(),
            below,
            wall,
            none(),
            none(),
            none(),
            outside.clone(),
            none(),
            outside,
            none(),
        ];
        for sides in [[&black, &white], [&white, &black]] {
            let planes = encoded(&position);
            for (first, side) in OF_SIDE.into_iter().zip(sides) {
                for (at, wanted) in side.iter().enumerate() {
                    assert_eq!(points(&planes, first + at), *wanted, "plane {}", first + at);
                }
            }
            position.set_side_to_move(Color::White).expect("a side may play twice");
        }
    }

    #[test]
    fn a_ko_is_a_point_of_its_own() {
        let mut position = diagram(
            ". X O . . . .
             X . X O . . .
             . X O . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        position.set_side_to_move(Color::White).expect("a side may play twice");
        position.play(Move::point(8));
        assert_eq!(points(&encoded(&position), 9), [9]);
        assert_eq!(points(&encoded(&position), 10), [8]);
    }

    #[test]
    fn a_game_with_colours_exchanged_looks_the_same_but_for_komi() {
        for (side, seed) in [(7, 1), (9, 2), (13, 3), (19, 4), (25, 5)] {
            let rules = GoRules::new(side, 14).expect("a size of Go");
            let (mut game, mut rng) = (Go::new(&rules), Rng::from_seed(seed));
            let mut other = game.clone();
            other.set_side_to_move(Color::White).expect("a side may begin");
            for _ in 0..300 {
                let mut moves = Vec::new();
                game.candidates(&mut moves);
                let Some(last) = moves.len().checked_sub(1) else { break };
                // Passes last, and seldom.
                let mv = moves[rng.below(last.max(1) as u32) as usize];
                game.play(mv);
                other.play(mv);
                let (planes, exchanged) = (encoded(&game), encoded(&other));
                assert_eq!(planes.planes, exchanged.planes);
                assert_eq!(planes.globals[0], -exchanged.globals[0]);
                assert_eq!(planes.globals[1..], exchanged.globals[1..]);
            }
        }
    }
}
