//! A book's file: made, opened to be read or to be written, and refused where it is none.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use banyan_games::gomoku::Variant;
use banyan_games::{Kind, Listed, Rules, Terms};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _};

use crate::error::BookError;
use crate::schema::{APPLICATION, FORMAT, IMPORTED, TABLES};

/// A reader waits for a writer's commit, and a writer for readers, at most so long.
const PATIENCE: Duration = Duration::from_millis(if cfg!(test) { 50 } else { 5000 });

/// Files up to this size are looked through when they are opened: that takes milliseconds.
const LOOKED_THROUGH_MAX: u64 = 16 << 20;

/// The row of `meta` for the least time that a position was thought about, in seconds; missing or 0 where that is
/// unknown, or was bounded otherwise.
pub(crate) const LEAF_SECONDS: &str = "seconds a position";

/// The row of `meta` for how positions were valued last, in words; missing where games alone value them.
pub(crate) const LAST_MEANS: &str = "last built with";

/// Use that is wanted of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Its moves.
    Read,
    /// To change it; a book that is not there is made.
    Write,
}

/// Facts that a book states of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The name of its game.
    pub game: String,
    /// Its rules in words: size, komi, variant.
    pub rules: String,
    /// The size as command lines write it.
    pub size: String,
    /// All rows of its table `meta`.
    pub rows: BTreeMap<String, String>,
}

/// An open book.
#[derive(Debug)]
pub struct BookFile {
    /// The database.
    pub(crate) connection: Connection,
    /// Its name, for people.
    pub(crate) name: String,
    /// Held while the book is open to be written; after the connection, which must be closed first.
    _lock: Option<File>,
}

impl BookFile {
    /// Opens a book for a game by these rules.
    pub fn open<G: Listed>(
        path: &Path,
        rules: &G::Rules,
        access: Access,
    ) -> Result<BookFile, BookError> {
        let is_there = path.exists();
        let file = match access {
            Access::Read if !is_there => {
                let game = G::KIND.name().to_owned();
                return Err(BookError::Missing { file: path.to_owned(), game });
            }
            Access::Read => BookFile::reading(path)?,
            Access::Write => BookFile::writing(path)?,
        };
        // A file that an earlier process made and could not fill.
        let is_empty = std::fs::metadata(path).is_ok_and(|it| it.len() == 0);
        if access == Access::Write && (!is_there || is_empty) {
            file.create::<G>(rules)?;
        }
        file.examine(std::fs::metadata(path).map_or(0, |it| it.len()))?;
        file.is_for::<G>(rules)?;
        Ok(file)
    }

    /// A book in memory, to be read.
    pub fn of_bytes(name: &str, bytes: &'static [u8]) -> Result<BookFile, BookError> {
        let wrong = |source| BookError::of(name, source);
        let mut connection = Connection::open_in_memory().map_err(wrong)?;
        connection.deserialize_bytes("main", bytes).map_err(wrong)?;
        let file = BookFile { connection, name: name.to_owned(), _lock: None };
        file.examine(0)?;
        Ok(file)
    }

    pub(crate) fn reading(path: &Path) -> Result<BookFile, BookError> {
        refuse_folder(path)?;
        let name = path.display().to_string();
        // A crash may have left a journal behind, which a reader rolls back: that takes the right to write.
        let flags = [OpenFlags::SQLITE_OPEN_READ_WRITE, OpenFlags::SQLITE_OPEN_READ_ONLY];
        let open =
            |flags| Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let connection = open(flags[0]).or_else(|_| open(flags[1]));
        let connection = connection.map_err(|source| BookError::of(&name, source))?;
        let file = BookFile { connection, name, _lock: None };
        file.settle(|it| it.pragma_update(None, "query_only", true))?;
        Ok(file)
    }

    fn writing(path: &Path) -> Result<BookFile, BookError> {
        refuse_folder(path)?;
        let lock = lock(path)?;
        let name = path.display().to_string();
        let connection = Connection::open(path).map_err(|source| BookError::of(&name, source))?;
        let file = BookFile { connection, name, _lock: Some(lock) };
        // Each commit is on the disk before the next begins.
        file.settle(|it| {
            it.pragma_update(None, "synchronous", "FULL")?;
            it.pragma_update(None, "foreign_keys", true)
        })?;
        Ok(file)
    }

