//! What is tuned, as a line of JSON, then a line for each iteration: written as it ends, read again to go on.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::exclusive::locked;

/// What came of an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its number, from 1.
    pub iteration: u64,
    /// Up (`+`) or down (`-`) for each number, on the first side.
    pub signs: String,
    /// Points of the first side.
    pub points: f64,
    /// Games.
    pub games: u32,
    /// The numbers after it, by name, in the order of their file.
    pub values: Vec<(String, f64)>,
}

/// The first line: what is tuned, and how. A run is gone on with by the same alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The game and its rules, in words.
    pub tuned: String,
    /// The engine's command, with the names of numbers.
    pub engine: String,
    /// The template.
    pub template: Option<String>,
    /// The numbers: each with start, bounds and step.
    pub parameters: Vec<String>,
    /// Options that decide what is played and learned.
    pub options: String,
}

/// The file of lines.
#[derive(Debug)]
pub struct Log {
    file: File,
}

impl Log {
    /// Opens a file, a new one or one to go on with, whose iterations are returned. A last line that was not finished
    /// is cut off.
    ///
    /// # Errors
    /// What the system says; a file that is about something else, which stays as it is.
    pub fn open(path: &Path, header: &Header) -> io::Result<(Log, Vec<Line>)> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let mut file = locked(file)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text[..whole].lines();
        let wrong = |line: u64, why: &str| io::Error::other(format!("line {line}: {why}"));
        match lines.next() {
            // Nothing, or not all of a first line.
            None if text.is_empty()
                || BEGINNING.starts_with(&text)
                || text.starts_with(BEGINNING) => {}
            None => return Err(wrong(1, "it is no log of a tuning")),
            Some(first) => {
                let found: Header = serde_json::from_str(first)
                    .map_err(|_| wrong(1, "it is no log of a tuning"))?;
                if let Some(other) = other_than(&found, header) {
                    return Err(wrong(1, &format!("it is about another {other}")));
                }
            }
        }
        let mut known = Vec::new();
        for (iteration, text) in (1..).zip(lines) {
            let line: Line = serde_json::from_str(text)
                .map_err(|error| wrong(iteration + 1, &error.to_string()))?;
            let found = line.iteration;
            if found != iteration {
                return Err(wrong(iteration + 1, &format!("it is iteration {found}")));
            }
            if line.values.len() != header.parameters.len() {
                return Err(wrong(iteration + 1, "it has other numbers"));
            }
            known.push(line);
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut log = Log { file };
        if whole == 0 {
            log.write(header)?;
        }
        Ok((log, known))
    }

    /// Adds an iteration.
    ///
    /// # Errors
    /// What the system says.
    pub fn add(&mut self, line: &Line) -> io::Result<()> {
        self.write(line)
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}

/// How a log begins.
const BEGINNING: &str = "{\"tuned\":";

/// What the two are not alike in.
fn other_than(found: &Header, wanted: &Header) -> Option<&'static str> {
    let alike = [
        ("game", found.tuned == wanted.tuned),
        ("engine", found.engine == wanted.engine),
        ("template", found.template == wanted.template),
        ("set of numbers", found.parameters == wanted.parameters),
        ("set of options", found.options == wanted.options),
    ];
    alike.into_iter().find(|(_, is_alike)| !is_alike).map(|(what, _)| what)
}
