//! How far long work has come: a bar for who watches, a line a minute for who reads later.

use std::fmt;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Between two lines.
const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// How much of some work is done: a bar on standard error where that is a terminal, else a line of the log a minute.
pub struct Meter {
    things: &'static str,
    bar: ProgressBar,
    /// When the next line is due; none where nothing is to be said.
    due: Option<Mutex<Instant>>,
}

impl Meter {
    /// Nothing of so many `things` is done yet.
    pub fn new(things: &'static str, count: usize) -> Meter {
        Meter::on(ProgressBar::new(count as u64), things, Instant::now())
    }

    /// The same, on a bar that may be hidden.
    fn on(bar: ProgressBar, things: &'static str, now: Instant) -> Meter {
        let style = format!("{{wide_bar}} {{pos}} of {{len}} {things}, {{eta}} left");
        if let Ok(style) = ProgressStyle::with_template(&style) {
            bar.set_style(style);
        }
        let due = bar.is_hidden().then(|| Mutex::new(now + BETWEEN_LINES));
        Meter { things, bar, due }
    }

    /// A meter that counts and says nothing.
    pub fn silent() -> Meter {
        Meter { things: "", bar: ProgressBar::hidden(), due: None }
    }

    /// So much more is done.
    pub fn add(&self, count: usize) {
        self.bar.inc(count as u64);
        if let Some(line) = self.line(Instant::now()) {
            tracing::info!("{line}");
        }
    }

    /// So much is done.
    pub fn done(&self) -> u64 {
        self.bar.position()
    }

    /// The line that is due by now, if one is: who says it is the only one, whatever the others do.
    fn line(&self, now: Instant) -> Option<String> {
        let mut due = self.due.as_ref()?.try_lock().ok().filter(|due| now >= **due)?;
        *due = now + BETWEEN_LINES;
        let count = self.bar.length().unwrap_or_default();
        Some(format!("{} of {count} {}", self.done(), self.things))
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.done(), self.things)
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::ProgressDrawTarget;

    #[test]
    fn a_line_a_minute_says_how_much_is_done_where_nobody_watches() {
        let begun = Instant::now();
        let hidden = ProgressBar::with_draw_target(Some(30), ProgressDrawTarget::hidden());
        let meter = Meter::on(hidden, "wins", begun);
        meter.add(10);
        assert_eq!(meter.line(begun), None);
        let minute = begun + BETWEEN_LINES;
        assert_eq!(meter.line(minute).as_deref(), Some("10 of 30 wins"));
        meter.add(2);
        assert_eq!(meter.line(minute + Duration::from_secs(59)), None);
        assert_eq!(meter.line(minute + BETWEEN_LINES).as_deref(), Some("12 of 30 wins"));
        assert_eq!(Meter::silent().line(minute + 2 * BETWEEN_LINES), None);
    }
}
