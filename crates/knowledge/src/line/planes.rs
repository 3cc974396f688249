//! Positions of games of lines as networks see them: encoding 1 of Gomoku and of Connect6, with which their encoding 2
//! begins ([Gomoku's](crate::gomoku::planes), [Connect6's](crate::connect6::planes)).
//!
//! "Own" is the side to move. A window is as many points in a row as win; it is a side's where the other
//! has no stone in it.
//!
//! | plane | set on |
//! |---|---|
//! | 0 | all points |
//! | 1, 2 | own stones, foe stones |
//! | 3, 4, 5 | empty points of own windows that lack one, two, three stones |
//! | 6, 7, 8 | the same of the foe's |
//! | 9 | empty points that are forbidden to the side to move |
//!
//! | global, in 1/256 | is |
//! |---|---|
//! | 0 | 1 where Black is to move |
//! | 1 | plies that the side to move has left in its turn, in 2 |
//! | 2, 3 | Gomoku: 1 where exactly five win; 1 for Renju |

use banyan_games::line::{LineRules, Position, Windows};
use banyan_games::{Color, Game, Move};

use crate::planes::{Encoding, Plane, Planes};

/// Planes, count.
pub(crate) const PLANES: usize = 10;

/// Globals, count.
pub(crate) const GLOBALS: usize = 4;

/// The encoding of positions of a game by this file.
pub const fn encoding(game: &'static str) -> Encoding<'static> {
    Encoding { game, version: 1, planes: PLANES, globals: GLOBALS, before: &[] }
}

/// One of a global.
pub(crate) const ONE: i16 = 256;

/// Windows that lack up to so many stones have planes.
const LACK_MAX: u8 = 3;

/// Puts the planes and globals of a position where there is nothing yet; those of the variant are left to the game.
pub(crate) fn put<R: LineRules>(position: &Position<R>, planes: &mut Planes) {
    let area = position.size().area();
    let side = position.side_to_move();
    let windows = Windows::of(position);
    planes.planes[0] = Plane::full(area);
    for (foe, color) in [side, !side].into_iter().enumerate() {
        put_stones(position, color, &mut planes.planes[1 + foe]);
        for lack in 1..=LACK_MAX {
            let plane = &mut planes.planes[2 + 3 * foe + usize::from(lack)];
            let found = windows.alone(color, R::LENGTH as u8 - lack);
            let empties = found.flat_map(|window| windows.empties(window).collect::<Vec<_>>());
            empties.filter_map(Move::index).for_each(|point| plane.set(point));
        }
    }
    let forbidden = (0..area)
        .map(Move::point)
        .filter(|&point| windows.is_empty(point) && !windows.allows(side, point));
    planes.planes[9] = forbidden.filter_map(Move::index).collect();
    planes.globals[0] = if side == Color::Black { ONE } else { 0 };
    planes.globals[1] = ONE / 2 * i16::from(position.plies_left());
}

fn put_stones<R: LineRules>(position: &Position<R>, color: Color, plane: &mut Plane) {
    let width = usize::from(position.size().width);
    for (row, &stones) in position.rows(color).iter().enumerate() {
        super::lines::each_bit(stones, |column| plane.set(row * width + column));
    }
}
