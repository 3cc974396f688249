//! The key that all symmetric images of a position have in common, under which a book keeps them once.

use crate::rng::mix;
use crate::symmetry::Symmetry;
use crate::types::{Color, Move, Size};

/// The packed form of one position, the least of its symmetric images.
///
/// The first byte is [`crate::Game::phase`]; then two bits a point, row by row from the top, the first in the
/// lowest bits: 0 empty, 1 Black, 2 White. Rules, histories, passes and kos are not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The packed position.
    pub packed: Vec<u8>,
    /// Symmetry that turns the position into the one that is packed.
    pub symmetry: Symmetry,
}

impl Key {
    /// The least of the images under these symmetries, at least one.
    pub(crate) fn least(
        size: Size,
        phase: u8,
        symmetries: &[Symmetry],
        stone: impl Fn(Move) -> Option<Color>,
    ) -> Key {
        let packed = |symmetry: Symmetry| {
            let mut bytes = vec![0; 1 + size.area().div_ceil(4)];
            bytes[0] = phase;
            for point in 0..size.area() {
                let Some(color) = stone(Move::point(point)) else { continue };
                let at = usize::from(symmetry.image(Move::point(point), size).0);
                bytes[1 + at / 4] |= (color as u8 + 1) << (2 * (at % 4));
            }
            bytes
        };
        let images = symmetries.iter().map(|&symmetry| Key { packed: packed(symmetry), symmetry });
        let least = images.reduce(|least, it| if it.packed < least.packed { it } else { least });
        least.expect("a board has the symmetry that changes nothing")
    }

    /// A hash of the packed position. Two positions may have the same one.
    pub fn hash(&self) -> u64 {
        hash(&self.packed)
    }
}

/// A hash of a packed position, the same on every machine.
pub fn hash(packed: &[u8]) -> u64 {
    let words = packed.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(packed.len() as u64, |sum, word| mix(sum ^ mix(word)))
}
