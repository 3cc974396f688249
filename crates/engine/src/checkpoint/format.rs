//! The bytes of a checkpoint: a line of text, a header in JSON, the tree's lists, the batches in flight.
//!
//! ```text
//! banyan checkpoint 6\n
//! u32 length of the header, header (JSON), u32 CRC-32 of all so far
//! for each column of the tree's nodes: one number a node, in the order of `banyan_search::Nodes`
//! for every few batches in flight: u32 length, a message of `cluster.proto` that lends them
//! u32 CRC-32 of all so far
//! ```
//! All numbers are little-endian.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use banyan_games::Move;
use banyan_jobs::{Attempt, Lent, Scores, ToWorker, limits};
use banyan_proto::bytes;
use banyan_search::{Cell, ColumnSink, ColumnSource, Image, Nodes, Owners};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use super::{FileError, Identity};
use crate::search::Sums;
use crate::search::progress::{Airborne, Progress, Standing};
use crate::sizing::Size;

/// Version of this format: a build reads no other.
pub(super) const VERSION: u32 = 6;

const TITLE: &str = "banyan checkpoint ";

/// The first line is never longer.
const TITLE_BYTES_MAX: usize = 32;

/// A game of thousands of plies and a flight for each batch that can be in flight.
const HEADER_BYTES_MAX: u32 = 16 << 20;

/// Numbers are turned into bytes, and bytes read, so many at a time.
pub(super) const CHUNK_BYTES: usize = 1 << 16;

/// Batches of one message: so many of subtrees stay below its limit.
const BATCHES_PER_MESSAGE: usize = 32;

/// The contents of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Written {
    pub standing: Standing,
    /// Time that the search has taken.
    pub elapsed: Duration,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    search: Identity,
    milliseconds: u64,
    nodes: u64,
    root: u32,
    batches: u64,
    batch_playouts: u32,
    batch_is_subtree: bool,
    playouts: u64,
    taken_back: u64,
    owner_playouts: u64,
    ownership: Vec<i64>,
    /// Counts of the tree: single playouts, what Black won of them, for each point how often Black and how often the
    /// winner held it, and whether the root's moves were weighed by it.
    owners: (u64, i64, Vec<(i64, i64)>, bool),
    /// Scores of the root's moves that have some: the move, its playouts, the sum of their margins.
    scores: Vec<(u16, u64, i64)>,
    /// Nodes of the path of each batch in flight, count.
    flights: Vec<usize>,
    /// Playouts made to be sure of claims; files of before have none.
    #[serde(default)]
    made_sure: u64,
    /// Moves from the root to a node that is to be judged next; files of before have none.
    #[serde(default)]
    asking: Option<Vec<u16>>,
}

/// Writes a search down.
///
/// # Errors
/// Whatever `to` says.
pub(super) fn write(to: &mut impl Write, search: &Identity, it: &Written) -> io::Result<()> {
    let mut to = Output { to, crc: Hasher::new() };
    let header = serde_json::to_vec(&header(search, it))?;
    to.write_all(format!("{TITLE}{VERSION}\n").as_bytes())?;
    to.write_all(&(header.len() as u32).to_le_bytes())?;
    to.write_all(&header)?;
    to.write_checksum()?;
    it.standing.image.nodes.write_to(&mut to)?;
    for flights in it.standing.progress.flights.chunks(BATCHES_PER_MESSAGE) {
        let lent = |flight: &Airborne| Lent {
            batch: Arc::new(flight.batch.clone()),
            attempt: Attempt::default(),
        };
        let message = bytes::of_to_worker(ToWorker::Lend(flights.iter().map(lent).collect()));
        to.write_all(&(message.len() as u32).to_le_bytes())?;
        to.write_all(&message)?;
    }
    to.write_checksum()
}

