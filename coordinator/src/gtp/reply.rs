//! Answers, and why a command can fail.

use std::io::{self, Write};

use banyan_games::{IllegalMove, MoveTextError, RulesError, SetupError, WrongSide};
use banyan_jobs::limits;

use crate::sgf::SgfError;

/// What a command says: its text, which may be empty, or why not.
pub(super) type Answer = Result<String, Fault>;

/// Why a command fails. Where the protocol has words for it, the text begins with them.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("unknown command")]
    UnknownCommand,
    #[error("syntax error: expected {0}")]
    Syntax(&'static str),
    #[error("syntax error: {0}")]
    Move(#[from] MoveTextError),
    #[error("syntax error: the line is too long")]
    LineTooLong,
    #[error("unacceptable size: {0}")]
    Size(RulesError),
    #[error("unacceptable komi: {0}")]
    Komi(RulesError),
    #[error(transparent)]
    Illegal(IllegalMove),
    #[error("illegal move: {0}")]
    Side(#[from] WrongSide),
    #[error("the game is too long: at most {max} plies", max = limits::ROOT_PLIES_MAX)]
    TooManyPlies,
    #[error("cannot undo")]
    CannotUndo,
    #[error("board not empty")]
    BoardNotEmpty,
    #[error("invalid number of stones: {0}")]
    Stones(usize),
    #[error("bad vertex list: {0}")]
    Vertices(String),
    #[error("bad vertex list: {0}")]
    Setup(#[from] SetupError),
    #[error("cannot load file: {file}: {reason}")]
    Load { file: String, reason: LoadError },
    #[error("cannot save file: {file}: {reason}")]
    Save { file: String, reason: io::Error },
    #[error("cannot score: the game is not over")]
    NotOver,
    #[error("unsupported game: this process plays {0}")]
    OtherGame(&'static str),
}

impl From<IllegalMove> for Fault {
    fn from(illegal: IllegalMove) -> Fault {
        match illegal {
            IllegalMove::Side(side) => Fault::Side(side),
            other => Fault::Illegal(other),
        }
    }
}

/// Why a file is not loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Sgf(#[from] SgfError),
    #[error("the file holds another game")]
    OtherGame,
    #[error("the game is too long: {0} plies, at most {max}", max = limits::ROOT_PLIES_MAX)]
    TooManyPlies(usize),
}

/// Writes one answer and flushes it.
///
/// An empty line ends an answer, so that none can be inside; an error is one line.
pub(super) fn write(output: &mut impl Write, id: Option<&str>, answer: &Answer) -> io::Result<()> {
    let (sign, text) = match answer {
        Ok(text) => ('=', text.clone()),
        Err(fault) => ('?', fault.to_string().replace(['\n', '\r'], " ")),
    };
    let mut whole = format!("{sign}{}", id.unwrap_or_default());
    for (number, line) in text.split('\n').map(str::trim_end).enumerate() {
        // What begins with a line's end begins below the sign.
        if !line.is_empty() {
            whole.push(if number == 0 { ' ' } else { '\n' });
            whole.push_str(line);
        }
    }
    write!(output, "{whole}\n\n")?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(id: Option<&str>, answer: Answer) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes, id, &answer).expect("memory takes all");
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn an_answer_is_framed_by_a_sign_and_an_empty_line() {
        assert_eq!(written(None, Ok(String::new())), "=\n\n");
        assert_eq!(written(None, Ok("D4".to_owned())), "= D4\n\n");
        assert_eq!(written(Some("12"), Ok(String::new())), "=12\n\n");
        assert_eq!(written(Some("12"), Ok("D4".to_owned())), "=12 D4\n\n");
        assert_eq!(written(Some("7"), Err(Fault::UnknownCommand)), "?7 unknown command\n\n");
    }

    #[test]
    fn no_empty_line_stands_inside_an_answer() {
        assert_eq!(written(None, Ok("\n  A B\n\n 1 . .\n\n".to_owned())), "=\n  A B\n 1 . .\n\n");
        let vertices = Fault::Vertices("a\n\nb".to_owned());
        assert_eq!(written(None, Err(vertices)), "? bad vertex list: a  b\n\n");
    }
}
