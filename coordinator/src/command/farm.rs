//! Lists of jobs, worked through by a cluster: what learning asks of it.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use banyan_cli::options::WaitArgs;
use banyan_games::{Color, Kind, Move, Record, Rules, Terms, with_game};
use banyan_jobs::{
    Answer, Batch, BatchId, Claim, Epoch, Growing, Job, Lender, ModelDigest, Root, RootId,
    SessionId, ToSearch, WorkerId,
};

use banyan_learn::Crew;

use crate::node::{Node, Setup};

/// Batches in flight of one list: some for each thread of a large cluster.
const IN_FLIGHT_MAX: usize = 4096;

/// Lists that are done stay open, the latest so many: the audits of their last jobs take as long as the jobs did.
const OPEN_LISTS_MAX: usize = 16;

/// The cluster answers a closed session at once.
const SETTLE_TIME_MAX: Duration = Duration::from_millis(500);

/// A cluster that works through lists of jobs.
pub(super) struct Farm {
    node: Node,
    /// The node that shows it.
    front: Option<Arc<Node>>,
    lender: Arc<dyn Lender>,
    /// Sessions of lists that are done, the latest last.
    open: Mutex<VecDeque<(SessionId, Receiver<ToSearch>)>>,
    /// Work by the name of who did it.
    done: Mutex<BTreeMap<String, u64>>,
}

/// A job of a list, and where it begins.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// Plies from the empty board to where it begins.
    pub path: Vec<Move>,
    /// The job.
    pub job: Job,
}

impl From<Job> for Task {
    /// On the empty board.
    fn from(job: Job) -> Task {
        Task { path: Vec::new(), job }
    }
}

/// What jobs begin on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    /// The game and its board, which is empty.
    pub rules: &'a Rules,
    /// Evaluator that they name.
    pub evaluator: Option<ModelDigest>,
}

impl Ground<'_> {
    fn root(self, id: RootId) -> Root {
        let evaluator = self.evaluator;
        with_game!(self.rules, G, rules => {
            let mut growing = Growing { evaluator, ..Growing::of(self.rules.kind()) };
            // Where an evaluator is named all is judged: who lacks it is of no use, and is not waited for.
            growing.parameters.lambda = f32::from(u8::from(evaluator.is_some()));
            Root::of(&Record::<G>::new(rules), Color::Black, id, growing)
        })
    }
}

impl Farm {
    /// A cluster as configured, with the workers that are waited for.
    ///
    /// - `front`: the node whose pages and metrics show it, where there is one.
    ///
    /// # Errors
    /// What keeps it from starting, in words.
    pub fn start(setup: &Setup, wait: &WaitArgs, front: Option<Arc<Node>>) -> anyhow::Result<Farm> {
        let node = super::gather(setup, wait)?;
        let lender = node.cluster().lender();
        if let Some(front) = &front {
            front.watch(node.cluster());
        }
        Ok(Farm { node, front, lender, open: Mutex::default(), done: Mutex::default() })
    }

    /// Threads of all its workers, count.
    pub fn threads(&self) -> u32 {
        self.lender.crews().iter().map(|crew| crew.threads).sum()
    }

    /// Answers to jobs, in their order, none of them by who was found to lie.
    ///
    /// - `told`: told of each answer that comes.
    /// - `worth`: what the answer to a job counts for in [`Farm::by`].
    ///
    /// # Errors
    /// The cluster has ended.
    pub fn work(
        &self,
        ground: Ground<'_>,
        jobs: Vec<Task>,
        told: &dyn Fn(),
        worth: impl Fn(&Job, &Answer) -> u64,
    ) -> anyhow::Result<Vec<Answer>> {
        let session = self.lender.new_session();
        let (post, inbox) = mpsc::channel();
        let root = RootId { session, epoch: Epoch(1) };
        // A session that has gone away hears nothing.
        let post = Box::new(move |news| drop(post.send(news)));
        self.lender.open(Arc::new(ground.root(root)), Claim::default(), post);
        let mut list = List::new(&*self.lender, root, jobs);
        let end = list.wait_for(&inbox, told);
        self.leave_open(session, inbox);
        end?;
        let done = list.done.into_iter().map(|it| it.expect("all were waited for"));
        let answer = |(task, (by, answer)): (&Task, Signed)| {
            self.count(by, worth(&task.job, &answer));
            answer
        };
        Ok(list.jobs.iter().zip(done).map(answer).collect())
    }

