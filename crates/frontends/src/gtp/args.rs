//! A command's arguments, word by word. Words beyond those that a command knows are passed over.

use std::str::FromStr;
use std::time::Duration;

use banyan_engine::Playable;
use banyan_games::{Color, Move};

use super::reply::Fault;

/// The longest time that is taken for one, seconds: ten thousand hours.
const SECONDS_MAX: f64 = 36e6;

/// Words after a command's name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Args<'a> {
    rest: &'a str,
}

impl<'a> Args<'a> {
    pub fn new(rest: &'a str) -> Args<'a> {
        Args { rest }
    }

    /// All of it, for what may hold spaces.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The words from the `at`-th on, from 0.
    pub fn words(&self) -> impl Iterator<Item = &'a str> {
        self.rest.split_whitespace()
    }

    /// The `at`-th word.
    pub fn word(&self, at: usize) -> Option<&'a str> {
        self.words().nth(at)
    }

    /// The `at`-th word as a number.
    pub fn number<T: FromStr>(&self, at: usize, expected: &'static str) -> Result<T, Fault> {
        self.word(at).and_then(|word| word.parse().ok()).ok_or(Fault::Syntax(expected))
    }

    /// The `at`-th word as a number of seconds; below 0 counts as 0.
    pub fn seconds(&self, at: usize, expected: &'static str) -> Result<Duration, Fault> {
        let seconds: f64 = self.number(at, expected)?;
        if seconds.is_nan() {
            return Err(Fault::Syntax(expected));
        }
        Ok(Duration::from_secs_f64(seconds.clamp(0.0, SECONDS_MAX)))
    }

    /// The `at`-th word as a side.
    pub fn color(&self, at: usize) -> Result<Color, Fault> {
        let word = self.word(at).unwrap_or_default().to_ascii_lowercase();
        match word.as_str() {
            "b" | "black" => Ok(Color::Black),
            "w" | "white" => Ok(Color::White),
            _ => Err(Fault::Syntax("a color: b, w, black or white")),
        }
    }

    /// The `at`-th word as a move on the board of `position`.
    pub fn vertex<G: Playable>(&self, at: usize, position: &G) -> Result<Move, Fault> {
        let word = self.word(at).ok_or(Fault::Syntax("a vertex such as D4, or pass"))?;
        Ok(position.parse_move(word)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_what_they_should_be() {
        let args = Args::new("WHITE  19 -3.5 1e99");
        assert_eq!(args.color(0).ok(), Some(Color::White));
        assert_eq!(args.number::<u32>(1, "").ok(), Some(19));
        assert_eq!(args.seconds(1, "").ok(), Some(Duration::from_secs(19)));
        assert_eq!(args.seconds(2, "").ok(), Some(Duration::ZERO));
        assert_eq!(args.seconds(3, "").ok(), Some(Duration::from_secs(36_000_000)));
    }

    #[test]
    fn what_is_missing_or_wrong_is_a_syntax_error() {
        let args = Args::new("red nan");
        assert!(matches!(args.color(0), Err(Fault::Syntax(_))));
        assert!(matches!(args.seconds(1, "a time"), Err(Fault::Syntax("a time"))));
        assert!(matches!(args.number::<u32>(7, "a number"), Err(Fault::Syntax("a number"))));
    }
}
