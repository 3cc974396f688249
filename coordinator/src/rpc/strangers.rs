//! Connections of which nobody knows yet who is at the other end.
//!
//! A *guest* is whoever is at the other end of a connection, and a *stranger* until a request of it was
//! found to be allowed ([`Guest::welcome`]). Strangers have little time, and are few: where too many come
//! from one address the oldest goes, so that honest workers behind the same address still get in.

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use banyan_jobs::limits;
use tokio_util::sync::CancellationToken;

/// The same is said about the same address once in so long.
const REPEAT_AFTER: Duration = Duration::from_secs(60);

/// Remembered of what was said; then all of it is forgotten.
const SAID_MAX: usize = 256;

/// The one at the other end of a connection.
#[derive(Debug)]
pub(super) struct Guest {
    address: SocketAddr,
    /// Set once, when a request was allowed.
    is_welcome: AtomicBool,
    /// Cancelled when this stranger has to make room for another.
    evicted: CancellationToken,
    strangers: Arc<Strangers>,
}

impl Guest {
    /// Where it comes from.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Tells whether it was let in.
    pub(super) fn is_welcome(&self) -> bool {
        self.is_welcome.load(Ordering::Relaxed)
    }

    /// Resolves when this stranger has to make room for another.
    pub(super) async fn evicted(&self) {
        self.evicted.cancelled().await;
    }

    /// Says why it is not let in; the same once a minute, however often it tries.
    pub(super) fn refuse(&self, why: &str) {
        self.strangers.refused.fetch_add(1, Ordering::Relaxed);
        if self.strangers.is_news(self.address.ip(), why) {
            tracing::warn!(address = %self.address, "connection refused: {why}");
        }
    }

    /// It showed what it needs to be let in; from now on it may be silent for as long as it likes.
    pub(super) fn welcome(&self) {
        if !self.is_welcome.swap(true, Ordering::Relaxed) {
            self.strangers.leave(self);
        }
    }
}

/// Strangers by address, the oldest first.
type Seats = HashMap<IpAddr, VecDeque<Weak<Guest>>>;

/// Connections of strangers.
///
/// Locked for moments: when a connection comes, is welcomed, refused, or ends.
#[derive(Debug)]
pub(super) struct Strangers {
    seats: Mutex<Seats>,
    said: Mutex<Said>,
    refused: Arc<AtomicU64>,
}

impl Strangers {
    /// Nobody yet; refusals are counted in `refused`.
    pub(super) fn new(refused: Arc<AtomicU64>) -> Arc<Strangers> {
        Arc::new(Strangers { seats: Mutex::default(), said: Mutex::default(), refused })
    }

    /// A stranger at the door; nothing when there are too many from everywhere.
    pub(super) fn arrive(self: &Arc<Self>, address: SocketAddr) -> Option<Arc<Guest>> {
        let mut seats = self.seats();
        if seats.values().map(VecDeque::len).sum::<usize>() >= limits::STRANGERS_MAX {
            return None;
        }
        let guest = Arc::new(Guest {
            address,
            is_welcome: AtomicBool::new(false),
            evicted: CancellationToken::new(),
            strangers: self.clone(),
        });
        let own = seats.entry(address.ip()).or_default();
        own.push_back(Arc::downgrade(&guest));
        if own.len() > limits::STRANGERS_PER_ADDRESS_MAX
            && let Some(oldest) = own.pop_front().and_then(|oldest| oldest.upgrade())
        {
            oldest.evicted.cancel();
        }
        Some(guest)
    }

    fn leave(&self, guest: &Guest) {
        let mut seats = self.seats();
        let ip = guest.address.ip();
        if let Some(own) = seats.get_mut(&ip) {
            own.retain(|seat| !std::ptr::eq(seat.as_ptr(), guest));
            if own.is_empty() {
                seats.remove(&ip);
            }
        }
    }

    fn seats(&self) -> MutexGuard<'_, Seats> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_news(&self, address: IpAddr, why: &str) -> bool {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).is_news(address, why)
    }
}

/// Refusals said lately, and about whom, all of it forgotten from time to time.
#[derive(Debug, Default)]
struct Said {
    since: Option<Instant>,
    about: HashSet<(IpAddr, String)>,
}

impl Said {
    fn is_news(&mut self, address: IpAddr, why: &str) -> bool {
        let is_old = self.since.is_none_or(|since| since.elapsed() > REPEAT_AFTER);
        if is_old || self.about.len() >= SAID_MAX {
            *self = Said { since: Some(Instant::now()), about: HashSet::new() };
        }
        self.about.insert((address, why.to_owned()))
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        if !*self.is_welcome.get_mut() {
            self.strangers.clone().leave(self);
        }
    }
}