    /// Leaves the session of a list that is done to its audits, and closes the one that has had longest.
    fn leave_open(&self, session: SessionId, inbox: Receiver<ToSearch>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push_back((session, inbox));
        let oldest = if open.len() > OPEN_LISTS_MAX { open.pop_front() } else { None };
        drop(open);
        let Some((session, inbox)) = oldest else { return };
        self.lender.close(session);
        while let Ok(news) = inbox.recv_timeout(SETTLE_TIME_MAX) {
            if matches!(news, ToSearch::Settled(_)) {
                break;
            }
        }
    }

    /// Who did how much, in words; nothing before anybody did anything.
    pub fn by(&self) -> Option<String> {
        in_words(&self.done.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same since this was last asked.
    pub fn take_by(&self) -> Option<String> {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        in_words(&std::mem::take(&mut *done))
    }

    fn count(&self, by: Option<WorkerId>, worth: u64) {
        let link = self.node.cluster().link();
        let name = by.map_or_else(|| "this process".to_owned(), |worker| link.name_of(worker));
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done.entry(name).or_default() += worth;
    }
}

fn in_words(done: &BTreeMap<String, u64>) -> Option<String> {
    let by: Vec<String> = done.iter().map(|(name, count)| format!("{name} {count}")).collect();
    (!by.is_empty()).then(|| format!("by {}", by.join(", ")))
}

impl Drop for Farm {
    fn drop(&mut self) {
        if let Some(front) = &self.front {
            front.watch(front.cluster());
        }
    }
}

/// An answer with the worker that it is by, where that one's word may be doubted.
type Signed = (Option<WorkerId>, Answer);

/// A list of jobs of one session.
struct List<'a> {
    lender: &'a dyn Lender,
    root: RootId,
    jobs: Vec<Task>,
    /// Places of jobs that are still to be asked for.
    waiting: VecDeque<usize>,
    next_number: u64,
    /// Batches under way, with the places of their jobs.
    asked: HashMap<BatchId, usize>,
    /// Answers that came, in the order of the jobs.
    done: Vec<Option<Signed>>,
}

impl<'a> List<'a> {
    fn new(lender: &'a dyn Lender, root: RootId, jobs: Vec<Task>) -> List<'a> {
        let (waiting, done) = ((0..jobs.len()).collect(), vec![None; jobs.len()]);
        List { lender, root, jobs, waiting, next_number: 0, asked: HashMap::new(), done }
    }

    /// Asks for as much as may be in flight.
    fn ask(&mut self) {
        let room = IN_FLIGHT_MAX.saturating_sub(self.asked.len()).min(self.waiting.len());
        let mut batches = Vec::with_capacity(room);
        for place in self.waiting.drain(..room) {
            let id = BatchId::new(self.root.session, self.next_number);
            self.next_number += 1;
            self.asked.insert(id, place);
            let Task { path, job } = self.jobs[place].clone();
            batches.push(Batch { id, root: self.root, path, job });
        }
        if !batches.is_empty() {
            self.lender.submit(self.root.session, batches);
        }
    }

    /// Waits until all answers are there, none of them by who was found to lie.
    fn wait_for(&mut self, inbox: &Receiver<ToSearch>, told: &dyn Fn()) -> anyhow::Result<()> {
        self.ask();
        while !self.asked.is_empty() {
            match inbox.recv().context("the cluster has ended")? {
                ToSearch::Tallies(by, tallies) => {
                    for tally in tallies {
                        // One that was taken back may come all the same.
                        if let Some(place) = self.asked.remove(&tally.batch) {
                            self.done[place] = Some((by, tally.answer));
                            told();
                        }
                    }
                }
                ToSearch::TakeBack(liar) => self.take_back(liar),
                ToSearch::Capacity(_) => {}
                ToSearch::Settled(_) => anyhow::bail!("the cluster has ended"),
            }
            self.ask();
        }
        Ok(())
    }

    /// Has everything done again that a liar did.
    fn take_back(&mut self, liar: WorkerId) {
        for (place, done) in self.done.iter_mut().enumerate() {
            if done.take_if(|(by, _)| *by == Some(liar)).is_some() {
                self.waiting.push_back(place);
            }
        }
    }
}

/// Threads of this process for what is not worth sending: at least one, whatever was said.
pub(super) fn crew(setup: &Setup) -> Crew {
    Crew { threads: NonZeroUsize::new(setup.threads as usize).unwrap_or(NonZeroUsize::MIN) }
}

/// Refuses to go on without a thread where no worker may come.
///
/// # Errors
/// In words.
pub(super) fn check_threads(setup: &Setup) -> anyhow::Result<()> {
    anyhow::ensure!(
        setup.threads > 0,
        "--threads 0 leaves nobody who works: expected --threads 1 or more, or workers by --listen"
    );
    Ok(())
}

/// Refuses what shows a cluster where there is none.
///
/// # Errors
/// In words.
pub(super) fn check_alone(setup: &Setup) -> anyhow::Result<()> {
    check_threads(setup)?;
    let shown = [("--http", setup.pages.is_some()), ("--metrics", setup.metrics.is_some())];
    match shown.into_iter().find(|(_, is_asked)| *is_asked) {
        Some((option, _)) => {
            anyhow::bail!("{option} shows a cluster, and without --listen there is none")
        }
        None => Ok(()),
    }
}

/// The usual board of a game, or a square one of another size.
///
/// - `size`: points a side.
///
/// # Errors
/// A size that the game has not, in words.
pub(super) fn board(game: Kind, size: u32) -> anyhow::Result<Rules> {
    Ok(Rules::new(game, Terms { width: size, height: size, ..Terms::of(game) })?)
}

#[cfg(test)]
mod tests {
    use banyan_jobs::{Crew, Judged, Post, SessionId, Tally, Trial, Tried};

