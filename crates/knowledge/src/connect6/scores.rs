//! What the shapes of Connect6 and its segments are worth, as a text file says.
//!
//! # Source
//! S10: value = A · patterns + B · segments with A = B = 1. That it depends on whose turn it is is ours.

use std::sync::LazyLock;

use banyan_games::connect6::Connect6;
use banyan_games::{Color, Game as _};

use crate::digest::Digest;

use super::patterns::{Pattern, SIX};

/// Scores in a file: at most this.
const SCORE_MAX: i32 = 10_000_000;

/// The source's scores.
const SOURCE: &str = include_str!("patterns.txt");

/// Scores that were tuned by games against themselves (docs/experiments/connect6.md).
const TUNED: &str = include_str!("shapes.txt");

/// How a side stands in the round of turns: what its shapes are worth may depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Turn {
    /// It is to move, and has both stones of its turn.
    MovesTwo,
    /// It is to move, and has one stone left.
    MovesOne,
    /// The other side has both stones of its turn.
    WaitsTwo,
    /// The other side has one stone left.
    WaitsOne,
}

impl Turn {
    const ALL: [(Turn, &str); 4] = [
        (Turn::MovesTwo, "moves two"),
        (Turn::MovesOne, "moves one"),
        (Turn::WaitsTwo, "waits two"),
        (Turn::WaitsOne, "waits one"),
    ];

    /// How a side stands at a place in the round of turns.
    fn of(side: Color, Clock { mover, left }: Clock) -> Turn {
        match (mover == side, left) {
            (true, 2..) => Turn::MovesTwo,
            (true, _) => Turn::MovesOne,
            (false, 2..) => Turn::WaitsTwo,
            (false, _) => Turn::WaitsOne,
        }
    }
}

/// Place in the round of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    /// The side to move.
    pub mover: Color,
    /// Stones of its turn that are left.
    pub left: u8,
}

impl Clock {
    /// Places in the round.
    pub const COUNT: usize = 4;

    pub fn of(position: &Connect6) -> Clock {
        Clock { mover: position.side_to_move(), left: position.plies_left() }
    }

    /// Its number, below [`Clock::COUNT`].
    pub fn index(self) -> usize {
        2 * self.mover.index() + usize::from(self.left > 1)
    }

    fn all() -> impl Iterator<Item = Clock> {
        Color::BOTH.into_iter().flat_map(|mover| [1, 2].map(|left| Clock { mover, left }))
    }
}

/// A sum at each place in the round of turns.
pub(super) type ByClock = [i64; Clock::COUNT];

/// Worth of a position to one side: A times its shapes' scores, and B times its segments'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// By [`Turn`].
    turns: [TurnScores; Turn::ALL.len()],
    /// A and B.
    factors: [i32; 2],
    /// As [`Evaluation::scale`](crate::evaluation::Evaluation::scale).
    scale: i32,
    /// Of each kind of shape, by whose it is: A times its score, as Black sees it.
    shapes: [[ByClock; Pattern::COUNT]; 2],
}

/// Scores in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TurnScores {
    shapes: [i32; Pattern::COUNT],
    /// Score of a window by the stones that one side has in it alone.
    segments: [i32; SIX + 1],
}

/// A and B in a file: at most this.
const FACTOR_MAX: i32 = 1000;

/// The scale where a file says nothing.
const SCALE: i32 = 3000;

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
    /// A factor, a scale, a table of segments, or the name of a turn, that is none or stands in the wrong place.
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
    #[error("no score for {name} when its side {turn}: expected a line such as '{name} 100'")]
    Missing {
        /// The shape.
        name: &'static str,
        /// How the side stands in the round of turns.
        turn: &'static str,
    },
}

fn names() -> String {
    Pattern::ALL.map(|(_, name)| name).join(", ")
}

