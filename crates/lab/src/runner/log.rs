//! One line of JSON for each game: written as it ends, read again to go on with a match.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::verdict::Reason;
use crate::exclusive::locked;

/// One of the two engines of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entrant {
    /// The one whose strength is asked for.
    First,
    /// Its opponent.
    Second,
}

impl Entrant {
    /// Both, in their order.
    pub const BOTH: [Entrant; 2] = [Entrant::First, Entrant::Second];

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    pub const fn other(self) -> Entrant {
        match self {
            Entrant::First => Entrant::Second,
            Entrant::Second => Entrant::First,
        }
    }

    /// As in JSON lines and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Entrant::First => "first",
            Entrant::Second => "second",
        }
    }
}

/// One game of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number, from 1; games 1 and 2 are a pair, with one opening and changed colours.
    pub game: u32,
    /// The game and its rules, in words.
    pub rules: String,
    /// Plies at most, handicap, clocks, referee, in words. (Older files have none.)
    #[serde(default)]
    pub terms: String,
    /// Command lines of both engines.
    pub commands: [String; 2],
    /// The entrant that had Black.
    pub black: Entrant,
    /// Moves before the engines were asked.
    pub opening: Vec<String>,
    /// All moves after the opening.
    pub moves: Vec<String>,
    /// In SGF's words.
    pub result: String,
    /// Nobody in a draw.
    pub winner: Option<Entrant>,
    /// Match points of first and second: 1, ½ or 0. (Older files have none; they follow from the winner.)
    #[serde(default)]
    pub points: [f64; 2],
    /// By how many points on the board the first won: discs, or area less komi. Nothing in games of lines, and
    /// where a game has no score.
    #[serde(default)]
    pub margin: Option<f64>,
    /// Reason for the result.
    pub reason: Reason,
    /// The same in words.
    pub detail: String,
    /// Seconds that first and second took for their moves.
    pub seconds: [f64; 2],
    /// Moves that first and second were asked for.
    pub genmoves: [u32; 2],
}

/// The file of lines.
#[derive(Debug)]
pub struct Log {
    file: File,
}

impl Log {
    /// Opens a file for a new match, or to go on with the one in it, whose games are returned.
    ///
    /// # Errors
    /// A file that exists without `resume`, or that another match is writing; one that cannot be read, or holds a line that is no
    /// game, which stays as it is. An unfinished last line, left by a runner that was killed, is cut off.
    pub fn open(path: &Path, resume: bool) -> io::Result<(Log, Vec<GameLine>)> {
        let mut options = OpenOptions::new();
        options.write(true).read(true);
        if resume {
            options.create(true).truncate(false)
        } else {
            options.create_new(true)
        };
        let mut file = locked(options.open(path)?)?;
        let (games, whole) = read(&file)?;
        file.set_len(whole)?;
        io::Seek::seek(&mut file, io::SeekFrom::Start(whole))?;
        Ok((Log { file }, games))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// What the system says.
    pub fn add(&mut self, game: &GameLine) -> io::Result<()> {
        let mut line = serde_json::to_string(game)?;
        line.push('\n');
        self.file.write_all(line.as_bytes())
    }
}

/// The games of a file and the bytes up to the end of the last whole line.
fn read(file: &File) -> io::Result<(Vec<GameLine>, u64)> {
    let mut reader = BufReader::new(file);
    let (mut games, mut whole, mut line) = (Vec::new(), 0, String::new());
    let wrong = |number: usize, why: &dyn std::fmt::Display| {
        let reason = format!("line {number} is no game: {why}");
        io::Error::new(io::ErrorKind::InvalidData, reason)
    };
    while reader.read_line(&mut line)? > 0 && line.ends_with('\n') {
        let number = games.len() + 1;
        games.push(serde_json::from_str(&line).map_err(|error| wrong(number, &error))?);
        whole += line.len() as u64;
        line.clear();
    }
    if !line.starts_with(BEGINNING) && !BEGINNING.starts_with(&line) {
        return Err(wrong(games.len() + 1, &format!("expected {BEGINNING}")));
    }
    Ok((games, whole))
}

/// How each line begins.
const BEGINNING: &str = "{\"game\":";

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A game that `winner` won as `black`'s colour says.
    pub(in super::super) fn line(game: u32, winner: Option<Entrant>, reason: Reason) -> GameLine {
        let black = if game % 2 == 1 { Entrant::First } else { Entrant::Second };
        GameLine {
            game,
            rules: "go 9x9, komi 7.5".to_owned(),
            terms: "at most 324 plies".to_owned(),
            commands: ["a".to_owned(), "b".to_owned()],
            black,
            opening: vec![],
            moves: vec!["E5".to_owned(); 50],
            result: String::new(),
            winner,
            points: [0.5; 2],
            margin: None,
            reason,
            detail: String::new(),
            seconds: [5.0, 10.0],
            genmoves: [25, 25],
        }
    }

    #[test]
    fn two_matches_do_not_write_one_file() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.jsonl");
        let (mut log, _) = Log::open(&path, false).expect("a new file");
        log.add(&line(1, None, Reason::Score)).expect("room");
        let refused = Log::open(&path, true).expect_err("the first match goes on");
        assert_eq!(refused.to_string(), "another process is writing this file");
        drop(log);
        assert_eq!(Log::open(&path, true).expect("it has ended").1.len(), 1);
    }

    #[test]
    fn a_text_that_is_no_match_is_left_as_it_is() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("notes.txt");
        for text in ["a line without an end", "{\"other\":1", "one\ntwo"] {
            std::fs::write(&path, text).expect("written");
            let refused = Log::open(&path, true).expect_err("no match").to_string();
            assert!(refused.starts_with("line 1 is no game: "), "{refused}");
            assert_eq!(std::fs::read_to_string(&path).expect("it"), text);
        }
        for torn in ["", "{\"ga", "{\"game\":1,"] {
            std::fs::write(&path, torn).expect("written");
            assert!(Log::open(&path, true).expect("nothing whole yet").1.is_empty(), "{torn}");
        }
    }

    #[test]
    fn a_match_goes_on_after_its_last_whole_line() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("match.jsonl");
        let first = line(1, Some(Entrant::First), Reason::Resigned);
        let (mut log, games) = Log::open(&path, false).expect("new");
        assert!(games.is_empty());
        log.add(&first).expect("written");
        log.file.write_all(b"{\"game\":2,").expect("torn");
        assert!(Log::open(&path, false).is_err(), "a match is not written over");
        drop(log);
        let (mut log, games) = Log::open(&path, true).expect("resumed");
        assert_eq!(games, [first]);
        log.add(&line(2, None, Reason::PlyLimit)).expect("written");
        drop(log);
        let (_, games) = Log::open(&path, true).expect("resumed");
        assert_eq!(games.len(), 2);
    }
}
