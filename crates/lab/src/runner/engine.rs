//! One GTP engine: a process of its own, asked one command at a time, never waited for without end.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::words;

/// Time that an engine may take to end after `quit`, before it is killed.
const QUIT_GRACE: Duration = Duration::from_secs(5);
/// Interval at which a process that is asked to end is looked at.
const POLL: Duration = Duration::from_millis(5);
/// Lines of an engine that wait to be read; beyond this the engine blocks, not the runner.
const LINES_MAX: usize = 1024;
/// The longest line that is read whole, in bytes; a rest counts as another line.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Reasons why an engine gave no good answer. All but `Refused` end the engine's use.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It cannot be started.
    #[error("cannot start '{command}': {reason}")]
    Start {
        /// Its command line.
        command: String,
        /// The system's reason.
        reason: String,
    },
    /// It answered with `?`.
    #[error("'{command}' was refused: {message}")]
    Refused {
        /// The command it was asked.
        command: String,
        /// The text it said.
        message: String,
    },
    /// Its process is gone.
    #[error("died at '{command}' ({status}){last_words}")]
    Died {
        /// The command it was asked.
        command: String,
        /// Exit code or signal.
        status: String,
        /// The last line of its standard error, after a colon, if there was one.
        last_words: String,
    },
    /// No answer within the bound.
    #[error("no answer to '{command}' within {seconds:.1} s")]
    Hung {
        /// The command it was asked.
        command: String,
        /// The bound.
        seconds: f64,
    },
}

/// A running engine. Dropped without [`Engine::quit`] it is killed.
#[derive(Debug)]
pub struct Engine {
    child: Child,
    /// `None` once closed.
    input: Option<ChildStdin>,
    /// Lines of standard output, without their ends; closed when the engine closes it.
    lines: Receiver<String>,
    /// The last line of standard error that holds anything. Written by its reader thread alone.
    last_words: Arc<Mutex<String>>,
    /// Answers still belong to the commands that were sent.
    sound: bool,
    /// Reads standard error to its end.
    errors_reader: Option<thread::JoinHandle<()>>,
}

impl Engine {
    /// Starts an engine by its command line, without a shell.
    ///
    /// # Errors
    /// [`EngineError::Start`].
    pub fn start(command: &str) -> Result<Engine, EngineError> {
        let refuse = |reason: String| EngineError::Start { command: command.to_owned(), reason };
        let words = words::split(command).map_err(|error| refuse(error.to_string()))?;
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| refuse(error.to_string()))?;
        let (sender, lines) = sync_channel(LINES_MAX);
        let last_words = Arc::new(Mutex::new(String::new()));
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || each_line(output, |line| forward(&sender, line)));
        }
        let errors_reader = child.stderr.take().map(|errors| {
            let last = Arc::clone(&last_words);
            thread::spawn(move || each_line(errors, |line| remember(&last, line)))
        });
        let input = child.stdin.take();
        Ok(Engine { child, input, lines, last_words, errors_reader, sound: true })
    }

    /// Sends one command and returns the text of its answer.
    ///
    /// # Errors
    /// [`EngineError`]; after [`EngineError::Hung`] the engine's next answer would be to the wrong
    /// command, so it must not be asked again.
    pub fn ask(&mut self, command: &str, bound: Duration) -> Result<String, EngineError> {
        let deadline = Instant::now() + bound;
        let sent = self.input.as_mut().map(|input| writeln!(input, "{command}"));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.died(command));
        }
        let mut answer: Option<String> = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match (self.lines.recv_timeout(left), &mut answer) {
                (Ok(line), None) if line.starts_with(['=', '?']) => answer = Some(line),
                // Stray text before an answer: a banner, or what a library prints.
                (Ok(_), None) => {}
                (Ok(line), Some(text)) if line.is_empty() => return parse(command, text),
                (Ok(line), Some(text)) => {
                    text.push('\n');
                    text.push_str(&line);
                }
                (Err(RecvTimeoutError::Timeout), _) => {
                    self.sound = false;
                    let (command, seconds) = (command.to_owned(), bound.as_secs_f64());
                    return Err(EngineError::Hung { command, seconds });
                }
                (Err(RecvTimeoutError::Disconnected), _) => return Err(self.died(command)),
            }
        }
    }

    /// Its process' id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Tells whether the engine may be asked more: it neither died nor left a command unanswered.
    pub fn is_sound(&self) -> bool {
        self.sound
    }

    /// Asks the engine to end, waits a little, then kills it, and it alone. One that is not sound
    /// is killed at once.
    pub fn quit(mut self) {
        if !self.sound {
            return;
        }
        if let Some(mut input) = self.input.take() {
            // A failure means that it is gone already.
            let _ = writeln!(input, "quit");
        }
        self.wait(QUIT_GRACE);
    }

    fn wait(&mut self, bound: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + bound;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
                _ => return None,
            }
        }
    }

    fn died(&mut self, command: &str) -> EngineError {
        self.sound = false;
        let status = self.wait(Duration::from_secs(1));
        let status = status.map_or("closed its output".to_owned(), |status| status.to_string());
        self.wait_for_last_words();
        let last = self.last_words.lock().map(|words| words.clone()).unwrap_or_default();
        let last_words = if last.is_empty() { last } else { format!(": {last}") };
        EngineError::Died { command: command.to_owned(), status, last_words }
    }
}

