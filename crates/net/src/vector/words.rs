//! Words of sixteen bits, sixteen at a time, and their products in pairs.

use super::{Lanes, Sums};
use crate::layout::Channels;
use crate::shape::LANES;

/// Sixteen words of 16 bits, a channel each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Words(pub [i16; LANES]);

impl Words {
    /// Two neighbours, the first in the lower half.
    ///
    /// - `at`: number of the two, below [`PAIRS`].
    #[inline(always)]
    pub fn pair(&self, at: usize) -> u32 {
        let [low, high] = self.0.as_chunks::<2>().0[at].map(i16::cast_unsigned);
        u32::from(low) | u32::from(high) << 16
    }
}

/// Pairs in sixteen words.
pub const PAIRS: usize = LANES / 2;

/// Weights of sixteen outputs for two inputs: `[output][input]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct PairWeights(pub [i16; 2 * LANES]);

/// What transforms are made of, and the products between them. Words must not leave 16 bits; sums are
/// those of 32 bits, modulo 2³².
pub trait WordLanes: Lanes {
    /// Sixteen words in a register.
    type Word: Copy;
    /// Weights in registers.
    type Pairs: Copy;
    /// Two inputs, spread over all outputs.
    type Pair: Copy;

    /// Bytes as words.
    fn widen(self, bytes: &Channels) -> Self::Word;
    /// Takes words out of a register.
    fn store_word(self, word: Self::Word) -> Words;
    /// Sum of two.
    fn add(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Difference of two.
    fn sub(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// 2^`BITS` times as much.
    fn shl<const BITS: i32>(self, word: Self::Word) -> Self::Word;

    /// Puts weights into registers.
    fn load_pairs(self, weights: &PairWeights) -> Self::Pairs;
    /// Spreads two inputs, the first in the lower half.
    fn spread_pair(self, pair: u32) -> Self::Pair;
    /// Adds to each output's sum the dot product of its weights with the inputs.
    fn dot_pair(self, sum: Self::Sum, pair: Self::Pair, weights: Self::Pairs) -> Self::Sum;

    /// Sum of two.
    fn add_sums(self, a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// Difference of two.
    fn sub_sums(self, a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// 2^`BITS` times as much.
    fn shl_sums<const BITS: i32>(self, sum: Self::Sum) -> Self::Sum;
    /// Times a number modulo 2³², then divided by 2^`BITS`, rounded down.
    fn scale<const BITS: i32>(self, sum: Self::Sum, factor: i32) -> Self::Sum;
}

/// Code worth compiling for several kinds of vectors, by words.
pub trait WordTask {
    /// As [`super::Task::run`].
    fn run<L: WordLanes>(self, lanes: L);
}

impl WordLanes for super::Portable {
    type Word = Words;
    type Pairs = PairWeights;
    type Pair = [i16; 2];

    #[inline(always)]
    fn widen(self, bytes: &Channels) -> Words {
        Words(bytes.0.map(i16::from))
    }

    #[inline(always)]
    fn store_word(self, word: Words) -> Words {
        word
    }

    #[inline(always)]
    fn add(self, a: Words, b: Words) -> Words {
        Words(std::array::from_fn(|lane| a.0[lane] + b.0[lane]))
    }

    #[inline(always)]
    fn sub(self, a: Words, b: Words) -> Words {
        Words(std::array::from_fn(|lane| a.0[lane] - b.0[lane]))
    }

    #[inline(always)]
    fn shl<const BITS: i32>(self, word: Words) -> Words {
        Words(word.0.map(|word| word * (1 << BITS)))
    }

    #[inline(always)]
    fn load_pairs(self, weights: &PairWeights) -> PairWeights {
        *weights
    }

    #[inline(always)]
    fn spread_pair(self, pair: u32) -> [i16; 2] {
        [(pair & 0xFFFF) as u16, (pair >> 16) as u16].map(u16::cast_signed)
    }

    #[inline(always)]
    fn dot_pair(self, mut sum: Sums, pair: [i16; 2], weights: PairWeights) -> Sums {
        let [low, high] = pair.map(i32::from);
        for (sum, weights) in sum.0.iter_mut().zip(weights.0.as_chunks::<2>().0) {
            let products = low * i32::from(weights[0]) + high * i32::from(weights[1]);
            *sum = sum.wrapping_add(products);
        }
        sum
    }

    #[inline(always)]
    fn add_sums(self, a: Sums, b: Sums) -> Sums {
        Sums(std::array::from_fn(|lane| a.0[lane].wrapping_add(b.0[lane])))
    }

    #[inline(always)]
    fn sub_sums(self, a: Sums, b: Sums) -> Sums {
        Sums(std::array::from_fn(|lane| a.0[lane].wrapping_sub(b.0[lane])))
    }

    #[inline(always)]
    fn shl_sums<const BITS: i32>(self, sum: Sums) -> Sums {
        Sums(sum.0.map(|sum| sum << BITS))
    }

    #[inline(always)]
    fn scale<const BITS: i32>(self, sum: Sums, factor: i32) -> Sums {
        Sums(sum.0.map(|sum| sum.wrapping_mul(factor) >> BITS))
    }
}
