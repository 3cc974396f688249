//! The exact solver at the root, when it can be expected to be done in time.

use std::time::{Duration, Instant};

use banyan_games::Move;
use banyan_jobs::Settlement;
use banyan_search::Candidate;
use banyan_search::Searchable;
use banyan_search::endgame::{Board, EXACT, Solution, Solver, WINNER, expected_boards};

use super::Engines;
use super::helpers::HelperThreads;
use super::shared::Enough;
use super::task::{Pulse, Task, ended, proof, report};
use crate::question::Limits;
use crate::report::{Ended, Explanation, Module, Report};

/// Speed of a solver in a second, boards; a modest guess.
const BOARDS_PER_S: f64 = 15e6;

/// The solver gets this part of the time; what it does not need is left to the engine.
const TIME_SHARE: f64 = 0.6;

/// Fewer boards than this are not worth asking others about.
const BOARDS_TO_SHARE: f64 = 4e6;

/// The gain of each thread after the first, as a part of what one alone does. (Measured on the FFO suite, threads of
/// workers: four are 2 to 4 times as fast as one, sixteen 5 to 15 times.)
const THREAD_ADDS: f64 = 0.4;

/// The table takes this part of the memory, and never more than [`TABLE_BYTES_MAX`].
const TABLE_SHARE: usize = 8;
const TABLE_BYTES_MAX: usize = 64 << 20;

/// The threads that solve a position, so many.
#[derive(Clone, Copy, Debug)]
enum Crowd {
    /// This process's own, by one table.
    Own(u32),
    /// All of the cluster, each by a table of its own.
    Cluster(u32),
}

impl Engines {
    /// The best move, exactly; nothing where that cannot be known in time, or is deeper than was asked for.
    pub(super) fn solve<G: Searchable>(
        &mut self,
        task: &Task<'_, G>,
        pulse: &mut Pulse<'_>,
    ) -> Option<Report> {
        let board = task.position.endgame()?;
        let empties = board.empties().count_ones();
        if task.limits.depth.is_some_and(|depth| depth < empties) {
            return None;
        }
        let limits = solver_limits(task.limits, empties);
        let expected = expected_boards(empties);
        let crowd = self.crowd(expected);
        let (Crowd::Own(threads) | Crowd::Cluster(threads)) = crowd;
        let boards_per_s = BOARDS_PER_S * (1.0 + THREAD_ADDS * f64::from(threads - 1));
        let in_time = limits.time.is_none_or(|time| expected <= boards_per_s * time.as_secs_f64());
        let in_boards = limits.playouts.is_none_or(|boards| expected <= boards as f64);
        if !in_time || !in_boards || (limits.time, limits.playouts) == (None, None) {
            return None;
        }
        let started = Instant::now();
        pulse.limit(limits);
        let helpers = self.helpers();
        let (solution, settlement) = match crowd {
            Crowd::Own(_) => (self.solve_here(&helpers, board, pulse), Settlement::default()),
            Crowd::Cluster(_) => self.solve_together(task, pulse),
        };
        let Some(solution) = solution else {
            // What it took may be more than the usual time; who searches next has the rest.
            pulse.search_to_the_limits();
            return None;
        };
        let best = *solution.line.first()?;
        task.moves.contains(&best).then(|| {
            let mut report = ended(explain(&solution, task.moves.len()), started.elapsed());
            report.ended = Some(Ended { settlement, digest: None });
            if let Crowd::Own(_) = crowd {
                report.explanation.threads = helpers.searched();
            }
            report
        })
    }

    /// Who solves a position that may be expected to take so many boards.
    fn crowd(&self, expected_boards: f64) -> Crowd {
        match self.shared.as_ref().filter(|_| expected_boards >= BOARDS_TO_SHARE) {
            Some(shared) if shared.is_worth_sharing(Enough::ALL_MOVES) => {
                Crowd::Cluster(shared.threads().max(1))
            }
            Some(_) => Crowd::Own(self.helpers().together()),
            None => Crowd::Own(1),
        }
    }

    fn solve_here(
        &mut self,
        helpers: &HelperThreads,
        board: Board,
        pulse: &mut Pulse<'_>,
    ) -> Option<Solution> {
        let bytes = (self.choice.table_bytes_max / TABLE_SHARE).min(TABLE_BYTES_MAX);
        exact(self.solver.get_or_insert_with(|| Solver::new(bytes)), helpers, board, pulse)
    }

    fn solve_together<G: Searchable>(
        &mut self,
        task: &Task<'_, G>,
        pulse: &mut Pulse<'_>,
    ) -> (Option<Solution>, Settlement) {
        let Some(shared) = &mut self.shared else { return Default::default() };
        let mut goes_on = |boards| pulse.goes_on(boards, |_| still_at_it(boards));
        let side = task.position.side_to_move();
        let found = shared.solve(task.record, side, task.moves, &mut goes_on);
        (found.solution, found.settlement)
    }
}

/// A playout looks at as many positions as there are empties, so that is what it is worth here.
fn solver_limits(limits: Limits, empties: u32) -> Limits {
    let share = |time: Duration| time.mul_f64(TIME_SHARE);
    let boards = |playouts: u64| playouts.saturating_mul(u64::from(empties));
    Limits { time: limits.time.map(share), playouts: limits.playouts.map(boards), ..limits }
}

/// The winner, and then the margin. When the time is up between the two a move that wins is enough.
fn exact(
    solver: &mut Solver,
    helpers: &HelperThreads,
    board: Board,
    pulse: &mut Pulse<'_>,
) -> Option<Solution> {
    // There is nothing to report but that it goes on: whoever watches may want to stop it.
    let mut goes_on = |nodes| pulse.goes_on(nodes, |_| still_at_it(nodes));
    let winner = solver.solve_helped(helpers, board, WINNER, &mut goes_on)?;
    let bounds = match winner.score {
        0 => return Some(winner),
        1.. => EXACT.above(winner.score - 1),
        _ => EXACT.above(-winner.score - 1).turned(),
    };
    match solver.solve_helped(helpers, board, bounds, &mut goes_on) {
        Some(exact) => Some(Solution { nodes: winner.nodes + exact.nodes, ..exact }),
        None => (winner.score > 0).then_some(winner),
    }
}

/// A report of a solver that has found nothing yet.
fn still_at_it(positions: u64) -> Report {
    let explanation = Explanation { module: Module::Solver, positions, ..Explanation::default() };
    Report { explanation, ..Report::default() }
}

fn explain(solution: &Solution, moves: usize) -> Report {
    let proof = proof(solution.score);
    let candidate = Candidate {
        mv: solution.line.first().copied().unwrap_or(Move::PASS),
        visits: solution.nodes,
        value: proof.value().unwrap_or(0.5),
        prior: 1.0 / moves as f64,
        proof,
    };
    let explanation = Explanation {
        module: Module::Solver,
        score: Some(solution.score),
        positions: solution.nodes,
        ..Explanation::default()
    };
    report(candidate, solution.line.clone(), explanation)
}
