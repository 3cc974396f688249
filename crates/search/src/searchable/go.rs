//! Go: playouts on any board, and what is proven of chains at the root and at the end.

use banyan_games::Move;
use banyan_games::go::Go;
use banyan_proofs::life;

use super::Searchable;
use crate::parameters::{Parameters, Valuing};

impl Searchable for Go {
    const TUNED_ON: Option<u32> = Some(81);

    fn tuning(valuing: Valuing) -> Parameters {
        Parameters {
            exploration: 0.02,
            prior_visits: 50.0,
            prior_criticality: 5.0,
            prior_settled: 1.5,
            puct_least: 0.002,
            ..Parameters::DEFAULT.valued_by(valuing)
        }
    }

    fn vital_moves(&self, nodes_max: u64, rules: Option<&life::rules::Rules>) -> Vec<Move> {
        life::vital_moves(self, nodes_max, rules).into_iter().map(|vital| vital.mv).collect()
    }
    fn in_seki(&self, dead: &[Move], nodes_max: u64) -> Vec<Move> {
        life::seki::in_seki(self, dead, nodes_max)
    }
}
