//! Victory by continuous threats in Gomoku: each move makes a four, or threatens a win by fours.
//!
//! A proof-number search: where the attacker moves, one threat that works is enough; where the defender
//! moves, every answer that could matter is tried.

use std::cell::RefCell;
use std::rc::Rc;

use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::line::{LineRules, Window, Windows, segments};
use banyan_games::{Color, Game, Move, RulesError, Size};
use rustc_hash::FxHashMap;

use super::explain::Explained;
use super::found::{Means, ThreatsFound, Win};
use super::fours::{FOUR, Failed, Fours, Sought, fives, fours};
use super::grounds::{Grounded, Grounds};
use super::lessons::{Last, Learned};
use super::rules::are_about;
use crate::effort::Effort;
use crate::proof_number::{AndOr, Player, ProofTree, Proved, Verdict, solve_while};

/// Positions of a search for fours within the larger one.
const FOURS_NODES_MAX: u64 = 300;

/// Looks for a win of the side to move: by fours alone first, for a tenth of the positions, then by all
/// threats, for as long as `goes_on` (asked with the positions so far) says so.
pub fn gomoku(
    position: &Gomoku,
    effort: Effort,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> ThreatsFound {
    gomoku_with(position, effort, Learned::default(), goes_on)
}

/// As [`gomoku`], with rules, where they are about the position's kind of Gomoku.
pub fn gomoku_with(
    position: &Gomoku,
    effort: Effort,
    learned: Learned<'_>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> ThreatsFound {
    if position.outcome().is_some() {
        return ThreatsFound { win: None, is_complete: true, nodes: 0 };
    }
    let attacker = position.side_to_move();
    let mut windows = Windows::of(position);
    let mut nodes = 0;
    let mut failed = Failed::new(effort.nodes_max);
    let fours_max = effort.nodes_max.div_ceil(10);
    let first = fours(&mut windows, attacker, &mut failed, fours_max, &mut nodes);
    if let Sought::Found(fours) = first {
        let win = Some(Win { means: Means::Fours, line: fours.line, rule: None });
        return ThreatsFound { win, is_complete: true, nodes };
    }
    let learned = if are_about(position.rules()) { learned } else { Learned::default() };
    let attack = Attack { learned, ..Attack::new(windows, attacker, failed) };
    let solution = solve_while(&attack, effort.table_bytes, &mut |more| {
        nodes + more < effort.nodes_max && goes_on(nodes + more)
    });
    let is_won = solution.verdict == Some(Verdict::Proven);
    // What was taken for no win by fours may be one that was not found.
    let is_complete = is_won || solution.verdict.is_some() && !attack.gave_up();
    let win = is_won.then(|| attack.won_by(&solution.line));
    ThreatsFound { win, is_complete, nodes: nodes + solution.nodes }
}

/// Tells whether the side to move wins by fours alone, as far as `nodes_max` positions show.
pub fn wins_by_fours(position: &Gomoku, nodes_max: u64) -> bool {
    let side = position.side_to_move();
    // What makes a four or a five has three stones at least.
    let own = segments::tally(position)[side.index()];
    let four = usize::from(FOUR);
    if position.outcome().is_some() || own[four - 1] + own[four] == 0 {
        return false;
    }
    let mut windows = Windows::of(position);
    let mut failed = Failed::new(nodes_max);
    matches!(fours(&mut windows, side, &mut failed, nodes_max, &mut 0), Sought::Found(_))
}

/// The moves after which the other side, which could win by fours if it were to move, can not; nothing when
/// it could not, or when `nodes_max` positions do not show how, or ten times as many which moves these are.
///
/// Every legal move that is left out loses by force. There may be none.
pub fn answers(position: &Gomoku, nodes_max: u64) -> Option<Vec<Move>> {
    if position.outcome().is_some() {
        return None;
    }
    let (side, mut windows) = (position.side_to_move(), Windows::of(position));
    // Whoever can make five has better to do.
    if !fives(&windows, side).is_empty() {
        return None;
    }
    let mut failed = Failed::new(nodes_max);
    match fours(&mut windows, !side, &mut failed, nodes_max, &mut 0) {
        Sought::Found(fours) => {
            let mut answers = relevant(&mut windows, !side, &fours);
            let mut nodes = 0;
            answers.retain(|&mv| {
                nodes <= 10 * nodes_max && position.is_legal(mv) && {
                    windows.put(side, mv);
                    let still =
                        self::fours(&mut windows, !side, &mut failed, nodes_max, &mut nodes);
                    windows.take(side, mv);
                    !matches!(still, Sought::Found(_))
                }
            });
            (nodes <= 10 * nodes_max).then_some(answers)
        }
        Sought::Absent | Sought::GaveUp => None,
    }
}

/// A position of the attack.
#[derive(Clone)]
struct Attack<'r> {
    windows: Windows<GomokuRules>,
    attacker: Color,
    to_move: Player,
    /// The attacker's last stones.
    last: Last,
    learned: Learned<'r>,
    /// One for all positions of a search.
    known: Rc<RefCell<Known>>,
}

