//! When a search is written down, and on which thread.
//!
//! The search thread makes a copy of the tree, which takes it a moment; all else is done on a thread
//! of its own. There is one copy at a time: while one is being written no other is made.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Identity;
use super::format::{self, Written};
use super::place::Place;
use crate::search::progress::Standing;

/// Writes one search down, again and again.
#[derive(Debug)]
pub(crate) struct Saver {
    place: Arc<Place>,
    search: Arc<Identity>,
    every: Duration,
    due: Instant,
    writing: Option<JoinHandle<()>>,
}

impl Saver {
    pub(super) fn new(place: Place, search: Identity, every: Duration) -> Saver {
        let due = Instant::now() + every;
        Saver { place: Arc::new(place), search: Arc::new(search), every, due, writing: None }
    }

    /// Tells whether it is time for a copy, and the last one is written.
    pub fn is_due(&self) -> bool {
        let is_free = self.writing.as_ref().is_none_or(JoinHandle::is_finished);
        is_free && Instant::now() >= self.due
    }

    /// Writes a copy on a thread of its own. A failure is logged, and the next one tried in time.
    pub fn save(&mut self, standing: Standing, elapsed: Duration) {
        let copy = Written { standing, elapsed };
        self.due = Instant::now() + self.every;
        let (place, search) = (self.place.clone(), self.search.clone());
        let thread = std::thread::Builder::new().name("checkpoint".to_owned());
        match thread.spawn(move || write(&place, &search, &copy)) {
            Ok(writing) => self.writing = Some(writing),
            Err(error) => warn(&self.place, &error),
        }
    }

    /// Writes the last copy, and returns when it is on the disk.
    pub fn finish(mut self, standing: Standing, elapsed: Duration) {
        if let Some(writing) = self.writing.take() {
            let _ = writing.join();
        }
        write(&self.place, &self.search, &Written { standing, elapsed });
    }
}

fn write(place: &Place, search: &Identity, copy: &Written) {
    let started = Instant::now();
    match place.replace(|to| format::write(to, search, copy)) {
        Ok(bytes) => {
            let (seconds, playouts) = (started.elapsed(), copy.standing.progress.sums.playouts);
            let file = place.file().display();
            tracing::debug!("{file}: {playouts} playouts, {bytes} bytes in {seconds:.1?}");
        }
        Err(error) => warn(place, &error),
    }
}

fn warn(place: &Place, error: &io::Error) {
    let file = place.file().display();
    tracing::warn!("{file} cannot be written: {error}; what stood there stays");
}
