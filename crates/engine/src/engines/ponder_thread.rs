//! Classical searches on the opponent's time: his likely replies, each by its share, on all threads.
//!
//! Where workers are worth asking the searches of all replies are shared with them, one reply at a time; else each
//! of this process's threads has replies of its own. What was found stays: the deepest look at each reply, and the
//! table of whoever searched it.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banyan_games::{Move, Record};
use banyan_jobs::{Claim, Purpose};
use banyan_search::Searchable;
use banyan_search::classical::Found;
use banyan_search::midgame;
use banyan_search::ponder::Foresight;

use super::foreseen::{Foreseen, Pondered};
use super::replies::{self, Reply};
use super::seat::Seat;
use super::shared::Shared;
use super::until::Until;
use super::{Classical, Engines};

/// Searches that go on until they are ended or dropped.
#[derive(Debug)]
pub struct PonderThread {
    stop: Arc<AtomicBool>,
    /// Gives back what it was lent, with what it found.
    thread: Option<JoinHandle<Pondered>>,
}

impl PonderThread {
    /// Tells whether it has ended by itself.
    #[cfg(test)]
    pub(crate) fn is_done(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn end(mut self) -> Option<Pondered> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take()?.join().ok()
    }
}

impl Drop for PonderThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Engines {
    /// Begins to search the likely replies at the end of a record whose game goes on, for at most `time_max`.
    /// Nothing where the engine is not a classical one, or the machine has no thread to give.
    ///
    /// - `top`: at most so many replies.
    pub(crate) fn ponder<G: Searchable>(
        &mut self,
        record: &Record<G>,
        top: NonZeroU32,
        time_max: Duration,
    ) -> Option<PonderThread> {
        let classical = self.choice.classical.clone()?;
        let stop = Arc::new(AtomicBool::new(false));
        let until = Until::stopped_by(stop.clone(), Instant::now() + time_max);
        let by_patterns = classical.searches_by_patterns(record.position()).is_some();
        let shared = self.shared.clone().filter(|_| classical.is_shareable && !by_patterns);
        let shared = shared.filter(Shared::is_worth_pondering);
        let threads = match (&shared, &self.shared) {
            (None, Some(cluster)) => cluster.own_threads().clamp(1, top.get()),
            _ => 1,
        };
        let seats = self.take_seats(by_patterns, threads as usize);
        let pondering = Pondering { classical, until, scale: 0.0, top };
        let record = record.clone();
        let thread = in_thread(move || match shared {
            Some(shared) => pondering.together(&record, shared, seats),
            None => pondering.each(&record, seats),
        })?;
        Some(PonderThread { stop, thread: Some(thread) })
    }

    /// Ends a search on the opponent's time, which takes some milliseconds, and keeps what it found out.
    pub(crate) fn end_pondering(&mut self, thread: PonderThread) {
        let Some(mut pondered) = thread.end() else { return };
        if let Some(first) = pondered.seats.first_mut() {
            self.sit(first);
        }
        self.pondered = pondered;
    }

    /// Room for so many searches at a time; the first has what the session remembers.
    fn take_seats(&mut self, by_patterns: bool, threads: usize) -> Vec<Seat> {
        let bytes = self.table_bytes();
        let mut seats = std::mem::take(&mut self.pondered).seats;
        let own = match by_patterns {
            true => Seat::Midgame(self.take_midgame()),
            false => Seat::Classical(self.memory.take(), bytes),
        };
        let others = (bytes / threads.saturating_sub(1).max(1)).max(1);
        // Those of an earlier search have their memory still.
        let kept = seats.drain(..).skip(1).filter(|seat| seat.is_by_patterns() == by_patterns);
        let more = std::iter::repeat_with(|| Seat::new(by_patterns, others));
        std::iter::once(own).chain(kept.chain(more).take(threads - 1)).collect()
    }

    /// The session remembers what this seat does, and the other way round.
    fn sit(&mut self, seat: &mut Seat) {
        match seat {
            Seat::Classical(memory, _) => std::mem::swap(memory, &mut self.memory),
            Seat::Midgame(memory) => match &mut self.midgame {
                Some(own) => std::mem::swap(own, memory),
                None => self.midgame = Some(std::mem::replace(memory, midgame::Memory::new(1))),
            },
        }
    }

    /// Recalls what was foreseen of this position with these moves, if it was; the session then remembers what was
    /// found out on the way. Only once.
    pub(super) fn recall<G: Searchable>(&mut self, position: &G, moves: &[Move]) -> Option<Found> {
        let (seat, found) = self.pondered.recall(position.hash(), moves)?;
        let mut seats = std::mem::take(&mut self.pondered.seats);
        // The first has nothing that is not the session's own.
        if let Some(seat) = seats.get_mut(seat).filter(|_| seat > 0) {
            self.sit(seat);
        }
        self.pondered.seats = seats;
        found
    }

