//! The number of a node's children, and whether they are all that it could have.

/// Children of a node: a count, and a bit that says that unlikely ones are left out, see [`crate::tree`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Children(pub u16);

impl Children {
    pub const NONE: Children = Children(0);
    const PARTIAL: u16 = 1 << 15;

    /// All children of a node, so many.
    ///
    /// - `count`: at most a board's points and a pass.
    pub fn all(count: usize) -> Children {
        Children(count as u16 & !Children::PARTIAL)
    }

    #[inline(always)]
    pub fn count(self) -> u16 {
        self.0 & !Children::PARTIAL
    }

    pub fn is_partial(self) -> bool {
        self.0 & Children::PARTIAL != 0
    }

    pub fn with_partial(self, partial: bool) -> Children {
        Children(if partial { self.0 | Children::PARTIAL } else { self.count() })
    }
}
