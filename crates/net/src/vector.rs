//! Dot products of bytes, sixteen at a time, by whatever vectors this machine has.
//!
//! The one place with `unsafe`. Every kind of vectors computes the same sums in `i32` without ever
//! saturating, so all give the same bits; the tests hold each to a plain slow twin.
//!
//! Invariant: a value of [`Avx512`], [`AvxVnni`] or [`Avx2`] exists only inside [`Vectors::run`], and a
//! [`Vectors`] only after the machine was asked for each of the features named at its `with_…` function.
//! Whoever has such a value may therefore use those features' instructions. Memory is touched only
//! through references to whole, aligned arrays.
#![allow(unsafe_code)]

use crate::fixed::{TRUNK_MAX, narrow};
use crate::shape::LANES;

/// Weights of sixteen outputs for four inputs: `[output][input]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Weights(pub [i8; 4 * LANES]);

/// A whole number for each of sixteen outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Sums(pub [i32; LANES]);

/// Code worth compiling for several kinds of vectors.
pub trait Task {
    /// The code. It and all that it calls should be `#[inline(always)]`: what is not inlined is
    /// compiled for the vectors that every machine has.
    fn run<L: Lanes>(self, lanes: L);
}

/// Sixteen sums at once.
pub trait Lanes: Copy {
    /// Sixteen sums in registers.
    type Sum: Copy;
    /// Weights made ready.
    type Ready: Copy;
    /// Four inputs, spread over all outputs.
    type Bytes: Copy;

    /// Points that a block of sums should have so that registers are full but not overfull, count.
    const POINTS: usize;
    /// Sixteens of outputs that a block of sums should have, count.
    const VECTORS: usize;

    /// Puts sums into registers.
    fn load(self, sums: &Sums) -> Self::Sum;
    /// Makes weights ready.
    fn ready(self, weights: &Weights) -> Self::Ready;
    /// Spreads four inputs, the first in the lowest byte.
    fn spread(self, bytes: u32) -> Self::Bytes;
    /// Adds to each output's sum the dot product of its weights with the inputs.
    fn dot(self, sum: Self::Sum, bytes: Self::Bytes, weights: Self::Ready) -> Self::Sum;
    /// [`crate::fixed::requantise`] of each sum.
    fn requantise(self, sum: Self::Sum, multiplier: &Sums) -> Self::Sum;
    /// Takes sums out of registers.
    fn store(self, sum: Self::Sum) -> Sums;
    /// Each sum clamped to 0 to 255.
    fn activate(self, sum: Self::Sum) -> [u8; LANES];
    /// Adds the sums to the trunk, clamped to 0 to 32,767, and gives [`crate::fixed::narrow`] of it.
    fn add_to_trunk(self, sum: Self::Sum, trunk: &mut Trunk, shift: Shift) -> [u8; LANES];
}

/// Sixteen channels of the trunk at one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Trunk(pub [i16; LANES]);

/// Bits by which the trunk is divided for its activations, 0 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift(pub u8);

impl Shift {
    /// The half that is added before, so that halves are rounded up.
    #[cfg(target_arch = "x86_64")]
    fn half(self) -> i16 {
        (1 << self.0) >> 1
    }
}

