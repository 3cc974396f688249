//! One worker as the scheduler sees it: what it holds, how fast it is, when it was last heard.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use banyan_games::Kind;
use banyan_jobs::{
    Answer, Batch, BatchId, ModelDigest, Offer, Profile, RootId, SessionId, Usage, limits,
};
use hdrhistogram::Histogram;

use super::audit::Auditing;
use super::capacity::Capacity;
use super::ledger::Room;
use super::origin::Origin;
use super::standing::Standing;

/// A lease older than this many times what the worker usually takes is lent again by the way.
const HEDGE_FACTOR: u32 = 3;
/// No hedge before this: a scheduler's hiccup is not a straggler.
const HEDGE_MIN: Duration = Duration::from_millis(40);
/// A worker that answers nothing for so long, and for [`HEDGE_FACTOR`] times what it usually takes, may hang.
const STUCK_MIN: Duration = Duration::from_secs(1);
/// A lease older than this many times what the worker usually takes is over.
const LEASE_FACTOR: u32 = 10;

/// Leases of large batches, games of self-play among them, last at least so long for each playout or evaluation: ten
/// times what a slow machine takes.
const PLAYOUT_MAX: Duration = Duration::from_millis(1);
/// Work in one message, as time: 2 to 10 ms keep the pipe full and the tail short.
const MESSAGE_TIME: Duration = Duration::from_millis(3);

/// A worker that fetches a model asks for its next part within so long, and reads it when it is whole.
const FETCH_MAX: Duration = Duration::from_secs(10);

/// Fewer playouts than this say little about the processor time of one.
const COST_PLAYOUTS_MIN: u64 = 256;

/// Fill of a worker: in flight over window, in steps fine enough to tell any two apart that differ by a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fill(u64);

/// A worker that joined and has not left.
#[derive(Clone, Debug)]
pub struct Member {
    profile: Profile,
    /// Those of its games that this build knows.
    games: Vec<Kind>,
    capacity: Capacity,
    leases: BTreeMap<BatchId, Lease>,
    /// Batches in the order of lending, those returned since among them.
    order: VecDeque<(BatchId, Duration)>,
    /// Playouts in flight.
    in_flight: u32,
    /// Playouts of the batch it was lent last.
    batch_playouts: u32,
    roots: BTreeSet<RootId>,
    /// Roots that it made ready without models that it has now.
    outdated: BTreeSet<RootId>,
    /// Models that it was told of.
    told: BTreeSet<ModelDigest>,
    /// Those of them that it would not have.
    refused: BTreeSet<ModelDigest>,
    /// When it asked for a part of one last.
    fetched_at: Option<Duration>,
    draining: bool,
    /// All work goes to another worker for the time being.
    barred: bool,
    last_heard: Duration,
    last_ping: Option<(u64, Duration)>,
    /// From lending to return, smoothed.
    usual: Duration,
    /// When a tally or a failure last came back.
    returned_at: Duration,
    merged_playouts: u64,
    /// Those of them that are evaluations.
    merged_evaluations: u64,
    /// Standing, which decides whether its word is taken.
    pub(super) standing: Standing,
    usage: Usage,
    /// When it said so.
    usage_at: Duration,
    /// Playouts merged when it said so.
    cpu_playouts: u64,
    /// Processor time that it had used, and playouts that were merged, when it said so for the first time.
    cost_from: Option<(Duration, u64)>,
    /// Round trips of pings, microseconds.
    round_trips: Histogram<u64>,
    round_trip: RoundTrip,
}

/// Round trips of a worker's pings so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoundTrip {
    /// The median, milliseconds.
    pub ms_p50: f64,
    /// The 99th percentile, milliseconds.
    pub ms_p99: f64,
}

#[derive(Clone, Copy, Debug)]
struct Lease {
    playouts: u32,
    since: Duration,
}

impl Member {
    /// A worker that has just joined.
    pub fn new(now: Duration, profile: Profile, origin: Origin, auditing: Auditing) -> Member {
        Member {
            games: profile.games.iter().filter_map(|game| game.name.parse().ok()).collect(),
            profile,
            capacity: Capacity::new(origin),
            leases: BTreeMap::new(),
            order: VecDeque::new(),
            in_flight: 0,
            batch_playouts: 1,
            roots: BTreeSet::new(),
            outdated: BTreeSet::new(),
            told: BTreeSet::new(),
            refused: BTreeSet::new(),
            fetched_at: None,
            draining: false,
            barred: false,
            last_heard: now,
            last_ping: None,
            usual: Duration::ZERO,
            returned_at: now,
            merged_playouts: 0,
            merged_evaluations: 0,
            standing: Standing::new(origin, auditing),
            usage: Usage::default(),
            usage_at: now,
            cpu_playouts: 0,
            cost_from: None,
            round_trips: Histogram::new_with_bounds(1, 60_000_000, 2).expect("fixed bounds"),
            round_trip: RoundTrip::default(),
        }
    }

