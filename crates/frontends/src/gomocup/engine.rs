//! The state between two commands, and how a move is chosen.

use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

use banyan_engine::{Limits, Report, Session, Settings, decide};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Color, Game, Move, Record, Size};

use super::info::Info;
use super::manager::Manager;
use super::text::{self, Fault, Stone};

/// Makes a session, with whoever looks on: for the first game, and again where less memory is allowed.
pub type MakeSession = Box<dyn Fn(&GomokuRules, &Settings) -> io::Result<Session<Gomoku>>>;

/// Options: the game, where sessions come from, the settings.
pub struct Options {
    /// Rules of the next game.
    pub rules: GomokuRules,
    /// The maker of sessions.
    pub make_session: MakeSession,
    /// Settings of the search.
    pub settings: Settings,
    /// The time of a move, where that was asked for.
    pub asked_time: Option<Duration>,
}

impl Options {
    fn session(&self) -> io::Result<Session<Gomoku>> {
        (self.make_session)(&self.rules, &self.settings)
    }
}

/// One process's end of the conversation.
pub(super) struct Engine {
    pub session: Session<Gomoku>,
    pub manager: Manager,
    options: Options,
    /// Tells whether a board was asked for.
    has_begun: bool,
    info: Info,
}

impl Engine {
    /// # Errors
    /// The operating system has no thread to give.
    pub fn new(manager: Manager, options: Options) -> io::Result<Engine> {
        Ok(Engine {
            session: options.session()?,
            manager,
            options,
            has_begun: false,
            info: Info::default(),
        })
    }

    /// The rules of the next game.
    pub fn rules(&self) -> &GomokuRules {
        &self.options.rules
    }

    /// Points a side of the board that is played on.
    pub fn size(&self) -> Size {
        self.session.record().position().size()
    }

    /// Tells whether there is a board to play on.
    pub fn ready(&self) -> Result<(), Fault> {
        if self.has_begun { Ok(()) } else { Err(Fault::NoBoard) }
    }

    /// Begins a game on a board of these sides, the first or another.
    pub fn start(&mut self, (width, height): (u32, u32)) -> Result<(), Fault> {
        self.options.rules = GomokuRules::new(width, height, self.options.rules.variant())?;
        self.has_begun = true;
        self.restart()
    }

    /// Begins a game by the rules told last.
    pub fn restart(&mut self) -> Result<(), Fault> {
        self.ready()?;
        self.session.restart(&self.options.rules);
        Ok(())
    }

    /// Puts these stones on the board, in place of the game so far.
    pub fn set_up(&mut self, stones: &[(Color, Move)], side: Color) -> Result<(), Fault> {
        *self.session.record_mut() = Record::set_up(&self.options.rules, stones, side)?;
        Ok(())
    }

    /// The lines up to `DONE`, all of which are read even if one is wrong.
    pub fn stones(&mut self) -> Result<Vec<Stone>, Fault> {
        let mut stones = Ok(Vec::new());
        while let Some(line) = self.manager.next() {
            if line.eq_ignore_ascii_case("DONE") {
                break;
            }
            let stone = text::stone(&line, self.options.rules.size());
            stones = stones.and_then(|mut stones: Vec<Stone>| {
                stones.push(stone?);
                Ok(stones)
            });
        }
        stones
    }

    /// Takes over what the manager tells of time, memory and rules.
    ///
    /// # Errors
    /// The operating system has no thread to give.
    pub fn note(&mut self, key: &str, value: &str) -> io::Result<()> {
        if let Some(variant) = self.info.note(key, value) {
            self.change_rules(variant);
        }
        if let Some(bytes) = self.info.memory_below(self.options.settings.tuning.tree_bytes_max) {
            self.options.settings.tuning.tree_bytes_max = bytes;
            self.options.settings.engines.table_bytes_max = bytes;
            let record = self.session.record().clone();
            self.session = self.options.session()?;
            *self.session.record_mut() = record;
        }
        Ok(())
    }

    /// The game so far by another variant's rules; a game that they do not allow starts again.
    fn change_rules(&mut self, variant: Variant) {
        let Size { width, height } = self.options.rules.size();
        let Ok(rules) = GomokuRules::new(width.into(), height.into(), variant) else { return };
        let record = self.session.record();
        let stones = [record.setup(), record.plies()].concat();
        let side = record.position().side_to_move();
        let changed = Record::set_up(&rules, &stones, side);
        *self.session.record_mut() = changed.unwrap_or_else(|_| Record::new(&rules));
        self.options.rules = rules;
    }

    /// Thinks, plays, and says where.
    pub fn move_of_our_own(&mut self) -> Result<String, Fault> {
        let mv = self.choice()?;
        self.session.record_mut().play(mv)?;
        Ok(text::point(mv, self.size()))
    }

    /// The move of the side to move.
    fn choice(&mut self) -> Result<Move, Fault> {
        if self.session.record().position().outcome().is_some() {
            return Err(Fault::Over);
        }
        if let Some(centre) = decide::first_stone(self.session.record()) {
            return Ok(centre);
        }
        let side = self.session.record().position().side_to_move();
        let limits = self.limits(1);
        let report = self.session.book_move(side, limits, &[]);
        let report = report.unwrap_or_else(|| self.think(Vec::new(), 1));
        let best = report.candidates.first().map(|best| best.mv);
        let any = || self.session.record().candidates().first().copied();
        best.or_else(any).ok_or(Fault::Over)
    }

    /// Thinks about these moves, or all, for one of so many parts of the time for a turn.
    pub fn think(&mut self, among: Vec<Move>, parts: u32) -> Report {
        let side = self.session.record().position().side_to_move();
        let limits = self.limits(parts);
        let (manager, stop) = (&mut self.manager, self.session.stop_flag());
        self.session.think(side, limits, among, &mut |_| {
            if manager.ends_thinking() {
                stop.store(true, Ordering::Relaxed);
            }
        })
    }

    /// Limits of a search that may take one of so many parts of the time for a turn.
    fn limits(&self, parts: u32) -> Limits {
        let record = self.session.record();
        let stones = record.plies_from_start();
        let asked = self.session.limits();
        let budget = self.info.budget(self.options.rules.size().area(), stones);
        let time = match (budget, self.options.asked_time) {
            (Some(budget), Some(asked)) => Some(budget.min(asked)),
            (budget, _) => budget.or(asked.time),
        };
        Limits { time: time.map(|time| time / parts), ..asked }
    }
}
