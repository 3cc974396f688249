//! Decisions of an opening, and who takes them.

use std::fmt;
use std::str::FromStr;

use banyan_games::{Color, Move};

/// A rule by which a game is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Black begins, and nobody has a choice of sides.
    #[default]
    None,
    /// One side lays three stones, the other takes the colour that it likes.
    Swap,
    /// As swap; or the other side lays two stones more and leaves the choice of colours.
    Swap2,
    /// As swap; then White plays the fourth stone, Black offers two points for the fifth, and White
    /// says which of them is played.
    TwoFifths,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 4] = [Rule::None, Rule::Swap, Rule::Swap2, Rule::TwoFifths];

    /// Its name, as it is typed.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::None => "none",
            Rule::Swap => "swap",
            Rule::Swap2 => "swap2",
            Rule::TwoFifths => "two-fifths",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected none, swap, swap2 or two-fifths")]
pub struct UnknownRule;

impl FromStr for Rule {
    type Err = UnknownRule;

    /// The rule of this name, in letters of any case.
    fn from_str(text: &str) -> Result<Rule, UnknownRule> {
        let named = Rule::ALL.into_iter().find(|rule| rule.name().eq_ignore_ascii_case(text));
        named.ok_or(UnknownRule)
    }
}

/// A player, before and after it is known with which stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The one who lays the first three stones.
    First,
    /// The other one.
    Second,
}

/// A decision of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The first three stones: Black's, White's, Black's.
    Lay([Move; 3]),
    /// The colour of whoever decides.
    Take(Color),
    /// Two stones more, White's and Black's; the first party then takes a colour.
    Add([Move; 2]),
    /// Black's two points for the fifth stone.
    Offer([Move; 2]),
    /// The one of them that White lets stand.
    Keep(Move),
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// [`Decision::Lay`] of the first party.
    Lay,
    /// [`Decision::Take`] of the party named.
    Take(Party),
    /// [`Decision::Take`] or [`Decision::Add`] of the second party.
    TakeOrAdd,
    /// An ordinary move of White, the fourth.
    Fourth,
    /// [`Decision::Offer`] of Black.
    Offer,
    /// [`Decision::Keep`] of White, one of these points.
    Keep([Move; 2]),
    /// Ordinary moves to the end of the game.
    Over,
}
