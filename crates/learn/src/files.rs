//! Folders of learning: held by one process, their files written whole.

use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};

/// Makes a folder where there is none, and holds it: as long as the file that is returned is open, in this process or
/// in one that it was handed to, no other learns there.
///
/// # Errors
/// A folder that cannot be made, or that another process holds.
pub fn own(home: &Path) -> anyhow::Result<File> {
    let cannot = || format!("cannot use folder {}", home.display());
    std::fs::create_dir_all(home).with_context(cannot)?;
    let lock = File::create(home.join("lock")).with_context(cannot)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => bail!("another process learns in {}", home.display()),
        Err(TryLockError::Error(error)) => Err(error).with_context(cannot),
    }
}

/// Writes a file whole or not at all.
///
/// # Errors
/// A folder that cannot be written to, a full disk.
pub fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = Path::new(&beside);
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = folder
        .and_then(|()| File::create(beside))
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(beside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(beside);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file as [`put`] does, unless another is there that does not begin as it does.
///
/// - `kind`: what it is, `drawing`.
/// - `first`: what all such files begin with.
///
/// # Errors
/// As [`put`], and a file there that is something else.
pub fn put_again(path: &Path, (kind, first): (&str, &str), text: &str) -> anyhow::Result<()> {
    let found = std::fs::read(path).unwrap_or_default();
    ensure!(
        found.is_empty() || found.starts_with(first.as_bytes()),
        "{} is no {kind}, and would be written over: expected another name",
        path.display()
    );
    put(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_process_is_refused_until_the_first_ends() {
        let home = tempfile::tempdir().expect("a folder");
        let first = own(home.path()).expect("nobody else is there");
        let words = own(home.path()).expect_err("it is held").to_string();
        assert_eq!(words, format!("another process learns in {}", home.path().display()));
        drop(first);
        own(home.path()).expect("it is free again");
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("model.json");
        put(&path, b"old").expect("written");
        // Where the new one would be prepared there is a folder: beside it, by its whole name.
        std::fs::create_dir(home.path().join("model.json.part")).expect("made");
        let words = put(&path, b"new").expect_err("refused").to_string();
        assert_eq!(words, format!("cannot write {}", path.display()));
        assert_eq!(std::fs::read(&path).expect("it is there"), b"old");
    }

    #[test]
    fn another_kind_of_file_is_not_written_over() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("a.html");
        let put = |text: &str| put_again(&path, ("page", "<html>"), text);
        put("<html>old").expect("none is there");
        put("<html>new").expect("it is one");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"<html>new");
        std::fs::write(&path, "rules").expect("written");
        let words = put("<html>").expect_err("refused").to_string();
        assert!(
            words.ends_with("a.html is no page, and would be written over: expected another name")
        );
        assert_eq!(std::fs::read(&path).expect("it is there"), b"rules");
    }
}
