//! The thread of a board: it does what the page asks, thinks in between, and shows how things stand.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_engine::decide::{Decision, decide, moves_to_play};
use banyan_engine::engines::{Choice, Classical};
use banyan_engine::{Limits, Playable, Question, Report, Session, Settings, Watch};
use banyan_games::{Color, Kind, Move, Record, with_game};
use banyan_jobs::{Lender, ModelDigest};
use banyan_knowledge::{Judge, statics};
use banyan_proofs::threats::rules::Rules;
use banyan_records::{ggf, passes, sgf};
use banyan_search::classical::{Horizon, Method, Step};
use banyan_search::{FinalMove, Parameters, Valuing};
use crossbeam_channel::{Receiver, TryRecvError};

use super::ask::{Ask, Engine, JudgedBy, Leaf, Wishes};
use super::scene::{self, Plies, Position, Scene, Task, Thought};
use super::screen::{Files, Screen};
use super::start::Start;
use super::tree::MoveTree;

/// An analysis that nobody stops ends after so long.
const ANALYSIS_TIME_MAX: Duration = Duration::from_secs(1800);

/// An analysis that no page has followed for so long ends: a reload takes less.
const UNSEEN_MAX: Duration = Duration::from_secs(15);

/// Each position of a review is searched for so long.
const REVIEW_TIME: Duration = Duration::from_millis(700);

/// Between two scenes of a search.
const INTERVAL: Duration = Duration::from_millis(200);

/// Candidates whose lines are told.
const LINES: usize = 8;

/// Share of a network beside playouts.
const MIXED_SHARE: f32 = 0.5;

/// MTD(f) begins with steps of so much of the evaluation's scale.
const FIRST_STEP: f32 = 0.05;

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

/// Networks, one a game.
pub type Networks = BTreeMap<Kind, Judge>;

