//! Gomoku: leaves are evaluated, and wins by fours and threes are found.

use banyan_games::gomoku::Gomoku;
use banyan_games::line::Threat;
use banyan_games::{Game, Move, Outcome};
use banyan_proofs::threats::lessons::Learned;
use banyan_proofs::{Effort, threats};

use super::Searchable;
use crate::parameters::{Parameters, Valuing};

impl Searchable for Gomoku {
    const ALPHA_BETA_LEADS: bool = true;
    const VALUING: Valuing = Valuing::Evaluate;

    fn tuning(valuing: Valuing) -> Parameters {
        // Networks of Gomoku are sure of themselves sooner than those of Go (matches, docs/strength.md).
        let base = Parameters { puct_exploration: 0.9, ..Parameters::DEFAULT.valued_by(valuing) };
        match valuing {
            Valuing::Evaluate => Parameters {
                exploration: 0.05,
                prior_visits: 100.0,
                implicit_minimax: 0.3,
                proof_nodes: 50,
                ..base
            },
            Valuing::Playout => Parameters { rave_equivalence: 300.0, ..base },
            Valuing::Mixed => Parameters { rave_equivalence: 0.0, ..base },
        }
    }

    /// Wins of the side to move by fours.
    fn proven(&self, nodes_max: u64) -> Option<Outcome> {
        threats::wins_by_fours(self, nodes_max).then(|| Outcome::win(self.side_to_move()))
    }

    fn win_by_threats(
        &self,
        effort: Effort,
        rules: Option<&threats::rules::Rules>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<threats::ThreatsFound> {
        let learned = Learned { rules, lessons: None };
        Some(threats::gomoku_with(self, effort, learned, goes_on))
    }

    fn threats(&self) -> Option<[Vec<Threat>; 2]> {
        Some(banyan_games::line::Position::threats(self))
    }

    fn answers_to_threats(&self, nodes_max: u64) -> Option<Vec<Move>> {
        threats::answers(self, nodes_max)
    }
}
