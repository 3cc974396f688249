//! Files of games that are only ever added to.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, ensure};
use banyan_games::Rules;
use banyan_selfplay::patterns::Practice;
use banyan_selfplay::patterns::kept::Kept;

use crate::practisers::Practisers;

/// Games of a job, about: as many are asked for at a time as keep everybody busy.
const GAMES_PER_JOB: u64 = 4;

/// Bits of a game's seed below those of its file's: those of its number.
pub(crate) const NUMBER_BITS: u32 = 40;

/// Largest seed of a file.
pub(crate) const SEED_MAX: u64 = u64::MAX >> NUMBER_BITS;

/// Demands on a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// The game's rules.
    pub rules: &'a Rules,
    /// What its games are; the seed of the first of the file.
    pub practice: Practice,
    /// Games there shall be, count.
    pub games: u64,
    /// Games between two lines that say how far it is, count above 0.
    pub between_lines: u64,
}

/// Bytes of the whole games, or other records, of a file; nothing where there is none.
///
/// # Errors
/// A file that cannot be read; one that goes on with something else than what a killed process leaves, a part of one.
pub(crate) fn whole_bytes<T: Kept>(path: &Path) -> anyhow::Result<Vec<u8>> {
    let named = || format!("{}", path.display());
    let mut bytes =
        if path.exists() { std::fs::read(path).with_context(named)? } else { Vec::new() };
    let whole = T::whole(&bytes);
    let rest = bytes.split_off(whole);
    let what = "damaged, or another file: expected games, of which the last may be cut short";
    let all = whole + rest.len();
    ensure!(T::is_cut(&rest), "{}: {what}; after byte {whole} of {all} there is none", named());
    Ok(bytes)
}

/// The games of a file, played on until there are as many as are wanted; which they are does not depend on how
/// often it was broken off, nor on who plays them.
///
/// - `read`: whole games from bytes.
///
/// # Errors
/// A file that cannot be read or written, or that holds something else; what keeps games from being played.
pub(crate) fn play_on<T: Kept>(
    path: &Path,
    wanted: Wanted<'_>,
    read: impl Fn(&[u8]) -> anyhow::Result<Vec<T>>,
    practisers: &dyn Practisers,
    out: &mut impl Write,
) -> anyhow::Result<Vec<T>> {
    let named = || format!("{}", path.display());
    // A process that was killed leaves half a game, which is played again.
    let whole = whole_bytes::<T>(path)?;
    let mut games = read(&whole).with_context(named)?;
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(named)?;
    file.set_len(whole.len() as u64).with_context(named)?;
    let Wanted { rules, practice, games: wanted, between_lines } = wanted;
    while (games.len() as u64) < wanted {
        let begun = games.len() as u64;
        let together = GAMES_PER_JOB * practisers.jobs_at_once().max(1) as u64;
        let end = wanted.min(begun + together);
        let first = practice.seed.wrapping_add(begun);
        let asked = Practice { seed: first, games: (end - begun) as u32, ..practice };
        let parts = asked.parts(rules.kind());
        let bytes = practisers.play(rules, &parts)?.concat();
        let played = read(&bytes)?;
        ensure!(played.len() as u64 == end - begun, "{} games of {}", played.len(), end - begun);
        file.write_all(&bytes).with_context(named)?;
        games.extend(played);
        if begun / between_lines != end / between_lines || end == wanted {
            writeln!(out, "{end} of {wanted} games")?;
        }
    }
    if let Some(by) = practisers.told() {
        writeln!(out, "games {by}")?;
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use banyan_games::{Color, Move};
    use banyan_selfplay::patterns::line_games::{Ply, Recorded};

    use super::*;

    #[test]
    fn half_a_game_is_left_out_and_anything_else_is_refused_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("gomoku.games");
        assert!(whole_bytes::<Recorded>(&path).expect("no file, no games").is_empty());
        let plies = (0..9).map(|at| Ply { mv: Move(at), best: Move(at), value: 7 });
        let game = Recorded { plies: plies.collect(), winner: Some(Color::Black) }.to_bytes();
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("a file");
            whole_bytes::<Recorded>(&path).map_err(|why| why.to_string())
        };
        let games = game.repeat(3);
        assert_eq!(read(&games), Ok(games.clone()));
        assert_eq!(read(&games[..games.len() - 1]), Ok(game.repeat(2)));
        let mut damaged = games.clone();
        damaged[game.len() + 1] = 0xff;
        let why = read(&damaged).expect_err("the second game is of too many plies");
        let (end, all) = (game.len(), games.len());
        assert!(why.ends_with(&format!("after byte {end} of {all} there is none")), "{why}");
        read(b"# games that I like").expect_err("somebody's text");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"# games that I like");
    }
}
