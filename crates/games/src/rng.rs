//! Random numbers for playouts: a PCG stream and our own bounded sampling.
//!
//! The sampling is ours so that no library upgrade changes the tally of a batch.

use rand::{Rng as _, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub use banyan_kernels::mix::mix;

/// One stream of random numbers, the same on every machine for the same seed.
#[derive(Clone, Debug)]
pub struct Rng {
    pcg: Pcg64Mcg,
}

impl Rng {
    /// The stream of this seed. Neighbouring seeds give unrelated streams.
    pub fn from_seed(seed: u64) -> Rng {
        let low = mix(seed);
        let high = mix(low ^ 0x9E37_79B9_7F4A_7C15);
        let mut bytes = [0u8; 16];
        bytes[..8].copy_from_slice(&low.to_le_bytes());
        bytes[8..].copy_from_slice(&high.to_le_bytes());
        Rng { pcg: Pcg64Mcg::from_seed(bytes) }
    }

    /// 64 uniformly random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.pcg.next_u64()
    }

    /// A whole number in `0..bound`, by multiply and shift of 32 random bits.
    ///
    /// The bias is below `bound / 2^32`, so under one in a million for the boards played here.
    /// `bound` must be above 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        let high = self.pcg.next_u64() >> 32;
        ((high * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_stream() {
        let mut rng = Rng::from_seed(7);
        let drawn: Vec<u32> = (0..6).map(|_| rng.below(1000)).collect();
        let mut again = Rng::from_seed(7);
        assert_eq!(drawn, (0..6).map(|_| again.below(1000)).collect::<Vec<_>>());
        let mut other = Rng::from_seed(8);
        assert_ne!(drawn, (0..6).map(|_| other.below(1000)).collect::<Vec<_>>());
    }

    #[test]
    fn every_number_below_the_bound_is_drawn_about_equally_often() {
        let mut rng = Rng::from_seed(1);
        let mut seen = [0u32; 10];
        for _ in 0..100_000 {
            seen[rng.below(10) as usize] += 1;
        }
        // 10,000 expected, standard deviation 95.
        assert!(seen.iter().all(|&n| (9_500..10_500).contains(&n)), "{seen:?}");
    }
}
