//! The contract between what is known of a game and the search.

use std::sync::Arc;

use banyan_games::counts::{Counts, Observer};
use banyan_games::{Kind, Leaf, Listed, Move, Outcome, Rng};

use crate::digest::Digest;
use crate::evaluation::Evaluation;
use crate::evaluators::Shelved;
use crate::planes::{Encoding, Planes};
use crate::policy::Policy;

/// A text that holds no model of a game.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The game's evaluations are as they are.
    #[error("no evaluation of {0} reads a model from a file")]
    None(Kind),
    /// The fault, and where it is.
    #[error(transparent)]
    Malformed(Box<dyn std::error::Error + Send + Sync>),
}

/// Knowledge of a game beyond its rules. A game of which nothing is known says nothing.
pub trait Knowledge: Listed + Shelved {
    /// Tells whether [`Policy::Heavy`] is anything else than uniform.
    const HEAVY: bool = false;
    /// The policy that plays best in the same time.
    const POLICY: Policy = Policy::Uniform;
    /// Encoding of positions by [`Knowledge::encode`]; nothing where networks cannot judge this game.
    const ENCODING: Option<Encoding<'static>> = None;

    /// Where positions may be turned by half and no other way: the pairs of planes that change places then. Else all
    /// eight symmetries of a square turn them, and planes with them.
    const HALF_TURN: Option<&'static [[usize; 2]]> = None;

    /// The ways to evaluate a position of this game, the best for a position as it stands first; none where it has to
    /// be played out.
    fn evaluations() -> &'static [Arc<dyn Evaluation<Self>>] {
        &[]
    }

    /// Number of the one that classical searches go by where nobody names one, and that judges leaves of a tree once
    /// all is quiet there: it may know nothing of what is urgent.
    const SEARCHED_BY: usize = 0;

    /// Names of all evaluations, for people: the one that classical searches go by first.
    fn evaluation_names() -> Vec<&'static str> {
        let mut names: Vec<&str> = Self::evaluations().iter().map(|it| it.name()).collect();
        if let Some(searched) = names.get_mut(..=Self::SEARCHED_BY) {
            searched.rotate_right(1);
        }
        names
    }

    /// Tells whether there are positions of which [`Evaluation::quiescence_value`] says nothing.
    const HAS_URGENT_MOVES: bool = false;

    /// The evaluation by a model that a file holds as text.
    ///
    /// # Errors
    /// [`ModelError`] for a text that is no model of this game, or a game that takes none.
    fn evaluation_by(model: &str) -> Result<Arc<dyn Evaluation<Self>>, ModelError> {
        let _ = model;
        Err(ModelError::None(Self::KIND))
    }

    /// The contents of all models that are used for this game where nobody names others; nothing where
    /// nothing was learned.
    fn models() -> Digest {
        Digest::EMPTY
    }

    /// Says how likely each of these moves is to be good before any playout: weights above 0, of which
    /// only the proportions matter. Leaves `weights` empty where the game has no opinion.
    ///
    /// Moves may come from a peer that lies: any `u16` gets a weight.
    fn priors(&self, moves: &[Move], weights: &mut Vec<f32>) {
        let _ = moves;
        weights.clear();
    }

    /// Takes out of these candidates what static analysis and local reading show to be bad, before anything is
    /// played out; never all of them.
    ///
    /// # Source
    /// S4.
    fn leave_out_bad(&self, moves: &mut Vec<Move>) {
        let _ = moves;
    }

    /// Makes planes and globals of a position, as many as [`Knowledge::ENCODING`] says; none without one.
    fn encode(&self, planes: &mut Planes) {
        *planes = Planes::default();
    }

    /// Plays one heavy playout from here; returns the outcome and the number of plies.
    ///
    /// A position whose game is over returns its outcome and 0 plies.
    fn heavy_playout(&self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
        self.clone().playout(rng, observer)
    }

    /// Runs heavy playouts of many leaves of one game, by the same rules; each adds up to what it gives
    /// alone.
    ///
    /// The sums depend on the positions, their numbers of playouts, what their counts collect and the
    /// states of their generators, and on nothing else: not on the machine's features nor on threads.
    fn heavy_playouts(leaves: &mut [Leaf<'_, Self>]) {
        Self::play_out(leaves);
    }

    /// One playout by `policy`; returns the outcome and the number of plies.
    fn playout_by(
        &self,
        policy: Policy,
        rng: &mut Rng,
        observer: &mut impl Observer,
    ) -> (Outcome, u32) {
        match policy {
            Policy::Uniform => self.clone().playout(rng, observer),
            Policy::Heavy => self.heavy_playout(rng, observer),
        }
    }

    /// Runs `count` playouts by `policy` from this position and adds them to `counts`.
    fn playouts_by(&self, policy: Policy, count: u32, rng: &mut Rng, counts: &mut Counts) {
        match policy {
            Policy::Uniform => self.playouts(count, rng, counts),
            Policy::Heavy => {
                Self::heavy_playouts(&mut [Leaf { position: self, playouts: count, rng, counts }]);
            }
        }
    }

    /// Runs the playouts of many leaves of one game by `policy`, see [`Knowledge::heavy_playouts`].
    fn play_out_by(policy: Policy, leaves: &mut [Leaf<'_, Self>]) {
        match policy {
            Policy::Uniform => Self::play_out(leaves),
            Policy::Heavy => Self::heavy_playouts(leaves),
        }
    }
}
