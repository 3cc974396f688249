//! The evaluations of Othello, and the order of moves that all of them share.

use std::sync::{Arc, LazyLock};

use super::learned::{self, Followed};
use super::{stages, v47};
use crate::digest::Digest;
use crate::evaluation::{Accumulator, Evaluation, Ranked, rank_each};
use banyan_games::game::Game;
use banyan_games::othello::{Othello, discs};
use banyan_games::types::{Move, Outcome};

/// The evaluations of Othello, the best first.
pub(super) static ALL: LazyLock<[Arc<dyn Evaluation<Othello>>; 4]> = LazyLock::new(|| {
    [Arc::new(Patterns), Arc::new(Stages), Arc::new(V47::Letter), Arc::new(V47::WithRegions)]
});

/// Tables over patterns, learned.
#[derive(Debug)]
struct Patterns;

impl Evaluation<Othello> for Patterns {
    fn name(&self) -> &str {
        "patterns"
    }

    fn digest(&self) -> Digest {
        learned::model().and(self.name().as_bytes())
    }

    fn scale(&self) -> f32 {
        PATTERNS_SCALE
    }

    fn value(&self, position: &Othello) -> i32 {
        learned::value(position)
    }

    fn rank(&self, position: &Othello, moves: &mut [Ranked]) {
        rank_each(moves, |mv| rank(position, mv));
    }

    fn accumulator(&self, position: &Othello) -> Option<Box<dyn Accumulator<Othello> + '_>> {
        Some(Box::new(Followed::from(position, rank)))
    }
}

/// Seven discs.
const PATTERNS_SCALE: f32 = 7.0 * learned::DISC as f32;

/// Features weighed by the stage of the game.
#[derive(Debug)]
struct Stages;

impl Evaluation<Othello> for Stages {
    fn name(&self) -> &str {
        "stages"
    }

    fn digest(&self) -> Digest {
        stages::model().and(self.name().as_bytes())
    }

    fn scale(&self) -> f32 {
        STAGES_SCALE
    }

    fn value(&self, position: &Othello) -> i32 {
        stages::value(position)
    }

    fn rank(&self, position: &Othello, moves: &mut [Ranked]) {
        rank_each(moves, |mv| rank(position, mv));
    }
}

const STAGES_SCALE: f32 = 1000.0;

/// The engine "v4.7".
#[derive(Debug)]
enum V47 {
    /// Its formula.
    Letter,
    /// With regions that the opponent cannot enter.
    WithRegions,
}

impl Evaluation<Othello> for V47 {
    fn name(&self) -> &str {
        match self {
            V47::Letter => "v4.7",
            V47::WithRegions => "v4.7-regions",
        }
    }

    fn digest(&self) -> Digest {
        v47::model().and(self.name().as_bytes())
    }

    fn scale(&self) -> f32 {
        300.0
    }

    fn value(&self, position: &Othello) -> i32 {
        match self {
            V47::Letter => v47::value(position),
            V47::WithRegions => v47::value_with_regions(position),
        }
    }

    fn rank(&self, position: &Othello, moves: &mut [Ranked]) {
        rank_each(moves, |mv| rank(position, mv));
    }
}

/// Moves that leave the opponent few replies are looked at first, corners before others, and those that
/// give a corner away last.
fn rank(position: &Othello, mv: Move) -> i32 {
    if mv.is_pass() {
        return 0;
    }
    let (own, other) = position.own_and_other();
    let at = 1 << mv.0;
    let flips = discs::flips(own, other, at);
    let replies = discs::moves(other ^ flips, own | flips | at);
    let corners = (replies & CORNERS).count_ones() as i32;
    let corner = i32::from(at & CORNERS != 0);
    4 * corner - (replies.count_ones() as i32 + 2 * corners)
}

/// The odds of a win, above 0, that the best evaluation gives the side to move after `mv`; the least there
/// are for what is no move here.
pub(super) fn odds(position: &Othello, mv: Move) -> f32 {
    if !position.is_legal(mv) {
        return libm::expf(-LOG_ODDS_MAX);
    }
    let mut after = position.clone();
    after.play(mv);
    let log_odds = match after.outcome().map(Outcome::winner) {
        Some(None) => 0.0,
        Some(Some(winner)) if winner == position.side_to_move() => LOG_ODDS_MAX,
        Some(Some(_)) => -LOG_ODDS_MAX,
        None => -learned::value(&after) as f32 / PATTERNS_SCALE,
    };
    libm::expf(log_odds.clamp(-LOG_ODDS_MAX, LOG_ODDS_MAX))
}

/// Greatest trust in an evaluation, as a logarithm: 3,000 to 1.
const LOG_ODDS_MAX: f32 = 8.0;

const CORNERS: u64 = 0x8100_0000_0000_0081;
