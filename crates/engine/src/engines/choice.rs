//! Who may decide beside the tree, as it was chosen.

use banyan_search::classical::{Horizon, Method};

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// A classical engine, where one is asked for.
    pub classical: Option<Classical>,
    /// Whether wins by threats are looked for first.
    pub looks_for_threats: bool,
    /// Memory for the tables, bytes.
    pub table_bytes_max: usize,
}

/// A classical engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classical {
    /// How it finds values.
    pub method: Method,
    /// What limits its lines.
    pub horizon: Horizon,
    /// Which of the game's evaluations.
    pub evaluation: usize,
    /// Whether the workers know all that it needs: they do not see files given to this process.
    pub is_shareable: bool,
    /// Whether it was not asked for: it chooses moves, and leaves questions about more than the best
    /// move to the tree.
    pub is_implied: bool,
}
