//! One game of self-play as it is kept: moves, what was thought of some of them, and how it ended.
//!
//! Planes are not kept: who fits a network makes them of the moves, so games outlive encodings.

use super::learned::Learned;
use anyhow::{Context as _, ensure};
use banyan_games::{Color, Move, Record};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Visits of a search at most.
pub const VISITS_MAX: u32 = 1 << 16;

/// Value of a sure win.
pub(crate) const VALUE_ONE: i16 = 1000;

/// Share of a move beside which there is no other.
pub(crate) const SHARE_ONE: u16 = 10_000;

/// One game in so many is held out.
const HELD_OUT: u32 = 16;

/// 2⁶⁴ over the golden ratio, odd: multiples of it are spread evenly (Knuth, *The Art of Computer Programming*, 6.4).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A game of self-play, a line of JSON in its shard.
///
/// A move is a point, row · size + column from the top left, or size² for a pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedGame {
    /// Points a side.
    pub size: u32,
    /// Points for White, in half points; 0 in games without komi.
    pub komi: i16,
    /// Seed of the game: with the shard's settings it is played again.
    pub seed: u64,
    /// Plies at the beginning that were drawn, not searched.
    pub opening: u32,
    /// Every ply.
    pub moves: Vec<u16>,
    /// Value of each ply's search for its side to move, 0 to 1000; -1 where none was made.
    pub values: Vec<i16>,
    /// The full searches, in rising order of their plies.
    pub thoughts: Vec<Thought>,
    /// Winner by the rules, or by a win that was proven: "B", "W", or "0" for a draw.
    pub winner: String,
    /// Half points that Black won by once dead stones were off the board; 0 in games without territory.
    pub margin: i32,
    /// Holder of each point once dead stones are off: "B", "W" or ".", rows from the top; empty in games
    /// without territory.
    pub ownership: String,
}

/// A search that is to be learned from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thought {
    /// Plies played before it.
    pub ply: u32,
    /// Visits of the search, count.
    pub visits: u32,
    /// Moves with their shares, 1 to 10,000.
    pub policy: Vec<(u16, u16)>,
}

/// The number that stands for a move on a board of `size` points a side.
pub fn code(mv: Move, size: u32) -> u16 {
    if mv.is_pass() { (size * size) as u16 } else { mv.0 }
}

/// The move that a number stands for.
pub fn decode(code: u16, size: u32) -> Move {
    if u32::from(code) == size * size { Move::PASS } else { Move(code) }
}

impl PlayedGame {
    /// The game move by move.
    ///
    /// # Errors
    /// The first thing that no game of ours has.
    pub fn record<G: Learned>(&self) -> anyhow::Result<Record<G>> {
        let mut record = Record::<G>::new(&G::rules_of(self.size, self.komi)?);
        let area = record.position().size().area();
        ensure!(
            self.values.len() == self.moves.len(),
            "{} values of {} plies",
            self.values.len(),
            self.moves.len()
        );
        ensure!(
            self.ownership.len() == if G::TERRITORY { area } else { 0 },
            "owners of {} points, the board has {area}",
            self.ownership.len()
        );
        let (opening, plies) = (self.opening, self.moves.len());
        ensure!(opening as usize <= plies, "an opening of {opening} plies of {plies}");
        ensure!(self.outcome().is_some(), "winner is {:?}, must be B, W or 0", self.winner);
        for (ply, &code) in self.moves.iter().enumerate() {
            record.play(decode(code, self.size)).with_context(|| format!("ply {}", ply + 1))?;
        }
        for &value in &self.values {
            ensure!((-1..=VALUE_ONE).contains(&value), "value {value}, must be -1 to {VALUE_ONE}");
        }
        let points = if G::TERRITORY { 2 * area as u32 } else { 0 };
        let (margin, most) = (self.margin, points + u32::from(self.komi.unsigned_abs()));
        ensure!(
            margin.unsigned_abs() <= most,
            "margin {margin}, must be within {most} half points"
        );
        for thought in &self.thoughts {
            thought.check(self.moves.len(), area)?;
            let value = self.values[thought.ply as usize];
            ensure!(value >= 0, "a search at ply {} without a value", thought.ply);
        }
        ensure!(
            self.thoughts.is_sorted_by(|one, next| one.ply < next.ply),
            "searches that are not in rising order of their plies"
        );
        Ok(record)
    }

    /// Tells whether a fit does not learn from it, and is judged by it: one game in sixteen, by its seed.
    ///
    /// Seeds of a shard follow one another, and those of shards have a step between them: so bits of a product say it.
    pub fn is_held_out(&self) -> bool {
        self.lot().is_multiple_of(HELD_OUT)
    }

    /// A number below 2³¹ that is as good as drawn by chance, the same wherever the game lies.
    pub fn lot(&self) -> u32 {
        (self.seed.wrapping_mul(GOLDEN) >> 33) as u32
    }

