//! A classical search's memory: what it keeps for the next one.

use super::order::MoveOrdering;
use super::table::Table;

/// The memory that a search keeps for the next one.
#[derive(Debug)]
pub struct Memory {
    pub(super) table: Table,
    pub(super) order: MoveOrdering,
    pub(super) resumes: bool,
}

impl Memory {
    /// Nothing yet, with room of at most `bytes` bytes for a table.
    pub fn new(bytes: usize) -> Memory {
        Memory { table: Table::new(bytes), order: MoveOrdering::new(), resumes: false }
    }

    /// The same for the searches of a game, one move after the other: each begins at the depth to which one before it
    /// knows its position. What is shallower would be searched again, and written over what is deeper.
    pub fn resuming(self) -> Memory {
        Memory { resumes: true, ..self }
    }

    /// As new.
    pub(super) fn forget(&mut self) {
        self.table.forget();
        self.order = MoveOrdering::new();
    }
}
