//! Errors of a book, in words for people.

use std::path::PathBuf;

use banyan_games::Kind;

/// A book that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// No such file.
    #[error("there is no book {}: `banyan book build --game {game} --book {}` makes one", .file.display(), .file.display())]
    Missing {
        /// The file.
        file: PathBuf,
        /// The game that it is wanted for.
        game: String,
    },
    /// Another writer has it.
    #[error("{}: another process is writing this book: expected it to have ended", .0.display())]
    Busy(PathBuf),
    /// Somebody reads it all the while.
    #[error(
        "{file}: another program has been reading this book for long: expected it to have ended"
    )]
    Held {
        /// Its name.
        file: String,
    },
    /// Not a book.
    #[error("{file} is no book: {reason}")]
    NoBook {
        /// Its name.
        file: String,
        /// The fault.
        reason: String,
    },
    /// A book of a later program.
    #[error("{file} is a book of format {found}, and this program knows format {known}")]
    Format {
        /// Its name.
        file: String,
        /// The format in the file.
        found: i64,
        /// The format of this program.
        known: i64,
    },
    /// A book for other rules.
    #[error("{file} is a book of {found}: expected {expected}")]
    Rules {
        /// Its name.
        file: String,
        /// The rules in the file.
        found: String,
        /// The rules that are played by.
        expected: String,
    },
    /// Contents that cannot be.
    #[error("{file} is damaged: {reason}: expected a whole book")]
    Damaged {
        /// Its name.
        file: String,
        /// The fault.
        reason: String,
    },
    /// No room.
    #[error(
        "{file}: the disk is full: the book is whole as it was before the last change, and goes on once there is room"
    )]
    Full {
        /// Its name.
        file: String,
    },
    /// A writer was killed in the middle of a change, and here nobody may write.
    #[error(
        "{file}: a change that was broken off has to be taken back first, and the book may not be written here: \
         expected it to be opened once where it may be, such as by `banyan book check --book {file}`"
    )]
    BrokenOff {
        /// Its name.
        file: String,
    },
    /// The operating system.
    #[error("{}: {source}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
    /// The database.
    #[error("{file}: {source}")]
    Database {
        /// Its name.
        file: String,
        /// Reason.
        source: rusqlite::Error,
    },
    /// A move that is none.
    #[error("move {number}: {reason}")]
    Move {
        /// From 1.
        number: usize,
        /// Reason.
        reason: String,
    },
    /// Another game in a file to import.
    #[error("a game of {found}: expected {expected}")]
    OtherGame {
        /// The game found.
        found: Kind,
        /// The book's.
        expected: Kind,
    },
}

impl BookError {
    /// Error of a database, in words; `file` is the book's name.
    pub(crate) fn of(file: &str, source: rusqlite::Error) -> BookError {
        use rusqlite::ErrorCode;
        let file = file.to_owned();
        let reason = source.to_string();
        if let rusqlite::Error::IntegralValueOutOfRange(..) = source {
            return BookError::Damaged { file, reason };
        }
        let extended = source.sqlite_error().map(|it| it.extended_code);
        if extended == Some(rusqlite::ffi::SQLITE_READONLY_ROLLBACK) {
            return BookError::BrokenOff { file };
        }
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => BookError::NoBook { file, reason },
            Some(ErrorCode::DatabaseCorrupt) => BookError::Damaged { file, reason },
            Some(ErrorCode::DiskFull) => BookError::Full { file },
            Some(ErrorCode::DatabaseBusy) => BookError::Held { file },
            _ => BookError::Database { file, source },
        }
    }
}
