//! A GTP front end as a process of its own, asked by lines and never waited for without a bound.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};

use banyan_lab::processes::{PATIENCE, Process};

/// `banyan gtp` with its pipes.
pub struct FrontEnd {
    /// The process.
    pub process: Process,
    input: ChildStdin,
    /// Answers without their empty line.
    answers: Receiver<String>,
}

impl FrontEnd {
    /// Starts one with these options.
    pub fn start(args: &[&str]) -> FrontEnd {
        let args = [&["gtp"], args].concat();
        let mut process = Process::start("banyan", &args, |command| {
            command.stdin(Stdio::piped());
        });
        let input = process.child().stdin.take().expect("piped");
        let output = process.child().stdout.take().expect("piped");
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let mut answer = String::new();
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if !line.is_empty() {
                    answer.push_str(&line);
                    continue;
                }
                if sender.send(std::mem::take(&mut answer)).is_err() {
                    return;
                }
            }
        });
        FrontEnd { process, input, answers }
    }

    /// Sends a command, whose answer is not waited for.
    pub fn say(&mut self, command: &str) {
        writeln!(self.input, "{command}").expect("it reads");
    }

    /// The answer to what was said first and not answered yet.
    pub fn answer(&mut self) -> String {
        let answer = self.answers.recv_timeout(PATIENCE);
        answer.unwrap_or_else(|_| panic!("no answer: {:#?}", self.process.log()))
    }

    /// The text after the `=` of a command's answer.
    pub fn ask(&mut self, command: &str) -> String {
        self.say(command);
        let answer = self.answer();
        let text = answer.strip_prefix('=');
        text.unwrap_or_else(|| panic!("{command}: {answer}")).trim().to_owned()
    }
}
