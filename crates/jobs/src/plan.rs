//! Settings of one position's search: what a session plans, and what a front end may ask a coordinator for.
//!
//! One table from the command line to the wire: an option of the search is a field of [`Plan`], and what
//! is wrong with one is said by [`Plan::check`], whoever asked for it.

use std::num::NonZeroU32;

use banyan_games::Kind;
use banyan_knowledge::Policy;
use banyan_search::Searchable;

use crate::limits;

/// Settings that are fixed for one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Policy by which playouts choose.
    pub policy: Policy,
    /// The search's seed; every batch's seed follows from it.
    pub seed: u64,
    /// Stop after so many playouts.
    pub playouts_max: Option<u64>,
    /// Size of the batches, and their mode.
    pub sizing: Sizing,
    /// At most so many playouts in flight; fewer while the tree is small, unless tallies are merged in
    /// order. Nothing lets cluster and tree decide.
    pub window: Option<u32>,
    /// Merge tallies in the order in which batches were made, so that arrival decides nothing.
    pub in_order: bool,
    /// Owners of points at the end are asked of one batch in so many; 0 for never.
    pub ownership_every: u64,
    /// The opponent is to move and this is his time: so many replies are searched. It does not travel:
    /// there a claim says who ponders, and all replies are searched.
    pub replies: Option<NonZeroU32>,
}

/// Sizes that are fixed for the batches of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizing {
    /// The mode wished for.
    pub wish: Wish,
    /// Playouts of every batch, where they are fixed.
    pub playouts: Option<u32>,
}

/// Kind of batches that is wished for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wish {
    /// The kind that fits the cluster.
    #[default]
    Auto,
    /// Playouts that all start at the leaf.
    LeafParallel,
    /// Private trees of the workers.
    Subtree,
}

/// A contradiction in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A batch that the protocol does not carry.
    #[error("a batch of {0} playouts is too large: at most {max}", max = limits::PLAYOUTS_PER_BATCH_MAX)]
    Batch(u32),
    /// Playouts that the game does not have.
    #[error("{0} has no heavy playouts: expected uniform")]
    Policy(Kind),
    /// A window that no batch fits in.
    #[error("a window of {window} playouts is smaller than a batch of {batch}")]
    Window {
        /// Playouts in flight.
        window: u32,
        /// Playouts in a batch.
        batch: u32,
    },
}

impl Plan {
    /// A search without a limit, as everything is unless told otherwise.
    pub const fn of(policy: Policy) -> Plan {
        Plan {
            policy,
            seed: 0,
            playouts_max: None,
            sizing: Sizing { wish: Wish::Auto, playouts: None },
            window: None,
            in_order: false,
            ownership_every: 0,
            replies: None,
        }
    }

    /// Tells whether a position of this game can be searched so.
    ///
    /// # Errors
    /// [`PlanError`] names the values that do not go together.
    pub fn check<G: Searchable>(&self) -> Result<(), PlanError> {
        if self.policy == Policy::Heavy && !G::HEAVY {
            return Err(PlanError::Policy(G::KIND));
        }
        let batch = self.sizing.playouts.unwrap_or(1);
        if batch > limits::PLAYOUTS_PER_BATCH_MAX {
            return Err(PlanError::Batch(batch));
        }
        match self.window.filter(|&window| window < batch) {
            Some(window) => Err(PlanError::Window { window, batch }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::Go;
    use banyan_games::othello::Othello;

    use super::*;

    #[test]
    fn what_does_not_go_together_is_refused_with_its_values() {
        let batch = |playouts| Sizing { playouts: Some(playouts), ..Sizing::default() };
        let plain = Plan::of(Policy::Uniform);
        assert_eq!(plain.check::<Othello>(), Ok(()));
        let heavy = Plan::of(Policy::Heavy);
        assert_eq!(heavy.check::<Go>(), Ok(()));
        assert_eq!(heavy.check::<Othello>(), Err(PlanError::Policy(Kind::Othello)));
        let narrow = Plan { sizing: batch(8), window: Some(4), ..plain };
        assert_eq!(narrow.check::<Go>(), Err(PlanError::Window { window: 4, batch: 8 }));
        assert_eq!(Plan { window: Some(8), ..narrow }.check::<Go>(), Ok(()));
        let huge = Plan { sizing: batch(limits::PLAYOUTS_PER_BATCH_MAX + 1), ..plain };
        assert!(huge.check::<Go>().is_err_and(|why| why.to_string().contains("at most 65536")));
    }
}
