//! Sixteen numbers at a time in plain Rust: what every machine has, and what the others are held to.

use super::{Lanes, Shift, Sums, Trunk, Weights};
use crate::fixed::{TRUNK_MAX, narrow};
use crate::shape::LANES;

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