/// Knowledge of fours of the attacker if he were to move.
struct Known {
    /// Wins, by the hash of the stones; nothing where there is none.
    fours: FxHashMap<u64, Option<Rc<Fours>>>,
    failed: Failed,
    /// A search for fours ran out of positions.
    gave_up: bool,
}

impl<'r> Attack<'r> {
    /// The attacker is to move; `failed` knows his positions alone.
    fn new(windows: Windows<GomokuRules>, attacker: Color, failed: Failed) -> Attack<'r> {
        let known =
            Rc::new(RefCell::new(Known { fours: FxHashMap::default(), failed, gave_up: false }));
        let (last, learned) = (Last::default(), Learned::default());
        Attack { windows, attacker, to_move: Player::Prover, last, learned, known }
    }

    /// The attacker's win by fours, if he is or were to move.
    fn fours(&self) -> Option<Rc<Fours>> {
        let hash = self.windows.hash();
        let mut known = self.known.borrow_mut();
        let Known { fours: by_hash, failed, gave_up } = &mut *known;
        if let Some(known) = by_hash.get(&hash) {
            return known.clone();
        }
        let mut windows = self.windows.clone();
        let sought = fours(&mut windows, self.attacker, failed, FOURS_NODES_MAX, &mut 0);
        *gave_up |= sought == Sought::GaveUp;
        let found = match sought {
            Sought::Found(fours) => Some(Rc::new(fours)),
            Sought::Absent | Sought::GaveUp => None,
        };
        by_hash.insert(hash, found.clone());
        found
    }

    /// Tells whether a search for fours was not finished.
    fn gave_up(&self) -> bool {
        self.known.borrow().gave_up
    }

    /// Appends the points where the attacker makes a four or a three.
    fn threats(&self, moves: &mut Vec<Move>) {
        if let [forced] = fives(&self.windows, !self.attacker)[..] {
            moves.push(forced);
        } else {
            for stones in [2, 3] {
                let open = self.windows.alone(self.attacker, stones);
                moves.extend(open.flat_map(|window| self.windows.empties(window)));
            }
            moves.sort();
            moves.dedup();
        }
        moves.retain(|&mv| self.windows.allows(self.attacker, mv));
    }

    /// The defender's answers: to a four there is one.
    fn defences(&self, moves: &mut Vec<Move>) {
        match fives(&self.windows, self.attacker)[..] {
            [] => {
                let Some(fours) = self.fours() else { return };
                moves.extend(relevant(&mut self.windows.clone(), self.attacker, &fours));
            }
            ref fives => moves.extend_from_slice(fives),
        }
        moves.retain(|&mv| self.windows.allows(!self.attacker, mv));
    }

    /// A win by a line of the proof, with the fours or the rule that end it.
    fn won_by(&self, line: &[Move]) -> Win {
        let (mut end, mut line) = (self.clone(), line.to_vec());
        line.iter().for_each(|&mv| end.play(mv));
        let fours = (end.to_move == Player::Prover).then(|| end.fours()).flatten();
        let rule = if fours.is_none() { end.rule() } else { None };
        line.extend(fours.iter().flat_map(|fours| &fours.line));
        Win { means: Means::Threes, line, rule }
    }

    /// The rule by which the attacker, who is to move, wins.
    fn rule(&self) -> Option<usize> {
        let rules = self.learned.rules.filter(|_| self.to_move == Player::Prover)?;
        rules.meet(&self.windows, self.attacker, self.last.stones())
    }
}

impl Explained for GomokuRules {
    fn on(size: Size) -> Result<GomokuRules, RulesError> {
        GomokuRules::new(size.width.into(), size.height.into(), Variant::Freestyle)
    }

    fn search(
        position: &Gomoku,
        effort: Effort,
        learned: Learned<'_>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> ThreatsFound {
        gomoku_with(position, effort, learned, goes_on)
    }

    fn explain(
        windows: &Windows<GomokuRules>,
        effort: Effort,
        grounds: &mut Grounds<GomokuRules>,
    ) -> Option<Proved> {
        // Fours are found without any rule.
        let failed = Failed::new(effort.nodes_max);
        grounds.prove(&Attack::new(windows.clone(), grounds.attacker(), failed), effort)
    }
}

impl Grounded<GomokuRules> for Attack<'_> {
    fn color(&self) -> Color {
        match self.to_move {
            Player::Prover => self.attacker,
            Player::Refuter => !self.attacker,
        }
    }

    fn rest_on(&self, _: &ProofTree, grounds: &mut Grounds<GomokuRules>) {
        let fives = match self.to_move {
            Player::Prover => Vec::new(),
            Player::Refuter => fives(&self.windows, self.attacker),
        };
        if fives.is_empty()
            && let Some(fours) = self.fours()
        {
            grounds.play_through(&fours.line);
            grounds.rest_on(fours.fives.iter().copied());
        }
        grounds.rest_on(fives);
    }
}

