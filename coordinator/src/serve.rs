//! Front ends that attach from elsewhere: each has a session here, with a thread that searches for it
//! and an equal share of the memory for trees; [`crate::seats`] holds their places.
//!
//! What they say comes through [`crate::rpc`]; a front end's own side is [`crate::remote`].

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use banyan_engine::Playable;
use banyan_engine::question::PROGRESS_INTERVAL;
use banyan_engine::report::{Report, Reports};
use banyan_engine::request::Request;
use banyan_engine::search_thread::Searcher;
use banyan_engine::tuning::Tuning;
use banyan_games::{Move, Record, Size, with_game};
use banyan_jobs::session::{SearchEnd, SearchRequest, SearchResponse, ToFrontEnd};
use banyan_jobs::{Growing, Lender, ModelDigest, Plan, PlanError, Root, RootError};
use banyan_knowledge::evaluator::KATAGO;
use banyan_knowledge::judges::{Reach, size_of};
use banyan_knowledge::statics;
use tokio::sync::mpsc;

use crate::seats::SessionSlot;

/// One search that a front end wants, and how to end it.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) request: SearchRequest,
    pub(crate) stop: Arc<AtomicBool>,
}

/// One front end's session.
pub(crate) struct Host {
    pub(crate) slot: SessionSlot,
    pub(crate) lender: Arc<dyn Lender>,
    pub(crate) answers: mpsc::Sender<ToFrontEnd>,
}

/// Reasons why a request is none. The session ends with any of them.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// Another game than the session's.
    #[error("a session keeps its game")]
    Changed,
    /// Positions are to be judged by what is not here.
    #[error(
        "this coordinator has not the evaluator {0}: expected a network of its own (banyan serve --net FILE), \
         the static evaluation of its build, or --evaluator playouts"
    )]
    Evaluator(ModelDigest),
    /// A board that networks cannot see.
    #[error("networks judge boards of 7x7 to 25x25, not {}x{}: expected --evaluator playouts", .0.width, .0.height)]
    Board(Size),
    /// A share of judgements, and nobody who judges.
    #[error("a share of {0} for judgements, and no evaluator is named")]
    Lambda(f32),
    /// The root is no position.
    #[error(transparent)]
    Root(#[from] RootError),
    /// Nobody has a move.
    #[error("the game is over: there is nothing to search")]
    Over,
    /// A move that cannot be allowed.
    #[error("{0:?} is no legal move at the root, or there twice")]
    Allowed(Move),
    /// A plan that cannot be.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl Host {
    /// Starts the thread that searches for this session, until no more requests can come.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub(crate) fn start(self, mut requests: mpsc::Receiver<Asked>) -> std::io::Result<()> {
        std::thread::Builder::new().name("session".to_owned()).spawn(move || {
            let Some(first) = requests.blocking_recv() else { return };
            let rules = first.request.root.rules.clone();
            with_game!(&rules, G, _rules => self.attend::<G>(first, requests));
        })?;
        Ok(())
    }

    fn attend<G: Playable>(self, first: Asked, mut requests: mpsc::Receiver<Asked>) {
        let mut searcher = Searcher::<G>::new(self.lender.clone());
        let mut next = Some(first);
        while let Some(Asked { request: asked, stop }) = next {
            match self.request::<G>(&asked, stop) {
                Ok(request) => {
                    self.slot.begins();
                    G::search(&mut searcher, request);
                    self.slot.ends();
                }
                Err(why) => {
                    let _ = self.answers.blocking_send(ToFrontEnd::Refused(why.to_string()));
                    return;
                }
            }
            next = requests.blocking_recv();
        }
    }

    fn request<G: Playable>(
        &self,
        asked: &SearchRequest,
        stop: Arc<AtomicBool>,
    ) -> Result<Request<G>, RequestError> {
        let Wanted { record, plan } = Wanted::of(asked, &self.slot.evaluators)?;
        let Growing { parameters, evaluator, seed } = asked.root.growing;
        Ok(Request {
            record,
            tuning: Tuning {
                parameters,
                evaluator,
                seed,
                tree_bytes_max: self.slot.tree_bytes_max,
                final_move: asked.final_move,
            },
            side: asked.root.side_to_move,
            plan,
            claim: asked.claim,
            deadline: asked.time.map(|time| Instant::now() + time),
            allowed: asked.allowed.clone(),
            digest: asked.digest,
            lines: 0,
            interval: PROGRESS_INTERVAL,
            stop,
            checkpoint: None,
            reports: Box::new(Responses { number: asked.number, answers: self.answers.clone() }),
        })
    }
}

