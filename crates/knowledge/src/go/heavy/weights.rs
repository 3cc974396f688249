//! The table of weights: how much likelier a move is for each thing that speaks for or against it.
//!
//! A move's weight is the product of that of its surroundings, where it stands next to one of the last
//! stones, and of its factors. The numbers are learned from games of our own; `weights.txt` says how. Beside them stand the chances that a playout
//! looks for each kind of answer to the last stone before it draws from the whole board.

use std::sync::LazyLock;

use super::pattern::{self, CODES};
use banyan_games::types::Color;

macro_rules! factors {
    ($($name:ident $text:literal $meaning:literal,)*) => {
        /// A reason for or against a move, beside the stones around it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Factor {
            $(#[doc = $meaning] $name,)*
        }

        /// Names and meanings, in the order of [`Factor`].
        pub(super) const FACTORS: &[(Factor, &str)] = &[$((Factor::$name, $text),)*];
    };
}

factors! {
    CaptureOne "capture-one" "Takes a stone.",
    CaptureTwo "capture-two" "Takes a chain of two.",
    CaptureMany "capture-many" "Takes a chain of three or more.",
    EscapeOne "escape-one" "Last liberty of an own stone.",
    EscapeMany "escape-many" "Last liberty of an own chain of two or more.",
    CaptureLast "capture-last" "Takes the chain of the last stone.",
    AtariLast "atari-last" "Puts the chain of the last stone in an atari that it cannot run from at once.",
    SaveByCapture "save-by-capture" "Takes a foe next to a chain that the last stone put in atari.",
    SaveToTwo "save-to-two" "Gives a chain that the last stone put in atari two liberties.",
    SaveToMore "save-to-more" "Gives a chain that the last stone put in atari three or more.",
    DefendTwo "defend-two" "Saves a chain next to the last stone from such an atari.",
    Race "race" "A liberty of a foe that has no more of them than a chain next to the last stone.",
    Nakade "nakade" "The vital point of a small eye space next to the last stone.",
    EyeSpace "eye-space" "Fills a small eye space that one own chain encloses, beside its vital point.",
    ThrowIn "throw-in" "Leaves a single liberty inside an eye that shares its last two points.",
    SelfAtariOne "self-atari-one" "Leaves the stone a single liberty.",
    SelfAtariShape "self-atari-shape" "Leaves a single liberty inside an eye space, in a shape that kills.",
    SelfAtariMany "self-atari-many" "Leaves a chain of two or more a single liberty.",
}

macro_rules! stages {
    ($($name:ident $text:literal $meaning:literal,)*) => {
        /// Kinds of moves that a playout looks for, one after the other, before it draws from the whole
        /// board.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Stage {
            $(#[doc = $meaning] $name,)*
        }

        impl Stage {
            /// In the order of looking.
            pub(super) const ALL: &[Stage] = &[$(Stage::$name,)*];
        }

        /// Names in the table, in the order of [`Stage`].
        const STAGES: &[&str] = &[$($text,)*];
    };
}

stages! {
    Atari "stage-atari" "Takes the chain of the last stone, or saves what that put in atari.",
    Liberties "stage-liberties" "Attacks the last stone's chain of two liberties, or defends against it.",
    Vital "stage-vital" "The vital point of a small eye space next to the last stone.",
    Race "stage-race" "Takes a liberty in a race with the last stone's neighbours.",
    Shape "stage-shape" "A point next to one of the last two stones whose surroundings weigh enough.",
}

/// A set of factors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Factors(u32);

impl Factors {
    #[inline(always)]
    pub(super) fn add(&mut self, factor: Factor) {
        self.0 |= 1 << factor as u32;
    }

    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = Factor> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let (factor, _) = FACTORS.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(*factor)
        })
    }
}

/// The weight of a move that nothing speaks for or against.
pub(super) const ONE: u32 = 1 << 8;

/// No weight is larger, so that those of a whole board fit 32 bits.
const WEIGHT_MAX: u64 = 1 << 22;

/// The table, made fast to read.
#[derive(Debug)]
pub(super) struct Weights {
    /// By code, next to one of the last stones; 0 for one-point eyes.
    near: Box<[u16; CODES]>,
    factors: [u32; FACTORS.len()],
    /// Chance that a stage is looked at, in parts of [`ONE`].
    stages: [u32; STAGES.len()],
    /// The weight from which surroundings are an answer by themselves.
    shape_min: u32,
}

