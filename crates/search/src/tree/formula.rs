//! Data that children are ranked by, whatever the formula.

use super::{Amaf, Flags, ImplicitValue, Judged, Prior};

/// Data that one child is ranked by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) visits: u64,
    pub(super) half_wins: u64,
    pub(super) unobserved: u32,
    pub(super) amaf: Amaf,
    pub(super) judged: Judged,
    pub(super) prior: Prior,
    pub(super) implicit_value: ImplicitValue,
    pub(super) flags: Flags,
}

/// Urgency of looking at a child.
pub(super) trait Formula {
    /// Without a branch, so that many children are ranked by one instruction.
    fn of(&self, child: Child) -> f32;
}

/// The value of what is known of a child, by playouts and evaluations together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) lambda: f32,
}

impl Own {
    /// The value of a child that has playouts or evaluations.
    #[inline(always)]
    pub(super) fn value(self, child: Child) -> f32 {
        let judged = child.judged.mean();
        let played = 0.5 * child.half_wins as f32 / child.visits as f32;
        let played = if child.visits > 0 { played } else { judged };
        let mixed = played + self.lambda * (judged - played);
        if child.judged.count() > 0 { mixed } else { played }
    }
}
