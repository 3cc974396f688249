//! The evaluators at hand, by game and digest: those of files, those that came from elsewhere.

use std::sync::Arc;

use banyan_games::connect6::Connect6;
use banyan_games::go::Go;
use banyan_games::gomoku::Gomoku;
use banyan_games::hex::Hex;
use banyan_games::othello::Othello;
use banyan_games::{Game, Kind};

use crate::evaluator::{Evaluator, ModelDigest};
use crate::patterns::Patterns;

/// Evaluators of one game.
pub type Shelf<G> = Vec<Arc<dyn Evaluator<G>>>;

/// A game of which evaluators are kept.
pub trait Shelved: Game {
    /// Those of this game.
    fn shelf(evaluators: &Evaluators) -> &Shelf<Self>;

    /// Those of this game, to be added to.
    fn shelf_mut(evaluators: &mut Evaluators) -> &mut Shelf<Self>;
}

macro_rules! shelves {
    ($($shelf:ident: $game:ty;)*) => {
        /// Evaluators of every game; cheap to clone.
        #[derive(Clone, Debug, Default)]
        pub struct Evaluators {
            $($shelf: Shelf<$game>,)*
            /// Tables over patterns, by the digests of their files.
            patterns: Vec<(ModelDigest, Patterns)>,
        }

        $(impl Shelved for $game {
            fn shelf(evaluators: &Evaluators) -> &Shelf<$game> {
                &evaluators.$shelf
            }

            fn shelf_mut(evaluators: &mut Evaluators) -> &mut Shelf<$game> {
                &mut evaluators.$shelf
            }
        })*
    };
}

shelves! {
    go: Go;
    othello: Othello;
    gomoku: Gomoku;
    connect6: Connect6;
    hex: Hex;
}

impl Evaluators {
    /// Adds one, unless one of its digest is there.
    pub fn add<G: Shelved>(&mut self, evaluator: Arc<dyn Evaluator<G>>) {
        if self.get::<G>(evaluator.digest()).is_none() {
            G::shelf_mut(self).push(evaluator);
        }
    }

    /// Adds tables over patterns, unless those of this digest are there.
    pub fn add_patterns(&mut self, digest: ModelDigest, patterns: Patterns) {
        if self.patterns(digest).is_none() {
            self.patterns.push((digest, patterns));
        }
    }

    /// The tables over patterns of this digest.
    pub fn patterns(&self, digest: ModelDigest) -> Option<&Patterns> {
        self.patterns.iter().find(|(held, _)| *held == digest).map(|(_, patterns)| patterns)
    }

    /// Lets go of the one of this digest; who has it already goes on with it.
    pub fn remove(&mut self, digest: ModelDigest) {
        fn from<G: Shelved>(evaluators: &mut Evaluators, digest: ModelDigest) {
            G::shelf_mut(evaluators).retain(|it| it.digest() != digest);
        }
        from::<Go>(self, digest);
        from::<Othello>(self, digest);
        from::<Gomoku>(self, digest);
        from::<Connect6>(self, digest);
        from::<Hex>(self, digest);
        self.patterns.retain(|(held, _)| *held != digest);
    }

    /// The digests of all, each with its game and its name.
    pub fn all(&self) -> Vec<(Kind, ModelDigest, String)> {
        fn of<G: Shelved>(evaluators: &Evaluators) -> Vec<(Kind, ModelDigest, String)> {
            let named = |it: &Arc<dyn Evaluator<G>>| (G::KIND, it.digest(), it.name().to_owned());
            G::shelf(evaluators).iter().map(named).collect()
        }
        let patterns = |(digest, patterns): &(ModelDigest, Patterns)| {
            (patterns.game(), *digest, "patterns".to_owned())
        };
        [of::<Go>, of::<Othello>, of::<Gomoku>, of::<Connect6>, of::<Hex>]
            .into_iter()
            .flat_map(|of| of(self))
            .chain(self.patterns.iter().map(patterns))
            .collect()
    }

    /// Tells whether a model of this digest is here.
    pub fn has(&self, digest: ModelDigest) -> bool {
        self.all().iter().any(|(_, held, _)| *held == digest)
    }

    /// The one of this digest.
    pub fn get<G: Shelved>(&self, digest: ModelDigest) -> Option<Arc<dyn Evaluator<G>>> {
        G::shelf(self).iter().find(|it| it.digest() == digest).cloned()
    }
}
