//! The thread of a board: it does what the page asks, thinks in between, and shows how things stand.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use banyan_engine::decide::{Decision, decide, moves_to_play};
use banyan_engine::{Limits, Playable, Question, Report, Session};
use banyan_games::{Color, Kind, Move, Record, with_game};
use banyan_jobs::{Lender, ModelDigest};
use banyan_proofs::threats::rules::Rules;
use banyan_records::sgf::TreePly;
use banyan_records::{ggf, passes, sgf};
use crossbeam_channel::Receiver;

use super::ask::{Ask, Engine, JudgedBy, Leaf, Wishes};
use super::onlooker::{INTERVAL, Onlooker, Unseen};
use super::scene::{self, Plies, Position, Scene, Task, Thought};
use super::screen::{Files, Screen};
use super::settings::{Networks, judge, settings};
use super::start::Start;
use super::tree::MoveTree;

/// An analysis that nobody stops ends after so long.
const ANALYSIS_TIME_MAX: Duration = Duration::from_secs(1800);

/// Each position of a review is searched for so long.
const REVIEW_TIME: Duration = Duration::from_millis(700);

/// Candidates whose lines are told.
const LINES: usize = 8;

/// Means that a board plays with.
#[derive(Clone)]
pub(super) struct Means {
    /// Source of playouts.
    pub lender: Arc<dyn Lender>,
    /// Memory for its tree, bytes.
    pub tree_bytes_max: usize,
    /// Networks that judge, one a game.
    pub networks: Arc<Networks>,
    /// Rules by which wins by threats are known sooner.
    pub threat_rules: RulesOf,
}

/// The rules about wins by threats of a game, if there are such.
pub type RulesOf = fn(Kind) -> Option<Arc<Rules>>;

/// Habits that stay when a game gives way to another.
#[derive(Clone, Copy, Debug, Default)]
struct Habits {
    wishes: Wishes,
    /// Sides that the engine plays: Black, White.
    sides: [bool; 2],
}

/// Plays games, one after the other, until nobody can ask for more.
pub(super) fn play(mut start: Start, means: &Means, inbox: &Receiver<Ask>, screen: &Screen) {
    let mut habits = Habits::default();
    loop {
        let rules = start.rules.clone();
        let next = with_game!(&rules, G, rules => {
            let record = start.record::<G>(rules).unwrap_or_else(|_| Record::new(rules));
            match Player::<G>::new(record, &start, habits, (means, inbox, screen)) {
                Ok(mut player) => player.play(),
                Err(error) => {
                    tracing::error!("a board has no thread to search with: {error}");
                    None
                }
            }
        });
        match next {
            Some((next, kept)) => (start, habits) = (next, kept),
            None => return,
        }
    }
}

/// One game on a board.
struct Player<'a, G: Playable> {
    session: Session<G>,
    /// The game before its first ply.
    start: Record<G>,
    /// The plies of the file, and what else it said of the game.
    file: (Vec<TreePly>, sgf::Header),
    tree: MoveTree,
    habits: Habits,
    means: &'a Means,
    inbox: &'a Receiver<Ask>,
    screen: &'a Screen,
    /// Requests that came while it thought.
    waiting: VecDeque<Ask>,
    /// Everybody has gone.
    is_left: bool,
    is_analyzing: bool,
    /// It was asked to move for whoever is to move.
    moves_now: bool,
    /// The plies of a review that are still to be looked at, the next last.
    review: Vec<usize>,
    thought: Option<Thought>,
    notice: Option<String>,
}

/// A game to go on with, and the habits that it takes over.
type Next = Option<(Start, Habits)>;

