//! Worth of crossings, learned from games of Banyan against itself.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use crate::line::lines::WAYS;

use crate::digest::Digest;

use super::shapes::{Crossing, Shape};

/// Nearness of a side to a win with the best of its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Threat {
    /// No point makes as much as what follows.
    None,
    /// A four that can be stopped.
    Four,
    /// An open three.
    Three,
    /// Two open threes.
    Threes,
    /// A four and an open three.
    FourAndThree,
    /// Two fours, or an open one.
    Fours,
    /// A win at once.
    Five,
}

impl Threat {
    /// Kinds of threats.
    pub const COUNT: usize = 7;

    /// Each, the weakest first.
    pub const ALL: [Threat; Threat::COUNT] = [
        Threat::None,
        Threat::Four,
        Threat::Three,
        Threat::Threes,
        Threat::FourAndThree,
        Threat::Fours,
        Threat::Five,
    ];

    /// The threat of a stone at this crossing.
    pub fn of(crossing: Crossing) -> Threat {
        let shapes = crossing.sorted();
        let is_three = |shape: &&Shape| matches!(shape, Shape::OpenThree | Shape::WideThree);
        let threes = shapes.iter().filter(is_three).count();
        let fours = shapes.iter().filter(|&&shape| shape == Shape::ShutFour).count();
        match shapes[0] {
            Shape::Five => Threat::Five,
            Shape::OpenFour => Threat::Fours,
            _ if fours > 1 => Threat::Fours,
            _ if fours == 1 && threes > 0 => Threat::FourAndThree,
            _ if threes > 1 => Threat::Threes,
            _ if threes == 1 => Threat::Three,
            _ if fours == 1 => Threat::Four,
            _ => Threat::None,
        }
    }
}

/// All that is known of one crossing. Logits are in hundredths.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Worth of a point to the side to move, by whose stone makes it: the side's, or the other's.
    pub value: [i16; 2],
    /// Likelihood that the side to move plays there, in the same order.
    pub rank: [i16; 2],
    /// Its threat.
    pub threat: Threat,
}

/// Logits by crossing and by the best threats of both sides.
#[derive(Clone, Debug)]
pub struct Weights {
    entries: Box<[Entry]>,
    /// By the side to move's best threat and the other side's.
    threats: [[i32; Threat::COUNT]; Threat::COUNT],
    digest: Digest,
}

const TEXT: &str = include_str!("weights.txt");

static LEARNED: LazyLock<Arc<Weights>> =
    LazyLock::new(|| Arc::new(Weights::parse(TEXT).expect("the table is tested to be readable")));

