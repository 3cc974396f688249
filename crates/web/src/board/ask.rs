//! Requests of a page about its board, as JSON, and the choices that they make.

use banyan_games::gomoku::Variant;
use banyan_games::{Color, Kind};
use serde::{Deserialize, Serialize};

/// One request.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// Begin another game.
    New(Opening),
    /// Play on a point, or pass where there is none.
    Play {
        /// The index of the point.
        point: Option<u16>,
    },
    /// Go back by one ply; a ply that nothing follows is taken off.
    Undo,
    /// Show the position after a ply; 0 is the start.
    Goto {
        /// The number of the ply in the tree.
        node: usize,
    },
    /// Take a ply off with all that follows it.
    Cut {
        /// The number of the ply in the tree.
        node: usize,
    },
    /// Begin a game from these stones.
    Setup {
        /// A letter a point: `X` black, `O` white, `.` empty.
        stones: String,
        /// The side to move.
        side: Side,
    },
    /// Begin with the game of a file, SGF or GGF.
    Load {
        /// The file.
        text: String,
    },
    /// Search the position shown, or stop doing so.
    Analyze {
        /// The position is to be searched.
        on: bool,
    },
    /// Let the engine move now.
    Move,
    /// Stop what is under way.
    Stop,
    /// Search every position of the line shown for a while.
    Review,
    /// Let the engine play these sides.
    Sides {
        /// Black.
        black: bool,
        /// White.
        white: bool,
    },
    /// Let the engine search in this way from now on.
    Settings(Wishes),
}

/// A game to begin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Its name.
    pub game: String,
    /// Points a side [default: the game's own]; any number, so that one that is no size is refused in words.
    pub size: Option<f64>,
    /// Rows, where they are not as many as columns.
    pub height: Option<f64>,
    /// Points for White, in Go.
    pub komi: Option<f64>,
    /// The rule of Gomoku.
    pub rules: Option<String>,
}

impl Opening {
    pub(super) fn kind(&self) -> Result<Kind, String> {
        self.game.parse().map_err(|_| format!("'{}' is no game", self.game))
    }

    /// Columns and rows, where they were asked for.
    pub(super) fn sides(&self, kind: Kind) -> Result<Option<[u32; 2]>, String> {
        let Some(width) = self.size else { return Ok(None) };
        let side = |size: f64| match size.fract() == 0.0 && size >= 0.0 {
            true => Ok(size as u32),
            false => Err(format!(
                "{kind} is not played on a board of size {size}: expected a whole number, such as {}",
                kind.side()
            )),
        };
        Ok(Some([side(width)?, side(self.height.unwrap_or(width))?]))
    }

    pub(super) fn variant(&self) -> Result<Variant, String> {
        match &self.rules {
            None => Ok(Variant::default()),
            Some(name) => name.parse().map_err(|_| format!("'{name}' is no rule of gomoku")),
        }
    }
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Black.
    Black,
    /// White.
    White,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::Black => Side::Black,
            Color::White => Side::White,
        }
    }
}

/// Wishes for the engine's search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wishes {
    /// The engine that searches.
    pub engine: Engine,
    /// Valuation of leaves of the tree.
    pub leaf: Leaf,
    /// Judge of leaves of the tree.
    #[serde(default)]
    pub judge: JudgedBy,
    /// A move takes so long, milliseconds.
    pub time_ms: Option<u32>,
    /// A move takes so many playouts.
    pub playouts: Option<u64>,
}

impl Default for Wishes {
    fn default() -> Wishes {
        Wishes {
            engine: Engine::Uct,
            leaf: Leaf::Best,
            judge: JudgedBy::Auto,
            time_ms: Some(3_000),
            playouts: None,
        }
    }
}

/// The engine that searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The tree.
    Uct,
    /// Alpha-beta.
    AlphaBeta,
    /// MTD(f).
    Mtdf,
}

/// Way in which leaves of the tree get their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Leaf {
    /// As it plays best.
    Best,
    /// By playouts to the end.
    Playout,
    /// By the game's evaluation.
    Evaluate,
    /// By a short playout and the evaluation.
    Mixed,
}

/// Judge of leaves of the tree, beside their own value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JudgedBy {
    /// A network where the process has one for the game and the board, else the static evaluation that leads.
    #[default]
    Auto,
    /// Playouts, or what leaves are worth otherwise.
    Playouts,
    /// The same network or static evaluation alone.
    Net,
    /// It and playouts, half each.
    Mixed,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Ask, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn requests_are_read_as_pages_write_them() {
        assert_eq!(read(r#"{"do":"play","point":40}"#), Ok(Ask::Play { point: Some(40) }));
        assert_eq!(read(r#"{"do":"play","point":null}"#), Ok(Ask::Play { point: None }));
        assert_eq!(read(r#"{"do":"undo"}"#), Ok(Ask::Undo));
        let sides = r#"{"do":"sides","black":false,"white":true}"#;
        assert_eq!(read(sides), Ok(Ask::Sides { black: false, white: true }));
        let settings =
            r#"{"do":"settings","engine":"mtdf","leaf":"best","time_ms":500,"playouts":null}"#;
        assert!(matches!(read(settings), Ok(Ask::Settings(Wishes { engine: Engine::Mtdf, .. }))));
        let judged = settings.replace("}", r#","judge":"mixed"}"#);
        assert!(matches!(read(&judged), Ok(Ask::Settings(Wishes { judge: JudgedBy::Mixed, .. }))));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in [
            "",
            "[]",
            "{}",
            r#"{"do":"fly"}"#,
            r#"{"do":"play","point":70000}"#,
            r#"{"do":"goto"}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
