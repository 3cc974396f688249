//! Othello: least squares over the final scores of games that are solved exactly near their end, printed as
//! the rows of `crates/knowledge/src/othello/stages.rs`.

use std::io::Write;

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Move, Rng};
use banyan_knowledge::Knowledge;
use banyan_knowledge::othello::stages::{FEATURES, KNOTS, SHARES, features, shares};
use banyan_search::classical::Memory;
use banyan_search::endgame::{Board, EXACT, Solver};

use super::asked::Arguments;
use super::course::found;

/// Empty points from which on a game is solved where nothing else is said.
const SOLVE_FROM: u32 = 14;

/// The unit of an evaluation, parts of a disc.
const PARTS_OF_A_DISC: f64 = 100.0;

/// Added to each sum of squares, so that a feature that was hardly met gets a small weight.
const RIDGE: f64 = 50.0;

/// One of so many plies is random, so that games leave the beaten track; what came before is not used.
const RANDOM_EVERY: u32 = 100;

/// Plies that a move is searched deep.
const PLIES: u32 = 4;

/// A random beginning has 4 plies at least, and fewer than this more.
const RANDOM_PLIES: u32 = 20;

/// Plays, fits, and writes the rows to `out`.
///
/// # Errors
/// What writing says.
pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut player = Player {
        rng: Rng::from_seed(arguments.seed),
        memory: Memory::new(8 << 20),
        solver: Solver::new(16 << 20),
        arguments,
    };
    let mut sums = Sums::new(FEATURES * KNOTS.len());
    for _ in 0..arguments.games {
        for (position, score) in player.game() {
            sums.add(&row(&position), PARTS_OF_A_DISC * f64::from(score));
        }
    }
    writeln!(out, "{} positions", sums.rows)?;
    for weights in sums.fitted(RIDGE).chunks(FEATURES) {
        let weights: Vec<String> = weights.iter().map(|weight| format!("{weight:.0}")).collect();
        writeln!(out, "    [{}],", weights.join(", "))?;
    }
    Ok(())
}

/// Counts of each weight in the evaluation of a position.
fn row(position: &Othello) -> Vec<f64> {
    let (own, other) = position.own_and_other();
    let seen = features(own, other);
    let shares = shares((own | other).count_ones());
    let part =
        |share: i32| seen.map(|feature| f64::from(feature) * f64::from(share) / f64::from(SHARES));
    shares.into_iter().flat_map(part).collect()
}

struct Player<'a> {
    rng: Rng,
    memory: Memory,
    solver: Solver,
    arguments: &'a Arguments,
}

impl Player<'_> {
    /// The positions of one game, each with the score of its side to move at the end.
    fn game(&mut self) -> Vec<(Othello, i32)> {
        let mut position = Othello::new(&OthelloRules);
        let mut seen: Vec<Othello> = Vec::new();
        let mut random = 4 + self.rng.below(RANDOM_PLIES);
        while position.outcome().is_none() {
            let board = Board::from(&position);
            if board.empties().count_ones() <= self.arguments.solve_from.unwrap_or(SOLVE_FROM) {
                seen.push(position.clone());
                let solved = self.solver.solve(board, EXACT, &mut |_| true);
                let score = solved.expect("nobody stops it").score;
                return scored(seen, black(position.side_to_move(), score));
            }
            if random == 0 && self.rng.below(RANDOM_EVERY) == 0 {
                seen.clear();
                random = 1;
            }
            let is_random = random > 0;
            random = random.saturating_sub(1);
            if !is_random {
                seen.push(position.clone());
            }
            let mv = self.choose(&position, is_random);
            position.play(mv);
        }
        let points = position.outcome().map_or(0, |outcome| outcome.margin.0 / 2);
        scored(seen, points)
    }

    fn choose(&mut self, position: &Othello, is_random: bool) -> Move {
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        if is_random || moves.len() == 1 {
            return moves[self.rng.below(moves.len() as u32) as usize];
        }
        let evaluation = &*Othello::evaluations()[0];
        let plies = self.arguments.plies.unwrap_or(PLIES);
        found(&mut self.memory, (position, &moves), (evaluation, plies)).best
    }
}

/// A score of `side` as Black's.
fn black(side: Color, score: i32) -> i32 {
    if side == Color::Black { score } else { -score }
}

fn scored(positions: Vec<Othello>, points: i32) -> Vec<(Othello, i32)> {
    let with_score = |position: Othello| {
        let score = black(position.side_to_move(), points);
        (position, score)
    };
    positions.into_iter().map(with_score).collect()
}

/// The sums of a least-squares fit: all that is kept of the rows.
struct Sums {
    rows: u64,
    /// Products of each two columns.
    squares: Vec<Vec<f64>>,
    /// Products of each column with the target.
    targets: Vec<f64>,
}

impl Sums {
    fn new(columns: usize) -> Sums {
        Sums { rows: 0, squares: vec![vec![0.0; columns]; columns], targets: vec![0.0; columns] }
    }

    fn add(&mut self, row: &[f64], target: f64) {
        self.rows += 1;
        for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            self.targets[column] += value * target;
            for (sum, other) in self.squares[column].iter_mut().zip(row) {
                *sum += value * other;
            }
        }
    }

    /// The weights with the least sum of squared errors, by elimination. `ridge` above 0 keeps every
    /// pivot above 0.
    fn fitted(mut self, ridge: f64) -> Vec<f64> {
        for pivot in 0..self.targets.len() {
            self.squares[pivot][pivot] += ridge;
        }
        for pivot in 0..self.targets.len() {
            let scale = self.squares[pivot][pivot];
            self.squares[pivot].iter_mut().for_each(|value| *value /= scale);
            self.targets[pivot] /= scale;
            let (row, target) = (self.squares[pivot].clone(), self.targets[pivot]);
            for other in (0..self.targets.len()).filter(|&other| other != pivot) {
                let factor = self.squares[other][pivot];
                for (value, of_pivot) in self.squares[other].iter_mut().zip(&row) {
                    *value -= factor * of_pivot;
                }
                self.targets[other] -= factor * target;
            }
        }
        self.targets
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[test]
    fn weights_that_made_the_targets_are_found_again() {
        let mut rng = Rng::from_seed(1);
        let weights = [3.0, -7.0, 0.5];
        let mut sums = Sums::new(3);
        for _ in 0..200 {
            let row = [0; 3].map(|_| f64::from(rng.below(9)) - 4.0);
            sums.add(&row, row.iter().zip(weights).map(|(value, weight)| value * weight).sum());
        }
        for (found, weight) in sums.fitted(1e-9).iter().zip(weights) {
            assert!((found - weight).abs() < 1e-6, "{found} {weight}");
        }
    }

    #[test]
    fn a_few_games_give_a_row_of_weights_for_each_knot() {
        let arguments = Arguments::parse_from(["banyan-fit", "--games", "3", "--plies", "2"]);
        let mut out = Vec::new();
        run(&arguments, &mut out).expect("written");
        let text = String::from_utf8(out).expect("text");
        assert_eq!(text.lines().count(), 1 + KNOTS.len(), "{text}");
        let position = Othello::new(&OthelloRules);
        let ones: f64 = row(&position).chunks(FEATURES).map(|knot| knot[0]).sum();
        assert_eq!(ones, 1.0, "the shares of all knots are the whole");
    }
}
