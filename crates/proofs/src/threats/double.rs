//! Wins of Connect6 by double threats: each turn of the attacker leaves windows that only both stones of
//! the defender can shut.
//!
//! A turn is two plies here as everywhere; the second stone stands on a later point than the first, so
//! that a pair is not tried in both orders.

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::line::{LineRules, Windows};
use banyan_games::rng::mix;
use banyan_games::{Color, Game, Kind, Move, RulesError, Size};

use super::explain::Explained;
use super::found::{Means, ThreatsFound, Win};
use super::grounds::{Grounded, Grounds};
use super::lessons::{Last, Learned};
use crate::effort::Effort;
use crate::proof_number::{AndOr, Player, ProofTree, Proved, Verdict, solve_while};

/// Stones that win.
const SIX: u8 = Connect6Rules::LENGTH as u8;
/// Stones a turn.
const TURN: u8 = Connect6Rules::STONES_A_TURN;

/// Looks for a win of the side to move, for as long as `goes_on` (asked with the positions so far) says
/// so.
pub fn connect6(
    position: &Connect6,
    effort: Effort,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> ThreatsFound {
    connect6_with(position, effort, Learned::default(), goes_on)
}

/// As [`connect6`], with rules.
pub fn connect6_with(
    position: &Connect6,
    effort: Effort,
    learned: Learned<'_>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> ThreatsFound {
    if position.outcome().is_some() {
        return ThreatsFound { win: None, is_complete: true, nodes: 0 };
    }
    let (windows, attacker) = (Windows::of(position), position.side_to_move());
    let attack = Attack { left: position.plies_left(), learned, ..Attack::new(windows, attacker) };
    let solution = solve_while(&attack, effort.table_bytes, &mut |nodes| {
        nodes < effort.nodes_max && goes_on(nodes)
    });
    let win = (solution.verdict == Some(Verdict::Proven)).then(|| attack.won_by(&solution.line));
    ThreatsFound { win, is_complete: solution.verdict.is_some(), nodes: solution.nodes }
}

/// The moves that begin a turn after which the other side cannot win at once; nothing when it could not
/// anyway, when it cannot be helped, and when the side to move can win itself.
///
/// Every turn that does not lose can begin with one of these. One that begins with another stone may have one of these
/// as its second.
pub fn connect6_answers(position: &Connect6) -> Option<Vec<Move>> {
    if position.outcome().is_some() {
        return None;
    }
    let (windows, side) = (Windows::of(position), position.side_to_move());
    let left = position.plies_left();
    if wins_at_once(&windows, side, left).is_some() {
        return None;
    }
    let threats = threats(&windows, !side);
    if threats.is_empty() {
        return None;
    }
    let mut moves = common(&threats);
    if left == TURN {
        moves.extend(pairs(&threats).into_iter().flat_map(|(a, b)| [a, b]));
    }
    moves.sort();
    moves.dedup();
    (!moves.is_empty()).then_some(moves)
}

/// The points that would finish six with `left` stones, if there are such.
fn wins_at_once(windows: &Windows<Connect6Rules>, side: Color, left: u8) -> Option<Vec<Move>> {
    let mut open = (SIX - left..SIX).rev().flat_map(|stones| windows.alone(side, stones));
    open.next().map(|window| windows.empties(window).collect())
}

/// Windows that `side` could finish with a whole turn: the empty points of each window.
fn threats(windows: &Windows<Connect6Rules>, side: Color) -> Vec<Vec<Move>> {
    let open = (SIX - TURN..SIX).flat_map(|stones| windows.alone(side, stones));
    open.map(|window| windows.empties(window).collect()).collect()
}

/// The points that are in all of some sets; none where there is no set.
fn common(sets: &[Vec<Move>]) -> Vec<Move> {
    let Some((first, others)) = sets.split_first() else { return Vec::new() };
    let in_all = |point: &&Move| others.iter().all(|set| set.contains(point));
    first.iter().filter(in_all).copied().collect()
}

/// The pairs of points, the earlier first, of which each set has one; without those where one point
/// would be enough.
fn pairs(sets: &[Vec<Move>]) -> Vec<(Move, Move)> {
    let mut pairs = Vec::new();
    for &a in sets.first().into_iter().flatten() {
        let left: Vec<Vec<Move>> = sets.iter().filter(|set| !set.contains(&a)).cloned().collect();
        pairs.extend(common(&left).into_iter().map(|b| (a.min(b), a.max(b))));
    }
    pairs.sort();
    pairs.dedup();
    pairs
}

/// A position of the attack.
#[derive(Clone)]
struct Attack<'r> {
    windows: Windows<Connect6Rules>,
    attacker: Color,
    to_move: Player,
    /// Plies left in this turn.
    left: u8,
    /// The first stone of this turn.
    first: Option<Move>,
    /// The attacker's last stones.
    last: Last,
    learned: Learned<'r>,
}

