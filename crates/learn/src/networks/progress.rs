//! Progress of self-play: a bar for who watches, one line a minute for who reads later.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::time::{Duration, Instant};

/// Between two lines.
const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// Progress of one generation's games.
pub struct Progress<W> {
    out: W,
    generation: u32,
    /// Games in all, count.
    games: u64,
    bar: ProgressBar,
    last_line: Instant,
}

impl<W: Write> Progress<W> {
    /// Nothing is played yet. The bar is drawn on standard error where that is a terminal.
    pub fn new(out: W, generation: u32, games: u64) -> Progress<W> {
        let bar = ProgressBar::new(games);
        let style =
            ProgressStyle::with_template("{prefix} {wide_bar} {pos} of {len} games, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_prefix(format!("generation {generation}"));
        Progress { out, generation, games, bar, last_line: Instant::now() }
    }

    /// So many games are there now; `by` says who played them.
    pub fn told(&mut self, done: u64, by: Option<&str>) {
        self.bar.set_position(done);
        if done < self.games && self.last_line.elapsed() < BETWEEN_LINES {
            return;
        }
        self.last_line = Instant::now();
        let by = by.map(|by| format!(", {by}")).unwrap_or_default();
        let Progress { out, generation, games, .. } = self;
        self.bar.suspend(|| {
            // A reader that has gone away does not stop the games.
            let _ = writeln!(out, "generation {generation}: {done} games of {games}{by}");
            let _ = out.flush();
        });
    }
}

impl<W> Drop for Progress<W> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_minute_and_the_last_one_are_said() {
        let mut said = Vec::new();
        let mut progress = Progress::new(&mut said, 3, 30);
        progress.told(10, None);
        progress.last_line -= BETWEEN_LINES;
        progress.told(20, Some("by oak 20"));
        progress.told(25, Some("by oak 25"));
        progress.told(30, Some("by oak 30"));
        drop(progress);
        let said = String::from_utf8(said).expect("text");
        let lines =
            "generation 3: 20 games of 30, by oak 20\ngeneration 3: 30 games of 30, by oak 30\n";
        assert_eq!(said, lines);
    }
}