    /// Returns what it said of itself.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns its place.
    pub fn origin(&self) -> Origin {
        self.capacity.origin()
    }

    /// Playouts per second that it is seen to do; 0 until measured.
    pub fn rate(&self) -> f64 {
        self.capacity.rate()
    }

    /// Playouts of its tallies that counted.
    pub fn merged_playouts(&self) -> u64 {
        self.merged_playouts
    }

    /// Those of them that are evaluations.
    pub fn merged_evaluations(&self) -> u64 {
        self.merged_evaluations
    }

    /// What it says it has used.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Processor time of a playout, so far; nothing until enough of them are merged.
    pub fn playout_cost(&self) -> Option<Duration> {
        // It may have worked for others before it came here.
        let (cpu_before, playouts_before) = self.cost_from?;
        let playouts = self.cpu_playouts - playouts_before;
        let cpu = self.usage.cpu.saturating_sub(cpu_before);
        (playouts >= COST_PLAYOUTS_MIN).then(|| cpu.div_f64(playouts as f64))
    }

    /// When it said so, on the scheduler's clock.
    pub fn usage_at(&self) -> Duration {
        self.usage_at
    }

    /// Round trips of its pings.
    pub fn round_trip(&self) -> RoundTrip {
        self.round_trip
    }

    /// Playouts in flight to it.
    pub fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Tells whether it may be lent playouts of this game now.
    pub fn plays(&self, kind: Kind) -> bool {
        !self.barred && self.knows(kind)
    }

    /// Tells whether it could be, if the scheduler were not told to lend to another alone.
    pub fn knows(&self, kind: Kind) -> bool {
        !self.draining && self.games.contains(&kind)
    }

    /// Notes that it is told of a model that it has not; returns whether it had not been.
    pub(super) fn should_be_told(&mut self, kind: Kind, evaluator: ModelDigest) -> bool {
        self.knows(kind) && !self.can_judge(kind, evaluator) && self.told.insert(evaluator)
    }

    /// It judges by these from now on. Roots are told to it anew: it made them ready without.
    pub(super) fn offers(&mut self, offers: Vec<Offer>) {
        self.profile.evaluators = offers;
        self.outdated.append(&mut self.roots);
    }

    /// It asks for a part of a model.
    pub(super) fn fetches(&mut self, now: Duration) {
        self.fetched_at = Some(now);
    }

    /// It will not have a model, which it is not told of again.
    pub(super) fn refuses(&mut self, model: ModelDigest) {
        self.refused.insert(model);
    }

    /// Tells whether it fetches models, among them one to judge this game's positions by.
    pub(super) fn is_fetching(&self, kind: Kind, evaluator: ModelDigest, now: Duration) -> bool {
        let is_at_it = self.fetched_at.is_some_and(|at| now.saturating_sub(at) <= FETCH_MAX);
        let is_wanted = self.told.contains(&evaluator) && !self.refused.contains(&evaluator);
        is_at_it && is_wanted && self.knows(kind)
    }

    /// So many threads play out from now on.
    pub(super) fn has_threads(&mut self, threads: u32) {
        self.profile.threads = threads;
    }

    /// Tells whether it may be lent evaluations of this game by this evaluator now.
    pub fn judges(&self, kind: Kind, evaluator: ModelDigest) -> bool {
        !self.barred && self.can_judge(kind, evaluator)
    }

    /// Tells whether it could be, if the scheduler were not told to lend to another alone.
    pub fn can_judge(&self, kind: Kind, evaluator: ModelDigest) -> bool {
        !self.draining && self.profile.judges(kind.name(), evaluator)
    }

    /// Tells whether it could be, and does not seem to hang.
    pub(super) fn answers(&self, kind: Kind, evaluator: ModelDigest, now: Duration) -> bool {
        self.can_judge(kind, evaluator) && !self.is_stuck(now)
    }

    /// Tells whether the batch is on lease to it.
    pub(super) fn holds(&self, batch: BatchId) -> bool {
        self.leases.contains_key(&batch)
    }

    pub(super) fn held_batches(&self) -> impl Iterator<Item = BatchId> {
        self.leases.keys().copied()
    }

    pub(super) fn heard(&mut self, now: Duration) {
        self.last_heard = now;
    }

    pub(super) fn bar(&mut self, barred: bool) {
        self.barred = barred;
    }

    pub(super) fn drain(&mut self) {
        self.draining = true;
    }

    /// Tells whether it is lent nothing more.
    pub fn is_draining(&self) -> bool {
        self.draining
    }

