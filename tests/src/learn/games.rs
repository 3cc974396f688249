//! Games of the search against itself, and what they teach: each move among all that were possible.

use std::io::Write;

use anyhow::{Context as _, ensure};
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Game, Kind, Record, Rng};

use super::Play;
use super::fit::Choice;
use crate::lab::{LabGame, Settings, open_at_random, turn};

/// Points for White: with it both sides have to fight.
const KOMI: i16 = 15;

/// Games at a time, whose single playouts are played side by side.
const TOGETHER: usize = 8;

/// A game as a list of moves.
pub(super) struct Played {
    record: Record<Go>,
}

/// Plays games and writes each as soon as it ends: the size, then the moves.
pub(super) fn play(play: &Play, out: &mut impl Write) -> anyhow::Result<()> {
    let rules = GoRules::new(play.size, KOMI)?;
    let settings = Settings::parse(&play.settings, Kind::Go)?;
    let mut seeds = 0..play.games;
    let mut games: Vec<LabGame<Go>> = Vec::new();
    loop {
        let free = TOGETHER - games.len();
        for number in seeds.by_ref().take(free) {
            let mut rng = Rng::from_seed(play.seed ^ u64::from(number) << 20);
            let record = open_at_random(&rules, play.opening_plies, &mut rng);
            let sides = [settings.clone(), settings.clone()];
            games.push(LabGame::new(record, Color::Black, sides, rng.bits()));
        }
        if games.is_empty() {
            return Ok(());
        }
        turn(&mut games);
        let is_over = |game: &mut LabGame<Go>| game.score(play.resign).is_some();
        for game in games.extract_if(.., is_over) {
            writeln!(out, "{}", line(game.record()))?;
        }
    }
}

fn line(record: &Record<Go>) -> String {
    let position = record.position();
    let moves = record.plies().iter().map(|&(_, mv)| position.move_text(mv));
    std::iter::once(position.size().width.to_string()).chain(moves).collect::<Vec<_>>().join(" ")
}

/// Reads a line that [`play`] wrote.
pub(super) fn read(line: &str) -> anyhow::Result<Played> {
    let mut words = line.split_whitespace();
    let size = words.next().context("an empty line")?;
    let size = size.parse().with_context(|| format!("'{size}' is no size of a board"))?;
    let mut record = Record::<Go>::new(&GoRules::new(size, KOMI)?);
    for word in words {
        let mv = record.position().parse_move(word)?;
        record.play(mv)?;
    }
    ensure!(!record.plies().is_empty(), "a game without a move");
    Ok(Played { record })
}

impl Played {
    /// Every move but passes, after the opening.
    pub(super) fn choices(&self, opening_plies: usize) -> impl Iterator<Item = Choice> {
        let plies = self.record.plies().iter().enumerate().skip(opening_plies);
        plies.filter_map(|(index, &(_, mv))| {
            let candidates = self.record.position_after(index).traits();
            let chosen = candidates.iter().position(|candidate| candidate.mv == mv)?;
            let traits = candidates.into_iter().map(|candidate| candidate.traits).collect();
            Some(Choice { chosen, traits })
        })
    }
}
