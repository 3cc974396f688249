//! The conversation with KataGo's process, as a pure state machine: time is an argument, and there is no pipe.
//!
//! The process is started, asked for its version and its network, and then about positions, so many at once
//! that its batches are full. Whatever goes wrong with it ends the same way: those who wait are told, it is
//! stopped, and started again after a while that doubles.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::judged::Judged;
use crate::position::Position;
use crate::query;
use crate::reply::{self, Malformed, Reply, shorten};

/// The oldest KataGo that says what its network says by itself (`rawWinrate`), by its release.
pub const VERSION_MIN: [u32; 2] = [1, 15];

/// Positions that a process is believed to take at once, at most.
pub const BATCH_MAX: u32 = 4096;

/// Lines before the first answer that may be anything: what a wrapper prints, or a machine's greeting.
const PREFACE_LINES_MAX: u32 = 100;

/// A number for whoever asks, chosen by them: never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// Limits on how long things may take, and on how many may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the start to the first answer: a large network is loaded, an accelerator tuned for.
    pub start: Duration,
    /// From one answer to the next while positions are open; four times as long to the answer about one.
    pub silence: Duration,
    /// Before a process that failed is started again, the first time; doubled each time.
    pub back_off_min: Duration,
    /// The same at most.
    pub back_off_max: Duration,
    /// Positions that wait for their turn.
    pub waiting_max: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            start: Duration::from_secs(600),
            silence: Duration::from_secs(30),
            back_off_min: Duration::from_secs(1),
            back_off_max: Duration::from_secs(60),
            waiting_max: 1 << 14,
        }
    }
}

/// A network, as its process names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// KataGo's release.
    pub version: String,
    /// The network's name.
    pub name: String,
    /// Positions that it takes at once.
    pub batch: u32,
}

/// Reasons why a position is not judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The process is not there, or went while the position was open.
    #[error("KataGo is down: {0}")]
    Down(String),
    /// It will not judge this one: another board, other rules.
    #[error("KataGo does not judge this position: {0}")]
    Position(String),
    /// More wait than may.
    #[error("{0} positions wait for KataGo, at most that many may")]
    Full(usize),
}

/// An event of the conversation.
#[derive(Clone, Debug)]
pub enum Event {
    /// Somebody wants a position judged.
    Ask(Ticket, Box<Position>),
    /// Nobody waits for this one any more.
    Forget(Ticket),
    /// The process said something.
    Line(String),
    /// The process is gone, or never came; why.
    Ended(String),
    /// Time passed.
    Tick,
}

/// An action to be taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Start the process.
    Start,
    /// Write a line to it.
    Write(String),
    /// Stop it, if it is there, and hear no more of it.
    Stop,
    /// Answer who asked.
    Answer(Ticket, Result<Judged, Refusal>),
    /// Something that people, or a cluster, should know.
    Notice(Notice),
}

/// News of the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// It judges from now on.
    Ready(Model),
    /// It does not.
    Down {
        /// In words.
        why: String,
        /// It is started again after so long.
        again_in: Duration,
    },
}

#[derive(Debug)]
enum State {
    /// No process until then.
    Resting { until: Duration, why: String },
    /// The process has yet to say who it is.
    Starting { since: Duration, preface: u32, version: Option<String> },
    /// It judges.
    Working { since: Duration },
}

/// A position that the process was asked about.
#[derive(Debug)]
struct Open {
    ticket: Ticket,
    /// When it was asked about.
    since: Duration,
    area: usize,
    /// Somebody still waits for it.
    wanted: bool,
    /// Reason why the answer will not do.
    altered: Option<String>,
}

/// See the module.
#[derive(Debug)]
pub struct Conversation {
    limits: Limits,
    state: State,
    waiting: VecDeque<(Ticket, Box<Position>)>,
    /// By the number that the process knows it by.
    open: BTreeMap<u64, Open>,
    open_max: usize,
    last_number: u64,
    /// When an answer last came, or the first position was opened.
    heard: Duration,
    back_off: Duration,
    actions: Vec<Action>,
}

