//! Boards by how many words their sets take.

/// Runs `$function::<words, bits>($arguments)` for a board of `$side`.
macro_rules! for_side {
    ($side:expr, $function:ident($($argument:expr),*)) => {
        match $side {
            ..=9 => $function::<2, 128>($($argument),*),
            ..=13 => $function::<4, 256>($($argument),*),
            ..=19 => $function::<7, 448>($($argument),*),
            _ => $function::<11, 704>($($argument),*),
        }
    };
}
pub(super) use for_side;

/// Words and bits for the largest board, which do for every other: for what learning asks, which is not worth
/// being compiled for each.
pub(super) const WORDS_MAX: usize = 11;
pub(super) const BITS_MAX: usize = 704;