impl Engine {
    /// Waits for the last words of the engine, which may still be on their way here. A child of its own that
    /// lives on keeps the stream open, so that this is bounded.
    fn wait_for_last_words(&self) {
        let deadline = Instant::now() + QUIT_GRACE;
        let done = || self.errors_reader.as_ref().is_none_or(thread::JoinHandle::is_finished);
        while !done() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Kills nothing where the process has been waited for: its id is not used again.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `=12 text` or `?12 text`; the id is not looked at, as none was sent.
fn parse(command: &str, answer: &str) -> Result<String, EngineError> {
    let text = answer[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned();
    if answer.starts_with('=') {
        return Ok(text);
    }
    Err(EngineError::Refused { command: command.to_owned(), message: text })
}

/// Calls `each` with every line until the stream ends or `each` says no.
fn each_line(stream: impl Read, mut each: impl FnMut(String) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut stream).take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if !each(line) {
            return;
        }
    }
}

fn forward(lines: &SyncSender<String>, line: String) -> bool {
    lines.send(line).is_ok()
}

fn remember(last: &Mutex<String>, line: String) -> bool {
    if !line.is_empty()
        && let Ok(mut last) = last.lock()
    {
        *last = line.chars().take(200).collect();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(10);

    fn shell(script: &str) -> Engine {
        Engine::start(&format!("sh -c '{script}'")).expect("sh")
    }

    #[test]
    fn an_answer_of_several_lines_is_read_whole() {
        let mut engine = shell(r#"read a; echo banner; printf "=7 one\ntwo\n\n"; read b"#);
        assert_eq!(engine.ask("showboard", SOON).expect("answer"), "one\ntwo");
        engine.quit();
    }

    #[test]
    fn a_refusal_keeps_its_message() {
        let mut engine = shell(r#"read a; printf "? illegal move\n\n"; read b"#);
        let error = engine.ask("play b A1", SOON).expect_err("refused").to_string();
        assert_eq!(error, "'play b A1' was refused: illegal move");
    }

    #[test]
    fn a_death_is_told_with_its_status_and_last_words() {
        let mut engine = shell("read a; echo out of luck >&2; exit 3");
        let error = engine.ask("genmove b", SOON).expect_err("dead").to_string();
        assert_eq!(error, "died at 'genmove b' (exit status: 3): out of luck");
    }

    #[test]
    fn a_silent_engine_is_given_up_at_the_bound() {
        let mut engine = shell("exec sleep 100");
        let error = engine.ask("name", Duration::from_millis(50)).expect_err("hung").to_string();
        assert_eq!(error, "no answer to 'name' within 0.1 s");
    }

    #[test]
    fn what_cannot_be_started_is_named() {
        let error = Engine::start("/no/such/engine --gtp").expect_err("missing").to_string();
        assert!(error.starts_with("cannot start '/no/such/engine --gtp': No such file"), "{error}");
    }
}
