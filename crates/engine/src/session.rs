//! One game being played: its record, its search thread, and how long and how hard to think.

mod pondering;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use banyan_games::counts::Asked;
use banyan_games::{Color, Counts, Move, Record, Rng};
use banyan_jobs::{Lender, Sums};

use crate::checkpoint::Checkpoint;
use crate::engines::{Engines, Left, MOVES_MAX, PonderThread, Task, TaskOutcome};
use crate::judgement::{Judgement, last_judgement};
use crate::mailbox::mailbox;
use crate::playable::Playable;
use crate::question::{Limits, Onlooker, PROGRESS_INTERVAL, Question, WATCH_INTERVAL, Watch};
use crate::report::Report;
use crate::request::Request;
use crate::search::Plan;
use crate::search_thread::{SearchThread, Searcher};
use crate::settings::Settings;
use crate::tuning::Tuning;
use pondering::Pondering;

/// Playouts by which stones are judged alive or dead.
const JUDGE_PLAYOUTS: u64 = 2_000;

/// So many of them are played at a time, in turn with either side to move.
const JUDGE_AT_ONCE: u64 = 50;

/// Stones are not judged for longer than this.
const JUDGE_TIME_MAX: Duration = Duration::from_secs(5);

/// Watches, and ends nothing.
struct Seen<'a>(&'a mut dyn FnMut(&Report));

impl Watch for Seen<'_> {
    fn see(&mut self, report: &Report) {
        (self.0)(report);
    }

    fn wants_stop(&mut self) -> bool {
        false
    }
}

/// A watcher of a search that began some time after it was asked for.
struct Later<'a> {
    watch: &'a mut dyn Watch,
    before: Duration,
}

impl Watch for Later<'_> {
    fn see(&mut self, report: &Report) {
        let elapsed = self.before + report.elapsed;
        self.watch.see(&Report { elapsed, ..report.clone() });
    }

    fn has_enough(&self) -> bool {
        self.watch.has_enough()
    }

    fn wants_stop(&mut self) -> bool {
        self.watch.wants_stop()
    }
}

/// Lets an onlooker see what a watcher sees.
struct Shown<'a, G: Playable> {
    watch: &'a mut dyn Watch,
    onlooker: Option<&'a mut (dyn Onlooker<G> + 'static)>,
    record: &'a Record<G>,
}

impl<G: Playable> Watch for Shown<'_, G> {
    fn see(&mut self, report: &Report) {
        if let Some(onlooker) = &mut self.onlooker {
            onlooker.look(self.record, Some(report));
        }
        self.watch.see(report);
    }

    fn has_enough(&self) -> bool {
        self.watch.has_enough()
    }

    fn wants_stop(&mut self) -> bool {
        self.watch.wants_stop()
    }
}

/// A game and its engine.
pub struct Session<G: Playable> {
    record: Record<G>,
    /// Before the search thread, which it must not outlive.
    pondering: Option<Pondering>,
    thread: SearchThread<G>,
    engines: Engines,
    /// A classical search on the opponent's time.
    ponder_thread: Option<PonderThread>,
    /// The game when the last such search began.
    pondered_after: Option<Vec<(Color, Move)>>,
    settings: Settings,
    stop: Arc<AtomicBool>,
    /// Tells whether nothing that begins may go on.
    is_ending: Arc<AtomicBool>,
    /// For the next search.
    checkpoint: Option<Checkpoint>,
    /// Somebody who looks on.
    onlooker: Option<Box<dyn Onlooker<G>>>,
}

