//! The file of positions that searches judge: a fixed number of each game, only ever added to.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, ensure};
use banyan_games::Move;
use banyan_games::rng::mix;
use banyan_search::Searchable;
use banyan_selfplay::patterns::kept::Kept as _;
use banyan_selfplay::patterns::line_games::{PLIES_MAX, Recorded, UNKNOWN};
use banyan_selfplay::patterns::{LABELS_MAX, Labelling, is_of};

use crate::games_file::whole_bytes;
use crate::meter::Meter;
use crate::practisers::{GameToLabel, Practisers};

/// Parts between two writes, at least.
const PARTS_A_WRITE: usize = 32;

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

/// Positions of games that are wanted.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The games.
    pub games: &'a [Recorded],
    /// Positions of each, count above 0.
    pub count: usize,
    /// Number of the evaluation that searches go by.
    pub evaluation: u32,
    /// Seed of what is drawn.
    pub seed: u64,
}

/// So many positions of each game, the same whoever takes them and how often that was broken off.
///
/// # Errors
/// A file that cannot be read or written, or that holds something else; what keeps positions from being taken.
pub(super) fn taken<G: Searchable>(
    path: &Path,
    root: &G,
    wanted: Wanted<'_>,
    practisers: &dyn Practisers,
    out: &mut impl Write,
) -> anyhow::Result<Vec<Recorded>> {
    let named = || format!("{}", path.display());
    check_lengths(wanted.games)?;
    let count = wanted.count;
    // A process that was killed leaves half a record.
    let whole = whole_bytes::<Recorded>(path)?;
    let mut leaves = Recorded::read_all(&whole, root).with_context(named)?;
    let games: Vec<Vec<GameToLabel>> =
        (0..).zip(wanted.games).filter_map(|(number, game)| parts(game, number, wanted)).collect();
    check_kept(&leaves, &games, count).with_context(named)?;
    let begun = leaves.len() / count;
    leaves.truncate(begun * count);
    let kept: usize = leaves.iter().map(|leaf| leaf.to_bytes().len()).sum();
    let mut file = OpenOptions::new().create(true).append(true).open(path).with_context(named)?;
    file.set_len(kept as u64).with_context(named)?;
    let done = Meter::new("parts of games looked into", games[begun..].iter().flatten().count());
    let rules = root.rules().clone().into();
    let together = PARTS_A_WRITE.max(practisers.jobs_at_once());
    for games in games[begun..].chunks(together.div_ceil(count.div_ceil(LABELS_MAX as usize))) {
        let parts: Vec<GameToLabel> = games.iter().flatten().cloned().collect();
        let made = practisers.label(&rules, &parts, &|| done.add(1))?;
        ensure!(made.len() == parts.len(), "positions of {} parts of {}", made.len(), parts.len());
        for (part, bytes) in parts.iter().zip(&made) {
            let labels = Recorded::read_all(bytes, root)?;
            check(part, &labels)?;
            leaves.extend(labels);
        }
        file.write_all(&made.concat()).with_context(named)?;
    }
    drop(done);
    if let Some(by) = practisers.told() {
        writeln!(out, "positions {by}")?;
    }
    writeln!(out, "{} positions that searches of {} games judge", leaves.len(), games.len())?;
    Ok(leaves)
}

/// Refuses games that nobody takes positions of.
fn check_lengths(games: &[Recorded]) -> anyhow::Result<()> {
    for (number, game) in (1..).zip(games) {
        let plies = game.plies.len();
        ensure!(plies <= PLIES_MAX, "game {number} has {plies} plies, at most {PLIES_MAX}");
    }
    Ok(())
}

/// What is wanted of a game, a part for each job; nothing where none of its positions has a value.
fn parts(game: &Recorded, number: u64, wanted: Wanted<'_>) -> Option<Vec<GameToLabel>> {
    let Wanted { count, evaluation, seed, .. } = wanted;
    let from = game.plies.iter().position(|ply| ply.value != UNKNOWN)?;
    // The position before the last ply is the last one.
    let (_, before) = game.plies.split_last()?;
    let moves: Vec<Move> = before.iter().map(|ply| ply.mv).collect();
    let seed = mix(seed ^ mix(number));
    let all = Labelling { seed, count: count as u32, from: from as u32, evaluation };
    let part = |labelling| GameToLabel { moves: moves.clone(), labelling };
    Some(all.parts().into_iter().map(part).collect())
}

/// Refuses positions that are not those of these games: they would be removed, or learned from beside them.
fn check_kept(leaves: &[Recorded], games: &[Vec<GameToLabel>], count: usize) -> anyhow::Result<()> {
    let (kept, games_there) = (leaves.len(), games.len());
    let expected = "expected positions of the games beside it";
    ensure!(
        kept <= games_there * count,
        "{kept} positions, {count} of each game, where there are {games_there} games: {expected}"
    );
    for (number, (game, leaves)) in (1..).zip(games.iter().zip(leaves.chunks(count))) {
        let is_of =
            |part: &GameToLabel, leaf| is_of(leaf, &part.moves, part.labelling.from as usize);
        let are_of = game.first().is_some_and(|part| leaves.iter().all(|leaf| is_of(part, leaf)));
        ensure!(are_of, "its positions of game {number} are those of another game: {expected}");
    }
    Ok(())
}

/// Tells in words why positions are not those of a part.
fn check(part: &GameToLabel, labels: &[Recorded]) -> anyhow::Result<()> {
    let GameToLabel { moves, labelling } = part;
    let (found, wanted) = (labels.len(), labelling.count);
    ensure!(found == wanted as usize, "{found} positions of {wanted}");
    let is_of = |label| is_of(label, moves, labelling.from as usize);
    ensure!(labels.iter().all(is_of), "positions of another game");
    Ok(())
}

#[cfg(test)]
mod tests {
    use banyan_selfplay::patterns::line_games::Ply;

    use super::*;

    #[test]
    fn a_game_that_is_too_long_is_named() {
        let ply = Ply { mv: Move(0), best: Move(0), value: 0 };
        let game = |plies| Recorded { plies: vec![ply; plies], winner: None };
        assert!(check_lengths(&[game(1), game(PLIES_MAX)]).is_ok());
        let why = check_lengths(&[game(1), game(PLIES_MAX + 1)]).expect_err("too long");
        assert_eq!(why.to_string(), "game 2 has 151 plies, at most 150");
    }

    #[test]
    fn positions_of_other_games_are_neither_removed_nor_learned_from() {
        let ply = |point| Ply { mv: Move(point), best: Move(point), value: 0 };
        let game = |points: &[u16]| Recorded {
            plies: points.iter().copied().map(ply).collect(),
            winner: None,
        };
        let part = |points: &[u16]| {
            let labelling = Labelling { seed: 1, count: 2, from: 2, evaluation: 0 };
            vec![GameToLabel { moves: points.iter().copied().map(Move).collect(), labelling }]
        };
        let games = [part(&[1, 2, 3]), part(&[4, 5, 6])];
        let kept = [game(&[1, 2, 9]), game(&[1, 2, 3, 8]), game(&[4, 5, 7])];
        check_kept(&kept, &games, 2).expect("of these games, the last not done");
        check_kept(&kept, &games[..1], 2).expect_err("more than two of one game");
        let why = check_kept(&kept[1..], &games, 2).expect_err("the second is of another game");
        let words = "its positions of game 1 are those of another game";
        assert!(why.to_string().starts_with(words), "{why}");
    }
}
