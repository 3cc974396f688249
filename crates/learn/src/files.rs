//! Folders of learning: held by one process, their files written whole.

use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

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

/// Where a file is written before it takes its place.
fn beside(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    PathBuf::from(beside)
}

/// Finds out whether a file can be written, before much work goes into it.
///
/// # Errors
/// As [`put`].
pub fn may_put(path: &Path) -> anyhow::Result<()> {
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let beside = beside(&place);
    let folder = place.parent().map_or(Ok(()), std::fs::create_dir_all);
    let made = folder.and_then(|()| File::create(&beside)).map(|_| std::fs::remove_file(&beside));
    made.map(drop).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file whole or not at all: where a link leads, and into what is no file, such as a pipe, as it comes.
///
/// # Errors
/// A folder that cannot be written to, a full disk.
pub fn put(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let cannot = || format!("cannot write {}", path.display());
    if std::fs::metadata(&place).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        return std::fs::write(&place, bytes).with_context(cannot);
    }
    let beside = &beside(&place);
    let folder = place.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = folder
        .and_then(|()| File::create(beside))
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(beside, &place));
    if written.is_err() {
        let _ = std::fs::remove_file(beside);
    }
    written.with_context(cannot)
}

/// Writes a file as [`put`] does, unless another is there that does not begin as it does.
///
/// - `kind`: what it is, `drawing`.
/// - `first`: what all such files begin with.
///
/// # Errors
/// As [`put`], and a file there that is something else.
pub fn put_again(path: &Path, (kind, first): (&str, &str), text: &str) -> anyhow::Result<()> {
    let is_file = std::fs::metadata(path).is_ok_and(|it| it.is_file());
    let found = if is_file { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
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
    fn links_and_devices_stay_what_they_are() {
        let home = tempfile::tempdir().expect("a folder");
        let [file, link] = ["a.svg", "link"].map(|name| home.path().join(name));
        std::fs::write(&file, "").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        put(&link, b"new").expect("written");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).expect("it is there"), b"new");
        put(Path::new("/dev/null"), b"new").expect("written");
        assert!(!std::fs::metadata("/dev/null").expect("it is there").is_file());
    }

    #[test]
    fn a_place_that_cannot_be_written_to_is_known_before() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("a.rules");
        may_put(&path).expect("there is room");
        assert!(std::fs::read_dir(home.path()).expect("a folder").next().is_none());
        std::fs::create_dir(home.path().join("a.rules.part")).expect("made");
        let words = may_put(&path).expect_err("refused").to_string();
        assert_eq!(words, format!("cannot write {}", path.display()));
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
