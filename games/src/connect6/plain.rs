//! The evaluation as it is described, window by window and line by line: the slow twin of what is played.

use crate::evaluation::EVALUATION_MAX;
use crate::game::Game;
use crate::line::{LineRules, segments};
use crate::types::Move;

use super::evaluation::{
    RANK_OTHER, RANK_OWN, UrgentWindows, patterns_worth, segments_worth, urgent_windows,
};
use super::patterns::Scores;
use super::{Connect6, Connect6Rules};

const SIX: usize = Connect6Rules::LENGTH;

pub(super) fn value(position: &Connect6) -> i32 {
    let (side, tally) = (position.side_to_move(), segments::tally(position));
    let sides = [side, !side];
    let [own, other] = sides.map(|of| segments_worth(&tally[of.index()]));
    let scores = Scores::installed();
    // A line without a stone is worth the same to both sides.
    let lines = position.lines().filter(|line| line.stones != [0, 0]);
    let lines = lines.map(|line| {
        let [own, other] = sides.map(|of| line.stones[of.index()]);
        patterns_worth(scores, (own, other), line.length)
            - patterns_worth(scores, (other, own), line.length)
    });
    let value = own - other + lines.sum::<i64>();
    value.clamp(-i64::from(EVALUATION_MAX), i64::from(EVALUATION_MAX)) as i32
}

/// What must be played: six, or what keeps the other side from six in its next turn.
pub(super) fn urgent(position: &Connect6, moves: &mut Vec<Move>) {
    let Some(UrgentWindows { side, least }) = urgent_windows(position, &segments::tally(position))
    else {
        return;
    };
    let points = (0..position.size().area()).map(Move::point).filter(|&at| position.is_legal(at));
    let is_in = |stones: u8| (least..SIX).contains(&usize::from(stones));
    moves.extend(points.filter(|&at| {
        position.windows_through(at).any(|window| window.alone(side).is_some_and(is_in))
    }));
}

/// What a stone adds to its own windows and takes from the other side's.
pub(super) fn rank(position: &Connect6, mv: Move) -> i32 {
    let side = position.side_to_move();
    let of = |table: &[i32; 6], stones: u8| table[usize::from(stones).min(SIX - 1)];
    position
        .windows_through(mv)
        .map(|window| match (window.alone(side), window.alone(!side)) {
            (Some(1..), _) | (Some(0), None) => {
                window.alone(side).map_or(0, |stones| of(&RANK_OWN, stones))
            }
            (Some(0), Some(_)) => of(&RANK_OWN, 0),
            (None, Some(stones)) => of(&RANK_OTHER, stones),
            (None, None) => 0,
        })
        .sum()
}
