//! The Gomocup protocol (Piskvork's), spoken on two streams: a manager says what was played, the engine
//! answers with points.
//!
//! A manager may stop the whole process (SIGSTOP) while the other side thinks; nothing here minds.
//! Reading order: the commands here, what is told of time and memory (`info`), the opening by which one
//! side lays stones and the other takes its pick (`swap2`), the words (`text`).
//!
//! # Source
//! The protocol's description by its author and the tournament's judge.

mod info;

mod swap2;

mod text;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::atomic::Ordering;

use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Game, Move, Record, Size};
use crossbeam_channel::Receiver;

use crate::cluster::Link;
use crate::config::Config;
use crate::grower::Report;
use crate::lines;
use crate::session::{Limits, Session};
use info::Info;
use text::{Fault, Stone, Whose};

/// Answers lines until `END` or the end of the input.
///
/// # Errors
/// What writing says, or the operating system when it has no thread to give.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    (rules, link, config): (&GomokuRules, &Link, &Config),
) -> io::Result<()> {
    let receiver = lines::read("gomocup input", input)?;
    let mut engine = Gomocup {
        session: Session::new(rules, link, config)?,
        link: link.clone(),
        config: config.clone(),
        rules: rules.clone(),
        has_begun: false,
        info: Info::default(),
        lines: Lines { receiver, waiting: VecDeque::new() },
        output,
    };
    while let Some(line) = engine.lines.next() {
        if line.eq_ignore_ascii_case("END") {
            break;
        }
        engine.answer(&line)?;
        engine.output.flush()?;
    }
    Ok(())
}

/// What the manager says, line by line; empty lines are left out.
struct Lines {
    receiver: Receiver<String>,
    /// Lines that came in while a move was searched.
    waiting: VecDeque<String>,
}

impl Lines {
    fn next(&mut self) -> Option<String> {
        loop {
            let line = self.waiting.pop_front().or_else(|| self.receiver.recv().ok())?;
            if !line.trim().is_empty() {
                return Some(line.trim().to_owned());
            }
        }
    }

    /// Whether one of the lines that have come in meanwhile ends the thinking.
    fn ends_thinking(&mut self) -> bool {
        self.waiting.extend(self.receiver.try_iter());
        let ends = |line: &String| ["END", "YXSTOP"].contains(&line.trim().to_uppercase().as_str());
        self.waiting.iter().any(ends)
    }
}

struct Gomocup<W> {
    session: Session<Gomoku>,
    link: Link,
    config: Config,
    /// Of the next game.
    rules: GomokuRules,
    /// Whether a board was asked for.
    has_begun: bool,
    info: Info,
    lines: Lines,
    output: W,
}

