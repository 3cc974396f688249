//! Somebody who looks on, for tests of protocols.

use std::sync::mpsc::Sender;

use banyan_engine::{Onlooker, Playable, Report};
use banyan_games::Record;

/// Tells how many plies it sees.
pub(crate) struct Looking(pub Sender<usize>);

impl<G: Playable> Onlooker<G> for Looking {
    fn look(&mut self, record: &Record<G>, _: Option<&Report>) {
        self.0.send(record.plies().len()).expect("it is received");
    }
}
