//! Front ends that attach from elsewhere: each has a session here, with a thread that searches for it
//! and an equal share of the memory for trees.
//!
//! What they say comes through [`crate::rpc`]; a front end's own side is [`crate::remote`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use banyan_engine::grower::Grower;
use banyan_engine::question::PROGRESS_INTERVAL;
use banyan_engine::report::{Report, Reports};
use banyan_engine::request::Request;
use banyan_engine::tuning::Tuning;
use banyan_games::{Move, Record, Rules, with_game};
use banyan_jobs::session::{Answer, Finding, Order, SearchEnd};
use banyan_jobs::{Growing, Lender, Plan, PlanError, Root, RootError};
use banyan_search::Searchable;
use tokio::sync::mpsc;

/// What front ends may have together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serving {
    /// Sessions at a time.
    pub sessions_max: u32,
    /// Memory for all of their trees, bytes: each has an equal part.
    pub tree_bytes_max: usize,
}

/// Where front ends sit.
#[derive(Debug)]
pub(crate) struct Seats {
    serving: Serving,
    taken: Arc<AtomicU64>,
}

/// A session's place; free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    tree_bytes_max: usize,
    taken: Arc<AtomicU64>,
}

impl Seats {
    /// Seats that are counted in `taken`.
    pub(crate) fn new(serving: Serving, taken: Arc<AtomicU64>) -> Seats {
        Seats { serving, taken }
    }

    /// A seat for one more front end; the reason why not is for people.
    pub(crate) fn take(&self) -> Result<Seat, String> {
        let Serving { sessions_max, tree_bytes_max } = self.serving;
        let more = |taken| (taken < u64::from(sessions_max)).then_some(taken + 1);
        if self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_err() {
            return Err(format!("its seats are taken: at most {sessions_max} at a time"));
        }
        let tree_bytes_max = tree_bytes_max / sessions_max.max(1) as usize;
        Ok(Seat { tree_bytes_max, taken: self.taken.clone() })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One search that a front end wants, and how to end it.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) order: Order,
    pub(crate) stop: Arc<AtomicBool>,
}

/// One front end's session.
pub(crate) struct Host {
    pub(crate) seat: Seat,
    pub(crate) lender: Arc<dyn Lender>,
    pub(crate) answers: mpsc::Sender<Answer>,
}

/// Why an order is none. The session ends with it.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// What is fixed for a session is another one.
    #[error("a session keeps its game, its parameters and its final move")]
    Changed,
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
    /// Starts the thread that searches for this session, until no more orders can come.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub(crate) fn start(self, mut orders: mpsc::Receiver<Job>) -> std::io::Result<()> {
        std::thread::Builder::new().name("session".to_owned()).spawn(move || {
            let Some(first) = orders.blocking_recv() else { return };
            let rules = first.order.root.rules.clone();
            with_game!(&rules, G, rules => self.attend::<G>(rules, first, orders));
        })?;
        Ok(())
    }

    fn attend<G: Searchable>(self, rules: &G::Rules, first: Job, mut orders: mpsc::Receiver<Job>) {
        let growing = first.order.root.growing;
        let tuning = Tuning {
            parameters: growing.parameters,
            seed: growing.seed,
            tree_bytes_max: self.seat.tree_bytes_max,
            final_move: first.order.final_move,
        };
        let game: Rules = rules.clone().into();
        let mut grower = Grower::<G>::new(self.lender.clone(), tuning);
        let mut next = Some(first);
        while let Some(Job { order, stop }) = next {
            let same_game = order.root.rules.kind() == game.kind();
            let same = same_game && order.root.growing == growing;
            let request = match same && order.final_move == tuning.final_move {
                true => self.request::<G>(&order, stop),
                false => Err(OrderError::Changed),
            };
            match request {
                Ok(request) => grower.search(request),
                Err(why) => {
                    let _ = self.answers.blocking_send(Answer::Refused(why.to_string()));
                    return;
                }
            }
            next = orders.blocking_recv();
        }
    }

    fn request<G: Searchable>(
        &self,
        order: &Order,
        stop: Arc<AtomicBool>,
    ) -> Result<Request<G>, OrderError> {
        let Wanted { record, plan } = Wanted::of(order)?;
        Ok(Request {
            record,
            side: order.root.side_to_move,
            plan,
            claim: order.claim,
            deadline: order.time.map(|time| Instant::now() + time),
            allowed: order.allowed.clone(),
            digest: order.digest,
            lines: 0,
            interval: PROGRESS_INTERVAL,
            stop,
            checkpoint: None,
            reports: Box::new(Findings { number: order.number, answers: self.answers.clone() }),
        })
    }
}

/// One search's way to the wire: a report becomes a finding.
struct Findings {
    number: u32,
    answers: mpsc::Sender<Answer>,
}

impl Findings {
    fn answer(&self, report: Report) -> Answer {
        Answer::Finding(Box::new(finding(self.number, report)))
    }
}

