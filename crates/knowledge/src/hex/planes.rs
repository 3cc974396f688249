//! Positions of Hex as networks see them: encoding 1.
//!
//! "Own" is the side to move. The board lies so that it joins top and bottom: for White rows and columns
//! change places, which leaves alone who touches whom.
//!
//! | plane | set on |
//! |---|---|
//! | 0 | all points |
//! | 1, 2 | own stones, foe stones |
//! | 3, 4 | own stones joined to the top, to the bottom |
//! | 5, 6 | foe stones joined to the left, to the right |
//!
//! | global, in 1/256 | is |
//! |---|---|
//! | 0 | points a side, in 20 |

use banyan_games::hex::Hex;
use banyan_games::{Color, Game, Move};

use crate::planes::{Encoding, Plane, Planes};

/// Encoding of positions for networks.
pub const ENCODING: Encoding<'static> =
    Encoding { game: "hex", version: 1, planes: 7, globals: 1, before: &[] };

/// Makes planes and globals of a position.
pub fn encode(position: &Hex, planes: &mut Planes) {
    planes.clear(&ENCODING, position.size());
    let side = usize::from(position.size().width);
    planes.is_turned = position.side_to_move() == Color::White;
    let [own, foe] = [position.side_to_move(), !position.side_to_move()];
    let stones = |color| -> Vec<bool> {
        let points = 0..side * side;
        points.map(|at| position.stone(Move::point(planes.point(at))) == Some(color)).collect()
    };
    let [own, foe] = [own, foe].map(stones);
    let at_edge = |edge: fn(usize, usize) -> (usize, usize), nth| {
        let (row, column) = edge(nth, side - 1);
        row * side + column
    };
    let joined = |stones: &[bool], edge: fn(usize, usize) -> (usize, usize)| {
        flood(stones, side, (0..side).map(|nth| at_edge(edge, nth)))
    };
    let all = [
        Plane::full(side * side),
        points(&own),
        points(&foe),
        joined(&own, |nth, _| (0, nth)),
        joined(&own, |nth, last| (last, nth)),
        joined(&foe, |nth, _| (nth, 0)),
        joined(&foe, |nth, last| (nth, last)),
    ];
    planes.planes.copy_from_slice(&all);
    planes.globals[0] = (side * 256 / 20) as i16;
}

fn points(set: &[bool]) -> Plane {
    (0..set.len()).filter(|&at| set[at]).collect()
}

/// The stones that hang together with those among `seeds`.
fn flood(stones: &[bool], side: usize, seeds: impl Iterator<Item = usize>) -> Plane {
    let mut reached = vec![false; stones.len()];
    let mut left: Vec<usize> = seeds.filter(|&at| stones[at]).collect();
    while let Some(at) = left.pop() {
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        let (row, column) = (at / side, at % side);
        // The neighbours of a point: to the right of that above, to the left of that below.
        let (up, down) = (row.checked_sub(1), Some(row + 1).filter(|&it| it < side));
        let (before, after) = (column.checked_sub(1), Some(column + 1).filter(|&it| it < side));
        let (row, column) = (Some(row), Some(column));
        let near = [(up, column), (up, after), (row, before), (row, after), (down, before)];
        let near = near.into_iter().chain([(down, column)]);
        let near = near.filter_map(|(row, column)| Some(row? * side + column?));
        left.extend(near.filter(|&at| stones[at] && !reached[at]));
    }
    points(&reached)
}

#[cfg(test)]
mod tests {
    use banyan_games::hex::HexRules;

    use super::*;

    fn position(side: u32, moves: &[u16]) -> Hex {
        let mut position = Hex::new(&HexRules::new(side).expect("a size of Hex"));
        moves.iter().for_each(|&at| position.play(Move(at)));
        position
    }

    fn encoded(position: &Hex) -> Planes {
        let mut planes = Planes::default();
        encode(position, &mut planes);
        planes
    }

    fn points_of(planes: &Planes, plane: usize) -> Vec<usize> {
        planes.planes[plane].points().collect()
    }

    #[test]
    fn planes_of_a_position_by_hand() {
        // Black on b1, a2 (which touches it) and d4; White on a3 and g7.
        let position = position(7, &[1, 14, 7, 48, 24, 40]);
        let planes = encoded(&position);
        assert_eq!(points_of(&planes, 1), [1, 7, 24]);
        assert_eq!(points_of(&planes, 3), [1, 7]);
        assert_eq!(points_of(&planes, 4), Vec::<usize>::new());
        assert_eq!(points_of(&planes, 5), [14]);
        assert_eq!(points_of(&planes, 6), [48]);
        assert_eq!(planes.globals, [89]);
    }

    #[test]
    fn white_sees_what_black_would_on_the_board_turned() {
        let black = encoded(&position(7, &[1, 14, 7, 48]));
        let turned = |at: u16| at % 7 * 7 + at / 7;
        // The same with colours and coordinates exchanged.
        let mut white = position(7, &[]);
        white
            .set_up(
                &[
                    (Color::White, Move(turned(1))),
                    (Color::Black, Move(turned(14))),
                    (Color::White, Move(turned(7))),
                    (Color::Black, Move(turned(48))),
                ],
                Color::White,
            )
            .expect("free points");
        let white = encoded(&white);
        assert!(white.is_turned && !black.is_turned);
        assert_eq!(white.planes, black.planes);
        assert_eq!(white.globals, black.globals);
    }
}
