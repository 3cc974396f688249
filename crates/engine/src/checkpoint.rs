//! Long searches survive: a search written to a file while it goes on, and gone on with.
//!
//! A file belongs to one search: its game, rules, position and settings stand in it. Any other file is
//! refused and left as it is. Nothing in a file is believed: whatever its bytes are, they give a search
//! that does no harm, or an error.
//!
//! Reading order: `identity` (what a file belongs to), `format` (what stands in it), `place` (replaced
//! as a whole or not at all), `saver` (when, and on which thread), and here what a command asks for.

mod error;

mod format;

mod identity;

mod place;

mod saver;

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::time::Duration;

use banyan_games::Record;
use banyan_jobs::RootId;
use banyan_search::Searchable;
use banyan_search::Tree;

use crate::search::Search;
use crate::search::progress::{Progress, Standing};
use crate::settings::Settings;

pub use error::{CheckpointError, FileError};
pub use identity::Identity;
pub(crate) use saver::Saver;

use format::Written;
use place::Place;

/// The file of a search, and how often it is written.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The file.
    pub file: PathBuf,
    /// Between two writes.
    pub every: Duration,
}

/// A search's file, open for it alone, and what stood in it.
#[derive(Debug)]
pub struct Checkpoint {
    pub(crate) saver: Saver,
    /// The state that the search goes on from.
    pub(crate) resumed: Option<Resumed>,
}

/// A search that a file held, checked.
#[derive(Debug)]
pub struct Resumed {
    /// Its tree.
    pub tree: Tree,
    /// Counts of the search.
    pub progress: Progress,
    /// Time that it had taken.
    pub elapsed: Duration,
}

impl Checkpoint {
    /// Makes sure that the file can be written, and reads it where there is one.
    ///
    /// # Errors
    /// [`CheckpointError`] names the file, what was found and what was expected.
    pub(crate) fn open<G: Searchable>(
        wish: &Wish,
        record: &Record<G>,
        settings: &Settings,
    ) -> Result<Checkpoint, CheckpointError> {
        let failed = |reason| CheckpointError { file: wish.file.display().to_string(), reason };
        let place = Place::open(&wish.file).map_err(failed)?;
        let identity = Identity::of(record, settings);
        let resumed = match File::open(place.file()) {
            Ok(file) => {
                let length = file.metadata().map_err(FileError::Read).map_err(failed)?.len();
                let bytes = BufReader::with_capacity(format::CHUNK_BYTES, file);
                Some(read(bytes, length, record, settings).map_err(failed)?)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(FileError::Read(error))),
        };
        Ok(Checkpoint { saver: Saver::new(place, identity, wish.every), resumed })
    }

    /// Playouts that are counted already.
    pub fn playouts(&self) -> u64 {
        self.resumed.as_ref().map_or(0, |resumed| resumed.progress.sums.playouts)
    }

    /// Time that they took.
    pub fn elapsed(&self) -> Duration {
        self.resumed.as_ref().map_or(Duration::ZERO, |resumed| resumed.elapsed)
    }
}

/// Reads the search of `record` and `settings` from `length` bytes.
///
/// # Errors
/// [`FileError`] for bytes that are not that search. Any bytes give an error or a search that can be
/// gone on with; memory is taken in proportion to `length`.
pub fn read<G: Searchable>(
    bytes: impl Read,
    length: u64,
    record: &Record<G>,
    settings: &Settings,
) -> Result<Resumed, FileError> {
    let Written { standing, elapsed } =
        format::read(bytes, length, &Identity::of(record, settings))?;
    let Standing { image, progress } = standing;
    let position = record.position();
    let tuning = &settings.tuning;
    let mover = !position.side_to_move();
    let tree = Tree::new(tuning.parameters, tuning.seed, tuning.tree_bytes_max, mover);
    let mut tree = tree.with_image(image, position)?;
    tree.allow_at_root(position.side_to_move(), &record.candidates());
    // Tried here, so that going on cannot fail once the search has begun.
    let plan = settings.plan(record, Default::default());
    let mut trial = Search::new(tree, RootId::default(), position.clone(), plan, 0);
    trial.resume(progress.clone())?;
    Ok(Resumed { tree: trial.end().0, progress, elapsed })
}

/// The bytes that a file of the search of `record` and `settings` holds, as it stands.
///
/// # Errors
/// None but those of memory.
pub fn written<G: Searchable>(
    search: &Search<G>,
    record: &Record<G>,
    settings: &Settings,
) -> std::io::Result<Vec<u8>> {
    let written = Written { standing: search.standing(), elapsed: Duration::ZERO };
    let mut bytes = Vec::new();
    format::write(&mut bytes, &Identity::of(record, settings), &written)?;
    Ok(bytes)
}
