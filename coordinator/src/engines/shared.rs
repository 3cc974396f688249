//! One endgame solved by all workers: the top of the search here, what is below it lent out as questions.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_games::counts::Asked;
use banyan_games::othello::Othello;
use banyan_games::{Color, Kind, Move, Policy, Record};
use banyan_jobs::solving::cost;
use banyan_jobs::{Batch, BatchId, Epoch, Growing, Mode, Root, RootId, SessionId, Solving, Tally};
use banyan_search::endgame::{Board, Solution, Solver, Top, expected_boards};
use banyan_search::split::{Below, Leaf, Question, Split};

use crate::cluster::{Link, ToGrower};
use crate::mailbox::{Mailbox, mailbox};
use crate::scheduler::{Claim, Settlement};

/// The session under which questions are lent; no game is numbered so.
const SESSION: SessionId = SessionId((1 << 24) - 1);

/// Positions with more empties than this are looked into here. (Measured on the FFO suite: one more
/// leaves workers idle where there are sixteen, two less costs half as many boards again, since nobody
/// remembers what another has found out.)
const EMPTIES_MAX: u32 = 18;

/// A worker that has looked at so many boards gives up, some tenths of a second.
const BOARDS_PER_QUESTION_MAX: u32 = 1 << 23;

/// Questions on their way for each two threads: one that waits is at hand when another is answered, but
/// is asked before that answer is known.
const QUESTIONS_PER_TWO_THREADS: usize = 3;

/// Between two looks at the clock and at a request to stop, when no answer comes.
const PATIENCE: Duration = Duration::from_millis(40);

/// The cluster answers a closed search at once.
const SETTLE_TIME_MAX: Duration = Duration::from_millis(500);

/// Boards that are spent at the end on showing how the game goes on.
const BOARDS_FOR_LINE_MAX: u64 = 1 << 25;

const LINE_TABLE_BYTES: usize = 16 << 20;

/// A way to all workers.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    link: Link,
    epoch: u32,
    next_number: u64,
}

/// What came of it.
pub(crate) struct Outcome {
    /// The score, or a bound that says who wins; nothing when there was no time for either.
    pub solution: Option<Solution>,
    /// Whether it is the score.
    pub is_exact: bool,
    /// Who answered.
    pub settlement: Settlement,
}

impl Shared {
    pub fn new(link: Link) -> Shared {
        Shared { link, epoch: 0, next_number: 0 }
    }

    /// Threads that would answer.
    pub fn threads(&self) -> u32 {
        let nodes = self.link.view().nodes();
        nodes.iter().filter(|(_, node)| node.present).map(|(_, node)| node.threads).sum()
    }

    /// Solves the position at the end of a record, whose game goes on, with the moves that are allowed
    /// there; no longer than `goes_on`, which is asked with the boards so far, says yes.
    pub fn solve(
        &mut self,
        (record, side): (&Record<Othello>, Color),
        moves: &[Move],
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Outcome {
        self.epoch += 1;
        let root = RootId { session: SESSION, epoch: Epoch(self.epoch) };
        let (post, inbox) = mailbox();
        let sent = Root::of(record, side, root, Growing::of(Kind::Othello));
        self.link.open(Arc::new(sent), Claim::default(), post);
        let position = record.position();
        let mut asking = Asking {
            link: &self.link,
            inbox,
            root,
            position,
            moves,
            split: split(position, moves),
            on_their_way: HashMap::new(),
            next_number: self.next_number,
            threads: 1,
            boards: 0,
        };
        asking.run(goes_on);
        self.next_number = asking.next_number;
        let settlement = asking.close();
        let is_exact = asking.split.is_solved();
        Outcome { solution: solution(&asking.split, asking.boards), is_exact, settlement }
    }
}

/// A search under way.
struct Asking<'a> {
    link: &'a Link,
    inbox: Mailbox<ToGrower>,
    root: RootId,
    position: &'a Othello,
    moves: &'a [Move],
    split: Split<Othello, Top>,
    /// One entry a question that was lent: at most three for two threads of the cluster.
    on_their_way: HashMap<BatchId, Leaf>,
    next_number: u64,
    threads: u32,
    boards: u64,
}

