//! Othello: leaves are evaluated, and once few points are empty everything is proven.

use banyan_games::othello::Othello;
use banyan_games::{Game, Outcome};

use super::Searchable;
use crate::endgame::{self, Board};
use crate::parameters::{Parameters, Valuing};

impl Searchable for Othello {
    const ALPHA_BETA_LEADS: bool = true;
    const VALUING: Valuing = Valuing::Evaluate;

    fn tuning(valuing: Valuing) -> Parameters {
        let base = Parameters::DEFAULT.valued_by(valuing);
        match valuing {
            Valuing::Evaluate => Parameters {
                exploration: 0.2,
                prior_sharpness: 1.0,
                prior_visits: 20.0,
                implicit_minimax: 0.3,
                proof_nodes: 500,
                ..base
            },
            Valuing::Playout | Valuing::Mixed => Parameters { rave_equivalence: 0.0, ..base },
        }
    }

    fn proven(&self, nodes_max: u64) -> Option<Outcome> {
        let side = self.side_to_move();
        Some(match endgame::sign_of_few(Board::from(self), nodes_max)? {
            0 => Outcome::DRAW,
            1.. => Outcome::win(side),
            _ => Outcome::win(!side),
        })
    }

    fn endgame(&self) -> Option<Board> {
        Some(Board::from(self))
    }
}
