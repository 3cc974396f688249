//! Runs a piece of code compiled for the widest vectors that this machine has.
//!
//! The one place with `unsafe` in Go. The code is the same for every machine, so are its results:
//! only whole numbers are computed, and no instruction is chosen by hand.
#![allow(unsafe_code)]

/// Code worth compiling for several kinds of vectors.
pub(super) trait Task {
    /// The code. It and all that it calls should be `#[inline(always)]`: what is not inlined is
    /// compiled for the narrowest vectors only.
    fn run(self);
}

/// Runs the task, once.
#[cfg(target_arch = "x86_64")]
pub(super) fn widest(task: impl Task) {
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the machine has each of the features that the function is compiled for.
        unsafe { with_avx512(task) }
    } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: as above.
        unsafe { with_avx2(task) }
    } else {
        task.run();
    }
}

/// Runs the task: other machines have one kind of vectors, which the compiler knows.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn widest(task: impl Task) {
    task.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,popcnt")]
fn with_avx512(task: impl Task) {
    task.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn with_avx2(task: impl Task) {
    task.run();
}
