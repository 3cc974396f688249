//! Rules by which playouts choose their moves.

use std::fmt::{self, Display};

/// Rule by which playouts choose their moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Every candidate move is equally likely.
    #[default]
    Uniform,
    /// Moves are drawn by what the game knows of them; uniform where it knows nothing.
    Heavy,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Policy; 2] = [Policy::Uniform, Policy::Heavy];

    /// The name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Policy::Uniform => "uniform",
            Policy::Heavy => "heavy",
        }
    }
}

impl Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
