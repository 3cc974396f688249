//! Lines of the manager, while a move is searched or not.

use crate::lines::Lines;

/// The manager's lines.
pub(super) struct Manager {
    lines: Lines,
}

impl Manager {
    /// A manager that says `lines`.
    pub fn new(lines: Lines) -> Manager {
        Manager { lines }
    }

    /// The next line; nothing at the end of the input.
    pub fn next(&mut self) -> Option<String> {
        self.lines.next()
    }

    /// Tells whether the manager has left, or one of the lines that have come in meanwhile ends the
    /// thinking.
    pub fn ends_thinking(&mut self) -> bool {
        self.lines.interrupt(|line| ["END", "YXSTOP"].contains(&line.text.to_uppercase().as_str()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_manager_s_words_and_its_end_are_the_end_of_thinking() {
        for (said, script_time, ends) in [
            ("INFO time_left 1\nend\n", Duration::MAX, true),
            ("YXSTOP\n", Duration::MAX, true),
            ("TURN 1,1\n", Duration::MAX, false),
            ("TURN 1,1\n", Duration::ZERO, true),
        ] {
            let lines = Lines::read_as("test input", said.as_bytes(), script_time);
            let mut manager = Manager::new(lines.expect("a thread"));
            manager.lines.wait_for_end();
            assert_eq!(manager.ends_thinking(), ends, "{said}");
        }
    }
}