impl Weights {
    /// The learned table.
    pub fn learned() -> &'static Weights {
        &LEARNED
    }

    /// The same, to be held.
    pub(super) fn learned_shared() -> Arc<Weights> {
        LEARNED.clone()
    }

    /// The contents.
    pub(super) fn digest(&self) -> Digest {
        self.digest
    }

    /// The contents of the learned table.
    pub(super) fn model() -> Digest {
        Digest::EMPTY.and(TEXT.as_bytes())
    }

    /// Nothing is worth anything.
    fn none() -> Weights {
        let entry = |index| {
            let threat = Threat::of(Crossing::of_index(index));
            Entry { value: [0; 2], rank: [0; 2], threat }
        };
        Weights {
            entries: (0..Crossing::COUNT).map(entry).collect(),
            threats: [[0; Threat::COUNT]; Threat::COUNT],
            digest: Digest::EMPTY,
        }
    }

    /// Reads lines of `threats OWN OTHER LOGIT`, by numbers of threats, and of `SHAPE SHAPE SHAPE SHAPE`
    /// with the value of an own and of the other side's stone and the rank by each, all in hundredths of a
    /// logit; `%` begins a remark. The error is the first line that cannot be read.
    pub(super) fn parse(text: &str) -> Result<Weights, String> {
        let mut weights = Weights::none();
        weights.digest = Digest::EMPTY.and(text.as_bytes());
        let mut by_shapes = std::collections::HashMap::new();
        for line in text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty()) {
            weights.read(line, &mut by_shapes).ok_or(line)?;
        }
        for (index, entry) in weights.entries.iter_mut().enumerate() {
            let shapes = Crossing::of_index(index).sorted();
            if let Some(&(value, rank)) = by_shapes.get(&shapes) {
                (entry.value, entry.rank) = (value, rank);
            }
        }
        Ok(weights)
    }

    /// As [`Weights::parse`], of a whole table: a line for each two threats and for each crossing.
    ///
    /// # Errors
    /// The fault, in words.
    pub(super) fn parse_whole(text: &str) -> Result<Weights, String> {
        let wrong = |line: String| {
            let line: String = line.chars().take(80).collect();
            format!("'{line}' is no line of weights")
        };
        let weights = Weights::parse(text).map_err(wrong)?;
        let lines = text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty());
        // What a line is about stands before its numbers.
        let abouts: HashSet<Vec<&str>> = lines
            .map(|line| {
                let words: Vec<&str> = line.split(' ').collect();
                words[..if words[0] == "threats" { 3 } else { WAYS }].to_vec()
            })
            .collect();
        let crossings: HashSet<_> =
            (0..Crossing::COUNT).map(|index| Crossing::of_index(index).sorted()).collect();
        let expected = Threat::COUNT.pow(2) + crossings.len();
        let found = abouts.len();
        if found == expected && !text.ends_with('\n') {
            return Err("the last line has no end: is the file cut short?".to_owned());
        }
        if found < expected {
            return Err(format!("{found} of {expected} lines of weights: is the file cut short?"));
        }
        Ok(weights)
    }

    fn read(&mut self, line: &str, by_shapes: &mut ByShapes) -> Option<()> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["threats", own, other, logit] => {
                let row = self.threats.get_mut(own.parse::<usize>().ok()?)?;
                *row.get_mut(other.parse::<usize>().ok()?)? = logit.parse().ok()?;
            }
            [a, b, c, d, own, other, rank_own, rank_other] => {
                let named = |name: &str| Shape::ALL.into_iter().find(|it| it.name() == name);
                let shapes = [named(a)?, named(b)?, named(c)?, named(d)?];
                let shapes = Crossing::new(shapes).sorted();
                let value = [own.parse().ok()?, other.parse().ok()?];
                let rank = [rank_own.parse().ok()?, rank_other.parse().ok()?];
                by_shapes.insert(shapes, (value, rank));
            }
            _ => return None,
        }
        Some(())
    }

    /// The entry of a crossing.
    #[inline(always)]
    pub fn of(&self, crossing: Crossing) -> &Entry {
        &self.entries[crossing.index()]
    }

    /// The likelihood that the side to move, of this index, plays on a point with these crossings.
    #[inline(always)]
    pub fn rank(&self, crossings: [Crossing; 2], side: usize) -> i32 {
        let by = |whose: usize, side: usize| i32::from(self.of(crossings[side]).rank[whose]);
        by(0, side) + by(1, 1 - side)
    }

    /// Worth to the side to move of its best threat and of the other side's.
    pub fn of_threats(&self, own: Threat, other: Threat) -> i32 {
        self.threats[own as usize][other as usize]
    }
}

type ByShapes = std::collections::HashMap<[Shape; WAYS], ([i16; 2], [i16; 2])>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_a_wrong_line_is_named() {
        assert!(Weights::parse(include_str!("weights.txt")).is_ok());
        for wrong in [
            "threats 7 0 1",
            "threats 0 0",
            "threats 0 0 x",
            "3 3 - 1 2 3 4",
            "3 3 - ? 1 2 3 4",
            "3 3 - - 1 2 3 40000",
        ] {
            let text = format!("% a remark\n4s 3 - - 1 2 3 4\n{wrong}\n");
            assert_eq!(Weights::parse(&text).expect_err(wrong), wrong);
        }
    }

    #[test]
    fn a_table_that_was_cut_is_refused() {
        let whole = include_str!("weights.txt");
        assert!(Weights::parse_whole(whole).is_ok());
        let last_line = whole.trim_end().rfind('\n').expect("lines") + 1;
        let why = |end| Weights::parse_whole(&whole[..end]).expect_err("cut");
        for (end, found) in [(0, 0), (last_line, 1413)] {
            assert_eq!(
                why(end),
                format!("{found} of 1414 lines of weights: is the file cut short?")
            );
        }
        assert_eq!(why(whole.len() - 1), "the last line has no end: is the file cut short?");
    }

    #[test]
    fn crossings_are_worth_the_same_in_every_order_of_their_lines() {
        let weights = Weights::parse("3 4s - 1 1 2 3 4\nthreats 2 6 -50\n").expect("lines");
        let [dead, one, three, four] =
            [Shape::Dead, Shape::OpenOne, Shape::OpenThree, Shape::ShutFour];
        for shapes in [[dead, one, three, four], [four, three, one, dead]] {
            let entry = weights.of(Crossing::new(shapes));
            assert_eq!((entry.value, entry.rank), ([1, 2], [3, 4]));
            assert_eq!(entry.threat, Threat::FourAndThree);
        }
        assert_eq!(weights.of_threats(Threat::Three, Threat::Five), -50);
    }
}
