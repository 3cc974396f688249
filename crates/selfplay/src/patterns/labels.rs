//! Positions of the searches of one game, with what other searches say of them, on demand.

use anyhow::{bail, ensure};
use banyan_games::connect6::Connect6;
use banyan_games::gomoku::Gomoku;
use banyan_games::rng::mix;
use banyan_games::{Game as _, Move, Rng, Rules};
use banyan_knowledge::Patterns;
use banyan_search::Searchable;

use super::kept::Kept;
use super::line_games::{PLIES_MAX, Ply, Recorded, UNKNOWN, WAY_MAX};
use super::lines::{LinePlayer, Player, VALUE_MAX};

/// Positions of one job: a second or two of a thread.
pub const LABELS_MAX: u32 = 64;

/// Positions that are wanted of one game of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labelling {
    /// Seed of what is drawn.
    pub seed: u64,
    /// Positions, count.
    pub count: u32,
    /// Plies of the game after which its positions are searched.
    pub from: u32,
    /// Number of the game's evaluation that searches go by, where no tables are named.
    pub evaluation: u32,
}

impl Labelling {
    /// These positions in parts of a job each.
    pub fn parts(self) -> Vec<Labelling> {
        let part = |first: u32| Labelling {
            seed: mix(self.seed ^ u64::from(first)),
            count: LABELS_MAX.min(self.count - first),
            ..self
        };
        (0..self.count).step_by(LABELS_MAX as usize).map(part).collect()
    }
}

/// Plies of a player that plays no game.
const PLIES: u32 = 1;

/// Positions that searches of a game's positions judge, as the bytes of records, one after the other: each the moves
/// that lead there and a last one, the best, with what the position is worth. The same wherever they are taken.
///
/// - `patterns`: the tables that searches go by; nothing for what is built in.
/// - `game`: its moves from the empty board, after none of which it is over.
///
/// # Errors
/// In words: a game without such searches, tables of another game, moves that are no such game or more than one has,
/// fewer of them than are to be passed over.
pub fn label(
    rules: &Rules,
    patterns: Option<&Patterns>,
    game: &[Move],
    labelling: &Labelling,
) -> anyhow::Result<Vec<u8>> {
    match LinePlayer::of(rules, patterns, labelling.evaluation, PLIES)? {
        LinePlayer::Gomoku(player) => labelled(&player, game, labelling),
        LinePlayer::Connect6(player) => labelled(&player, game, labelling),
    }
}

fn labelled<G: Searchable>(
    player: &Player<G>,
    game: &[Move],
    labelling: &Labelling,
) -> anyhow::Result<Vec<u8>> {
    let Labelling { seed, count, from, .. } = *labelling;
    let (from, plies) = (from as usize, game.len());
    ensure!(from <= plies, "positions after {from} plies of a game of {plies}");
    ensure!(plies <= PLIES_MAX, "a game of {plies} plies, at most {PLIES_MAX}");
    let mut position = player.root.clone();
    for (number, &mv) in (1..).zip(game) {
        ensure!(position.is_legal(mv), "ply {number} is no legal move");
        position.play(mv);
    }
    ensure!(position.outcome().is_none(), "the game is over after {plies} plies");
    let leaves = player.leaves(game, from, count as usize, &mut Rng::from_seed(seed));
    Ok(leaves.iter().flat_map(Recorded::to_bytes).collect())
}

/// Tells whether bytes can be the positions that were wanted of a game, without searching them again.
///
/// # Errors
/// What they cannot be, in words.
pub fn check_labels(
    rules: &Rules,
    bytes: &[u8],
    game: &[Move],
    labelling: &Labelling,
) -> anyhow::Result<()> {
    let labels = match rules {
        Rules::Gomoku(rules) => Recorded::read_all(bytes, &Gomoku::new(rules))?,
        Rules::Connect6(rules) => Recorded::read_all(bytes, &Connect6::new(rules))?,
        other => bail!("{} is no game of lines", other.kind()),
    };
    let (found, wanted) = (labels.len(), labelling.count as usize);
    ensure!(found == wanted, "{found} positions of {wanted}");
    let other = labels.iter().position(|label| !is_label(label, labelling));
    ensure!(other.is_none(), "position {} is not labelled as it should be", other.unwrap_or(0) + 1);
    let other = labels.iter().position(|label| !is_of(label, game, labelling.from as usize));
    ensure!(other.is_none(), "position {} is one of another game", other.unwrap_or(0) + 1);
    Ok(())
}

/// Tells whether a record is that of a position after so many plies of a game.
pub fn is_of(label: &Recorded, game: &[Move], from: usize) -> bool {
    game.get(..from).is_some_and(|begun| begun.iter().copied().eq(label.moves().take(from)))
}