    fn settle(
        &self,
        more: impl FnOnce(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), BookError> {
        self.asking(|it| {
            it.busy_timeout(PATIENCE)?;
            more(it)
        })
    }

    /// Asks the database; what it refuses is said in words.
    pub(crate) fn asking<T>(
        &self,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, BookError> {
        ask(&self.connection).map_err(|source| BookError::of(&self.name, source))
    }

    fn create<G: Listed>(&self, rules: &G::Rules) -> Result<(), BookError> {
        let mut facts = vec![
            ("game", G::KIND.name().to_owned()),
            ("rules", rules.to_string()),
            ("size", G::new(rules).size().to_string()),
            ("made by", format!("Banyan {}", env!("CARGO_PKG_VERSION"))),
        ];
        match rules.clone().into() {
            // In half points.
            Rules::Go(go) => facts.push(("komi", go.komi().to_string())),
            Rules::Gomoku(gomoku) => facts.push(("variant", gomoku.variant().name().to_owned())),
            _ => {}
        }
        self.asking(|it| {
            let change = it.unchecked_transaction()?;
            it.execute_batch(TABLES)?;
            it.execute_batch(IMPORTED)?;
            it.pragma_update(None, "application_id", APPLICATION)?;
            it.pragma_update(None, "user_version", FORMAT)?;
            for (name, value) in &facts {
                it.execute("INSERT INTO meta VALUES (?, ?)", (name, value))?;
            }
            change.commit()
        })
    }

    /// Refuses what is no book, or none of this format, or is seen to be damaged.
    fn examine(&self, bytes: u64) -> Result<(), BookError> {
        let number = |name| self.asking(|it| it.pragma_query_value(None, name, |row| row.get(0)));
        let found: i64 = number("application_id")?;
        if found != APPLICATION {
            let is_empty = found == 0 && number("page_count")? == 0;
            let reason = if is_empty { "it is empty" } else { "a database of another program" };
            let reason = reason.to_owned();
            return Err(BookError::NoBook { file: self.name.clone(), reason });
        }
        let found: i64 = number("user_version")?;
        if found != FORMAT {
            return Err(BookError::Format { file: self.name.clone(), found, known: FORMAT });
        }
        if bytes <= LOOKED_THROUGH_MAX {
            let said: String =
                self.asking(|it| it.pragma_query_value(None, "quick_check", |row| row.get(0)))?;
            if said != "ok" {
                return Err(self.damaged(said));
            }
        }
        Ok(())
    }

    /// Refuses a book of other rules.
    pub(crate) fn is_for<G: Listed>(&self, rules: &G::Rules) -> Result<(), BookError> {
        let facts = self.facts()?;
        let expected = rules.to_string();
        if facts.rules == expected {
            return Ok(());
        }
        Err(BookError::Rules { file: self.name.clone(), found: facts.rules, expected })
    }

    /// Reads what the book says of itself.
    pub(crate) fn facts(&self) -> Result<Facts, BookError> {
        let rows: BTreeMap<String, String> = self.asking(|it| {
            let mut rows = it.prepare("SELECT name, value FROM meta")?;
            rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })?;
        let fact = |name: &str| {
            let missing = || self.damaged(format!("its table meta has no row '{name}'"));
            rows.get(name).cloned().ok_or_else(missing)
        };
        let (game, rules, size) = (fact("game")?, fact("rules")?, fact("size")?);
        Ok(Facts { game, rules, size, rows })
    }

    /// As [`Facts::leaf_time`].
    pub(crate) fn leaf_time(&self) -> Result<Option<Duration>, BookError> {
        let row: Option<String> = self.asking(|it| {
            let mut rows = it.prepare_cached("SELECT value FROM meta WHERE name = ?")?;
            rows.query_row([LEAF_SECONDS], |row| row.get(0)).optional()
        })?;
        Ok(row.as_deref().and_then(seconds))
    }

    pub(crate) fn damaged(&self, reason: String) -> BookError {
        BookError::Damaged { file: self.name.clone(), reason }
    }
}

/// Reads what the book in a file says of itself, whichever game's it is.
///
/// # Errors
/// [`BookError`] for what is no whole book.
pub fn facts(path: &Path) -> Result<Facts, BookError> {
    if !path.exists() {
        return Err(BookError::Missing { file: path.to_owned(), game: "GAME".to_owned() });
    }
    let file = BookFile::reading(path)?;
    file.examine(std::fs::metadata(path).map_or(0, |it| it.len()))?;
    file.facts()
}

impl Facts {
    /// The least time that any of its positions was thought about; nothing where that is unknown.
    pub fn leaf_time(&self) -> Option<Duration> {
        self.rows.get(LEAF_SECONDS).and_then(|row| seconds(row))
    }

    /// How its positions were valued last, in words; nothing where games alone value them.
    pub fn last_means(&self) -> Option<&str> {
        self.rows.get(LAST_MEANS).map(String::as_str)
    }

    /// The rules, as a value; nothing where this program has no such game.
    pub fn terms(&self) -> Option<Rules> {
        let row = |name: &str| self.rows.get(name).map(String::as_str);
        let game: Kind = self.game.parse().ok()?;
        let (width, height) = self.size.split_once('x').unwrap_or((&self.size, &self.size));
        let (width, height) = (width.parse().ok()?, height.parse().ok()?);
        let komi = row("komi").map_or(Ok(0), str::parse).ok()?;
        let variant = row("variant").map_or(Ok(Variant::default()), str::parse).ok()?;
        Rules::new(game, Terms { width, height, komi, variant }).ok()
    }
}

/// A time above 0, in seconds.
fn seconds(text: &str) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
    (!time.is_zero()).then_some(time)
}

/// A database says of a folder no more than a number.
fn refuse_folder(path: &Path) -> Result<(), BookError> {
    let (file, reason) = (path.display().to_string(), "it is a folder".to_owned());
    if path.is_dir() { Err(BookError::NoBook { file, reason }) } else { Ok(()) }
}

/// The right to write a book. The system takes it back from a process that ends in any way; the file stays.
fn lock(path: &Path) -> Result<File, BookError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let at = PathBuf::from(name);
    let failed = |source: io::Error| BookError::Io { file: path.to_owned(), source };
    let mut options = OpenOptions::new();
    let file = options.create(true).truncate(false).write(true).open(&at).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(BookError::Busy(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;

    #[test]
    fn a_change_that_was_broken_off_is_taken_back_where_the_book_may_be_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let [book, copy] = ["a.book", "copy.book"].map(|name| folder.path().join(name));
        let file = BookFile::open::<Othello>(&book, &OthelloRules, Access::Write).expect("a book");
        // More than the cache holds: the file is half written, and the journal says how it was.
        let change =
            "PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN; CREATE TABLE more (text);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
            INSERT INTO more SELECT hex(zeroblob(500)) FROM n;";
        file.asking(|it| it.execute_batch(change)).expect("room");
        for ending in ["", "-journal"] {
            let name = |path: &Path| format!("{}{ending}", path.display());
            std::fs::copy(name(&book), name(&copy)).expect("both are there");
        }
        let name = copy.display().to_string();
        let opened = Connection::open_with_flags(&copy, OpenFlags::SQLITE_OPEN_READ_ONLY);
        let connection = opened.expect("a file");
        let read_only = BookFile { connection, name, _lock: None };
        let refused = read_only.examine(0).expect_err("a journal").to_string();
        assert!(refused.contains("a change that was broken off has to be taken back"), "{refused}");
        drop(read_only);
        BookFile::open::<Othello>(&copy, &OthelloRules, Access::Read).expect("it was taken back");
    }

    #[test]
    fn a_folder_is_no_book() {
        let folder = tempfile::tempdir().expect("a folder");
        let opened =
            |access| BookFile::open::<Othello>(folder.path(), &OthelloRules, access).map(drop);
        for refused in [opened(Access::Read), opened(Access::Write), facts(folder.path()).map(drop)]
        {
            let refused = refused.expect_err("a folder").to_string();
            assert!(refused.ends_with("is no book: it is a folder"), "{refused}");
        }
    }
}
