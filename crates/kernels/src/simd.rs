//! Runs a piece of code compiled for the vectors that this machine has.
//!
//! The one place with `unsafe` in this crate. The code is the same for every machine, so are its results: whole
//! numbers are exact, IEEE operations are rounded the same way in every lane, Rust never fuses a
//! multiplication with an addition, and no instruction is chosen by hand.
#![allow(unsafe_code)]

/// Code worth compiling for several kinds of vectors.
pub trait Task {
    /// The code. It and all that it calls should be `#[inline(always)]`: what is not inlined is
    /// compiled for the vectors that every machine has.
    fn run(self);
}

/// A kind of vectors. A value exists only where the machine has it.
#[derive(Clone, Copy, Debug)]
pub struct Vectors(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Vectors that the compiler takes for granted on this kind of machine.
    Any,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// Every kind that this machine has, narrowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Vectors> {
        #[cfg(target_arch = "x86_64")]
        let wider = [has_avx2().then_some(Kind::Avx2), has_avx512().then_some(Kind::Avx512)];
        #[cfg(not(target_arch = "x86_64"))]
        let wider: [Option<Kind>; 0] = [];
        [Some(Kind::Any)].into_iter().chain(wider).flatten().map(Vectors)
    }

    /// The widest kind that this machine has.
    pub fn widest() -> Vectors {
        Vectors::all().next_back().unwrap_or(Vectors(Kind::Any))
    }

    /// Runs the task with vectors of this kind.
    pub fn run(self, task: impl Task) {
        match self.0 {
            Kind::Any => task.run(),
            // SAFETY: `Vectors::all` alone makes this value, after asking for each of the features
            // that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { with_avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { with_avx512(task) },
        }
    }
}

/// Vectors of 256 bits at most, for tasks to which wider ones are worth nothing: what they run is compiled
/// for no others, which takes a third off the longest builds.
#[derive(Clone, Copy, Debug)]
pub struct NarrowVectors(NarrowKind);

#[derive(Clone, Copy, Debug)]
enum NarrowKind {
    /// Vectors that the compiler takes for granted on this kind of machine.
    Any,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl NarrowVectors {
    /// The widest kind that this machine has.
    pub fn widest() -> NarrowVectors {
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            return NarrowVectors(NarrowKind::Avx2);
        }
        NarrowVectors(NarrowKind::Any)
    }

    /// Runs the task with vectors of this kind.
    pub fn run(self, task: impl Task) {
        match self.0 {
            NarrowKind::Any => task.run(),
            // SAFETY: `widest` alone makes this value, after asking for each of the features that the
            // function is compiled for.
            #[cfg(target_arch = "x86_64")]
            NarrowKind::Avx2 => unsafe { with_avx2(task) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn with_avx2(task: impl Task) {
    task.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,popcnt")]
fn with_avx512(task: impl Task) {
    task.run();
}