    use super::*;

    /// Notes what it is given.
    #[derive(Debug, Default)]
    struct Noted(Mutex<Vec<Batch>>);

    impl Lender for Noted {
        fn new_session(&self) -> SessionId {
            SessionId(1)
        }
        fn open(&self, _: Arc<Root>, _: Claim, _: Post) {}
        fn submit(&self, _: SessionId, batches: Vec<Batch>) {
            self.0.lock().unwrap().extend(batches);
        }
        fn drop_batches(&self, _: SessionId, _: Vec<BatchId>) {}
        fn close(&self, _: SessionId) {}
        fn crews(&self) -> Vec<Crew> {
            Vec::new()
        }
        fn note_search_time(&self) {}
    }

    fn trial(seed: u64) -> Job {
        Job::Try(Trial { rule: String::new(), alone: false, completions: 1, seed })
    }

    fn answer(agreed: u32) -> Answer {
        let judged = Judged { agreed, ..Judged::default() };
        Answer::Tried(Tried { judged, ..Tried::default() })
    }

    #[test]
    fn what_a_liar_did_is_done_again() {
        let lender = Noted::default();
        let root = RootId { session: lender.new_session(), epoch: Epoch(1) };
        let mut list = List::new(&lender, root, vec![trial(9).into(), trial(10).into()]);
        list.ask();
        let (post, inbox) = mpsc::channel();
        let say = |number: usize, by: u64, agreed: u32| {
            let batch = lender.0.lock().unwrap()[number].id;
            let tallies = vec![Tally { batch, answer: answer(agreed) }];
            post.send(ToSearch::Tallies(Some(WorkerId(by)), tallies)).unwrap();
        };
        say(0, 5, 77);
        post.send(ToSearch::TakeBack(WorkerId(5))).unwrap();
        // The lie comes once more, too late.
        say(0, 5, 77);
        say(1, 6, 10);
        drop(post);
        let words = list.wait_for(&inbox, &|| ()).unwrap_err().to_string();
        assert_eq!(words, "the cluster has ended", "one of three is missing");
        let again = lender.0.lock().unwrap()[2].clone();
        assert_eq!(again.job, trial(9));
        let (post, inbox) = mpsc::channel();
        let tallies = vec![Tally { batch: again.id, answer: answer(9) }];
        post.send(ToSearch::Tallies(Some(WorkerId(7)), tallies)).unwrap();
        list.wait_for(&inbox, &|| ()).unwrap();
        let expected = [(Some(WorkerId(7)), answer(9)), (Some(WorkerId(6)), answer(10))];
        assert_eq!(list.done, expected.map(Some));
    }

    #[test]
    fn no_more_is_in_flight_than_may_be() {
        let lender = Noted::default();
        let root = RootId { session: lender.new_session(), epoch: Epoch(1) };
        let count = IN_FLIGHT_MAX + 10;
        let mut list =
            List::new(&lender, root, (0..count as u64).map(|seed| trial(seed).into()).collect());
        list.ask();
        list.ask();
        let asked: Vec<BatchId> = lender.0.lock().unwrap().iter().map(|it| it.id).collect();
        assert_eq!(asked.len(), IN_FLIGHT_MAX);
        let (post, inbox) = mpsc::channel();
        let tallies = asked.iter().map(|&batch| Tally { batch, answer: answer(1) }).collect();
        post.send(ToSearch::Tallies(None, tallies)).unwrap();
        drop(post);
        assert!(list.wait_for(&inbox, &|| ()).is_err(), "the rest was not answered");
        assert_eq!(lender.0.lock().unwrap().len(), count);
    }
}
