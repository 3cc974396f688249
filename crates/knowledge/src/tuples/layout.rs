//! Weights that a board asks for.

use std::collections::BTreeSet;

use crate::digest::Digest;

/// States of a cell: nothing, a stone of the side to move, or one of the other.
pub const CELL_STATES: usize = 3;

/// A set of cells that is looked at as a whole, there and wherever a symmetry of the board takes it.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// For tables and messages.
    pub name: &'static str,
    /// At most ten different cells; the first counts most in an index.
    pub cells: &'static [u16],
}

/// The instances of all shapes on a board, each in a lane of its own, and where their weights stand.
///
/// A shape's instances share one table of 3^cells weights. Where a symmetry takes a shape onto itself, the
/// indices that it exchanges share one *stored* weight. After the shapes' tables come those of the counters,
/// one weight for each count.
#[derive(Debug)]
pub struct Layout<const LANES: usize> {
    /// For each cell, what a stone of the side to move on it adds to the index of each lane.
    powers: Box<[[u16; LANES]]>,
    /// Start of the table of each lane. Lanes without an instance point to a weight of their own.
    bases: [u32; LANES],
    /// Start of the table of each counter.
    counters: Vec<u32>,
    /// The stored weight of each weight.
    stored: Vec<u32>,
    stored_len: usize,
    instances: usize,
    digest: Digest,
}

impl<const LANES: usize> Layout<LANES> {
    /// The layout of some shapes on a board of `cells` cells.
    ///
    /// - `symmetries`: where each symmetry of the board, the identity first, takes each cell.
    /// - `counters`: how many different counts each counter has.
    ///
    /// # Panics
    /// When the instances are more than `LANES`, or a shape has more than ten cells.
    pub fn new(
        cells: usize,
        shapes: &[Shape],
        symmetries: &[Vec<u16>],
        counters: &[usize],
    ) -> Layout<LANES> {
        let mut layout = Layout {
            powers: vec![[0; LANES]; cells].into(),
            bases: [0; LANES],
            counters: Vec::new(),
            stored: Vec::new(),
            stored_len: 0,
            instances: 0,
            digest: Digest::EMPTY,
        };
        shapes.iter().for_each(|shape| layout.add_shape(shape, symmetries));
        for &counts in counters {
            let first = layout.stored.len() as u32;
            layout.counters.push(first);
            layout.add_weights(counts, |at| at);
        }
        let idle = layout.stored.len() as u32;
        layout.add_weights(1, |at| at);
        layout.bases[layout.instances..].fill(idle);
        layout
    }

    fn add_shape(&mut self, shape: &Shape, symmetries: &[Vec<u16>]) {
        assert!(shape.cells.len() <= 10, "{}: an index of more than ten cells", shape.name);
        let base = self.stored.len() as u32;
        let mut seen: BTreeSet<BTreeSet<u16>> = BTreeSet::new();
        let mut onto_itself: Vec<Vec<usize>> = Vec::new();
        for symmetry in symmetries {
            let image: Vec<u16> =
                shape.cells.iter().map(|&cell| symmetry[usize::from(cell)]).collect();
            let place = |cell: &u16| image.iter().position(|at| at == cell);
            onto_itself.extend(shape.cells.iter().map(place).collect::<Option<Vec<usize>>>());
            if seen.insert(image.iter().copied().collect()) {
                self.add_instance(&image, base);
            }
        }
        let len = CELL_STATES.pow(shape.cells.len() as u32);
        self.digest = self.digest.and_numbers(shape.cells.iter().map(|&cell| cell.into()));
        self.add_weights(len, |index| {
            let images = onto_itself.iter().map(|places| permuted(index, places));
            images.min().unwrap_or(index)
        });
    }

    fn add_instance(&mut self, cells: &[u16], base: u32) {
        assert!(self.instances < LANES, "more than {LANES} instances");
        for (place, &cell) in cells.iter().rev().enumerate() {
            self.powers[usize::from(cell)][self.instances] = CELL_STATES.pow(place as u32) as u16;
        }
        self.bases[self.instances] = base;
        self.instances += 1;
    }

    /// Adds `len` weights, each stored with the one of `like`, which is no later.
    fn add_weights(&mut self, len: usize, like: impl Fn(usize) -> usize) {
        let base = self.stored.len();
        for index in 0..len {
            let first = like(index);
            let stored =
                if first < index { self.stored[base + first] } else { self.stored_len as u32 };
            self.stored_len += usize::from(first >= index);
            self.stored.push(stored);
        }
        self.digest = self.digest.and_numbers([len as i32]);
    }