impl Conversation {
    /// One whose process is started at the first tick.
    pub fn new(limits: Limits) -> Conversation {
        let state =
            State::Resting { until: Duration::ZERO, why: "it is not started yet".to_owned() };
        Conversation {
            limits,
            state,
            waiting: VecDeque::new(),
            open: BTreeMap::new(),
            open_max: 2,
            last_number: 0,
            heard: Duration::ZERO,
            back_off: limits.back_off_min,
            actions: Vec::new(),
        }
    }

    /// Takes one event at `now` (since any fixed moment) and says what to do, in order.
    pub fn handle(&mut self, now: Duration, event: Event) -> Vec<Action> {
        match event {
            Event::Ask(ticket, position) => self.ask(ticket, position),
            Event::Forget(ticket) => self.forget(ticket),
            Event::Line(line) => self.hear(now, &line),
            Event::Ended(why) => self.fail(now, why),
            Event::Tick => self.tick(now),
        }
        self.open_more(now);
        std::mem::take(&mut self.actions)
    }

    fn ask(&mut self, ticket: Ticket, position: Box<Position>) {
        let refused = match &self.state {
            State::Resting { why, .. } => Refusal::Down(why.clone()),
            _ if self.waiting.len() >= self.limits.waiting_max => Refusal::Full(self.waiting.len()),
            _ => return self.waiting.push_back((ticket, position)),
        };
        self.actions.push(Action::Answer(ticket, Err(refused)));
    }

    fn forget(&mut self, ticket: Ticket) {
        self.waiting.retain(|&(waiting, _)| waiting != ticket);
        self.open
            .values_mut()
            .filter(|open| open.ticket == ticket)
            .for_each(|open| open.wanted = false);
    }

    fn tick(&mut self, now: Duration) {
        let Limits { start, .. } = self.limits;
        match &self.state {
            State::Resting { until, .. } if now >= *until => self.start(now),
            State::Starting { since, .. } if now.saturating_sub(*since) > start => {
                self.fail(
                    now,
                    format!("it has not said who it is within {} s", start.as_secs_f32()),
                );
            }
            State::Working { .. } => {
                if let Some(why) = self.silence(now) {
                    self.fail(now, why);
                }
            }
            _ => {}
        }
    }

    /// In words that nothing came while positions are open, or answers about others alone.
    fn silence(&self, now: Duration) -> Option<String> {
        let oldest = self.open.values().next()?;
        let silence = self.limits.silence;
        // Two batches are open at most, the second as long again as the first.
        let lost = 4 * silence;
        if now.saturating_sub(self.heard) > silence {
            return Some(format!("it has answered nothing for {} s", silence.as_secs_f32()));
        }
        let is_lost = now.saturating_sub(oldest.since) > lost;
        let words = || {
            let seconds = lost.as_secs_f32();
            format!("it has answered others and not one position for {seconds} s")
        };
        is_lost.then(words)
    }

    fn start(&mut self, now: Duration) {
        self.state = State::Starting { since: now, preface: 0, version: None };
        self.actions.extend([Action::Start, Action::Write(query::version())]);
    }

    fn hear(&mut self, now: Duration, line: &str) {
        let area = |number| self.open.get(&number).map(|open| open.area);
        let reply = reply::read(line, area);
        match &mut self.state {
            State::Resting { .. } => {}
            State::Starting { preface, .. } if reply.is_err() && *preface < PREFACE_LINES_MAX => {
                *preface += 1;
            }
            _ => match reply {
                Ok(reply) => self.take(now, reply),
                Err(rubbish) => self.fail(now, rubbish.to_string()),
            },
        }
    }

    fn take(&mut self, now: Duration, reply: Reply) {
        match reply {
            Reply::Version(version) => self.take_version(now, version),
            Reply::Model { name, batch } => self.take_model(now, name, batch),
            Reply::Judged(number, judged) => self.take_judged(now, number, judged),
            Reply::Refused(Some(number), words) if self.open.contains_key(&number) => {
                self.close(now, number, Err(Refusal::Position(words)));
            }
            // It did not understand a line of ours: it may understand no other either.
            Reply::Refused(_, words) => self.fail(now, format!("it said: {words}")),
            Reply::Altered(number, words) => {
                if let Some(open) =
                    self.open.get_mut(&number).filter(|_| words.starts_with("rules"))
                {
                    open.altered = Some(words);
                }
            }
            Reply::Other => {}
        }
    }