impl Scores {
    /// Reads the text of a file: a shape and its score a line, whatever follows is for people; lines that
    /// begin with # are passed over. `A N` and `B N` are the factors of shapes and of segments, 1 where nothing is
    /// said; `segments` and six numbers are what windows with one to six stones are worth; `scale N` is the value at
    /// which the side to move wins 73 of 100 games, 3000 where nothing is said.
    ///
    /// What stands below a line `when moves two`, `when moves one`, `when waits two` or `when waits one` holds for a
    /// side that stands so in the round of turns; what no such line is above, for all others.
    ///
    /// # Errors
    /// [`ScoresError`] names the line and what was expected there.
    pub fn read(text: &str) -> Result<Scores, ScoresError> {
        let (mut factors, mut scale) = ([1; 2], SCALE);
        // What is said in general, then of each turn.
        let mut said = [Said::default(); 1 + Turn::ALL.len()];
        let mut at = 0;
        let lines = (1..).zip(text.lines().map(str::trim));
        for (line, text) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
            let wrong = |expected| ScoresError::Segments {
                line,
                text: text.chars().take(60).collect(),
                expected,
            };
            if let Some(turn) = section(text).map_err(wrong)? {
                at = 1 + turn;
            } else if let Some(factor) = factor(text).map_err(wrong)? {
                if at > 0 {
                    return Err(wrong(ABOVE));
                }
                factors[factor.0] = factor.1;
            } else if let Some(number) = scale_of(text).map_err(wrong)? {
                if at > 0 {
                    return Err(wrong(ABOVE));
                }
                scale = number;
            } else if let Some(segments) = segments(text).map_err(wrong)? {
                said[at].segments = Some(segments);
            } else {
                let (pattern, score) = shape(line, text)?;
                if said[at].shapes[pattern as usize].replace(score).is_some() {
                    let (_, name) = Pattern::ALL[pattern as usize];
                    return Err(ScoresError::Twice { line, name });
                }
            }
        }
        let [general, turns @ ..] = said;
        let mut scores = [TurnScores { shapes: [0; Pattern::COUNT], segments: SEGMENTS }; 4];
        for ((scores, said), (_, turn)) in scores.iter_mut().zip(turns).zip(Turn::ALL) {
            for (pattern, name) in Pattern::ALL {
                let own = said.shapes[pattern as usize].or(general.shapes[pattern as usize]);
                let missing = || ScoresError::Missing { name, turn };
                scores.shapes[pattern as usize] = own.ok_or_else(missing)?;
            }
            scores.segments = said.segments.or(general.segments).unwrap_or(SEGMENTS);
        }
        Ok(Scores { turns: scores, factors, scale, shapes: as_black_sees(&scores, factors[0]) })
    }

    /// The source's scores.
    pub(super) fn of_source() -> &'static Scores {
        static OF_SOURCE: LazyLock<Scores> =
            LazyLock::new(|| Scores::read(SOURCE).expect("a test reads it"));
        &OF_SOURCE
    }

    /// Those that are played by.
    pub(super) fn tuned() -> &'static Scores {
        static TUNED_SCORES: LazyLock<Scores> =
            LazyLock::new(|| Scores::read(TUNED).expect("a test reads it"));
        &TUNED_SCORES
    }

    /// The contents.
    pub(super) fn digest(&self) -> Digest {
        let turns = self.turns.iter().flat_map(|it| it.shapes.iter().chain(&it.segments));
        Digest::EMPTY.and_numbers(self.factors.iter().chain([&self.scale]).chain(turns).copied())
    }

    /// The value at which the side to move wins 73 of 100 games.
    pub(super) fn scale(&self) -> i32 {
        self.scale
    }

    /// Worth of a shape to Black, below 0 for White's.
    pub(super) fn of(&self, side: Color, pattern: Pattern) -> &ByClock {
        &self.shapes[side.index()][pattern as usize]
    }

    /// Worth of a position to the side to move, less what it is worth to the other; lines without a stone left out.
    ///
    /// - `shapes`: worth of all shapes to Black.
    /// - `windows`: each side's, by the stones that it alone has in them.
    pub(super) fn value(
        &self,
        clock: Clock,
        shapes: &ByClock,
        windows: &[[u16; SIX + 1]; 2],
    ) -> i64 {
        let [own, other] = [clock.mover, !clock.mover].map(|side| {
            let scores = &self.turns[Turn::of(side, clock) as usize].segments;
            let each = scores.iter().zip(&windows[side.index()]);
            each.map(|(&score, &count)| i64::from(score) * i64::from(count)).sum::<i64>()
        });
        let to_black = shapes[clock.index()];
        let shapes = if clock.mover == Color::Black { to_black } else { -to_black };
        shapes + i64::from(self.factors[1]) * (own - other)
    }
}

/// Shapes' scores as a search adds them up.
fn as_black_sees(
    turns: &[TurnScores; Turn::ALL.len()],
    factor: i32,
) -> [[ByClock; Pattern::COUNT]; 2] {
    let mut shapes = [[[0; Clock::COUNT]; Pattern::COUNT]; 2];
    for (clock, side) in Clock::all().flat_map(|clock| Color::BOTH.map(|side| (clock, side))) {
        let sign = if side == Color::Black { 1 } else { -1 };
        for (pattern, score) in turns[Turn::of(side, clock) as usize].shapes.iter().enumerate() {
            shapes[side.index()][pattern][clock.index()] =
                sign * i64::from(factor) * i64::from(*score);
        }
    }
    shapes
}