impl<'a, G: Playable> Player<'a, G> {
    fn new(
        record: Record<G>,
        start: &Start,
        habits: Habits,
        (means, inbox, screen): (&'a Means, &'a Receiver<Ask>, &'a Screen),
    ) -> std::io::Result<Player<'a, G>> {
        let mut habits = habits;
        if G::evaluations().is_empty() {
            habits.wishes = Wishes { engine: Engine::Uct, leaf: Leaf::Best, ..habits.wishes };
        }
        let judge = judge(&means.networks, record.position());
        if judge.is_none() && habits.wishes.judge != JudgedBy::Playouts {
            habits.wishes.judge = JudgedBy::Auto;
        }
        let mut settings = settings::<G>(&habits.wishes, means.tree_bytes_max, judge);
        settings.engines.threat_rules = (means.threat_rules)(G::KIND);
        let session = Session::new(record.position().rules(), means.lender.clone(), &settings)?;
        let mut player = Player {
            session,
            start: record,
            file: (start.plies.clone(), start.header.clone()),
            tree: MoveTree::grown(&start.plies),
            habits,
            means,
            inbox,
            screen,
            waiting: VecDeque::new(),
            is_left: false,
            is_analyzing: false,
            moves_now: false,
            review: Vec::new(),
            thought: None,
            notice: start.notice.clone(),
        };
        player.sit();
        Ok(player)
    }

    fn play(&mut self) -> Next {
        loop {
            let task = self.task();
            let ask = match self.waiting.pop_front() {
                Some(ask) => ask,
                None if self.is_left => return None,
                None if task != Task::Idle => {
                    self.think(task);
                    continue;
                }
                None => {
                    self.show(Task::Idle);
                    self.inbox.recv().ok()?
                }
            };
            self.notice = None;
            match self.obey(ask) {
                Ok(None) => {}
                Ok(Some(next)) => return Some((next, self.habits)),
                Err(why) => self.notice = Some(why),
            }
        }
    }

    fn record(&self) -> &Record<G> {
        self.session.record()
    }

    /// Returns the task where nobody asks for anything.
    fn task(&self) -> Task {
        if let Some(&next) = self.review.last()
            && next == self.tree.at()
        {
            return Task::Review;
        }
        let position = self.record().position();
        if position.outcome().is_some() {
            return Task::Idle;
        }
        match self.is_analyzing {
            _ if self.moves_now || self.habits.sides[position.side_to_move().index()] => Task::Move,
            true => Task::Analysis,
            false => Task::Idle,
        }
    }

    /// Does what was asked; returns the game to go on with, where it is another.
    fn obey(&mut self, ask: Ask) -> Result<Option<Start>, String> {
        let rules = || self.start.position().rules().clone().into();
        match ask {
            Ask::New(opening) => return Start::asked(&opening).map(Some),
            Ask::Load { text } => {
                let start = Start::loaded(&text, &rules())?;
                // It is there to be looked into.
                self.habits.sides = [false, false];
                return Ok(Some(start));
            }
            Ask::Setup { stones, side } => {
                let start = Start::set_up(rules(), &stones, side)?;
                start.record::<G>(self.start.position().rules())?;
                return Ok(Some(start));
            }
            Ask::Play { point } => {
                let mv = point.map_or(Move::PASS, |at| Move::point(usize::from(at)));
                self.put(mv)?;
            }
            Ask::Undo => {
                self.take_back();
                self.sit();
            }
            Ask::Goto { node } => {
                self.review.clear();
                self.habits.sides = [false, false];
                self.tree.go_to(node)?;
                self.sit();
            }
            Ask::Cut { node } => {
                self.tree.cut(node);
                self.sit();
            }
            Ask::Analyze { on } => self.is_analyzing = on,
            Ask::Move => self.moves_now = self.record().position().outcome().is_none(),
            Ask::Stop => self.rest(),
            Ask::Review => {
                self.rest();
                self.review = self.tree.shown().into_iter().rev().collect();
                self.review.push(0);
                self.tree.go_to(0)?;
                self.sit();
            }
            Ask::Sides { black, white } => self.habits.sides = [black, white],
            Ask::Settings(wishes) => self.wish(wishes)?,
        }
        Ok(None)
    }

    /// Nothing is searched until somebody asks.
    fn rest(&mut self) {
        self.is_analyzing = false;
        self.review.clear();
        self.habits.sides = [false, false];
    }

