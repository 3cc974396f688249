//! The end of a game of a match, and whose fault it was.

use banyan_games::{Color, Outcome};
use serde::{Deserialize, Serialize};

use super::engine::EngineError;

/// Reasons why a game ended as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The rules say so: a line, or no move left.
    Rules,
    /// Two passes, and a score that the referee gave or both engines agreed on.
    Score,
    /// Two passes, and the engines disagreed: our own count of the area decided.
    Disputed,
    /// The loser resigned.
    Resigned,
    /// Neither side came to an end within the limit of plies: a draw.
    PlyLimit,
    /// The loser's flag fell.
    Time,
    /// The loser did not answer.
    Hang,
    /// The loser's process ended.
    Crash,
    /// The loser played a move that the rules forbid, or no move at all.
    Illegal,
    /// The loser refused a command that it should have obeyed.
    Refused,
}

impl Reason {
    /// The reasons that are an engine's misbehaviour, not its play.
    pub const FAULTS: [Reason; 5] =
        [Reason::Time, Reason::Hang, Reason::Crash, Reason::Illegal, Reason::Refused];

    /// As in JSON lines and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Rules => "rules",
            Reason::Score => "score",
            Reason::Disputed => "disputed",
            Reason::Resigned => "resigned",
            Reason::PlyLimit => "ply-limit",
            Reason::Time => "time",
            Reason::Hang => "hang",
            Reason::Crash => "crash",
            Reason::Illegal => "illegal",
            Reason::Refused => "refused",
        }
    }
}

/// The end of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The winner; nobody in a draw.
    pub winner: Option<Color>,
    /// Reason for the end.
    pub reason: Reason,
    /// The score, where there is one.
    pub outcome: Option<Outcome>,
    /// The same in words: what an engine said, where scores came from. May be empty.
    pub detail: String,
}

impl Verdict {
    /// The game went to its end.
    pub fn ended(outcome: Outcome, reason: Reason, detail: String) -> Verdict {
        Verdict { winner: outcome.winner(), reason, outcome: Some(outcome), detail }
    }

    /// `loser` lost without a score.
    pub fn lost(loser: Color, reason: Reason, detail: String) -> Verdict {
        Verdict { winner: Some(!loser), reason, outcome: None, detail }
    }

    /// `loser`'s engine failed.
    pub fn failed(loser: Color, error: &EngineError) -> Verdict {
        let reason = match error {
            EngineError::Start { .. } | EngineError::Died { .. } => Reason::Crash,
            EngineError::Hung { .. } => Reason::Hang,
            EngineError::Refused { .. } => Reason::Refused,
        };
        Verdict::lost(loser, reason, error.to_string())
    }

    /// The result in SGF's words: `B+3.5`, `W+R`, `B+T`, `W+F`, `0`.
    pub fn result(&self) -> String {
        let letter = match self.winner {
            None => return "0".to_owned(),
            Some(Color::Black) => 'B',
            Some(Color::White) => 'W',
        };
        match (self.reason, self.outcome) {
            (_, Some(outcome)) => outcome.to_string(),
            (Reason::Resigned, None) => format!("{letter}+R"),
            (Reason::Time, None) => format!("{letter}+T"),
            (_, None) => format!("{letter}+F"),
        }
    }
}
