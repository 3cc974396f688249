//! Lines of the manager, while a move is searched or not.

use std::collections::VecDeque;

use crossbeam_channel::Receiver;

/// The manager's lines; empty ones are left out.
pub(super) struct Manager {
    receiver: Receiver<String>,
    /// Lines that came in while a move was searched.
    waiting: VecDeque<String>,
}

impl Manager {
    /// Reads what comes from `receiver`.
    pub fn new(receiver: Receiver<String>) -> Manager {
        Manager { receiver, waiting: VecDeque::new() }
    }

    /// The next line; nothing at the end of the input.
    pub fn next(&mut self) -> Option<String> {
        loop {
            let line = self.waiting.pop_front().or_else(|| self.receiver.recv().ok())?;
            if !line.trim().is_empty() {
                return Some(line.trim().to_owned());
            }
        }
    }

    /// Tells whether one of the lines that have come in meanwhile ends the thinking.
    pub fn ends_thinking(&mut self) -> bool {
        self.waiting.extend(self.receiver.try_iter());
        let ends = |line: &String| ["END", "YXSTOP"].contains(&line.trim().to_uppercase().as_str());
        self.waiting.iter().any(ends)
    }
}
