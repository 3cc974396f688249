//! KataGo's process and its three pipes, each with a thread of its own.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::command_line::CommandLine;
use crate::reply::{LINE_BYTES_MAX, shorten};

/// Lines that wait to be read or written: batches of both sides. Who does not read holds the other back.
const LINES_WAITING_MAX: usize = 1 << 13;

/// For the last of its errors to be read once it has ended.
const LAST_WORDS_TIME: Duration = Duration::from_millis(500);

/// Lines of its errors that are kept, for people: the last ones say why it ended.
const LAST_WORDS: usize = 3;

/// A process that runs until this is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    to: Sender<String>,
    from: Receiver<String>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    /// Ends when its errors have been read to their end.
    errors_read: Receiver<()>,
}

impl Process {
    /// Starts it.
    ///
    /// # Errors
    /// The system's reason, with the program.
    pub(crate) fn start(command: &CommandLine) -> Result<Process, String> {
        let CommandLine { program, arguments } = command;
        let cannot = |error| format!("cannot start {program}: {error}");
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C in a terminal is for us alone; and who wraps it is stopped with it.
            .process_group(0)
            .spawn()
            .map_err(cannot)?;
        let (to, lines) = bounded(LINES_WAITING_MAX);
        let (heard, from) = bounded(LINES_WAITING_MAX);
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let (reading, errors_read) = bounded(0);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            let kept = last_words.clone();
            let spawn = |name: &str, run: Box<dyn FnOnce() + Send>| {
                thread::Builder::new().name(name.to_owned()).spawn(run).map_err(cannot)
            };
            let threads = spawn("katago in", Box::new(move || write_lines(stdin, &lines)))
                .and_then(|_| spawn("katago out", Box::new(move || read_lines(stdout, &heard))))
                .and_then(|_| {
                    spawn("katago err", Box::new(move || keep_last(stderr, &kept, reading)))
                });
            if let Err(why) = threads {
                let _ = child.kill();
                return Err(why);
            }
        }
        Ok(Process { child, to, from, last_words, errors_read })
    }

    /// Its lines; at its end they end, and [`Process::ending`] says why.
    pub(crate) fn lines(&self) -> &Receiver<String> {
        &self.from
    }

    /// Writes a line to it, soon. One that takes no more is found by its silence.
    pub(crate) fn write(&self, line: String) {
        let _ = self.to.try_send(line);
    }

    /// Says why it ended, for people. Ends it where it only closed its pipe.
    pub(crate) fn ending(&mut self) -> String {
        let status = match self.child.try_wait() {
            Ok(Some(status)) => status,
            _ => match self.end() {
                Some(status) => status,
                None => return "it closed its output".to_owned(),
            },
        };
        // Nothing is sent: it ends, unless somebody else keeps the pipe open.
        let _ = self.errors_read.recv_timeout(LAST_WORDS_TIME);
        let last_words = self.last_words.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let ending = words_of(status);
        match last_words.iter().map(String::as_str).collect::<Vec<_>>().join(" / ") {
            nothing if nothing.is_empty() => ending,
            words => format!("{ending}; its last words: {words}"),
        }
    }

    /// Stops it and whoever it started, and waits for it.
    fn end(&mut self) -> Option<ExitStatus> {
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn words_of(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with exit status {code}"),
        (None, Some(signal)) => format!("it was ended by signal {signal}"),
        (None, None) => "it ended".to_owned(),
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        // Lines that came meanwhile go with it.
        let more = lines.try_iter().take(64);
        let text: String =
            std::iter::once(line).chain(more).flat_map(|line| [line, "\n".to_owned()]).collect();
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, heard: &Sender<String>) {
    let mut stdout = BufReader::new(stdout);
    while let Some(line) = read_line(&mut stdout) {
        if heard.send(line).is_err() {
            return;
        }
    }
}

/// The next line, whatever its bytes; nothing at the end, or where a line has none.
fn read_line(stdout: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = stdout.take(LINE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line).ok()?;
    if read == 0 || line.len() > LINE_BYTES_MAX {
        return None;
    }
    Some(String::from_utf8_lossy(&line).trim_end().to_owned())
}

fn keep_last(stderr: ChildStderr, kept: &Mutex<VecDeque<String>>, _reading: Sender<()>) {
    let mut stderr = BufReader::new(stderr);
    while let Some(line) = read_line(&mut stderr) {
        let words = shorten(line.trim());
        if words.is_empty() {
            continue;
        }
        let mut kept = kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        kept.push_back(words);
        if kept.len() > LAST_WORDS {
            kept.pop_front();
        }
    }
}
