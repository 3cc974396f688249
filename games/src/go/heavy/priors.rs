//! What the tree believes of moves before it has tried them: the weights of playouts, and what playouts
//! do without, lines and distances.

use super::super::position::Go;
use super::board::Board;
use super::for_side;
use super::heat::weigh;
use super::weights::{Distance, ONE, Weights};
use crate::types::Move;

/// How much likelier a move is on the first, second and third line where no stone is near.
/// Source: matches, docs/strength.md.
const LINES: [f32; 3] = [0.1, 0.5, 1.5];

/// How much likelier a move is two and three steps from the last stone, further ones being 1.
/// Source: matches, docs/strength.md.
const STEPS: [f32; 2] = [2.0, 1.5];

/// A pass is rarely good before the end.
const PASS: f32 = 0.1;

/// No move is believed to be hopeless: proportions stay within the range of an `f32`.
const WEIGHT_MIN: f32 = 0.002;

/// Weighs candidates of a position; see [`crate::Game::priors`].
pub(in crate::go) fn priors(game: &Go, moves: &[Move], weights: &mut Vec<f32>) {
    for_side!(game.layout.side(), weigh_all(game, moves, weights));
}

fn weigh_all<const W: usize, const N: usize>(game: &Go, moves: &[Move], weights: &mut Vec<f32>) {
    let (side, table) = (game.side, Weights::learned());
    let board = Board::<W, N>::new(game);
    let answers = board.answers(side);
    let of = |mv: &Move| {
        let Some(point) = mv.index() else { return PASS };
        let on_board = (point < board.layout.area()).then(|| board.vertex(point));
        let Some(v) = on_board.filter(|&v| board.empty.contains(v)) else { return WEIGHT_MIN };
        let distance = if answers.near.contains(v) { Distance::Near } else { Distance::Far };
        let answering = answers.iter().filter(|&(at, _)| at == v).map(|(_, factor)| factor);
        let weight = weigh(&board, table, (side, v, distance));
        let weight = answering
            .chain(board.self_atari(side, v))
            .fold(weight, |weight, factor| table.times(weight, factor));
        let place = line_weight(&board, v, point) * step_weight(&board, v);
        (weight as f32 / ONE as f32 * place).max(WEIGHT_MIN)
    };
    weights.clear();
    weights.extend(moves.iter().map(of));
}

/// The weight of a point's line, 1 where a stone is within two steps.
fn line_weight<const W: usize, const N: usize>(board: &Board<W, N>, v: usize, point: usize) -> f32 {
    let side = board.layout.side();
    let (row, column) = (point / side, point % side);
    let line = row.min(column).min(side - 1 - row).min(side - 1 - column);
    let around = board.squares(board.square(v));
    let is_open = !around.intersects(board.stones[0] | board.stones[1]);
    LINES.get(line).copied().filter(|_| is_open).unwrap_or(1.0)
}

/// The weight of a point's distance to the last stone, in steps of a king.
fn step_weight<const W: usize, const N: usize>(board: &Board<W, N>, v: usize) -> f32 {
    let Some(last) = board.last else { return 1.0 };
    let mut around = board.square(last);
    if around.contains(v) {
        return 1.0;
    }
    for weight in STEPS {
        around = board.squares(around);
        if around.contains(v) {
            return weight;
        }
    }
    1.0
}
