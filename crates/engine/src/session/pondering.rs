//! The search on the opponent's time: begun after a move of ours, ended by whatever is said next.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use banyan_games::{Color, Move};
use banyan_jobs::{Claim, Purpose};
use banyan_search::Candidate;
use banyan_search::ponder::Foresight;
use crossbeam_channel::{Receiver, bounded};

use super::Session;
use crate::playable::Playable;
use crate::question::{Limits, PROGRESS_INTERVAL};
use crate::report::Report;
use crate::request::Request;
use crate::search::Plan;

/// A search on the opponent's time, going on or done. It is told to stop when this is dropped.
pub(super) struct Pondering {
    stop: Arc<AtomicBool>,
    reports: Receiver<Report>,
    /// The game when it began.
    plies: Vec<(Color, Move)>,
    /// Replies as they stood when it began.
    before: Option<Arc<[Candidate]>>,
    /// State at the end, once it was ended.
    last: Option<Report>,
}

impl Pondering {
    /// Ends it, which takes some milliseconds.
    fn end(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        while self.last.is_none() {
            let report = self.reports.recv().expect("a search thread answers every request");
            self.before.get_or_insert_with(|| report.kept.clone());
            self.last = report.ended.is_some().then_some(report);
        }
    }
}

impl Drop for Pondering {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl<G: Playable> Session<G> {
    /// Begins to search the position on the opponent's time, and returns at once. A reproducible search
    /// must not depend on such a time.
    ///
    /// - `top`: so many replies are searched.
    /// - `time_max`: not longer than this.
    pub fn ponder(&mut self, top: NonZeroU32, time_max: Duration) {
        let is_over = self.record.position().outcome().is_some();
        if is_over || self.settings.plan.in_order {
            return;
        }
        self.end_pondering();
        if self.begin_engines() {
            self.pondering = None;
            self.ponder_thread = G::ponder(&mut self.engines, &self.record, top, time_max);
            self.pondered_after = Some(self.record.plies().to_vec());
            return;
        }
        self.pondered_after = None;
        let record = self.record.clone();
        // One that was interrupted goes on. Dropping it asks for a stop.
        let last = self.pondering.take().filter(|last| last.plies == record.plies());
        let before = last.and_then(|mut last| last.before.take());
        self.begin();
        let (reports, inbox) = bounded(2);
        self.pondering = Some(Pondering {
            stop: self.stop.clone(),
            reports: inbox,
            plies: record.plies().to_vec(),
            before,
            last: None,
        });
        let settings = self.settings_for(&record);
        let plan = settings.plan(&record, Limits::default());
        self.thread.search(Request {
            tuning: settings.tuning,
            plan: Plan { replies: Some(top), ownership_every: 0, ..plan },
            side: record.position().side_to_move(),
            record,
            claim: Claim { purpose: Purpose::Pondering, ..Claim::default() },
            deadline: Some(Instant::now() + time_max),
            allowed: Vec::new(),
            digest: false,
            lines: 0,
            interval: PROGRESS_INTERVAL,
            stop: self.stop.clone(),
            checkpoint: None,
            reports: Box::new(reports),
        });
    }

    /// Ends the search on the opponent's time, if there is one.
    pub fn end_pondering(&mut self) {
        if let Some(pondering) = &mut self.pondering {
            pondering.end();
        }
        if let Some(thread) = self.ponder_thread.take() {
            self.engines.end_pondering(thread);
        }
    }

