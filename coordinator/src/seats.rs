//! Seats of front ends that attach from elsewhere: so many, and who is on them.
//!
//! Whoever attaches and asks for nothing is given a minute. Where all seats are taken whoever has been idle
//! longest makes room, if that is long enough: a front end that is cut off while idle dials again when it
//! has something to ask.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use banyan_jobs::ModelDigest;
use tokio_util::sync::CancellationToken;

/// A front end that never asked for a search is idle for too long after this, if others wait.
const NEVER_ASKED_MAX: Duration = Duration::from_secs(5);

/// The same for one whose game may be going on.
const ASKED_MAX: Duration = Duration::from_secs(300);

/// Without an order nobody keeps a seat for longer.
pub(crate) const ORDER_TIME_MAX: Duration = Duration::from_secs(60);

/// Names in the reason for a refusal.
const NAMES_MAX: usize = 16;

/// Resources that front ends may have together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serving {
    /// Sessions at a time.
    pub sessions_max: u32,
    /// Memory for all of their trees, bytes: each has an equal part.
    pub tree_bytes_max: usize,
    /// Evaluators that judge for them.
    pub evaluators: Arc<BTreeSet<ModelDigest>>,
}

/// Seats of front ends.
#[derive(Clone, Debug)]
pub(crate) struct SessionSlots {
    serving: Serving,
    house: Arc<Mutex<House>>,
    /// Seats that are taken, count; written here alone.
    taken: Arc<AtomicU64>,
}

/// Occupants of the seats, by the order of coming; as many as there are seats at most.
#[derive(Debug, Default)]
struct House {
    seats: BTreeMap<u64, Seat>,
    next: u64,
}

#[derive(Debug)]
struct Seat {
    name: String,
    /// Since when nothing is searched for it; nothing while something is.
    idle_since: Option<Instant>,
    has_asked: bool,
    /// Cancelled when somebody else has this seat.
    given_away: CancellationToken,
}

impl Seat {
    /// By how much it has been idle for longer than it may while others wait.
    fn overdue(&self, now: Instant) -> Option<Duration> {
        let idle = now.saturating_duration_since(self.idle_since?);
        idle.checked_sub(if self.has_asked { ASKED_MAX } else { NEVER_ASKED_MAX })
    }

    fn describe(&self, now: Instant) -> String {
        match self.idle_since {
            None => format!("{} (searching)", self.name),
            Some(since) => {
                let idle = now.saturating_duration_since(since).as_secs();
                format!("{} (idle for {idle} s)", self.name)
            }
        }
    }
}

/// A session's place; free again when this is dropped.
#[derive(Debug)]
pub(crate) struct SessionSlot {
    /// Memory for its tree, bytes.
    pub(crate) tree_bytes_max: usize,
    /// Evaluators that judge for it.
    pub(crate) evaluators: Arc<BTreeSet<ModelDigest>>,
    number: u64,
    given_away: CancellationToken,
    slots: SessionSlots,
}

impl SessionSlots {
    /// Slots that are counted in `taken`.
    pub(crate) fn new(serving: Serving, taken: Arc<AtomicU64>) -> SessionSlots {
        SessionSlots { serving, house: Arc::default(), taken }
    }

    /// A slot for one more front end; the reason why not is for people.
    pub(crate) fn take(&self, name: &str) -> Result<SessionSlot, String> {
        self.take_at(Instant::now(), name)
    }

    fn take_at(&self, now: Instant, name: &str) -> Result<SessionSlot, String> {
        let Serving { sessions_max, tree_bytes_max, ref evaluators } = self.serving;
        let mut house = self.house();
        if house.seats.len() >= sessions_max as usize {
            let overdue =
                house.seats.iter().filter_map(|(&at, seat)| Some((seat.overdue(now)?, at)));
            match overdue.max() {
                Some((_, at)) => house.give_away(at),
                None => return Err(house.full(sessions_max, now)),
            }
        }
        let number = house.next;
        house.next += 1;
        let given_away = CancellationToken::new();
        let seat = Seat {
            name: name.to_owned(),
            idle_since: Some(now),
            has_asked: false,
            given_away: given_away.clone(),
        };
        house.seats.insert(number, seat);
        self.count(&house);
        let tree_bytes_max = tree_bytes_max / sessions_max.max(1) as usize;
        let (evaluators, slots) = (evaluators.clone(), self.clone());
        Ok(SessionSlot { tree_bytes_max, evaluators, number, given_away, slots })
    }

