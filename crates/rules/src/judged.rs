//! Findings of the solver about a rule: with nothing around it, and on completions.

use std::ops::AddAssign;

/// Result of a proof with nothing around the rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Alone {
    /// Nobody asked.
    #[default]
    Unasked,
    /// None was found: a ko in the rule, a repetition, too long a proof.
    Unproven,
    /// The contrary was proven.
    Contradicted,
    /// The proof, by points of the rule.
    Proven(String),
}

/// Verdicts of the solver on completions of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Completions on which it found the same, count.
    pub agreed: u32,
    /// Completions on which it found the contrary, count.
    pub contradicted: u32,
    /// Completions on which it gave up, count.
    pub open: u32,
}

impl Judged {
    /// Completions that were looked at, count.
    pub fn total(self) -> u32 {
        self.agreed.saturating_add(self.contradicted).saturating_add(self.open)
    }
}

impl AddAssign for Judged {
    fn add_assign(&mut self, more: Judged) {
        let Judged { agreed, contradicted, open } = more;
        self.agreed += agreed;
        self.contradicted += contradicted;
        self.open += open;
    }
}
