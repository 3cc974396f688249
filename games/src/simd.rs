//! The same loops compiled for wider registers, and the choice between them at run time.
//!
//! The integers that come out are the same everywhere; only the time differs.
//! This is the only module with `unsafe`: for calling what was compiled for features that the
//! machine has been asked about.

/// Integer loops worth compiling for several kinds of processor.
pub trait Loops {
    /// Runs them; `#[inline(always)]`, down to the innermost, so that it is compiled where it is
    /// called.
    fn run(&mut self);
}

/// Runs the loops with registers of 512 bits where there are such, else as [`run_with_256_bits`].
#[inline]
pub fn run_with_512_bits(loops: &mut impl Loops) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the machine has every feature that the function enables.
        #[allow(unsafe_code)]
        return unsafe { run_with_avx512(loops) };
    }
    run_with_256_bits(loops);
}

/// Runs the loops with registers of 256 bits where there are such, else with what every machine has.
#[inline]
pub fn run_with_256_bits(loops: &mut impl Loops) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the machine has every feature that the function enables.
        #[allow(unsafe_code)]
        return unsafe { run_with_avx2(loops) };
    }
    loops.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
fn run_with_avx512(loops: &mut impl Loops) {
    loops.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn run_with_avx2(loops: &mut impl Loops) {
    loops.run();
}