impl<'r> Attack<'r> {
    /// The attacker begins a turn.
    fn new(windows: Windows<Connect6Rules>, attacker: Color) -> Attack<'r> {
        let (last, learned) = (Last::default(), Learned::default());
        let (to_move, left, first) = (Player::Prover, TURN, None);
        Attack { windows, attacker, to_move, left, first, last, learned }
    }

    /// Stones that can become part of a window of four, and those that shut the defender's windows.
    fn attacks(&self, moves: &mut Vec<Move>) {
        let shut = threats(&self.windows, !self.attacker);
        match (self.left, shut.is_empty()) {
            (1, false) => moves.extend(common(&shut)),
            (left, _) => {
                let least = SIX - TURN - left;
                let open = (least..SIX).flat_map(|n| self.windows.alone(self.attacker, n));
                moves.extend(open.flat_map(|window| self.windows.empties(window)));
                moves.extend(shut.into_iter().flatten());
            }
        }
    }

    fn defences(&self, moves: &mut Vec<Move>) {
        let threats = threats(&self.windows, self.attacker);
        match self.left {
            1 => moves.extend(common(&threats)),
            _ => moves.extend(pairs(&threats).into_iter().map(|(a, _)| a)),
        }
    }

    /// A win by a line of the proof, with the turn or the rule that ends it.
    fn won_by(&self, line: &[Move]) -> Win {
        let (mut end, mut line) = (self.clone(), line.to_vec());
        line.iter().for_each(|&mv| end.play(mv));
        let attacks = end.to_move == Player::Prover;
        let last = attacks.then(|| wins_at_once(&end.windows, end.attacker, end.left)).flatten();
        let rule = if last.is_none() { end.rule() } else { None };
        line.extend(last.into_iter().flatten());
        Win { means: Means::DoubleThreats, line, rule }
    }

    /// Tells whether the attacker begins a turn.
    fn begins(&self) -> bool {
        self.to_move == Player::Prover && self.left == TURN
    }

    /// The rule by which the attacker wins, if he begins a turn.
    fn rule(&self) -> Option<usize> {
        let rules = self.learned.rules.filter(|_| self.begins())?;
        rules.meet(&self.windows, self.attacker, self.last.stones())
    }
}

impl Explained for Connect6Rules {
    fn on(size: Size) -> Result<Connect6Rules, RulesError> {
        if size.width != size.height {
            let (width, height) = (size.width.into(), size.height.into());
            let game = Kind::Connect6;
            return Err(RulesError::Size { game, width, height, expected: "a square of 6 to 25" });
        }
        Connect6Rules::new(size.width.into())
    }

    fn search(
        position: &Connect6,
        effort: Effort,
        learned: Learned<'_>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> ThreatsFound {
        connect6_with(position, effort, learned, goes_on)
    }

    fn explain(
        windows: &Windows<Connect6Rules>,
        effort: Effort,
        grounds: &mut Grounds<Connect6Rules>,
    ) -> Option<Proved> {
        // What wins at once is seen without any rule.
        grounds.prove(&Attack::new(windows.clone(), grounds.attacker()), effort)
    }
}

impl Grounded<Connect6Rules> for Attack<'_> {
    fn color(&self) -> Color {
        match self.to_move {
            Player::Prover => self.attacker,
            Player::Refuter => !self.attacker,
        }
    }

    fn rest_on(&self, proof: &ProofTree, grounds: &mut Grounds<Connect6Rules>) {
        if !proof.is_empty() {
            return;
        }
        match self.to_move {
            Player::Prover => grounds.rest_on(
                wins_at_once(&self.windows, self.attacker, self.left).into_iter().flatten(),
            ),
            Player::Refuter => {
                grounds.rest_on(threats(&self.windows, self.attacker).into_iter().flatten());
            }
        }
    }
}

impl AndOr for Attack<'_> {
    fn verdict(&self) -> Option<Verdict> {
        let can_win = |side| wins_at_once(&self.windows, side, self.left).is_some();
        if can_win(self.color()) {
            return Some(match self.to_move {
                Player::Prover => Verdict::Proven,
                Player::Refuter => Verdict::Refuted,
            });
        }
        if self.to_move == Player::Refuter && self.left == TURN {
            let threats = threats(&self.windows, self.attacker);
            if threats.is_empty() || !common(&threats).is_empty() {
                return Some(Verdict::Refuted);
            }
            return pairs(&threats).is_empty().then_some(Verdict::Proven);
        }
        let mut moves = Vec::new();
        self.moves(&mut moves);
        (self.to_move == Player::Prover && moves.is_empty()).then_some(Verdict::Refuted)
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn moves(&self, moves: &mut Vec<Move>) {
        match self.to_move {
            Player::Prover => self.attacks(moves),
            Player::Refuter => self.defences(moves),
        }
        moves.sort();
        moves.dedup();
        moves.retain(|&mv| self.first.is_none_or(|first| mv > first));
    }

    fn play(&mut self, mv: Move) {
        self.windows.put(self.color(), mv);
        if self.to_move == Player::Prover {
            self.last.add(mv);
        }
        self.left -= 1;
        self.first = Some(mv);
        if self.left == 0 {
            (self.left, self.first) = (TURN, None);
            self.to_move = match self.to_move {
                Player::Prover => Player::Refuter,
                Player::Refuter => Player::Prover,
            };
        }
    }

    fn hash(&self) -> u64 {
        let first = self.first.map_or(0, |mv| mix(u64::from(mv.0) + 1));
        self.windows.hash() ^ first
    }

    /// Stones stay, so there is none.
    fn repetition(&self) -> Verdict {
        Verdict::Refuted
    }

    fn known(&self) -> Option<Verdict> {
        self.rule().map(|_| Verdict::Proven)
    }

    fn solved(&self, verdict: Verdict, work: u32) {
        if let (Some(lessons), true, Verdict::Proven) =
            (self.learned.lessons, self.begins(), verdict)
        {
            lessons.note(&self.windows, self.attacker, work);
        }
    }
}

#[cfg(test)]
mod tests;
