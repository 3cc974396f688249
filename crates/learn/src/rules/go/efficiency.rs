//! Worth of moves that the rules allow, beside each other: IGE = LTE ∪ PTE.
//!
//! "Most efficient among all good moves" is nothing that a proof could decide, so moves are ranked. The source
//! does not spell its letters out; here they are read as follows.
//! - LTE, learned efficiency: the points that the move is proven to win, two for each stone of the opponent that
//!   dies or is taken (the stone and the point under it). It comes from what the rules' proofs rest on.
//! - PTE, pattern efficiency: the share that the learned table behind the tree's priors gives the move among
//!   all legal ones. It comes from the shape around the move alone.
//! - IGE, the union: every move that either judges is in the ranking. What is proven comes first, in points;
//!   shape decides among moves that win as much.

use banyan_games::go::Go;
use banyan_games::{Game, Move, Record};
use banyan_knowledge::Knowledge;
use serde::Serialize;

use super::facts::point_name;

/// Worth of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Efficiency {
    /// The move as the theory names it.
    pub point: String,
    /// Points won for certain, count (LTE).
    pub learned: u32,
    /// Share among all legal moves by shape, 0 to 1 (PTE).
    pub pattern: f32,
}

/// The good moves of a position, the most efficient first.
///
/// - `good`: moves that the rules allow, each with the stones of the opponent that die.
pub fn ranking(record: &Record<Go>, good: &[(Move, u32)]) -> Vec<Efficiency> {
    let position = record.position();
    let (mut moves, mut weights) = (Vec::new(), Vec::new());
    position.legal_moves(&mut moves);
    position.priors(&moves, &mut weights);
    let total: f32 = weights.iter().sum();
    let share = |mv: Move| {
        let at = moves.iter().position(|&it| it == mv);
        at.and_then(|at| weights.get(at)).map_or(0.0, |weight| weight / total)
    };
    let mut ranked: Vec<Efficiency> = good
        .iter()
        .map(|&(mv, stones)| Efficiency {
            point: point_name(position, mv),
            learned: 2 * stones,
            pattern: share(mv),
        })
        .collect();
    ranked.sort_by(|one, other| {
        let by_proof = other.learned.cmp(&one.learned);
        by_proof.then(other.pattern.total_cmp(&one.pattern))
    });
    ranked
}
