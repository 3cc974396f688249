//! Positions of games with the value that a search finds in each.

use std::io::Write;

use anyhow::{Context as _, ensure};
use banyan_games::go::Go;
use banyan_games::{Color, Game, Kind, Record, Rng};

use super::Value;
use super::games::{self, Played};
use crate::lab::{LabGame, Settings, turn};

/// Searches at a time, whose single playouts are played side by side.
const TOGETHER: usize = 8;

/// A position and what it is worth.
pub(super) struct Valued {
    pub(super) position: Go,
    /// Black's share of wins, in `0.0..=1.0`.
    pub(super) value: f64,
}

/// Searches positions of games and writes each: Black's value, the size, the moves that lead there.
pub(super) fn value(value: &Value, games: &[Played], out: &mut impl Write) -> anyhow::Result<()> {
    let settings = Settings::parse(&value.settings, Kind::Go)?;
    let mut rng = Rng::from_seed(value.seed);
    let mut starts = Vec::new();
    for game in games {
        let plies = game.record.plies().len();
        for index in (value.opening_plies as usize..plies).step_by(value.every as usize) {
            starts.push(beginning(&game.record, index)?);
        }
    }
    for chunk in starts.chunks(TOGETHER) {
        let sides = [settings.clone(), settings.clone()];
        let begin = |record: &Record<Go>| {
            LabGame::new(record.clone(), Color::Black, sides.clone(), rng.bits())
        };
        let mut searches: Vec<LabGame<Go>> = chunk.iter().map(begin).collect();
        let is_under_way = |(search, start): (&LabGame<Go>, &Record<Go>)| {
            search.record().plies().len() == start.plies().len()
        };
        while searches.iter().zip(chunk).any(is_under_way) {
            turn(&mut searches);
        }
        for (search, start) in searches.iter().zip(chunk) {
            let black = match start.position().side_to_move() {
                Color::Black => search.value(),
                Color::White => 1.0 - search.value(),
            };
            writeln!(out, "{black:.4} {}", games::line(start))?;
        }
    }
    Ok(())
}

/// The first plies of a game.
fn beginning(record: &Record<Go>, plies: usize) -> anyhow::Result<Record<Go>> {
    let mut start = Record::new(record.position().rules());
    for &(_, mv) in &record.plies()[..plies] {
        start.play(mv)?;
    }
    Ok(start)
}

/// Reads a line that [`value`] wrote.
pub(super) fn read(line: &str) -> anyhow::Result<Valued> {
    let (first, rest) = line.split_once(' ').context("no position after the value")?;
    let value = first.parse().with_context(|| format!("'{first}' is no value"))?;
    ensure!((0.0..=1.0).contains(&value), "{value} is no value: expected 0 to 1");
    Ok(Valued { position: games::read(rest)?.record.position().clone(), value })
}
