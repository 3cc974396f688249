//! Counts of how batches and leases ended.

use derive_more::AddAssign;

/// Counts of how batches and leases of one search ended.
///
/// `merged + abandoned` is the number of batches that were submitted, and every lease ended in one of
/// three ways: `sent = answered + lost + dead`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, AddAssign)]
pub struct Totals {
    /// Leases: batches sent, every attempt counted.
    pub sent: u64,
    /// Leases that ended with a tally.
    pub answered: u64,
    /// Leases that ended without: the worker was gone, silent or late, or could not run the batch.
    pub lost: u64,
    /// Leases that were open when the search ended, or when their batch was not needed any more.
    pub dead: u64,
    /// Batches whose first tally was delivered.
    pub merged: u64,
    /// Leases after a batch's first, because that was lost or late.
    pub lent_again: u64,
    /// Leases of batches that have their tally, to compare.
    pub lent_to_audit: u64,
    /// Tallies that came after their batch's first, or after its death.
    pub dropped: u64,
    /// Batches that had no tally when the search ended, or were not needed any more.
    pub abandoned: u64,
    /// Batches that were played again elsewhere, and compared; counted when what came of it is known, if that
    /// was before the search ended.
    pub audited: u64,
    /// Those of them whose tallies differed.
    pub disputed: u64,
    /// Playouts merged.
    pub playouts: u64,
}
