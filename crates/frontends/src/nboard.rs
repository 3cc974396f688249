//! The NBoard protocol, version 2: Othello, spoken on two streams.
//!
//! NBoard sends the whole game, then every move; the engine answers `go` with a move, which NBoard sends
//! back like any other, and `hint` with what it thinks of the position. What cannot be understood is said
//! in a `status` line, which NBoard shows to the person.
//!
//! # Source
//! The protocol as NBoard's author describes it.

use std::io::{self, BufRead, Write};
use std::sync::atomic::Ordering;

use banyan_engine::{Limits, Report, Session};
use banyan_games::othello::Othello;
use banyan_games::{Game, Move};
use banyan_records::ggf;

use crate::lines::Lines;

/// Work of a tree for the smallest depth that NBoard can ask for, playouts; each ply more doubles it.
const DEPTH_WORK: u64 = 100;

/// Discs that an even chance to win turns into a chance of 73 of 100: the scale of `patterns`.
const DISCS_SCALE: f64 = 7.0;

/// The person has closed the engine.
const QUIT: &str = "quit";

/// Answers lines until `quit` or the end of the input.
///
/// # Errors
/// What writing says, or the operating system when it has no thread to give.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    session: Session<Othello>,
) -> io::Result<()> {
    converse(Lines::read("nboard input", input)?, output, session)
}

fn converse(lines: Lines, output: impl Write, session: Session<Othello>) -> io::Result<()> {
    let limits = session.limits();
    let mut engine = NBoard { session, lines, limits, output };
    while let Some(line) = engine.lines.next() {
        if line == QUIT {
            break;
        }
        engine.answer(&line)?;
        engine.output.flush()?;
        engine.session.show();
    }
    Ok(())
}

struct NBoard<W> {
    session: Session<Othello>,
    lines: Lines,
    limits: Limits,
    output: W,
}

/// Tells which of the lines that come in meanwhile end a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    /// A move was asked for and will be given: none but the `quit` of somebody who is no script.
    UntilDone,
    /// The person may go on at any time: every line.
    UntilSpokenTo,
}

impl Patience {
    /// Tells whether such a line has come, or NBoard has left.
    fn is_over(self, lines: &mut Lines) -> bool {
        lines.interrupt(|line| {
            self == Patience::UntilSpokenTo || line.text == QUIT && !line.is_scripted
        })
    }
}