    /// Worth of the last search on the opponent's time, now that this is his reply; nothing where there was none.
    pub(crate) fn foresight(&self, reply: Move) -> Option<Foresight> {
        self.pondered.foresight(reply)
    }
}

/// A search on the opponent's time.
#[derive(Clone, Debug)]
struct Pondering {
    classical: Classical,
    until: Until,
    scale: f32,
    top: NonZeroU32,
}

impl Pondering {
    /// The likely replies, found by the first seat, in order.
    fn likely<G: Searchable>(&mut self, record: &Record<G>, seat: &mut Seat) -> Vec<Reply<G>> {
        let evaluation = self.classical.evaluation_at(record.position());
        self.scale = evaluation.scale();
        if matches!(seat, Seat::Midgame(_)) {
            self.scale = midgame::scale();
        }
        let mut looks = seat.looks(&self.classical, &self.until);
        let goes_on = || self.until.goes_on();
        replies::likely(record, &*evaluation, self.top, &mut looks, &goes_on)
    }

    /// Each seat has replies of its own, so that their shares come out about even.
    fn each<G: Searchable>(mut self, record: &Record<G>, mut seats: Vec<Seat>) -> Pondered {
        let replies = self.likely(record, &mut seats[0]);
        let hands = dealt(replies, seats.len(), self.scale);
        let pondering = &self;
        let hands: Vec<Vec<Reply<G>>> = std::thread::scope(|scope| {
            let busy: Vec<_> = seats
                .iter_mut()
                .zip(hands)
                .map(|(seat, hand)| scope.spawn(move || pondering.alone(hand, seat)))
                .collect();
            busy.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
        });
        let foreseen = hands.into_iter().enumerate().flat_map(|(seat, hand)| {
            hand.into_iter().filter_map(move |reply| Foreseen::of(reply, seat))
        });
        let foreseen = foreseen.collect();
        Pondered { seats, foreseen }
    }

    fn alone<G: Searchable>(&self, mut hand: Vec<Reply<G>>, seat: &mut Seat) -> Vec<Reply<G>> {
        while let Some((at, time)) = replies::next(&hand, self.scale)
            && self.until.goes_on()
        {
            let reply = &mut hand[at];
            let began = Instant::now();
            let look = self.until.sooner(time);
            let found = seat.search(&self.classical, reply.record.position(), &reply.moves, &look);
            reply.count(found, began.elapsed(), look.goes_on());
        }
        hand
    }

    /// All replies in turn, each shared by all workers.
    fn together<G: Searchable>(
        mut self,
        record: &Record<G>,
        shared: Shared,
        mut seats: Vec<Seat>,
    ) -> Pondered {
        let claim = Claim { purpose: Purpose::Pondering, ..Claim::default() };
        let mut shared = shared.anew(claim);
        let mut hand = self.likely(record, &mut seats[0]);
        while let Some((at, time)) = replies::next(&hand, self.scale)
            && self.until.goes_on()
        {
            let (reply, began) = (&mut hand[at], Instant::now());
            let look = self.until.sooner(time);
            // What one thread finds in a moment is where the others begin.
            let before = reply.found.clone().filter(|found| found.depth > 1);
            let before = before.unwrap_or_else(|| {
                seats[0].search(&self.classical, reply.record.position(), &reply.moves, &look)
            });
            let nodes = before.nodes;
            let found = shared.deepen_reply(self.classical.evaluation, reply, before, &look);
            let found = Found { nodes: found.nodes.saturating_sub(nodes), ..found };
            reply.count(found, began.elapsed(), look.goes_on());
        }
        let foreseen = hand.into_iter().filter_map(|reply| Foreseen::of(reply, 0)).collect();
        Pondered { seats, foreseen }
    }
}

/// Deals the replies out to so many, the likeliest first and each to who has least.
fn dealt<G: Searchable>(replies: Vec<Reply<G>>, hands: usize, scale: f32) -> Vec<Vec<Reply<G>>> {
    let worths: Vec<i32> = replies.iter().map(Reply::worth).collect();
    let shares = replies::shares(&worths, scale);
    let mut dealt: Vec<(f64, Vec<Reply<G>>)> = (0..hands).map(|_| (0.0, Vec::new())).collect();
    for (reply, share) in replies.into_iter().zip(shares) {
        let least = dealt.iter_mut().min_by(|one, other| one.0.total_cmp(&other.0));
        if let Some((sum, hand)) = least {
            *sum += share;
            hand.push(reply);
        }
    }
    dealt.into_iter().map(|(_, hand)| hand).collect()
}

fn in_thread(run: impl FnOnce() -> Pondered + Send + 'static) -> Option<JoinHandle<Pondered>> {
    std::thread::Builder::new().name("ponder".to_owned()).spawn(run).ok()
}
