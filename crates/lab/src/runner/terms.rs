//! Terms that every game of a match has in common, and how engines are told of it.

use std::time::Duration;

use banyan_games::{Color, Move, Record};
use banyan_knowledge::Knowledge;

use super::clock::TimeSettings;

/// Terms that every game of a match has in common.
#[derive(Clone, Debug)]
pub struct Terms<G: Knowledge> {
    /// Size and komi.
    pub rules: G::Rules,
    /// Black's stones on the star points, where there are any: White then moves first.
    pub handicap: Vec<Move>,
    /// The clocks; none: only `hang_after` bounds a move.
    pub time: Option<TimeSettings>,
    /// Wall time taken off each move before the clock sees it, for the way to the engine and back.
    pub time_margin: Duration,
    /// Longest time that any command may take.
    pub hang_after: Duration,
    /// Plies after which a game is drawn.
    pub plies_max: usize,
    /// The engine that scores finished games of Go, by its command line.
    pub referee: Option<String>,
}

impl<G: Knowledge> Terms<G> {
    /// The board before the first move.
    pub fn start(&self) -> Record<G> {
        let stones: Vec<_> = self.handicap.iter().map(|&mv| (Color::Black, mv)).collect();
        let handicapped = Record::set_up(&self.rules, &stones, Color::White);
        let has_handicap = !stones.is_empty();
        handicapped.ok().filter(|_| has_handicap).unwrap_or_else(|| Record::new(&self.rules))
    }

    /// What decides a game beside the rules, in words.
    pub(super) fn words(&self) -> String {
        let mut words = vec![format!("at most {} plies", self.plies_max)];
        if !self.handicap.is_empty() {
            words.push(format!("handicap {}", self.handicap.len()));
        }
        if let Some(TimeSettings { main, overtime, stones }) = self.time {
            words.push(format!("time settings {main} {overtime} {stones}"));
        }
        words.extend(self.referee.as_ref().map(|referee| format!("referee {referee}")));
        words.join(", ")
    }

    /// The commands that bring an engine to the start of a game.
    pub(super) fn start_commands(&self) -> Vec<String> {
        let size = G::new(&self.rules).size();
        let board = if size.width == size.height {
            format!("boardsize {}", size.width)
        } else {
            format!("rectangular_boardsize {} {}", size.width, size.height)
        };
        let mut commands = vec![board, "clear_board".to_owned()];
        if let banyan_games::Rules::Go(go) = self.rules.clone().into() {
            commands.push(format!("komi {}", f64::from(go.komi()) / 2.0));
        }
        if !self.handicap.is_empty() {
            commands.push(format!("fixed_handicap {}", self.handicap.len()));
        }
        commands
    }
}

/// GTP's `play` for a ply.
pub(super) fn play_command<G: Knowledge>(position: &G, color: Color, mv: Move) -> String {
    format!("play {} {}", letter(color), position.move_text(mv))
}

/// A side, as GTP has it.
pub(super) const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}
