//! Words of sixteen bits by AVX2 and by AVX-512 with VNNI.

use super::words::{PairWeights, WordLanes, Words};
use super::x86::{Avx2, Avx512, Halves, halves};
use crate::layout::Channels;
use crate::shape::LANES;
use std::arch::asm;
use std::arch::x86_64::*;

// SAFETY of every block: the value proves AVX2, or AVX2 and the features of AVX-512 (see the top of `vector.rs`), and
// pointers come from references to whole arrays, aligned as their loads and stores ask for.

/// Sixteen words and what transforms do with them, which is AVX2's in both kinds.
macro_rules! words_of_256_bits {
    () => {
        type Word = __m256i;

        #[inline(always)]
        fn widen(self, bytes: &Channels) -> __m256i {
            unsafe { _mm256_cvtepu8_epi16(_mm_load_si128(bytes.0.as_ptr().cast())) }
        }

        #[inline(always)]
        fn store_word(self, word: __m256i) -> Words {
            let mut words = Words([0; LANES]);
            unsafe { _mm256_store_si256(words.0.as_mut_ptr().cast(), word) };
            words
        }

        #[inline(always)]
        fn add(self, a: __m256i, b: __m256i) -> __m256i {
            unsafe { _mm256_add_epi16(a, b) }
        }

        #[inline(always)]
        fn sub(self, a: __m256i, b: __m256i) -> __m256i {
            unsafe { _mm256_sub_epi16(a, b) }
        }

        #[inline(always)]
        fn shl<const BITS: i32>(self, word: __m256i) -> __m256i {
            unsafe { _mm256_slli_epi16::<BITS>(word) }
        }
    };
}

impl WordLanes for Avx2 {
    type Pairs = Halves;
    type Pair = __m256i;

    words_of_256_bits!();

    #[inline(always)]
    fn load_pairs(self, weights: &PairWeights) -> Halves {
        unsafe { halves(weights.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn spread_pair(self, pair: u32) -> __m256i {
        unsafe { _mm256_set1_epi32(pair.cast_signed()) }
    }

    #[inline(always)]
    fn dot_pair(self, sum: Halves, pair: __m256i, weights: Halves) -> Halves {
        unsafe {
            [
                _mm256_add_epi32(sum[0], _mm256_madd_epi16(pair, weights[0])),
                _mm256_add_epi32(sum[1], _mm256_madd_epi16(pair, weights[1])),
            ]
        }
    }

    #[inline(always)]
    fn add_sums(self, a: Halves, b: Halves) -> Halves {
        unsafe { [_mm256_add_epi32(a[0], b[0]), _mm256_add_epi32(a[1], b[1])] }
    }

    #[inline(always)]
    fn sub_sums(self, a: Halves, b: Halves) -> Halves {
        unsafe { [_mm256_sub_epi32(a[0], b[0]), _mm256_sub_epi32(a[1], b[1])] }
    }

    #[inline(always)]
    fn shl_sums<const BITS: i32>(self, sum: Halves) -> Halves {
        unsafe { [_mm256_slli_epi32::<BITS>(sum[0]), _mm256_slli_epi32::<BITS>(sum[1])] }
    }

    #[inline(always)]
    fn scale<const BITS: i32>(self, sum: Halves, factor: i32) -> Halves {
        unsafe {
            let factor = _mm256_set1_epi32(factor);
            let sum = [_mm256_mullo_epi32(sum[0], factor), _mm256_mullo_epi32(sum[1], factor)];
            [_mm256_srai_epi32::<BITS>(sum[0]), _mm256_srai_epi32::<BITS>(sum[1])]
        }
    }
}

impl WordLanes for Avx512 {
    type Pairs = __m512i;
    type Pair = __m512i;

    words_of_256_bits!();

    #[inline(always)]
    fn load_pairs(self, weights: &PairWeights) -> __m512i {
        unsafe { _mm512_load_si512(weights.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn spread_pair(self, pair: u32) -> __m512i {
        unsafe { _mm512_set1_epi32(pair.cast_signed()) }
    }

    #[inline(always)]
    fn dot_pair(self, sum: __m512i, pair: __m512i, weights: __m512i) -> __m512i {
        unsafe { dot_pairs(sum, pair, weights) }
    }

    #[inline(always)]
    fn add_sums(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn sub_sums(self, a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_sub_epi32(a, b) }
    }

    #[inline(always)]
    fn shl_sums<const BITS: i32>(self, sum: __m512i) -> __m512i {
        unsafe { _mm512_sllv_epi32(sum, _mm512_set1_epi32(BITS)) }
    }

    #[inline(always)]
    fn scale<const BITS: i32>(self, sum: __m512i, factor: i32) -> __m512i {
        unsafe {
            let sum = _mm512_mullo_epi32(sum, _mm512_set1_epi32(factor));
            _mm512_srav_epi32(sum, _mm512_set1_epi32(BITS))
        }
    }
}

/// Adds dot products of two words to sums, modulo 2³². Of the intrinsic function the compiler makes two instructions,
/// and networks by tiles take a sixth longer (docs/performance.md).
#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn dot_pairs(mut sum: __m512i, pair: __m512i, weights: __m512i) -> __m512i {
    // SAFETY: the instruction reads and writes registers alone.
    unsafe {
        asm!(
            "vpdpwssd {sum}, {pair}, {weights}",
            sum = inout(zmm_reg) sum,
            pair = in(zmm_reg) pair,
            weights = in(zmm_reg) weights,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    sum
}
