//! Chains, their eyes and the rooms that they stand in: what a network of a few blocks cannot add up by itself, since
//! its convolutions see a few points at a time and a dragon is as long as the board.

use banyan_games::types::Color;
use banyan_kernels::bits::Bits;

/// A chain of stones, with the points next to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain<const W: usize> {
    /// Its stones.
    pub stones: Bits<W>,
    /// Points next to it, of the board or not.
    pub near: Bits<W>,
    /// Its liberties.
    pub liberties: Bits<W>,
}

/// A part of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<const W: usize> {
    /// All of it.
    pub points: Bits<W>,
    /// Points of it where no stone stands, count.
    pub empty: u32,
    /// Empty regions in it that only stones of its colour border on, count.
    pub eyes: u32,
    /// Tells whether its colour has a stone in it.
    pub has_stones: bool,
}

/// Chains and parts of a board for both colours.
#[derive(Clone, Debug)]
pub(super) struct Groups<const W: usize> {
    /// Chains, by colour.
    pub chains: [Vec<Chain<W>>; 2],
    /// Empty regions that only one colour's stones border on, by that colour.
    pub eyes: [Vec<Bits<W>>; 2],
    /// Where a colour may still live: parts without stones of the other, some of its own or none, by colour.
    pub rooms: [Vec<Part<W>>; 2],
    empty: Bits<W>,
    stride: u32,
}

/// Parts that hang together, by their lowest points.
fn parts<const W: usize>(of: Bits<W>, stride: u32) -> impl Iterator<Item = Bits<W>> {
    let mut left = of;
    std::iter::from_fn(move || {
        let part = Bits::one(left.lowest()?).flood(left, stride);
        left = left.minus(part);
        Some(part)
    })
}

impl<const W: usize> Groups<W> {
    /// Of these stones on a board.
    pub(super) fn new(stones: [Bits<W>; 2], full: Bits<W>, stride: u32) -> Groups<W> {
        let empty = full.minus(stones[0] | stones[1]);
        let chain = |stones: Bits<W>| {
            let near = stones.neighbours(stride);
            Chain { stones, near, liberties: near & empty }
        };
        let chains = stones.map(|stones| parts(stones, stride).map(chain).collect());
        let mut eyes = [Vec::new(), Vec::new()];
        for region in parts(empty, stride) {
            let near = region.neighbours(stride);
            match stones.map(|stones| near.intersects(stones)) {
                [true, false] => eyes[0].push(region),
                [false, true] => eyes[1].push(region),
                _ => {}
            }
        }
        let rooms = [0, 1].map(|color: usize| {
            let room = |points: Bits<W>| {
                let eyes = eyes[color].iter().filter(|eye| eye.intersects(points)).count() as u32;
                let has_stones = points.intersects(stones[color]);
                Part { points, empty: (points & empty).len(), eyes, has_stones }
            };
            parts(full.minus(stones[1 - color]), stride).map(room).collect()
        });
        Groups { chains, eyes, rooms, empty, stride }
    }

    /// Eyes next to a chain of `color`, count.
    pub(super) fn eyes_of(&self, color: Color, chain: &Chain<W>) -> usize {
        self.eyes[color.index()].iter().filter(|eye| eye.intersects(chain.near)).count()
    }

