//! The distance to which a line is followed before its end is evaluated.

/// The rule by which a depth, the effort left at a position, is spent. At 0 the position is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Horizon {
    /// A depth is a number of plies.
    #[default]
    Depth,
    /// A depth is a number of branches, shared among the children of a position: deep where the tree is
    /// narrow, shallow where it is wide.
    ///
    /// # Source
    /// S7, S8: "a node is given a budget; each child gets budget / children".
    Branches,
}

/// The budget of branches grows by this factor from one search to the next.
const BRANCHES_GROWTH: u32 = 4;

impl Horizon {
    /// The depth of the first search of a position.
    pub fn first(self) -> u32 {
        match self {
            Horizon::Depth => 1,
            Horizon::Branches => BRANCHES_GROWTH,
        }
    }

    /// The depth after this one.
    pub fn next(self, depth: u32) -> u32 {
        match self {
            Horizon::Depth => depth.saturating_add(1),
            Horizon::Branches => depth.saturating_mul(BRANCHES_GROWTH),
        }
    }

    /// The depth left for each of `children` moves, above 0, of a position with `depth`, above 0.
    pub fn below(self, depth: u32, children: usize) -> u32 {
        match self {
            Horizon::Depth => depth - 1,
            // A single move costs nothing, so that a budget could last for ever where games do.
            Horizon::Branches if children == 1 => depth - 1,
            Horizon::Branches => depth / children as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_of_branches_is_shared_among_the_children() {
        let branches = Horizon::Branches;
        assert_eq!(branches.below(64, 8), 8);
        assert_eq!(branches.below(7, 8), 0);
        assert_eq!(branches.below(7, 1), 6);
        assert_eq!(Horizon::Depth.below(7, 8), 6);
        assert_eq!((branches.next(4), Horizon::Depth.next(4)), (16, 5));
    }
}
