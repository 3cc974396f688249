//! What boards have searched: the cluster knows sessions by number, and here stands which game each looks at.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use banyan_games::with_game;
use banyan_jobs::{Batch, BatchId, Claim, Crew, Lender, Post, Root, SessionId};

/// A game that is searched for a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// Game and rules, in words.
    pub game: String,
    /// A network alone judges: nothing is played out.
    pub is_judged: bool,
}

/// The games that are searched, by session.
pub type SearchedGames = BTreeMap<SessionId, Searched>;

impl Searched {
    fn of(root: &Root) -> Searched {
        let growing = &root.growing;
        Searched {
            game: with_game!(&root.rules, _G, rules => rules.to_string()),
            is_judged: growing.evaluator.is_some() && growing.parameters.lambda >= 1.0,
        }
    }
}

/// The cluster, with a note of what is searched by way of it.
#[derive(Debug)]
pub(super) struct Noting {
    lender: Arc<dyn Lender>,
    /// Searches that are open; written by the threads that search, locked for moments.
    games: Mutex<SearchedGames>,
}

impl Noting {
    pub fn new(lender: Arc<dyn Lender>) -> Noting {
        Noting { lender, games: Mutex::default() }
    }

    fn all(&self) -> MutexGuard<'_, SearchedGames> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The games that are searched now.
    pub fn games(&self) -> SearchedGames {
        self.all().clone()
    }
}

impl Lender for Noting {
    fn new_session(&self) -> SessionId {
        self.lender.new_session()
    }

    fn open(&self, root: Arc<Root>, claim: Claim, post: Post) {
        self.all().insert(root.id.session, Searched::of(&root));
        self.lender.open(root, claim, post);
    }

    fn submit(&self, session: SessionId, batches: Vec<Batch>) {
        self.lender.submit(session, batches);
    }

    fn drop_batches(&self, session: SessionId, batches: Vec<BatchId>) {
        self.lender.drop_batches(session, batches);
    }

    fn close(&self, session: SessionId) {
        self.all().remove(&session);
        self.lender.close(session);
    }

    fn crews(&self) -> Vec<Crew> {
        self.lender.crews()
    }

    fn note_search_time(&self) {
        self.lender.note_search_time();
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Color, Kind, Record};
    use banyan_jobs::{Epoch, Growing, ModelDigest, RootId};

    use super::*;

    /// A cluster that does nothing.
    #[derive(Debug)]
    struct Nobody;

    impl Lender for Nobody {
        fn new_session(&self) -> SessionId {
            SessionId(7)
        }

        fn open(&self, _: Arc<Root>, _: Claim, _: Post) {}

        fn submit(&self, _: SessionId, _: Vec<Batch>) {}

        fn drop_batches(&self, _: SessionId, _: Vec<BatchId>) {}

        fn close(&self, _: SessionId) {}

        fn crews(&self) -> Vec<Crew> {
            Vec::new()
        }

        fn note_search_time(&self) {}
    }

    #[test]
    fn a_search_is_known_by_its_game_and_its_judge_as_long_as_it_is_open() {
        let noting = Noting::new(Arc::new(Nobody));
        let session = noting.new_session();
        let rules = GoRules::new(9, 15).expect("a board");
        let open = |lambda: f32, evaluator: Option<ModelDigest>| {
            let mut growing = Growing { evaluator, ..Growing::of(Kind::Go) };
            growing.parameters.lambda = lambda;
            let id = RootId { session, epoch: Epoch(1) };
            let root = Root::of::<Go>(&Record::new(&rules), Color::Black, id, growing);
            noting.open(Arc::new(root), Claim::default(), Box::new(|_| {}));
            noting.games()[&session].clone()
        };
        let net = Some(ModelDigest([7; 32]));
        let game = "go 9x9, komi 7.5".to_owned();
        assert_eq!(open(1.0, net), Searched { game: game.clone(), is_judged: true });
        assert_eq!(open(0.5, net), Searched { game: game.clone(), is_judged: false });
        assert_eq!(open(0.0, None), Searched { game, is_judged: false });
        noting.close(session);
        assert!(noting.games().is_empty());
    }
}
