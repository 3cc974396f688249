//! Batches that this process plays itself, since its own word counts.

use std::sync::Arc;
use std::time::Instant;

use banyan_jobs::{Batch, Prepared, Root};
use banyan_scheduler::Event;

use super::Driver;

impl Driver {
    /// Plays a batch on a thread of its own: the scheduler asks rarely, and for few at once.
    pub(super) fn referee(&self, root: Arc<Root>, batch: Arc<Batch>) -> Vec<Event> {
        let link = self.link.clone();
        let evaluators = self.evaluators.clone();
        let (began, id) = (Instant::now(), batch.id);
        let play =
            move || match Prepared::with(&root, &evaluators).map(|prepared| prepared.run(&batch)) {
                Ok(Ok(tally)) => link.tell(Event::Refereed(tally, began.elapsed())),
                _ => {
                    tracing::error!(batch = %batch.id, "cannot play a batch of our own");
                    link.tell(Event::CannotReferee(batch.id));
                }
            };
        match std::thread::Builder::new().name("referee".to_owned()).spawn(play) {
            Ok(_) => Vec::new(),
            Err(error) => {
                tracing::error!("no thread to audit a batch with: {error}");
                vec![Event::CannotReferee(id)]
            }
        }
    }
}
