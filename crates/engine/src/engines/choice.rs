//! Engines that may decide beside the tree, as they were chosen.

use std::num::NonZeroUsize;
use std::sync::Arc;

use banyan_knowledge::Evaluation;
use banyan_knowledge::evaluation::at_root;
use banyan_proofs::life;
use banyan_proofs::threats::rules::Rules;
use banyan_search::Searchable;
use banyan_search::classical::{Beam, Horizon, Method};
use banyan_search::endgame::Board;
use banyan_search::midgame;

use super::shared::Enough;

/// Engines that search.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// A classical engine, where one is asked for.
    pub classical: Option<Classical>,
    /// Tells whether wins by threats are looked for first.
    pub looks_for_threats: bool,
    /// Rules by which these are known sooner.
    pub threat_rules: Option<Arc<Rules>>,
    /// Go: rules by which the moves of the root are known sooner that decide what becomes of a chain.
    pub zone_rules: Option<Arc<life::rules::Rules>>,
    /// Memory for the tables, bytes.
    pub table_bytes_max: usize,
}

/// A classical engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Classical {
    /// Method of finding values.
    pub method: Method,
    /// The limit of its lines.
    pub horizon: Horizon,
    /// Index among the game's evaluations.
    pub evaluation: usize,
    /// So many moves of each position are looked at, those that are ranked best; nothing for all.
    pub beam: Option<NonZeroUsize>,
    /// The model of an evaluation beside these, as text that it has been read from before.
    pub model: Option<Arc<str>>,
    /// Tells whether the workers know all that it needs: they do not see files given to this process.
    pub is_shareable: bool,
    /// Tells whether it was not asked for: it chooses moves, and leaves questions about more than the best
    /// move to the tree.
    pub is_implied: bool,
}

impl Classical {
    /// Returns the number of threads worth asking for a search that begins at this position.
    pub(super) fn enough<G: Searchable>(&self, position: &G) -> Enough {
        match self.evaluation_at(position).late_moves() {
            Some(_) => Enough::FEW_MOVES,
            None => Enough::ALL_MOVES,
        }
    }

    /// The evaluation by which a search that begins at this position judges lines.
    pub(super) fn evaluation_at<G: Searchable>(&self, position: &G) -> Arc<dyn Evaluation<G>> {
        let by = |text| G::evaluation_by(text).expect("it was read when it was chosen");
        let own = self.model.as_deref().map(by);
        let own = at_root(own.as_ref().unwrap_or(&G::evaluations()[self.evaluation]), position);
        match self.beam {
            Some(width) => Arc::new(Beam::new(own, width)),
            None => own,
        }
    }

    /// The position as the search by tables over patterns sees it, where that is what was chosen: alpha-beta by
    /// them, so many plies deep, in Othello.
    pub(super) fn searches_by_patterns<G: Searchable>(&self, position: &G) -> Option<Board> {
        let is_its = G::evaluations()[self.evaluation].name() == midgame::EVALUATION;
        let is_plain = self.method == Method::AlphaBeta
            && self.horizon == Horizon::Depth
            && self.beam.is_none();
        position.endgame().filter(|_| is_its && is_plain && self.model.is_none())
    }
}
