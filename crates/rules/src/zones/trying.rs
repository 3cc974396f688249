//! What the solver says of rules about local fights.

use banyan_games::{Move, Rng};
use banyan_proofs::Effort;
use banyan_proofs::life::rules::Rule;
use banyan_proofs::life::{Learned, prove_fight, solve_fight};

use super::completion::{Completion, alone, completion};
use crate::judged::{Alone, Judged};
use crate::proof_text::{place_name, proof_text};

/// Positions of a proof that is written down, count.
const PROOF_MAX: usize = 400;

/// Effort for a proof of one shape alone.
const ALONE: Effort = Effort { nodes_max: 50_000, table_bytes: 1 << 20 };

/// Completions that are drawn for each that fits, at most.
const DRAWN_MAX: u32 = 40;

/// Proves a rule with nothing around it.
pub fn proven_alone(rule: &Rule) -> Alone {
    let Some(on) = alone(rule.shape()) else { return Alone::Unproven };
    let Some((verdict, proof)) = prove_fight(on.fight.clone(), ALONE, PROOF_MAX) else {
        return Alone::Unproven;
    };
    if verdict != rule.verdict {
        return Alone::Contradicted;
    }
    let name = |mv: Move| match mv.index() {
        None => "pass".to_owned(),
        Some(point) => {
            let point = point as i32;
            place_name(point / on.size - on.top, point % on.size - on.left)
        }
    };
    Alone::Proven(proof_text(&proof, &name))
}

/// Asks the solver about a rule on so many random completions of what the rule does not care about.
pub fn judged(rule: &Rule, completions: u32, rng: &mut Rng) -> Judged {
    let mut judged = Judged::default();
    for drawn in 0..completions.saturating_mul(DRAWN_MAX) {
        if judged.agreed + judged.contradicted + judged.open == completions {
            break;
        }
        // From an empty board around it to a full one.
        let percent = 8 * (drawn % 10);
        let layout = &rule.layouts[drawn as usize / 10 % rule.layouts.len()];
        let Some(Completion { fight, .. }) = completion(layout, percent, rng) else {
            continue;
        };
        match solve_fight(fight, ALONE, Learned::default()).verdict {
            None => judged.open += 1,
            Some(verdict) if verdict == rule.verdict => judged.agreed += 1,
            Some(_) => judged.contradicted += 1,
        }
    }
    judged
}