    fn take_version(&mut self, now: Duration, found: String) {
        if is_new_enough(&found) {
            if let State::Starting { version, .. } = &mut self.state {
                *version = Some(found);
                self.actions.push(Action::Write(query::models()));
            }
            return;
        }
        let [major, minor] = VERSION_MIN;
        self.fail(now, format!("it is version {found}, expected {major}.{minor} or later"));
    }

    fn take_model(&mut self, now: Duration, name: String, batch: u32) {
        let State::Starting { version: Some(version), .. } = &mut self.state else { return };
        let version = std::mem::take(version);
        self.state = State::Working { since: now };
        // A full batch is judged while the next one waits.
        self.open_max = 2 * batch.clamp(1, BATCH_MAX) as usize;
        self.actions.push(Action::Notice(Notice::Ready(Model { version, name, batch })));
    }

    fn take_judged(&mut self, now: Duration, number: u64, judged: Result<Judged, Malformed>) {
        let altered = self.open.get_mut(&number).and_then(|open| open.altered.take());
        match (judged, altered) {
            (_, Some(words)) => self.close(now, number, Err(Refusal::Position(words))),
            (Ok(judged), None) => self.close(now, number, Ok(judged)),
            (Err(malformed), None) => self.fail(now, malformed.to_string()),
        }
    }

    fn close(&mut self, now: Duration, number: u64, answer: Result<Judged, Refusal>) {
        self.heard = now;
        if let Some(Open { ticket, wanted: true, .. }) = self.open.remove(&number) {
            self.actions.push(Action::Answer(ticket, answer));
        }
    }

    /// Asks about as many positions as the process takes at once.
    fn open_more(&mut self, now: Duration) {
        if !matches!(self.state, State::Working { .. }) {
            return;
        }
        while self.open.len() < self.open_max
            && let Some((ticket, position)) = self.waiting.pop_front()
        {
            if self.open.is_empty() {
                self.heard = now;
            }
            self.last_number += 1;
            let area = position.size().area();
            self.actions.push(Action::Write(query::analyse(self.last_number, &position)));
            self.open.insert(
                self.last_number,
                Open { ticket, since: now, area, wanted: true, altered: None },
            );
        }
    }

    /// The process is of no use any more: everybody is told, and it is started again later.
    fn fail(&mut self, now: Duration, why: String) {
        if let State::Resting { .. } = self.state {
            return;
        }
        let why = shorten(&why);
        if matches!(self.state, State::Working { since } if now.saturating_sub(since) > self.limits.back_off_max)
        {
            self.back_off = self.limits.back_off_min;
        }
        let again_in = self.back_off;
        self.back_off = (2 * self.back_off).min(self.limits.back_off_max);
        self.state = State::Resting { until: now + again_in, why: why.clone() };
        self.actions.push(Action::Stop);
        // Before those who wait are told: who passes on that it is down must not pass on more.
        self.actions.push(Action::Notice(Notice::Down { why: why.clone(), again_in }));
        let open = std::mem::take(&mut self.open).into_values();
        let open = open.filter(|open| open.wanted).map(|open| open.ticket);
        let waiting = std::mem::take(&mut self.waiting).into_iter().map(|(ticket, _)| ticket);
        let refused = |ticket| Action::Answer(ticket, Err(Refusal::Down(why.clone())));
        self.actions.extend(open.chain(waiting).map(refused));
    }
}

/// Tells whether a release such as `1.15.3` is not before [`VERSION_MIN`].
fn is_new_enough(version: &str) -> bool {
    let mut parts = version.split(['.', '-', '+']).map(|part| part.parse::<u32>());
    let (Some(Ok(major)), Some(Ok(minor))) = (parts.next(), parts.next()) else { return false };
    [major, minor] >= VERSION_MIN
}

#[cfg(test)]
mod tests;