/// What a file says, in general or of one turn.
#[derive(Clone, Copy, Default)]
struct Said {
    shapes: [Option<i32>; Pattern::COUNT],
    segments: Option<[i32; SIX + 1]>,
}

/// The number of the turn, where the line names one; the error is what was expected.
fn section(text: &str) -> Result<Option<usize>, &'static str> {
    let mut words = text.split_whitespace();
    if words.next() != Some("when") {
        return Ok(None);
    }
    let name = words.take(2).collect::<Vec<_>>().join(" ");
    let found = Turn::ALL.iter().position(|(_, known)| *known == name);
    found
        .map(Some)
        .ok_or("'when moves two', 'when moves one', 'when waits two' or 'when waits one'")
}

/// What holds for all turns alike does not stand below the name of one.
const ABOVE: &str = "a line such as this above the first 'when'";

/// A factor and its place, where the line is one; the error is what was expected.
fn factor(text: &str) -> Result<Option<(usize, i32)>, &'static str> {
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or_default();
    let Some(at) = ["A", "B"].iter().position(|&it| it == name) else { return Ok(None) };
    let number = words.next().and_then(|word| word.parse().ok());
    let number = number.filter(|number| (0..=FACTOR_MAX).contains(number));
    number.map(|number| Some((at, number))).ok_or("a factor from 0 to 1000, such as 'A 1'")
}

/// The scale, where the line is about it; the error is what was expected.
fn scale_of(text: &str) -> Result<Option<i32>, &'static str> {
    let mut words = text.split_whitespace();
    if words.next() != Some("scale") {
        return Ok(None);
    }
    let number = words.next().and_then(|word| word.parse().ok());
    let number = number.filter(|number| (1..=SCORE_MAX).contains(number));
    number.map(Some).ok_or("a scale from 1 to 10000000, such as 'scale 3000'")
}

/// The scores of segments, where the line is theirs; the error is what was expected.
fn segments(text: &str) -> Result<Option<[i32; SIX + 1]>, &'static str> {
    let mut words = text.split_whitespace();
    if words.next() != Some("segments") {
        return Ok(None);
    }
    let mut scores = [0; SIX + 1];
    for worth in &mut scores[1..] {
        let number = words.next().and_then(|word| word.parse().ok());
        let number = number.filter(|number| (0..=SCORE_MAX).contains(number));
        *worth =
            number.ok_or("six scores from 0 to 10000000, such as 'segments 1 4 12 40 60 0'")?;
    }
    Ok(Some(scores))
}