    /// Evaluations that were made for it, about: searches that are not kept are taken for a quarter of a full one.
    pub fn cost(&self) -> u32 {
        let full = self.thoughts.iter().fold(0, |sum: u32, it| sum.saturating_add(it.visits));
        let searched = self.moves.len().saturating_sub(self.opening as usize);
        let short = searched.saturating_sub(self.thoughts.len()) as u32;
        let a_short_one = self.thoughts.first().map_or(1, |thought| thought.visits / 4);
        full.saturating_add(short.saturating_mul(a_short_one)).max(1)
    }

    /// Value of the game for Black: 1, ½ or 0.
    pub fn outcome(&self) -> Option<f32> {
        match self.winner.as_str() {
            "B" => Some(1.0),
            "W" => Some(0.0),
            "0" => Some(0.5),
            _ => None,
        }
    }

    /// The same as networks learn it. In Go a game is won by the points that playouts give to somebody at its end, as
    /// `margin` has them: both sides of a game of self-play may pass beside a dead chain that neither sees, and who
    /// learns from it that it lives never will.
    pub fn learned_outcome<G: Learned>(&self) -> Option<f32> {
        if !G::TERRITORY {
            return self.outcome();
        }
        Some(match self.margin.cmp(&0) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        })
    }
}

impl Thought {
    fn check(&self, plies: usize, area: usize) -> anyhow::Result<()> {
        ensure!((self.ply as usize) < plies, "a search at ply {} of {plies}", self.ply);
        let visits = self.visits;
        ensure!(
            (1..=VISITS_MAX).contains(&visits),
            "a search at ply {} of {visits} visits, must be 1 to {VISITS_MAX}",
            self.ply
        );
        ensure!(!self.policy.is_empty(), "a search at ply {} without moves", self.ply);
        for &(code, share) in &self.policy {
            let is_move = usize::from(code) <= area && (1..=SHARE_ONE).contains(&share);
            ensure!(is_move, "a search at ply {} has move {code} with share {share}", self.ply);
        }
        Ok(())
    }
}

/// Name of the winner in JSON.
pub fn winner_name(winner: Option<Color>) -> String {
    match winner {
        Some(Color::Black) => "B",
        Some(Color::White) => "W",
        None => "0",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use banyan_games::go::Go;

    use super::*;

    fn game() -> PlayedGame {
        PlayedGame {
            size: 7,
            komi: 15,
            seed: 1,
            opening: 0,
            moves: vec![24, 49, 49],
            values: vec![-1, 500, 400],
            thoughts: vec![
                Thought { ply: 1, visits: 8, policy: vec![(0, 4000), (49, 6000)] },
                Thought { ply: 2, visits: 8, policy: vec![(49, 10_000)] },
            ],
            winner: "B".to_owned(),
            margin: 83,
            ownership: "B".repeat(49),
        }
    }

    #[test]
    fn numbers_that_no_game_of_ours_has_are_refused() {
        assert!(game().record::<Go>().is_ok());
        let refused = |change: &dyn Fn(&mut PlayedGame)| {
            let mut game = game();
            change(&mut game);
            format!("{:#}", game.record::<Go>().unwrap_err())
        };
        let said = [
            refused(&|game| game.values[1] = 1001),
            refused(&|game| game.values[1] = -2),
            refused(&|game| game.values[2] = -1),
            refused(&|game| game.margin = 114),
            refused(&|game| game.margin = i32::MIN),
            refused(&|game| game.thoughts[1].policy[0].1 = 10_001),
            refused(&|game| game.thoughts[1].policy[0].1 = 0),
            refused(&|game| game.thoughts[1].ply = 1),
            refused(&|game| game.thoughts[1].ply = 3),
            refused(&|game| game.thoughts[0].visits = u32::MAX),
            refused(&|game| game.thoughts[0].visits = 0),
            refused(&|game| game.opening = 4),
        ];
        assert_eq!(
            said,
            [
                "value 1001, must be -1 to 1000",
                "value -2, must be -1 to 1000",
                "a search at ply 2 without a value",
                "margin 114, must be within 113 half points",
                "margin -2147483648, must be within 113 half points",
                "a search at ply 2 has move 49 with share 10001",
                "a search at ply 2 has move 49 with share 0",
                "searches that are not in rising order of their plies",
                "a search at ply 3 of 3",
                "a search at ply 1 of 4294967295 visits, must be 1 to 65536",
                "a search at ply 1 of 0 visits, must be 1 to 65536",
                "an opening of 4 plies of 3",
            ]
        );
    }

    #[test]
    fn one_game_in_sixteen_is_held_out_whatever_lies_between_their_seeds() {
        // Shards of 200 games, of which those of a large board have one, and take every third turn.
        for (first, step) in [(0, 1), (1 << 48, 200), (5 << 32, 400), (7 << 48, 600), (0, 1 << 32)]
        {
            let seeds = (0..4000u64).map(|at| first + at * step);
            let held = seeds.filter(|&seed| PlayedGame { seed, ..game() }.is_held_out()).count();
            // 250 expected; by lots 95 % lie within 30 of it.
            assert!((200..300).contains(&held), "{held} of 4000, {step} apart");
        }
    }
}