impl<W: Write> NBoard<W> {
    fn answer(&mut self, line: &str) -> io::Result<()> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "nboard" => writeln!(self.output, "set myname Banyan {}", env!("CARGO_PKG_VERSION")),
            "set" => self.set(rest),
            "move" => self.play(rest),
            "go" => self.go(),
            "hint" => self.hint(rest),
            "ping" => writeln!(self.output, "pong {rest}"),
            "learn" => writeln!(self.output, "learned"),
            _ => self.say(&format!("Banyan does not know '{word}'")),
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "status {text}")
    }

    fn set(&mut self, rest: &str) -> io::Result<()> {
        let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match name {
            "game" => match ggf::read(value) {
                Ok(record) => {
                    *self.session.record_mut() = record;
                    Ok(())
                }
                Err(refused) => self.say(&refused.to_string()),
            },
            "depth" => match value.trim().parse::<u32>() {
                Ok(depth) => {
                    self.limits = limits(self.session.limits(), depth, self.session.counts_plies());
                    Ok(())
                }
                Err(_) => self.say(&format!("'{value}' is no depth: expected a number of plies")),
            },
            // How much a draw is liked; a draw is a draw here.
            "contempt" => Ok(()),
            _ => self.say(&format!("Banyan has no setting '{name}'")),
        }
    }

    fn play(&mut self, text: &str) -> io::Result<()> {
        let record = self.session.record_mut();
        let played = ggf::parse_move(record, text)
            .map_err(|wrong| wrong.to_string())
            .and_then(|mv| ggf::play(record, None, mv).map_err(|wrong| wrong.to_string()));
        match played {
            Ok(()) => Ok(()),
            Err(wrong) => self.say(&format!("move {text}: {wrong}")),
        }
    }

    /// Thinks about a move and says it; NBoard will send it back.
    fn go(&mut self) -> io::Result<()> {
        let Some(report) = self.book_move().or_else(|| self.think(Patience::UntilDone, Vec::new()))
        else {
            return self.say("the game is over");
        };
        let record = self.session.record();
        let best = report.candidates.first().map_or(Move::PASS, |best| best.mv);
        let (text, discs) = (ggf::move_text(record, best), discs(&report));
        writeln!(self.output, "=== {text}/{discs:.2}/{:.2}", report.elapsed.as_secs_f64())?;
        self.say("")
    }

    /// Says what it thinks of the best moves, of as many as are wanted, one after the other until the next line comes.
    fn hint(&mut self, wanted: &str) -> io::Result<()> {
        let wanted = if wanted.is_empty() { "1" } else { wanted };
        let Ok(wanted @ 1..) = wanted.parse::<usize>() else {
            return self.say(&format!("'{wanted}' is no number of hints: expected one from 1 on"));
        };
        if self.session.record().position().outcome().is_some() {
            return self.say("the game is over");
        }
        let mut moves = Vec::new();
        self.session.record().position().legal_moves(&mut moves);
        for nth in 0..wanted {
            if moves.is_empty() || nth > 0 && Patience::UntilSpokenTo.is_over(&mut self.lines) {
                break;
            }
            let among = if nth == 0 { Vec::new() } else { moves.clone() };
            let Some(report) = self.think(Patience::UntilSpokenTo, among) else { break };
            let record = self.session.record();
            let line: String = report.pv.iter().map(|&mv| ggf::move_text(record, mv)).collect();
            let (discs, depth) = (discs(&report), depth(&report));
            writeln!(self.output, "search {line} {discs:+.2} 0 {depth}")?;
            self.output.flush()?;
            let told = report.candidates.first().map_or(Move::PASS, |best| best.mv);
            moves.retain(|&mv| mv != told);
        }
        self.say("")
    }

    /// Returns what the opening book says, where it decides.
    fn book_move(&mut self) -> Option<Report> {
        let position = self.session.record().position();
        let side = position.side_to_move();
        let goes_on = position.outcome().is_none();
        goes_on.then(|| self.session.book_move(side, self.limits, &[])).flatten()
    }

    /// The search's report on the position, among these moves or all; nothing when the game is over. A forced pass
    /// is no search.
    fn think(&mut self, patience: Patience, among: Vec<Move>) -> Option<Report> {
        let position = self.session.record().position();
        if position.outcome().is_some() {
            return None;
        }
        let side = position.side_to_move();
        let (lines, stop) = (&mut self.lines, self.session.stop_flag());
        Some(self.session.think(side, self.limits, among, &mut |_| {
            if patience.is_over(lines) {
                stop.store(true, Ordering::Relaxed);
            }
        }))
    }
}

/// A depth within what was asked for on the command line: plies of a classical search, and so much work as fits
/// it of a tree.
fn limits(asked: Limits, depth: u32, counts_plies: bool) -> Limits {
    if counts_plies {
        let depth = depth.max(1);
        return Limits { depth: Some(asked.depth.map_or(depth, |most| most.min(depth))), ..asked };
    }
    let work = DEPTH_WORK.saturating_mul(1 << depth.min(40));
    Limits { playouts: Some(asked.playouts.map_or(work, |most| most.min(work))), ..asked }
}

/// The plies that a classical search was deep; of others the length of the line.
fn depth(report: &Report) -> usize {
    report.explanation.depth.map_or(report.pv.len(), |depth| depth as usize)
}