    fn count(&self, house: &House) {
        self.taken.store(house.seats.len() as u64, Ordering::Relaxed);
    }

    fn house(&self) -> MutexGuard<'_, House> {
        self.house.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl House {
    fn give_away(&mut self, number: u64) {
        if let Some(seat) = self.seats.remove(&number) {
            tracing::info!(name = seat.name, "front end put out: it was idle, and another came");
            seat.given_away.cancel();
        }
    }

    fn full(&self, sessions_max: u32, now: Instant) -> String {
        let names: Vec<String> =
            self.seats.values().take(NAMES_MAX).map(|seat| seat.describe(now)).collect();
        let more = self.seats.len().saturating_sub(NAMES_MAX);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(
            "its session slots are taken: at most {sessions_max} at a time, and there are {}{more}",
            names.join(", ")
        )
    }
}

impl SessionSlot {
    /// Returns the token that tells when the seat is another's.
    pub(crate) fn given_away(&self) -> CancellationToken {
        self.given_away.clone()
    }

    /// Notes that a search begins for it.
    pub(crate) fn begins(&self) {
        self.change(|seat| {
            seat.idle_since = None;
            seat.has_asked = true;
        });
    }

    /// Notes that the search is over.
    pub(crate) fn ends(&self) {
        let now = Instant::now();
        self.change(|seat| seat.idle_since = Some(now));
    }

    fn change(&self, change: impl FnOnce(&mut Seat)) {
        if let Some(seat) = self.slots.house().seats.get_mut(&self.number) {
            change(seat);
        }
    }
}

impl Drop for SessionSlot {
    fn drop(&mut self) {
        let mut house = self.slots.house();
        house.seats.remove(&self.number);
        self.slots.count(&house);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(sessions_max: u32) -> (SessionSlots, Arc<AtomicU64>) {
        let taken = Arc::default();
        let serving = Serving { sessions_max, tree_bytes_max: 1000, evaluators: Arc::default() };
        (SessionSlots::new(serving, Arc::clone(&taken)), taken)
    }

    #[test]
    fn session_slots_are_bounded_and_free_again_and_a_full_house_says_who_is_there() {
        let (slots, taken) = slots(2);
        let (one, two) = (slots.take("oak").expect("free"), slots.take("elm").expect("free"));
        assert_eq!(one.tree_bytes_max, 500);
        one.begins();
        assert_eq!(
            slots.take("ash").expect_err("full"),
            "its session slots are taken: at most 2 at a time, and there are oak (searching), \
             elm (idle for 0 s)"
        );
        drop(one);
        assert!(slots.take("ash").is_ok(), "free again");
        drop(two);
        assert_eq!(taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn who_has_asked_for_nothing_makes_room_soon_and_who_plays_a_game_late() {
        let (slots, taken) = slots(2);
        let now = Instant::now();
        let (silent, player) = (slots.take_at(now, "a"), slots.take_at(now, "b"));
        let (silent, player) = (silent.expect("free"), player.expect("free"));
        player.begins();
        player.ends();
        assert!(slots.take_at(now + NEVER_ASKED_MAX / 2, "c").is_err());
        let third = slots.take_at(now + NEVER_ASKED_MAX, "c").expect("the silent one goes");
        assert!(silent.given_away.is_cancelled() && !player.given_away.is_cancelled());
        third.begins();
        assert!(slots.take_at(now + ASKED_MAX / 2, "d").is_err());
        let fourth = slots.take_at(now + 2 * ASKED_MAX, "d").expect("the player has slept");
        assert!(player.given_away.is_cancelled() && !third.given_away.is_cancelled());
        drop((silent, player));
        assert_eq!(taken.load(Ordering::Relaxed), 2, "a seat that was given away is another's");
        drop((third, fourth));
        assert_eq!(taken.load(Ordering::Relaxed), 0);
    }
}
