//! Honesty of a worker, as far as it is known: whether its word is taken, and what it said last.

use std::sync::Arc;

use banyan_jobs::{Batch, BatchId, Tally};

use super::audit::{Auditing, Doubt};
use super::origin::Origin;

/// Tallies of a new worker that must come through before it is trusted: who lies in every second one
/// passes one time in sixteen. `docs/trust.md` has what other lengths cost and let through.
pub const PROBATION: u32 = 4;

/// The same for who comes from where a liar came from.
const PROBATION_OF_SUSPECTS: u32 = 64;

/// A worker on probation is lent so many batches at once, those held counted.
const AT_ONCE_MAX: u32 = 4;

/// One tally of a worker that nobody has looked at, drawn from all since the last one.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub batch: Arc<Batch>,
    pub tally: Tally,
}

/// Standing of a worker.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    origin: Origin,
    auditing: Auditing,
    /// Tallies that must come through; none of who is not doubted.
    probation: u32,
    /// Tallies that did.
    confirmed: u32,
    /// Tallies that are held.
    held: u32,
    /// Tallies since one was last drawn, and the one that would be.
    unseen: u64,
    sample: Option<Sample>,
}

impl Standing {
    pub fn new(origin: Origin, auditing: Auditing) -> Standing {
        let probation = match origin {
            _ if auditing.every == 0 => 0,
            Origin::Local | Origin::StandIn => 0,
            Origin::Remote => auditing.probation,
            Origin::Suspect => auditing.probation.max(PROBATION_OF_SUSPECTS),
        };
        Standing { origin, auditing, probation, confirmed: 0, held: 0, unseen: 0, sample: None }
    }

    /// Tells whether its tallies count as they come, and its word tells whether others' do.
    pub fn is_trusted(&self) -> bool {
        self.confirmed >= self.probation
    }

    /// Tells whether others are audited by it.
    pub fn audits(&self) -> bool {
        self.is_trusted() && self.origin != Origin::StandIn
    }

    /// Tells whether its next tally, of `batch`, is believed.
    pub fn doubt(&self, batch: BatchId) -> Doubt {
        match self.origin {
            // This process does not doubt itself.
            Origin::Local | Origin::StandIn => Doubt::None,
            _ if self.is_trusted() => self.auditing.doubt(batch),
            _ => Doubt::Hold,
        }
    }

    /// Batches that it may be lent, of which it has so many.
    pub fn room(&self, leases: usize) -> usize {
        if self.is_trusted() {
            return usize::MAX;
        }
        let left = AT_ONCE_MAX.min(self.probation - self.confirmed);
        (left as usize).saturating_sub(leases + self.held as usize)
    }

    /// A tally of it is held.
    pub fn holds_one(&mut self) {
        self.held += 1;
    }

    /// One that was held is not any more.
    pub fn drops_one(&mut self) {
        self.held = self.held.saturating_sub(1);
    }

    /// One that was held came through.
    pub fn confirms_one(&mut self) {
        self.drops_one();
        self.passes_one();
    }

    /// One of a kind that nobody can look at.
    pub fn passes_one(&mut self) {
        self.confirmed = self.confirmed.saturating_add(1);
    }

    /// Notes a tally that counted.
    pub fn see(&mut self, batch: &Arc<Batch>, tally: &Tally) {
        if self.auditing.every == 0 || self.origin.is_here() {
            return;
        }
        self.unseen += 1;
        if self.auditing.draw(batch.id).is_multiple_of(self.unseen) {
            self.sample = Some(Sample { batch: batch.clone(), tally: tally.clone() });
        }
    }

    /// Tallies since one was last drawn.
    pub fn unseen(&self) -> u64 {
        self.unseen
    }

    /// Draws one of its tallies since the last.
    pub fn draw(&mut self) -> Option<Sample> {
        self.unseen = 0;
        self.sample.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{batch, tally};

    const AUDITING: Auditing = Auditing { every: 200, salt: 3, probation: PROBATION };

    #[test]
    fn a_new_worker_is_trusted_when_its_first_tallies_have_come_through() {
        let mut standing = Standing::new(Origin::Remote, AUDITING);
        for _ in 0..PROBATION {
            assert_eq!(standing.doubt(batch(1).id), Doubt::Hold);
            standing.holds_one();
            standing.confirms_one();
        }
        assert!(standing.is_trusted());
        assert_ne!(standing.doubt(batch(1).id), Doubt::Hold);
        assert!(!Standing::new(Origin::Suspect, AUDITING).is_trusted());
        assert!(Standing::new(Origin::Local, AUDITING).is_trusted());
        assert!(Standing::new(Origin::Remote, Auditing::default()).is_trusted(), "--audit 0");
    }

    #[test]
    fn a_worker_on_probation_is_lent_little_and_what_is_held_counts_as_lent() {
        let mut standing = Standing::new(Origin::Remote, AUDITING);
        assert_eq!(standing.room(0), 4);
        standing.holds_one();
        assert_eq!((standing.room(2), standing.room(3)), (1, 0));
        standing.confirms_one();
        assert_eq!(standing.room(0), 3, "of four that are wanted one has come through");
    }

    #[test]
    fn every_tally_may_be_the_sample() {
        let mut drawn = [0; 10];
        for salt in 0..2_000 {
            let mut standing = Standing::new(Origin::Remote, Auditing { salt, ..AUDITING });
            (0..10).for_each(|number| standing.see(&Arc::new(batch(number)), &tally(number)));
            assert_eq!(standing.unseen(), 10);
            let sample = standing.draw().expect("one of ten");
            drawn[sample.batch.id.number() as usize] += 1;
            assert!(standing.draw().is_none(), "once");
        }
        assert!(drawn.iter().all(|times| (150..250).contains(times)), "{drawn:?}");
    }
}
