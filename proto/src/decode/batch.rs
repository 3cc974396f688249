//! Batches: what a worker is asked to do.

use std::sync::Arc;

use banyan_games::counts::Asked;
use banyan_jobs::limits;
use banyan_jobs::{
    Attempt, Batch, BatchId, Bounds, Depths, Evaluate, Grow, INFINITE, Job, Known, Label,
    Labelling, Lent, Play, Playouts, Practice, Practise, Solve, Sought, Spread, Trial, Wanted,
};

use super::tally::subtree;
use super::{at_most, one_move, policy, root_id};
use crate::error::WireError;
use crate::wire;

pub(super) fn lent(batch: wire::Batch) -> Result<Lent, WireError> {
    let wire::Batch { id, root, attempt, path, job } = batch;
    at_most("plies of a path", path.len(), limits::PATH_PLIES_MAX)?;
    let batch = Batch {
        id: BatchId(id),
        root: root_id(root.ok_or(WireError::Missing("root id"))?),
        path: path.into_iter().map(one_move).collect::<Result<_, _>>()?,
        job: self::job(job.ok_or(WireError::Missing("job"))?)?,
    };
    if let Job::Label(label) = &batch.job {
        at_most("plies passed over", label.labelling.from as usize, batch.path.len())?;
    }
    Ok(Lent { batch: Arc::new(batch), attempt: Attempt(attempt) })
}

fn job(job: wire::batch::Job) -> Result<Job, WireError> {
    use wire::batch::Job as From;
    Ok(match job {
        From::LeafParallel(asked) => Job::LeafParallel(playouts(asked)?),
        From::Subtree(asked) => Job::Subtree(grow(asked)?),
        From::Solve(subproblem) => Job::Solve(solve(subproblem)?),
        From::Evaluate(wire::Evaluate { ownership }) => Job::Evaluate(Evaluate { ownership }),
        From::Play(asked) => Job::Play(play(asked)?),
        From::Try(asked) => Job::Try(trial(asked)?),
        From::Practise(asked) => Job::Practise(practise(asked)?),
        From::Label(asked) => Job::Label(label(asked)?),
    })
}

fn play(play: wire::Play) -> Result<Play, WireError> {
    let wire::Play { seed, games, full, short, decided, full_permille, judged, cost } = play;
    at_most("games of a batch", games as usize, limits::GAMES_PER_BATCH_MAX as usize)?;
    if games == 0 {
        return Err(WireError::Missing("game"));
    }
    for visits in [full, short, decided] {
        at_most("visits of a search", visits as usize, limits::SELFPLAY_VISITS_MAX as usize)?;
        if visits == 0 {
            return Err(WireError::Missing("visit"));
        }
    }
    at_most("full searches of a thousand", full_permille as usize, 1000)?;
    playouts_of_a_batch(cost)?;
    let depths = Depths { full, short, decided, full_permille };
    Ok(Play { wanted: Wanted { seed, games, depths }, judged, cost })
}

fn trial(asked: wire::Try) -> Result<Trial, WireError> {
    let wire::Try { rule, alone, completions, seed } = asked;
    at_most("bytes of a rule", rule.len(), limits::RULE_BYTES_MAX)?;
    let most = limits::COMPLETIONS_PER_TRIAL_MAX as usize;
    at_most("completions of a trial", completions as usize, most)?;
    Ok(Trial { rule, alone, completions, seed })
}

fn practise(asked: wire::Practise) -> Result<Practise, WireError> {
    let wire::Practise { seed, games, plies, solve_from, evaluation, judged, cost } = asked;
    at_most("games of a batch", games as usize, limits::GAMES_PER_BATCH_MAX as usize)?;
    at_most("plies of a search", plies as usize, limits::PRACTICE_PLIES_MAX as usize)?;
    at_most("empty points to solve", solve_from as usize, limits::PRACTICE_SOLVE_MAX as usize)?;
    for (count, what) in [(games, "game"), (plies, "ply")] {
        if count == 0 {
            return Err(WireError::Missing(what));
        }
    }
    playouts_of_a_batch(cost)?;
    let practice = Practice { seed, games, plies, solve_from, evaluation };
    Ok(Practise { practice, judged, cost })
}

fn label(asked: wire::Label) -> Result<Label, WireError> {
    let wire::Label { seed, count, from, evaluation, judged, cost } = asked;
    at_most("positions of a batch", count as usize, limits::LABELS_PER_BATCH_MAX as usize)?;
    if count == 0 {
        return Err(WireError::Missing("position"));
    }
    playouts_of_a_batch(cost)?;
    let labelling = Labelling { seed, count, from, evaluation };
    Ok(Label { labelling, judged, cost })
}

fn playouts(playouts: wire::Playouts) -> Result<Playouts, WireError> {
    let wire::Playouts { count, policy, seed, amaf, ownership } = playouts;
    playouts_of_a_batch(count)?;
    let policy = self::policy(policy)?;
    Ok(Playouts { count, policy, seed, asked: Asked { amaf, ownership } })
}

/// Some, and not too many.
fn playouts_of_a_batch(count: u32) -> Result<(), WireError> {
    at_most("playouts of a batch", count as usize, limits::PLAYOUTS_PER_BATCH_MAX as usize)?;
    if count == 0 { Err(WireError::Missing("playout")) } else { Ok(()) }
}

fn grow(grow: wire::Grow) -> Result<Grow, WireError> {
    let wire::Grow { playouts: asked, floor, known_visits: visits, known, judged, spread } = grow;
    let playouts = playouts(asked.ok_or(WireError::Missing("playout"))?)?;
    if floor == 0 {
        return Err(WireError::Missing("floor of visits"));
    }
    at_most("visits of a leaf", visits as usize, limits::KNOWN_VISITS_MAX as usize)?;
    let subtree = known.map(|known| subtree(known, visits)).transpose()?.unwrap_or_default();
    let spread = spread.map(self::spread).transpose()?;
    Ok(Grow { playouts, floor, known: Box::new(Known { visits, subtree }), judged, spread })
}

fn spread(spread: wire::Spread) -> Result<Spread, WireError> {
    let wire::Spread { parts, playouts } = spread;
    at_most("parts in flight", parts as usize, limits::PARTS_MAX as usize)?;
    playouts_of_a_batch(playouts)?;
    if parts == 0 { Err(WireError::Missing("part")) } else { Ok(Spread { parts, playouts }) }
}

fn solve(subproblem: wire::Solve) -> Result<Solve, WireError> {
    use wire::solve::Sought as From;
    let wire::Solve { alpha, beta, nodes_max, cost, sought } = subproblem;
    let bounds = Bounds { alpha, beta };
    let (sought, bound_max) = match sought.ok_or(WireError::Missing("kind of value"))? {
        From::Score(wire::Score {}) => (Sought::Score, limits::SCORE_BOUND_MAX),
        From::Value(wire::Value { evaluation, depth }) => {
            at_most("plies of a subproblem", depth as usize, limits::SOLVING_DEPTH_MAX as usize)?;
            (Sought::Value { evaluation, depth }, INFINITE)
        }
    };
    for end in [alpha, beta] {
        at_most("bounds of a subproblem", end.unsigned_abs() as usize, bound_max as usize)?;
    }
    if alpha >= beta {
        return Err(WireError::EmptyBounds { alpha, beta });
    }
    at_most("positions of a subproblem", nodes_max as usize, limits::SOLVING_NODES_MAX as usize)?;
    playouts_of_a_batch(cost)?;
    Ok(Solve { sought, bounds, nodes_max, cost })
}
