//! The same loops compiled for wider registers, and the choice between them at run time.
//!
//! The integers that come out are the same everywhere; only the time differs.
//! This is the only module with `unsafe`: for calling what was compiled for features that the
//! machine has been asked about.

use super::playout::InStep;

/// Plays the games to their ends with the widest registers of this machine.
#[inline]
pub fn run<const LANES: usize>(games: &mut InStep<LANES>) {
    #[cfg(target_arch = "x86_64")]
    {
        let has_popcnt = is_x86_feature_detected!("popcnt");
        let has_512_bits =
            is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vpopcntdq");
        if has_popcnt && has_512_bits {
            // SAFETY: the machine has every feature that the function enables.
            #[allow(unsafe_code)]
            return unsafe { run_with_avx512(games) };
        }
        if has_popcnt && is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has every feature that the function enables.
            #[allow(unsafe_code)]
            return unsafe { run_with_avx2(games) };
        }
    }
    games.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn run_with_avx512<const LANES: usize>(games: &mut InStep<LANES>) {
    games.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn run_with_avx2<const LANES: usize>(games: &mut InStep<LANES>) {
    games.run();
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn every_width_of_registers_plays_the_same_games() {
        let (own, other) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
        let mut plain = InStep::<32>::new(own, other, 32, &mut Rng::from_seed(1));
        let (mut widest, mut avx2) = (plain.clone(), plain.clone());
        plain.run();
        run(&mut widest);
        assert_eq!(format!("{widest:?}"), format!("{plain:?}"));
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the machine has every feature that the function enables.
            #[allow(unsafe_code)]
            unsafe {
                run_with_avx2(&mut avx2);
            }
            assert_eq!(format!("{avx2:?}"), format!("{plain:?}"));
        }
    }
}
