//! One position of a shared top.

use std::ops::Range;

use banyan_games::Move;

use crate::bounds::Bounds;

/// A position of the top, with what is known of its value.
#[derive(Clone, Debug)]
pub(super) struct Node<G> {
    pub position: G,
    pub mv: Move,
    pub parent: usize,
    pub plies: usize,
    pub children: Range<usize>,
    /// For the side to move here.
    pub lower: i32,
    pub upper: i32,
    /// By so many plies less deep is asked what stands below, because of this move's place.
    pub less: u32,
    /// Tells whether an answer is on its way, and by how much less deep it is.
    pub is_asked: bool,
    pub asked_less: u32,
}

impl<G> Node<G> {
    /// A node of which nothing is known but where it stands.
    ///
    /// - `max`: no value is beyond this.
    pub fn new(position: G, max: i32) -> Node<G> {
        Node {
            position,
            mv: Move::PASS,
            parent: 0,
            plies: 0,
            children: 0..0,
            lower: -max,
            upper: max,
            less: 0,
            is_asked: false,
            asked_less: 0,
        }
    }

    /// Tells whether something is not known of what matters.
    pub fn is_open(&self, Bounds { alpha, beta }: Bounds) -> bool {
        self.lower < self.upper && self.lower < beta && alpha < self.upper
    }
}
