//! A front end whose searches run on a coordinator elsewhere (`--remote`), and on this machine's threads
//! while that cannot be reached: a move that was asked for is always answered.

use std::num::NonZeroU32;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use banyan_engine::Playable;
use banyan_engine::report::{Ended, Report};
use banyan_engine::request::Request;
use banyan_engine::search_thread::Searcher;
use banyan_games::{Color, Move, Record};
use banyan_jobs::session::{
    Claim, FromFrontEnd, SESSIONS_VERSION, SearchEnd, SearchRequest, SearchResponse, ToFrontEnd,
    Visitor,
};
use banyan_worker::dial::Address;

use crate::node::{Node, NodeError, Setup};
use crate::rpc::{Line, LineError};
use crate::serve;

/// The first connection may take so long.
const DIAL_TIME_MAX: Duration = Duration::from_secs(8);

/// A later one may not hold a move back for long.
const REDIAL_TIME_MAX: Duration = Duration::from_millis(500);

/// Between two attempts that failed.
const REDIAL_INTERVAL: Duration = Duration::from_secs(5);

/// Between two looks at the clock and at a request to stop.
const PATIENCE: Duration = Duration::from_millis(20);

/// A search that is over has its last response here within this.
const GRACE: Duration = Duration::from_secs(1);

/// A search reports ten times a second; one that says nothing for so long is given up.
const SILENCE_MAX: Duration = Duration::from_secs(3);

/// A search on this machine gets so long at least, however late it begins.
const LAST_RESORT: Duration = Duration::from_millis(200);

/// A coordinator elsewhere, with a line that is open.
#[derive(Debug)]
pub struct Remote {
    address: Address,
    visitor: Visitor,
    weight: NonZeroU32,
    /// This machine's threads, for when there is no line.
    here: Setup,
    line: Line,
}

impl Remote {
    /// Dials `address` and opens a session of this weight.
    ///
    /// # Errors
    /// [`LineError`] when the coordinator is not there or does not want this front end.
    pub fn dial(
        address: Address,
        name: &str,
        weight: NonZeroU32,
        here: Setup,
    ) -> Result<Remote, LineError> {
        let build = banyan_worker::BUILD.to_owned();
        let visitor = Visitor { name: name.to_owned(), build, version: SESSIONS_VERSION };
        let line = Line::open(&address, &visitor, DIAL_TIME_MAX)?;
        tracing::info!("thinking with {address}");
        Ok(Remote { address, visitor, weight, here, line })
    }
}

/// A searcher's stand-in: searches go over the line, or to a searcher on this machine.
pub struct Away<G: Playable> {
    address: Address,
    visitor: Visitor,
    weight: NonZeroU32,
    setup: Setup,
    line: Option<Line>,
    /// When dialling failed last.
    failed: Option<Instant>,
    /// Number of the last search.
    number: u32,
    here: Option<(Searcher<G>, Node)>,
}

impl<G: Playable> Away<G> {
    /// Searches by way of a line.
    pub fn new(remote: Remote) -> Away<G> {
        let Remote { address, visitor, weight, here: setup, line } = remote;
        Away {
            address,
            visitor,
            weight,
            setup,
            line: Some(line),
            failed: None,
            number: 0,
            here: None,
        }
    }

    /// Searches there, else here; the request's last report comes in any case.
    pub fn search(&mut self, request: Request<G>) {
        let mut last = None;
        loop {
            let was_held = self.line.is_some();
            let Some(mut line) = self.open_line() else { break };
            match self.search_there(&mut line, &request, &mut last) {
                Ok(()) => {
                    self.line = Some(line);
                    self.here = None;
                    return;
                }
                // It broke while nobody looked: a coordinator may have come back meanwhile.
                Err(LineError::Closed | LineError::Broken(_)) if was_held && last.is_none() => {
                    self.number = 0;
                }
                Err(error) => {
                    self.failed = Some(Instant::now());
                    tracing::warn!("{}: {error}: thinking on this machine", self.address);
                    break;
                }
            }
        }
        self.search_here(request, last);
    }

    /// The line that is open, or a new one if it is time to try.
    fn open_line(&mut self) -> Option<Line> {
        if let Some(line) = self.line.take() {
            return Some(line);
        }
        if self.failed.is_some_and(|failed| failed.elapsed() < REDIAL_INTERVAL) {
            return None;
        }
        self.number = 0;
        match Line::open(&self.address, &self.visitor, REDIAL_TIME_MAX) {
            Ok(line) => {
                tracing::info!("thinking with {} again", self.address);
                self.failed = None;
                Some(line)
            }
            Err(error) => {
                tracing::warn!("{}: {error}: thinking on this machine", self.address);
                self.failed = Some(Instant::now());
                None
            }
        }
    }