/// One search's way to the wire: a report becomes a response.
struct Responses {
    number: u32,
    answers: mpsc::Sender<ToFrontEnd>,
}

impl Responses {
    fn answer(&self, report: Report) -> ToFrontEnd {
        ToFrontEnd::Response(Box::new(response(self.number, report)))
    }
}

impl Reports for Responses {
    fn progress(&self, report: Report) {
        let _ = self.answers.try_send(self.answer(report));
    }

    fn end(&self, report: Report) {
        let _ = self.answers.blocking_send(self.answer(report));
    }
}

/// The game of a request, checked: it may come from anybody.
#[derive(Clone, Debug)]
pub struct Wanted<G: Playable> {
    /// The game so far.
    pub record: Record<G>,
    /// Plan of the search.
    pub plan: Plan,
}

impl<G: Playable> Wanted<G> {
    /// Checks a request for a game of this kind.
    ///
    /// - `evaluators`: those that judge here.
    ///
    /// # Errors
    /// [`RequestError`] for what cannot be searched.
    pub fn of(
        asked: &SearchRequest,
        evaluators: &BTreeSet<ModelDigest>,
    ) -> Result<Wanted<G>, RequestError> {
        let root = &asked.root;
        let rules = G::Rules::try_from(root.rules.clone()).map_err(|_| RequestError::Changed)?;
        root.check_models::<G>()?;
        if let Some(evaluator) = root.growing.evaluator.filter(|it| !evaluators.contains(it)) {
            return Err(RequestError::Evaluator(evaluator));
        }
        let is_network = |digest: ModelDigest| !statics::is_static(digest) && digest != KATAGO;
        if root.growing.evaluator.is_some_and(is_network) && !Reach::SEEN.holds(&root.rules) {
            return Err(RequestError::Board(size_of(&root.rules)));
        }
        if root.growing.evaluator.is_none() && root.growing.parameters.lambda > 0.0 {
            return Err(RequestError::Lambda(root.growing.parameters.lambda));
        }
        let record = root.record::<G>(&rules)?;
        let position = root.position::<G>(&rules)?;
        if position.outcome().is_some() {
            return Err(RequestError::Over);
        }
        for (at, &mv) in asked.allowed.iter().enumerate() {
            if !position.is_legal(mv) || asked.allowed[..at].contains(&mv) {
                return Err(RequestError::Allowed(mv));
            }
        }
        asked.plan.check::<G>()?;
        Ok(Wanted { record, plan: asked.plan })
    }
}

fn response(number: u32, report: Report) -> SearchResponse {
    // Engines beside the tree and checkpoints are the front end's; who played is this side's. The best
    // line alone travels.
    let Report {
        candidates,
        pv,
        lines: _,
        kept: _,
        visits,
        sums,
        elapsed,
        before: _,
        explanation: _,
        is_judged: _,
        ended,
    } = report;
    let end = ended.map(|ended| SearchEnd { digest: ended.digest });
    SearchResponse { number, candidates, pv, visits, sums, elapsed, end }
}

