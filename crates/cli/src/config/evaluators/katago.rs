//! KataGo as the judge, as it was typed and as it is meant.

use banyan_games::{Rules, Size};
use banyan_jobs::{Evaluators, ModelFiles};
use banyan_knowledge::evaluator::KATAGO;
use banyan_knowledge::judges::{Judge, KATAGO_KOMI_MAX, KATAGO_SIDE_MAX, Reach};

use super::{EvaluatorsError, Judging, MIXED_LAMBDA};
use crate::options::{EvaluatorArg, EvaluatorsArgs};

/// Returns the judges of positions where KataGo is asked; nothing where it is not.
///
/// # Errors
/// [`EvaluatorsError`] names what cannot be together.
pub(super) fn judging(
    args: &EvaluatorsArgs,
    rules: &Rules,
) -> Result<Option<Judging>, EvaluatorsError> {
    let EvaluatorsArgs { evaluator, net, lambda, selection, katago } = args;
    let here = katago.is_some();
    let unasked = match evaluator {
        Some(EvaluatorArg::Katago) => 1.0,
        Some(EvaluatorArg::Mixed) if here => MIXED_LAMBDA,
        None | Some(EvaluatorArg::Auto) if here => 1.0,
        Some(asked) if here => return Err(EvaluatorsError::Unasked(*asked)),
        _ => return Ok(None),
    };
    if net.is_some() {
        return Err(EvaluatorsError::Two);
    }
    let (size, komi) = match rules {
        Rules::Go(go) => (Size::square(go.size()), go.komi()),
        other => return Err(EvaluatorsError::NotGo(other.kind())),
    };
    if size.width > KATAGO_SIDE_MAX {
        return Err(EvaluatorsError::Large(size));
    }
    if komi.unsigned_abs() > KATAGO_KOMI_MAX {
        return Err(EvaluatorsError::Komi(f64::from(komi) / 2.0));
    }
    let lambda = lambda.unwrap_or(unasked);
    let judging = Judging {
        evaluators: Evaluators::default(),
        evaluator: None,
        judges: vec![Judge { digest: KATAGO, reach: Reach::KataGo }],
        models: ModelFiles::default(),
        katago: katago.clone(),
        lambda,
        selection: *selection,
    };
    Ok(Some(judging.under(rules)))
}
