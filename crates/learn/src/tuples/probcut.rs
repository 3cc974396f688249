//! `banyan train probcut`: how far shallow searches of Othello are from deep ones, measured on positions of games.
//!
//! Each position is searched to every depth without a cut, and where few points are empty to the end; the deviations of
//! their differences, by depths and empty points, are fitted by least squares. What is printed is what
//! `crates/search/src/midgame/probcut.rs` reads.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Game, Rng};
use banyan_knowledge::othello::learned::DISC;
use banyan_search::endgame::Board;
use banyan_search::midgame::{Memory, plain_value};
use clap::Args;

use banyan_selfplay::patterns::othello_games::Played;

use crate::games_file::whole_bytes;

/// Options of `banyan train probcut`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// Folder of games that `banyan train patterns` has played.
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Positions, count.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Plies of the deepest search.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(3..=14))]
    depth: u32,
    /// Empty points from which on positions are searched to the end too.
    #[arg(long, default_value_t = 18, value_parser = clap::value_parser!(u32).range(12..=22))]
    end: u32,
    /// Seed of the choice of positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Fewer empty points are solved and not cut.
const EMPTIES_MIN: u32 = 12;

/// Empty points that are taken together.
const BIN: u32 = 6;

/// The deep search, the shallow one and the empty points of a difference; a deep one of 0 plies is to the end.
type Place = (u32, u32, u32);

/// Squares of differences, discs, and their number.
type Cells = BTreeMap<Place, (f64, u32)>;

/// Measures, fits, and writes what came of it to `out`.
///
/// # Errors
/// In words for people: no games, or too few positions.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let path = arguments.dir.join("othello.games");
    let bytes = whole_bytes::<Played>(&path)?;
    let games = Played::read_all(&bytes).with_context(|| format!("{}", path.display()))?;
    if games.is_empty() {
        bail!("{} holds no games", path.display());
    }
    let mut rng = Rng::from_seed(arguments.seed);
    let (mut cells, mut memory) = (Cells::new(), Memory::new(4 << 20));
    let mut taken = 0;
    for _ in 0..100 * u64::from(arguments.positions) {
        let game = &games[rng.below(games.len() as u32) as usize];
        if taken < arguments.positions
            && let Some(board) = drawn(game, &mut rng)
        {
            measure(board, arguments, &mut memory, &mut cells);
            taken += 1;
        }
    }
    let asked = arguments.positions;
    ensure!(
        taken == asked,
        "{}: {taken} positions of {EMPTIES_MIN} empty points or more were found, expected {asked}",
        path.display()
    );
    for (&(deep, shallow, empties), &(squares, count)) in &cells {
        let deviation = (squares / f64::from(count)).sqrt();
        let deep = if deep == 0 { "end".to_owned() } else { deep.to_string() };
        writeln!(
            out,
            "{deep} {shallow} empties {empties}: {deviation:.2} discs, {count} positions"
        )?;
    }
    for (name, is_end) in [("middle", false), ("end", true)] {
        let is_measured = cells.keys().any(|&(deep, ..)| (deep == 0) == is_end);
        if !is_measured {
            writeln!(out, "{name}: none of the positions is one of these")?;
            continue;
        }
        let [constant, left, depth, shallow] = fitted(&cells, is_end);
        writeln!(out, "{name}: [{constant:.3}, {left:.4}, {depth:.4}, {shallow:.4}]")?;
    }
    Ok(())
}

/// A position of a game after its random plies whose side to move has a move.
fn drawn(game: &Played, rng: &mut Rng) -> Option<Board> {
    let plies = (game.plies.len() - game.first) as u32;
    let ply = game.first + rng.below(plies.max(1)) as usize;
    let mut position = Othello::new(&OthelloRules);
    game.plies[..ply].iter().for_each(|ply| position.play(ply.mv));
    let board = Board::from(&position);
    let is_open = game.plies.get(ply).is_some_and(|ply| !ply.mv.is_pass());
    (is_open && board.empties().count_ones() >= EMPTIES_MIN).then_some(board)
}

