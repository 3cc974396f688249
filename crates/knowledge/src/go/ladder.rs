//! Ladders: whether a chain that is put in atari again and again gets away.

use banyan_games::types::Color;
use banyan_kernels::bits::Bits;

/// Plies after which a chain counts as having got away: the longest ladder of a large board is longer,
/// but is hardly ever asked for.
const PLIES_MAX: u32 = 40;

/// Positions that one question may look at; a chain that needs more has got away.
const POSITIONS_MAX: u32 = 60;

/// Stones alone: what a ladder needs of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ladder<const W: usize> {
    stones: [Bits<W>; 2],
    full: Bits<W>,
    stride: u32,
    looked: u32,
}

impl<const W: usize> Ladder<W> {
    #[inline(always)]
    pub(super) fn new(stones: [Bits<W>; 2], full: Bits<W>, stride: u32) -> Ladder<W> {
        Ladder { stones, full, stride, looked: 0 }
    }

    #[inline(always)]
    fn empty(&self) -> Bits<W> {
        self.full.minus(self.stones[0] | self.stones[1])
    }

    /// Grows part of a chain of `color` to the whole of it, with its liberties; or until there are more than `enough`
    /// of these.
    #[inline(always)]
    fn grown(&self, color: Color, part: Bits<W>, enough: u32) -> (Bits<W>, Bits<W>) {
        let (stones, empty) = (self.stones[color.index()], self.empty());
        let mut chain = part;
        loop {
            let near = chain.neighbours(self.stride);
            let (liberties, more) = (near & empty, (near & stones).minus(chain));
            if more.is_empty() || liberties.len() > enough {
                return (chain, liberties);
            }
            chain |= more;
        }
    }

    /// Puts a stone and takes off what it takes; nothing if it would be left without a liberty.
    #[inline(always)]
    fn played(&self, color: Color, v: usize) -> Option<Ladder<W>> {
        let mut after = *self;
        after.stones[color.index()] |= Bits::one(v);
        let foes = (!color).index();
        let mut near = Bits::one(v).neighbours(self.stride) & after.stones[foes];
        // Whoever has a liberty of his own next to the point needs no look at his chain.
        near = near.minus(after.empty().neighbours(self.stride));
        while let Some(stone) = near.lowest() {
            let (chain, liberties) = after.grown(!color, Bits::one(stone), 0);
            near = near.minus(chain);
            if liberties.is_empty() {
                after.stones[foes] = after.stones[foes].minus(chain);
            }
        }
        let stone = Bits::one(v);
        let is_free = stone.neighbours(self.stride).intersects(after.empty());
        (is_free || !after.grown(color, stone, 0).1.is_empty()).then_some(after)
    }

    /// The liberties of a chain of `color`, which has two, where an atari catches it.
    pub(super) fn catches(&mut self, color: Color, chain: Bits<W>) -> Bits<W> {
        self.looked = 0;
        let liberties = chain.neighbours(self.stride) & self.empty();
        self.catching(color, chain, (liberties, 0))
    }

    /// Tells whether a chain of `color`, which is in atari with its side to move, is lost.
    pub(super) fn is_caught(&mut self, color: Color, chain: Bits<W>) -> bool {
        self.looked = 0;
        self.is_lost(color, chain, 0)
    }

    fn catching(
        &mut self,
        color: Color,
        chain: Bits<W>,
        (liberties, plies): (Bits<W>, u32),
    ) -> Bits<W> {
        let mut found = Bits::EMPTY;
        for v in liberties.iter() {
            let Some(mut after) = self.played(!color, v) else { continue };
            after.looked = self.looked;
            let lost = after.is_lost(color, chain, plies + 1);
            self.looked = after.looked;
            if lost {
                found |= Bits::one(v);
                if plies > 0 {
                    return found;
                }
            }
        }
        found
    }

    fn is_lost(&mut self, color: Color, chain: Bits<W>, plies: u32) -> bool {
        self.looked += 1;
        if plies > PLIES_MAX || self.looked > POSITIONS_MAX {
            return false;
        }
        let flights = (chain.neighbours(self.stride) & self.empty()) | self.rescues(color, chain);
        for v in flights.iter() {
            let Some(mut after) = self.played(color, v) else { continue };
            let (grown, liberties) = after.grown(color, chain, 2);
            after.looked = self.looked;
            let caught = match liberties.len() {
                0 | 1 => true,
                2 => !after.catching(color, grown, (liberties, plies + 1)).is_empty(),
                _ => false,
            };
            self.looked = after.looked;
            if !caught {
                return false;
            }
        }
        true
    }

    /// Finds the points at which a foe next to the chain can be taken.
    #[inline(always)]
    fn rescues(&self, color: Color, chain: Bits<W>) -> Bits<W> {
        let mut rescues = Bits::EMPTY;
        let mut foes = chain.neighbours(self.stride) & self.stones[(!color).index()];
        while let Some(stone) = foes.lowest() {
            let (foe, liberties) = self.grown(!color, Bits::one(stone), 1);
            foes = foes.minus(foe);
            if liberties.len() == 1 {
                rescues |= liberties;
            }
        }
        rescues
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::tests::diagram;
    use banyan_games::go::Points;

    /// Finds White's ataris that catch the chain of Black on `column`, `row` from the top left.
    fn catches(drawing: &str, column: usize, row: usize) -> Vec<usize> {
        let position = diagram(drawing);
        let layout = position.layout();
        // A row and a column of space, as a board of heavy playouts has.
        let moved = |set: &Points| set.up(layout.stride() + 1).narrow::<4>();
        let stones = position.stones().map(|stones| moved(&stones));
        let mut ladder = Ladder::new(stones, moved(layout.full()), layout.stride());
        let pad = layout.stride() as usize + 1;
        let stone = layout.bit(row * layout.side() + column) + pad;
        let chain = Bits::one(stone).flood(stones[0], layout.stride());
        let found = ladder.catches(Color::Black, chain);
        found.iter().map(|v| layout.point(v - pad)).collect()
    }

    const LADDER: &str = "
        . . . . . . . . .
        . . O O . . . . .
        . O X X . . . . .
        . . O . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";

    #[test]
    fn a_ladder_to_the_edge_catches() {
        // From above, so that the flight goes down to the right.
        assert_eq!(catches(LADDER, 3, 2), [22]);
    }

    #[test]
    fn a_stone_on_its_way_breaks_a_ladder() {
        let rows: Vec<&str> = LADDER.trim().lines().collect();
        let broken =
            format!("{}\n. . . . . . X . .\n{}", rows[..6].join("\n"), rows[7..].join("\n"));
        assert_eq!(catches(&broken, 3, 2), [0usize; 0]);
    }

    #[test]
    fn who_can_take_a_hunter_gets_away() {
        // White's stone on the left has its last liberty far from the hunted chain.
        let free = "
            . . . . . . . . .
            . X O O . . . . .
            . O X X . . . . .
            . X O . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .";
        assert_eq!(catches(free, 3, 2), [0usize; 0]);
    }
}