    /// Worth of the last search on the opponent's time, where the game went on from there. Said
    /// once.
    pub fn foresight(&mut self) -> Option<(Move, Foresight)> {
        if let Some(before) = self.pondered_after.take() {
            let reply = reply_after(&before, self.record.plies())?;
            return Some((reply, self.engines.foresight(reply)?));
        }
        let mut pondering = self.pondering.take()?;
        // A coordinator elsewhere does not say how the replies stood before.
        let before = pondering.before.take().filter(|before| !before.is_empty())?;
        let last = pondering.last.take()?;
        let reply = reply_after(&pondering.plies, self.record.plies())?;
        Some((reply, Foresight::new(&before, &last.candidates, reply)))
    }
}

/// The ply that came after these, where the game went on from there.
fn reply_after(before: &[(Color, Move)], plies: &[(Color, Move)]) -> Option<Move> {
    let &(_, reply) = plies.get(before.len())?;
    plies.starts_with(before).then_some(reply)
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::go::{Go, GoRules};
    use banyan_games::othello::{Othello, OthelloRules};
    use banyan_jobs::{Batch, BatchId, Crew, Lender, Post, Root, SessionId};
    use banyan_search::classical::{Horizon, Method};

    use super::*;
    use crate::alone::Alone;
    use crate::engines::{Choice, Classical, PonderThread};
    use crate::settings::Settings;

    const TOP: NonZeroU32 = NonZeroU32::new(4).expect("not 0");

    /// A small game of Go on one thread.
    fn session() -> Session<Go> {
        let rules = GoRules::new(5, 15).expect("a size of Go");
        Session::new(&rules, Alone::start(), &Settings::of::<Go>()).expect("a thread")
    }

    /// Othello by alpha-beta.
    fn classical() -> Session<Othello> {
        classical_with(Alone::start(), 0)
    }

    fn classical_with(lender: Arc<dyn Lender>, evaluation: usize) -> Session<Othello> {
        let classical = Classical {
            method: Method::AlphaBeta,
            horizon: Horizon::Depth,
            evaluation,
            beam: None,
            model: None,
            is_shareable: true,
            is_implied: false,
        };
        let settings = Settings::of::<Othello>();
        let engines = Choice { classical: Some(classical), ..settings.engines };
        let settings = Settings { engines, ..settings };
        Session::new(&OthelloRules, lender, &settings).expect("a thread")
    }

    /// Finds how deep alpha-beta sees with a few thousand positions, after it has thought for so long on the
    /// opponent's time.
    fn depth_after(pondered: Duration) -> Option<u32> {
        let mut session = classical();
        for text in ["f5", "d6"] {
            if session.record().plies().len() == 1 && !pondered.is_zero() {
                session.ponder(TOP, Duration::from_secs(60));
                std::thread::sleep(pondered);
                session.end_pondering();
            }
            let mv = session.record().position().parse_move(text).expect("a move");
            session.record_mut().play(mv).expect("legal");
        }
        let limits = Limits { playouts: Some(5_000), ..Limits::default() };
        session.think(Color::Black, limits, Vec::new(), &mut |_| {}).explanation.depth
    }

    #[test]
    fn what_a_classical_engine_found_out_on_the_opponent_s_time_is_kept() {
        let (without, with) =
            (depth_after(Duration::ZERO), depth_after(Duration::from_millis(600)));
        assert!(with > without, "{with:?} after pondering, {without:?} without");
    }

    /// A cluster whose threads are somewhere else.
    #[derive(Debug)]
    struct Elsewhere {
        lender: Arc<dyn Lender>,
        /// Somebody has pondered by it.
        has_pondered: AtomicBool,
    }

    impl Lender for Elsewhere {
        fn new_session(&self) -> SessionId {
            self.lender.new_session()
        }

        fn open(&self, root: Arc<Root>, claim: Claim, post: Post) {
            self.has_pondered.fetch_or(claim.purpose == Purpose::Pondering, Ordering::Relaxed);
            self.lender.open(root, claim, post);
        }

        fn submit(&self, session: SessionId, batches: Vec<Batch>) {
            self.lender.submit(session, batches);
        }

        fn drop_batches(&self, session: SessionId, batches: Vec<BatchId>) {
            self.lender.drop_batches(session, batches);
        }

        fn close(&self, session: SessionId) {
            self.lender.close(session);
        }

        fn crews(&self) -> Vec<Crew> {
            vec![Crew { threads: 1, is_own: false }]
        }

        fn note_search_time(&self) {}
    }

    /// Thinks a little after three plies and the reply to them; before that on the opponent's time for a moment, where
    /// there is a time, and then the reply is the one that had most of it.
    fn thought(lender: Arc<dyn Lender>, evaluation: usize, time: Option<Duration>) -> Thought {
        let mut session = classical_with(lender, evaluation);
        for text in ["f5", "d6", "c3"] {
            let mv = session.record().position().parse_move(text).expect("a move");
            session.record_mut().play(mv).expect("legal");
        }
        if let Some(time) = time {
            session.ponder(TOP, time);
            let is_done = |session: &Session<Othello>| {
                session.ponder_thread.as_ref().is_some_and(PonderThread::is_done)
            };
            while !is_done(&session) {
                std::thread::sleep(Duration::from_millis(2));
            }
            session.end_pondering();
        }
        let replies = session.record().candidates();
        let kept = |mv: Move| session.engines.foresight(mv).map_or(0, |foresight| foresight.kept);
        let reply = replies.into_iter().max_by_key(|&mv| kept(mv)).expect("a move");
        session.record_mut().play(reply).expect("legal");
        let limits = Limits { playouts: Some(100), ..Limits::default() };
        let side = session.record().position().side_to_move();
        let report = session.think(side, limits, Vec::new(), &mut |_| {});
        let foresight = session.foresight().map(|(told, foresight)| {
            assert_eq!((told, session.foresight()), (reply, None));
            foresight
        });
        Thought { foresight, depth: report.explanation.depth }
    }

    struct Thought {
        foresight: Option<Foresight>,
        depth: Option<u32>,
    }

    const MOMENT: Option<Duration> = Some(Duration::from_millis(800));

    #[test]
    fn a_classical_engine_searches_the_likely_replies_by_share_and_keeps_what_it_finds() {
        // By the tables over patterns, and by alpha-beta on its own.
        for evaluation in [0, 1] {
            let without = thought(Alone::start(), evaluation, None);
            let with = thought(Alone::start(), evaluation, MOMENT);
            assert_eq!(without.foresight, None);
            let foresight = with.foresight.expect("a reply came");
            // The likeliest of four has more than a fourth.
            assert!(foresight.kept * 4 >= foresight.spent, "{foresight:?}");
            assert_eq!(foresight.rank, Some(1));
            assert!(with.depth > without.depth, "{:?} {:?}", with.depth, without.depth);
        }
    }

    #[test]
    fn workers_search_the_likely_replies_of_a_classical_engine() {
        let elsewhere =
            || Arc::new(Elsewhere { lender: Alone::start(), has_pondered: AtomicBool::new(false) });
        let (other, used) = (elsewhere(), elsewhere());
        let without = thought(other.clone(), 1, None);
        let with = thought(used.clone(), 1, MOMENT);
        let has_pondered = |it: &Elsewhere| it.has_pondered.load(Ordering::Relaxed);
        assert!(has_pondered(&used) && !has_pondered(&other));
        assert!(with.foresight.is_some_and(|foresight| foresight.kept > 0));
        assert!(with.depth > without.depth, "{:?} {:?}", with.depth, without.depth);
    }

    /// Ponders on Black's opening move in two parts, lets the opponent reply, and thinks a little.
    fn pondered(reply: impl Fn(&[Candidate]) -> Move) -> (Foresight, Report) {
        let mut session = session();
        let center = session.record().position().parse_move("C3").expect("a move");
        session.record_mut().play(center).expect("an empty board");
        for _ in 0..2 {
            session.ponder(TOP, Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(400));
            session.end_pondering();
        }
        let last = session.pondering.as_ref().and_then(|it| it.last.clone()).expect("it ended");
        assert!(last.candidates.len() <= 4, "{:?}", last.candidates);
        session.record_mut().play(reply(&last.candidates)).expect("a candidate");
        let limits = Limits { playouts: Some(10), ..Limits::default() };
        let report = session.think(Color::Black, limits, Vec::new(), &mut |_| {});
        let (_, foresight) = session.foresight().expect("the game went on");
        assert_eq!(session.foresight(), None);
        (foresight, report)
    }

    #[test]
    fn what_was_spent_on_the_reply_that_comes_is_kept() {
        // The first candidate is the one to play, which margins may decide against visits.
        let (foresight, report) = pondered(|likely| {
            let most = likely.iter().min_by_key(|reply| std::cmp::Reverse(reply.visits));
            most.expect("a candidate").mv
        });
        assert_eq!(foresight.rank, Some(1));
        assert!(foresight.kept * 4 >= foresight.spent, "{foresight:?}");
        let carried: u64 = report.kept.iter().map(|reply| reply.visits).sum();
        // The reply's own first playouts were not yet its children's.
        assert!(carried + 100 >= foresight.kept && carried > 0, "{carried} of {foresight:?}");
    }

    #[test]
    fn an_unlikely_reply_is_not_foreseen() {
        // The first line has five points, and four replies are foreseen.
        let (foresight, report) = pondered(|likely| {
            let mut edge = (0..5).map(Move::point);
            let is_unlikely = |mv: &Move| likely.iter().all(|reply| reply.mv != *mv);
            edge.find(is_unlikely).expect("a fifth move")
        });
        assert_eq!((foresight.rank, foresight.kept), (None, 0));
        assert!(foresight.spent > 0 && report.visits > 0);
    }

    #[test]
    fn a_session_that_ends_while_it_ponders_ends() {
        let mut session = session();
        session.ponder(TOP, Duration::from_secs(3600));
        let started = Instant::now();
        drop(session);
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}
