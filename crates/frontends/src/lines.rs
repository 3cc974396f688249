//! Lines of a front end: of a bounded length, whatever their bytes.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

/// The longest line, in bytes: many times a whole game's moves.
pub(crate) const LINE_BYTES_MAX: usize = 64 << 10;

/// A script has been read to its end this soon; a program that leaves takes longer.
pub(crate) const SCRIPT_TIME: Duration = Duration::from_millis(150);

/// Lines that wait while a move is searched. Front ends send a few and then wait themselves; where more
/// come, the reader waits.
const LINES_WAITING_MAX: usize = 1024;

/// A line, and how it came.
pub(crate) struct Line {
    /// Its text, without spaces around.
    pub text: String,
    /// It came as fast as a script's lines do, which want their answers.
    pub is_scripted: bool,
}

/// Lines of an input, read ahead while a move is searched, without spaces around; empty ones are left out.
pub(crate) struct Lines {
    receiver: Receiver<Line>,
    /// Lines that came in while a move was searched, at most [`LINES_WAITING_MAX`].
    waiting: VecDeque<Line>,
    /// The input has ended, and not as a script does, which wants its answers. Only the reader writes.
    are_abandoned: Arc<AtomicBool>,
}

impl Lines {
    /// Starts a thread that reads on while a move is searched. A line that is too long comes cut, what is
    /// no text in it as replacement characters.
    pub fn read(name: &str, input: impl BufRead + Send + 'static) -> io::Result<Lines> {
        Lines::read_as(name, input, SCRIPT_TIME)
    }

    /// The same.
    ///
    /// - `script_time`: who is waited for less than this, once there was a line, is a script.
    pub fn read_as(
        name: &str,
        input: impl BufRead + Send + 'static,
        script_time: Duration,
    ) -> io::Result<Lines> {
        let (sender, receiver) = bounded(LINES_WAITING_MAX);
        let are_abandoned = Arc::new(AtomicBool::new(false));
        let abandoned = are_abandoned.clone();
        std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let waited = send_all(input, &sender, script_time);
            abandoned.store(waited >= script_time, Ordering::Relaxed);
        })?;
        Ok(Lines { receiver, waiting: VecDeque::new(), are_abandoned })
    }

    /// The next line; nothing at the end of the input.
    pub fn next(&mut self) -> Option<String> {
        let line = self.waiting.pop_front().or_else(|| self.receiver.recv().ok());
        line.map(|line| line.text)
    }

    /// Tells whether a search should end: by one of the lines that have come in meanwhile, or since who
    /// wrote them has left.
    pub fn interrupt(&mut self, ends: impl Fn(&Line) -> bool) -> bool {
        let room = LINES_WAITING_MAX.saturating_sub(self.waiting.len());
        self.waiting.extend(self.receiver.try_iter().take(room));
        self.are_abandoned.load(Ordering::Relaxed) || self.waiting.iter().any(ends)
    }

    /// Waits until the reader has come to the end.
    #[cfg(test)]
    pub fn wait_for_end(&self) {
        while Arc::strong_count(&self.are_abandoned) > 1 {
            std::thread::yield_now();
        }
    }
}

/// Sends lines to the end of the input; returns how long all but the first, and the end, were waited for.
fn send_all(mut input: impl BufRead, sender: &Sender<Line>, script_time: Duration) -> Duration {
    let (mut bytes, mut waited) = (Vec::new(), None);
    loop {
        let asked = Instant::now();
        let found = next(&mut input, &mut bytes);
        let so_far = waited.map_or(Duration::ZERO, |waited| waited + asked.elapsed());
        waited = Some(so_far);
        // An input that cannot be read any more is an input that has ended.
        let Ok(Some(_)) = found else { return so_far };
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let line = Line { text, is_scripted: so_far < script_time };
        if !line.text.is_empty() && sender.send(line).is_err() {
            return so_far;
        }
    }
}

/// Reads up to a line's end; says whether some of it had to be left out, or nothing at the end.
pub(crate) fn next(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<Option<bool>> {
    bytes.clear();
    let mut limited = input.by_ref().take(LINE_BYTES_MAX as u64);
    if limited.read_until(b'\n', bytes)? == 0 {
        return Ok(None);
    }
    let is_cut = bytes.len() == LINE_BYTES_MAX && bytes.last() != Some(&b'\n');
    if is_cut {
        input.skip_until(b'\n')?;
    }
    Ok(Some(is_cut))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn neither_bytes_that_are_no_text_nor_a_line_that_never_ends_end_the_input() {
        let mut bytes = b"one\n\n\xff\xfetwo \r\n".to_vec();
        bytes.extend(vec![b'x'; 3 * LINE_BYTES_MAX]);
        bytes.extend(b"\nlast");
        let mut read = Lines::read("test input", Cursor::new(bytes)).expect("a thread");
        let lines: Vec<String> = std::iter::from_fn(|| read.next()).collect();
        assert_eq!(lines.len(), 4);
        assert_eq!((lines[0].as_str(), lines[1].as_str()), ("one", "\u{fffd}\u{fffd}two"));
        assert_eq!((lines[2].len(), lines[3].as_str()), (LINE_BYTES_MAX, "last"));
    }

    #[test]
    fn a_line_that_says_so_ends_a_search_and_stays_to_be_answered() {
        let bytes = &b"go\nping 1\nquit\n"[..];
        let mut lines = Lines::read_as("test input", bytes, Duration::MAX).expect("a thread");
        assert_eq!(lines.next().as_deref(), Some("go"));
        lines.wait_for_end();
        assert!(lines.interrupt(|line| line.text == "quit" && line.is_scripted));
        assert!(!lines.interrupt(|line| line.text == "quit" && !line.is_scripted));
        assert!(!lines.interrupt(|line| line.text == "go"), "it is being answered");
        assert_eq!(lines.next().as_deref(), Some("ping 1"));
        assert_eq!(lines.next().as_deref(), Some("quit"));
        assert!(!lines.interrupt(|_| true), "a script's end is no interruption");
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn who_leaves_ends_every_search_that_is_still_to_come() {
        let bytes = &b"go\ngo\n"[..];
        let mut lines = Lines::read_as("test input", bytes, Duration::ZERO).expect("a thread");
        for _ in 0..2 {
            assert_eq!(lines.next().as_deref(), Some("go"));
            lines.wait_for_end();
            assert!(lines.interrupt(|_| false));
        }
        assert_eq!(lines.next(), None);
    }
}