    /// The stones of `color` that cannot be taken even if their side passes for ever, and the regions that make it so.
    ///
    /// # Source
    /// Benson 1976, Life in the Game of Go.
    pub(super) fn alive(&self, color: Color) -> Bits<W> {
        // Parts without stones of this colour.
        let mut regions: Vec<Bits<W>> =
            self.rooms[(!color).index()].iter().map(|room| room.points).collect();
        let mut alive = self.chains[color.index()].clone();
        loop {
            let is_vital = |region: &Bits<W>, chain: &Chain<W>| {
                let empty = *region & self.empty;
                empty.minus(chain.near).is_empty() && region.intersects(chain.near)
            };
            let vital = |chain: &Chain<W>| {
                regions.iter().filter(|region| is_vital(region, chain)).take(2).count()
            };
            let (kept, fallen): (Vec<_>, Vec<_>) =
                alive.iter().partition(|chain| vital(chain) == 2);
            alive = kept;
            if fallen.is_empty() {
                break;
            }
            let fallen = fallen.iter().fold(Bits::EMPTY, |all, chain| all | chain.stones);
            regions.retain(|region| !region.neighbours(self.stride).intersects(fallen));
        }
        let vital = |region: &&Bits<W>| {
            alive.iter().any(|chain| (**region & self.empty).minus(chain.near).is_empty())
        };
        let around = regions.iter().filter(vital).fold(Bits::EMPTY, |all, region| all | *region);
        let stones = alive.iter().fold(Bits::EMPTY, |all, chain| all | chain.stones);
        if stones.is_empty() { stones } else { stones | around }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Game as _, Move, Rng};

    use super::*;
    use crate::go::tests::diagram;

    /// Black has two eyes in the corner and one on the right; all else is White's.
    pub(in crate::go) const CORNER_AND_SIDE: &str = "
        . X . X O . .
        X X X X O . .
        O O O O O O .
        . . . . . O O
        . O . . O X X
        . . . . O X .
        . . . . O X .";

    fn of(position: &Go) -> Groups<6> {
        let layout = position.layout();
        let stones = position.stones().map(|stones| stones.narrow());
        Groups::new(stones, layout.full().narrow(), layout.stride())
    }

    #[test]
    fn chains_that_live_are_those_that_the_rules_say_point_by_point() {
        let mut living = 0;
        for (side, seed) in [(7, 1), (9, 2), (9, 3), (13, 4), (19, 5)] {
            let rules = GoRules::new(side, 14).expect("a size of Go");
            let (mut game, mut rng) = (Go::new(&rules), Rng::from_seed(seed));
            for ply in 0..3 * side * side {
                let mut moves = Vec::new();
                game.candidates(&mut moves);
                let Some(last) = moves.len().checked_sub(1) else { break };
                game.play(moves[rng.below(last.max(1) as u32) as usize]);
                if ply % 7 > 0 {
                    continue;
                }
                let groups = of(&game);
                let alive = [Color::Black, Color::White].map(|color| groups.alive(color));
                for point in 0..game.layout().area() {
                    let Some(color) = game.stone(Move::point(point)) else { continue };
                    let found = alive[color.index()].contains(game.layout().bit(point));
                    assert_eq!(
                        found,
                        game.is_unconditionally_alive(Move::point(point)),
                        "ply {ply}"
                    );
                    living += usize::from(found);
                }
            }
        }
        assert!(living > 1000, "{living} stones lived, too few to say anything");
    }

    #[test]
    fn eyes_rooms_and_life_by_hand() {
        let position = diagram(CORNER_AND_SIDE);
        let groups = of(&position);
        let [black, white] = [Color::Black, Color::White].map(|color| &groups.rooms[color.index()]);
        let told = |room: &Part<6>| (room.points.len(), room.empty, room.eyes, room.has_stones);
        // Two eyes in the corner; one with two points on the right; what is White's alone.
        let rooms: Vec<_> = black.iter().map(told).collect();
        assert!(rooms.contains(&(8, 2, 2, true)), "{rooms:?}");
        assert!(rooms.contains(&(6, 2, 1, true)), "{rooms:?}");
        let rooms: Vec<_> = white.iter().map(told).collect();
        assert_eq!(rooms.iter().filter(|room| room.3).count(), 1, "{rooms:?}");
        let eyes: Vec<usize> =
            groups.chains[0].iter().map(|chain| groups.eyes_of(Color::Black, chain)).collect();
        assert_eq!(eyes, [2, 1]);
        let alive = groups.alive(Color::Black);
        assert_eq!(alive.len(), 8, "the corner with its eyes, nothing on the right");
    }
}
