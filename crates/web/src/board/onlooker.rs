//! The watch of a board's search: it shows what is seen, and hears what is asked.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use banyan_engine::{Playable, Report, Watch};
use crossbeam_channel::{Receiver, TryRecvError};

use super::ask::Ask;
use super::scene::{Scene, Thought};
use super::screen::Screen;

/// An analysis that no page has followed for so long ends: a reload takes less.
const UNSEEN_MAX: Duration = Duration::from_secs(15);

/// Between two scenes of a search.
pub(super) const INTERVAL: Duration = Duration::from_millis(200);

/// Looks on while a session thinks: shows what it sees, and hears what is asked.
pub(super) struct Onlooker<'a, G: Playable> {
    pub position: &'a G,
    pub frame: Scene,
    pub screen: &'a Screen,
    pub inbox: &'a Receiver<Ask>,
    pub waiting: &'a mut VecDeque<Ask>,
    pub is_left: &'a mut bool,
    pub last: Option<Instant>,
    /// Where it ends when nobody sees it.
    pub unseen: Option<Unseen>,
}

/// Time since the last page was closed.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    since: Option<Instant>,
}

impl Unseen {
    /// Tells whether nobody has followed for too long.
    fn is_over(&mut self, followers: usize, now: Instant) -> bool {
        if followers > 0 {
            self.since = None;
            return false;
        }
        now.duration_since(*self.since.get_or_insert(now)) > UNSEEN_MAX
    }
}

impl<G: Playable> Watch for Onlooker<'_, G> {
    fn see(&mut self, report: &Report) {
        if self.last.is_some_and(|last| last.elapsed() < INTERVAL / 2) {
            return;
        }
        self.last = Some(Instant::now());
        self.frame.thought = Some(Thought::of(self.position, report));
        self.screen.show(&self.frame);
    }

    fn wants_stop(&mut self) -> bool {
        match self.inbox.try_recv() {
            Ok(ask) => self.waiting.push_back(ask),
            Err(TryRecvError::Disconnected) => *self.is_left = true,
            Err(TryRecvError::Empty) => {}
        }
        let followers = self.screen.followers();
        let is_over = |unseen: &mut Unseen| unseen.is_over(followers, Instant::now());
        *self.is_left || !self.waiting.is_empty() || self.unseen.as_mut().is_some_and(is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analysis_outlives_a_reload_and_not_the_last_page() {
        let (mut unseen, start) = (Unseen::default(), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        for (followers, seconds, is_over) in [
            (1, 0, false),
            (0, 20, false),
            (0, 30, false),
            (1, 31, false),
            (0, 32, false),
            (0, 48, true),
        ] {
            assert_eq!(unseen.is_over(followers, after(seconds)), is_over, "after {seconds} s");
        }
    }
}
