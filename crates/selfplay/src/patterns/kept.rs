//! Games as bytes, one after the other.

/// A game as files of games hold it.
pub trait Kept: Sized + Send {
    /// The game as bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Bytes of whole games that a file begins with: less than all where it was cut short.
    fn whole(bytes: &[u8]) -> usize;

    /// Tells whether what follows whole games can be one that was cut short: it says how long it is, which is no longer
    /// than games are.
    fn is_cut(rest: &[u8]) -> bool;
}
