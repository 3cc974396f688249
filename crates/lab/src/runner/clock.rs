//! The clocks of a game, as GTP's `time_settings` describes them, kept by the runner.

use std::str::FromStr;
use std::time::Duration;

/// Main time, then so many seconds for every so many stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// Seconds before overtime.
    pub main: u32,
    /// Seconds of one period of overtime.
    pub overtime: u32,
    /// Stones to be played in one period.
    pub stones: u32,
}

/// Not three numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "time settings '{0}': expected main seconds, overtime seconds and stones, such as '60 0 0'"
)]
pub struct TimeSettingsError(String);

impl FromStr for TimeSettings {
    type Err = TimeSettingsError;

    fn from_str(text: &str) -> Result<TimeSettings, TimeSettingsError> {
        let numbers: Result<Vec<u32>, _> = text.split_whitespace().map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[main, overtime, stones]) => Ok(TimeSettings { main, overtime, stones }),
            _ => Err(TimeSettingsError(text.to_owned())),
        }
    }
}

impl TimeSettings {
    /// A clock at the start of a game; none where the settings mean no limit (overtime without
    /// stones).
    pub fn clock(self) -> Option<Clock> {
        let unlimited = self.overtime > 0 && self.stones == 0;
        (!unlimited).then(|| Clock {
            settings: self,
            main_left: Duration::from_secs(self.main.into()),
            period_left: Duration::from_secs(self.overtime.into()),
            stones_left: self.stones,
        })
    }
}

/// The flag fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFall;

/// One side's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    settings: TimeSettings,
    main_left: Duration,
    /// Time left of the present period, untouched while main time is left.
    period_left: Duration,
    /// Still to be played in the present period.
    stones_left: u32,
}

impl Clock {
    /// Longest time that the next move may take.
    pub fn bound(&self) -> Duration {
        self.main_left + self.period_left
    }

    /// The words of `time_left`: whole seconds, and stones left in the period or 0 in main time.
    pub fn time_left(&self) -> (u64, u32) {
        if self.main_left > Duration::ZERO || self.settings.stones == 0 {
            (self.main_left.as_secs(), 0)
        } else {
            (self.period_left.as_secs(), self.stones_left)
        }
    }

    /// Takes a move's time off.
    ///
    /// # Errors
    /// [`FlagFall`] if there was not so much.
    pub fn spend(&mut self, time: Duration) -> Result<(), FlagFall> {
        if time > self.bound() {
            return Err(FlagFall);
        }
        let beyond_main = time.saturating_sub(self.main_left);
        let was_overtime = self.main_left.is_zero();
        self.main_left = self.main_left.saturating_sub(time);
        if self.settings.stones > 0 && (was_overtime || !beyond_main.is_zero()) {
            self.period_left -= beyond_main;
            self.stones_left -= 1;
            if self.stones_left == 0 {
                self.period_left = Duration::from_secs(self.settings.overtime.into());
                self.stones_left = self.settings.stones;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Clock {
        text.parse::<TimeSettings>().expect("settings").clock().expect("a limit")
    }

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn sudden_death_ends_with_the_main_time() {
        let mut clock = clock("10 0 0");
        assert_eq!(clock.spend(Duration::from_millis(6_500)), Ok(()));
        assert_eq!(clock.time_left(), (3, 0));
        assert_eq!(clock.spend(seconds(4)), Err(FlagFall));
    }

    #[test]
    fn a_period_is_new_after_its_stones() {
        let mut clock = clock("5 10 2");
        assert_eq!(clock.spend(seconds(7)), Ok(()));
        assert_eq!(clock.time_left(), (8, 1));
        assert_eq!(clock.spend(seconds(8)), Ok(()));
        assert_eq!(clock.time_left(), (10, 2));
        assert_eq!(clock.spend(seconds(11)), Err(FlagFall));
    }

    #[test]
    fn seconds_for_each_move_never_run_out_by_themselves() {
        let mut clock = clock("0 3 1");
        for _ in 0..100 {
            assert_eq!(clock.time_left(), (3, 1));
            assert_eq!(clock.spend(seconds(3)), Ok(()));
        }
        assert_eq!(clock.spend(Duration::from_millis(3_001)), Err(FlagFall));
    }

    #[test]
    fn overtime_without_stones_means_no_limit() {
        assert!("0 1 0".parse::<TimeSettings>().expect("settings").clock().is_none());
        assert!("60 0".parse::<TimeSettings>().is_err());
        assert!("60 0 -1".parse::<TimeSettings>().is_err());
    }
}
