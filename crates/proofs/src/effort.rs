//! Limits of a search that proves something.

/// Limits at which it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions looked into, count: of life and death for each of its two searches.
    pub nodes_max: u64,
    /// Memory of the table, bytes.
    pub table_bytes: usize,
}
