//! The storage of nodes: an arena as a structure of arrays.
//!
//! Every column is named once, in the list below; whatever is done with all of them follows from it.

mod cell;

mod amaf;

mod children;

mod flags;

mod prior;

mod implicit_value;

mod judged;

use banyan_games::Move;

pub(super) use amaf::Amaf;
pub use cell::{Cell, ColumnSink, ColumnSource};
pub(super) use children::Children;
pub(super) use flags::Flags;
pub(super) use implicit_value::ImplicitValue;
pub(super) use judged::Judged;
pub(super) use prior::Prior;

/// A node of the tree. Ids change when the tree is compacted, and those of the root's children between
/// two searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $cell:ty;)*) => {
        /// The nodes of a tree: one list for each number that is kept of a node.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Nodes {
            $($(#[$doc])* pub(super) $name: Vec<$cell>,)*
            /// Playouts in flight through the node; no image holds them.
            pub(super) unobserved: Vec<u32>,
        }

        impl Nodes {
            /// Bytes of one node over all columns, in an image.
            pub const IMAGE_BYTES: usize = 0 $(+ <$cell as Cell>::BYTES)*;

            /// Makes room for `count` nodes in all, the new ones without a count; those beyond are no more.
            pub(super) fn resize(&mut self, count: usize) {
                $(self.$name.resize(count, <$cell as Cell>::EMPTY);)*
                self.unobserved.resize(count, 0);
            }

            /// Takes every node out and keeps the room.
            pub(super) fn clear(&mut self) {
                $(self.$name.clear();)*
                self.unobserved.clear();
            }

            /// Appends a copy of a node of `other`, what is in flight there with it.
            pub(super) fn copy_from(&mut self, other: &Nodes, node: NodeId) -> NodeId {
                let copy = NodeId(self.len() as u32);
                $(self.$name.push(other.$name[node.index()]);)*
                self.unobserved.push(other.unobserved[node.index()]);
                copy
            }

            /// Appends another copy of an own node, through which nothing is in flight.
            pub(super) fn duplicate(&mut self, node: NodeId) -> NodeId {
                let copy = NodeId(self.len() as u32);
                $(self.$name.push(self.$name[node.index()]);)*
                self.unobserved.push(0);
                copy
            }

            /// The same nodes without what is in flight.
            pub(super) fn image(&self) -> Nodes {
                Nodes { $($name: self.$name.clone(),)* unobserved: Vec::new() }
            }

            /// Tells whether there is one entry a node in every column of an image.
            pub(super) fn is_even(&self) -> bool {
                [$(self.$name.len(),)*].iter().all(|&length| length == self.len())
            }

            /// Hands an image's columns on, one after another.
            ///
            /// # Errors
            /// Whatever `sink` says.
            pub fn write_to<S: ColumnSink>(&self, sink: &mut S) -> Result<(), S::Error> {
                $(sink.put(&self.$name)?;)*
                Ok(())
            }

            /// An image of `count` nodes, of columns in the order in which they are written.
            ///
            /// # Errors
            /// Whatever `source` says.
            pub fn read_from<S: ColumnSource>(
                count: usize,
                source: &mut S,
            ) -> Result<Nodes, S::Error> {
                Ok(Nodes { $($name: source.take(count)?,)* unobserved: Vec::new() })
            }
        }
    };
}

columns! {
    /// Playouts counted through the node.
    visits: u64;
    /// Twice the wins plus the draws, for the player who moved into the node.
    half_wins: u64;
    /// Playouts through the parent in which the node's move was played, by the same side, later on.
    amaf: Amaf;
    /// Evaluations through the node; see [`super::judge`].
    judged: Judged;
    /// The prior of the node's move; see [`super::priors`].
    priors: Prior;
    /// The implicit minimax value of the node; see [`super::minimax`].
    implicit_values: ImplicitValue;
    /// The first child; means nothing where there is none.
    first_child: u32;
    /// Children that follow from there.
    child_count: Children;
    /// The move into the node.
    moves: Move;
    /// The side that moved, what is proven, whether it is banned, whether the rules are still to be asked.
    flags: Flags;
}

impl Nodes {
    /// Bytes of one node over all columns, in a tree.
    pub(super) const BYTES: usize = Nodes::IMAGE_BYTES + size_of::<u32>();

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.visits.len()
    }

    /// Tells whether there is none.
    pub fn is_empty(&self) -> bool {
        self.visits.is_empty()
    }

    /// Appends a node without a count.
    pub(super) fn push(&mut self, mv: Move, flags: Flags) {
        self.append(&[mv], flags);
    }

    /// Appends a node without a count for each move, side by side, and says where the first is.
    pub(super) fn append(&mut self, moves: &[Move], flags: Flags) -> u32 {
        let first = self.len();
        self.resize(first + moves.len());
        self.moves[first..].copy_from_slice(moves);
        self.flags[first..].fill(flags);
        first as u32
    }

    /// An image as a tree's nodes: nothing is in flight.
    pub(super) fn of_image(image: Nodes) -> Nodes {
        Nodes { unobserved: vec![0; image.len()], ..image }
    }
}

const _: () =
    assert!(Nodes::BYTES == 48, "a node of another size is another number of nodes in memory");