/// A request as the session's coordinator understands it.
pub(crate) fn request<G: Playable>(number: u32, request: &Request<G>) -> SearchRequest {
    let Request { record, side, tuning, plan, claim, deadline, allowed, digest, .. } = request;
    let Tuning { parameters, evaluator, seed: tree_seed, tree_bytes_max: _, final_move } = *tuning;
    let growing = Growing { parameters, seed: tree_seed, evaluator };
    SearchRequest {
        number,
        root: Root::of(record, *side, Default::default(), growing),
        claim: *claim,
        plan: *plan,
        time: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
        allowed: allowed.clone(),
        final_move,
        digest: *digest,
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Color;
    use banyan_games::Game;
    use banyan_games::gomoku::{Gomoku, GomokuRules};
    use banyan_games::othello::{Othello, OthelloRules};

    use banyan_games::Kind;
    use banyan_jobs::Sizing;
    use banyan_knowledge::Policy;

    use super::*;

    fn asked(plies: &[usize]) -> SearchRequest {
        let rules = GomokuRules::new(5, 5, Default::default()).expect("a size of Gomoku");
        let mut record = Record::<Gomoku>::new(&rules);
        plies.iter().for_each(|&at| record.play(Move::point(at)).expect("legal"));
        let side = record.position().side_to_move();
        SearchRequest::of(1, Root::of(&record, side, Default::default(), Growing::of(Kind::Gomoku)))
    }

    fn evaluators() -> BTreeSet<ModelDigest> {
        [ModelDigest([7; 32])].into()
    }

    fn refusal<G: Playable>(asked: &SearchRequest) -> String {
        Wanted::<G>::of(asked, &evaluators()).expect_err("no request").to_string()
    }

    #[test]
    fn a_request_that_cannot_be_searched_is_refused_with_the_reason() {
        assert!(Wanted::<Gomoku>::of(&asked(&[3, 4]), &evaluators()).is_ok());
        assert!(refusal::<Othello>(&asked(&[])).starts_with("a session keeps its game"));
        let five_in_a_row = [0, 10, 1, 11, 2, 12, 3, 13, 4];
        assert!(refusal::<Gomoku>(&asked(&five_in_a_row)).starts_with("the game is over"));
        for allowed in [vec![Move::point(3)], vec![Move::point(5); 2], vec![Move(999)]] {
            let asked = SearchRequest { allowed, ..asked(&[3]) };
            assert!(refusal::<Gomoku>(&asked).contains("no legal move"));
        }
        let start = Record::<Othello>::new(&OthelloRules);
        let growing = Growing::of(Kind::Othello);
        let othello = Root::of(&start, Color::Black, Default::default(), growing);
        let heavy =
            SearchRequest { plan: Plan::of(Policy::Heavy), ..SearchRequest::of(1, othello) };
        assert!(refusal::<Othello>(&heavy).contains("no heavy playouts"));
        let sizing = Sizing { playouts: Some(8), ..Sizing::default() };
        let plan = Plan { sizing, window: Some(4), ..asked(&[]).plan };
        let narrow = SearchRequest { plan, ..asked(&[]) };
        assert!(refusal::<Gomoku>(&narrow).contains("a window of 4"));
        let mut judged = asked(&[3]);
        judged.root.growing.evaluator = Some(ModelDigest([1; 32]));
        assert!(refusal::<Gomoku>(&judged).contains("has not the evaluator 0101"));
        judged.root.growing.evaluator = evaluators().pop_first();
        judged.root.growing.parameters.lambda = 1.0;
        assert!(refusal::<Gomoku>(&judged).contains("7x7 to 25x25, not 5x5"));
        judged.root.growing.evaluator = statics::digest::<Gomoku>();
        let held = judged.root.growing.evaluator.into_iter().collect();
        assert!(Wanted::<Gomoku>::of(&judged, &held).is_ok(), "it judges all boards");
        judged.root.growing.evaluator = None;
        assert!(refusal::<Gomoku>(&judged).starts_with("a share of 1 for judgements"));
        let mut twice = asked(&[3]);
        twice.root.plies.push((Color::White, Move::point(3)));
        assert!(refusal::<Gomoku>(&twice).contains("ply 2"));
        let mut other_models = asked(&[3]);
        other_models.root.models.0 ^= 1;
        assert!(refusal::<Gomoku>(&other_models).contains("and this build has"));
    }
}