    pub(super) fn merged(&mut self, answer: &Answer) {
        self.merged_playouts += u64::from(answer.cost());
        self.merged_evaluations += u64::from(answer.evaluations());
    }

    /// Tells whether its tallies count as they come: it has passed its probation.
    pub fn is_trusted(&self) -> bool {
        self.standing.is_trusted()
    }

    /// Playouts that may be in flight to it, given the size of a batch.
    pub fn window(&self, batch_playouts: u32) -> u32 {
        self.capacity.window(self.profile.threads, batch_playouts.max(1))
    }

    /// Playouts that may be in flight to it, of batches like the last one.
    pub fn last_window(&self) -> u32 {
        self.window(self.batch_playouts)
    }

    /// Tells how full it is, if a message is worth sending: a quarter of the window is free, and a batch like the last
    /// one fits.
    pub(super) fn room(&self) -> Option<Fill> {
        let window = self.last_window();
        let free = window.saturating_sub(self.in_flight);
        let worth = self.in_flight == 0 || (free >= self.batch_playouts && 4 * free >= window);
        let fill = Fill((u64::from(self.in_flight) << 32) / u64::from(window));
        let may = self.standing.room(self.leases.len()) > 0;
        (worth && may && !self.draining && !self.barred).then_some(fill)
    }

    /// Tells whether so much of the window is taken that no message is worth sending, see [`Member::room`].
    fn is_full(&self) -> bool {
        4 * u64::from(self.in_flight) >= 3 * u64::from(self.last_window())
    }

    /// Tells what its next message may hold, of `free` playouts.
    pub(super) fn message_room(&self, batch_playouts: u32, free: u32) -> Room {
        Room {
            playouts: self.message_playouts(batch_playouts).min(free),
            batches: self.standing.room(self.leases.len()),
            audits: self.standing.audits(),
        }
    }

    /// Playouts for its next message: what fits, and a few milliseconds of its work at most.
    fn message_playouts(&self, batch_playouts: u32) -> u32 {
        let free = self.window(batch_playouts).saturating_sub(self.in_flight);
        let timely = (self.rate() * MESSAGE_TIME.as_secs_f64()) as u32;
        let floor = batch_playouts * self.profile.threads;
        free.min(timely.max(floor)).max(batch_playouts)
    }

    pub(super) fn lent(&mut self, now: Duration, batch: &Batch) {
        debug_assert!(!self.holds(batch.id), "a lease would be forgotten");
        let playouts = batch.job.cost();
        self.in_flight += playouts;
        self.batch_playouts = playouts;
        self.capacity.starts(now, self.is_full());
        self.order.push_back((batch.id, now));
        self.leases.insert(batch.id, Lease { playouts, since: now });
    }

    /// A tally or a failure came back; returns whether the batch was on lease to this worker.
    pub(super) fn returned(&mut self, now: Duration, batch: BatchId) -> bool {
        let Some(lease) = self.leases.remove(&batch) else { return false };
        self.in_flight -= lease.playouts;
        self.returned_at = now;
        let took = now.saturating_sub(lease.since);
        self.usual = if self.usual.is_zero() { took } else { (self.usual * 15 + took) / 16 };
        self.capacity.returns(now, lease.playouts, self.in_flight == 0);
        while self.order.front().is_some_and(|&(id, since)| !self.still_leased(id, since)) {
            self.order.pop_front();
        }
        true
    }

    /// Tells whether it holds work, and has answered none for far longer than it usually takes: it may hang.
    fn is_stuck(&self, now: Duration) -> bool {
        let patience = STUCK_MIN.max(self.usual * HEDGE_FACTOR);
        let late = |since: Duration| now.saturating_sub(since.max(self.returned_at)) > patience;
        let oldest = self.order.iter().find(|&&(id, since)| self.still_leased(id, since));
        oldest.is_some_and(|&(_, since)| late(since))
    }

    fn still_leased(&self, batch: BatchId, since: Duration) -> bool {
        self.leases.get(&batch).is_some_and(|lease| lease.since == since)
    }

    /// Ends leases that have lasted far too long and returns their batches.
    pub(super) fn take_overdue(&mut self, now: Duration) -> Vec<BatchId> {
        let usual = limits::LEASE_MIN.max(self.usual * LEASE_FACTOR);
        let mut overdue = Vec::new();
        while let Some(&(batch, since)) = self.order.front() {
            let leased = self.still_leased(batch, since);
            let playouts = self.leases.get(&batch).map_or(0, |lease| lease.playouts);
            let patience = usual.max(PLAYOUT_MAX * playouts);
            if leased && now.saturating_sub(since) <= patience {
                break;
            }
            self.order.pop_front();
            if leased && let Some(lease) = self.leases.remove(&batch) {
                self.in_flight -= lease.playouts;
                overdue.push(batch);
            }
        }
        if !overdue.is_empty() {
            self.rest_if_idle();
        }
        overdue
    }

