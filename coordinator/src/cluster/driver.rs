//! The loop around the scheduler: what comes in becomes an event, and what the scheduler says is done.

mod workers;

mod referee;

mod judge;

mod traces;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use banyan_admission::Identity;
use banyan_jobs::{Evaluators, FromWorker, ModelFiles, Post, SessionId, ToSearch, WorkerId};
use banyan_scheduler::{Action, Auditing, Event, Origin, Scheduler};
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

use self::judge::Judge;
use self::traces::Traces;
use self::workers::Outbound;
use super::command::{Command, Stop, TICK};
use super::link::Link;

/// The loop turns at least once a tick; after a pause this long the process itself was stopped.
const STALL_MIN: Duration = Duration::from_millis(500);

/// Events handled between two looks at the tick, so that a flood cannot starve it.
const EVENTS_PER_TURN_MAX: usize = 256;

/// The scheduler, its clock and its links.
pub(super) struct Driver {
    scheduler: Scheduler,
    started: Instant,
    last_turn: Instant,
    link: Link,
    workers: HashMap<WorkerId, Outbound>,
    searches: HashMap<SessionId, Post>,
    /// Those of this process's own threads.
    evaluators: Evaluators,
    /// Models that workers may ask for.
    models: ModelFiles,
    starved_since: Option<Instant>,
    judge: Judge,
    /// The worker that judges while no KataGo does.
    stand_in: Option<WorkerId>,
    traces: Traces,
}

impl Driver {
    pub(super) fn new(
        link: Link,
        auditing: Auditing,
        (evaluators, models): (Evaluators, ModelFiles),
    ) -> Driver {
        Driver {
            scheduler: Scheduler::new(auditing),
            started: Instant::now(),
            last_turn: Instant::now(),
            link,
            workers: HashMap::new(),
            searches: HashMap::new(),
            evaluators,
            models,
            starved_since: None,
            judge: Judge::default(),
            stand_in: None,
            traces: Traces::default(),
        }
    }

    /// Runs until it is told to stop, which goes before whatever else waits.
    pub(super) async fn run(
        mut self,
        mut inbox: mpsc::Receiver<Command>,
        mut stops: mpsc::Receiver<Stop>,
    ) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut turn = Vec::with_capacity(EVENTS_PER_TURN_MAX);
        self.last_turn = Instant::now();
        loop {
            tokio::select! {
                biased;
                Some(done) = stops.recv() => {
                    // Nobody shall wait for room in it while this thread waits for them.
                    inbox.close();
                    self.farewell().await;
                    let _ = done.send(());
                    return;
                }
                _ = ticks.tick() => {
                    self.notice_stall();
                    self.tick();
                }
                _ = inbox.recv_many(&mut turn, EVENTS_PER_TURN_MAX) => {
                    self.notice_stall();
                    turn.drain(..).for_each(|command| self.obey(command));
                }
            }
        }
    }

    fn notice_stall(&mut self) {
        // From turn to turn, so that a stop in the midst of one is seen by the next.
        let gap = self.last_turn.elapsed();
        self.last_turn = Instant::now();
        if gap > STALL_MIN {
            tracing::info!(seconds = gap.as_secs_f32(), "this process was stopped");
            self.happen(Event::Stalled(gap));
        }
    }

    fn tick(&mut self) {
        self.happen(Event::Tick);
        self.publish();
        self.reinstate_judge();
        self.relieve_stand_in();
        self.feed_the_starved();
    }

    fn publish(&self) {
        self.link.view.publish(&self.scheduler);
        self.link.busy.cluster.publish();
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Event(event) => self.happen(event),
            Command::Connected(worker, profile, identity, outbound) => {
                self.workers.insert(worker, Outbound::Remote(outbound));
                self.link.view.joins();
                let origin = self.origin(worker, identity);
                self.happen(Event::Joined(worker, profile, origin));
                self.link.view.publish(&self.scheduler);
            }
            Command::Open(root, claim, post) => {
                self.searches.insert(root.id.session, post);
                self.happen(Event::Opened(root, claim));
            }
            Command::Ban(worker) => self.ban(worker),
            Command::Models(evaluators, files) => {
                let before = std::mem::replace(&mut self.evaluators, evaluators);
                self.models.extend(files);
                // Nobody can be asked to judge by what was let go.
                self.models.retain(|&it, _| !before.has(it) || self.evaluators.has(it));
            }
            Command::Judge(model) => self.judge(model),
            Command::Refresh(done) => {
                self.publish();
                let _ = done.send(());
            }
        }
    }

    /// Notes who a worker is.
    fn origin(&self, worker: WorkerId, identity: Option<Identity>) -> Origin {
        let register = self.link.view.register();
        let is_suspect = identity.as_ref().is_some_and(|it| register.is_suspect(&it.source));
        if let Some(identity) = identity {
            register.enter(worker, identity);
        }
        if is_suspect { Origin::Suspect } else { Origin::Remote }
    }

    /// Tells the scheduler, and does what it says.
    fn happen(&mut self, event: Event) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            match &event {
                &Event::Left(worker) => self.depart(worker),
                &Event::Said(worker, FromWorker::Want(digest, offset)) => {
                    events.extend(self.give_model(worker, digest, offset));
                }
                Event::Said(worker, FromWorker::Unfit(digest, why)) => {
                    let name = self.link.name_of(*worker);
                    tracing::warn!(name, "worker does not take the model {digest}: {why}");
                }
                _ => {}
            }
            self.traces.happens(&event);
            for action in self.scheduler.handle(self.started.elapsed(), event) {
                events.extend(self.act(action));
            }
        }
    }

    /// Does one thing; returns what follows from it at once.
    fn act(&mut self, action: Action) -> Vec<Event> {
        self.traces.follows(&action, |worker| self.link.name_of(worker));
        match action {
            Action::Send(worker, message) => return self.send(worker, message),
            Action::Dismiss(worker, why) => self.dismiss(worker, why),
            Action::Deliver(session, worker, tallies) => {
                let from = self.is_doubted(worker).then_some(worker);
                self.tell_search(session, ToSearch::Tallies(from, tallies));
            }
            Action::TakeBack(session, worker) => {
                self.tell_search(session, ToSearch::TakeBack(worker));
            }
            Action::Referee(root, batch) => return self.referee(root, batch),
            Action::Discord(workers, how) => {
                let [one, other] = workers.map(|worker| self.link.name_of(worker));
                tracing::warn!(
                    one,
                    other,
                    "two workers judge a position differently: {how}; have they the same network?"
                );
            }
            Action::Capacity(session, capacity) => {
                self.tell_search(session, ToSearch::Capacity(capacity))
            }
            Action::Settled(session, settlement) => {
                self.tell_search(session, ToSearch::Settled(settlement));
                self.searches.remove(&session);
            }
        }
        Vec::new()
    }

    fn tell_search(&self, session: SessionId, message: ToSearch) {
        if let Some(post) = self.searches.get(&session) {
            post(message);
        }
    }
}
