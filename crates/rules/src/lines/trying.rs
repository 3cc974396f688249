//! What the solver says of rules about wins by threats.

use banyan_games::line::Position;
use banyan_games::{Color, Game as _, Move, Rng, Symmetry};
use banyan_proofs::Effort;
use banyan_proofs::threats::explain::Explained;
use banyan_proofs::threats::lessons::Learned;
use banyan_proofs::threats::rules::Rule;

use super::completion::completion;
use crate::judged::Judged;

/// Effort for a proof on a completion.
const EFFORT: Effort = Effort { nodes_max: 50_000, table_bytes: 1 << 20 };

/// Completions that are drawn for each that fits, at most.
const DRAWN_MAX: u32 = 40;

/// Asks the solver about a rule on so many random completions of what the rule does not care about.
pub fn judged<R: Explained>(rule: &Rule, rules: &R, completions: u32, rng: &mut Rng) -> Judged {
    let mut judged = Judged::default();
    for drawn in 0..completions.saturating_mul(DRAWN_MAX) {
        if judged.agreed + judged.contradicted + judged.open == completions {
            break;
        }
        // From an empty board around it to one that is half full.
        let percent = 5 * (drawn % 10);
        let Some(position) = completion(rule, rules, percent, rng) else { continue };
        match wins(&position) {
            Some(true) => judged.agreed += 1,
            Some(false) => judged.contradicted += 1,
            None => judged.open += 1,
        }
    }
    judged
}

/// Tells whether the side to move wins by threats, as the solver sees it in any image of the position: what it finds
/// is proven, but of the two stones of a turn it looks at one order alone, and so misses wins in one image that it
/// finds in another.
fn wins<R: Explained>(position: &Position<R>) -> Option<bool> {
    let mut is_complete = true;
    for symmetry in Symmetry::all(position.size()) {
        let found =
            R::search(&image(position, symmetry), EFFORT, Learned::default(), &mut |_| true);
        if found.win.is_some() {
            return Some(true);
        }
        is_complete &= found.is_complete;
    }
    is_complete.then_some(false)
}

/// The position turned, with a whole turn to play.
fn image<R: Explained>(position: &Position<R>, symmetry: Symmetry) -> Position<R> {
    let (size, side) = (position.size(), position.side_to_move());
    let points = (0..size.area()).map(Move::point);
    let stone = |point| Some((position.stone(point)?, symmetry.image(point, size)));
    let stones: Vec<(Color, Move)> = points.filter_map(stone).collect();
    let mut turned = position.clone();
    turned.set_up(&stones, side).expect("the same stones");
    turned
}
