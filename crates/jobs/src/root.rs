//! A root position as it travels: rules, stones, plies. Sent once per session, epoch and worker.

use banyan_games::{Color, IllegalMove, Kind, Move, Record, Rules, SetupError};
use banyan_knowledge::{Digest, ModelDigest};
use banyan_search::Parameters;
use banyan_search::Searchable;

use crate::ids::RootId;

/// A position that batches start from.
#[derive(Clone, Debug, PartialEq)]
pub struct Root {
    /// Its name in batches.
    pub id: RootId,
    /// The game and its rules.
    pub rules: Rules,
    /// Stones before the first ply.
    pub setup: Vec<(Color, Move)>,
    /// The side that moves first after the setup.
    pub first: Color,
    /// Plies since, with who played them.
    pub plies: Vec<(Color, Move)>,
    /// The side to move at the root.
    pub side_to_move: Color,
    /// Settings of the trees under it.
    pub growing: Growing,
    /// The models that its batches are run with.
    pub models: Digest,
}

/// Settings of a tree, the coordinator's and each worker's private one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growing {
    /// Numbers of the search.
    pub parameters: Parameters,
    /// Orders the children of each node, so that trees of one seed order them alike.
    pub seed: u64,
    /// Evaluator of positions; none where all is played out.
    pub evaluator: Option<ModelDigest>,
}

impl Growing {
    /// The defaults for a game.
    pub fn of(kind: Kind) -> Growing {
        Growing { parameters: Parameters::of(kind), seed: 0, evaluator: None }
    }

    /// Tells whether an evaluator alone judges: nothing is played out.
    pub fn is_all_judged(&self) -> bool {
        self.evaluator.is_some() && self.parameters.lambda >= 1.0
    }
}

/// Reasons why a root is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootError {
    /// The setup cannot stand.
    #[error("root {root}: {reason}")]
    Setup {
        /// The root.
        root: RootId,
        /// Reason.
        reason: SetupError,
    },
    /// Its batches need models that are not here.
    #[error("root {root} names the models {named} of {game}, and this build has {held}")]
    Models {
        /// The root.
        root: RootId,
        /// The game.
        game: Kind,
        /// The models that it names.
        named: Digest,
        /// Those of this build.
        held: Digest,
    },
    /// A ply is against the rules.
    #[error("root {root}, ply {ply}: {reason}")]
    Ply {
        /// The root.
        root: RootId,
        /// From 1.
        ply: usize,
        /// Reason.
        reason: IllegalMove,
    },
}

impl Root {
    /// The root that a game stands at now, with `side` to move.
    pub fn of<G: Searchable>(
        record: &Record<G>,
        side: Color,
        id: RootId,
        growing: Growing,
    ) -> Root {
        Root {
            id,
            rules: record.start().rules().clone().into(),
            setup: record.setup().to_vec(),
            first: record.start().side_to_move(),
            plies: record.plies().to_vec(),
            side_to_move: side,
            growing,
            models: G::models(),
        }
    }

    /// Tells whether the models that it names are those of this build.
    ///
    /// # Errors
    /// [`RootError::Models`] when they are others: answers would differ.
    pub fn check_models<G: Searchable>(&self) -> Result<(), RootError> {
        let (named, held) = (self.models, G::models());
        if named == held {
            return Ok(());
        }
        Err(RootError::Models { root: self.id, game: G::KIND, named, held })
    }

    /// The game so far, by playing the plies.
    ///
    /// # Errors
    /// [`RootError`] with the stone or ply that the rules forbid.
    pub fn record<G: Searchable>(&self, rules: &G::Rules) -> Result<Record<G>, RootError> {
        let setup = |reason| RootError::Setup { root: self.id, reason };
        let mut record = Record::<G>::set_up(rules, &self.setup, self.first).map_err(setup)?;
        for (index, &(color, mv)) in self.plies.iter().enumerate() {
            let wrong = |reason| RootError::Ply { root: self.id, ply: index + 1, reason };
            record.play_as(color, mv).map_err(wrong)?;
        }
        Ok(record)
    }

    /// The position at its end, with the side to move that was asked for.
    ///
    /// # Errors
    /// [`RootError`] with the ply that the rules forbid.
    pub fn position<G: Searchable>(&self, rules: &G::Rules) -> Result<G, RootError> {
        let record = self.record::<G>(rules)?;
        let mut position = record.position().clone();
        position.set_side_to_move(self.side_to_move).map_err(|side| RootError::Ply {
            root: self.id,
            ply: self.plies.len(),
            reason: side.into(),
        })?;
        Ok(position)
    }
}
