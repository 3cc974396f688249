//! The effect of a stone on the chains around it, in as few words as the board needs.
//!
//! A descent plays a move a level and lists the candidates of its leaf, so this is the tree's share of
//! Go's rules that has to be fast. Playouts have their own way (`lanes`).

use banyan_kernels::bits::Bits;

/// A board as the side to move sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides<const W: usize> {
    pub(super) own: Bits<W>,
    pub(super) foe: Bits<W>,
    pub(super) full: Bits<W>,
    pub(super) stride: u32,
}

impl<const W: usize> Sides<W> {
    fn empty(&self) -> Bits<W> {
        self.full.minus(self.own | self.foe)
    }

    /// The enemy stones that a stone of the side to move on the empty `bit` would take.
    pub(super) fn captured_by(&self, bit: usize) -> Bits<W> {
        let stone = Bits::one(bit);
        let free = self.empty().minus(stone);
        // Whoever has a liberty of his own next to the point needs no look at his chain.
        let mut asked = (stone.neighbours(self.stride) & self.foe)
            .minus((free & self.full).neighbours(self.stride));
        let mut captured = Bits::EMPTY;
        while let Some(seed) = asked.first() {
            let (chain, lives) = self.breathe(seed, self.foe, free);
            if !lives {
                captured |= chain;
            }
            asked = asked.minus(chain);
        }
        captured
    }

    /// Tells whether a stone of the side to move on the empty `bit` would be left without a liberty.
    pub(super) fn is_suicide(&self, bit: usize) -> bool {
        let stone = Bits::one(bit);
        let free = self.empty().minus(stone);
        let (_, lives) = self.breathe(stone, self.own | stone, free);
        !lives && self.captured_by(bit).is_empty()
    }

    /// The empty points where a stone is no suicide. A ko is not asked for.
    pub(super) fn playable(&self) -> Bits<W> {
        let empty = self.empty();
        let tight = empty.minus(empty.neighbours(self.stride));
        let mut playable = empty;
        for bit in tight.iter().filter(|&bit| self.is_suicide(bit)) {
            playable = playable.minus(Bits::one(bit));
        }
        playable
    }

    /// Follows a chain of `stones` from `seed`, no further than to its first liberty in `free`;
    /// returns what was seen of it, and whether it has one.
    fn breathe(&self, seed: Bits<W>, stones: Bits<W>, free: Bits<W>) -> (Bits<W>, bool) {
        let mut chain = seed;
        loop {
            let near = chain.neighbours(self.stride);
            if near.intersects(free) {
                return (chain, true);
            }
            let grown = chain | (near & stones);
            if grown == chain {
                return (chain, false);
            }
            chain = grown;
        }
    }
}
