//! Positions as they are typed: moves from the start (`--moves`), or a place in a file (`--sgf`, `--move`); and
//! some that chance makes, to measure by.

use std::path::Path;

use anyhow::Context as _;
use banyan_engine::Playable;
use banyan_games::gomoku::Variant;
use banyan_games::{Game, IllegalMove, Kind, MoveTextError, Record, Rng};
use banyan_records::{passes, sgf};

/// The first game of a file, up to the ply that was asked for.
///
/// - `meant`: the game that it is of, and its variant where the file does not say.
/// - `komi`: in half points, where the file does not say.
///
/// # Errors
/// Names the file, and what it is not.
pub fn read_sgf(
    path: &Path,
    meant: (Kind, Variant),
    komi: Option<i16>,
    ply: Option<usize>,
) -> anyhow::Result<sgf::SgfGame> {
    let name = path.display();
    let reads = std::fs::metadata(path).with_context(|| format!("cannot read {name}"))?;
    if !reads.is_file() {
        anyhow::bail!("{name} is no file: expected one that can be read to its end");
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let (kind, variant) = (Some(meant.0), Some(meant.1));
    let options =
        sgf::Options { kind, variant, komi_unsaid: komi, plies: ply, ..sgf::Options::default() };
    let game = sgf::read(&bytes, &options).with_context(|| name.to_string())?;
    if let Some(asked) = ply.filter(|&asked| asked > game.plies.len()) {
        anyhow::bail!("{name} has {} plies: there is no position after {asked}", game.plies.len());
    }
    Ok(game)
}

/// Reasons why `--moves` cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MovesError {
    /// A word that is no move.
    #[error("--moves, number {number}: {source}")]
    Text {
        /// Number of the word, the first is 1.
        number: usize,
        /// Reason.
        source: MoveTextError,
    },
    /// A move that the rules forbid.
    #[error("--moves, number {number}: {source}")]
    Illegal {
        /// Number of the move, the first is 1.
        number: usize,
        /// Rule that forbids it.
        source: IllegalMove,
    },
}

/// The game after the moves of a text such as `e5 c3`. Forced passes may be left out.
///
/// # Errors
/// [`MovesError`] names the first word that cannot be played.
pub fn played<G: Playable>(rules: &G::Rules, moves: &str) -> Result<Record<G>, MovesError> {
    let mut record = Record::<G>::new(rules);
    let words = moves.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty());
    for (index, word) in words.enumerate() {
        let number = index + 1;
        let mv = record.position().parse_move(word);
        let mv = mv.map_err(|source| MovesError::Text { number, source })?;
        let played = passes::play(&mut record, mv);
        played.map_err(|source| MovesError::Illegal { number, source })?;
    }
    Ok(record)
}

/// Positions of games whose moves are drawn by chance, the start first, without end; a game that ends begins anew.
pub fn by_chance<G: Game>(start: &G) -> impl Iterator<Item = G> + use<G> {
    let (mut rng, start) = (Rng::from_seed(1), start.clone());
    let mut moves = Vec::new();
    std::iter::successors(Some(start.clone()), move |position| {
        moves.clear();
        position.candidates(&mut moves);
        let mut next = position.clone();
        next.play(moves[rng.below(moves.len() as u32) as usize]);
        Some(if next.outcome().is_some() { start.clone() } else { next })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::go::{Go, GoRules};

    fn after(moves: &str) -> Result<Record<Go>, MovesError> {
        played::<Go>(&GoRules::new(9, 15).expect("a size of Go"), moves)
    }

    #[test]
    fn moves_are_played_in_turn_and_a_wrong_one_is_named() {
        assert_eq!(after("e5, c3 pass").expect("legal").plies().len(), 3);
        let twice = after("e5 e5").expect_err("occupied").to_string();
        assert_eq!(twice, "--moves, number 2: illegal move E5");
        let outside = after("e5 Z99").expect_err("outside").to_string();
        assert!(outside.starts_with("--moves, number 2: 'Z99' is outside"), "{outside}");
    }
}
