//! A classical search by all workers, deeper and deeper.

use std::ops::RangeInclusive;
use std::time::Duration;

use banyan_games::Move;
use banyan_jobs::job::cost;
use banyan_jobs::{Settlement, Solve, Sought, limits};
use banyan_knowledge::evaluation::at_root;
use banyan_search::Searchable;
use banyan_search::classical::{Found, Top, bring_forward, is_decided};
use banyan_search::parallel::{Leaf, ParallelAlphaBeta, Subproblem};

use super::{End, Shared};
use crate::engines::replies::Reply;
use crate::engines::task::Task;
use crate::engines::until::Until;
use crate::question::{Limits, PROGRESS_INTERVAL};

/// Plies of the top. (Measured on games of small searches, [`ParallelAlphaBeta`] with made-up solvers: with one the
/// first move holds the others up, three cost a quarter more positions and gain from sixteen solvers on.)
const TOP_PLIES: u32 = 2;

/// With more leaves than this, one ply is the top. (Measured in Connect6: as fast with 500 subproblems a depth
/// as with 34,000.)
const LEAVES_MAX: usize = 16_384;

/// A worker gives up after about so long, and its subproblem is divided further: far below what a lease
/// may last.
const SUBPROBLEM_TIME_MAX: Duration = Duration::from_millis(500);

/// Never after fewer positions than these, or more.
const NODES_PER_SUBPROBLEM: RangeInclusive<f64> = 16_384.0..=8_388_608.0;

/// Positions that one thread looks at in a second, where it was not measured: a modest guess. Whoever is slower
/// gives a subproblem up, and it is divided.
const NODES_PER_S: f64 = 200_000.0;

/// Cost of a subproblem where none was answered yet, positions.
const FIRST_COST: f64 = 20_000.0;

/// From one depth to the next subproblems cost so many times as much.
const COST_GROWTH: f64 = 3.0;

/// A search that all share.
pub(in crate::engines) struct Together<'a> {
    pub shared: &'a mut Shared,
    /// Index among the game's evaluations.
    pub evaluation: usize,
    /// Positions that one thread is seen to look at in a second.
    pub nodes_per_s: f64,
}

impl Together<'_> {
    /// Goes on from what one `alone` has found, depth by depth; stopped within one, it gives what the
    /// last finished one found, or better. Lies send it back to where it began.
    ///
    /// - `goes_on` is asked with what was found so far, `nodes` of it being up to date.
    pub fn deepen<G: Searchable>(
        self,
        task: &Task<'_, G>,
        alone: Found,
        goes_on: &mut dyn FnMut(&Found) -> bool,
    ) -> (Found, Settlement) {
        let (position, side) = (task.position, task.position.side_to_move());
        let mut asking = self.shared.open(task.record, side);
        let evaluation = at_root(&G::evaluations()[self.evaluation], position);
        let nodes_before = alone.nodes;
        let nodes_max = self.nodes_per_s * SUBPROBLEM_TIME_MAX.as_secs_f64();
        let nodes_max =
            nodes_max.clamp(*NODES_PER_SUBPROBLEM.start(), *NODES_PER_SUBPROBLEM.end()) as u32;
        let mut found = alone.clone();
        // Values of odd depths are like each other, and so are those of even ones.
        let (mut guess, mut expected) = (found.value, FIRST_COST);
        let mut moves: Vec<Move> = task.moves.to_vec();
        let top_plies = if task.moves.len().pow(TOP_PLIES) > LEAVES_MAX { 1 } else { TOP_PLIES };
        let depth_max = task
            .limits
            .depth
            .map_or(limits::SOLVING_DEPTH_MAX, |depth| depth.min(limits::SOLVING_DEPTH_MAX));
        let new_top = || Top::new(evaluation.clone(), top_plies as usize);
        let mut top = new_top();
        top.sort(position, &mut moves);
        loop {
            let depth = (found.depth + 1).max(top_plies);
            if found.is_exact || is_decided(found.value) || depth > depth_max {
                break;
            }
            bring_forward(&mut moves, found.best);
            let job = |subproblem: &Subproblem| {
                let depth = depth.saturating_sub(subproblem.path.len() as u32 + subproblem.less);
                Solve {
                    sought: Sought::Value { evaluation: self.evaluation as u32, depth },
                    bounds: subproblem.bounds,
                    nodes_max,
                    cost: cost(expected),
                }
            };
            let asked_before = asking.asked();
            let nodes_asked_before = asking.nodes;
            let mut parallel =
                ParallelAlphaBeta::scouting(position, &moves, top.to_depth(depth), guess);
            let before = found.best;
            // A move that was best before has been found so by other answers.
            let deciding = |parallel: &ParallelAlphaBeta<G, Top<G>>| {
                let is_new = parallel.line().0.first() != Some(&before);
                let decides = is_new || is_decided(parallel.bounds().0);
                if decides { parallel.deciding(Some(before)) } else { Vec::new() }
            };
            let end = asking.run(&mut parallel, &job, &deciding, &mut |nodes| {
                found.nodes = nodes_before + nodes;
                goes_on(&found)
            });
            found.nodes = nodes_before + asking.nodes;
            match end {
                End::Solved => {
                    let (line, ..) = parallel.line();
                    let value = parallel.bounds().0;
                    guess = std::mem::replace(&mut found.value, value);
                    found = Found { best: line[0], line, depth, passes: found.passes + 1, ..found };
                    let asked = (asking.asked() - asked_before).max(1);
                    let nodes = asking.nodes - nodes_asked_before;
                    expected = COST_GROWTH * nodes as f64 / asked as f64;
                    top = Top::after(parallel);
                }
                End::Stopped => {
                    let better = parallel.better_than(found.best);
                    // There is no time left to ask for second answers.
                    let is_sure = |leaves: &[Leaf]| !leaves.iter().any(|it| asking.is_doubted(*it));
                    if let Some((best, value, _)) = better.filter(|it| is_sure(&it.2)) {
                        found = Found { best, value, line: vec![best], ..found };
                    }
                    break;
                }
                End::Doubtful if !goes_on(&found) => break,
                // The same depth once more: what was asked here is not asked again alike.
                End::Doubtful => top = new_top(),
                End::Deceived => {
                    // Nobody can tell what of the earlier depths came of lies.
                    found = Found { nodes: found.nodes, ..alone.clone() };
                    (guess, expected) = (found.value, FIRST_COST);
                    top = new_top();
                }
            }
        }
        (found, asking.close())
    }
}

impl Shared {
    /// Goes on with what one thread found of the position after a reply of the opponent's, until it is told to
    /// stop.
    pub(in crate::engines) fn deepen_reply<G: Searchable>(
        &mut self,
        evaluation: usize,
        reply: &Reply<G>,
        before: Found,
        until: &Until,
    ) -> Found {
        let task = Task {
            record: &reply.record,
            position: reply.record.position(),
            moves: &reply.moves,
            is_analysis: false,
            limits: Limits::default(),
            interval: PROGRESS_INTERVAL,
            saves_time: false,
            stop: &until.stop,
        };
        let nodes_per_s = NODES_PER_S;
        let together = Together { shared: self, evaluation, nodes_per_s };
        together.deepen(&task, before, &mut |_| until.goes_on()).0
    }
}
