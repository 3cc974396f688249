//! The last step for a convolution's sums: activations, the trunk, numbers of a point.

use crate::conv::Finish;
use crate::layout::Channels;
use crate::vector::{Lanes, Shift, Trunk};

/// Activations: clamped to 0 to 255.
pub struct Activate<'a> {
    /// Planes that they go to, from the first of these outputs on.
    pub planes: &'a mut [Channels],
    /// Places in a plane.
    pub plane: usize,
}

impl Finish for Activate<'_> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, vector: usize, place: usize, sum: L::Sum) {
        self.planes[vector * self.plane + place] = Channels(lanes.activate(sum));
    }
}

/// Added to the trunk, whose activations go to the next layer.
pub struct Residual<'a> {
    /// `[sixteen][place]`.
    pub trunk: &'a mut [Trunk],
    /// The next layer's input.
    pub planes: &'a mut [Channels],
    /// Places in a plane.
    pub plane: usize,
    /// Shift of the next layer's activations.
    pub shift: Shift,
}

impl Finish for Residual<'_> {
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, vector: usize, place: usize, sum: L::Sum) {
        let at = vector * self.plane + place;
        self.planes[at] = Channels(lanes.add_to_trunk(sum, &mut self.trunk[at], self.shift));
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
