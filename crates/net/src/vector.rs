//! Dot products of bytes and of words, sixteen at a time, by whatever vectors this machine has.
//!
//! The one place with `unsafe` in this crate, here and in `x86` and `x86_words`. Every kind of vectors computes the same
//! sums in `i32` without ever saturating, so all give the same bits; the tests hold each to a plain slow twin.
//!
//! Invariant: a value of [`Avx512`], [`AvxVnni`] or [`Avx2`] exists only inside [`Vectors::run`] and
//! [`Vectors::run_words`], and a [`Vectors`] only after the machine was asked for each of the features named at
//! its `with_…` function. Whoever has such a value may therefore use those features' instructions. Memory is touched
//! only through references to whole, aligned arrays.
#![allow(unsafe_code)]

mod portable;
pub mod words;

#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86_64")]
mod x86_words;

use crate::shape::LANES;
use words::WordTask;

pub use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, AvxVnni};

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

/// When 3x3 convolutions go by tiles: by fewer products, but of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tiles {
    /// Never.
    Never,
    /// Where that saves time though four bytes are multiplied as fast as two words.
    WhereFaster,
    /// Always.
    Always,
}

impl Tiles {
    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [Tiles; 3] = [Tiles::Never, Tiles::WhereFaster, Tiles::Always];
}

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

    /// When 3x3 convolutions go by tiles. Never by AVX-VNNI, where nobody has measured it.
    pub(crate) fn tiles(self) -> Tiles {
        match self.0 {
            Kind::Portable => Tiles::Always,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => Tiles::Always,
            #[cfg(target_arch = "x86_64")]
            Kind::AvxVnni => Tiles::Never,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => Tiles::WhereFaster,
        }
    }

    /// Runs the task with words of this kind, or of the next slower that has any, whose blocks are as large.
    pub(crate) fn run_words(self, task: impl WordTask) {
        match self.0 {
            Kind::Portable => task.run(Portable),
            // SAFETY: `Vectors::all` alone makes these values, after asking for AVX2.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 | Kind::AvxVnni => unsafe { words_with_avx2(task) },
            // SAFETY: as above, for each of the features that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { words_with_avx512(task) },
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

// AVX-VNNI has AVX2's words: blocks packed for the one are run by the other.
#[cfg(target_arch = "x86_64")]
const _: () = assert!(AvxVnni::VECTORS == Avx2::VECTORS);

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
#[target_feature(enable = "avx2")]
fn words_with_avx2(task: impl WordTask) {
    task.run(Avx2(()));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
fn words_with_avx512(task: impl WordTask) {
    task.run(Avx512(()));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::{TRUNK_MAX, narrow, requantise};
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