impl<G: Playable> Session<G> {
    /// A game at its start.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn new(
        rules: &G::Rules,
        lender: Arc<dyn Lender>,
        settings: &Settings,
    ) -> std::io::Result<Session<G>> {
        let searcher = Searcher::new(lender.clone());
        let mut searcher = searcher.with_zone_rules(settings.engines.zone_rules.clone());
        let thread = SearchThread::with(move |request| G::search(&mut searcher, request))?;
        Ok(Session::with(rules, settings, thread, Some(lender)))
    }

    /// A game at its start whose searches are done by `search`, each with its last report: elsewhere.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn searched_by(
        rules: &G::Rules,
        search: impl FnMut(Request<G>) + Send + 'static,
        settings: &Settings,
    ) -> std::io::Result<Session<G>> {
        let thread = SearchThread::with(search)?;
        Ok(Session::with(rules, settings, thread, None))
    }

    fn with(
        rules: &G::Rules,
        settings: &Settings,
        thread: SearchThread<G>,
        lender: Option<Arc<dyn Lender>>,
    ) -> Session<G> {
        Session {
            record: Record::new(rules),
            pondering: None,
            ponder_thread: None,
            pondered_after: None,
            thread,
            engines: Engines::new(settings.engines.clone(), lender, settings.claim()),
            settings: settings.clone(),
            stop: Arc::default(),
            is_ending: Arc::default(),
            checkpoint: None,
            onlooker: None,
        }
    }

    /// Lets somebody look on from now on.
    pub fn show_to(&mut self, onlooker: Box<dyn Onlooker<G>>) {
        self.onlooker = Some(onlooker);
        self.show();
    }

    /// Shows whoever looks on the game as it stands, of which nothing is searched.
    pub fn show(&mut self) {
        if let Some(onlooker) = &mut self.onlooker {
            onlooker.look(&self.record, None);
        }
    }

    /// The game so far.
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// The game so far, to be changed. The tree is kept where the game goes on from it.
    pub fn record_mut(&mut self) -> &mut Record<G> {
        &mut self.record
    }

    /// Begins a new game by `rules`.
    pub fn restart(&mut self, rules: &G::Rules) {
        self.record = Record::new(rules);
    }

    /// Limits by `--time`, `--playouts` and `--depth`.
    pub fn limits(&self) -> Limits {
        self.settings.limits
    }

    /// Tells whether moves are chosen by a classical engine, whose searches have a depth.
    pub fn counts_plies(&self) -> bool {
        self.settings_for(&self.record).engines.classical.is_some()
    }

    /// A flag that ends the thinking under way when it is set; it is cleared when thinking begins.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Ends the thinking under way when called, and at once all that begins later.
    pub fn end_for_good(&self) -> impl Fn() + Send + 'static {
        let (stop, is_ending) = (self.stop.clone(), self.is_ending.clone());
        move || {
            is_ending.store(true, Ordering::SeqCst);
            stop.store(true, Ordering::SeqCst);
        }
    }

    /// Thinking begins: what asked an earlier one to stop no longer counts, the end of all does.
    fn begin(&self) {
        self.stop.store(false, Ordering::SeqCst);
        if self.is_ending.load(Ordering::SeqCst) {
            self.stop.store(true, Ordering::SeqCst);
        }
    }

    /// Asks the opening book about the position with `side` to move; nothing where it says nothing, or no move that is
    /// allowed.
    ///
    /// - `limits`: those of a search in place of the book.
    /// - `allowed`: the moves to choose from; empty for all.
    pub fn book_move(&mut self, side: Color, limits: Limits, allowed: &[Move]) -> Option<Report> {
        self.end_pondering();
        let opening = self.settings.book.as_ref()?;
        let is_in_turn = self.record.position().side_to_move() == side;
        let report = is_in_turn.then(|| opening.report(&self.record, limits.time)).flatten()?;
        let best = report.candidates.first()?.mv;
        (allowed.is_empty() || allowed.contains(&best)).then_some(report)
    }

    /// Makes the next search, which must be the one it was opened for, go on from a checkpoint and be
    /// kept there.
    pub fn keep_in(&mut self, checkpoint: Checkpoint) {
        self.checkpoint = Some(checkpoint);
    }

    /// Searches the position with `side` to move and returns the last report.
    ///
    /// - `allowed`: the moves allowed at the root; empty for all candidates.
    /// - `watch` sees a report about ten times a second.
    pub fn think(
        &mut self,
        side: Color,
        limits: Limits,
        allowed: Vec<Move>,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        self.answer(Question { allowed, ..Question::new(side, limits) }, &mut Seen(watch))
    }

    /// The same for who wants to know more, or to end it.
    pub fn answer(&mut self, question: Question, watch: &mut dyn Watch) -> Report {
        // Taken out while it looks on, since the session is busy meanwhile.
        let (mut onlooker, record) = (self.onlooker.take(), self.record.clone());
        let mut shown = Shown { watch, onlooker: onlooker.as_deref_mut(), record: &record };
        let report = self.answer_unseen(question, &mut shown);
        if let Some(onlooker) = &mut onlooker {
            onlooker.look(&record, Some(&report));
        }
        self.onlooker = onlooker;
        report
    }

    fn answer_unseen(&mut self, question: Question, watch: &mut dyn Watch) -> Report {
        self.end_pondering();
        self.begin();
        let asked = Instant::now();
        let Left { limits, moves: allowed, look_time } = match self.ask_engines(&question, watch) {
            TaskOutcome::Decided(report) => return *report,
            TaskOutcome::Left(left) => left,
        };
        let record = self.record.clone();
        let settings = self.settings_for(&record);
        let plan = settings.plan(&record, limits);
        let before = asked.elapsed();
        let side = question.side;
        // Whoever asked for lines is answered without looks.
        let lines = look_time.map_or(question.lines, |_| MOVES_MAX);
        let question = Question { limits, allowed, lines, ..question };
        let mut later = Later { watch, before };
        let mut report = self.search(record, (settings.tuning, plan), question, &mut later);
        if let Some(time) = look_time {
            self.choose_safely(side, time, &mut report, watch);
        }
        Report { elapsed: before + report.elapsed, ..report }
    }

    /// Looks at the moves that the tree likes best, where the other side threatens to win by threats.
    fn choose_safely(
        &self,
        side: Color,
        time: Duration,
        report: &mut Report,
        watch: &mut dyn Watch,
    ) {
        let begun = Instant::now();
        let mut position = self.record.position().clone();
        if position.set_side_to_move(side).is_ok() {
            let (record, stop) = (&self.record, &self.stop);
            let (moves, limits) = (&[][..], Limits::default());
            let task = Task {
                record,
                position: &position,
                moves,
                is_analysis: false,
                limits,
                interval: PROGRESS_INTERVAL,
                saves_time: false,
                stop,
            };
            G::choose_safely(&self.engines, &task, time, report, &mut seen(watch, stop));
        }
        report.lines.clear();
        report.elapsed += begun.elapsed();
    }

    fn ask_engines(&mut self, question: &Question, watch: &mut dyn Watch) -> TaskOutcome {
        let Question { side, limits, .. } = *question;
        let allowed = question.allowed.clone();
        self.begin_engines();
        let left = |limits, moves| TaskOutcome::Left(Left { limits, moves, look_time: None });
        let mut position = self.record.position().clone();
        if position.set_side_to_move(side).is_err() || position.outcome().is_some() {
            return left(limits, allowed);
        }
        let mut moves = allowed.clone();
        if moves.is_empty() {
            position.candidates(&mut moves);
        }
        let (record, stop) = (&self.record, &self.stop);
        let task = Task {
            record,
            position: &position,
            moves: &moves,
            is_analysis: question.is_analysis,
            limits,
            // Whether to stop is asked as often.
            interval: question.interval.min(PROGRESS_INTERVAL),
            saves_time: question.saves_time,
            stop,
        };
        let answer = G::answer(&mut self.engines, &task, &mut seen(watch, stop));
        match answer {
            // A search that goes on from a file has all the moves it began with, and plays what it found.
            TaskOutcome::Left(it) if self.checkpoint.is_some() => left(it.limits, allowed),
            // Nobody has narrowed them.
            TaskOutcome::Left(it) if it.moves == moves => {
                TaskOutcome::Left(Left { moves: allowed, ..it })
            }
            answer => answer,
        }
    }

    /// Judges who will hold what, by playouts from the position before any closing passes. For games
    /// of territory.
    ///
    /// Who moves first holds more, so that each side does in half of the playouts.
    pub fn judge(&mut self) -> Judgement {
        self.judge_within(JUDGE_TIME_MAX)
    }

    /// The same in at most so much time, and never more than it takes without a limit.
    pub fn judge_within(&mut self, time_max: Duration) -> Judgement {
        let time_max = time_max.min(JUDGE_TIME_MAX);
        let mut record = self.record.clone();
        while record.plies().last().is_some_and(|(_, mv)| mv.is_pass()) {
            record.undo();
        }
        self.end_pondering();
        let settings = self.settings_for(&record);
        if settings.tuning.parameters.lambda >= 1.0 {
            return self.play_to_the_end(&record, time_max);
        }
        let (time, playouts) = (Some(time_max / 2), Some(JUDGE_PLAYOUTS / 2));
        let limits = Limits { time, playouts, depth: None };
        self.begin();
        let [mut report, other] = Color::BOTH.map(|side| {
            let plan = Plan { ownership_every: 1, ..settings.plan(&record, limits) };
            let question = Question::new(side, limits);
            self.search(record.clone(), (settings.tuning, plan), question, &mut Seen(&mut |_| {}))
        });
        report.sums.owner_playouts += other.sums.owner_playouts;
        for (held, more) in report.sums.ownership.iter_mut().zip(other.sums.ownership) {
            *held += more;
        }
        last_judgement(self.record.position(), &report)
    }

    /// The same where a network judges: playouts here, without a tree. A network may never have seen such stones.
    fn play_to_the_end(&self, record: &Record<G>, time_max: Duration) -> Judgement {
        let area = record.position().size().area();
        let mut rng = Rng::from_seed(self.settings.tuning.seed);
        let mut counts = Counts::new(area, Asked { amaf: false, ownership: true });
        let end = Instant::now() + time_max;
        for side in Color::BOTH.into_iter().cycle().take((JUDGE_PLAYOUTS / JUDGE_AT_ONCE) as usize)
        {
            let mut position = record.position().clone();
            if position.set_side_to_move(side).is_ok() {
                position.playouts_by(G::POLICY, JUDGE_AT_ONCE as u32, &mut rng, &mut counts);
            }
            if Instant::now() > end {
                break;
            }
        }
        let ownership = counts.ownership.iter().flatten().map(|&held| held.into()).collect();
        let owner_playouts = counts.playouts().into();
        let sums = Sums { ownership, owner_playouts, ..Sums::default() };
        last_judgement(self.record.position(), &Report { sums, ..Report::default() })
    }

    /// Tells the engines by which rules the game is, and who leads; returns whether one of them does.
    fn begin_engines(&mut self) -> bool {
        let rules = self.record.position().rules().clone().into();
        let classical = self.settings.under(&rules).engines.classical;
        let leads = classical.is_some();
        self.engines.begin(rules, classical);
        leads
    }

    /// Settings by the rules of a game, which may be others than the session began with.
    fn settings_for(&self, record: &Record<G>) -> Settings {
        self.settings.under(&record.position().rules().clone().into())
    }

    fn search(
        &mut self,
        record: Record<G>,
        (tuning, plan): (Tuning, Plan),
        question: Question,
        watch: &mut dyn Watch,
    ) -> Report {
        let (reports, inbox) = mailbox();
        let checkpoint = self.checkpoint.take();
        let spent = checkpoint.as_ref().map_or(Duration::ZERO, Checkpoint::elapsed);
        let time = question.limits.time.map(|time| time.saturating_sub(spent));
        self.thread.search(Request {
            tuning,
            plan,
            record,
            side: question.side,
            claim: self.settings.claim(),
            deadline: time.map(|time| Instant::now() + time),
            allowed: question.allowed,
            digest: self.settings.digest,
            lines: question.lines,
            interval: question.interval,
            stop: self.stop.clone(),
            checkpoint,
            reports: Box::new(reports),
        });
        let mut has_enough = false;
        loop {
            match inbox.take_until(Instant::now() + WATCH_INTERVAL) {
                Some(report) if report.ended.is_some() => {
                    if has_enough {
                        // Looks at the move may follow.
                        self.begin();
                    }
                    return report;
                }
                Some(report) => watch.see(&report),
                None => assert!(self.thread.is_there(), "a search thread answers every request"),
            }
            if watch.wants_stop() {
                has_enough = false;
                self.stop.store(true, Ordering::Relaxed);
            } else if watch.has_enough() {
                has_enough |= !self.stop.swap(true, Ordering::Relaxed);
            }
        }
    }
}