/// The learned table, as text.
pub(super) const TEXT: &str = include_str!("weights.txt");

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| Weights::parse(TEXT).expect("the table is tested to be readable"));

impl Weights {
    /// The learned table.
    pub(super) fn learned() -> &'static Weights {
        &WEIGHTS
    }

    /// Reads lines `NAME VALUE`, NAME a factor, a stage or `shape-min`, and `near DRAWING VALUE`; `%`
    /// begins a remark.
    ///
    /// What the table does not name has weight 1, and a stage no chance. The error is the first line that cannot be read.
    fn parse(text: &str) -> Result<Weights, String> {
        let mut weights = Weights {
            near: vec![ONE as u16; CODES].try_into().expect("as many as there are codes"),
            factors: [ONE; FACTORS.len()],
            stages: [0; STAGES.len()],
            shape_min: ONE,
        };
        for line in text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty()) {
            weights.read(line).ok_or(line)?;
        }
        for eye in (0..=u16::MAX).filter(|&code| pattern::is_eye(code)) {
            weights.near[usize::from(eye)] = 0;
        }
        Ok(weights)
    }

    fn read(&mut self, line: &str) -> Option<()> {
        let mut words = line.split_whitespace();
        let name = words.next()?;
        let drawing = (name == "near").then(|| words.next());
        let value = (f64::from(ONE) * words.next()?.parse::<f64>().ok()?).round();
        if let Some(drawing) = drawing {
            let value = value.clamp(1.0, f64::from(u16::MAX)) as u16;
            for code in pattern::symmetric(pattern::parse(drawing?)?) {
                self.near[usize::from(code)] = value;
            }
        } else if let Some(stage) = STAGES.iter().position(|text| *text == name) {
            self.stages[stage] = (value as u32).min(ONE);
        } else if name == "shape-min" {
            self.shape_min = value as u32;
        } else {
            let (factor, _) = FACTORS.iter().find(|(_, text)| *text == name)?;
            self.factors[*factor as usize] = value as u32;
        }
        Some(())
    }

    /// The weight of a point next to one of the last stones by what `color` sees around it; 0 for its
    /// one-point eyes.
    #[inline(always)]
    pub(super) fn near(&self, color: Color, code: u16) -> u32 {
        u32::from(self.near[usize::from(pattern::seen_by(color, code))])
    }

    /// A weight times that of a factor.
    #[inline(always)]
    pub(super) fn times(&self, weight: u32, factor: Factor) -> u32 {
        let product = u64::from(weight) * u64::from(self.factors[factor as usize]);
        (product / u64::from(ONE)).min(WEIGHT_MAX) as u32
    }

    /// The chance that a stage is looked at, in parts of [`ONE`].
    #[inline(always)]
    pub(super) fn chance_of(&self, stage: Stage) -> u32 {
        self.stages[stage as usize]
    }

    /// Tells whether surroundings of this weight are an answer by themselves.
    #[inline(always)]
    pub(super) fn is_shape(&self, weight: u32) -> bool {
        weight >= self.shape_min
    }

    /// The chance, in parts of [`ONE`], to go through with a move that this speaks against.
    #[inline(always)]
    pub(super) fn chance(&self, factor: Factor) -> u32 {
        self.factors[factor as usize].min(ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_a_wrong_line_is_named() {
        let learned = Weights::parse(include_str!("weights.txt")).expect("every line");
        assert_eq!(learned.chance(Factor::CaptureOne), ONE);
        assert!(learned.chance(Factor::SelfAtariMany) < ONE / 10);
        for wrong in [
            "capture",
            "capture-one",
            "capture-one much",
            "near XO 2",
            "near XXX/.*./OO? 1",
            "far XXX/.*./OOX 1",
        ] {
            let text = format!("% a remark\nnakade 2\n{wrong}\n");
            assert_eq!(Weights::parse(&text).expect_err(wrong), wrong);
        }
    }

    #[test]
    fn a_drawing_holds_from_all_sides_and_for_both_colours() {
        let table = Weights::parse("near XO./.*./### 2.5\n").expect("one line");
        for (color, drawing) in [
            (Color::Black, "XO./.*./###"),
            (Color::Black, ".OX/.*./###"),
            (Color::Black, "###/.*./.OX"),
            (Color::Black, "#.X/#*O/#.."),
            (Color::White, "OX./.*./###"),
        ] {
            let code = pattern::parse(drawing).expect("a drawing");
            assert_eq!(table.near(color, code), 640, "{drawing}");
            assert_eq!(pattern::drawing(code), drawing);
        }
    }
}
