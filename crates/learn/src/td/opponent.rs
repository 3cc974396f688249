//! The other program that games are learned from, which speaks GTP.

use std::time::Duration;

use banyan_games::Move;
use banyan_games::connect6::Connect6;
use banyan_games::game::Game as _;
use banyan_lab::runner::engine::{Engine, EngineError};

/// An answer is waited for at most so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that is no opponent.
#[derive(Debug, thiserror::Error)]
pub enum OpponentError {
    /// It cannot be started, or gives no good answer.
    #[error("the opponent: {0}")]
    Engine(#[from] EngineError),
    /// Its move is none.
    #[error("the opponent played '{text}' where that is no move: {reason}")]
    Move {
        /// The answer.
        text: String,
        /// The fault.
        reason: String,
    },
}

/// A running program.
#[derive(Debug)]
pub struct Opponent {
    engine: Engine,
}

impl Opponent {
    /// Starts a program by its command line.
    ///
    /// # Errors
    /// [`OpponentError`].
    pub fn start(command: &str) -> Result<Opponent, OpponentError> {
        Ok(Opponent { engine: Engine::start(command)? })
    }

    /// Begins a game.
    pub fn begin(&mut self, side: u32) -> Result<(), OpponentError> {
        self.engine.ask(&format!("boardsize {side}"), PATIENCE)?;
        self.engine.ask("clear_board", PATIENCE)?;
        Ok(())
    }

    /// Tells it a stone of the learner's.
    pub fn tell(&mut self, position: &Connect6, mv: Move) -> Result<(), OpponentError> {
        let color = position.side_to_move();
        let command = format!("play {} {}", letter(color), position.move_text(mv));
        self.engine.ask(&command, PATIENCE)?;
        Ok(())
    }

    /// Its next stone; nothing where it gives up.
    pub fn move_of(&mut self, position: &Connect6) -> Result<Option<Move>, OpponentError> {
        let command = format!("genmove {}", letter(position.side_to_move()));
        let text = self.engine.ask(&command, PATIENCE)?;
        if text.trim().eq_ignore_ascii_case("resign") {
            return Ok(None);
        }
        let refuse =
            |reason: String| OpponentError::Move { text: text.chars().take(40).collect(), reason };
        let mv = position.parse_move(text.trim()).map_err(|error| refuse(error.to_string()))?;
        match position.is_legal(mv) {
            true => Ok(Some(mv)),
            false => Err(refuse("it is against the rules".to_owned())),
        }
    }
}

fn letter(color: banyan_games::Color) -> char {
    if color == banyan_games::Color::Black { 'b' } else { 'w' }
}
