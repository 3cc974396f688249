//! MTD(f): a value closed in on by searches that only ask whether it is at least so much.
//!
//! # Source
//! Plaat et al. 1996; the steps are S10's, in a form that cannot loop.

use super::alpha_beta::Best;
use crate::bounds::{Bounds, INFINITE};

/// Method by which the value of a position is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// One search with full bounds.
    #[default]
    AlphaBeta,
    /// Searches with null bounds.
    Mtdf(Step),
}

/// By how much the next question of MTD(f) goes beyond the last answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Always by this; 1 or less is plain MTD(f).
    Fixed(i32),
    /// Twice as much after two answers alike, a quarter after two that differ; this at first.
    Adaptive(i32),
    /// As much as the value that the last pass found, or that was guessed before the first: S10's, that finds a
    /// value far from 0 in few passes.
    Last,
}

/// Steps grow no further.
const STEP_MAX: i32 = 1 << 28;

impl Step {
    fn first(self, guess: i32) -> i32 {
        match self {
            Step::Fixed(step) | Step::Adaptive(step) => step.clamp(1, STEP_MAX),
            Step::Last => of_value(guess),
        }
    }

    /// - `alike`: whether the last two passes had the same answer.
    fn next(self, step: i32, alike: bool, value: i32) -> i32 {
        match self {
            Step::Fixed(_) => step,
            Step::Last => of_value(value),
            Step::Adaptive(_) if alike => (2 * step).min(STEP_MAX),
            Step::Adaptive(_) => (step / 4).max(1),
        }
    }
}

fn of_value(value: i32) -> i32 {
    value.saturating_abs().clamp(1, STEP_MAX)
}

/// The value and a best move, from passes that `search` makes; `passes` counts them.
///
/// Each pass narrows the bounds by one at least, so this ends.
///
/// - `first`: what the value is guessed to be.
///
/// # Errors
/// When a pass is stopped: the best move of the last pass that found one, with what it is worth at
/// least; nothing when there was none.
pub(super) fn mtdf(
    first: i32,
    step: Step,
    passes: &mut u32,
    mut search: impl FnMut(Bounds) -> Result<Best, Best>,
) -> Result<Best, Option<Best>> {
    let (mut lower, mut upper) = (-INFINITE, INFINITE);
    let mut size = step.first(first);
    let mut last_high = None;
    let mut best = None;
    let mut beta = first;
    while lower < upper {
        *passes += 1;
        let found = search(Bounds::below(beta)).map_err(|_| best)?;
        let high = found.value >= beta;
        if high {
            // A move is to be trusted only when it was too good: else all were searched just so far
            // as to see that they are not.
            best = Some(found);
            lower = found.value;
        } else {
            upper = found.value;
        }
        if let Some(last) = last_high {
            size = step.next(size, last == high, found.value);
        }
        last_high = Some(high);
        beta = if high { lower.saturating_add(size) } else { upper - (size - 1) };
        beta = beta.clamp((lower + 1).min(upper), upper);
    }
    Ok(best.expect("the bounds met, so one pass found that the value is at least what it is"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Move;

    /// A fail-soft search of a position worth `value`, that sees no further than `softness`.
    fn passes(value: i32, first: i32, step: Step, softness: i32) -> u32 {
        let mut passes = 0;
        let found = mtdf(first, step, &mut passes, |bounds| {
            let seen = if value >= bounds.beta {
                value.min(bounds.beta + softness)
            } else {
                value.max(bounds.alpha - softness)
            };
            Ok(Best { value: seen, mv: Move(if value >= bounds.beta { 7 } else { 9 }) })
        });
        assert_eq!(found, Ok(Best { value, mv: Move(7) }), "{first} {step:?} {softness}");
        passes
    }

    #[test]
    fn every_step_finds_the_value_and_a_move_of_a_pass_that_failed_high() {
        for value in [-2000, -1, 0, 1, 37, 3000] {
            for first in [-50, 0, 1, 40] {
                for softness in [0, 3, 1000] {
                    for step in [0, 1, 2, 100, STEP_MAX] {
                        passes(value, first, Step::Fixed(step), softness);
                        passes(value, first, Step::Adaptive(step), softness);
                    }
                    passes(value, first, Step::Last, softness);
                }
            }
        }
    }

    #[test]
    fn steps_save_passes_where_the_guess_is_far_off() {
        let plain = passes(5_000, 0, Step::Fixed(0), 0);
        let fixed = passes(5_000, 0, Step::Fixed(150), 0);
        let adaptive = passes(5_000, 0, Step::Adaptive(16), 0);
        let last = passes(5_000, 4_000, Step::Last, 0);
        // Where answers are no sharper than the question, the step leaps to and fro between the bounds.
        assert!(last < 2_100, "{last}");
        assert!(plain >= 5_000 && fixed < 150 && adaptive < 35, "{plain} {fixed} {adaptive}");
    }

    #[test]
    fn a_stopped_pass_gives_the_best_of_those_before() {
        let mut passes = 0;
        let kept = Best { value: 5, mv: Move(3) };
        let stopped = mtdf(0, Step::Fixed(1), &mut passes, |bounds| {
            if bounds.beta <= 0 { Ok(kept) } else { Err(Best { value: 9, mv: Move(4) }) }
        });
        assert_eq!(stopped, Err(Some(kept)));
    }
}