impl Asking<'_> {
    fn run(&mut self, goes_on: &mut dyn FnMut(u64) -> bool) {
        while !self.split.is_solved() && goes_on(self.boards) {
            self.ask();
            if let Some(message) = self.inbox.take_until(Instant::now() + PATIENCE) {
                self.take(message);
            }
            while let Some(message) = self.inbox.take() {
                self.take(message);
            }
        }
    }

    fn ask(&mut self) {
        let room = QUESTIONS_PER_TWO_THREADS * self.threads as usize / 2 + 1;
        let mut batches = Vec::new();
        while self.on_their_way.len() < room
            && let Some(question) = self.split.ask()
        {
            let id = BatchId::new(SESSION, self.next_number);
            self.next_number += 1;
            self.on_their_way.insert(id, question.leaf);
            batches.push(self.batch(id, question));
        }
        if !batches.is_empty() {
            self.link.submit(SESSION, batches);
        }
    }

    fn batch(&self, id: BatchId, question: Question) -> Batch {
        let Question { leaf: _, path, at_least } = question;
        let empties = Board::from(self.position).empties().count_ones();
        let placed = path.iter().filter(|mv| !mv.is_pass()).count() as u32;
        Batch {
            id,
            root: self.root,
            playouts: cost(expected_boards(empties - placed)),
            path,
            mode: Mode::Solve(Solving { at_least, nodes_max: BOARDS_PER_QUESTION_MAX }),
            policy: Policy::Uniform,
            seed: 0,
            asked: Asked::default(),
        }
    }

    fn take(&mut self, message: ToGrower) {
        match message {
            ToGrower::Tallies(_, tallies) => tallies.iter().for_each(|tally| self.count(tally)),
            ToGrower::Room(room) => self.threads = room.threads,
            ToGrower::TakeBack(_) => self.begin_again(),
            ToGrower::Settled(_) => {}
        }
    }

    /// Somebody's answers were lies, and what followed from them is worth nothing.
    fn begin_again(&mut self) {
        self.split = split(self.position, self.moves);
        self.on_their_way.clear();
    }

    fn count(&mut self, tally: &Tally) {
        let leaf = self.on_their_way.remove(&tally.batch);
        if let (Some(leaf), Some(solved)) = (leaf, tally.solved) {
            self.boards += u64::from(solved.nodes);
            self.split.answer(leaf, solved.bound);
        }
    }

    fn close(&mut self) -> Settlement {
        self.link.close(SESSION);
        let deadline = Instant::now() + SETTLE_TIME_MAX;
        while let Some(message) = self.inbox.take_until(deadline) {
            if let ToGrower::Settled(settlement) = message {
                return settlement;
            }
        }
        Settlement::default()
    }
}

fn split(position: &Othello, moves: &[Move]) -> Split<Othello, Top> {
    let top = Top { empties_max: EMPTIES_MAX };
    Split::new(position, &ranked(&top, position, moves), top, Top::guess(position))
}

/// The moves that are allowed, the most promising first.
fn ranked(top: &Top, position: &Othello, allowed: &[Move]) -> Vec<Move> {
    let mut moves = Vec::new();
    top.ranked(position, &mut moves);
    moves.retain(|mv| allowed.contains(mv));
    moves
}

/// The score and the line to it; a move that wins is enough when the score is not known.
fn solution(split: &Split<Othello, Top>, boards: u64) -> Option<Solution> {
    if !split.is_solved() {
        let (score, _) = split.bounds();
        let best = split.best().filter(|_| score > 0)?;
        return Some(Solution { score, line: vec![best], nodes: boards });
    }
    let (mut line, end, worth) = split.line();
    let mut solver = Solver::new(LINE_TABLE_BYTES);
    let window = (worth - 1, worth + 1);
    let rest = solver.solve(Board::from(end), window, &mut |nodes| nodes < BOARDS_FOR_LINE_MAX);
    line.extend(rest.map_or(Vec::new(), |rest| rest.line));
    Some(Solution { score: split.bounds().0, line, nodes: boards })
}
