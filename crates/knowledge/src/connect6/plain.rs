//! The evaluation as it is described, window by window and line by line: the slow twin of what is played.

use crate::evaluation::EVALUATION_MAX;
use banyan_games::game::Game;
use banyan_games::line::{LineRules, segments};
use banyan_games::types::{Color, Move};
use banyan_kernels::rows::DIRECTIONS;

use crate::line::lines::Lines;

use super::order::{Order, Prospect};
use super::scores::{Clock, Scores};
use super::urgent::UrgentWindows;
use super::value::shapes;
use banyan_games::connect6::{Connect6, Connect6Rules};

const SIX: usize = Connect6Rules::LENGTH;

pub(super) fn value(scores: &Scores, position: &Connect6) -> i32 {
    let tally = segments::tally(position);
    let windows = tally.map(|of| std::array::from_fn(|stones| of[stones] as u16));
    let mut worth = [0; Clock::COUNT];
    // Lines without a stone count for nobody.
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

/// Moves that must be played: six, or what keeps the other side from six in its next turn. Windows are counted plainly
/// here; which of their points these are is tried out by tests of [`UrgentWindows`].
pub(super) fn urgent(position: &Connect6, moves: &mut Vec<Move>) {
    let tally = segments::tally(position);
    let windows = tally.map(|of| std::array::from_fn(|stones| of[stones] as u16));
    let Some(urgent) = UrgentWindows::of(position, &windows) else { return };
    let lines = (&Lines::of(position), position.size());
    let points = urgent.empty_points(lines, |_, _| true);
    urgent.moves(position, &points, moves);
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

mod tests {
    use super::*;

    /// No two of these are alike, so that a sum tells what was counted, and for whom.
    const SCORES: &str = "C6 0\nDW 0\nL5 0\nD5 0\nL4 0\nD4 0\nL3 0\nS3 0\nD3 0\nL2 0\nD2 0\n
        when moves two\nV 3\nL1 50\nD1 700\nsegments 1000 0 0 0 0 0
        when moves one\nV 4\nL1 60\nD1 800\nsegments 2000 0 0 0 0 0
        when waits two\nV 5\nL1 70\nD1 900\nsegments 3000 0 0 0 0 0
        when waits one\nV 6\nL1 80\nD1 600\nsegments 4000 0 0 0 0 0";

    #[test]
    fn a_stone_is_worth_what_it_says_there_to_who_moves_and_who_waits() {
        let scores = Scores::read(SCORES).expect("a whole file");
        let rules = Connect6Rules::new(19).expect("a size");
        // A stone in the middle: four live ones and 24 windows; it parts four lines into two rooms for the other side.
        for (stones, own) in [(["k10", ""], Color::Black), (["", "k10"], Color::White)] {
            let value = |side: Color, left| {
                let mut position =
                    Connect6::with_stones(&rules, stones, side).expect("free points");
                if left == 1 {
                    position.play(position.parse_move("a1").expect("a point"));
                }
                value(&scores, &position)
            };
            assert_eq!(value(own, 2), 4 * 50 + 24 * 1000 - 8 * 5);
            assert_eq!(value(!own, 2), 8 * 3 - (4 * 70 + 24 * 3000));
            // The first stone of the turn in a corner: three dead ones, a window each, and a room for the other side.
            assert_eq!(
                value(own, 1),
                4 * 60 + 3 * 800 + 27 * 2000 - (8 + 3) * 6,
                "who has the middle moves"
            );
            assert_eq!(
                value(!own, 1),
                8 * 4 + 3 * 800 + 3 * 2000 - (4 * 80 + 24 * 4000 + 3 * 6),
                "who has the middle waits"
            );
        }
    }
}
