//! File descriptors: how many connections this process can hold.

use banyan_jobs::limits;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More than any cluster needs.
const WANTED: u64 = 1 << 16;

/// Strangers may hold one in so many of all descriptors, so that workers find one.
const STRANGERS_SHARE: u64 = 4;

/// Asks for as many descriptors as this process may have; without them it goes on with what it has.
pub fn raise_limit() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(WANTED).min(WANTED);
    if current.is_some_and(|current| current < wanted) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    }
}

/// Strangers that may be connected at a time.
pub fn strangers_max() -> usize {
    let descriptors = getrlimit(Resource::Nofile).current.unwrap_or(WANTED);
    strangers_of(descriptors)
}

fn strangers_of(descriptors: u64) -> usize {
    let part = usize::try_from(descriptors / STRANGERS_SHARE).unwrap_or(usize::MAX);
    part.clamp(1, limits::STRANGERS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_leave_most_descriptors_to_others() {
        assert_eq!(strangers_of(1 << 20), limits::STRANGERS_MAX);
        assert_eq!(strangers_of(1024), 256);
        assert_eq!(strangers_of(64), 16);
        assert_eq!(strangers_of(0), 1);
    }
}
