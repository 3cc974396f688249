//! Runs searches on a thread of their own: owns the tree, talks to the cluster by channels.
//!
//! What a search does is [`crate::search`]; here are its clock, its deadlines and its progress.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banyan_games::{Color, Move, Record};
use banyan_jobs::{
    Batch, ClusterCapacity, Epoch, Growing, Lender, Root, RootId, SessionId, Settlement, ToSearch,
};
use banyan_proofs::life;
use banyan_search::Searchable;
use banyan_search::{Candidate, Tree};
use crossbeam_channel::{Receiver, Sender, bounded};

use crate::checkpoint::{Checkpoint, Resumed, Saver};
use crate::mailbox::{Mailbox, mailbox};
use crate::report::{Before, Ended, Report};
use crate::request::Request;
use crate::search::{Claim, Finding, Iteration, MergedTallies, Search};
use crate::ties::{break_tie, prefer_likeliest};
use crate::tuning::Tuning;

/// Batches handed to the cluster at once: enough to spread the cost of a message.
const SUBMIT_BATCHES_MAX: usize = 32;

/// Between two looks at the clock and at a request to stop, when no tally comes.
const PATIENCE: Duration = Duration::from_millis(10);

/// The cluster answers a closed search at once; a dead one must not hold a move back.
const SETTLE_TIME_MAX: Duration = Duration::from_millis(500);

/// A thread that searches. It ends when this is dropped, after the search it is in is told to stop.
#[derive(Debug)]
pub struct SearchThread<G: Searchable> {
    requests: Option<Sender<Box<Request<G>>>>,
    thread: Option<JoinHandle<()>>,
}

