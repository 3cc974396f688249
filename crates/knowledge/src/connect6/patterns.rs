//! The fourteen shapes of Connect6 and their scores, which stand in a text file.
//!
//! # Source
//! S10 for the shapes and the file; Wu & Huang 2006 for what is live and what is dead: how many stones it
//! takes to shut a shape once it has four stones.

use std::sync::LazyLock;

use crate::digest::Digest;

/// Scores in a file: at most this.
const SCORE_MAX: i32 = 10_000_000;

/// The scores that are used unless others are read.
const DEFAULT: &str = include_str!("patterns.txt");

/// Points of a line that one shape may take up, at most: a longer one is judged by its first so many.
pub(super) const ROOM_MAX: usize = 16;

/// Stones that win.
const SIX: usize = 6;

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Pattern {
    C6,
    DW,
    L5,
    D5,
    L4,
    D4,
    L3,
    S3,
    D3,
    L2,
    D2,
    L1,
    D1,
    V,
}

impl Pattern {
    /// Kinds of shapes.
    pub const COUNT: usize = 14;

    const ALL: [(Pattern, &str); Pattern::COUNT] = [
        (Pattern::C6, "C6"),
        (Pattern::DW, "DW"),
        (Pattern::L5, "L5"),
        (Pattern::D5, "D5"),
        (Pattern::L4, "L4"),
        (Pattern::D4, "D4"),
        (Pattern::L3, "L3"),
        (Pattern::S3, "S3"),
        (Pattern::D3, "D3"),
        (Pattern::L2, "L2"),
        (Pattern::D2, "D2"),
        (Pattern::L1, "L1"),
        (Pattern::D1, "D1"),
        (Pattern::V, "V"),
    ];

    /// The shape of some stones (bits) on `room` points, 6 to [`ROOM_MAX`], that the other side has none of.
    pub fn of(stones: u32, room: usize) -> Pattern {
        static TABLES: LazyLock<Vec<Vec<Pattern>>> =
            LazyLock::new(|| (0..=ROOM_MAX).map(table).collect());
        TABLES[room][stones as usize]
    }
}

/// The shapes of all stones on so many points.
fn table(room: usize) -> Vec<Pattern> {
    if room < SIX {
        return Vec::new();
    }
    // With more stones first: a shape of few is what it becomes with one more.
    let mut shut_by = vec![0; 1 << room];
    let mut all: Vec<u32> = (0..1 << room).collect();
    all.sort_by_key(|stones| std::cmp::Reverse(stones.count_ones()));
    for &stones in &all {
        shut_by[stones as usize] = if fullest(stones, room) >= 4 {
            stones_to_shut(stones, room)
        } else {
            let fuller = |bit: &u32| fullest(stones | bit, room) > fullest(stones, room);
            let bits = (0..room).map(|at| 1 << at).filter(|bit| stones & bit == 0).filter(fuller);
            bits.map(|bit| shut_by[(stones | bit) as usize]).max().unwrap_or(0)
        };
    }
    (0..1 << room).map(|stones| pattern(stones, room, shut_by[stones as usize])).collect()
}

fn pattern(stones: u32, room: usize, shut_by: u32) -> Pattern {
    let fullest = fullest(stones, room);
    match (fullest, shut_by) {
        (SIX.., _) => Pattern::C6,
        (4 | 5, 3..) => Pattern::DW,
        (5, 2) => Pattern::L5,
        (5, _) => Pattern::D5,
        (4, 2) => Pattern::L4,
        (4, _) => Pattern::D4,
        (3, 2..) => Pattern::L3,
        (3, _)
            if windows(room).filter(|window| (stones & window).count_ones() == 3).count() > 1 =>
        {
            Pattern::S3
        }
        (3, _) => Pattern::D3,
        (2, 2..) => Pattern::L2,
        (2, _) => Pattern::D2,
        (1, 2..) => Pattern::L1,
        (1, _) => Pattern::D1,
        (0, _) => Pattern::V,
    }
}

/// Six points in a row each, as bits.
fn windows(room: usize) -> impl Iterator<Item = u32> {
    (0..=room - SIX).map(|start| 0b11_1111 << start)
}

/// Stones in the window that has most.
fn fullest(stones: u32, room: usize) -> usize {
    windows(room).map(|window| (stones & window).count_ones() as usize).max().unwrap_or(0)
}

/// Counts the stones that the other side needs so that no window with four or more is left: from one end, each as
/// far along as it can be.
fn stones_to_shut(stones: u32, room: usize) -> u32 {
    let (mut shut, mut count) = (0u32, 0);
    for window in windows(room) {
        if (stones & window).count_ones() >= 4 && shut & window == 0 {
            let empty = window & !stones;
            if empty == 0 {
                continue;
            }
            shut |= 1 << empty.ilog2();
            count += 1;
        }
    }
    count
}