    /// Weights that a board asks for: one an instance, one a counter.
    pub fn asked(&self) -> usize {
        self.instances + self.counters.len()
    }

    /// Weights, those of images counted apart.
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// Different weights.
    pub fn stored_len(&self) -> usize {
        self.stored_len
    }

    /// The stored weight of each weight.
    pub fn stored(&self) -> &[u32] {
        &self.stored
    }

    /// The identity of the layout: weights of another one mean something else.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The index in each lane, from the stones of the side to move and of the other; bit n is cell n.
    #[inline]
    pub fn indices(&self, own: u64, other: u64) -> [u16; LANES] {
        let mut indices = [0; LANES];
        self.add(&mut indices, own, 1);
        self.add(&mut indices, other, 2);
        indices
    }

    /// Adds `digit`, in wrapping arithmetic, to the cells of `stones` in all indices: 1 or 2 where a stone comes
    /// to an empty cell, 1 where one of the side to move becomes one of the other, `u16::MAX` for the reverse.
    #[inline]
    pub fn add(&self, indices: &mut [u16; LANES], mut stones: u64, digit: u16) {
        while stones != 0 {
            let powers = &self.powers[stones.trailing_zeros() as usize];
            for (index, power) in indices.iter_mut().zip(powers) {
                *index = index.wrapping_add(digit.wrapping_mul(*power));
            }
            stones &= stones - 1;
        }
    }

    /// The weights that a board asks for, by number: lanes first, then counters.
    ///
    /// - `counts`: one for each counter, below its number of counts.
    #[inline]
    pub fn weights<'a>(
        &'a self,
        indices: &'a [u16; LANES],
        counts: &'a [usize],
    ) -> impl Iterator<Item = usize> + 'a {
        let lanes = self.bases.iter().zip(indices);
        let lanes = lanes.map(|(&base, &index)| base as usize + usize::from(index));
        let counters = self.counters.iter().zip(counts);
        lanes.chain(counters.map(|(&base, &count)| base as usize + count))
    }
}

/// An index whose digits have gone to other places.
fn permuted(index: usize, places: &[usize]) -> usize {
    let cells = places.len() as u32;
    let digit = |place: usize| index / CELL_STATES.pow(cells - 1 - place as u32) % CELL_STATES;
    places.iter().fold(0, |all, &place| CELL_STATES * all + digit(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board of 2x2, which has eight symmetries.
    fn symmetries() -> Vec<Vec<u16>> {
        let all = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];
        let turned = [[0, 2, 1, 3], [2, 0, 3, 1], [1, 3, 0, 2], [3, 1, 2, 0]];
        all.iter().chain(&turned).map(|cells| cells.to_vec()).collect()
    }

    #[test]
    fn a_row_has_four_instances_and_a_diagonal_two_each_with_mirrored_weights_shared() {
        let shapes =
            [Shape { name: "row", cells: &[0, 1] }, Shape { name: "diagonal", cells: &[0, 3] }];
        let layout = Layout::<8>::new(4, &shapes, &symmetries(), &[5]);
        assert_eq!(layout.asked(), 4 + 2 + 1);
        // Nine indices a shape, of which three pairs are mirrored; five counts; one for idle lanes.
        assert_eq!((layout.len(), layout.stored_len()), (9 + 9 + 5 + 1, 6 + 6 + 5 + 1));
        assert_eq!(layout.stored()[1], layout.stored()[3]);
        assert_ne!(layout.stored()[1], layout.stored()[2]);
    }

    #[test]
    fn a_board_and_its_images_ask_for_the_same_stored_weights() {
        let shapes =
            [Shape { name: "row", cells: &[0, 1] }, Shape { name: "corner", cells: &[1, 0, 2] }];
        let layout = Layout::<8>::new(4, &shapes, &symmetries(), &[]);
        let image = |stones: u64, symmetry: &[u16]| {
            let cells = (0..4).filter(|cell| stones >> cell & 1 == 1);
            cells.fold(0, |all, cell| all | 1 << symmetry[cell])
        };
        let asked = |own, other| {
            let indices = layout.indices(own, other);
            let stored = |weight: usize| layout.stored()[weight];
            let mut weights: Vec<u32> = layout.weights(&indices, &[]).map(stored).collect();
            weights.sort_unstable();
            weights
        };
        for (own, other) in [(0b0001, 0b0010), (0b0110, 0b0001), (0b1001, 0b0100)] {
            for symmetry in symmetries() {
                let images = (image(own, &symmetry), image(other, &symmetry));
                assert_eq!(asked(own, other), asked(images.0, images.1));
            }
        }
        assert_ne!(asked(0b0001, 0b0010), asked(0b0001, 0b1000));
    }
}