impl<G: Searchable> SearchThread<G> {
    /// Starts the thread of a session whose searches are done by `search`, each with its last report.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn with(mut search: impl FnMut(Request<G>) + Send + 'static) -> std::io::Result<Self> {
        // One search at a time: whoever asks waits for the answer before asking again.
        let (requests, inbox) = bounded::<Box<Request<G>>>(1);
        let thread = std::thread::Builder::new().name("search".to_owned()).spawn(move || {
            while let Ok(request) = inbox.recv() {
                search(*request);
            }
        })?;
        Ok(SearchThread { requests: Some(requests), thread: Some(thread) })
    }

    /// Starts a search. Reports come by the request's channel; the last one has `ended` set.
    pub fn search(&self, request: Request<G>) {
        if let Some(requests) = &self.requests {
            let _ = requests.send(Box::new(request));
        }
    }

    /// Tells whether it still answers: it does unless a search panicked.
    pub(crate) fn is_there(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

impl<G: Searchable> Drop for SearchThread<G> {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Work of a search before it was gone on with.
fn before(resumed: &Resumed) -> Before {
    Before { playouts: resumed.progress.sums.playouts, elapsed: resumed.elapsed }
}

/// A tree kept from the last search, and the game that its root stands for.
struct Kept<G: Searchable> {
    tree: Tree,
    /// Tallies that may have to be taken back of it.
    merged: MergedTallies,
    record: Record<G>,
    side: Color,
    tuning: Tuning,
}

/// Owns one session's tree.
pub struct Searcher<G: Searchable> {
    session: SessionId,
    lender: Arc<dyn Lender>,
    zone_rules: Option<Arc<life::rules::Rules>>,
    kept: Option<Kept<G>>,
    epoch: u32,
    next_number: u64,
}

impl<G: Searchable> Searcher<G> {
    /// A session of its own with a cluster, that has no tree yet.
    pub fn new(lender: Arc<dyn Lender>) -> Searcher<G> {
        let session = lender.new_session();
        Searcher { session, lender, zone_rules: None, kept: None, epoch: 0, next_number: 0 }
    }

    /// The same with rules about local fights of Go.
    pub fn with_zone_rules(self, zone_rules: Option<Arc<life::rules::Rules>>) -> Searcher<G> {
        Searcher { zone_rules, ..self }
    }

    /// One search, in the calling thread; reports come by the request's channel.
    pub(crate) fn search(&mut self, mut request: Request<G>) {
        let started = Instant::now();
        self.epoch += 1;
        let root = RootId { session: self.session, epoch: Epoch(self.epoch) };
        let mut position = request.record.position().clone();
        if let Err(wrong) = position.set_side_to_move(request.side) {
            tracing::error!("nothing is searched: {wrong}");
            let ended = Some(Ended::default());
            return request.reports.end(Report { ended, ..Report::default() });
        }
        let (resumed, saver) = match request.checkpoint.take() {
            Some(Checkpoint { resumed, saver }) => (resumed, Some(saver)),
            None => (None, None),
        };
        let before = resumed.as_ref().map_or_else(Before::default, before);
        let (mut tree, merged, progress) = match resumed {
            Some(Resumed { tree, progress, .. }) => {
                (tree, MergedTallies::default(), Some(progress))
            }
            None => {
                let (tree, merged) = self.tree_for(&request);
                (tree, merged, None)
            }
        };
        tree.use_zone_rules(self.zone_rules.clone());
        let tuning = request.tuning;
        let is_judged = tuning.parameters.lambda > 0.0;
        let mut allowed = allowed_moves(&request, &position, is_judged);
        tree.leave_out_bad(&position, &mut allowed);
        tree.allow_at_root(position.side_to_move(), &allowed);
        let kept = tree.candidates(tuning.final_move).into();
        let (tallies, inbox) = mailbox();
        let Tuning { parameters, seed, evaluator, .. } = tuning;
        let growing = Growing { parameters, seed, evaluator };
        let sent = Arc::new(Root::of(&request.record, request.side, root, growing));
        let post = Box::new(move |news| tallies.send(news));
        self.lender.open(sent, request.claim, post);
        let search = Search::new(tree, root, position, request.plan, self.next_number);
        let mut search = search.with_merged(merged);
        let again = progress.map(|progress| search.resume(progress).expect("tried beforehand"));
        let search = UnderWay {
            search,
            _open: Open { lender: &*self.lender, session: self.session },
            inbox,
            lender: &*self.lender,
            tuning: &request.tuning,
            session: self.session,
            window: 0,
            started,
            reported: started,
            waiting: again.unwrap_or_default(),
            finding: None,
            settled: None,
            saver,
            before,
            kept,
        };
        let (tree, merged, next_number) = search.run(&request);
        self.next_number = next_number;
        let Request { record, side, .. } = request;
        self.kept = Some(Kept { tree, merged, record, side, tuning });
    }

    /// The kept tree moved on to the request's position, or a new one.
    fn tree_for(&mut self, request: &Request<G>) -> (Tree, MergedTallies) {
        self.kept.take().and_then(|kept| advanced(kept, request)).unwrap_or_else(|| {
            let Tuning { parameters, seed, tree_bytes_max, .. } = request.tuning;
            let tree = Tree::new(parameters, seed, tree_bytes_max, !request.side);
            (tree, MergedTallies::default())
        })
    }
}

/// The tree under the position that `request` stands at, where the kept game leads there.
fn advanced<G: Searchable>(kept: Kept<G>, request: &Request<G>) -> Option<(Tree, MergedTallies)> {
    let Kept { mut tree, mut merged, record, mut side, tuning } = kept;
    let (before, after) = (record.plies(), request.record.plies());
    let same_start = record.start().rules() == request.record.start().rules()
        && record.setup() == request.record.setup();
    if tuning != request.tuning || !same_start || !after.starts_with(before) {
        return None;
    }
    for (index, &(color, mv)) in after.iter().enumerate().skip(before.len()) {
        if color != side || !tree.advance(mv) {
            return None;
        }
        merged.advance(mv);
        let next = request.record.position_after(index + 1);
        side = next.side_to_move();
    }
    (side == request.side).then_some((tree, merged))
}

/// Moves that the request allows at the root; superko is respected.
fn allowed_moves<G: Searchable>(request: &Request<G>, position: &G, is_judged: bool) -> Vec<Move> {
    if !request.allowed.is_empty() {
        return request.allowed.clone();
    }
    let is_by_turns = request.record.position().side_to_move() == position.side_to_move();
    if G::TERRITORY && is_judged {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|&mv| !is_by_turns || request.record.is_legal(mv));
        return moves;
    }
    if is_by_turns {
        return request.record.candidates();
    }
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    moves
}

/// Looks into a claim on a thread of its own; nothing where there is none to be had.
fn look_into_beside<G: Searchable>(claim: &Claim<G>) -> Option<Receiver<Finding>> {
    let (found, finding) = bounded(1);
    let claim = claim.clone();
    let look = move || drop(found.send(claim.look_into()));
    let thread = std::thread::Builder::new().name("making sure".to_owned()).spawn(look);
    thread.is_ok().then_some(finding)
}

/// A session of the cluster's, which does not outlive a search that panicked.
struct Open<'a> {
    lender: &'a dyn Lender,
    session: SessionId,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.lender.close(self.session);
        }
    }
}