/// Worth of a position to one side: A times its shapes' scores, and B times its segments'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    shapes: [i32; Pattern::ALL.len()],
    /// A and B.
    factors: [i32; 2],
    /// Score of a window by the stones that one side has in it alone.
    segments: [i32; SIX + 1],
}

/// A and B in a file: at most this.
const FACTOR_MAX: i32 = 1000;

/// The segments where a file says nothing.
const SEGMENTS: [i32; SIX + 1] = [0, 1, 4, 12, 40, 60, 0];

/// A file of scores that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoresError {
    /// Not a shape and a number.
    #[error(
        "line {line}: '{text}' is not a shape and its score: expected a line such as 'L3 1500'"
    )]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// The text that stands there.
        text: String,
    },
    /// No such shape.
    #[error("line {line}: unknown shape '{name}': expected one of {}", names())]
    Unknown {
        /// The line, from 1.
        line: usize,
        /// The name that stands there.
        name: String,
    },
    /// A number that is too large or none.
    #[error(
        "line {line}: score '{score}' of {name}: expected a whole number from 0 to {SCORE_MAX}"
    )]
    Range {
        /// The line, from 1.
        line: usize,
        /// The shape.
        name: &'static str,
        /// The score that stands there.
        score: String,
    },
    /// The same shape again.
    #[error("line {line}: {name} has a score already: expected each shape once")]
    Twice {
        /// The line, from 1.
        line: usize,
        /// The shape.
        name: &'static str,
    },
    /// A factor or a table of segments that is none.
    #[error("line {line}: '{text}': expected {expected}")]
    Segments {
        /// The line, from 1.
        line: usize,
        /// The text that stands there.
        text: String,
        /// A line that would do.
        expected: &'static str,
    },
    /// A shape without a score.
    #[error("no score for {name}: expected a line such as '{name} 100'")]
    Missing {
        /// The shape.
        name: &'static str,
    },
}

fn names() -> String {
    Pattern::ALL.map(|(_, name)| name).join(", ")
}