fn measure(board: Board, arguments: &Arguments, memory: &mut Memory, cells: &mut Cells) {
    let empties = board.empties().count_ones();
    let bin = empties / BIN * BIN + BIN / 2;
    let deepest = arguments.depth.min(empties - 1);
    let mut value = |depth| f64::from(plain_value(memory, board, depth)) / f64::from(DISC);
    let values: Vec<f64> = (0..=deepest).map(&mut value).collect();
    let mut note = |deep: u32, shallow: u32, difference: f64| {
        let (squares, count) = cells.entry((deep, shallow, bin)).or_default();
        (*squares, *count) = (*squares + difference * difference, *count + 1);
    };
    for (deep, one) in values.iter().enumerate() {
        for (shallow, other) in values[..deep].iter().enumerate() {
            note(deep as u32, shallow as u32, one - other);
        }
    }
    if empties <= arguments.end {
        let end = value(empties);
        values.iter().enumerate().for_each(|(shallow, other)| note(0, shallow as u32, end - other));
    }
}

/// The weights of 1, the empty points, the deep and the shallow plies that fit the deviations with the least
/// squared error; each deviation counts as much as it has positions.
fn fitted(cells: &Cells, is_end: bool) -> [f64; 4] {
    let mut rows = [[0.0; 5]; 4];
    for (&(deep, shallow, empties), &(squares, count)) in cells {
        // The search asks a shallow search of a deep one where both are odd or both even.
        let is_asked =
            deep == 0 || (deep >= 3 && shallow > 0 && (deep - shallow).is_multiple_of(2));
        if (deep == 0) != is_end || !is_asked {
            continue;
        }
        let deviation = (squares / f64::from(count)).sqrt();
        let all = [1.0, f64::from(empties), f64::from(deep), f64::from(shallow), deviation];
        for (row, &one) in rows.iter_mut().zip(&all) {
            row.iter_mut()
                .zip(&all)
                .for_each(|(sum, other)| *sum += f64::from(count) * one * other);
        }
    }
    // What does not vary has no weight.
    (0..4).for_each(|at| rows[at][at] += 1e-6);
    solved(rows)
}

/// Four equations with four unknowns, by elimination.
fn solved(mut rows: [[f64; 5]; 4]) -> [f64; 4] {
    for at in 0..4 {
        let greatest = (at..4).max_by(|&a, &b| rows[a][at].abs().total_cmp(&rows[b][at].abs()));
        rows.swap(at, greatest.unwrap_or(at));
        let pivot = rows[at];
        for (_, row) in rows.iter_mut().enumerate().filter(|&(other, _)| other != at) {
            let share = row[at] / pivot[at];
            row.iter_mut().zip(pivot).for_each(|(one, other)| *one -= share * other);
        }
    }
    std::array::from_fn(|at| rows[at][4] / rows[at][at])
}

#[cfg(test)]
mod tests {
    use banyan_knowledge::othello::learned;
    use banyan_selfplay::patterns::kept::Kept as _;
    use banyan_selfplay::patterns::othello::{Depths, Player};

    use super::*;

    #[test]
    fn deviations_that_are_a_sum_are_found_out() {
        let mut cells = Cells::new();
        for (deep, shallow, empties) in [(4, 2, 15), (5, 3, 21), (8, 4, 33), (8, 2, 15), (9, 3, 45)]
        {
            let deviation =
                3.0 - 0.02 * f64::from(empties) + 0.3 * f64::from(deep) - 0.25 * f64::from(shallow);
            cells.insert((deep, shallow, empties), (10.0 * deviation * deviation, 10));
        }
        let found = fitted(&cells, false);
        let wanted = [3.0, -0.02, 0.3, -0.25];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-3), "{found:?}");
    }

    #[test]
    fn too_few_positions_are_no_measurement() {
        let dir = tempfile::tempdir().expect("a folder");
        let depths = Depths { plies: 1, solve_from: 2 };
        let game = Player { depths, tables: learned::tables().clone() }.game(1);
        let late = Played { first: game.plies.len() - 2, ..game };
        std::fs::write(dir.path().join("othello.games"), late.to_bytes()).expect("a file");
        let (dir, depth) = (dir.path().to_owned(), 3);
        let arguments = Arguments { dir, positions: 5, depth, end: 12, seed: 1 };
        let why = run(&arguments, &mut Vec::new()).expect_err("none has twelve empty points");
        let words = "0 positions of 12 empty points or more were found, expected 5";
        assert!(why.to_string().ends_with(words), "{why}");
    }
}