impl<W: Write> Gomocup<W> {
    fn answer(&mut self, line: &str) -> io::Result<()> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let answered = match word.to_uppercase().as_str() {
            "START" => self.start(rest, text::side(rest).map(|side| (side, side))),
            "RECTSTART" => self.start(rest, text::sides(rest)),
            "RESTART" => self.restart(),
            "BEGIN" => self.begin(),
            "TURN" => self.turn(rest),
            "PLAY" => self.play_as_told(rest),
            "BOARD" => self.board(),
            "TAKEBACK" => self.take_back(rest),
            "SWAP2BOARD" => self.swap2_board(),
            "INFO" => return self.info(rest),
            "ABOUT" => Ok(about()),
            // What ends the thinking under way has nothing to say to an engine at rest.
            "YXSTOP" => return Ok(()),
            _ => return writeln!(self.output, "UNKNOWN {}", text::shortened(word)),
        };
        match answered {
            Ok(answer) => writeln!(self.output, "{answer}"),
            Err(fault) => writeln!(self.output, "ERROR {fault}"),
        }
    }

    fn start(&mut self, rest: &str, sides: Option<(u32, u32)>) -> Result<String, Fault> {
        let (width, height) = sides.ok_or_else(|| Fault::Size(text::shortened(rest)))?;
        self.rules = GomokuRules::new(width, height, self.rules.variant())?;
        self.has_begun = true;
        self.restart()
    }

    fn restart(&mut self) -> Result<String, Fault> {
        self.ready()?;
        self.session.restart(&self.rules);
        Ok("OK".to_owned())
    }

    fn ready(&self) -> Result<(), Fault> {
        if self.has_begun { Ok(()) } else { Err(Fault::NoBoard) }
    }

    fn begin(&mut self) -> Result<String, Fault> {
        self.ready()?;
        self.session.restart(&self.rules);
        self.move_of_our_own()
    }

    fn turn(&mut self, rest: &str) -> Result<String, Fault> {
        self.ready()?;
        let point = self.point(rest)?;
        self.session.record_mut().play(point)?;
        self.move_of_our_own()
    }

    /// The manager's own choice of our move.
    fn play_as_told(&mut self, rest: &str) -> Result<String, Fault> {
        self.ready()?;
        let point = self.point(rest)?;
        self.session.record_mut().play(point)?;
        Ok(text::point(point, self.size()))
    }

    fn board(&mut self) -> Result<String, Fault> {
        let stones = self.stones()?;
        self.ready()?;
        let count = |whose| stones.iter().filter(|stone| stone.whose == Some(whose)).count();
        let own = if count(Whose::Own) < count(Whose::Other) { Color::White } else { Color::Black };
        let colored = |stone: &Stone| match stone.whose {
            Some(Whose::Own) => Ok((own, stone.point)),
            Some(Whose::Other) => Ok((!own, stone.point)),
            None => Err(Fault::Field),
        };
        let stones = stones.iter().map(colored).collect::<Result<Vec<_>, _>>()?;
        self.set_up(&stones, own)?;
        self.move_of_our_own()
    }

    fn set_up(&mut self, stones: &[(Color, Move)], side: Color) -> Result<(), Fault> {
        *self.session.record_mut() = Record::set_up(&self.rules, stones, side)?;
        Ok(())
    }

    /// The lines up to `DONE`, all of which are read even if one is wrong.
    fn stones(&mut self) -> Result<Vec<Stone>, Fault> {
        let mut stones = Ok(Vec::new());
        while let Some(line) = self.lines.next() {
            if line.eq_ignore_ascii_case("DONE") {
                break;
            }
            let stone = text::stone(&line, self.rules.size());
            stones = stones.and_then(|mut stones: Vec<Stone>| {
                stones.push(stone?);
                Ok(stones)
            });
        }
        stones
    }

    fn take_back(&mut self, rest: &str) -> Result<String, Fault> {
        self.ready()?;
        let point = self.point(rest)?;
        let record = self.session.record_mut();
        if record.plies().last().is_some_and(|&(_, last)| last == point) {
            record.undo();
            return Ok("OK".to_owned());
        }
        let mut stones = [record.setup(), record.plies()].concat();
        let place = stones.iter().position(|&(_, stone)| stone == point);
        let (color, _) = stones.remove(place.ok_or_else(|| Fault::NoStone(rest.to_owned()))?);
        self.set_up(&stones, color)?;
        Ok("OK".to_owned())
    }

    fn info(&mut self, rest: &str) -> io::Result<()> {
        let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if let Some(variant) = self.info.note(key, value.trim()) {
            let Size { width, height } = self.rules.size();
            if let Ok(rules) = GomokuRules::new(width.into(), height.into(), variant) {
                self.change_rules(rules);
            }
        }
        if let Some(bytes) = self.info.memory_for(&self.config) {
            self.config.tuning.tree_bytes_max = bytes;
            self.config.engines.table_bytes_max = bytes;
            let record = self.session.record().clone();
            self.session = Session::new(&self.rules, &self.link, &self.config)?;
            *self.session.record_mut() = record;
        }
        Ok(())
    }

    /// The game so far by other rules; a game that they do not allow starts again.
    fn change_rules(&mut self, rules: GomokuRules) {
        let record = self.session.record();
        let stones = [record.setup(), record.plies()].concat();
        let side = record.position().side_to_move();
        let changed = Record::set_up(&rules, &stones, side);
        *self.session.record_mut() = changed.unwrap_or_else(|_| Record::new(&rules));
        self.rules = rules;
    }

    fn size(&self) -> Size {
        self.session.record().position().size()
    }

    fn point(&self, text: &str) -> Result<Move, Fault> {
        text::read_point(text, self.size())
    }

    /// Thinks, plays, and says where.
    fn move_of_our_own(&mut self) -> Result<String, Fault> {
        let mv = self.choice()?;
        self.session.record_mut().play(mv)?;
        Ok(text::point(mv, self.size()))
    }

    /// The move of the side to move.
    fn choice(&mut self) -> Result<Move, Fault> {
        if self.session.record().position().outcome().is_some() {
            return Err(Fault::Over);
        }
        let report = self.think(Vec::new(), 1);
        let best = report.candidates.first().map(|best| best.mv);
        let any = || self.session.record().candidates().first().copied();
        best.or_else(any).ok_or(Fault::Over)
    }

    /// Thinks about these moves, or all, for one of so many parts of the time for a turn.
    fn think(&mut self, among: Vec<Move>, parts: u32) -> Report {
        let record = self.session.record();
        let side = record.position().side_to_move();
        let stones = record.setup().len() + record.plies().len();
        let asked = self.session.limits();
        let budget = self.info.budget(self.rules.size().area(), stones);
        let time = match (budget, self.config.asked_time) {
            (Some(budget), Some(asked)) => Some(budget.min(asked)),
            (budget, _) => budget.or(asked.time),
        };
        let limits = Limits { time: time.map(|time| time / parts), ..asked };
        let (lines, stop) = (&mut self.lines, self.session.stop_flag());
        self.session.think(side, limits, among, &mut |_| {
            if lines.ends_thinking() {
                stop.store(true, Ordering::Relaxed);
            }
        })
    }
}

fn about() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("name=\"Banyan\", version=\"{version}\", author=\"the Banyan authors\", country=\"\"")
}