    /// One search over the line. Its progress is passed on, the newest kept in `last`.
    fn search_there(
        &mut self,
        line: &mut Line,
        request: &Request<G>,
        last: &mut Option<Report>,
    ) -> Result<(), LineError> {
        self.number += 1;
        let number = self.number;
        let claim = Claim { weight: self.weight, ..request.claim };
        let asked = SearchRequest { claim, ..serve::request(number, request) };
        line.ask(FromFrontEnd::Search(Box::new(asked)))?;
        let (mut heard, mut stopped) = (Instant::now(), false);
        let mut end = request.deadline.map(|deadline| deadline + GRACE);
        loop {
            if request.stop.load(Ordering::Relaxed) && !stopped {
                stopped = true;
                line.ask(FromFrontEnd::Stop(number))?;
                end = Some(Instant::now() + GRACE);
            }
            match line.answer(PATIENCE)? {
                Some(ToFrontEnd::Response(response)) if response.number == number => {
                    heard = Instant::now();
                    let known = report(&request.record, request.side, *response)?;
                    let is_judged = request.tuning.parameters.lambda >= 1.0;
                    let report = Report { is_judged, ..known };
                    if report.ended.is_some() {
                        request.reports.end(report);
                        return Ok(());
                    }
                    *last = Some(report.clone());
                    request.reports.progress(report);
                }
                Some(ToFrontEnd::Refused(why)) => return Err(LineError::Refused(why)),
                // Of a search before.
                Some(ToFrontEnd::Response(_) | ToFrontEnd::Welcome) | None => {}
            }
            let silent = heard.elapsed();
            let late = end.is_some_and(|end| Instant::now() > end);
            if late || silent > SILENCE_MAX {
                return Err(LineError::Silent(silent));
            }
        }
    }

    /// The search on this machine, or what was last heard of it where there is no time for more.
    fn search_here(&mut self, request: Request<G>, last: Option<Report>) {
        let soonest = Instant::now() + LAST_RESORT;
        let is_late = request.deadline.is_some_and(|deadline| deadline < soonest);
        let is_over = is_late || request.stop.load(Ordering::Relaxed);
        let known = last.filter(|last| is_over && !last.candidates.is_empty());
        let searcher = match known {
            Some(known) => Err(known),
            None => self.searcher_here().map_err(|error| {
                tracing::error!("cannot think on this machine either: {error}");
                Report::default()
            }),
        };
        match searcher {
            Ok(searcher) => {
                let deadline = request.deadline.map(|deadline| deadline.max(soonest));
                G::search(searcher, Request { deadline, ..request });
            }
            Err(known) => {
                let report = Report { ended: Some(Ended::default()), ..known };
                request.reports.end(report);
            }
        }
    }

    fn searcher_here(&mut self) -> Result<&mut Searcher<G>, NodeError> {
        if self.here.is_none() {
            let node = Node::start(&self.setup)?;
            let searcher = Searcher::new(node.cluster().lender());
            self.here = Some((searcher, node));
        }
        Ok(&mut self.here.as_mut().expect("just put there").0)
    }
}

/// The report that a response means for the end of this game with `side` to move.
///
/// # Errors
/// [`LineError::OtherPosition`] when it is of another position.
pub fn report<G: Playable>(
    record: &Record<G>,
    side: Color,
    response: SearchResponse,
) -> Result<Report, LineError> {
    let SearchResponse { number: _, candidates, mut pv, visits, sums, elapsed, end } = response;
    let mut position = record.position().clone();
    let owners = sums.ownership.len();
    let fits = owners == 0 || owners == position.size().area();
    if position.set_side_to_move(side).is_err() || !fits {
        return Err(LineError::OtherPosition);
    }
    if candidates.iter().any(|candidate| !position.is_legal(candidate.mv)) {
        return Err(LineError::OtherPosition);
    }
    pv.truncate(legal_plies(position, &pv));
    let ended = |SearchEnd { digest }| Ended { digest, ..Ended::default() };
    Ok(Report { candidates, pv, visits, sums, elapsed, ended: end.map(ended), ..Report::default() })
}

/// Counts the plies of a line that the rules allow.
fn legal_plies<G: Playable>(mut position: G, line: &[Move]) -> usize {
    let mut plies = 0;
    for &mv in line {
        if !position.is_legal(mv) {
            break;
        }
        position.play(mv);
        plies += 1;
    }
    plies
}
