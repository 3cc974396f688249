//! Files of games that are only ever added to.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use indicatif::ProgressBar;

use crate::crew::Crew;

/// Games that each thread plays between two writes: what a process that is killed loses.
const BETWEEN_WRITES: u64 = 8;

/// A game as such a file holds it.
pub(crate) trait Kept: Sized + Send {
    /// The game as bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Bytes of whole games that a file begins with: less than all where it was cut short.
    fn whole(bytes: &[u8]) -> usize;
}

/// Demands on a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Games there shall be, count.
    pub games: u64,
    /// Games between two lines that say how far it is, count above 0.
    pub between_lines: u64,
    /// Threads that play them.
    pub crew: Crew,
}

/// The games of a file, played on until there are as many as are wanted; which they are does not depend on how
/// often it was broken off, nor on the number of threads.
///
/// - `read`: whole games from bytes.
/// - `game`: the game of a number.
///
/// # Errors
/// A file that cannot be read or written, or that holds something else.
pub(crate) fn play_on<T: Kept>(
    path: &Path,
    wanted: Wanted,
    read: impl Fn(&[u8]) -> anyhow::Result<Vec<T>>,
    game: impl Fn(u64) -> T + Sync,
    out: &mut impl Write,
) -> anyhow::Result<Vec<T>> {
    let named = || format!("{}", path.display());
    let bytes = if path.exists() { std::fs::read(path).with_context(named)? } else { Vec::new() };
    // A process that was killed leaves half a game, which is played again.
    let whole = &bytes[..T::whole(&bytes)];
    let mut games = read(whole).with_context(named)?;
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(named)?;
    file.set_len(whole.len() as u64).with_context(named)?;
    let Wanted { games: wanted, between_lines, crew } = wanted;
    while (games.len() as u64) < wanted {
        let begun = games.len() as u64;
        let next_line = (begun / between_lines + 1) * between_lines;
        let together = BETWEEN_WRITES * crew.threads.get() as u64;
        let end = wanted.min(next_line).min(begun + together);
        let numbers: Vec<u64> = (begun..end).collect();
        let played = crew.map(&numbers, 0, &ProgressBar::hidden(), |&number, _| game(number));
        let bytes: Vec<u8> = played.iter().flat_map(Kept::to_bytes).collect();
        file.write_all(&bytes).with_context(named)?;
        games.extend(played);
        if end == next_line || end == wanted {
            writeln!(out, "{end} of {wanted} games")?;
        }
    }
    Ok(games)
}
