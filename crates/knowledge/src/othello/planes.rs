//! Positions of Othello as networks see them: encoding 1.
//!
//! "Own" is the side to move.
//!
//! | plane | set on |
//! |---|---|
//! | 0 | all squares |
//! | 1, 2 | own discs, foe discs |
//! | 3, 4 | squares that the side to move, the foe may play on |
//! | 5, 6 | own, foe discs that nobody can turn any more, as far as they are found |
//! | 7 | empty squares of regions with an odd number of them |
//!
//! | global, in 1/256 | is |
//! |---|---|
//! | 0 | own discs less foe discs, in 32 |
//! | 1 | empty squares, in 32 |

use banyan_games::Game;
use banyan_games::othello::Othello;
use banyan_games::othello::discs::moves;
use banyan_games::othello::stability::stable;

use super::regions::regions;
use crate::planes::{Encoding, Plane, Planes};

/// Encoding of positions by this file.
pub const ENCODING: Encoding<'static> =
    Encoding { game: "othello", version: 1, planes: 8, globals: 2, before: &[] };

/// Makes planes and globals of a position.
pub fn encode(position: &Othello, planes: &mut Planes) {
    planes.clear(&ENCODING, position.size());
    let (own, foe) = position.own_and_other();
    let empty = !(own | foe);
    let sets = [
        u64::MAX,
        own,
        foe,
        moves(own, foe),
        moves(foe, own),
        stable(own, foe),
        stable(foe, own),
        odd_regions(empty),
    ];
    for (plane, set) in planes.planes.iter_mut().zip(sets) {
        *plane = points(set);
    }
    planes.globals[0] = 8 * (own.count_ones() as i16 - foe.count_ones() as i16);
    planes.globals[1] = 8 * empty.count_ones() as i16;
}

fn points(set: u64) -> Plane {
    (0..64).filter(|square| set >> square & 1 == 1).collect()
}

/// Squares of the regions, joined along rows and columns, that have an odd number of them.
fn odd_regions(empty: u64) -> u64 {
    let odd = regions(empty).filter(|region| region.count_ones() % 2 == 1);
    odd.fold(0, |all, region| all | region)
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::OthelloRules;

    use super::*;

    #[test]
    fn planes_of_the_start_by_hand() {
        let mut planes = Planes::default();
        let mut position = Othello::new(&OthelloRules);
        encode(&position, &mut planes);
        let points = |planes: &Planes, plane: usize| -> Vec<usize> {
            planes.planes[plane].points().collect()
        };
        // Black on e4 and d5 moves to d3, c4, f5, e6.
        assert_eq!(points(&planes, 1), [28, 35]);
        assert_eq!(points(&planes, 2), [27, 36]);
        assert_eq!(points(&planes, 3), [19, 26, 37, 44]);
        assert_eq!(points(&planes, 4), [20, 29, 34, 43]);
        assert!(points(&planes, 7).is_empty(), "60 empty squares hang together");
        assert_eq!(planes.globals, [0, 480]);
        position.play(banyan_games::Move(19));
        encode(&position, &mut planes);
        assert_eq!(points(&planes, 7).len(), 59);
        assert_eq!(planes.globals, [-24, 472]);
    }

    #[test]
    fn regions_do_not_reach_around_the_edge() {
        // h1 and a2 are next to each other in the word, and not on the board.
        assert_eq!(odd_regions(1 << 7 | 1 << 8), 1 << 7 | 1 << 8);
        assert_eq!(odd_regions(1 << 7 | 1 << 15), 0);
    }
}