/// Who judges by these rules on this board: the network, else the static evaluation that a tree is better by.
fn judge<G: Playable>(networks: &Networks, position: &G) -> Option<ModelDigest> {
    let rules = position.rules().clone().into();
    let network = networks.get(&G::KIND).filter(|network| network.reach.holds(&rules));
    match network {
        None if statics::leads(G::KIND) => statics::digest::<G>(),
        network => network.map(|it| it.digest),
    }
}

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
            Ask::Load { text } => return Start::loaded(&text, G::KIND).map(Some),
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
        if !G::TERRITORY && record.position().outcome().is_none() && passes::is_forced(&record) {
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
        // Before the scene: whoever has seen it may ask for them.
        self.screen.keep(Files {
            sgf: sgf::write_tree(&self.start, &plies, &sgf::Header::default()).into(),
            ggf: ggf::write(&shown).map(Into::into),
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

/// Makes the settings of a session with these wishes.
///
/// - `judge`: the one for the game and the board.
fn settings<G: Playable>(
    wishes: &Wishes,
    tree_bytes_max: usize,
    judge: Option<ModelDigest>,
) -> Settings {
    let mut settings = Settings::of::<G>();
    let valuing = match wishes.leaf {
        Leaf::Best => None,
        Leaf::Playout => Some(Valuing::Playout),
        Leaf::Evaluate => Some(Valuing::Evaluate),
        Leaf::Mixed => Some(Valuing::Mixed),
    };
    if let Some(valuing) = valuing {
        settings.tuning.parameters = Parameters::with_leaves(G::KIND, valuing);
    }
    let share = match wishes.judge {
        JudgedBy::Playouts => 0.0,
        JudgedBy::Mixed => MIXED_SHARE,
        JudgedBy::Auto | JudgedBy::Net => 1.0,
    };
    // A static evaluation is asked by leaves of its own as well.
    let is_kept = |digest: &ModelDigest| {
        let is_asked = wishes.judge != JudgedBy::Auto || wishes.leaf == Leaf::Best;
        share > 0.0 && (is_asked || !statics::is_static(*digest))
    };
    if let Some(digest) = judge.filter(is_kept) {
        settings.tuning.evaluator = Some(digest);
        settings.tuning.parameters.lambda = share;
        settings.tuning.parameters.puct = true;
    }
    settings.tuning.final_move = FinalMove::usual(&settings.tuning.parameters);
    settings.tuning.tree_bytes_max = tree_bytes_max;
    let best = G::evaluations().get(G::SEARCHED_BY);
    let step = best.map_or(1, |best| (FIRST_STEP * best.scale()) as i32);
    let method = match wishes.engine {
        Engine::Uct => None,
        Engine::AlphaBeta => Some(Method::AlphaBeta),
        Engine::Mtdf => Some(Method::Mtdf(Step::Adaptive(step))),
    };
    let classical = method.filter(|_| !G::evaluations().is_empty()).map(|method| Classical {
        method,
        horizon: Horizon::Depth,
        evaluation: G::SEARCHED_BY,
        beam: None,
        model: None,
        is_shareable: true,
        is_implied: false,
    });
    settings.engines = Choice {
        classical,
        looks_for_threats: true,
        threat_rules: None,
        zone_rules: None,
        table_bytes_max: tree_bytes_max,
    };
    settings
}

/// Looks on while a session thinks: shows what it sees, and hears what is asked.
struct Onlooker<'a, G: Playable> {
    position: &'a G,
    frame: Scene,
    screen: &'a Screen,
    inbox: &'a Receiver<Ask>,
    waiting: &'a mut VecDeque<Ask>,
    is_left: &'a mut bool,
    last: Option<Instant>,
    /// Where it ends when nobody sees it.
    unseen: Option<Unseen>,
}

/// Time since the last page was closed.
#[derive(Debug, Default)]
struct Unseen {
    since: Option<Instant>,
}

impl Unseen {
    /// Tells whether nobody has followed for too long.
    fn is_over(&mut self, followers: usize, now: Instant) -> bool {
        if followers > 0 {
            self.since = None;
            return false;
        }
        now.duration_since(*self.since.get_or_insert(now)) > UNSEEN_MAX
    }
}

impl<G: Playable> Watch for Onlooker<'_, G> {
    fn see(&mut self, report: &Report) {
        if self.last.is_some_and(|last| last.elapsed() < INTERVAL / 2) {
            return;
        }
        self.last = Some(Instant::now());
        self.frame.thought = Some(Thought::of(self.position, report));
        self.screen.show(&self.frame);
    }

    fn wants_stop(&mut self) -> bool {
        match self.inbox.try_recv() {
            Ok(ask) => self.waiting.push_back(ask),
            Err(TryRecvError::Disconnected) => *self.is_left = true,
            Err(TryRecvError::Empty) => {}
        }
        let followers = self.screen.followers();
        let is_over = |unseen: &mut Unseen| unseen.is_over(followers, Instant::now());
        *self.is_left || !self.waiting.is_empty() || self.unseen.as_mut().is_some_and(is_over)
    }
}

/// The board that a page begins with.
pub(super) fn first(kind: Kind) -> Start {
    let rules = banyan_games::Rules::new(kind, banyan_games::Terms::of(kind));
    Start::of(rules.expect("a game has its own board"))
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_games::go::{Go, GoRules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::hex::{Hex, HexRules};
    use banyan_games::othello::{Othello, OthelloRules};

    use banyan_knowledge::Reach;

    use super::*;

    #[test]
    fn an_analysis_outlives_a_reload_and_not_the_last_page() {
        let (mut unseen, start) = (Unseen::default(), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        for (followers, seconds, is_over) in [
            (1, 0, false),
            (0, 20, false),
            (0, 30, false),
            (1, 31, false),
            (0, 32, false),
            (0, 48, true),
        ] {
            assert_eq!(unseen.is_over(followers, after(seconds)), is_over, "after {seconds} s");
        }
    }

    #[test]
    fn a_network_judges_as_the_page_wishes_and_only_where_there_is_one() {
        let net = ModelDigest([7; 32]);
        let of = |digest, reach| Judge { digest, reach };
        let other = ModelDigest([8; 32]);
        let named = Networks::from([
            (Kind::Go, of(net, Reach::SEEN)),
            (Kind::Gomoku, of(other, Reach::SEEN)),
        ]);
        let learned = Networks::from([(Kind::Gomoku, of(other, Reach::Learned(15..=15)))]);
        let go = |side| Go::new(&GoRules::new(side, 15).expect("a size of Go"));
        assert_eq!(judge(&named, &go(9)), Some(net));
        assert_eq!(judge(&named, &go(5)), None, "they judge boards from 7x7 on");
        assert_eq!(judge(&named, &Hex::new(&HexRules::new(11).expect("a size of Hex"))), None);
        let gomoku = |networks, side, variant| {
            judge(networks, &Gomoku::new(&GomokuRules::new(side, side, variant).expect("a size")))
        };
        let patterns = statics::digest::<Gomoku>();
        assert!(patterns.is_some());
        assert_eq!(gomoku(&learned, 15, Variant::Freestyle), Some(other));
        assert_eq!(gomoku(&learned, 20, Variant::Freestyle), patterns, "it has not learned on it");
        assert_eq!(gomoku(&learned, 15, Variant::Renju), patterns, "nor by these rules");
        assert_eq!(gomoku(&named, 20, Variant::Renju), Some(other), "who names one wants it");
        assert_eq!(judge(&named, &Othello::new(&OthelloRules)), statics::digest::<Othello>());
        for (judge, share) in [
            (JudgedBy::Auto, 1.0),
            (JudgedBy::Net, 1.0),
            (JudgedBy::Mixed, 0.5),
            (JudgedBy::Playouts, 0.0),
        ] {
            let wishes = Wishes { judge, ..Wishes::default() };
            let tuning = settings::<Go>(&wishes, 1 << 20, Some(net)).tuning;
            assert_eq!(tuning.parameters.lambda, share, "{judge:?}");
            let is_asked = share > 0.0;
            assert_eq!((tuning.evaluator.is_some(), tuning.parameters.puct), (is_asked, is_asked));
            assert_eq!(tuning.final_move, FinalMove::usual(&tuning.parameters), "{judge:?}");
            let without = settings::<Go>(&wishes, 1 << 20, None).tuning;
            assert_eq!((without.parameters.lambda, without.evaluator), (0.0, None), "{judge:?}");
        }
        let patterns = statics::digest::<Othello>();
        for (leaf, judge, is_asked) in [
            (Leaf::Best, JudgedBy::Auto, true),
            (Leaf::Best, JudgedBy::Playouts, false),
            (Leaf::Evaluate, JudgedBy::Auto, false),
            (Leaf::Evaluate, JudgedBy::Net, true),
        ] {
            let wishes = Wishes { judge, leaf, ..Wishes::default() };
            let tuning = settings::<Othello>(&wishes, 1 << 20, patterns).tuning;
            assert_eq!(tuning.evaluator.is_some(), is_asked, "{leaf:?} {judge:?}");
        }
    }
}
