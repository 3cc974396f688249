//! The folder in which models are kept, a file each, named by its digest.

use std::io;
use std::path::{Path, PathBuf};

use banyan_jobs::ModelDigest;

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
            Ok(bytes) => Some(bytes),
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
        written.map_err(|error| named(&path, &error))
    }

    fn path(&self, digest: ModelDigest) -> PathBuf {
        self.folder.join(format!("{digest}.safetensors"))
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
