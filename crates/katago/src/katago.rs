//! The handle: positions in, judgements out, whatever becomes of the process meanwhile.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, never, select, unbounded};

use crate::command_line::CommandLine;
use crate::conversation::{Action, Conversation, Event, Limits, Notice, Refusal, Ticket};
use crate::judged::Judged;
use crate::position::Position;
use crate::process::Process;

/// Between two looks at the clock: short against all [`Limits`].
const TICK: Duration = Duration::from_millis(50);

/// Called with the answer to one position, on the thread that reads KataGo's lines: soon done.
pub type Answered = Box<dyn FnOnce(Result<Judged, Refusal>) + Send>;

/// A process of KataGo that is there for as long as this is, or until it is stopped; started again whenever it fails.
pub struct KataGo {
    orders: Option<Sender<Order>>,
    last: AtomicU64,
    thread: Option<JoinHandle<()>>,
}

enum Order {
    Ask(Ticket, Box<Position>, Answered),
    Forget(Ticket),
    /// Ends the process; the sender is dropped once it is gone.
    Stop(Sender<()>),
}

impl fmt::Debug for KataGo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KataGo").finish_non_exhaustive()
    }
}

impl KataGo {
    /// Starts the process; `news` is called when it is ready and when it is down.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give. A process that cannot be started is
    /// news.
    pub fn start(
        command: CommandLine,
        limits: Limits,
        news: impl Fn(Notice) + Send + 'static,
    ) -> std::io::Result<KataGo> {
        // Unbounded in itself: what waits is bounded by `Limits::waiting_max`.
        let (orders, queue) = unbounded();
        let driver = Driver {
            command,
            conversation: Conversation::new(limits),
            begun: Instant::now(),
            process: None,
            answers: HashMap::new(),
            news: Box::new(news),
        };
        let thread = std::thread::Builder::new().name("katago".to_owned());
        let thread = thread.spawn(move || driver.run(&queue))?;
        Ok(KataGo { orders: Some(orders), last: AtomicU64::new(0), thread: Some(thread) })
    }

    /// Has a position judged; `answered` is called once, unless the ticket is forgotten or the process is stopped.
    pub fn ask(&self, position: Position, answered: Answered) -> Ticket {
        let ticket = Ticket(self.last.fetch_add(1, Ordering::Relaxed));
        self.order(Order::Ask(ticket, Box::new(position), answered));
        ticket
    }

    /// Nobody waits for this one any more.
    pub fn forget(&self, ticket: Ticket) {
        self.order(Order::Forget(ticket));
    }

    /// Has positions judged and waits for it; one answer each, in their order.
    pub fn judge(&self, positions: Vec<Position>) -> Vec<Result<Judged, Refusal>> {
        let (answer, answers) = unbounded();
        let count = positions.len();
        for (place, position) in positions.into_iter().enumerate() {
            let answer = answer.clone();
            // Who waits is there.
            self.ask(position, Box::new(move |judged| drop(answer.send((place, judged)))));
        }
        drop(answer);
        let stopped = || Err(Refusal::Down("it is being stopped".to_owned()));
        let mut judged: Vec<_> = (0..count).map(|_| stopped()).collect();
        for (place, answer) in answers {
            judged[place] = answer;
        }
        judged
    }

    /// Ends the process and waits until it is gone, whoever else holds this handle; who waits for an answer, now or
    /// later, is told that it is being stopped.
    pub fn stop(&self) {
        let (held, gone) = bounded(0);
        self.order(Order::Stop(held));
        let _ = gone.recv();
    }

    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }
}

impl Drop for KataGo {
    /// Stops the process; who still waits is not answered.
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread that gives the conversation its clock and its pipe.
struct Driver {
    command: CommandLine,
    conversation: Conversation,
    begun: Instant,
    process: Option<Process>,
    answers: HashMap<Ticket, Answered>,
    news: Box<dyn Fn(Notice) + Send>,
}

impl Driver {
    fn run(mut self, orders: &Receiver<Order>) {
        let until_gone = self.go_on(orders);
        drop(self);
        drop(until_gone);
    }

    /// Until nobody holds the handle any more, or somebody wants it stopped: who that is waits for what is returned.
    fn go_on(&mut self, orders: &Receiver<Order>) -> Option<Sender<()>> {
        self.handle(Event::Tick);
        let mut ticked = Instant::now();
        loop {
            let silent = never();
            let lines = self.process.as_ref().map_or(&silent, Process::lines);
            let event = select! {
                recv(orders) -> order => match order {
                    Ok(Order::Ask(ticket, position, answered)) => {
                        self.answers.insert(ticket, answered);
                        Some(Event::Ask(ticket, position))
                    }
                    Ok(Order::Forget(ticket)) => {
                        self.answers.remove(&ticket);
                        Some(Event::Forget(ticket))
                    }
                    Ok(Order::Stop(until_gone)) => return Some(until_gone),
                    Err(_) => return None,
                },
                recv(lines) -> line => Some(match line {
                    Ok(line) => Event::Line(line),
                    Err(_) => Event::Ended(self.ending()),
                }),
                default(TICK) => None,
            };
            event.into_iter().for_each(|event| self.handle(event));
            if ticked.elapsed() >= TICK {
                ticked = Instant::now();
                self.handle(Event::Tick);
            }
        }
    }

    fn ending(&mut self) -> String {
        self.process.as_mut().map_or_else(String::new, Process::ending)
    }

    fn handle(&mut self, event: Event) {
        let actions = self.conversation.handle(self.begun.elapsed(), event);
        for action in actions {
            if let Some(why) = self.act(action) {
                self.handle(Event::Ended(why));
                return;
            }
        }
    }

    /// Takes an action; returns why the process could not be started, if it was to be.
    fn act(&mut self, action: Action) -> Option<String> {
        match action {
            Action::Start => match Process::start(&self.command) {
                Ok(process) => self.process = Some(process),
                Err(why) => return Some(why),
            },
            Action::Write(line) => {
                self.process.iter().for_each(|process| process.write(line.clone()))
            }
            Action::Stop => self.process = None,
            Action::Answer(ticket, judged) => {
                if let Some(answered) = self.answers.remove(&ticket) {
                    answered(judged);
                }
            }
            Action::Notice(notice) => (self.news)(notice),
        }
        None
    }
}
