//! One game being played: its record, its grower, and how long and how hard to think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use banyan_games::rng::mix;
use banyan_games::{Color, Game, Move, Outcome, Record};
use banyan_jobs::SessionId;
use tokio::sync::mpsc;

use crate::checkpoint::Checkpoint;
use crate::cluster::Link;
use crate::config::Config;
use crate::engines::{Answer, Engines, Task};
use crate::grower::{GrowerHandle, Report, Request};
use crate::growth::Plan;
use crate::remote::Remote;
use crate::scheduler::Claim;

/// Of so many batches one tells who held each point at the end.
const OWNERSHIP_EVERY: u64 = 8;

/// Playouts by which stones are judged alive or dead.
const JUDGE_PLAYOUTS: u64 = 2_000;
/// Stones are not judged for longer than this.
const JUDGE_TIME_MAX: Duration = Duration::from_secs(5);

/// A group is dead when this share of playouts ends with its points in enemy hands.
const DEAD_SHARE: f64 = 0.5;

/// How long and how hard to think about one move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// At most so long.
    pub time: Option<Duration>,
    /// At most so many playouts.
    pub playouts: Option<u64>,
}

/// What playouts show of a position: who will hold what.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Per point, from -1 (White's in every playout) to 1 (Black's).
    pub ownership: Vec<f64>,
    /// Stones that will not stay, whole groups.
    pub dead: Vec<Move>,
    /// The outcome if the game stopped here and dead stones were taken off; games without territory
    /// have one only when they are over.
    pub outcome: Option<Outcome>,
}

/// A game and its engine.
pub struct Session<G: Game> {
    record: Record<G>,
    grower: GrowerHandle<G>,
    engines: Engines,
    config: Config,
    stop: Arc<AtomicBool>,
    /// For the next search.
    checkpoint: Option<Checkpoint>,
}

impl<G: Game> Session<G> {
    /// A game at its start.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn new(rules: &G::Rules, link: &Link, config: &Config) -> std::io::Result<Session<G>> {
        let grower = GrowerHandle::start(SessionId(0), link.clone(), config.tuning)?;
        Ok(Session::with(rules, (grower, Some(link.clone())), config))
    }

    /// A game at its start whose searches run on another coordinator.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn attached(
        rules: &G::Rules,
        remote: Remote,
        config: &Config,
    ) -> std::io::Result<Session<G>> {
        let grower = GrowerHandle::away(remote, config.tuning)?;
        Ok(Session::with(rules, (grower, None), config))
    }

    fn with(
        rules: &G::Rules,
        (grower, cluster): (GrowerHandle<G>, Option<Link>),
        config: &Config,
    ) -> Session<G> {
        Session {
            record: Record::new(rules),
            grower,
            engines: Engines::new(config.engines, cluster),
            config: config.clone(),
            stop: Arc::default(),
            checkpoint: None,
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

    /// What `--time` and `--playouts` say.
    pub fn limits(&self) -> Limits {
        Limits { time: self.config.time, playouts: self.config.playouts }
    }

    /// A flag that ends the thinking under way when it is set; it is cleared when thinking begins.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
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
        self.stop.store(false, Ordering::Relaxed);
        let limits = match self.ask_engines(side, limits, &allowed, watch) {
            Answer::Decided(report) => return *report,
            Answer::Left(limits) => limits,
        };
        let record = self.record.clone();
        let every = plan(&self.config, &record, limits).ownership_every;
        self.search(record, side, limits, allowed, every, watch)
    }

    fn ask_engines(
        &mut self,
        side: Color,
        limits: Limits,
        allowed: &[Move],
        watch: &mut dyn FnMut(&Report),
    ) -> Answer {
        let mut position = self.record.position().clone();
        let mut moves = allowed.to_vec();
        if position.set_side_to_move(side).is_err() || position.outcome().is_some() {
            return Answer::Left(limits);
        }
        if moves.is_empty() {
            position.candidates(&mut moves);
        }
        let record = &self.record;
        let task = Task { record, position: &position, moves: &moves, limits, stop: &self.stop };
        self.engines.answer(&task, watch)
    }

    /// Judges who will hold what, by playouts from the position before any closing passes. For games
    /// of territory.
    ///
    /// Who moves first holds more, so that each side does in half of the playouts.
    pub fn judge(&mut self) -> Judgement {
        let mut record = self.record.clone();
        while record.plies().last().is_some_and(|(_, mv)| mv.is_pass()) {
            record.undo();
        }
        let limits = Limits { time: Some(JUDGE_TIME_MAX / 2), playouts: Some(JUDGE_PLAYOUTS / 2) };
        self.stop.store(false, Ordering::Relaxed);
        let [mut report, other] = Color::BOTH
            .map(|side| self.search(record.clone(), side, limits, Vec::new(), 1, &mut |_| {}));
        report.sums.owner_playouts += other.sums.owner_playouts;
        for (held, more) in report.sums.ownership.iter_mut().zip(other.sums.ownership) {
            *held += more;
        }
        judgement(self.record.position(), &report)
    }

    fn search(
        &mut self,
        record: Record<G>,
        side: Color,
        limits: Limits,
        allowed: Vec<Move>,
        ownership_every: u64,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let (reports, mut inbox) = mpsc::channel(2);
        let checkpoint = self.checkpoint.take();
        let spent = checkpoint.as_ref().map_or(Duration::ZERO, Checkpoint::elapsed);
        self.grower.search(Request {
            plan: Plan { ownership_every, ..plan(&self.config, &record, limits) },
            record,
            side,
            claim: Claim::default(),
            deadline: limits.time.map(|time| Instant::now() + time.saturating_sub(spent)),
            allowed,
            digest: self.config.digest,
            stop: self.stop.clone(),
            checkpoint,
            reports,
        });
        loop {
            let report = inbox.blocking_recv().expect("a grower answers every request");
            if report.ended.is_some() {
                return report;
            }
            watch(&report);
        }
    }
}

/// How a game's position is searched.
pub(crate) fn plan<G: Game>(config: &Config, record: &Record<G>, limits: Limits) -> Plan {
    Plan {
        policy: config.policy,
        seed: mix(config.tuning.seed ^ mix(record.plies().len() as u64)),
        playouts_max: limits.playouts,
        sizing: config.sizing,
        window: config.window,
        in_order: config.reproducible,
        ownership_every: if G::TERRITORY { OWNERSHIP_EVERY } else { 0 },
    }
}

/// Reads a report's ownership: whole groups live or die by the mean over their points.
pub fn judgement<G: Game>(position: &G, report: &Report) -> Judgement {
    let playouts = report.sums.owner_playouts.max(1) as f64;
    let ownership: Vec<f64> =
        report.sums.ownership.iter().map(|&held| held as f64 / playouts).collect();
    let mut dead = Vec::new();
    let mut seen = vec![false; ownership.len()];
    for point in 0..ownership.len() {
        let Some(color) = position.stone(Move::point(point)).filter(|_| !seen[point]) else {
            continue;
        };
        let group = position.group(Move::point(point));
        let points = group.iter().filter_map(|mv| mv.index());
        points.clone().for_each(|at| seen[at] = true);
        let held: f64 = points.map(|at| ownership[at]).sum::<f64>() / group.len() as f64;
        let own = if color == Color::Black { held } else { -held };
        // From -1..1 to the share of playouts in which the enemy holds it.
        if (1.0 - own) / 2.0 > DEAD_SHARE {
            dead.extend(group);
        }
    }
    let outcome = position.score_without(&dead);
    Judgement { ownership, dead, outcome }
}
