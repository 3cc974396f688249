//! A classical search's memory: what it keeps for the next one.

use super::order::MoveOrdering;
use super::table::Table;

/// The memory that a search keeps for the next one.
#[derive(Debug)]
pub struct Memory {
    pub(super) table: Table,
    pub(super) order: MoveOrdering,
}

impl Memory {
    /// Nothing yet, with room of at most `bytes` bytes for a table.
    pub fn new(bytes: usize) -> Memory {
        Memory { table: Table::new(bytes), order: MoveOrdering::new() }
    }

    /// As new.
    pub(super) fn forget(&mut self) {
        self.table.forget();
        self.order = MoveOrdering::new();
    }
}
