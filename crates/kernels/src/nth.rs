//! The n-th set bit of a word, found without a branch, so that vectors can do it lane by lane.

/// The set bit of `word` that has `rank` set bits below it, alone; 0 of the word 0.
///
/// `rank` must be below the number of set bits, where there is any. It is followed down through ever
/// smaller halves, without shifting anything.
#[inline(always)]
pub fn nth_bit(word: u64, rank: u64) -> u64 {
    const LOWER_HALVES: [u64; 6] = [
        0x0000_0000_FFFF_FFFF,
        0x0000_FFFF_0000_FFFF,
        0x00FF_00FF_00FF_00FF,
        0x0F0F_0F0F_0F0F_0F0F,
        0x3333_3333_3333_3333,
        0x5555_5555_5555_5555,
    ];
    let (mut left, mut rank) = (word, rank);
    for half in LOWER_HALVES {
        let lower = left & half;
        let count = u64::from(lower.count_ones());
        let above = rank >= count;
        rank -= if above { count } else { 0 };
        left = if above { left ^ lower } else { lower };
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::mix;

    #[test]
    fn every_rank_names_its_bit() {
        for seed in 0..1_000 {
            let word = mix(seed) & mix(!seed);
            let mut left = word;
            for rank in 0..u64::from(word.count_ones()) {
                assert_eq!(nth_bit(word, rank), left & left.wrapping_neg());
                left &= left - 1;
            }
        }
        assert_eq!(nth_bit(u64::MAX, 63), 1 << 63);
        assert_eq!(nth_bit(0, 0), 0);
    }
}
