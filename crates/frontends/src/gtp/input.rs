//! Bytes to lines, on a thread that goes on reading while a move is searched.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::lines::{self, SCRIPT_TIME};

/// Lines read ahead of the one being answered. A controller waits for its answers, so that more than
/// a few are only there when a whole file is fed in; the reader then waits.
const LINES_WAITING_MAX: usize = 256;

/// One command as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Counted from 1, comments and empty lines with the others.
    pub number: u64,
    /// To be repeated in the answer.
    pub id: Option<String>,
    /// The command's name; empty when there is only an id.
    pub command: String,
    /// All that follows it, without spaces around.
    pub rest: String,
    /// The line was longer than [`lines::LINE_BYTES_MAX`] and is not all here.
    pub is_cut: bool,
}

/// Calls of the reader to whoever is searching a move.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// The number of the last line that asked to stop: `stop`, or the comment `# interrupt`. Only
    /// the reader writes.
    stop: AtomicU64,
    /// The controller is leaving: `quit` or the end of the input was read, and nothing else waits to
    /// be answered. Only the reader writes.
    leaving: AtomicBool,
    /// The same, whatever waits to be answered. Only the reader writes.
    gone: AtomicBool,
    /// The number of the last line that was read, comments and empty lines with the others; the end of
    /// the input counts as one. Only the reader writes.
    heard: AtomicU64,
}

impl Calls {
    /// Listens for calls that concern the search of `line`.
    pub fn listen(self: &Arc<Calls>, line: u64) -> Listener {
        Listener { calls: self.clone(), line, began: None, is_script: false }
    }
}

/// Tells whether a search should end early.
#[derive(Debug)]
pub(super) struct Listener {
    calls: Arc<Calls>,
    line: u64,
    /// When this was first asked, and whether the controller was leaving then.
    began: Option<(Instant, bool)>,
    /// The input ended as the search began: a script, which wants its answers.
    is_script: bool,
}

impl Listener {
    /// Tells whether anything was said after the line, or nothing more will be.
    pub fn is_spoken_to(&self) -> bool {
        self.calls.heard.load(Ordering::Relaxed) > self.line
    }

    /// Tells whether a later line asked to stop, or the controller has left since the first question.
    pub fn wants_stop(&mut self) -> bool {
        self.wants_stop_at(Instant::now())
    }

    fn wants_stop_at(&mut self, now: Instant) -> bool {
        let [left, gone] =
            [&self.calls.leaving, &self.calls.gone].map(|it| it.load(Ordering::Relaxed));
        let (began, was_leaving) = *self.began.get_or_insert((now, left));
        self.is_script |= gone && now.saturating_duration_since(began) < SCRIPT_TIME;
        let is_left = left && !was_leaving || gone && !self.is_script;
        self.calls.stop.load(Ordering::Relaxed) > self.line || is_left
    }
}

/// Starts the thread. The channel closes at the end of the input.
pub(super) fn read(
    input: impl BufRead + Send + 'static,
) -> io::Result<(Receiver<Line>, Arc<Calls>)> {
    let (sender, lines) = bounded(LINES_WAITING_MAX);
    let calls = Arc::new(Calls::default());
    let reader = Reader { input, sender, calls: calls.clone(), number: 0 };
    std::thread::Builder::new().name("gtp input".to_owned()).spawn(|| reader.run())?;
    Ok((lines, calls))
}

struct Reader<R> {
    input: R,
    sender: Sender<Line>,
    calls: Arc<Calls>,
    number: u64,
}

impl<R: BufRead> Reader<R> {
    fn run(mut self) {
        let mut bytes = Vec::new();
        // An input that cannot be read any more is an input that has ended.
        while let Ok(Some(is_cut)) = lines::next(&mut self.input, &mut bytes) {
            self.number += 1;
            self.calls.heard.store(self.number, Ordering::Relaxed);
            let (text, comment) = clean(&bytes);
            let line = Line::parse(self.number, &text, is_cut);
            let asks_to_stop =
                line.as_ref().map_or(comment == "interrupt", |l| l.command == "stop");
            if asks_to_stop {
                self.calls.stop.store(self.number, Ordering::Relaxed);
            }
            let Some(line) = line else { continue };
            if line.command == "quit" {
                self.leave();
            }
            if self.sender.send(line).is_err() {
                return;
            }
        }
        self.calls.heard.store(self.number + 1, Ordering::Relaxed);
        self.leave();
    }

    fn leave(&self) {
        self.calls.gone.store(true, Ordering::Relaxed);
        if self.sender.is_empty() {
            self.calls.leaving.store(true, Ordering::Relaxed);
        }
    }
}

/// The text and the comment of a line: tabs are spaces, other control characters are nothing.
fn clean(bytes: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(bytes).replace('\t', " ");
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    let (text, comment) = plain.split_once('#').unwrap_or((&plain, ""));
    (text.trim().to_owned(), comment.trim().to_owned())
}