/// A kind of vectors. A value exists only where the machine has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// Every kind that this machine has, slowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Vectors> {
        #[cfg(target_arch = "x86_64")]
        let wider = [
            is_x86_feature_detected!("avx2").then_some(Kind::Avx2),
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("avxvnni"))
                .then_some(Kind::AvxVnni),
            has_avx512().then_some(Kind::Avx512),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let wider: [Option<Kind>; 0] = [];
        [Some(Kind::Portable)].into_iter().chain(wider).flatten().map(Vectors)
    }

    /// The fastest kind that this machine has.
    pub fn fastest() -> Vectors {
        Vectors::all().next_back().unwrap_or(Vectors(Kind::Portable))
    }

    /// The name of the kind in reports.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::AvxVnni => "avx-vnni",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512-vnni",
        }
    }

    /// Sixteens of outputs in a block of sums of this kind, count.
    pub(crate) fn vectors(self) -> usize {
        match self.0 {
            Kind::Portable => Portable::VECTORS,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => Avx2::VECTORS,
            #[cfg(target_arch = "x86_64")]
            Kind::AvxVnni => AvxVnni::VECTORS,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => Avx512::VECTORS,
        }
    }

    /// Runs the task with vectors of this kind.
    pub(crate) fn run(self, task: impl Task) {
        match self.0 {
            Kind::Portable => task.run(Portable),
            // SAFETY: `Vectors::all` alone makes this value, after asking for each of the features
            // that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { with_avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::AvxVnni => unsafe { with_avx_vnni(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { with_avx512(task) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(task: impl Task) {
    task.run(Avx2(()));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avxvnni")]
fn with_avx_vnni(task: impl Task) {
    task.run(AvxVnni(()));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
fn with_avx512(task: impl Task) {
    task.run(Avx512(()));
}

/// Plain Rust, for the compiler to make vectors of.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Lanes for Portable {
    type Sum = Sums;
    type Ready = [[i16; LANES]; 4];
    type Bytes = [u8; 4];

    // Registers overflow with any number of points; more share the turning round of the weights.
    const POINTS: usize = 9;
    const VECTORS: usize = 1;

    #[inline(always)]
    fn load(self, sums: &Sums) -> Sums {
        *sums
    }

    #[inline(always)]
    fn ready(self, weights: &Weights) -> [[i16; LANES]; 4] {
        let mut turned = [[0; LANES]; 4];
        for lane in 0..LANES {
            for (input, turned) in turned.iter_mut().enumerate() {
                turned[lane] = i16::from(weights.0[4 * lane + input]);
            }
        }
        turned
    }

    #[inline(always)]
    fn spread(self, bytes: u32) -> [u8; 4] {
        bytes.to_le_bytes()
    }

    #[inline(always)]
    fn dot(self, mut sum: Sums, bytes: [u8; 4], weights: [[i16; LANES]; 4]) -> Sums {
        for (byte, weights) in bytes.iter().zip(&weights) {
            for (sum, weight) in sum.0.iter_mut().zip(weights) {
                *sum += i32::from(i16::from(*byte)) * i32::from(*weight);
            }
        }
        sum
    }

    #[inline(always)]
    fn requantise(self, mut sum: Sums, multiplier: &Sums) -> Sums {
        for (sum, &multiplier) in sum.0.iter_mut().zip(&multiplier.0) {
            *sum = crate::fixed::requantise(*sum, multiplier);
        }
        sum
    }

    #[inline(always)]
    fn store(self, sum: Sums) -> Sums {
        sum
    }

    #[inline(always)]
    fn activate(self, sum: Sums) -> [u8; LANES] {
        let mut bytes = [0; LANES];
        for (byte, sum) in bytes.iter_mut().zip(&sum.0) {
            *byte = (*sum).clamp(0, 255) as u8;
        }
        bytes
    }

    #[inline(always)]
    fn add_to_trunk(self, sum: Sums, trunk: &mut Trunk, shift: Shift) -> [u8; LANES] {
        let mut bytes = [0; LANES];
        for (lane, byte) in bytes.iter_mut().enumerate() {
            let value = (sum.0[lane] + i32::from(trunk.0[lane])).clamp(0, TRUNK_MAX);
            trunk.0[lane] = value as i16;
            *byte = narrow(value, shift.0.into()) as u8;
        }
        bytes
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, AvxVnni};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Lanes, Shift, Sums, Trunk, Weights};
    use crate::fixed::SHIFT;
    use crate::shape::LANES;
    use std::arch::x86_64::*;

    /// Bits by which a product of an odd lane goes up, so that its result lies in the upper half.
    const UP: u32 = 32 - SHIFT;

    /// 512 bits with dot products of four bytes.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx512(pub(super) ());

    // SAFETY of every block: the value proves the features (see the top of the file), and pointers come
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

    type Halves = [__m256i; 2];

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
                [
                    _mm256_set1_epi32(parts[0].cast_signed()),
                    _mm256_set1_epi32(parts[1].cast_signed()),
                ]
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
    unsafe fn halves(from: *const __m256i) -> Halves {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::requantise;
    use proptest::prelude::*;

    /// Runs each operation once.
    struct Once<'a> {
        sums: Sums,
        bytes: [u8; 4],
        weights: &'a Weights,
        multiplier: &'a Sums,
        trunk: Trunk,
        shift: Shift,
        found: &'a mut Found,
    }

    #[derive(Clone, Debug, PartialEq)]
    struct Found {
        sums: [Sums; 2],
        activated: [u8; LANES],
        trunk: Trunk,
        narrowed: [u8; LANES],
    }

    const NOTHING: Found = Found {
        sums: [Sums([0; LANES]); 2],
        activated: [0; LANES],
        trunk: Trunk([0; LANES]),
        narrowed: [0; LANES],
    };

    impl Task for Once<'_> {
        #[inline(always)]
        fn run<L: Lanes>(mut self, lanes: L) {
            let bytes = lanes.spread(u32::from_le_bytes(self.bytes));
            let sum = lanes.dot(lanes.load(&self.sums), bytes, lanes.ready(self.weights));
            let requantised = lanes.requantise(sum, self.multiplier);
            *self.found = Found {
                sums: [lanes.store(sum), lanes.store(requantised)],
                activated: lanes.activate(requantised),
                narrowed: lanes.add_to_trunk(requantised, &mut self.trunk, self.shift),
                trunk: self.trunk,
            };
        }
    }

    /// Results of the operations by their definitions.
    fn defined(once: &Once<'_>) -> Found {
        let sum = |lane: usize| {
            let four = once.bytes.iter().zip(&once.weights.0[4 * lane..]);
            once.sums.0[lane] + four.map(|(&b, &w)| i32::from(b) * i32::from(w)).sum::<i32>()
        };
        let sums: [i32; LANES] = std::array::from_fn(sum);
        let requantised: [i32; LANES] =
            std::array::from_fn(|lane| requantise(sums[lane], once.multiplier.0[lane]));
        let trunk: [i32; LANES] = std::array::from_fn(|lane| {
            (requantised[lane] + i32::from(once.trunk.0[lane])).clamp(0, TRUNK_MAX)
        });
        Found {
            sums: [Sums(sums), Sums(requantised)],
            activated: requantised.map(|sum| sum.clamp(0, 255) as u8),
            trunk: Trunk(trunk.map(|value| value as i16)),
            narrowed: trunk.map(|value| narrow(value, once.shift.0.into()) as u8),
        }
    }

    proptest! {
        #[test]
        fn every_kind_of_vectors_gives_the_same_bits(
            sums in prop::array::uniform16(-(1 << 28)..1 << 28),
            bytes in any::<[u8; 4]>(),
            weights in prop::collection::vec(any::<i8>(), 64),
            // From sums that come out as they are down to a 2^20th of them.
            multiplier in prop::array::uniform16((4u32..24).prop_map(|bits| (1 << bits) + 12_345)),
            trunk in prop::array::uniform16(0..=i16::MAX),
            shift in 0u8..=8,
        ) {
            let weights = Weights(weights.try_into().unwrap());
            for vectors in Vectors::all() {
                let mut found = NOTHING;
                let once = Once {
                    sums: Sums(sums),
                    bytes,
                    weights: &weights,
                    multiplier: &Sums(multiplier),
                    trunk: Trunk(trunk),
                    shift: Shift(shift),
                    found: &mut found,
                };
                let wanted = defined(&once);
                vectors.run(once);
                prop_assert_eq!(found, wanted, "{}", vectors.name());
            }
        }
    }
}
