//! The values that a parameter may have, and the numbers that stand for them on a command line and on
//! the wire.

use std::fmt;

/// Values that a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// On or off: 1 or 0.
    Switch,
    /// A whole number.
    Count {
        /// The smallest.
        min: u32,
        /// The largest.
        max: u32,
    },
    /// A whole number, or none: -1.
    Limit {
        /// The largest.
        max: u32,
    },
    /// A part of a whole.
    Share {
        /// The smallest.
        min: f32,
        /// The largest.
        max: f32,
    },
    /// Any number within bounds.
    Real {
        /// The smallest.
        min: f32,
        /// The largest.
        max: f32,
    },
}

impl Domain {
    /// Tells whether a number stands for one of its values.
    pub fn has(self, number: f32) -> bool {
        let is_count = |min: u32, max: u32| {
            number.fract() == 0.0 && (min as f32..=max as f32).contains(&number)
        };
        match self {
            Domain::Switch => is_count(0, 1),
            Domain::Count { min, max } => is_count(min, max),
            Domain::Limit { max } => number == NONE || is_count(0, max),
            Domain::Share { min, max } | Domain::Real { min, max } => (min..=max).contains(&number),
        }
    }
}

/// The expectation, in words.
impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Switch => write!(f, "0 or 1"),
            Domain::Count { min, max } => write!(f, "a whole number from {min} to {max}"),
            Domain::Limit { max } => {
                write!(f, "a whole number from 0 to {max}, or {NONE} for none")
            }
            Domain::Share { min, max } => write!(f, "a share from {min} to {max}"),
            Domain::Real { min, max } => write!(f, "a number from {min} to {max}"),
        }
    }
}

/// Stands for no limit.
const NONE: f32 = -1.0;

/// A value that a number stands for.
pub trait Setting: Copy {
    /// The value of a number of its domain.
    fn of_number(number: f32) -> Self;

    /// The number that stands for it.
    fn number(self) -> f32;
}

impl Setting for bool {
    fn of_number(number: f32) -> bool {
        number > 0.0
    }

    fn number(self) -> f32 {
        u8::from(self).into()
    }
}

impl Setting for u32 {
    fn of_number(number: f32) -> u32 {
        number as u32
    }

    fn number(self) -> f32 {
        self as f32
    }
}

impl Setting for Option<u32> {
    fn of_number(number: f32) -> Option<u32> {
        (number >= 0.0).then_some(number as u32)
    }

    fn number(self) -> f32 {
        self.map_or(NONE, u32::number)
    }
}

impl Setting for f32 {
    fn of_number(number: f32) -> f32 {
        number
    }

    fn number(self) -> f32 {
        self
    }
}
