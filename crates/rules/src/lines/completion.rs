//! A rule's shape on a board, with anything around it that the rule does not care about.

use banyan_games::line::{Position, Windows};
use banyan_games::{Color, Game, Move, Rng};
use banyan_proofs::threats::explain::Explained;
use banyan_proofs::threats::rules::{Content, Rule};

/// Images of a rule.
const SYMMETRIES: u32 = 8;

/// Puts a rule on a board in one of its images, with other stones around it: `percent` of the other points, three of
/// four of them the other side's; nothing where the rule does not hold among them, or somebody has won.
pub fn completion<R: Explained>(
    rule: &Rule,
    rules: &R,
    percent: u32,
    rng: &mut Rng,
) -> Option<Position<R>> {
    let turned = rule.turned(rng.below(SYMMETRIES) as u8);
    let (size, (rows, columns)) = (rules.size(), turned.extent());
    let [height, width] = [size.height, size.width].map(i32::from);
    let place = |room: i32, rng: &mut Rng| (room >= 0).then(|| rng.below(room as u32 + 1) as i8);
    let top = place(height - i32::from(rows), rng)?;
    let left = place(width - i32::from(columns), rng)?;
    let point = |(row, column): (i8, i8)| (i32::from(row) * width + i32::from(column)) as usize;
    let attacker = if rng.below(2) == 0 { Color::Black } else { Color::White };
    let mut board: Vec<Option<Option<Color>>> = vec![None; size.area()];
    for cell in &turned.cells {
        board[point((top + cell.place.0, left + cell.place.1))] = Some(match cell.content {
            Content::Own => Some(attacker),
            Content::Empty => None,
        });
    }
    let mut stones = Vec::new();
    for (at, fixed) in board.into_iter().enumerate() {
        let stone = match fixed {
            Some(stone) => stone,
            None if rng.below(100) < percent => {
                Some(if rng.below(4) == 0 { attacker } else { !attacker })
            }
            None => None,
        };
        stones.extend(stone.map(|color| (color, Move::point(at))));
    }
    let mut position = Position::<R>::new(rules);
    position.set_up(&stones, attacker).ok()?;
    let is_open = position.outcome().is_none();
    (is_open && turned.holds(&Windows::of(&position), attacker, (top, left))).then_some(position)
}
