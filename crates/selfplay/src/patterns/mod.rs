//! Games of Othello, Gomoku and Connect6 against oneself by evaluations and tables over patterns, from which tables
//! learn.
//!
//! Reading order: games as bytes (`kept`); those of Othello (`othello_games`), and how they are played (`othello`);
//! those of games of lines (`line_games`, `lines`), positions that searches of them judge (`leaves`), and these on
//! demand (`labels`); here games on demand.

pub mod kept;

pub mod othello_games;

pub mod othello;

pub mod line_games;

pub mod lines;

mod leaves;

mod labels;

use anyhow::{bail, ensure};
use banyan_games::connect6::Connect6;
use banyan_games::gomoku::Gomoku;
use banyan_games::{Game as _, Kind, Rules};
use banyan_knowledge::Patterns;
use banyan_knowledge::othello::learned;
use banyan_search::Searchable;

use self::kept::Kept;
pub use self::labels::{LABELS_MAX, Labelling, check_labels, is_of, label};
use self::line_games::{PLIES_MAX, Recorded};
use self::lines::LinePlayer;
use self::othello_games::Played;

/// Games that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Practice {
    /// Seed of the first game; each other's is one more than that before.
    pub seed: u64,
    /// Games, count.
    pub games: u32,
    /// Plies that a move is searched deep, above 0.
    pub plies: u32,
    /// Othello: empty points from which on a game is solved.
    pub solve_from: u32,
    /// Gomoku, Connect6: number of the game's evaluation that they are played by, where no tables are named.
    pub evaluation: u32,
}

/// Games of one job that are searched no deeper than is usual.
const GAMES_PER_JOB: u32 = 4;

/// Empty points from which on games of Othello are solved where that costs no more than the searches before.
const SOLVE_USUAL: u32 = 14;

impl Practice {
    /// Powers of two by which these games cost more than those of the usual depth of a game.
    pub fn depth_beyond(&self, game: Kind) -> u32 {
        let plies = self.plies.saturating_sub(usual_plies(game).unwrap_or(0));
        let end =
            if game == Kind::Othello { self.solve_from.saturating_sub(SOLVE_USUAL) } else { 0 };
        plies + end
    }

    /// These games in parts of a job each.
    pub fn parts(self, game: Kind) -> Vec<Practice> {
        let games = (GAMES_PER_JOB >> self.depth_beyond(game).min(2)).max(1);
        let part = |first: u32| Practice {
            seed: self.seed.wrapping_add(first.into()),
            games: games.min(self.games - first),
            ..self
        };
        (0..self.games).step_by(games as usize).map(part).collect()
    }

    fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.seed;
        (0..self.games).map(move |number| first.wrapping_add(number.into()))
    }
}

/// Plays games, and gives them as bytes, one after the other.
///
/// - `patterns`: the tables that they are played by; nothing for what is built in.
///
/// # Errors
/// In words: a game without patterns, tables of another game.
pub fn play(
    rules: &Rules,
    patterns: Option<&Patterns>,
    practice: &Practice,
) -> anyhow::Result<Vec<u8>> {
    let Practice { plies, solve_from, evaluation, .. } = *practice;
    match (rules, patterns) {
        (Rules::Othello(_), None | Some(Patterns::Othello(_))) => {
            let tables = match patterns {
                Some(Patterns::Othello(tables)) => tables,
                _ => learned::tables(),
            };
            let depths = othello::Depths { plies, solve_from };
            let player = othello::Player { depths, tables: tables.clone() };
            Ok(practice.seeds().flat_map(|seed| player.game(seed).to_bytes()).collect())
        }
        _ => Ok(match LinePlayer::of(rules, patterns, evaluation, plies)? {
            LinePlayer::Gomoku(player) => line_games(&player, practice),
            LinePlayer::Connect6(player) => line_games(&player, practice),
        }),
    }
}

fn line_games<G: Searchable>(player: &lines::Player<G>, practice: &Practice) -> Vec<u8> {
    practice.seeds().flat_map(|seed| player.game(seed).to_bytes()).collect()
}

/// Tells whether bytes can be the games that were wanted, without playing them again.
///
/// # Errors
/// What they cannot be, in words.
pub fn check(rules: &Rules, bytes: &[u8], practice: &Practice) -> anyhow::Result<()> {
    let whole: Vec<bool> = match rules {
        Rules::Othello(_) => Played::read_all(bytes)?.iter().map(Played::is_whole).collect(),
        Rules::Gomoku(rules) => whole_ones(bytes, &Gomoku::new(rules))?,
        Rules::Connect6(rules) => whole_ones(bytes, &Connect6::new(rules))?,
        other => bail!("{} has no patterns", other.kind()),
    };
    let (games, wanted) = (whole.len(), practice.games as usize);
    ensure!(games == wanted, "{games} games of {wanted}");
    let other = whole.iter().position(|is_whole| !is_whole);
    ensure!(other.is_none(), "game {} ends otherwise than it says", other.unwrap_or(0) + 1);
    Ok(())
}

fn whole_ones<G: Searchable>(bytes: &[u8], root: &G) -> anyhow::Result<Vec<bool>> {
    let games = Recorded::read_all(bytes, root)?;
    for (number, game) in (1..).zip(&games) {
        let plies = game.plies.len();
        ensure!(plies <= PLIES_MAX, "game {number} has {plies} plies, at most {PLIES_MAX}");
    }
    Ok(games.iter().map(|game| game.is_whole(root)).collect())
}

/// Plies that a move is searched deep where nothing else is said; nothing for a game without patterns.
pub fn usual_plies(game: Kind) -> Option<u32> {
    match game {
        Kind::Othello | Kind::Connect6 => Some(4),
        Kind::Gomoku => Some(6),
        Kind::Go | Kind::Hex => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_games_are_few_to_a_job_and_each_is_in_one() {
        let all = Practice { seed: 100, games: 10, plies: 4, solve_from: 14, evaluation: 0 };
        let shapes = |practice: Practice, game| {
            let parts = practice.parts(game);
            let seeds: Vec<u64> = parts.iter().flat_map(Practice::seeds).collect();
            assert_eq!(seeds, (100..110).collect::<Vec<u64>>());
            parts.iter().map(|part| part.games).collect::<Vec<u32>>()
        };
        assert_eq!(shapes(all, Kind::Othello), [4, 4, 2]);
        assert_eq!(shapes(Practice { plies: 5, ..all }, Kind::Othello), [2; 5]);
        assert_eq!(shapes(Practice { solve_from: 20, ..all }, Kind::Othello), [1; 10]);
        assert_eq!(shapes(Practice { solve_from: 20, plies: 6, ..all }, Kind::Gomoku), [4, 4, 2]);
    }
}
