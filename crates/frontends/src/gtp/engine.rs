//! The state between two commands: the game, how to undo, the clocks, the last judgement.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use banyan_engine::dynamic_komi::with_lent;
use banyan_engine::judgement::Judgement;
use banyan_engine::{Playable, Session};
use banyan_games::{Color, Move, Record};
use banyan_jobs::limits;
use banyan_records::passes;

use super::clocks::Clocks;
use super::input::Calls;
use super::options::{DynamicKomi, Options, Ponder};
use super::reply::Fault;
use crate::opening::{self, Decision, Opening, Rule};

/// Nobody's reply is pondered on for longer: the person may have gone for good.
const PONDER_TIME_MAX: Duration = Duration::from_secs(600);

/// An opponent whose time is up for so long has lost.
const FLAG_TIME: Duration = Duration::from_secs(5);

/// One process's end of the conversation.
pub(super) struct Engine<G: Playable> {
    pub session: Session<G>,
    pub options: Options,
    pub clocks: Clocks,
    /// Changes of the record by the moves since the game was last set up, to be taken back.
    played: Vec<Played>,
    /// Judgement of the position as it stands; forgotten when the record changes.
    judged: Option<Judgement>,
    /// Opening of this game.
    opening: Opening,
    /// We have moved, and the next thing to happen in the game is the opponent's reply.
    awaits_reply: bool,
    pub calls: Arc<Calls>,
    /// The number of the line being answered.
    pub line: u64,
    has_quit: bool,
}

/// The change of the record by one move of the conversation: a controller that never sends forced passes,
/// or that plays on after two passes, undoes just what it sent.
#[derive(Debug)]
struct Played {
    /// Plies of the record that stayed.
    kept: usize,
    /// Plies that were taken off before the move was added.
    removed: Vec<(Color, Move)>,
}

impl<G: Playable> Engine<G> {
    pub fn new(session: Session<G>, options: Options, calls: Arc<Calls>) -> Engine<G> {
        Engine {
            opening: Opening::new(options.opening),
            session,
            options,
            clocks: Clocks::default(),
            played: Vec::new(),
            judged: None,
            awaits_reply: false,
            calls,
            line: 0,
            has_quit: false,
        }
    }

    /// Uses the time until the next line to search the opponent's likely replies, where that is wanted
    /// and a reply is waited for.
    pub fn ponder(&mut self) {
        let is_wanted = match self.options.ponder {
            Ponder::Never => false,
            Ponder::OnClock => self.clocks.are_running(),
            Ponder::Always => true,
        };
        if is_wanted && self.awaits_reply {
            let side = self.record().position().side_to_move();
            let left = self.clocks.longest(side).map_or(PONDER_TIME_MAX, |left| left + FLAG_TIME);
            let (top, longest) = (self.options.ponder_top, left.min(PONDER_TIME_MAX));
            self.as_searched(|session, _| session.ponder(top, longest));
        }
    }

    /// Lends the session the game as a move in it is searched: under another komi where there is a
    /// handicap. Says with it whether it is another.
    pub fn as_searched<T>(&mut self, with: impl FnOnce(&mut Session<G>, bool) -> T) -> T {
        let searched = match self.options.dynamic_komi {
            DynamicKomi::Linear => with_lent(self.record()),
            DynamicKomi::None => None,
        };
        let Some(searched) = searched else { return with(&mut self.session, false) };
        let played = std::mem::replace(self.session.record_mut(), searched);
        let found = with(&mut self.session, true);
        *self.session.record_mut() = played;
        found
    }

    /// We have moved.
    pub fn expect_reply(&mut self) {
        self.awaits_reply = true;
    }

    /// The game is over, or is another one.
    pub fn expect_no_reply(&mut self) {
        self.awaits_reply = false;
    }

    /// Tells whether the process was asked to end.
    pub fn is_stopping(&self) -> bool {
        self.options.stopping.load(Ordering::Relaxed)
    }

    pub fn quit(&mut self) {
        self.has_quit = true;
    }

    pub fn has_quit(&self) -> bool {
        self.has_quit
    }

    pub fn record(&self) -> &Record<G> {
        self.session.record()
    }

    /// Returns the opening of this game.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// The next step of the opening.
    pub fn step(&self) -> opening::Step {
        self.opening.step(self.record().plies().len())
    }