fn header(search: &Identity, it: &Written) -> Header {
    let Standing { image, progress } = &it.standing;
    let Progress { batches, size, sums, flights, made_sure, asking } = progress;
    let Sums { playouts, taken_back, owner_playouts, ownership, scores } = sums;
    let scored = |&Scores { mv, playouts, margin_sum }: &Scores| (mv.0, playouts, margin_sum);
    let Owners { playouts: singles, won, held, held_by_winner, is_used } = &image.owners;
    let points = held.iter().copied().zip(held_by_winner.iter().copied()).collect();
    Header {
        search: search.clone(),
        milliseconds: it.elapsed.as_millis() as u64,
        nodes: image.nodes.len() as u64,
        root: image.root,
        batches: *batches,
        batch_playouts: size.playouts,
        batch_is_subtree: size.is_subtree,
        playouts: *playouts,
        taken_back: *taken_back,
        owner_playouts: *owner_playouts,
        ownership: ownership.clone(),
        owners: (*singles, *won, points, *is_used),
        scores: scores.iter().map(scored).collect(),
        flights: flights.iter().map(|flight| flight.nodes).collect(),
        made_sure: *made_sure,
        asking: asking.as_ref().map(|moves| moves.iter().map(|mv| mv.0).collect()),
    }
}

/// Counts what is written into a checksum.
struct Output<W> {
    to: W,
    crc: Hasher,
}

impl<W: Write> Output<W> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.to.write_all(bytes)
    }

    fn write_checksum(&mut self) -> io::Result<()> {
        let crc = self.crc.clone().finalize();
        self.write_all(&crc.to_le_bytes())
    }
}

impl<W: Write> ColumnSink for Output<W> {
    type Error = io::Error;

    fn put<C: Cell>(&mut self, column: &[C]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(CHUNK_BYTES);
        for chunk in column.chunks(CHUNK_BYTES / C::BYTES) {
            bytes.clear();
            chunk.iter().for_each(|&cell| cell.append_to(&mut bytes));
            self.write_all(&bytes)?;
        }
        Ok(())
    }
}

/// Reads what [`write`] wrote of the search `expected`.
///
/// No more memory is taken than a small multiple of `length`, the number of bytes there are.
///
/// # Errors
/// [`FileError`] for anything else.
pub(super) fn read(
    from: impl Read,
    length: u64,
    expected: &Identity,
) -> Result<Written, FileError> {
    let mut from = Input { from, left: length, crc: Hasher::new() };
    from.read_title()?;
    let header: Header = from.read_header()?;
    expected.expect(&header.search)?;
    let max = from.left / Nodes::IMAGE_BYTES as u64;
    if header.nodes > max {
        return Err(FileError::Truncated("tree"));
    }
    let nodes = header.nodes as usize;
    let (singles, won, points, is_used) = header.owners;
    let (held, held_by_winner) = points.into_iter().unzip();
    let image = Image {
        root: header.root,
        owners: Owners { playouts: singles, won, held, held_by_winner, is_used },
        nodes: Nodes::read_from(nodes, &mut from)?,
    };
    let flights = from.read_flights(&header.flights)?;
    from.read_checksum("tree")?;
    if from.left > 0 {
        return Err(FileError::Trailing(from.left));
    }
    let size = Size { is_subtree: header.batch_is_subtree, playouts: header.batch_playouts };
    let Header { batches, playouts, taken_back, owner_playouts, ownership, scores, .. } = header;
    let made_sure = header.made_sure;
    let asking = header.asking.map(|moves| moves.into_iter().map(Move).collect());
    let scored = |(mv, playouts, margin_sum)| Scores { mv: Move(mv), playouts, margin_sum };
    let scores = scores.into_iter().map(scored).collect();
    let sums = Sums { playouts, taken_back, owner_playouts, ownership, scores };
    let progress = Progress { batches, size, sums, flights, made_sure, asking };
    let elapsed = Duration::from_millis(header.milliseconds);
    Ok(Written { standing: Standing { image, progress }, elapsed })
}

/// Bytes of which it is known how many there are, counted into a checksum.
struct Input<R> {
    from: R,
    left: u64,
    crc: Hasher,
}

