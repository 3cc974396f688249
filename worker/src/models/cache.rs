//! The folder in which models are kept, a file each, named by its digest.

use std::cmp::Reverse;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use banyan_jobs::ModelDigest;

/// Files that are kept at most, and bytes of them together: those that were read or written last.
const FILES_MAX: usize = 256;
const BYTES_MAX: u64 = 2 << 30;

/// A folder of models. What is in it is believed only after its digest is checked.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

/// Returns the folder for models unless somebody says otherwise: beside the caches of other programs.
pub fn default_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(cache.join("banyan").join("models"))
}

impl Cache {
    pub(super) fn new(folder: PathBuf) -> Cache {
        Cache { folder }
    }

    /// The bytes that are kept under this digest; nothing where there are none, or they cannot be read.
    pub(super) fn read(&self, digest: ModelDigest) -> Option<Vec<u8>> {
        let path = self.path(digest);
        match std::fs::read(&path) {
            Ok(bytes) => {
                // It is of use, and goes later than others.
                let touched = std::fs::File::open(&path)
                    .and_then(|file| file.set_modified(SystemTime::now()));
                if let Err(error) = touched {
                    tracing::debug!("{}: {error}", path.display());
                }
                Some(bytes)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!("cannot read {}: {error}", path.display());
                None
            }
        }
    }

    /// Keeps a model: whole or not at all.
    pub(super) fn write(&self, digest: ModelDigest, bytes: &[u8]) -> io::Result<()> {
        std::fs::create_dir_all(&self.folder).map_err(|error| named(&self.folder, &error))?;
        let path = self.path(digest);
        let beside = self.folder.join(format!("{digest}.{}", std::process::id()));
        let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, &path));
        written.map_err(|error| named(&path, &error))?;
        self.make_room();
        Ok(())
    }

    /// Removes the files that were of no use for longest, where there are too many.
    fn make_room(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let about = path.metadata().ok().filter(|_| is_ours(&path))?;
                Some((about.modified().ok()?, about.len(), path))
            })
            .collect();
        files.sort_unstable_by_key(|&(when, ..)| Reverse(when));
        let mut bytes = 0;
        for (at, (_, len, path)) in files.into_iter().enumerate() {
            bytes += len;
            // The newest stays however large it is.
            let is_too_much = at > 0 && (at >= FILES_MAX || bytes > BYTES_MAX);
            if is_too_much && let Err(error) = std::fs::remove_file(&path) {
                tracing::debug!("{}: {error}", path.display());
            }
        }
    }

    fn path(&self, digest: ModelDigest) -> PathBuf {
        self.folder.join(format!("{digest}.safetensors"))
    }
}

/// Tells whether a file is a model of a cache, or what was begun of one: other files in the folder are somebody's.
fn is_ours(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    stem.len() == 2 * size_of::<ModelDigest>() && stem.bytes().all(|it| it.is_ascii_hexdigit())
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn files_that_were_of_no_use_for_long_make_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::new(folder.path().to_owned());
        let digest = |number: u64| {
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&number.to_le_bytes());
            ModelDigest(bytes)
        };
        let somebodys = folder.path().join("notes.safetensors");
        std::fs::write(&somebodys, "mine").expect("written");
        for number in 0..FILES_MAX as u64 {
            cache.write(digest(number), &[1, 2, 3]).expect("written");
            let file = std::fs::File::options().write(true).open(cache.path(digest(number)));
            let long_ago = SystemTime::now() - Duration::from_secs(10_000 - number);
            file.and_then(|it| it.set_modified(long_ago)).expect("set");
        }
        assert_eq!(cache.read(digest(0)), Some(vec![1, 2, 3]));
        cache.write(digest(1000), &[4]).expect("written");
        let is_there = |number| cache.read(digest(number)).is_some();
        assert!(is_there(0), "it was read");
        assert!(!is_there(1) && is_there(2) && is_there(1000));
        assert!(somebodys.exists());
    }
}
