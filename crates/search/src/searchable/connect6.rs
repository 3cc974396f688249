//! Connect6: leaves are evaluated, a pair of stones has one place in the tree, and wins by double threats
//! are found.

use banyan_games::connect6::Connect6;
use banyan_games::line::Threat;
use banyan_games::{Game, Move, Outcome};
use banyan_proofs::threats::lessons::Learned;
use banyan_proofs::{Effort, threats};

use super::Searchable;
use crate::parameters::{Parameters, Valuing};

/// Memory for what is proven of a leaf, which must not take longer to clear than to fill.
const TABLE_BYTES: usize = 1 << 14;

impl Searchable for Connect6 {
    const ALPHA_BETA_LEADS: bool = true;
    const FEARS_THREATS: bool = true;
    const VALUING: Valuing = Valuing::Evaluate;

    fn tuning(valuing: Valuing) -> Parameters {
        let base =
            Parameters { turn_transpositions: true, ..Parameters::DEFAULT.valued_by(valuing) };
        match valuing {
            Valuing::Evaluate => {
                Parameters { exploration: 0.1, prior_visits: 100.0, implicit_minimax: 0.3, ..base }
            }
            Valuing::Playout => Parameters { rave_equivalence: 300.0, ..base },
            Valuing::Mixed => Parameters { rave_equivalence: 0.0, ..base },
        }
    }

    /// Wins of the side to move by double threats.
    fn proven(&self, nodes_max: u64) -> Option<Outcome> {
        let effort = Effort { nodes_max, table_bytes: TABLE_BYTES };
        let found = threats::connect6(self, effort, &mut |_| true);
        found.win.map(|_| Outcome::win(self.side_to_move()))
    }

    fn win_by_threats(
        &self,
        effort: Effort,
        rules: Option<&threats::rules::Rules>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<threats::ThreatsFound> {
        let learned = Learned { rules, lessons: None };
        Some(threats::connect6_with(self, effort, learned, goes_on))
    }

    fn threats(&self) -> Option<[Vec<Threat>; 2]> {
        Some(banyan_games::line::Position::threats(self))
    }

    fn answers_to_threats(&self, _: u64) -> Option<Vec<Move>> {
        threats::connect6_answers(self)
    }
}
