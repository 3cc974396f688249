//! Identity of a worker, for as long as this process lives: where it comes from and what it calls itself.
//!
//! A name alone means nothing, since anybody may use any. Where workers show certificates these are the
//! source, else the address. Who lied is not let in again: its certificate, where nobody else of good
//! standing uses it, else its name from that source. Whoever else comes from there later has to prove
//! itself for longer, see the scheduler.

use std::net::IpAddr;
use std::sync::Arc;

use banyan_jobs::WorkerId;
use dashmap::DashMap;

/// Liars remembered, and sources of liars; more are no honest cluster's.
const REMEMBERED_MAX: usize = 4096;

/// Origin of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// It showed this certificate.
    Certificate(Arc<[u8]>),
    /// It dialled from there.
    Address(IpAddr),
}

/// Identity of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Its origin.
    pub source: Source,
    /// Name that it gives itself.
    pub name: String,
}

/// Identities of workers, and the liars among them.
#[derive(Debug, Default)]
pub struct Register {
    /// Identities of workers that are remembered, present or not.
    workers: DashMap<WorkerId, Identity>,
    outcasts: Arc<Outcasts>,
}

/// Liars, which clusters of one process that follow one another have in common.
#[derive(Debug, Default)]
pub struct Outcasts {
    /// Liars that are not let in again, each with the reason.
    liars: DashMap<Identity, String>,
    /// Certificates under which nobody is let in again, each with the reason.
    certificates: DashMap<Source, String>,
    /// Sources that liars came from.
    suspects: DashMap<Source, ()>,
}

impl Register {
    /// Of workers of which nothing is known but who lied before.
    pub fn knowing(outcasts: Arc<Outcasts>) -> Register {
        Register { workers: DashMap::default(), outcasts }
    }

    /// Notes who a worker is.
    pub fn enter(&self, worker: WorkerId, identity: Identity) {
        self.workers.insert(worker, identity);
    }

    /// Forgets a worker that is long gone.
    pub fn forget(&self, worker: WorkerId) {
        self.workers.remove(&worker);
    }

    /// Notes that a worker lied.
    ///
    /// - `trusted`: the other workers that are there and in good standing.
    pub fn put_out(&self, worker: WorkerId, why: &str, trusted: &[WorkerId]) {
        let Some(liar) = self.workers.get(&worker).map(|it| it.clone()) else { return };
        let others = trusted.iter().filter(|&&other| other != worker);
        let others: Vec<Identity> =
            others.filter_map(|other| self.workers.get(other).map(|it| it.clone())).collect();
        let Outcasts { liars, certificates, suspects } = &*self.outcasts;
        if suspects.len() < REMEMBERED_MAX {
            suspects.insert(liar.source.clone(), ());
        }
        let is_certificate = matches!(liar.source, Source::Certificate(_));
        if is_certificate && !others.iter().any(|other| other.source == liar.source) {
            if certificates.len() < REMEMBERED_MAX {
                certificates.insert(liar.source, why.to_owned());
            }
        } else if liars.len() < REMEMBERED_MAX && !others.contains(&liar) {
            liars.insert(liar, why.to_owned());
        }
    }

    /// Says why somebody is not let in, if it was found to lie.
    pub fn refusal(&self, who: &Identity) -> Option<String> {
        let of_certificate = self.outcasts.certificates.get(&who.source).map(|why| why.clone());
        of_certificate.or_else(|| self.outcasts.liars.get(who).map(|why| why.clone()))
    }

    /// Tells whether a liar came from there before.
    pub fn is_suspect(&self, source: &Source) -> bool {
        self.outcasts.suspects.contains_key(source)
    }

    /// Liars that are not let in again, count.
    pub fn liars(&self) -> usize {
        self.outcasts.liars.len() + self.outcasts.certificates.len()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn at(last: u8, name: &str) -> Identity {
        let source = Source::Address(Ipv4Addr::new(10, 0, 0, last).into());
        Identity { source, name: name.to_owned() }
    }

    fn with(certificate: &[u8], name: &str) -> Identity {
        Identity { source: Source::Certificate(certificate.into()), name: name.to_owned() }
    }

    fn register(workers: &[Identity]) -> Register {
        let register = Register::default();
        for (id, identity) in (0..).zip(workers) {
            register.enter(WorkerId(id), identity.clone());
        }
        register
    }

    #[test]
    fn a_liar_is_refused_under_its_name_from_its_address_and_others_are_watched_there() {
        let register = register(&[at(1, "oak"), at(2, "oak")]);
        register.put_out(WorkerId(0), "it lied", &[WorkerId(1)]);
        assert_eq!(register.refusal(&at(1, "oak")), Some("it lied".to_owned()));
        assert_eq!(register.refusal(&at(2, "oak")), None, "the name is another's, too");
        assert_eq!(register.refusal(&at(1, "elm")), None);
        assert!(register.is_suspect(&at(1, "elm").source));
        assert!(!register.is_suspect(&at(2, "oak").source));
    }

    #[test]
    fn who_lied_to_one_cluster_is_refused_by_the_next_of_the_process() {
        let outcasts: Arc<Outcasts> = Arc::default();
        let first = Register::knowing(outcasts.clone());
        first.enter(WorkerId(0), at(1, "oak"));
        first.put_out(WorkerId(0), "it lied", &[]);
        drop(first);
        let next = Register::knowing(outcasts);
        assert_eq!(next.refusal(&at(1, "oak")), Some("it lied".to_owned()));
        assert_eq!((next.liars(), next.is_suspect(&at(1, "elm").source)), (1, true));
    }

    #[test]
    fn nobody_has_the_name_of_a_worker_in_good_standing_banned() {
        let register = register(&[at(1, "oak"), at(1, "oak")]);
        register.put_out(WorkerId(1), "it lied", &[WorkerId(0)]);
        assert_eq!(register.refusal(&at(1, "oak")), None);
        assert_eq!(register.liars(), 0);
    }

    #[test]
    fn a_certificate_that_nobody_else_uses_is_refused_whatever_the_name() {
        let one = register(&[with(b"a", "oak"), with(b"b", "elm")]);
        one.put_out(WorkerId(0), "it lied", &[WorkerId(1)]);
        assert!(one.refusal(&with(b"a", "ash")).is_some());
        assert_eq!(one.refusal(&with(b"b", "oak")), None);
        // Where honest workers share it only the name goes.
        let shared = register(&[with(b"a", "oak"), with(b"a", "elm")]);
        shared.put_out(WorkerId(0), "it lied", &[WorkerId(1)]);
        assert_eq!(shared.refusal(&with(b"a", "elm")), None);
        assert!(shared.refusal(&with(b"a", "oak")).is_some());
        assert!(shared.is_suspect(&with(b"a", "ash").source));
    }

    #[test]
    fn ever_new_names_do_not_fill_the_memory() {
        let names: Vec<Identity> = (0..6_000).map(|at_all| at(1, &at_all.to_string())).collect();
        let register = register(&names);
        (0..6_000).for_each(|id| register.put_out(WorkerId(id), "it lied", &[]));
        assert_eq!((register.liars(), register.outcasts.suspects.len()), (REMEMBERED_MAX, 1));
    }
}