    /// Takes back one ply, and where the engine answered it, that answer with it.
    fn take_back(&mut self) {
        self.review.clear();
        self.tree.undo();
        let sides = self.habits.sides;
        let is_engines = |tree: &MoveTree, start: &Record<G>| {
            let record = replayed(start, tree);
            sides[record.position().side_to_move().index()]
        };
        if sides != [true, true] {
            while self.tree.at() != 0 && is_engines(&self.tree, &self.start) {
                self.tree.undo();
            }
        }
        // Who takes back the first move wants to choose it himself.
        if self.tree.at() == 0 && is_engines(&self.tree, &self.start) {
            self.habits.sides = [false, false];
        }
    }

    /// Plays a ply for the side to move.
    fn put(&mut self, mv: Move) -> Result<(), String> {
        let mut record = self.record().clone();
        let side = record.position().side_to_move();
        record.play(mv).map_err(|error| error.to_string())?;
        self.review.clear();
        self.tree.play(side, mv)?;
        // A pass that the rules force says nothing: the board need not wait for it.
        if !G::TERRITORY
            && record.position().outcome().is_none()
            && passes::is_forced(record.position())
        {
            self.tree.play(record.position().side_to_move(), Move::PASS)?;
        }
        self.sit();
        Ok(())
    }

    /// Gives the session the game as it is shown.
    fn sit(&mut self) {
        *self.session.record_mut() = replayed(&self.start, &self.tree);
        self.thought = None;
    }

    fn wish(&mut self, wishes: Wishes) -> Result<(), String> {
        let needs_evaluation =
            wishes.engine != Engine::Uct || matches!(wishes.leaf, Leaf::Evaluate | Leaf::Mixed);
        if needs_evaluation && G::evaluations().is_empty() {
            return Err(format!("{} has no evaluation: it is searched by playouts", G::KIND));
        }
        let judge = self.judge();
        if matches!(wishes.judge, JudgedBy::Net | JudgedBy::Mixed) && judge.is_none() {
            return Err(format!(
                "there is no network for {} on this board: `banyan serve --net FILE` brings one",
                G::KIND
            ));
        }
        let is_other = |wishes: &Wishes| (wishes.engine, wishes.leaf, wishes.judge);
        if is_other(&wishes) != is_other(&self.habits.wishes) {
            let mut settings = settings::<G>(&wishes, self.means.tree_bytes_max, judge);
            settings.engines.threat_rules = (self.means.threat_rules)(G::KIND);
            let rules = self.start.position().rules();
            let session = Session::new(rules, self.means.lender.clone(), &settings);
            self.session = session.map_err(|error| format!("no thread to search with: {error}"))?;
            self.sit();
        }
        self.habits.wishes = wishes;
        Ok(())
    }

    fn judge(&self) -> Option<ModelDigest> {
        judge(&self.means.networks, self.start.position())
    }

    /// Searches the position shown, until it is done or something is asked.
    fn think(&mut self, task: Task) {
        let position = self.record().position().clone();
        let side = position.side_to_move();
        if position.outcome().is_some() {
            self.finish_review();
            return;
        }
        let allowed = match task {
            Task::Move => moves_to_play(self.record(), side),
            _ => Vec::new(),
        };
        let limits = self.limits(task);
        let question = Question {
            allowed: allowed.clone(),
            lines: if task == Task::Move { 0 } else { LINES },
            is_analysis: task != Task::Move,
            interval: INTERVAL,
            ..Question::new(side, limits)
        };
        self.show(task);
        let frame = self.scene(task);
        let mut onlooker = Onlooker {
            position: &position,
            frame,
            screen: self.screen,
            inbox: self.inbox,
            waiting: &mut self.waiting,
            is_left: &mut self.is_left,
            last: None,
            unseen: (task == Task::Analysis).then(Unseen::default),
        };
        let report = self.session.answer(question, &mut onlooker);
        self.moves_now = false;
        self.note(&report, side);
        self.thought = Some(Thought::of(&position, &report));
        let is_disturbed = self.is_left || !self.waiting.is_empty();
        match task {
            Task::Move => self.answer(&report, &allowed, is_disturbed),
            Task::Review if !is_disturbed => self.finish_review(),
            Task::Analysis if !is_disturbed => self.is_analyzing = false,
            _ => {}
        }
    }

