//! One thing that was looked at.

use std::fmt;

use anstyle::{AnsiColor, Style};

/// Grade of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grade {
    /// As it should be.
    Good,
    /// It works, but could be better.
    Slow,
    /// It does not work.
    Bad,
}

/// One thing that was looked at, and what would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    grade: Grade,
    words: String,
    help: Option<String>,
}

impl Finding {
    /// It is as it should be.
    pub fn good(words: impl Into<String>) -> Finding {
        Finding { grade: Grade::Good, words: words.into(), help: None }
    }

    /// It works, but could be better.
    pub fn slow(words: impl Into<String>, help: impl Into<String>) -> Finding {
        Finding { grade: Grade::Slow, words: words.into(), help: Some(help.into()) }
    }

    /// It does not work.
    pub fn bad(words: impl Into<String>, help: impl Into<String>) -> Finding {
        Finding { grade: Grade::Bad, words: words.into(), help: Some(help.into()) }
    }

    /// Tells whether something would fail.
    pub fn is_failure(&self) -> bool {
        self.grade == Grade::Bad
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, color) = match self.grade {
            Grade::Good => ("ok  ", AnsiColor::Green),
            Grade::Slow => ("slow", AnsiColor::Yellow),
            Grade::Bad => ("bad ", AnsiColor::Red),
        };
        let style: Style = color.on_default().bold();
        write!(f, "{style}{mark}{style:#}  {}", self.words)?;
        match &self.help {
            Some(help) => write!(f, "\n        {help}"),
            None => Ok(()),
        }
    }
}
