//! Vectors of x86-64: AVX2, AVX-VNNI, AVX-512 with VNNI.

use super::{Lanes, Shift, Sums, Trunk, Weights};
use crate::fixed::SHIFT;
use crate::shape::LANES;
use std::arch::x86_64::*;

/// Bits by which a product of an odd lane goes up, so that its result lies in the upper half.
const UP: u32 = 32 - SHIFT;

/// 512 bits with dot products of four bytes.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(pub(super) ());

// SAFETY of every block: the value proves the features (see the top of `vector.rs`), and pointers come
// from references to arrays of 64 bytes aligned to 64.
impl Lanes for Avx512 {
    type Sum = __m512i;
    type Ready = __m512i;
    type Bytes = __m512i;

    // 27 sums, 3 weights and 2 of inputs fill 32 registers.
    const POINTS: usize = 9;
    const VECTORS: usize = 3;

    #[inline(always)]
    fn load(self, sums: &Sums) -> __m512i {
        unsafe { _mm512_load_si512(sums.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn ready(self, weights: &Weights) -> __m512i {
        unsafe { _mm512_load_si512(weights.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn spread(self, bytes: u32) -> __m512i {
        unsafe { _mm512_set1_epi32(bytes.cast_signed()) }
    }

    #[inline(always)]
    fn dot(self, sum: __m512i, bytes: __m512i, weights: __m512i) -> __m512i {
        unsafe { _mm512_dpbusd_epi32(sum, bytes, weights) }
    }

    #[inline(always)]
    fn requantise(self, sum: __m512i, multiplier: &Sums) -> __m512i {
        let multiplier = self.load(multiplier);
        unsafe {
            let half = _mm512_set1_epi64(1 << (SHIFT - 1));
            let upper = |lanes| _mm512_srli_epi64::<32>(lanes);
            let even = _mm512_add_epi64(_mm512_mul_epi32(sum, multiplier), half);
            let odd = _mm512_mul_epi32(upper(sum), upper(multiplier));
            let odd = _mm512_slli_epi64::<UP>(_mm512_add_epi64(odd, half));
            _mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64::<SHIFT>(even), odd)
        }
    }

    #[inline(always)]
    fn store(self, sum: __m512i) -> Sums {
        let mut sums = Sums([0; LANES]);
        unsafe { _mm512_store_si512(sums.0.as_mut_ptr().cast(), sum) };
        sums
    }

    #[inline(always)]
    fn activate(self, sum: __m512i) -> [u8; LANES] {
        unsafe {
            let positive = _mm512_max_epi32(sum, _mm512_setzero_si512());
            bytes(_mm512_cvtusepi32_epi8(positive))
        }
    }

    #[inline(always)]
    fn add_to_trunk(self, sum: __m512i, trunk: &mut Trunk, shift: Shift) -> [u8; LANES] {
        unsafe {
            let place: *mut __m256i = trunk.0.as_mut_ptr().cast();
            let value = _mm512_add_epi32(sum, _mm512_cvtepi16_epi32(_mm256_load_si256(place)));
            let positive = _mm512_max_epi32(value, _mm512_setzero_si512());
            let value = _mm512_cvtsepi32_epi16(positive);
            _mm256_store_si256(place, value);
            bytes(_mm256_cvtusepi16_epi8(shifted(value, shift)))
        }
    }
}

/// 512 bits in two registers.
pub(super) type Halves = [__m256i; 2];

/// 256 bits with dot products of four bytes.
#[derive(Clone, Copy, Debug)]
pub struct AvxVnni(pub(super) ());

impl Lanes for AvxVnni {
    type Sum = Halves;
    type Ready = Halves;
    type Bytes = __m256i;

    // 12 sums, 2 weights and 1 of inputs fit 16 registers.
    const POINTS: usize = 6;
    const VECTORS: usize = 1;

    #[inline(always)]
    fn load(self, sums: &Sums) -> Halves {
        unsafe { halves(sums.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn ready(self, weights: &Weights) -> Halves {
        unsafe { halves(weights.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn spread(self, bytes: u32) -> __m256i {
        unsafe { _mm256_set1_epi32(bytes.cast_signed()) }
    }

    #[inline(always)]
    fn dot(self, sum: Halves, bytes: __m256i, weights: Halves) -> Halves {
        unsafe {
            [
                _mm256_dpbusd_avx_epi32(sum[0], bytes, weights[0]),
                _mm256_dpbusd_avx_epi32(sum[1], bytes, weights[1]),
            ]
        }
    }

    #[inline(always)]
    fn requantise(self, sum: Halves, multiplier: &Sums) -> Halves {
        unsafe { requantise(sum, self.load(multiplier)) }
    }

    #[inline(always)]
    fn store(self, sum: Halves) -> Sums {
        unsafe { stored(sum) }
    }

    #[inline(always)]
    fn activate(self, sum: Halves) -> [u8; LANES] {
        unsafe { activate(sum) }
    }

    #[inline(always)]
    fn add_to_trunk(self, sum: Halves, trunk: &mut Trunk, shift: Shift) -> [u8; LANES] {
        unsafe { add_to_trunk(sum, trunk, shift) }
    }
}

/// 256 bits: bytes are widened, since products of bytes would saturate when two are added.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(pub(super) ());

impl Lanes for Avx2 {
    type Sum = Halves;
    // Of each half the even bytes, then the odd ones.
    type Ready = [Halves; 2];
    type Bytes = Halves;

    // 8 sums, 4 weights and 2 of inputs fit 16 registers.
    const POINTS: usize = 4;
    const VECTORS: usize = 1;

    #[inline(always)]
    fn load(self, sums: &Sums) -> Halves {
        unsafe { halves(sums.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn ready(self, weights: &Weights) -> [Halves; 2] {
        unsafe {
            let [first, second] = halves(weights.0.as_ptr().cast());
            [split(first), split(second)]
        }
    }

    #[inline(always)]
    fn spread(self, bytes: u32) -> Halves {
        let even = 0x00FF_00FF;
        let parts = [bytes & even, (bytes >> 8) & even];
        unsafe {
            [_mm256_set1_epi32(parts[0].cast_signed()), _mm256_set1_epi32(parts[1].cast_signed())]
        }
    }

    #[inline(always)]
    fn dot(self, sum: Halves, bytes: Halves, weights: [Halves; 2]) -> Halves {
        unsafe { [widened(sum[0], bytes, weights[0]), widened(sum[1], bytes, weights[1])] }
    }

    #[inline(always)]
    fn requantise(self, sum: Halves, multiplier: &Sums) -> Halves {
        unsafe { requantise(sum, self.load(multiplier)) }
    }

    #[inline(always)]
    fn store(self, sum: Halves) -> Sums {
        unsafe { stored(sum) }
    }

    #[inline(always)]
    fn activate(self, sum: Halves) -> [u8; LANES] {
        unsafe { activate(sum) }
    }

    #[inline(always)]
    fn add_to_trunk(self, sum: Halves, trunk: &mut Trunk, shift: Shift) -> [u8; LANES] {
        unsafe { add_to_trunk(sum, trunk, shift) }
    }
}

// SAFETY of the functions below: their callers' values prove AVX2, and their pointers are to 64
// bytes aligned to 64.

#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn halves(from: *const __m256i) -> Halves {
    unsafe { [_mm256_load_si256(from), _mm256_load_si256(from.add(1))] }
}

#[inline]
#[target_feature(enable = "avx2")]
fn stored(sum: Halves) -> Sums {
    let mut sums = Sums([0; LANES]);
    let to: *mut __m256i = sums.0.as_mut_ptr().cast();
    unsafe {
        _mm256_store_si256(to, sum[0]);
        _mm256_store_si256(to.add(1), sum[1]);
    }
    sums
}

#[inline]
#[target_feature(enable = "avx2")]
fn activate(sum: Halves) -> [u8; LANES] {
    // Sixteen signed words, from which bytes are made with the clamp wanted.
    packed(words(sum))
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_to_trunk(sum: Halves, trunk: &mut Trunk, shift: Shift) -> [u8; LANES] {
    let place: *mut __m256i = trunk.0.as_mut_ptr().cast();
    let before = unsafe { _mm256_load_si256(place) };
    let low = _mm256_cvtepi16_epi32(_mm256_castsi256_si128(before));
    let high = _mm256_cvtepi16_epi32(_mm256_extracti128_si256::<1>(before));
    let value = words([_mm256_add_epi32(sum[0], low), _mm256_add_epi32(sum[1], high)]);
    let value = _mm256_max_epi16(value, _mm256_setzero_si256());
    unsafe { _mm256_store_si256(place, value) };
    packed(shifted(value, shift))
}

/// Whole numbers as signed words, clamped to them, in their order.
#[inline]
#[target_feature(enable = "avx2")]
fn words(sum: Halves) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(sum[0], sum[1]))
}

/// Signed words as bytes, clamped to 0 to 255.
#[inline]
#[target_feature(enable = "avx2")]
fn packed(words: __m256i) -> [u8; LANES] {
    let high = _mm256_extracti128_si256::<1>(words);
    bytes(_mm_packus_epi16(_mm256_castsi256_si128(words), high))
}

/// Words of 0 to 32,767 divided by a power of two, halves rounded up.
#[inline]
#[target_feature(enable = "avx2")]
fn shifted(words: __m256i, shift: Shift) -> __m256i {
    // At most 32,767 + 128: as words without a sign they do not overflow.
    let sum = _mm256_add_epi16(words, _mm256_set1_epi16(shift.half()));
    _mm256_srl_epi16(sum, _mm_cvtsi32_si128(shift.0.into()))
}

#[inline]
#[target_feature(enable = "avx2")]
fn bytes(vector: __m128i) -> [u8; LANES] {
    let mut bytes = [0; LANES];
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector) };
    bytes
}

/// Even bytes, then odd ones, as words.
#[inline]
#[target_feature(enable = "avx2")]
fn split(bytes: __m256i) -> Halves {
    [_mm256_srai_epi16::<8>(_mm256_slli_epi16::<8>(bytes)), _mm256_srai_epi16::<8>(bytes)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn widened(sum: __m256i, bytes: Halves, weights: Halves) -> __m256i {
    let even = _mm256_add_epi32(sum, _mm256_madd_epi16(bytes[0], weights[0]));
    _mm256_add_epi32(even, _mm256_madd_epi16(bytes[1], weights[1]))
}

#[inline]
#[target_feature(enable = "avx2")]
fn requantise(sum: Halves, multiplier: Halves) -> Halves {
    let half = _mm256_set1_epi64x(1 << (SHIFT - 1));
    let upper = |lanes| _mm256_srli_epi64::<32>(lanes);
    let one = |sum, multiplier| {
        let even = _mm256_add_epi64(_mm256_mul_epi32(sum, multiplier), half);
        let odd = _mm256_mul_epi32(upper(sum), upper(multiplier));
        let odd = _mm256_slli_epi64::<{ UP as i32 }>(_mm256_add_epi64(odd, half));
        _mm256_blend_epi32::<0xAA>(_mm256_srli_epi64::<{ SHIFT as i32 }>(even), odd)
    };
    [one(sum[0], multiplier[0]), one(sum[1], multiplier[1])]
}