impl Reports for Findings {
    fn progress(&self, report: Report) {
        let _ = self.answers.try_send(self.answer(report));
    }

    fn end(&self, report: Report) {
        let _ = self.answers.blocking_send(self.answer(report));
    }
}

/// The game of an order, checked: it may come from anybody.
#[derive(Clone, Debug)]
pub struct Wanted<G: Searchable> {
    /// The game so far.
    pub record: Record<G>,
    /// How to search.
    pub plan: Plan,
}

impl<G: Searchable> Wanted<G> {
    /// Checks an order for a game of this kind.
    ///
    /// # Errors
    /// [`OrderError`] for what cannot be searched.
    pub fn of(order: &Order) -> Result<Wanted<G>, OrderError> {
        let root = &order.root;
        let rules = G::Rules::try_from(root.rules.clone()).map_err(|_| OrderError::Changed)?;
        root.check_models::<G>()?;
        let record = root.record::<G>(&rules)?;
        let position = root.position::<G>(&rules)?;
        if position.outcome().is_some() {
            return Err(OrderError::Over);
        }
        for (at, &mv) in order.allowed.iter().enumerate() {
            if !position.is_legal(mv) || order.allowed[..at].contains(&mv) {
                return Err(OrderError::Allowed(mv));
            }
        }
        order.plan.check::<G>()?;
        Ok(Wanted { record, plan: order.plan })
    }
}

fn finding(number: u32, report: Report) -> Finding {
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
        ended,
    } = report;
    let end = ended.map(|ended| SearchEnd { digest: ended.digest });
    Finding { number, candidates, pv, visits, sums, elapsed, end }
}

/// The order that a request means, for the session's coordinator.
pub(crate) fn order<G: Searchable>(number: u32, request: &Request<G>, tuning: &Tuning) -> Order {
    let Request { record, side, plan, claim, deadline, allowed, digest, .. } = request;
    let Tuning { parameters, seed: tree_seed, tree_bytes_max: _, final_move } = *tuning;
    let growing = Growing { parameters, seed: tree_seed };
    Order {
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

    #[test]
    fn seats_are_bounded_and_free_again() {
        let taken = Arc::default();
        let serving = Serving { sessions_max: 2, tree_bytes_max: 1000 };
        let seats = Seats::new(serving, Arc::clone(&taken));
        let (one, two) = (seats.take().expect("free"), seats.take().expect("free"));
        assert_eq!(one.tree_bytes_max, 500);
        assert_eq!(seats.take().expect_err("full"), "its seats are taken: at most 2 at a time");
        drop(one);
        assert!(seats.take().is_ok(), "free again");
        drop(two);
        assert_eq!(taken.load(Ordering::Relaxed), 0);
    }

    fn order(plies: &[usize]) -> Order {
        let rules = GomokuRules::new(5, 5, Default::default()).expect("a size of Gomoku");
        let mut record = Record::<Gomoku>::new(&rules);
        plies.iter().for_each(|&at| record.play(Move::point(at)).expect("legal"));
        let side = record.position().side_to_move();
        Order::of(1, Root::of(&record, side, Default::default(), Growing::of(Kind::Gomoku)))
    }

    fn refusal<G: Searchable>(order: &Order) -> String {
        Wanted::<G>::of(order).expect_err("no order").to_string()
    }

    #[test]
    fn an_order_that_cannot_be_searched_is_refused_with_the_reason() {
        assert!(Wanted::<Gomoku>::of(&order(&[3, 4])).is_ok());
        assert!(refusal::<Othello>(&order(&[])).starts_with("a session keeps its game"));
        let five_in_a_row = [0, 10, 1, 11, 2, 12, 3, 13, 4];
        assert!(refusal::<Gomoku>(&order(&five_in_a_row)).starts_with("the game is over"));
        for allowed in [vec![Move::point(3)], vec![Move::point(5); 2], vec![Move(999)]] {
            let order = Order { allowed, ..order(&[3]) };
            assert!(refusal::<Gomoku>(&order).contains("no legal move"));
        }
        let start = Record::<Othello>::new(&OthelloRules);
        let growing = Growing::of(Kind::Othello);
        let othello = Root::of(&start, Color::Black, Default::default(), growing);
        let heavy = Order { plan: Plan::of(Policy::Heavy), ..Order::of(1, othello) };
        assert!(refusal::<Othello>(&heavy).contains("no heavy playouts"));
        let sizing = Sizing { playouts: Some(8), ..Sizing::default() };
        let plan = Plan { sizing, window: Some(4), ..order(&[]).plan };
        let narrow = Order { plan, ..order(&[]) };
        assert!(refusal::<Gomoku>(&narrow).contains("a window of 4"));
        let mut twice = order(&[3]);
        twice.root.plies.push((Color::White, Move::point(3)));
        assert!(refusal::<Gomoku>(&twice).contains("ply 2"));
        let mut other_models = order(&[3]);
        other_models.root.models.0 ^= 1;
        assert!(refusal::<Gomoku>(&other_models).contains("and this build has"));
    }
}