impl Scores {
    /// Reads the text of a file: a shape and its score a line, whatever follows is for people; lines that
    /// begin with # are passed over. `A N` and `B N` are the factors of shapes and of segments, 1 where nothing is
    /// said; `segments` and six numbers are what windows with one to six stones are worth.
    ///
    /// # Errors
    /// [`ScoresError`] names the line and what was expected there.
    pub fn read(text: &str) -> Result<Scores, ScoresError> {
        let mut scores = [None; Pattern::ALL.len()];
        let (mut factors, mut segments) = ([1; 2], SEGMENTS);
        let lines = (1..).zip(text.lines().map(str::trim));
        for (line, text) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
            if Scores::read_segments(text, &mut factors, &mut segments).map_err(|expected| {
                ScoresError::Segments { line, text: text.chars().take(60).collect(), expected }
            })? {
                continue;
            }
            let mut words = text.split_whitespace();
            let (Some(word), Some(score)) = (words.next(), words.next()) else {
                return Err(ScoresError::Malformed { line, text: text.chars().take(40).collect() });
            };
            let found = Pattern::ALL.into_iter().find(|&(_, name)| name == word);
            let (pattern, name) = found.ok_or_else(|| ScoresError::Unknown {
                line,
                name: word.chars().take(40).collect(),
            })?;
            let number = score.parse().ok().filter(|score| (0..=SCORE_MAX).contains(score));
            let number = number.ok_or_else(|| ScoresError::Range {
                line,
                name,
                score: score.chars().take(40).collect(),
            })?;
            if scores[pattern as usize].replace(number).is_some() {
                return Err(ScoresError::Twice { line, name });
            }
        }
        let mut read = [0; Pattern::ALL.len()];
        for (pattern, name) in Pattern::ALL {
            read[pattern as usize] =
                scores[pattern as usize].ok_or(ScoresError::Missing { name })?;
        }
        Ok(Scores { shapes: read, factors, segments })
    }

    /// Reads a line of factors or segments, and says whether it is one; the error is what was expected.
    fn read_segments(
        text: &str,
        factors: &mut [i32; 2],
        segments: &mut [i32; SIX + 1],
    ) -> Result<bool, &'static str> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        if let Some(factor) = ["A", "B"].iter().position(|&it| it == name) {
            let number = words.next().and_then(|word| word.parse().ok());
            let number = number.filter(|number| (0..=FACTOR_MAX).contains(number));
            factors[factor] = number.ok_or("a factor from 0 to 1000, such as 'A 1'")?;
            return Ok(true);
        }
        if name != "segments" {
            return Ok(false);
        }
        for worth in &mut segments[1..] {
            let number = words.next().and_then(|word| word.parse().ok());
            let number = number.filter(|number| (0..=SCORE_MAX).contains(number));
            *worth =
                number.ok_or("six scores from 0 to 10000000, such as 'segments 1 4 12 40 60 0'")?;
        }
        Ok(true)
    }

    /// The scores that come along.
    pub(super) fn built_in() -> &'static Scores {
        static BUILT_IN: LazyLock<Scores> =
            LazyLock::new(|| Scores::read(DEFAULT).expect("a test reads it"));
        &BUILT_IN
    }

    /// The contents.
    pub(super) fn digest(&self) -> Digest {
        Digest::EMPTY
            .and_numbers(self.shapes.iter().chain(&self.factors).chain(&self.segments).copied())
    }

    pub(super) fn of(&self, pattern: Pattern) -> i64 {
        i64::from(self.factors[0]) * i64::from(self.shapes[pattern as usize])
    }

    /// Worth of one side's segments, B times, by how many windows have so many stones.
    pub(super) fn of_segments(&self, tally: &[u32]) -> i64 {
        let sum: i64 = self
            .segments
            .iter()
            .zip(tally)
            .map(|(&worth, &count)| i64::from(worth) * i64::from(count))
            .sum();
        i64::from(self.factors[1]) * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drawing of a line: `x` for a stone, `.` for an empty point.
    fn shape(line: &str) -> Pattern {
        let bits = line.bytes().enumerate().filter(|&(_, byte)| byte == b'x');
        Pattern::of(bits.fold(0, |stones, (at, _)| stones | 1 << at), line.len())
    }

    #[test]
    fn shapes_are_live_when_it_takes_two_stones_to_shut_their_four() {
        let expected = [
            ("xxxxxx", Pattern::C6),
            (".xxxxxx.", Pattern::C6),
            ("..xxxx..", Pattern::L4),
            (".xxxx..", Pattern::D4),
            ("xxxx..", Pattern::D4),
            (".xxxxx.", Pattern::L5),
            ("xxxxx.", Pattern::D5),
            ("..xxx...", Pattern::L3),
            ("xxx...", Pattern::D3),
            (".xxx...", Pattern::S3),
            ("...xx...", Pattern::L2),
            ("xx....", Pattern::D2),
            ("....x....", Pattern::L1),
            ("x.....", Pattern::D1),
            ("......", Pattern::V),
            ("xx..xx..xx..xx", Pattern::DW),
            ("xx..xx..xx", Pattern::L4),
        ];
        for (line, pattern) in expected {
            assert_eq!(shape(line), pattern, "{line}");
        }
    }

    #[test]
    fn the_file_that_comes_along_has_a_score_for_every_shape() {
        let scores = Scores::read(DEFAULT).expect("a whole file");
        assert!(scores.of(Pattern::L3) > scores.of(Pattern::S3));
        assert_eq!(scores.of(Pattern::V), 1);
    }

    #[test]
    fn factors_and_segments_are_read_and_stand_for_what_the_source_has() {
        let of = |more: &str| Scores::read(&format!("{DEFAULT}\n{more}"));
        let tally = [9, 1, 1, 1, 1, 1, 1];
        assert_eq!(of("").expect("whole").of_segments(&tally), 117);
        let other = of("A 3\nB 2\nsegments 1 2 3 4 5 6").expect("whole");
        assert_eq!((other.of(Pattern::L3), other.of_segments(&tally)), (4500, 42));
        assert_ne!(other.digest(), of("").expect("whole").digest());
        let fault = |more: &str| of(more).expect_err("a fault").to_string();
        assert!(fault("B -1").ends_with("'B -1': expected a factor from 0 to 1000, such as 'A 1'"));
        assert!(fault("segments 1 2 3").contains("expected six scores"));
    }

    #[test]
    fn a_file_that_cannot_be_used_is_refused_with_line_and_what_was_expected() {
        let changed = |from: &str, to: &str| {
            Scores::read(&DEFAULT.replace(from, to)).expect_err("a fault").to_string()
        };
        assert_eq!(
            changed("L3 1500 ", "L3 x"),
            "line 10: score 'x' of L3: expected a whole number from 0 to 10000000"
        );
        assert!(changed("D5 9000", "D5 -1").starts_with("line 7: score '-1' of D5"));
        assert!(changed("D5 9000", "D5 10000001").contains("from 0 to 10000000"));
        assert!(changed("D5 9000", "E5 9000").starts_with("line 7: unknown shape 'E5'"));
        assert!(changed("D5 9000       five, dead", "D5").contains("such as 'L3 1500'"));
        assert_eq!(
            changed("D5 9000", "L5 9000"),
            "line 7: L5 has a score already: expected each shape once"
        );
        assert_eq!(changed("V 1 ", "# "), "no score for V: expected a line such as 'V 100'");
    }
}
