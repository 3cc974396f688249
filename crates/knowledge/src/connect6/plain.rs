//! The evaluation as it is described, window by window and line by line: the slow twin of what is played.

use crate::evaluation::EVALUATION_MAX;
use banyan_games::game::Game;
use banyan_games::line::{LineRules, segments};
use banyan_games::types::{Color, Move};
use banyan_kernels::rows::DIRECTIONS;

use super::order::{Order, Prospect};
use super::patterns::{Clock, Scores};
use super::urgent::UrgentWindows;
use super::value::shapes;
use banyan_games::connect6::{Connect6, Connect6Rules};

const SIX: usize = Connect6Rules::LENGTH;

pub(super) fn value(scores: &Scores, position: &Connect6) -> i32 {
    let tally = segments::tally(position);
    let windows = tally.map(|of| std::array::from_fn(|stones| of[stones] as u16));
    let mut worth = [0; Clock::COUNT];
    // A line without a stone is worth the same to both sides.
    for line in position.lines().filter(|line| line.stones != [0, 0]) {
        for side in Color::BOTH {
            let stones = (line.stones[side.index()], line.stones[(!side).index()]);
            shapes(stones, line.length, &mut |pattern| {
                let each = worth.iter_mut().zip(scores.of(side, pattern));
                each.for_each(|(sum, score)| *sum += score);
            });
        }
    }
    let value = scores.value(Clock::of(position), &worth, &windows);
    value.clamp(-i64::from(EVALUATION_MAX), i64::from(EVALUATION_MAX)) as i32
}

/// Moves that must be played: six, or what keeps the other side from six in its next turn.
pub(super) fn urgent(position: &Connect6, moves: &mut Vec<Move>) {
    let tally = segments::tally(position);
    let windows = tally.map(|of| std::array::from_fn(|stones| of[stones] as u16));
    let Some(UrgentWindows { side, least }) = UrgentWindows::of(position, &windows) else { return };
    let points = (0..position.size().area()).map(Move::point).filter(|&at| position.is_legal(at));
    let is_in = |stones: u8| (least..SIX).contains(&usize::from(stones));
    moves.extend(points.filter(|&at| {
        position.windows_through(at).any(|window| window.alone(side).is_some_and(is_in))
    }));
}

/// The logit of a move by its prospects, window by window.
pub(super) fn rank(position: &Connect6, mv: Move) -> i32 {
    let width = isize::from(position.size().width);
    let (row, column) = (mv.0 as isize / width, mv.0 as isize % width);
    let side = position.side_to_move();
    let prospects = DIRECTIONS.map(|(down, right)| {
        let at = |n: isize| (row + n * down, column + n * right);
        let stones_of = |first: isize, color: Color| {
            let points: Vec<_> = (first..first + SIX as isize).map(at).collect();
            let is_on = |&(row, column): &(isize, isize)| {
                (0..width).contains(&row) && (0..width).contains(&column)
            };
            let stone =
                |(row, column)| position.stone(Move::point((row * width + column) as usize));
            let is_free = points.iter().all(is_on)
                && points.iter().all(|&point| stone(point) != Some(!color));
            is_free.then(|| points.iter().filter(|&&point| stone(point) == Some(color)).count())
        };
        [side, !side].map(|color| {
            Prospect::of_windows((1 - SIX as isize..=0).filter_map(|first| stones_of(first, color)))
        })
    });
    Order::learned().logit(usize::from(position.plies_left()), &prospects)
}