impl<R: Read> Input<R> {
    /// So many bytes, which must be there before memory is taken for them.
    fn read(&mut self, count: u64, part: &'static str) -> Result<Vec<u8>, FileError> {
        if count > self.left {
            return Err(FileError::Truncated(part));
        }
        let mut bytes = vec![0; count as usize];
        self.read_into(&mut bytes, part)?;
        Ok(bytes)
    }

    fn read_into(&mut self, bytes: &mut [u8], part: &'static str) -> Result<(), FileError> {
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => FileError::Truncated(part),
            _ => FileError::Read(error),
        })?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        self.crc.update(bytes);
        Ok(())
    }

    fn read_number(&mut self, part: &'static str) -> Result<u32, FileError> {
        let bytes = self.read(4, part)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn read_title(&mut self) -> Result<(), FileError> {
        let mut line = Vec::new();
        while line.last() != Some(&b'\n') && line.len() < TITLE_BYTES_MAX && self.left > 0 {
            line.extend(self.read(1, "title")?);
        }
        let text: String = String::from_utf8_lossy(&line).escape_debug().collect();
        let Some(version) = line.strip_prefix(TITLE.as_bytes()) else {
            return Err(FileError::NotOne(text));
        };
        match version.strip_suffix(b"\n") {
            Some(version) if version == VERSION.to_string().as_bytes() => Ok(()),
            Some(version) => Err(FileError::Version {
                found: String::from_utf8_lossy(version).into(),
                expected: VERSION,
            }),
            None if self.left == 0 => Err(FileError::Truncated("title")),
            None => Err(FileError::NotOne(text)),
        }
    }

    fn read_header(&mut self) -> Result<Header, FileError> {
        let length = self.read_number("header")?;
        if length > HEADER_BYTES_MAX {
            let (found, max) = (length.into(), HEADER_BYTES_MAX.into());
            return Err(FileError::TooLarge { what: "a header of bytes:", found, max });
        }
        let bytes = self.read(length.into(), "header")?;
        self.read_checksum("header")?;
        serde_json::from_slice(&bytes).map_err(FileError::Header)
    }

    fn read_checksum(&mut self, part: &'static str) -> Result<(), FileError> {
        let found = self.crc.clone().finalize();
        let expected = self.read_number(part)?;
        if found != expected {
            return Err(FileError::Checksum { part, found, expected });
        }
        Ok(())
    }

    fn read_flights(&mut self, nodes: &[usize]) -> Result<Vec<Airborne>, FileError> {
        let mut flights = Vec::new();
        for nodes in nodes.chunks(BATCHES_PER_MESSAGE) {
            let length = self.read_number("batches in flight")?;
            if length as usize > limits::MESSAGE_BYTES_MAX {
                let (found, max) = (length.into(), limits::MESSAGE_BYTES_MAX as u64);
                return Err(FileError::TooLarge { what: "a message of bytes:", found, max });
            }
            let message = bytes::read_to_worker(&self.read(length.into(), "batches in flight")?)?;
            let ToWorker::Lend(lent) = message else {
                return Err(FileError::Missing { found: 0, expected: nodes.len() });
            };
            if lent.len() != nodes.len() {
                return Err(FileError::Missing { found: lent.len(), expected: nodes.len() });
            }
            flights.extend(
                nodes.iter().zip(lent).map(|(&nodes, lent)| Airborne {
                    batch: Arc::unwrap_or_clone(lent.batch),
                    nodes,
                }),
            );
        }
        Ok(flights)
    }
}

impl<R: Read> ColumnSource for Input<R> {
    type Error = FileError;

    fn take<C: Cell>(&mut self, count: usize) -> Result<Vec<C>, FileError> {
        let mut column = Vec::with_capacity(count);
        let mut bytes = vec![0; CHUNK_BYTES];
        while column.len() < count {
            let cells = (count - column.len()).min(CHUNK_BYTES / C::BYTES);
            let chunk = &mut bytes[..cells * C::BYTES];
            self.read_into(chunk, "tree")?;
            column.extend(chunk.chunks_exact(C::BYTES).map(C::of_bytes));
        }
        Ok(column)
    }
}
