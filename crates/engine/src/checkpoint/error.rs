//! Reasons why a file is not gone on from: what was found, and what was expected.

use banyan_proto::bytes::BytesError;
use banyan_search::ImageError;

use crate::search::progress::ProgressError;

/// A checkpoint that cannot be used; its file is as it was.
#[derive(Debug, thiserror::Error)]
#[error("{file} {reason}")]
pub struct CheckpointError {
    /// The file.
    pub file: String,
    /// Reason.
    pub reason: FileError,
}

/// Reasons why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(std::io::Error),
    /// It could not be written, so that the search would be lost.
    #[error("cannot be written as a checkpoint: {0}")]
    Write(std::io::Error),
    /// Not a plain file.
    #[error("is no file: expected a name for one, or one that banyan wrote")]
    Kind,
    /// Another process has it.
    #[error("is being written by another search: give each its own file")]
    Taken,
    /// Something else.
    #[error("is no checkpoint of banyan: it begins with '{0}'; it is left as it is")]
    NotOne(String),
    /// Written by another build.
    #[error(
        "is a checkpoint of format {found}, and this build reads format {expected}; it is left as it is"
    )]
    Version {
        /// Its format.
        found: String,
        /// This build's.
        expected: u32,
    },
    /// Cut off.
    #[error("ends in the middle of its {0}; it is left as it is")]
    Truncated(&'static str),
    /// Longer than it should be.
    #[error("goes on for {0} bytes after its end; it is left as it is")]
    Trailing(u64),
    /// Bits have changed.
    #[error(
        "is corrupt: the checksum of its {part} is {found:08x} instead of {expected:08x}; it is left as it is"
    )]
    Checksum {
        /// Part that the checksum is of.
        part: &'static str,
        /// The number that its bytes give.
        found: u32,
        /// The number that is written there.
        expected: u32,
    },
    /// A count that cannot be.
    #[error("has {what} {found}, at most {max}; it is left as it is")]
    TooLarge {
        /// Name of the quantity.
        what: &'static str,
        /// Number found.
        found: u64,
        /// The limit.
        max: u64,
    },
    /// The part in words.
    #[error("has a header that cannot be read: {0}; it is left as it is")]
    Header(serde_json::Error),
    /// Another search's.
    #[error(
        "belongs to another search: {what} is '{found}' there and '{expected}' here; it is left as it is"
    )]
    Foreign {
        /// The part that differs.
        what: &'static str,
        /// There.
        found: String,
        /// Here.
        expected: String,
    },
    /// The nodes.
    #[error("holds no tree of this position: {0}; it is left as it is")]
    Tree(#[from] ImageError),
    /// The counts.
    #[error("holds counts that do not fit its tree: {0}; it is left as it is")]
    Progress(#[from] ProgressError),
    /// The batches in flight.
    #[error("holds batches that cannot be read: {0}; it is left as it is")]
    Batches(#[from] BytesError),
    /// The batches in flight are some other message.
    #[error("holds {found} batches in flight instead of {expected}; it is left as it is")]
    Missing {
        /// Number that was there.
        found: usize,
        /// Number that should be there.
        expected: usize,
    },
}