    /// Batches that are late enough to ask somebody else as well.
    pub(super) fn straggling(&self, now: Duration) -> impl Iterator<Item = BatchId> {
        let patience = HEDGE_MIN.max(self.usual * HEDGE_FACTOR);
        let late = move |since: Duration| now.saturating_sub(since) > patience;
        let oldest = self.order.iter().take_while(move |&&(_, since)| late(since));
        oldest.filter(|&&(id, since)| self.still_leased(id, since)).map(|&(id, _)| id)
    }

    /// Tells whether it holds a batch of this session.
    pub(super) fn plays_for(&self, session: SessionId) -> bool {
        let first = BatchId::new(session, 0);
        self.leases.range(first..).next().is_some_and(|(batch, _)| batch.session() == session)
    }

    /// Notes that the worker is told of a root; returns whether it had not been.
    pub(super) fn learn_root(&mut self, root: RootId) -> bool {
        self.outdated.remove(&root);
        self.roots.insert(root)
    }

    /// Writes off the lease of a batch that nobody needs any more; returns whether there was one.
    pub(super) fn write_off(&mut self, batch: BatchId) -> bool {
        let Some(lease) = self.leases.remove(&batch) else { return false };
        self.in_flight -= lease.playouts;
        self.rest_if_idle();
        true
    }

    /// Called off is not slow, and what is long overdue says nothing of its speed any more: the time until the next
    /// lease is nobody's.
    fn rest_if_idle(&mut self) {
        if self.in_flight == 0 {
            self.capacity.rests();
        }
    }

    /// Writes off the leases of a session whose root is dead, and returns how many there were.
    pub(super) fn forget_leases(&mut self, session: SessionId) -> u64 {
        let (before, in_flight) = (self.leases.len(), &mut self.in_flight);
        self.leases.retain(|batch, lease| {
            let dead = batch.session() == session;
            *in_flight -= if dead { lease.playouts } else { 0 };
            !dead
        });
        self.rest_if_idle();
        self.order.retain(|(batch, _)| batch.session() != session);
        (before - self.leases.len()) as u64
    }

    /// Notes that a root is dead; returns whether the worker knows it and should be told.
    pub(super) fn forget_root(&mut self, root: RootId) -> bool {
        self.roots.remove(&root) | self.outdated.remove(&root)
    }

    pub(super) fn is_silent(&self, now: Duration) -> bool {
        now.saturating_sub(self.last_heard) > limits::SILENCE_MAX
    }

    /// The number of the next ping, when it is time for one.
    pub(super) fn ping_due(&mut self, now: Duration, last_nonce: &mut u64) -> Option<u64> {
        let due = |&(_, sent): &(u64, Duration)| now.saturating_sub(sent) >= limits::PING_INTERVAL;
        if !self.last_ping.as_ref().is_none_or(due) {
            return None;
        }
        *last_nonce += 1;
        self.last_ping = Some((*last_nonce, now));
        Some(*last_nonce)
    }

    pub(super) fn pong(&mut self, now: Duration, nonce: u64, usage: Usage) {
        // It never goes back; of two kinds that would, the word is not taken.
        if usage.cpu >= self.usage.cpu {
            self.usage = usage;
        }
        self.usage_at = now;
        self.cpu_playouts = self.merged_playouts;
        self.cost_from.get_or_insert((self.usage.cpu, self.merged_playouts));
        let Some((_, sent)) = self.last_ping.filter(|&(sent, _)| sent == nonce) else { return };
        let round_trip = now.saturating_sub(sent);
        self.capacity.round_trip(round_trip);
        self.round_trips.saturating_record(round_trip.as_micros().max(1) as u64);
        // Here, not where it is read: there are many readings for each ping.
        let ms = |quantile| self.round_trips.value_at_quantile(quantile) as f64 / 1_000.0;
        self.round_trip = RoundTrip { ms_p50: ms(0.5), ms_p99: ms(0.99) };
    }

    /// This process was stopped for `gap`: nothing that happened meanwhile is the worker's fault.
    pub(super) fn shift(&mut self, gap: Duration) {
        self.last_heard += gap;
        self.returned_at += gap;
        self.fetched_at = self.fetched_at.map(|at| at + gap);
        self.capacity.shift(gap);
        self.last_ping = self.last_ping.map(|(nonce, sent)| (nonce, sent + gap));
        for lease in self.leases.values_mut() {
            lease.since += gap;
        }
        for (_, since) in &mut self.order {
            *since += gap;
        }
    }
}