    /// Plays what a search for a move has found, unless it was broken off.
    fn answer(&mut self, report: &Report, allowed: &[Move], is_disturbed: bool) {
        let is_hurried = self.waiting.front() == Some(&Ask::Move);
        if is_hurried {
            self.waiting.pop_front();
        }
        if is_disturbed && !is_hurried {
            return;
        }
        if report.visits == 0 && report.candidates.is_empty() {
            self.notice = Some("nothing was searched: no worker is there".to_owned());
            self.rest();
            return;
        }
        let side = self.record().position().side_to_move();
        match decide(self.record(), side, report, allowed, 0.0) {
            Decision::Play(mv) => {
                if let Err(why) = self.put(mv) {
                    self.notice = Some(why);
                    self.rest();
                }
            }
            Decision::Resign => self.rest(),
        }
    }

    /// Goes on to the next position of a review.
    fn finish_review(&mut self) {
        self.review.pop();
        if let Some(&next) = self.review.last() {
            let there = self.tree.go_to(next);
            debug_assert!(there.is_ok(), "a review ends when the tree changes");
            self.sit();
        }
    }

    fn limits(&self, task: Task) -> Limits {
        let Wishes { time_ms, playouts, .. } = self.habits.wishes;
        match task {
            Task::Review => Limits { time: Some(REVIEW_TIME), ..Limits::default() },
            Task::Analysis | Task::Idle => {
                Limits { time: Some(ANALYSIS_TIME_MAX), ..Limits::default() }
            }
            Task::Move => {
                let time = time_ms.map(|ms| Duration::from_millis(u64::from(ms.max(50))));
                let unbounded = time.is_none() && playouts.is_none();
                Limits { time: time.or(unbounded.then_some(REVIEW_TIME)), playouts, depth: None }
            }
        }
    }

    /// Notes beside the ply what the position is worth.
    fn note(&mut self, report: &Report, side: Color) {
        if let Some(black) = scene::noted(report, side) {
            self.tree.judge(black);
        }
    }

    fn scene(&self, task: Task) -> Scene {
        let record = self.record();
        Scene {
            position: Position::of(record),
            plies: Plies::of(record.position(), &self.tree),
            task,
            is_mine: true,
            sides: self.habits.sides,
            wishes: self.habits.wishes,
            has_evaluation: !G::evaluations().is_empty(),
            has_judge: self.judge().is_some(),
            thought: self.thought.clone(),
            notice: self.notice.clone(),
        }
    }

    fn show(&self, task: Task) {
        let mut shown = self.start.clone();
        for node in self.tree.shown().into_iter().filter_map(|number| self.tree.node(number)) {
            if shown.play_as(node.color, node.mv).is_err() {
                break;
            }
        }
        let plies = self.tree.plies_with_variations();
        let (of_file, header) = &self.file;
        // Who went on with a game has not ended it.
        let result = header.result.clone().filter(|_| plies == *of_file);
        let header = sgf::Header { result, ..header.clone() };
        // Before the scene: whoever has seen it may ask for them.
        self.screen.keep(Files {
            sgf: sgf::write_tree(&self.start, &plies, &header).into(),
            ggf: ggf::write(&shown, &header).map(Into::into),
        });
        self.screen.show(&self.scene(task));
    }
}

/// The game as it is shown: what of its plies can be played.
fn replayed<G: Playable>(start: &Record<G>, tree: &MoveTree) -> Record<G> {
    let mut record = start.clone();
    for (color, mv) in tree.plies() {
        if record.play_as(color, mv).is_err() {
            break;
        }
    }
    record
}

/// The board that a page begins with.
pub(super) fn first(kind: Kind) -> Start {
    let rules = banyan_games::Rules::new(kind, banyan_games::Terms::of(kind));
    Start::of(rules.expect("a game has its own board"))
}
