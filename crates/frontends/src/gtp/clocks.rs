//! The clocks of both sides.

use std::time::Duration;

use banyan_games::Color;
use banyan_search::time::{Allotment, Clock, GameLength, Sharing, TimeControl};

/// Both sides' clocks; none where nothing limits the game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clocks {
    control: Option<TimeControl>,
    /// Indexed by [`Color::index`].
    clocks: [Option<Clock>; 2],
}

impl Clocks {
    /// A new game is timed like this.
    pub fn set(&mut self, control: Option<TimeControl>) {
        self.control = control;
        self.restart();
    }

    /// A new game, timed like the last.
    pub fn restart(&mut self) {
        self.clocks = [self.control.map(Clock::new); 2];
    }

    /// Takes over what the controller says is left of a side's time. One that never said how the
    /// game is timed is taken at its word each time: stones mean a period to play them in.
    pub fn left(&mut self, color: Color, left: Duration, count: u32) {
        let assumed = match count {
            0 => TimeControl::Absolute { main: left },
            stones => TimeControl::Canadian { main: Duration::ZERO, period: left, stones },
        };
        let mut clock = match (self.control, self.clocks[color.index()]) {
            (Some(_), Some(clock)) => clock,
            (None, Some(clock)) => clock.under(assumed),
            (_, None) => Clock::new(assumed),
        };
        clock.set(left, count);
        self.clocks[color.index()] = Some(clock);
    }

    /// Counts a ply of `color` that took `used`.
    pub fn spend(&mut self, color: Color, used: Duration) {
        if let Some(clock) = &mut self.clocks[color.index()] {
            clock.spend(used);
        }
    }

    /// Notes what a reply of `color` took beyond the thinking.
    pub fn note_lag(&mut self, color: Color, lag: Duration) {
        if let Some(clock) = &mut self.clocks[color.index()] {
            clock.note_lag(lag);
        }
    }

    /// The time for the next ply of `color`; nothing where no clock runs.
    ///
    /// - `plies`: both sides' plies so far.
    pub fn allot(
        &self,
        color: Color,
        sharing: Sharing,
        length: GameLength,
        plies: usize,
    ) -> Option<Allotment> {
        self.clocks[color.index()].map(|clock| sharing.allot(&clock, length, plies))
    }

    /// Tells whether any clock runs.
    pub fn are_running(&self) -> bool {
        self.clocks.iter().any(Option::is_some)
    }

    /// The longest that the next ply of `color` may take; nothing where no clock runs.
    pub fn longest(&self, color: Color) -> Option<Duration> {
        self.clocks[color.index()].map(|clock| clock.left())
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Kind;

    use super::*;

    #[test]
    fn without_settings_each_word_says_what_is_left_and_of_what() {
        let second = Duration::from_secs;
        let usual = |clocks: &Clocks| {
            let allotted =
                clocks.allot(Color::Black, Sharing::Even, GameLength::of(Kind::Go, 361), 10);
            allotted.expect("a clock runs").usual
        };
        let mut clocks = Clocks::default();
        clocks.left(Color::Black, second(300), 0);
        assert_eq!(clocks.longest(Color::Black), Some(second(300)));
        clocks.left(Color::Black, second(25), 5);
        assert!(usual(&clocks) > second(3), "five stones in 25 s: {:?}", usual(&clocks));
        // Where the game's clock is known it stays.
        clocks.set(Some(TimeControl::Absolute { main: second(600) }));
        clocks.left(Color::Black, second(25), 5);
        assert!(usual(&clocks) < second(3), "25 s for all of it: {:?}", usual(&clocks));
    }
}
