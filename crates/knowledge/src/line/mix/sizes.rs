//! How many numbers there are, and how large they may be.

/// Numbers of a point, of either side.
pub const CHANNELS: usize = 16;

/// The same of both sides.
pub const BOTH: usize = 2 * CHANNELS;

/// The largest number of a point, which stands for 1; so that sums over the largest board fit in 16 bits.
pub const ONE: i16 = 100;

/// The vector of what stands around a point on a line, as one side sees it: for that side, then for the other.
pub type Row = [i16; BOTH];

/// Values are cut to this many logits: who wins is all that they say beyond.
pub const LOGITS_MAX: f32 = 12.0;

/// The evaluation by shapes counts no more than so many logits.
pub const SHAPES_MAX: f32 = 8.0;