/// A shape and its score.
fn shape(line: usize, text: &str) -> Result<(Pattern, i32), ScoresError> {
    let mut words = text.split_whitespace();
    let (Some(word), Some(score)) = (words.next(), words.next()) else {
        return Err(ScoresError::Malformed { line, text: text.chars().take(40).collect() });
    };
    let found = Pattern::ALL.into_iter().find(|&(_, name)| name == word);
    let unknown = || ScoresError::Unknown { line, name: word.chars().take(40).collect() };
    let (pattern, name) = found.ok_or_else(unknown)?;
    let number = score.parse().ok().filter(|score| (0..=SCORE_MAX).contains(score));
    let wrong = || ScoresError::Range { line, name, score: score.chars().take(40).collect() };
    Ok((pattern, number.ok_or_else(wrong)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worth of one such shape to a side that stands so.
    fn one(scores: &Scores, turn: Turn, pattern: Pattern) -> i64 {
        let found = Clock::all().flat_map(|clock| {
            let is_so = move |side: &Color| Turn::of(*side, clock) == turn;
            Color::BOTH.into_iter().filter(is_so).map(move |side| {
                let sign = if side == Color::Black { 1 } else { -1 };
                sign * scores.of(side, pattern)[clock.index()]
            })
        });
        let found: Vec<i64> = found.collect();
        assert_eq!(found, [found[0]; 2], "Black's and White's");
        found[0]
    }

    /// The worth of windows to a side that stands so.
    fn segments_of(scores: &Scores, turn: Turn, windows: [u16; SIX + 1]) -> i64 {
        let clock = Clock::all().find(|&clock| Turn::of(Color::White, clock) == turn);
        let clock = clock.expect("one of them");
        let value = scores.value(clock, &[0; Clock::COUNT], &[[0; SIX + 1], windows]);
        if clock.mover == Color::White { value } else { -value }
    }

    #[test]
    fn the_file_that_comes_along_has_a_score_for_every_shape() {
        let scores = Scores::read(SOURCE).expect("a whole file");
        assert!(
            one(&scores, Turn::MovesTwo, Pattern::L3) > one(&scores, Turn::MovesTwo, Pattern::S3)
        );
        assert!(Turn::ALL.iter().all(|&(turn, _)| one(&scores, turn, Pattern::V) == 1));
        let tuned = Scores::read(TUNED).expect("a whole file");
        assert_ne!(tuned.digest(), scores.digest());
    }

    #[test]
    fn factors_and_segments_are_read_and_stand_for_what_the_source_has() {
        let of = |more: &str| Scores::read(&format!("{SOURCE}\n{more}"));
        let windows = |scores: &Scores| segments_of(scores, Turn::WaitsOne, [9, 1, 1, 1, 1, 1, 1]);
        assert_eq!(windows(&of("").expect("whole")), 117);
        let other = of("A 3\nB 2\nsegments 1 2 3 4 5 6").expect("whole");
        assert_eq!((one(&other, Turn::WaitsTwo, Pattern::L3), windows(&other)), (4500, 42));
        assert_ne!(other.digest(), of("").expect("whole").digest());
        let fault = |more: &str| of(more).expect_err("a fault").to_string();
        assert!(fault("B -1").ends_with("'B -1': expected a factor from 0 to 1000, such as 'A 1'"));
        assert!(fault("segments 1 2 3").contains("expected six scores"));
        assert!(
            fault("scale 0").ends_with("expected a scale from 1 to 10000000, such as 'scale 3000'")
        );
        let scales = ["", "scale 500"].map(|more| of(more).expect("whole"));
        assert_eq!(scales.each_ref().map(Scores::scale), [3000, 500]);
        assert_ne!(scales[0].digest(), scales[1].digest());
    }

    #[test]
    fn scores_of_a_turn_hold_there_alone() {
        let text = format!(
            "{SOURCE}\nwhen moves one\nL3 7\nsegments 0 0 0 0 0 9\nwhen waits two\nL3 8 for people"
        );
        let scores = Scores::read(&text).expect("a whole file");
        let found = Turn::ALL.map(|(turn, _)| one(&scores, turn, Pattern::L3));
        assert_eq!(found, [1500, 7, 8, 1500]);
        let six = |turn| segments_of(&scores, turn, [0, 1, 0, 0, 0, 0, 2]);
        assert_eq!(Turn::ALL.map(|(turn, _)| six(turn)), [1, 18, 1, 1]);
        // White is to move and has one shape, Black two.
        let value = |left| {
            let clock = Clock { mover: Color::White, left };
            let [black, white] =
                Color::BOTH.map(|side| scores.of(side, Pattern::L3)[clock.index()]);
            let mut shapes = [0; Clock::COUNT];
            shapes[clock.index()] = 2 * black + white;
            scores.value(clock, &shapes, &[[0; SIX + 1]; 2])
        };
        assert_eq!((value(2), value(1)), (1500 - 2 * 8, 7 - 2 * 1500));
        let fault = Scores::read(&format!("{SOURCE}\nwhen moves")).expect_err("no turn");
        assert!(fault.to_string().ends_with("'when moves': expected 'when moves two', 'when moves one', 'when waits two' or 'when waits one'"), "{fault}");
        let fault =
            Scores::read(&format!("{SOURCE}\nwhen moves one\nL3 7\nL3 7")).expect_err("twice");
        assert!(fault.to_string().contains("L3 has a score already"), "{fault}");
    }

    #[test]
    fn a_file_that_cannot_be_used_is_refused_with_line_and_what_was_expected() {
        let changed = |from: &str, to: &str| {
            Scores::read(&SOURCE.replace(from, to)).expect_err("a fault").to_string()
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
        assert_eq!(
            changed("V 1 ", "# "),
            "no score for V when its side moves two: expected a line such as 'V 100'"
        );
        let partly = SOURCE.replace("V 1 ", "# ") + "when moves two\nV 1\nwhen\tmoves one\nV 1\n";
        let fault = Scores::read(&partly).expect_err("no V for who waits").to_string();
        assert!(fault.starts_with("no score for V when its side waits two"), "{fault}");
        for line in ["A 2", "scale 2"] {
            let text = format!("{SOURCE}when moves two\n{line}\n");
            let fault = Scores::read(&text).expect_err("it holds for all turns").to_string();
            assert!(fault.ends_with(&format!("'{line}': expected {ABOVE}")), "{fault}");
        }
    }
}
