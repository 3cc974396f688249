//! One number of a node, as its column holds it and a file keeps it.

use banyan_games::Move;

use super::{Amaf, Children, Flags, ImplicitValue, Judged, Prior};

/// A number of a node.
pub trait Cell: Copy {
    /// Cell of a node without a count.
    const EMPTY: Self;
    /// Length in a file, bytes.
    const BYTES: usize;

    /// Appends its bytes, little-endian.
    fn append_to(self, bytes: &mut Vec<u8>);

    /// The number of so many bytes, whatever they are.
    fn of_bytes(bytes: &[u8]) -> Self;
}

/// Destination of columns.
pub trait ColumnSink {
    /// Reason why one cannot be taken.
    type Error;

    /// Takes the next column.
    ///
    /// # Errors
    /// When it cannot be taken.
    fn put<C: Cell>(&mut self, column: &[C]) -> Result<(), Self::Error>;
}

/// Source of columns.
pub trait ColumnSource {
    /// Reason why one cannot be had.
    type Error;

    /// The next column, of `count` nodes.
    ///
    /// # Errors
    /// When it cannot be had.
    fn take<C: Cell>(&mut self, count: usize) -> Result<Vec<C>, Self::Error>;
}

macro_rules! cells {
    ($($cell:ty as $number:ty: $empty:expr, $wrap:expr, $unwrap:expr;)*) => {
        $(impl Cell for $cell {
            const EMPTY: $cell = $empty;
            const BYTES: usize = size_of::<$number>();

            fn append_to(self, bytes: &mut Vec<u8>) {
                let number: $number = $unwrap(self);
                bytes.extend_from_slice(&number.to_le_bytes());
            }

            fn of_bytes(bytes: &[u8]) -> $cell {
                let bytes = bytes.try_into().expect("as many bytes as the number has");
                $wrap(<$number>::from_le_bytes(bytes))
            }
        })*
    };
}

cells! {
    u64 as u64: 0, |it| it, |it| it;
    u32 as u32: 0, |it| it, |it| it;
    u16 as u16: 0, |it| it, |it| it;
    Amaf as u64: Amaf(0), Amaf, |it: Amaf| it.0;
    Judged as u64: Judged::NONE, Judged, |it: Judged| it.0;
    Prior as u8: Prior::UNSET, Prior, |it: Prior| it.0;
    ImplicitValue as u16: ImplicitValue::UNKNOWN, ImplicitValue, |it: ImplicitValue| it.0;
    Move as u16: Move::PASS, Move, |it: Move| it.0;
    Children as u16: Children::NONE, Children, |it: Children| it.0;
    Flags as u8: Flags(0), Flags, |it: Flags| it.0;
}

const _: () = assert!(size_of::<Amaf>() == 8 && size_of::<Move>() == 2 && size_of::<Flags>() == 1);
