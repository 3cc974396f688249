//! The file of positions that searches judge: a fixed number of each game, only ever added to.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use banyan_games::rng::{Rng, mix};
use banyan_search::Searchable;
use banyan_selfplay::patterns::kept::Kept as _;
use banyan_selfplay::patterns::line_games::{Recorded, UNKNOWN};
use banyan_selfplay::patterns::lines::Player;

use crate::crew::Crew;
use crate::meter::Meter;

/// Games between two writes.
const GAMES_A_WRITE: usize = 32;

/// Positions of another folder, and how many of each game there are.
pub(super) type Others = (Vec<Recorded>, usize);

/// The positions of a file of another folder, whose name says the game and how many there are of each.
///
/// # Errors
/// Another name; a file that cannot be read, is cut short or holds moves that are not legal.
pub(super) fn read<G: Searchable>(path: &Path, root: &G) -> anyhow::Result<Others> {
    let named = || format!("{}", path.display());
    let game = root.rules().clone().into().kind().name();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let count = name.strip_suffix(".leaves").and_then(|name| name.strip_prefix(game));
    let count = count.and_then(|count| count.strip_prefix('.')?.parse().ok());
    let count = count.filter(|&count: &usize| count > 0).with_context(|| {
        format!("--also {}: expected a file {game}.N.leaves, positions of searches", named())
    })?;
    let bytes = std::fs::read(path).with_context(named)?;
    Ok((Recorded::read_all(&bytes, root).with_context(named)?, count))
}

/// So many positions of each game, taken by these threads; the same whoever takes them and how often that was broken
/// off.
///
/// # Errors
/// A file that cannot be read or written, or that holds something else.
pub(super) fn taken<G: Searchable>(
    path: &Path,
    (player, crew): (&Player<G>, Crew),
    (games, count): (&[Recorded], usize),
    seed: u64,
    out: &mut impl Write,
) -> anyhow::Result<Vec<Recorded>> {
    let named = || format!("{}", path.display());
    let bytes = if path.exists() { std::fs::read(path).with_context(named)? } else { Vec::new() };
    // A process that was killed leaves half a record.
    let whole = &bytes[..Recorded::whole(&bytes)];
    let mut leaves = Recorded::read_all(whole, &player.root).with_context(named)?;
    let has_values = |game: &&Recorded| game.plies.iter().any(|ply| ply.value != UNKNOWN);
    let games: Vec<&Recorded> = games.iter().filter(has_values).collect();
    let begun = (leaves.len() / count).min(games.len());
    leaves.truncate(begun * count);
    let kept: usize = leaves.iter().map(|leaf| leaf.to_bytes().len()).sum();
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(named)?;
    file.set_len(kept as u64).with_context(named)?;
    let done = Meter::new("games looked into", games.len() - begun);
    let numbered: Vec<(usize, &Recorded)> = games.iter().copied().enumerate().collect();
    for games in numbered[begun..].chunks(GAMES_A_WRITE) {
        // By its number, wherever this was broken off.
        let made = crew.map(games, seed, &done, |&(number, game), _| {
            player.leaves(game, count, &mut Rng::from_seed(mix(seed ^ mix(number as u64))))
        });
        let made: Vec<Recorded> = made.into_iter().flatten().collect();
        let bytes: Vec<u8> = made.iter().flat_map(Recorded::to_bytes).collect();
        file.write_all(&bytes).with_context(named)?;
        leaves.extend(made);
    }
    writeln!(out, "{} positions that searches of {} games judge", leaves.len(), games.len())?;
    Ok(leaves)
}