    /// Begins a new game that is opened by `rule`.
    pub fn open_by(&mut self, rule: Rule) {
        self.options.opening = rule;
        let rules = self.record().start().rules().clone();
        self.begin(Record::new(&rules));
    }

    /// Makes a decision of the opening. It cannot be undone, nor can what was played before it.
    pub fn decide(&mut self, decision: Decision) -> Result<(), Fault> {
        let mut record = self.record().clone();
        self.opening.decide(decision, &mut record)?;
        self.replace(record);
        self.played.clear();
        Ok(())
    }

    /// Tells whether an ordinary move may be played now, by the game's opening.
    pub fn check_opened(&self) -> Result<(), Fault> {
        match self.step() {
            opening::Step::Over | opening::Step::Fourth => Ok(()),
            step => Err(Fault::Opening(step.wanted(self.record().position()))),
        }
    }

    /// Tells whether the game has room for a move.
    pub fn check_room(&self) -> Result<(), Fault> {
        // What is searched must travel, and a travelling game has room for one forced pass more.
        let plies = self.played.len().max(self.record().plies().len());
        if plies + 2 > limits::ROOT_PLIES_MAX { Err(Fault::TooManyPlies) } else { Ok(()) }
    }

    /// Starts from another game, which cannot be undone. One with stones on the board is past its
    /// opening.
    pub fn begin(&mut self, record: Record<G>) {
        let is_new = record.setup().is_empty() && record.plies().is_empty();
        let opening = Opening::new(self.options.opening);
        self.opening = if is_new { opening } else { opening.ended() };
        self.replace(record);
        self.played.clear();
        self.clocks.restart();
    }

    /// The same game in other words: the same plies under another komi.
    pub fn replace(&mut self, record: Record<G>) {
        *self.session.record_mut() = record;
        self.judged = None;
        self.awaits_reply = false;
    }

    /// Adds a move that was played.
    ///
    /// A pass after the end changes nothing. In Go a stone after two passes takes the last of them
    /// back: the sides disagreed and play on. Elsewhere a forced pass that was not sent is put in.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), Fault> {
        self.check_opened()?;
        self.check_room()?;
        let mut record = self.record().clone();
        let mut played = Played { kept: record.plies().len(), removed: Vec::new() };
        let is_over = record.position().outcome().is_some();
        if !(is_over && mv.is_pass()) {
            played.removed.extend(passes::play_on(&mut record));
            played.kept = record.plies().len();
            make_turn_of(color, &mut record);
            record.play_as(color, mv)?;
            self.replace(record);
        }
        self.played.push(played);
        Ok(())
    }

    /// Takes back `count` moves, or none when there are not so many.
    pub fn undo(&mut self, count: usize) -> Result<(), Fault> {
        let plies = self.record().plies().len();
        let loaded = match self.played.first() {
            // What was decided in an opening stands.
            _ if self.opening.has_decided() => 0,
            Some(first) => first.kept + first.removed.len(),
            None => plies,
        };
        if count > self.played.len() + loaded {
            return Err(Fault::CannotUndo);
        }
        for _ in 0..count {
            self.undo_one();
        }
        self.judged = None;
        self.awaits_reply = false;
        Ok(())
    }

    fn undo_one(&mut self) {
        let record = self.session.record_mut();
        let Some(last) = self.played.pop() else {
            record.undo();
            return;
        };
        while record.plies().len() > last.kept {
            record.undo();
        }
        for (color, mv) in last.removed {
            let again = record.play_as(color, mv);
            debug_assert!(again.is_ok(), "it was played here before");
        }
    }

    /// The judgement of the position, searched once.
    pub fn judge(&mut self) -> &Judgement {
        let session = &mut self.session;
        self.judged.get_or_insert_with(|| session.judge())
    }

    /// The same for who has no more time than this; what is said in haste is not kept.
    pub fn judge_within(&mut self, time_max: Duration) -> Judgement {
        match &self.judged {
            Some(judged) => judged.clone(),
            None => self.session.judge_within(time_max),
        }
    }
}

/// Puts in the pass that the rules force on the other side, where `color` can only then move.
pub(super) fn make_turn_of<G: Playable>(color: Color, record: &mut Record<G>) {
    if !G::TERRITORY
        && record.position().side_to_move() != color
        && passes::is_forced(record.position())
    {
        let passed = record.play(Move::PASS);
        debug_assert!(passed.is_ok(), "a forced pass is legal");
    }
}
