//! The last step for a convolution's sums: activations, the trunk, numbers of a point.

use crate::conv::Finish;
use crate::layout::WORD;
use crate::shape::LANES;
use crate::vector::{Lanes, Shift, Trunk};

/// Activations: clamped to 0 to 255.
pub struct Activate<'a> {
    /// Planes that they go to, from the first of these outputs on.
    pub words: &'a mut [u32],
    /// Words in a plane.
    pub plane: usize,
}

impl Finish for Activate<'_> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, vector: usize, place: usize, sum: L::Sum) {
        let first = vector * (LANES / WORD) * self.plane + place;
        put(&mut self.words[first..], self.plane, lanes.activate(sum));
    }
}

/// Added to the trunk, whose activations go to the next layer.
pub struct Residual<'a> {
    /// `[sixteen][place]`.
    pub trunk: &'a mut [Trunk],
    /// The next layer's input.
    pub words: &'a mut [u32],
    /// Words in a plane.
    pub plane: usize,
    /// Shift of the next layer's activations.
    pub shift: Shift,
}

impl Finish for Residual<'_> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, vector: usize, place: usize, sum: L::Sum) {
        let first = vector * (LANES / WORD) * self.plane + place;
        let trunk = &mut self.trunk[vector * self.plane + place];
        put(&mut self.words[first..], self.plane, lanes.add_to_trunk(sum, trunk, self.shift));
    }
}

/// Kept as they are: the first two outputs of each point.
pub struct Keep<'a> {
    /// `[place][output]`.
    pub numbers: &'a mut [[i32; 2]],
}

impl Finish for Keep<'_> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, _: usize, place: usize, sum: L::Sum) {
        let sums = lanes.store(sum);
        self.numbers[place] = [sums.0[0], sums.0[1]];
    }
}

/// Puts a point's sixteen channels into four planes, of which the first begins before `words`.
#[inline(always)]
fn put(words: &mut [u32], plane: usize, bytes: [u8; LANES]) {
    for (word, four) in words.iter_mut().step_by(plane).zip(bytes.as_chunks::<WORD>().0) {
        *word = u32::from_le_bytes(*four);
    }
}
