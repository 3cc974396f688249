//! One game of self-play as it is kept: moves, what was thought of some of them, and how it ended.
//!
//! Planes are not kept: who fits a network makes them of the moves, so games outlive encodings.

use super::learned::Learned;
use anyhow::{Context as _, ensure};
use banyan_games::{Color, Move, Record};
use serde::{Deserialize, Serialize};

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
    /// Moves with their shares, above 0.
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
        ensure!(self.outcome().is_some(), "winner is {:?}, must be B, W or 0", self.winner);
        for (ply, &code) in self.moves.iter().enumerate() {
            record.play(decode(code, self.size)).with_context(|| format!("ply {}", ply + 1))?;
        }
        for thought in &self.thoughts {
            thought.check(self.moves.len(), area)?;
        }
        Ok(record)
    }

    /// Evaluations that were made for it, about: searches that are not kept are taken for a quarter of a full one.
    pub fn cost(&self) -> u32 {
        let full: u32 = self.thoughts.iter().map(|thought| thought.visits).sum();
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
}

impl Thought {
    fn check(&self, plies: usize, area: usize) -> anyhow::Result<()> {
        ensure!((self.ply as usize) < plies, "a search at ply {} of {plies}", self.ply);
        ensure!(!self.policy.is_empty(), "a search at ply {} without moves", self.ply);
        for &(code, share) in &self.policy {
            let is_move = usize::from(code) <= area && share > 0;
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
