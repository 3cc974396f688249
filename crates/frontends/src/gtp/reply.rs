//! Answers, and why a command can fail.

use std::io::{self, Write};

use banyan_games::{IllegalMove, MoveTextError, RulesError, SetupError, Size, WrongSide};
use banyan_jobs::limits;
use banyan_records::sgf::SgfError;

use crate::opening::OpeningError;
use crate::opening::text::DecisionError;

/// The answer of a command: its text, which may be empty, or why not.
pub(super) type Reply = Result<String, Fault>;

/// Reasons why a command fails. Where the protocol has words for it, the text begins with them.
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
    #[error("cannot analyze: no move is left to choose from")]
    NoMove,
    #[error("the opening is not over: expected {0}")]
    Opening(String),
    #[error("nothing to decide in the opening: expected {0}")]
    NoDecision(String),
    #[error("no three stones to open with are known for a board of {0}: expected a larger one")]
    NoOpening(Size),
    #[error("illegal decision: {0}")]
    Decision(#[from] OpeningError),
    #[error("syntax error: {0}")]
    DecisionText(#[from] DecisionError),
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

/// Reasons why a file is not loaded.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoadError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Sgf(#[from] SgfError),
    #[error("it is no file: expected one that can be read to its end")]
    NoFile,
    #[error("the file holds another game")]
    OtherGame,
    #[error("the game is too long: {0} plies, at most {max}", max = limits::ROOT_PLIES_MAX)]
    TooManyPlies(usize),
}

/// The answer to one line, written when it is known or while it is being worked out.
pub(super) struct Feed<'a> {
    output: &'a mut dyn Write,
    id: &'a str,
    is_open: bool,
    /// Error of the first line that could not be written; nothing is written after it.
    broken: Option<io::Error>,
}

impl<'a> Feed<'a> {
    pub fn new(output: &'a mut dyn Write, id: Option<&'a str>) -> Feed<'a> {
        Feed { output, id: id.unwrap_or_default(), is_open: false, broken: None }
    }

    /// Begins an answer that succeeds, whatever comes.
    pub fn open(&mut self) {
        if !self.is_open {
            self.is_open = true;
            let head = format!("={}\n", self.id);
            self.write(&head);
        }
    }

    /// Adds a line to an open answer.
    pub fn line(&mut self, text: &str) {
        debug_assert!(self.is_open && !text.is_empty() && !text.contains('\n'));
        self.write(&format!("{text}\n"));
    }

    /// Tells whether nobody reads any more.
    pub fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Ends the answer.
    ///
    /// An empty line ends it, so that none can be inside; an error is one line. What fails after it was
    /// opened is said by a log, since no error can stand inside an answer.
    pub fn end(mut self, answer: &Reply) -> io::Result<()> {
        let whole = match (self.is_open, answer) {
            (true, Ok(text)) if text.is_empty() => "\n".to_owned(),
            (true, Ok(text)) => format!("{text}\n\n"),
            (true, Err(fault)) => {
                tracing::error!("{fault}");
                "\n".to_owned()
            }
            (false, Ok(text)) => framed('=', self.id, text),
            (false, Err(fault)) => {
                framed('?', self.id, &fault.to_string().replace(['\n', '\r'], " "))
            }
        };
        self.write(&whole);
        self.broken.map_or(Ok(()), Err)
    }

    fn write(&mut self, text: &str) {
        if self.broken.is_none() {
            let written = self.output.write_all(text.as_bytes());
            self.broken = written.and_then(|()| self.output.flush()).err();
        }
    }
}

fn framed(sign: char, id: &str, text: &str) -> String {
    let mut whole = format!("{sign}{id}");
    for (number, line) in text.split('\n').map(str::trim_end).enumerate() {
        // What begins with a line's end begins below the sign.
        if !line.is_empty() {
            whole.push(if number == 0 { ' ' } else { '\n' });
            whole.push_str(line);
        }
    }
    whole + "\n\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(id: Option<&str>, answer: Reply) -> String {
        let mut bytes = Vec::new();
        Feed::new(&mut bytes, id).end(&answer).expect("memory takes all");
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
    fn an_open_answer_grows_by_lines_until_an_empty_one() {
        for (last, expected) in [
            (Ok(String::new()), "=7\ninfo a\ninfo b\n\n"),
            (Ok("play D4".to_owned()), "=7\ninfo a\ninfo b\nplay D4\n\n"),
            (Err(Fault::CannotUndo), "=7\ninfo a\ninfo b\n\n"),
        ] {
            let mut bytes = Vec::new();
            let mut feed = Feed::new(&mut bytes, Some("7"));
            feed.open();
            feed.line("info a");
            feed.line("info b");
            feed.end(&last).expect("memory takes all");
            assert_eq!(String::from_utf8(bytes).expect("text"), expected);
        }
    }

    #[test]
    fn nothing_is_written_to_who_has_gone() {
        let mut full = [0; 3];
        let mut output = &mut full[..];
        let mut feed = Feed::new(&mut output, Some("7"));
        feed.open();
        assert!(!feed.is_broken());
        feed.line("info");
        assert!(feed.is_broken());
        assert!(feed.end(&Ok(String::new())).is_err());
    }

    #[test]
    fn no_empty_line_stands_inside_an_answer() {
        assert_eq!(written(None, Ok("\n  A B\n\n 1 . .\n\n".to_owned())), "=\n  A B\n 1 . .\n\n");
        let vertices = Fault::Vertices("a\n\nb".to_owned());
        assert_eq!(written(None, Err(vertices)), "? bad vertex list: a  b\n\n");
    }
}
