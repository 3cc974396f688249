//! A line of JSON for each iteration: written as it ends, read again to go on.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

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
    /// What the system says; a line that is none.
    pub fn open(path: &Path) -> io::Result<(Log, Vec<Line>)> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text[..whole].lines()) {
            let line: Line = serde_json::from_str(line)
                .map_err(|error| io::Error::other(format!("line {number}: {error}")))?;
            if line.iteration != number {
                let found = line.iteration;
                return Err(io::Error::other(format!("line {number}: it is iteration {found}")));
            }
            lines.push(line);
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Log { file }, lines))
    }

    /// Adds an iteration.
    ///
    /// # Errors
    /// What the system says.
    pub fn add(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}
