//! Connections of which nobody knows yet who is at the other end.
//!
//! A *guest* is whoever is at the other end of a connection, and a *stranger* until a request of it was
//! found to be allowed ([`Guest::welcome`]). Strangers have little time, and are few: where too many come
//! the oldest goes, so that the newest, which may be an honest worker, still gets in.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use banyan_jobs::limits;
use tokio_util::sync::CancellationToken;

use crate::identity::{Identity, Source};
use crate::said::Said;

/// The one at the other end of a connection.
#[derive(Debug)]
pub struct Guest {
    address: SocketAddr,
    /// Strangers that came before.
    number: u64,
    /// Set once, when a request was allowed.
    is_welcome: AtomicBool,
    /// The certificate that it showed, if it did.
    certificate: OnceLock<Arc<[u8]>>,
    /// Cancelled when this stranger has to make room for another.
    evicted: CancellationToken,
    strangers: Arc<Strangers>,
}

impl Guest {
    /// Returns the address that it comes from.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Notes the certificate that it showed.
    pub fn showed(&self, certificate: &[u8]) {
        let _ = self.certificate.set(certificate.into());
    }

    /// Returns its identity, as far as can be told, if it calls itself so.
    pub fn identity(&self, name: &str) -> Identity {
        let source = match self.certificate.get() {
            Some(certificate) => Source::Certificate(certificate.clone()),
            None => Source::Address(self.address.ip()),
        };
        Identity { source, name: name.to_owned() }
    }

    /// Tells whether it was let in.
    pub fn is_welcome(&self) -> bool {
        self.is_welcome.load(Ordering::Relaxed)
    }

    /// Resolves when this stranger has to make room for another.
    pub async fn evicted(&self) {
        self.evicted.cancelled().await;
    }

    /// Says why it is not let in; the same once a minute, however often it tries.
    pub fn refuse(&self, why: &str) {
        self.strangers.refused.fetch_add(1, Ordering::Relaxed);
        self.strangers.said.say(self.address.ip(), why);
    }

    /// It showed what it needs to be let in; from now on it may be silent for as long as it likes.
    pub fn welcome(&self) {
        if !self.is_welcome.swap(true, Ordering::Relaxed) {
            self.strangers.leave(self);
        }
    }
}

/// Strangers in the order in which they came, and how many there are of each address.
#[derive(Debug, Default)]
struct Seats {
    taken: BTreeMap<u64, (IpAddr, Weak<Guest>)>,
    of_address: HashMap<IpAddr, usize>,
    next: u64,
}

impl Seats {
    fn free(&mut self, number: u64) -> Option<Arc<Guest>> {
        let (ip, guest) = self.taken.remove(&number)?;
        if let Some(count) = self.of_address.get_mut(&ip) {
            *count -= 1;
            if *count == 0 {
                self.of_address.remove(&ip);
            }
        }
        guest.upgrade()
    }

    /// The oldest stranger that has to go: of this address where it has too many, of all where all are.
    fn free_one(&mut self, ip: IpAddr, max: usize) -> Option<Arc<Guest>> {
        let own = self.of_address.get(&ip).copied().unwrap_or_default();
        let mut taken = self.taken.iter();
        let oldest = match own >= limits::STRANGERS_PER_ADDRESS_MAX {
            true => taken.find(|(_, (of, _))| *of == ip),
            false => taken.next().filter(|_| self.taken.len() >= max),
        };
        let (&number, _) = oldest?;
        self.free(number)
    }
}

/// Connections of strangers.
///
/// Locked for moments: when a connection comes, is welcomed, or ends.
#[derive(Debug)]
pub struct Strangers {
    seats: Mutex<Seats>,
    /// Limit of their number.
    max: usize,
    pub(crate) said: Said,
    refused: Arc<AtomicU64>,
}

impl Strangers {
    /// Nobody yet, and never more than `max`; refusals are counted in `refused`.
    pub fn new(max: usize, refused: Arc<AtomicU64>) -> Arc<Strangers> {
        Arc::new(Strangers { seats: Mutex::default(), max, said: Said::default(), refused })
    }

    /// A stranger at the door; where there are too many the oldest goes.
    pub fn arrive(self: &Arc<Self>, address: SocketAddr) -> Arc<Guest> {
        let mut seats = self.seats();
        let oldest = seats.free_one(address.ip(), self.max);
        let number = seats.next;
        seats.next += 1;
        let guest = Arc::new(Guest {
            address,
            number,
            is_welcome: AtomicBool::new(false),
            certificate: OnceLock::new(),
            evicted: CancellationToken::new(),
            strangers: self.clone(),
        });
        seats.taken.insert(number, (address.ip(), Arc::downgrade(&guest)));
        *seats.of_address.entry(address.ip()).or_default() += 1;
        drop(seats);
        if let Some(oldest) = oldest {
            oldest.evicted.cancel();
        }
        guest
    }

    fn leave(&self, guest: &Guest) {
        self.seats().free(guest.number);
    }

    fn seats(&self) -> MutexGuard<'_, Seats> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        if !*self.is_welcome.get_mut() {
            self.strangers.clone().leave(self);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    fn at(address: impl Into<IpAddr>) -> SocketAddr {
        SocketAddr::new(address.into(), 4)
    }

    fn is_evicted(guest: &Arc<Guest>) -> bool {
        guest.evicted.is_cancelled()
    }

    #[test]
    fn the_oldest_stranger_makes_room_whatever_its_address() {
        let strangers = Strangers::new(3, Arc::default());
        let crowd: Vec<Arc<Guest>> =
            (1..=3).map(|last| strangers.arrive(at(Ipv4Addr::new(10, 0, 0, last)))).collect();
        let newest = strangers.arrive(at(Ipv6Addr::LOCALHOST));
        assert!(is_evicted(&crowd[0]));
        assert!(!crowd[1..].iter().any(is_evicted) && !is_evicted(&newest));
        // Who was welcomed has left the strangers.
        crowd[1].welcome();
        let _more = strangers.arrive(at(Ipv4Addr::LOCALHOST));
        assert!(!is_evicted(&crowd[1]) && !is_evicted(&crowd[2]));
        let _yet_more = strangers.arrive(at(Ipv4Addr::LOCALHOST));
        assert!(is_evicted(&crowd[2]) && !is_evicted(&newest));
    }

    #[test]
    fn of_one_address_no_more_than_its_part_stays() {
        let strangers = Strangers::new(limits::STRANGERS_MAX, Arc::default());
        let other = strangers.arrive(at(Ipv6Addr::LOCALHOST));
        let crowd: Vec<Arc<Guest>> = (0..=limits::STRANGERS_PER_ADDRESS_MAX)
            .map(|_| strangers.arrive(at(Ipv4Addr::LOCALHOST)))
            .collect();
        let evicted: Vec<usize> =
            (0..crowd.len()).filter(|&index| is_evicted(&crowd[index])).collect();
        assert_eq!(evicted, [0]);
        assert!(!is_evicted(&other));
        drop(crowd);
        assert_eq!(strangers.seats().taken.len(), 1, "who goes by itself frees its seat");
    }
}