impl Line {
    /// Nothing for an empty line.
    fn parse(number: u64, text: &str, is_cut: bool) -> Option<Line> {
        let (first, rest) = word(text);
        let is_id = !first.is_empty() && first.bytes().all(|b| b.is_ascii_digit());
        let (id, (command, rest)) =
            if is_id { (Some(first.to_owned()), word(rest)) } else { (None, (first, rest)) };
        if id.is_none() && command.is_empty() {
            return None;
        }
        Some(Line { number, id, command: command.to_owned(), rest: rest.to_owned(), is_cut })
    }
}

/// The first word and what follows it.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word, rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &'static [u8]) -> Vec<Line> {
        read(bytes).expect("a thread").0.into_iter().collect()
    }

    fn parsed(bytes: &[u8]) -> Option<(Option<String>, String, String)> {
        let line = Line::parse(1, &clean(bytes).0, false)?;
        Some((line.id, line.command, line.rest))
    }

    fn of(id: Option<&str>, command: &str, rest: &str) -> Option<(Option<String>, String, String)> {
        Some((id.map(str::to_owned), command.to_owned(), rest.to_owned()))
    }

    #[test]
    fn a_line_is_an_id_a_command_and_the_rest() {
        assert_eq!(parsed(b"play b D4\n"), of(None, "play", "b D4"));
        assert_eq!(parsed(b"007 play  b   D4 \r\n"), of(Some("007"), "play", "b   D4"));
        assert_eq!(parsed(b"\tname\t\n"), of(None, "name", ""));
        assert_eq!(parsed(b"na\x07me \x00x\x7f\n"), of(None, "name", "x"));
        assert_eq!(parsed(b"12\n"), of(Some("12"), "", ""));
    }

    #[test]
    fn comments_and_empty_lines_are_nothing() {
        assert_eq!(parsed(b"name # what is it\n"), of(None, "name", ""));
        for nothing in [&b"\n"[..], b"\r\n", b"  \t \n", b"# interrupt\n", b"   # 1 name\n", b""] {
            assert_eq!(parsed(nothing), None);
        }
    }

    #[test]
    fn lines_are_counted_with_those_that_say_nothing() {
        let numbers: Vec<u64> =
            lines(b"name\n\n# hello\nversion\nquit").iter().map(|line| line.number).collect();
        assert_eq!(numbers, [1, 4, 5]);
    }

    #[test]
    fn a_line_that_never_ends_is_cut_and_the_next_is_read() {
        let mut bytes = vec![b'x'; 3 * lines::LINE_BYTES_MAX];
        bytes.extend(b"\nname\n");
        let lines = lines(bytes.leak());
        assert_eq!(lines.len(), 2);
        assert!(lines[0].is_cut);
        assert_eq!((lines[1].command.as_str(), lines[1].is_cut), ("name", false));
    }

    #[test]
    fn a_request_to_stop_counts_for_the_lines_before_it() {
        let (lines, calls) = read(&b"genmove b\nstop\ngenmove w\n# interrupt\nname\n"[..]).unwrap();
        assert_eq!(lines.into_iter().count(), 4);
        assert!(calls.listen(3).wants_stop());
        assert!(!calls.listen(4).wants_stop());
    }

    #[test]
    fn any_line_speaks_to_who_listens_and_so_does_the_end() {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let (lines, calls) = read(io::BufReader::new(reader)).expect("a thread");
        io::Write::write_all(&mut writer, b"lz-analyze b\n").expect("room");
        assert_eq!(lines.recv().expect("a line").number, 1);
        let listener = calls.listen(1);
        assert!(!listener.is_spoken_to());
        io::Write::write_all(&mut writer, b"\nname\n").expect("room");
        assert_eq!(lines.recv().expect("a line").number, 3);
        assert!(listener.is_spoken_to());
        let listener = calls.listen(3);
        assert!(!listener.is_spoken_to());
        drop(writer);
        assert!(lines.recv().is_err());
        assert!(listener.is_spoken_to());
    }

    #[test]
    fn a_controller_that_leaves_stops_the_search_and_a_script_that_ends_does_not() {
        let calls = Arc::new(Calls::default());
        let mut played = calls.listen(1);
        assert!(!played.wants_stop());
        calls.leaving.store(true, Ordering::Relaxed);
        assert!(played.wants_stop());
        let mut scripted = calls.listen(1);
        assert!(!scripted.wants_stop());
        assert!(!scripted.wants_stop());
    }

    #[test]
    fn a_command_before_the_end_does_not_keep_a_search_running() {
        let calls = Arc::new(Calls::default());
        let now = Instant::now();
        let [mut played, mut scripted] = [calls.listen(1), calls.listen(1)];
        assert!(!played.wants_stop_at(now));
        // `name` waits to be answered, and then comes the end of the input.
        calls.gone.store(true, Ordering::Relaxed);
        assert!(played.wants_stop_at(now + SCRIPT_TIME));
        assert!(!scripted.wants_stop_at(now));
        assert!(!scripted.wants_stop_at(now + 100 * SCRIPT_TIME), "it wants its answers");
    }
}
