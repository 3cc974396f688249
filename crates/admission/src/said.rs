//! Log lines about strangers: whoever comes often must not fill the log.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The same is said about the same address once in so long.
const REPEAT_AFTER: Duration = Duration::from_secs(60);

/// Lines within that time, of all addresses together; how many more there were is said afterwards.
const LINES_MAX: usize = 32;

/// Says the same about the same address once a minute, and little in all.
///
/// Locked for moments: when a connection is refused.
#[derive(Debug, Default)]
pub struct Said(Mutex<Lately>);

/// Log lines of the last minute; `about` holds [`LINES_MAX`] entries at most.
#[derive(Debug, Default)]
struct Lately {
    since: Option<Instant>,
    about: HashSet<(IpAddr, String)>,
    unsaid: u64,
}

impl Said {
    /// Says why a connection from an address is refused, if that is news.
    pub fn say(&self, address: IpAddr, why: &str) {
        let now = Instant::now();
        let mut lately = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unsaid = lately.turn_over(now);
        let is_news = lately.is_news(address, why);
        drop(lately);
        if unsaid > 0 {
            tracing::warn!("{unsaid} more connections were refused in the last minute");
        }
        if is_news {
            tracing::warn!(%address, "connection refused: {why}");
        }
    }
}

impl Lately {
    /// Forgets a minute that is over; returns how much of it was not said.
    fn turn_over(&mut self, now: Instant) -> u64 {
        let is_over = |since| now.saturating_duration_since(since) > REPEAT_AFTER;
        if !self.since.is_none_or(is_over) {
            return 0;
        }
        let unsaid = self.unsaid;
        *self = Lately { since: Some(now), ..Lately::default() };
        unsaid
    }

    fn is_news(&mut self, address: IpAddr, why: &str) -> bool {
        let entry = (address, kind(why));
        if self.about.contains(&entry) {
            return false;
        }
        let has_room = self.about.len() < LINES_MAX;
        if has_room {
            self.about.insert(entry);
        } else {
            self.unsaid += 1;
        }
        has_room
    }
}

/// A reason without its numbers, which are times, lengths and codes that differ each time.
fn kind(why: &str) -> String {
    why.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(last: u8) -> IpAddr {
        Ipv4Addr::new(127, 0, 0, last).into()
    }

    #[test]
    fn a_reason_that_holds_the_time_is_said_once_a_minute() {
        let (mut lately, now) = (Lately::default(), Instant::now());
        lately.turn_over(now);
        let expired = |at: u32| format!("certificate expired: verification time {at} (UNIX)");
        assert!(lately.is_news(address(1), &expired(1_795_000_001)));
        assert!(!lately.is_news(address(1), &expired(1_795_000_002)));
        assert!(lately.is_news(address(2), &expired(1_795_000_003)));
        lately.turn_over(now + REPEAT_AFTER * 2);
        assert!(lately.is_news(address(1), &expired(1_795_000_004)));
    }

    #[test]
    fn a_crowd_is_told_of_in_a_bounded_number_of_lines_and_the_rest_is_counted() {
        let (mut lately, now) = (Lately::default(), Instant::now());
        lately.turn_over(now);
        let crowd = (0..10_000)
            .map(|at| (address((at % 250) as u8), format!("reason {}", "x".repeat(at % 7))));
        let said = crowd.filter(|(address, why)| lately.is_news(*address, why)).count();
        assert_eq!((said, lately.about.len()), (LINES_MAX, LINES_MAX));
        assert!(lately.unsaid > 9_000);
        assert_eq!(lately.turn_over(now), 0, "the minute is not over");
        assert!(lately.turn_over(now + REPEAT_AFTER * 2) > 9_000);
        assert_eq!(lately.about.len(), 0);
    }
}
