//! Uniform playouts of Othello, several games in step.
//!
//! A ply is computed without a branch, so the same ply of several games is a loop that the compiler
//! turns into vector instructions. Each playout draws from a stream of its own, seeded by one number
//! of the batch's: how many games go in step changes the time it takes and nothing else.

use crate::rng::{Rng, mix};
use banyan_kernels::nth::nth_bit;
use banyan_kernels::simd::Task;

use super::discs;

/// `LANES` playouts from one position that are always at the same ply.
///
/// A game that is over goes on passing until the last of them is.
#[derive(Clone, Debug)]
pub struct InStep<const LANES: usize> {
    /// The discs of the side to move.
    own: [u64; LANES],
    other: [u64; LANES],
    /// Points where discs were put, by the side to move in the start position and by the other.
    put: [[u64; LANES]; 2],
    /// Plies up to the last disc that was put.
    plies: [u64; LANES],
    /// The two halves of each game's random generator.
    ///
    /// # Source
    /// xoroshiro128+ 1.0 (Blackman and Vigna 2018); only the upper half of its output is used.
    random: [[u64; LANES]; 2],
}

/// One playout at its end; in each pair the side to move in the start position comes first.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The discs of both sides.
    pub discs: [u64; 2],
    /// The points where each put discs.
    pub put: [u64; 2],
    /// Plies, passes with them.
    pub plies: u32,
}

#[expect(clippy::needless_range_loop, reason = "plain loops over lanes are what gets vectorised")]
impl<const LANES: usize> InStep<LANES> {
    /// `games` from the same position, each with the next number of `rng` for its seed; the lanes
    /// beyond stay idle.
    #[inline]
    pub fn new(own: u64, other: u64, games: usize, rng: &mut Rng) -> Self {
        let mut seeds = [0; LANES];
        seeds[..games].fill_with(|| rng.bits());
        let in_use = |discs| std::array::from_fn(|lane| if lane < games { discs } else { 0 });
        InStep {
            own: in_use(own),
            other: in_use(other),
            put: [[0; LANES]; 2],
            plies: [0; LANES],
            random: [seeds.map(|seed| seed | 1), seeds.map(mix)],
        }
    }

    /// Plays the next ply of every game; returns where any of them put a disc.
    ///
    /// Three short loops and not one: choosing is a long chain of dependent steps, of which the
    /// processor works on several at once if nothing else stands between.
    #[inline(always)]
    pub fn play(&mut self, ply: usize) -> u64 {
        let placements = self.placements();
        let chosen = self.choose(&placements);
        self.put(ply, &chosen);
        chosen.into_iter().fold(0, |any, at| any | at)
    }

    #[inline(always)]
    fn placements(&self) -> [u64; LANES] {
        let mut placements = [0; LANES];
        for lane in 0..LANES {
            placements[lane] = discs::moves(self.own[lane], self.other[lane]);
        }
        placements
    }

    #[inline(always)]
    fn choose(&mut self, placements: &[u64; LANES]) -> [u64; LANES] {
        let mut chosen = [0; LANES];
        for lane in 0..LANES {
            chosen[lane] = choose(placements[lane], self.next_random(lane));
        }
        chosen
    }

    /// Puts the discs, or passes where there is none, and gives the other side the move.
    #[inline(always)]
    fn put(&mut self, ply: usize, chosen: &[u64; LANES]) {
        for lane in 0..LANES {
            let at = chosen[lane];
            let (own, other) = (self.own[lane], self.other[lane]);
            let flips = discs::flips(own, other, at);
            self.own[lane] = other ^ flips;
            self.other[lane] = own | flips | at;
            self.put[ply % 2][lane] |= at;
            self.plies[lane] = if at == 0 { self.plies[lane] } else { ply as u64 + 1 };
        }
    }

    /// 32 uniformly random bits.
    #[inline(always)]
    fn next_random(&mut self, lane: usize) -> u64 {
        let (low, high) = (self.random[0][lane], self.random[1][lane]);
        let mixed = low ^ high;
        self.random[0][lane] = low.rotate_left(24) ^ mixed ^ (mixed << 16);
        self.random[1][lane] = mixed.rotate_left(37);
        low.wrapping_add(high) >> 32
    }

    /// The games, which have been run.
    pub fn ends(&self) -> impl Iterator<Item = End> {
        (0..LANES).map(|lane| End {
            discs: [self.own[lane], self.other[lane]],
            put: self.put.map(|put| put[lane]),
            plies: self.plies[lane] as u32,
        })
    }
}

impl<const LANES: usize> Task for &mut InStep<LANES> {
    #[inline(always)]
    fn run(self) {
        self.play_all();
    }
}

impl<const LANES: usize> InStep<LANES> {
    /// Plays all games to their ends.
    #[inline(always)]
    fn play_all(&mut self) {
        let (mut ply, mut passes) = (0, 0);
        while passes < 2 {
            let put = self.play(ply);
            passes = if put == 0 { passes + 1 } else { 0 };
            ply += 1;
        }
        if ply % 2 == 1 {
            std::mem::swap(&mut self.own, &mut self.other);
        }
    }
}

/// One of the set bits of `placements`, each as likely as the others; none of none.
///
/// - `random`: 32 uniformly random bits. The bias is that of [`Rng::below`].
#[inline(always)]
fn choose(placements: u64, random: u64) -> u64 {
    nth_bit(placements, (random * u64::from(placements.count_ones())) >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_kernels::simd::Vectors;

    const START: (u64, u64) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);

    #[test]
    fn every_rank_chooses_its_bit() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..1_000 {
            let placements = rng.bits() & rng.bits();
            let count = u64::from(placements.count_ones());
            let mut left = placements;
            for rank in 0..count {
                // The smallest random number whose product with the count reaches the rank.
                let random = (rank << 32).div_ceil(count);
                assert_eq!(choose(placements, random), left & left.wrapping_neg());
                left &= left - 1;
            }
        }
        assert_eq!(choose(0, u64::from(u32::MAX)), 0);
    }

    #[test]
    fn a_game_is_the_same_in_any_lane() {
        let (own, other) = START;
        let mut rng = Rng::from_seed(2);
        let mut together = InStep::<32>::new(own, other, 27, &mut rng.clone());
        together.play_all();
        for end in together.ends().take(27) {
            let mut alone = InStep::<1>::new(own, other, 1, &mut rng);
            alone.play_all();
            let alone = alone.ends().next().expect("one game");
            assert_eq!((alone.discs, alone.put, alone.plies), (end.discs, end.put, end.plies));
        }
    }

    #[test]
    fn every_width_of_registers_plays_the_same_games() {
        let (own, other) = START;
        let start = InStep::<32>::new(own, other, 32, &mut Rng::from_seed(1));
        let mut plain = start.clone();
        plain.play_all();
        for vectors in Vectors::all() {
            let mut played = start.clone();
            vectors.run(&mut played);
            assert_eq!(format!("{played:?}"), format!("{plain:?}"), "{vectors:?}");
        }
    }
}
