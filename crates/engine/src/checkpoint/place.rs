//! One file that is replaced as a whole: whoever reads it finds what was written last, or before that,
//! and never a part.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::FileError;
use super::format::CHUNK_BYTES;

/// Written at the start to see that there is room at all.
const TRIAL_BYTES: usize = 1 << 16;

/// Where a link points that leads to no file yet; of all else the name itself.
fn pointed_at(file: &Path) -> PathBuf {
    match (fs::read_link(file), file.parent()) {
        (Ok(target), Some(folder)) => folder.join(target),
        _ => file.to_owned(),
    }
}

/// A file name that belongs to this process.
#[derive(Debug)]
pub(super) struct Place {
    file: PathBuf,
    /// The file that is being written, beside it: a rename must not cross file systems.
    partial: PathBuf,
    lock: PathBuf,
    /// The operating system gives the lock back when the process ends, however it ends.
    _locked: File,
}

impl Place {
    /// Takes the name and makes sure that something can be written there; a file that is there stays
    /// as it is.
    pub fn open(file: &Path) -> Result<Place, FileError> {
        // A link stays a link: what it points at is replaced.
        let file = fs::canonicalize(file).unwrap_or_else(|_| pointed_at(file));
        if file.file_name().is_none() || file.exists() && !file.is_file() {
            return Err(FileError::Kind);
        }
        let (partial, lock) = (beside(&file, ".partial"), beside(&file, ".lock"));
        // Only looked at from then on, so that a file system may become read-only under it.
        File::create(&lock).map_err(FileError::Write)?;
        let locked = File::open(&lock).map_err(FileError::Write)?;
        match locked.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(FileError::Taken),
            // Some network file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let place = Place { file, partial, lock, _locked: locked };
        place.try_out().map_err(FileError::Write)?;
        Ok(place)
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    fn try_out(&self) -> io::Result<()> {
        let mut trial = File::create(&self.partial)?;
        let tried = trial.write_all(&[0; TRIAL_BYTES]).and_then(|()| trial.sync_all());
        // A full disk wants the room back.
        let removed = fs::remove_file(&self.partial);
        tried.and(removed)
    }

    /// Replaces the file by what `write` writes; returns how many bytes these are.
    ///
    /// When this returns, the new file survives a loss of power; when it fails, the old one is there.
    pub fn replace(
        &self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<u64> {
        let mut to = BufWriter::with_capacity(CHUNK_BYTES, File::create(&self.partial)?);
        let written = write(&mut to).and_then(|()| {
            let file = to.into_inner()?;
            file.sync_all()?;
            fs::rename(&self.partial, &self.file)?;
            sync_folder(&self.file)?;
            Ok(file.metadata()?.len())
        });
        if written.is_err() {
            // Half a file is of no use, and a full disk wants the room back.
            let _ = fs::remove_file(&self.partial);
        }
        written
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.lock);
    }
}

/// The new name is an entry of the folder, which is written by itself.
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
