//! From a search to a decision: which moves to search, when to pass, when to resign.
//!
//! Pure: a report in, a decision out. Only games of territory, which end by agreement, have anything
//! to decide beyond the best move; elsewhere a pass is a move like any other.
//!
//! How the end of a game of Go is met:
//! - A pass is searched only late, or after the other side's pass, or when nothing else is left.
//! - Whether the game is settled is read from who held each point at the end of the playouts.
//! - A settled game is passed; an unsettled one is played on, unless every move but the pass hurts.
//! - After the other side's pass ours ends the game: it is given when the score is then a win.

use banyan_games::{Color, Game, Move, Record};
use banyan_search::Candidate;

use crate::grower::Report;
use crate::session::{Judgement, judgement};

/// Values below this are resigned in games of territory, unless told otherwise.
pub const RESIGN_BELOW: f64 = 0.08;

/// No game is resigned on fewer visits of its best move.
const RESIGN_VISITS_MIN: u64 = 100;

/// A point is settled when the mean over the playouts' ends is at least so far from 0.
const SETTLED_MIN: f64 = 0.7;

/// Ownership from fewer playouts settles nothing.
const SETTLED_PLAYOUTS_MIN: u64 = 64;

/// A move hurts when its value is this much below the pass's.
const HURTS_BY: f64 = 0.05;

/// After so many times the board's points in plies a pass is taken as soon as it is allowed.
const PLIES_MAX_PER_POINT: usize = 3;

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play this.
    Play(Move),
    /// Give up.
    Resign,
}

/// Below which value to resign: what was asked, or the game's own.
pub fn resign_below<G: Game>(asked: Option<f64>) -> f64 {
    asked.unwrap_or(if G::TERRITORY { RESIGN_BELOW } else { 0.0 })
}

/// The moves of `side` that are worth searching, in ascending order, a pass last. Superko is
/// respected. Empty only when the game is over, or when `side` cannot be to move.
pub fn moves_to_search<G: Game>(record: &Record<G>, side: Color) -> Vec<Move> {
    let mut moves = candidates(record, side);
    if G::TERRITORY && moves.len() > 1 && !may_pass(record) {
        moves.retain(|mv| !mv.is_pass());
    }
    moves
}

/// Moves for a side that must take dead stones off the board: the liberties of the enemy's, or any
/// move when none of those can be played; nothing when no dead enemy stone is left.
pub fn cleaning_moves<G: Game>(
    record: &Record<G>,
    side: Color,
    dead: &[Move],
) -> Option<Vec<Move>> {
    let position = record.position();
    let enemy: Vec<Move> =
        dead.iter().copied().filter(|&mv| position.stone(mv) == Some(!side)).collect();
    if enemy.is_empty() {
        return None;
    }
    let mut moves = candidates(record, side);
    if moves.len() > 1 {
        moves.retain(|mv| !mv.is_pass());
    }
    let width = usize::from(position.size().width);
    let touches = |mv: &Move| enemy.iter().any(|&stone| are_neighbours(*mv, stone, width));
    let liberties: Vec<Move> = moves.iter().copied().filter(touches).collect();
    Some(if liberties.is_empty() { moves } else { liberties })
}

/// Chooses from what the search found.
///
/// - `allowed`: the moves that were searched, not empty.
/// - `resign`: value below which to give up, in `0.0..=1.0`; 0 never.
pub fn decide<G: Game>(
    record: &Record<G>,
    side: Color,
    report: &Report,
    allowed: &[Move],
    resign: f64,
) -> Decision {
    let Some(best) = report.candidates.first() else {
        return Decision::Play(allowed.first().copied().unwrap_or(Move::PASS));
    };
    if should_resign(record, best, resign) {
        return Decision::Resign;
    }
    if !G::TERRITORY {
        return Decision::Play(best.mv);
    }
    let stone = report.candidates.iter().find(|candidate| !candidate.mv.is_pass());
    let pass = report.candidates.iter().find(|candidate| candidate.mv.is_pass());
    match (stone, pass) {
        (None, _) => Decision::Play(Move::PASS),
        (Some(stone), None) => Decision::Play(stone.mv),
        (Some(stone), Some(pass)) => {
            let end = End::of(record, side, report);
            let passes = end.should_pass(best.mv.is_pass(), stone.value, pass.value);
            Decision::Play(if passes { Move::PASS } else { stone.mv })
        }
    }
}

/// What decides whether to pass.
#[derive(Clone, Copy, Debug)]
struct End {
    /// The other side passed: a pass ends the game.
    closes: bool,
    /// Every point is held by the same side in nearly all playouts.
    settled: bool,
    /// The score with dead stones taken off is a win.
    judged_won: bool,
    /// The score of the board as it stands is a win.
    counted_won: bool,
    /// The game has gone on for too long.
    endless: bool,
}

impl End {
    fn of<G: Game>(record: &Record<G>, side: Color, report: &Report) -> End {
        let position = record.position();
        let judged = judgement(position, report);
        let won = |outcome: Option<banyan_games::Outcome>| {
            outcome.and_then(banyan_games::Outcome::winner) == Some(side)
        };
        End {
            closes: was_passed(record),
            settled: is_settled(&judged) && report.sums.owner_playouts >= SETTLED_PLAYOUTS_MIN,
            judged_won: won(judged.outcome),
            counted_won: won(position.score_without(&[])),
            endless: record.plies().len() > PLIES_MAX_PER_POINT * position.size().area(),
        }
    }

    fn should_pass(self, is_best: bool, stone: f64, pass: f64) -> bool {
        let hurts = stone + HURTS_BY < pass;
        let wins_now = self.closes && self.judged_won && (self.settled || self.counted_won);
        wins_now || self.settled || self.endless || is_best && hurts
    }
}

fn is_settled(judged: &Judgement) -> bool {
    judged.ownership.iter().all(|held| held.abs() >= SETTLED_MIN)
}

fn should_resign<G: Game>(record: &Record<G>, best: &Candidate, below: f64) -> bool {
    let late = record.plies().len() * 4 >= record.position().size().area();
    late && best.visits >= RESIGN_VISITS_MIN && best.value < below
}

/// Whether a pass is worth a thought at all.
fn may_pass<G: Game>(record: &Record<G>) -> bool {
    was_passed(record) || record.plies().len() * 2 >= record.position().size().area()
}

fn was_passed<G: Game>(record: &Record<G>) -> bool {
    record.plies().last().is_some_and(|(_, mv)| mv.is_pass())
}

/// Like [`Record::candidates`], for either side.
fn candidates<G: Game>(record: &Record<G>, side: Color) -> Vec<Move> {
    let mut position = record.position().clone();
    if position.side_to_move() == side {
        return record.candidates();
    }
    let mut moves = Vec::new();
    if position.set_side_to_move(side).is_ok() {
        position.candidates(&mut moves);
        moves.retain(|&mv| !repeats(record, &position, mv));
    }
    moves
}

fn repeats<G: Game>(record: &Record<G>, position: &G, mv: Move) -> bool {
    if !G::SUPERKO || mv.is_pass() {
        return false;
    }
    let mut next = position.clone();
    next.play(mv);
    let hash = next.stones_hash();
    (0..=record.plies().len()).any(|plies| record.position_after(plies).stones_hash() == hash)
}

fn are_neighbours(a: Move, b: Move, width: usize) -> bool {
    let (Some(a), Some(b)) = (a.index(), b.index()) else { return false };
    let (row, column) = ((a / width).abs_diff(b / width), (a % width).abs_diff(b % width));
    row + column == 1
}