/// Tells whether a record can be that of a position: moves without values, and the best one with what it is worth.
fn is_label(label: &Recorded, labelling: &Labelling) -> bool {
    let Some((last, way)) = label.plies.split_last() else { return false };
    let &Ply { mv, best, value } = last;
    let is_value = (-VALUE_MAX..=VALUE_MAX).contains(&value);
    let is_unknown = |ply: &Ply| ply.value == UNKNOWN && ply.best == ply.mv;
    let plies = labelling.from as usize..=PLIES_MAX + WAY_MAX;
    let is_way = plies.contains(&way.len()) && way.iter().all(is_unknown);
    is_way && is_value && best == mv && label.winner.is_none()
}

#[cfg(test)]
mod tests {
    use banyan_games::gomoku::{GomokuRules, Variant};
    use banyan_games::othello::OthelloRules;

    use super::*;

    const LABELLING: Labelling = Labelling { seed: 1, count: 3, from: 1, evaluation: 0 };

    fn gomoku() -> Rules {
        GomokuRules::new(9, 9, Variant::Freestyle).expect("a size").into()
    }

    fn labelled(game: &[u16], labelling: &Labelling) -> anyhow::Result<Vec<u8>> {
        let game: Vec<Move> = game.iter().copied().map(Move).collect();
        label(&gomoku(), None, &game, labelling)
    }

    #[test]
    fn labels_are_checked_without_another_search() {
        let labels = labelled(&[40, 31], &LABELLING).expect("positions");
        let of = |game: [u16; 2], bytes: &[u8], labelling| {
            let game = game.map(Move);
            check_labels(&gomoku(), bytes, &game, labelling).map_err(|why| why.to_string())
        };
        let why = |bytes: &[u8], labelling| of([40, 31], bytes, labelling);
        let stranger = "position 1 is one of another game".to_owned();
        assert_eq!(of([41, 31], &labels, &LABELLING), Err(stranger));
        assert_eq!(why(&labels, &LABELLING), Ok(()));
        let more = Labelling { count: 4, ..LABELLING };
        assert_eq!(why(&labels, &more), Err("3 positions of 4".to_owned()));
        let other =
            |number: usize| Err(format!("position {number} is not labelled as it should be"));
        let last = labels.len() - 2;
        for value in [UNKNOWN, VALUE_MAX + 1] {
            let mut wrong = labels.clone();
            wrong[last..].copy_from_slice(&value.to_le_bytes());
            assert_eq!(why(&wrong, &LABELLING), other(3));
        }
        let none = [0; crate::patterns::line_games::HEAD].repeat(3);
        assert_eq!(why(&none, &LABELLING), Err("game 1 is no game by these rules".to_owned()));
        let mut won = labels.clone();
        won[2] = 1;
        assert_eq!(why(&won, &LABELLING), other(1));
        let later = Labelling { from: 200, ..LABELLING };
        assert_eq!(why(&labels, &later), other(1));
    }

    #[test]
    fn many_positions_are_parts_of_as_many_as_a_job_takes() {
        let parts = Labelling { count: 150, ..LABELLING }.parts();
        let counts: Vec<u32> = parts.iter().map(|part| part.count).collect();
        assert_eq!(counts, [LABELS_MAX, LABELS_MAX, 150 - 2 * LABELS_MAX]);
        assert!(parts[0].seed != parts[1].seed && parts[1].seed != parts[2].seed);
    }

    #[test]
    fn what_is_no_game_to_be_searched_is_refused_in_words() {
        let why = |game: &[u16], labelling| match labelled(game, labelling) {
            Ok(_) => String::new(),
            Err(why) => why.to_string(),
        };
        assert_eq!(why(&[40, 40], &LABELLING), "ply 2 is no legal move");
        assert_eq!(why(&[40, 999], &LABELLING), "ply 2 is no legal move");
        assert_eq!(why(&[], &LABELLING), "positions after 1 plies of a game of 0");
        let won = [0, 9, 1, 10, 2, 11, 3, 12, 4];
        assert_eq!(why(&won, &LABELLING), "the game is over after 9 plies");
        let long: Vec<u16> = (0..81).cycle().take(PLIES_MAX + 1).collect();
        assert_eq!(why(&long, &LABELLING), "a game of 151 plies, at most 150");
        let unknown = Labelling { evaluation: 99, ..LABELLING };
        assert!(why(&[40], &unknown).starts_with("no evaluation 99: gomoku has "));
        let othello = label(&OthelloRules.into(), None, &[], &LABELLING);
        assert_eq!(othello.expect_err("Othello").to_string(), "othello has no patterns");
    }
}