/// Has an engine's reports seen; says whether they are enough, and passes a wish to stop on.
fn seen<'a>(watch: &'a mut dyn Watch, stop: &'a AtomicBool) -> impl FnMut(&Report) -> bool + 'a {
    move |report| {
        watch.see(report);
        if watch.wants_stop() {
            stop.store(true, Ordering::Relaxed);
        }
        watch.has_enough()
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::{Othello, OthelloRules};
    use crossbeam_channel::{Sender, bounded};

    use super::*;
    use crate::report::Ended;

    /// An observer that lets the search end when it is asked for the first time.
    struct Waiting(Sender<()>);

    impl Watch for Waiting {
        fn see(&mut self, _: &Report) {}

        fn wants_stop(&mut self) -> bool {
            let _ = self.0.try_send(());
            false
        }
    }

    /// An observer of how long it takes.
    struct Timing(Duration);

    impl Watch for Timing {
        fn see(&mut self, report: &Report) {
            self.0 = report.elapsed;
        }

        fn wants_stop(&mut self) -> bool {
            false
        }
    }

    #[test]
    fn whoever_watches_sees_the_time_since_it_asked() {
        let seconds = Duration::from_secs;
        let mut timing = Timing(Duration::ZERO);
        let mut later = Later { watch: &mut timing, before: seconds(2) };
        later.see(&Report { elapsed: seconds(3), ..Report::default() });
        assert_eq!(timing.0, seconds(5));
    }

    /// An observer that has enough, or wants all to stop, from the beginning.
    struct Ending {
        wants_stop: bool,
    }

    impl Watch for Ending {
        fn see(&mut self, _: &Report) {}

        fn has_enough(&self) -> bool {
            true
        }

        fn wants_stop(&mut self) -> bool {
            self.wants_stop
        }
    }

    #[test]
    fn what_follows_a_search_that_had_enough_is_not_stopped() {
        let search = |request: Request<Othello>| {
            while !request.stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            request.reports.end(Report { ended: Some(Ended::default()), ..Report::default() });
        };
        let session = Session::searched_by(&OthelloRules, search, &Settings::of::<Othello>());
        let mut session = session.expect("a thread");
        for wants_stop in [false, true] {
            let question = Question::new(Color::Black, Limits::default());
            session.answer(question, &mut Ending { wants_stop });
            assert_eq!(session.stop_flag().load(Ordering::Relaxed), wants_stop);
        }
    }

    #[test]
    fn an_answer_is_heard_at_once() {
        let ((go, going), (tell, told)) = (bounded(1), bounded(1));
        let search = move |request: Request<Othello>| {
            going.recv().expect("somebody waits");
            tell.send(Instant::now()).expect("somebody measures");
            request.reports.end(Report { ended: Some(Ended::default()), ..Report::default() });
        };
        let session = Session::searched_by(&OthelloRules, search, &Settings::of::<Othello>());
        let mut session = session.expect("a thread");
        let delays = (0..20).map(|_| {
            let question = Question::new(Color::Black, Limits::default());
            session.answer(question, &mut Waiting(go.clone()));
            told.recv().expect("it ended").elapsed()
        });
        // On a busy machine most of them are late for other reasons.
        let soonest = delays.min().expect("several");
        assert!(soonest < WATCH_INTERVAL / 2, "{soonest:?}");
    }
}