impl AndOr for Attack<'_> {
    fn verdict(&self) -> Option<Verdict> {
        let defender = !self.attacker;
        let (own, other) = (fives(&self.windows, self.attacker), fives(&self.windows, defender));
        match self.to_move {
            Player::Prover if self.fours().is_some() => Some(Verdict::Proven),
            Player::Prover if other.len() > 1 => Some(Verdict::Refuted),
            Player::Refuter if !other.is_empty() => Some(Verdict::Refuted),
            Player::Refuter if own.len() > 1 => Some(Verdict::Proven),
            Player::Refuter if own.is_empty() && self.fours().is_none() => Some(Verdict::Refuted),
            _ => {
                let mut moves = Vec::new();
                self.moves(&mut moves);
                let stuck = match self.to_move {
                    Player::Prover => Verdict::Refuted,
                    Player::Refuter => Verdict::Proven,
                };
                moves.is_empty().then_some(stuck)
            }
        }
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        match self.to_move {
            Player::Prover => self.threats(moves),
            Player::Refuter => self.defences(moves),
        }
    }

    fn play(&mut self, mv: Move) {
        self.windows.put(self.color(), mv);
        self.to_move = match self.to_move {
            Player::Prover => {
                self.last.add(mv);
                Player::Refuter
            }
            Player::Refuter => Player::Prover,
        };
    }

    /// Stones tell whose ply it is: there is one more of his with each ply.
    fn hash(&self) -> u64 {
        self.windows.hash()
    }

    /// Stones stay, so there is none.
    fn repetition(&self) -> Verdict {
        Verdict::Refuted
    }

    fn known(&self) -> Option<Verdict> {
        self.rule().map(|_| Verdict::Proven)
    }

    fn solved(&self, verdict: Verdict, work: u32) {
        if let (Some(lessons), Player::Prover, Verdict::Proven) =
            (self.learned.lessons, self.to_move, verdict)
        {
            lessons.note(&self.windows, self.attacker, work);
        }
    }
}

/// The empty points where a stone of the defender could keep `fours` from winning: where it would stand in
/// the way, where it would make a four at once, and where it would turn a forced answer into a four.
///
/// Every other stone leaves the attacker's plies and their answers as they are.
fn relevant(windows: &mut Windows<GomokuRules>, attacker: Color, fours: &Fours) -> Vec<Move> {
    if windows.rules().forbids_points() {
        return changing(windows, attacker, fours);
    }
    let defender = !attacker;
    let mut points: Vec<Move> = fours.line.iter().chain(&fours.fives).copied().collect();
    let own = windows.alone(defender, 3);
    points.extend(own.flat_map(|window| windows.empties(window)));
    let answers: Vec<Move> = fours.answers().collect();
    answers.iter().for_each(|&mv| windows.put(defender, mv));
    for &answer in &answers {
        // With one stone more it is a four. A window that the attack enters does not count here, but
        // it is on the way in all orders: the attack's stones are put after some of the answers.
        let near = |window: &Window| windows.stones_alone(defender, *window) >= Some(3);
        let near = windows.through(answer).filter(near);
        points.extend(near.flat_map(|window| windows.empties(window)));
    }
    answers.iter().for_each(|&mv| windows.take(defender, mv));
    points.sort();
    points.dedup();
    points.retain(|&point| windows.is_empty(point));
    points
}

/// The same where points are forbidden, of which any stone may change which, and with them what is a five: each point
/// is tried.
fn changing(windows: &mut Windows<GomokuRules>, attacker: Color, fours: &Fours) -> Vec<Move> {
    let course = course(windows, attacker, &fours.line);
    let all = (0..windows.size().area()).map(Move::point);
    let mut points: Vec<Move> = all.filter(|&point| windows.is_empty(point)).collect();
    points.retain(|&point| {
        windows.put(!attacker, point);
        let is_other = self::course(windows, attacker, &fours.line) != course;
        windows.take(!attacker, point);
        is_other
    });
    points
}

/// What the rules and both sides have to do with a ply of a win by fours.
#[derive(PartialEq)]
struct Ply {
    is_allowed: bool,
    is_five: bool,
    /// The points where the attacker makes five after it, and whether the defender may play there.
    fives: Vec<(Move, bool)>,
    /// Those where the defender does.
    others: Vec<Move>,
}

/// All of that along a line; where it is the same, the line wins as it did.
fn course(windows: &mut Windows<GomokuRules>, attacker: Color, line: &[Move]) -> Vec<Ply> {
    let (mut course, mut played, mut color) = (Vec::new(), Vec::new(), attacker);
    for &mv in line {
        let is_allowed = windows.is_empty(mv) && windows.allows(color, mv);
        let is_five = is_allowed && windows.wins_at(color, mv);
        if is_allowed {
            windows.put(color, mv);
            played.push((color, mv));
        }
        let may = |&five: &Move| (five, windows.allows(!attacker, five));
        let fives = fives(windows, attacker).iter().map(may).collect();
        let others = self::fives(windows, !attacker);
        course.push(Ply { is_allowed, is_five, fives, others });
        color = !color;
    }
    for (color, mv) in played.into_iter().rev() {
        windows.take(color, mv);
    }
    course
}

#[cfg(test)]
mod tests;