/// The expected margin of the side to move, discs.
fn discs(report: &Report) -> f64 {
    if let Some(exact) = report.exact_score() {
        return f64::from(exact);
    }
    let value = report.candidates.first().map_or(0.5, |best| best.value);
    let value = value.clamp(0.01, 0.99);
    DISCS_SCALE * (value / (1.0 - value)).ln()
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write as _};
    use std::os::unix::net::UnixStream;
    use std::sync::mpsc::{Sender, channel};
    use std::time::{Duration, Instant};

    use banyan_engine::Settings;
    use banyan_engine::report::Ended;
    use banyan_engine::request::Request;
    use banyan_games::othello::OthelloRules;

    use super::*;
    use crate::looking::Looking;

    /// A session whose searches go on until they are stopped, and tell whether they were; nobody needs so much
    /// patience as to see one end by itself.
    fn session(was_stopped: Sender<bool>) -> Session<Othello> {
        let search = move |request: Request<Othello>| {
            let end = Instant::now() + Duration::from_secs(20);
            while !request.stop.load(Ordering::Relaxed) && Instant::now() < end {
                request.reports.progress(Report::default());
                std::thread::yield_now();
            }
            was_stopped.send(request.stop.load(Ordering::Relaxed)).expect("it is received");
            request.reports.end(Report { ended: Some(Ended::default()), ..Report::default() });
        };
        let session = Session::searched_by(&OthelloRules, search, &Settings::of::<Othello>());
        session.expect("a thread")
    }

    #[test]
    fn nobody_thinks_on_for_who_has_quit_or_left() {
        for (said, leaves, searches) in
            [("go\nquit\n", false, 1), ("go\ngo\n", true, 2), ("hint 3\n", true, 1)]
        {
            let (was_stopped, stopped) = channel();
            let (mut person, input) = UnixStream::pair().expect("a pair of sockets");
            person.write_all(said.as_bytes()).expect("there is room");
            // Who has not left is there to the end.
            let _person = Some(person).filter(|_| !leaves);
            let lines = Lines::read_as("test input", BufReader::new(input), Duration::ZERO);
            let conversation = converse(lines.expect("a thread"), io::sink(), session(was_stopped));
            conversation.expect("nothing to be written in vain");
            assert_eq!(stopped.into_iter().collect::<Vec<_>>(), vec![true; searches], "{said}");
        }
    }

    #[test]
    fn whoever_looks_on_sees_moves_and_games_when_they_are_sent() {
        let (seen, plies) = channel();
        let mut session = session(channel().0);
        session.show_to(Box::new(Looking(seen)));
        let board = "8 ---------------------------O*------*O--------------------------- *";
        let said = format!("nboard 2\nmove F5\nset game (;BO[{board}]B[F5]W[D6];)\n");
        run(io::Cursor::new(said), io::sink(), session).expect("nothing to be written in vain");
        assert_eq!(plies.into_iter().collect::<Vec<_>>(), [0, 0, 1, 2]);
    }

    #[test]
    fn a_depth_is_an_amount_of_work_within_what_was_asked_for() {
        let asked = Limits { playouts: Some(5_000), ..Limits::default() };
        assert_eq!(limits(asked, 1, false).playouts, Some(200));
        assert_eq!(limits(asked, 60, false).playouts, Some(5_000));
        assert_eq!(limits(Limits::default(), 10, false).playouts, Some(102_400));
    }

    #[test]
    fn a_depth_is_so_many_plies_of_a_classical_search_within_what_was_asked_for() {
        let asked = Limits { depth: Some(12), ..Limits::default() };
        assert_eq!(limits(asked, 8, true), Limits { depth: Some(8), ..asked });
        assert_eq!(limits(asked, 26, true).depth, Some(12));
        assert_eq!(limits(Limits::default(), 0, true).depth, Some(1));
        let mut report = Report { pv: vec![Move(1), Move(2)], ..Report::default() };
        assert_eq!(depth(&report), 2);
        report.explanation.depth = Some(14);
        assert_eq!(depth(&report), 14);
    }
}