/// One search under way.
struct UnderWay<'a, G: Searchable> {
    search: Search<G>,
    _open: Open<'a>,
    inbox: Mailbox<ToSearch>,
    lender: &'a dyn Lender,
    tuning: &'a Tuning,
    session: SessionId,
    /// Playouts that the cluster can hold for us.
    window: u32,
    started: Instant,
    reported: Instant,
    /// Batches made and not yet handed over.
    waiting: Vec<Batch>,
    /// Receiver for the finding of a claim that is being looked into.
    finding: Option<Receiver<Finding>>,
    settled: Option<Settlement>,
    saver: Option<Saver>,
    before: Before,
    kept: Arc<[Candidate]>,
}

impl<G: Searchable> UnderWay<'_, G> {
    /// With tallies merged in order the sequence is fixed: fill the window, merge one, and again.
    /// Nothing that arrives sooner or later may change it.
    fn run(mut self, request: &Request<G>) -> (Tree, MergedTallies, u64) {
        while !self.search.is_finished() && !self.is_over(request) {
            let full = self.fill();
            if full && !self.search.merge_next() {
                self.wait(request);
            }
            self.take_what_came();
            self.make_sure(request);
            self.report(request);
            self.lender.note_search_time();
        }
        self.finish(request)
    }

    fn is_over(&self, request: &Request<G>) -> bool {
        let late = request.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late || request.stop.load(Ordering::Relaxed)
    }

    /// Makes batches and hands them over; returns whether the window is full or all is made.
    ///
    /// The number of steps is bounded, so that a tree whose descents all end in finished games still
    /// looks at the clock.
    fn fill(&mut self) -> bool {
        let mut full = false;
        for _ in 0..SUBMIT_BATCHES_MAX {
            full = !self.search.has_room(self.window);
            if full {
                break;
            }
            match self.search.iterate() {
                Iteration::Batch(batch) => self.waiting.push(batch),
                Iteration::Counted => {}
                Iteration::Complete | Iteration::Awaited => {
                    full = true;
                    break;
                }
            }
        }
        if !self.waiting.is_empty() {
            let batches = std::mem::take(&mut self.waiting);
            self.lender.submit(self.session, batches);
        }
        full
    }

    /// Waits a moment for something to come.
    fn wait(&mut self, request: &Request<G>) {
        let patience = Instant::now() + PATIENCE;
        let until = request.deadline.map_or(patience, |deadline| deadline.min(patience));
        if let Some(message) = self.inbox.take_until(until) {
            self.take(message);
        }
    }

    /// Has what peers claim looked into beside the search, a claim at a time, where it would decide a move.
    /// A search that merges in order does so itself.
    fn make_sure(&mut self, request: &Request<G>) {
        if request.plan.in_order {
            return;
        }
        if let Some(found) = self.finding.as_ref().and_then(|finding| finding.try_recv().ok()) {
            self.finding = None;
            self.search.settle(found);
        }
        while let Some(claim) = self.search.claim() {
            if let Some(finding) = look_into_beside(&claim) {
                self.finding = Some(finding);
                return;
            }
            self.search.settle(claim.look_into());
        }
    }

    fn take_what_came(&mut self) {
        while let Some(message) = self.inbox.take() {
            self.take(message);
        }
    }

    fn take(&mut self, message: ToSearch) {
        match message {
            ToSearch::Tallies(from, tallies) => {
                for tally in tallies {
                    self.search.take(from, tally);
                }
            }
            ToSearch::TakeBack(worker) => self.search.take_back(worker),
            ToSearch::Capacity(capacity) => self.note(capacity),
            ToSearch::Settled(settlement) => self.settled = Some(settlement),
        }
    }

    fn note(&mut self, capacity: ClusterCapacity) {
        self.window = capacity.window;
        self.search.set_capacity(capacity);
    }

    fn report(&mut self, request: &Request<G>) {
        if self.reported.elapsed() < request.interval {
            return;
        }
        self.reported = Instant::now();
        let elapsed = self.started.elapsed();
        let report = Report {
            sums: self.search.sums().clone(),
            elapsed,
            before: self.before,
            kept: self.kept.clone(),
            ..Report::of(&self.search.tree, self.tuning.final_move, request.lines)
        };
        request.reports.progress(report);
        if let Some(saver) = self.saver.as_mut().filter(|saver| saver.is_due()) {
            let began = Instant::now();
            saver.save(self.search.standing(), self.before.elapsed + elapsed);
            tracing::debug!("copied for the checkpoint in {:.3?}", began.elapsed());
        }
    }

    /// Closes the search, takes everything in flight off, and sends the last report.
    fn finish(mut self, request: &Request<G>) -> (Tree, MergedTallies, u64) {
        let elapsed = self.started.elapsed();
        self.lender.close(self.session);
        let deadline = Instant::now() + SETTLE_TIME_MAX;
        while self.settled.is_none() {
            let Some(message) = self.inbox.take_until(deadline) else { break };
            // Tallies that come after the end are dropped: the answer is given as of the end, without
            // what is known by then to be lies.
            match message {
                ToSearch::Settled(settlement) => self.settled = Some(settlement),
                ToSearch::TakeBack(worker) => self.search.take_back(worker),
                ToSearch::Tallies(..) | ToSearch::Capacity(_) => {}
            }
        }
        let next_number = self.search.next_number();
        let merged = self.search.take_merged();
        // What is in flight belongs to how the search stands.
        let last = self.saver.take().map(|saver| (saver, self.search.standing()));
        let settlement = self.settled.take().unwrap_or_default();
        let position = self.search.position().clone();
        let (tree, sums) = self.search.end();
        let digest = request.digest.then(|| tree.digest());
        let mut report = Report {
            sums,
            elapsed,
            before: self.before,
            kept: self.kept,
            ended: Some(Ended { settlement, digest }),
            ..Report::of(&tree, self.tuning.final_move, request.lines)
        };
        break_tie(&mut report, &tree, request.side);
        prefer_likeliest(&mut report, &position);
        self.lender.note_search_time();
        request.reports.end(report);
        if let Some((saver, standing)) = last {
            saver.finish(standing, self.before.elapsed + elapsed);
        }
        (tree, merged, next_number)
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::othello::{Othello, OthelloRules};

    use crate::alone::Alone;
    use crate::question::Limits;
    use crate::session::Session;
    use crate::settings::Settings;

    #[test]
    fn a_side_that_cannot_be_to_move_gets_no_search() {
        let settings = Settings::of::<Othello>();
        let session = Session::<Othello>::new(&OthelloRules, Alone::start(), &settings);
        let mut session = session.expect("a thread");
        let limits = Limits { playouts: Some(50), ..Limits::default() };
        let side = session.record().position().side_to_move();
        let refused = session.think(!side, limits, Vec::new(), &mut |_| {});
        assert_eq!((refused.candidates.len(), refused.visits), (0, 0));
        assert!(session.think(side, limits, Vec::new(), &mut |_| {}).visits >= 50);
    }
}
