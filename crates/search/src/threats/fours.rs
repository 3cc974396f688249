//! Victory by continuous fours: each move makes a four, whose only answer is known.
//!
//! So there is one line to follow for each choice of fours, and the search goes deep with little effort.

use banyan_games::gomoku::GomokuRules;
use banyan_games::line::{LineRules, Window, Windows};
use banyan_games::{Color, Move};
use rustc_hash::FxHashSet;

/// Stones that are one short of winning.
pub(super) const FOUR: u8 = GomokuRules::LENGTH as u8 - 1;

/// A win by fours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fours {
    /// Attack and answer in turn; the last ply is the attacker's: a five, or a move after which two points
    /// make one.
    pub line: Vec<Move>,
    /// The points where the last move threatens to make five; none where it is the five.
    pub fives: Vec<Move>,
}

impl Fours {
    /// The defender's plies.
    pub fn answers(&self) -> impl Iterator<Item = Move> {
        self.line.iter().copied().skip(1).step_by(2)
    }
}

/// The points where `color` makes five, ascending.
pub(super) fn fives(windows: &Windows<GomokuRules>, color: Color) -> Vec<Move> {
    let open = windows.alone(color, FOUR).filter_map(|window| completes(windows, color, window));
    let mut points: Vec<Move> = open.collect();
    points.sort();
    points.dedup();
    points
}

/// The point that makes five of four in a window, unless it makes too many.
fn completes(windows: &Windows<GomokuRules>, color: Color, window: Window) -> Option<Move> {
    let point = windows.empties(window).next()?;
    windows.wins_at(color, point).then_some(point)
}

/// The points where `color` makes five after its stone on `point`, which is on the board.
fn fives_through(windows: &Windows<GomokuRules>, color: Color, point: Move) -> Vec<Move> {
    let is_four = |window: &Window| windows.stones_alone(color, *window) == Some(FOUR);
    let open = windows.through(point).filter(is_four);
    let mut points: Vec<Move> =
        open.filter_map(|window| completes(windows, color, window)).collect();
    points.sort();
    points.dedup();
    points
}

/// Looks for a win by fours of `attacker`, who is to move.
pub(super) struct FourSearch<'a> {
    windows: &'a mut Windows<GomokuRules>,
    attacker: Color,
    /// Hashes of positions that were searched to their end without a win.
    failed: FxHashSet<u64>,
    nodes: u64,
    nodes_max: u64,
    line: Vec<Move>,
}

/// The finding about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sought {
    Found(Fours),
    /// There is none.
    Absent,
    /// Positions ran out.
    GaveUp,
}

/// Searches `windows`, which are as before afterwards; adds the positions looked into to `nodes`.
pub(super) fn fours(
    windows: &mut Windows<GomokuRules>,
    attacker: Color,
    nodes_max: u64,
    nodes: &mut u64,
) -> Sought {
    let mut search = FourSearch {
        windows,
        attacker,
        failed: FxHashSet::default(),
        nodes: 0,
        nodes_max,
        line: Vec::new(),
    };
    let found = search.attack();
    *nodes += search.nodes;
    match found {
        Some(fives) => Sought::Found(Fours { line: search.line, fives }),
        None if search.nodes >= search.nodes_max => Sought::GaveUp,
        None => Sought::Absent,
    }
}

impl FourSearch<'_> {
    /// The attacker's ply. A win leaves its plies in `line`; returned are the points where five can be
    /// made at its end.
    fn attack(&mut self) -> Option<Vec<Move>> {
        if let Some(&five) = fives(self.windows, self.attacker).first() {
            self.line.push(five);
            return Some(Vec::new());
        }
        if self.nodes >= self.nodes_max || self.failed.contains(&self.windows.hash()) {
            return None;
        }
        self.nodes += 1;
        let found = match fives(self.windows, !self.attacker)[..] {
            [] => self.moves().into_iter().find_map(|mv| self.four(mv)),
            [forced] if self.windows.allows(self.attacker, forced) => self.four(forced),
            _ => None,
        };
        if found.is_none() && self.nodes < self.nodes_max {
            self.failed.insert(self.windows.hash());
        }
        found
    }

    /// The points that make a four, each once; those that make the most of it come first.
    fn moves(&self) -> Vec<Move> {
        let threes = self.windows.alone(self.attacker, FOUR - 1);
        let mut points: Vec<Move> =
            threes.flat_map(|window| self.windows.empties(window)).collect();
        points.sort();
        let mut counted: Vec<(usize, Move)> =
            points.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0])).collect();
        counted.sort_by_key(|&(windows, _)| std::cmp::Reverse(windows));
        counted.into_iter().map(|(_, point)| point).collect()
    }

    /// The attacker plays a point that should make a four.
    fn four(&mut self, point: Move) -> Option<Vec<Move>> {
        if !self.windows.allows(self.attacker, point) {
            return None;
        }
        self.windows.put(self.attacker, point);
        self.line.push(point);
        let found = match fives_through(self.windows, self.attacker, point)[..] {
            [] => None,
            // Black cannot take the one point that would save him where Renju forbids it.
            [five] if self.windows.allows(!self.attacker, five) => self.answer(five),
            ref fives => Some(fives.to_vec()),
        };
        if found.is_none() {
            self.line.pop();
        }
        self.windows.take(self.attacker, point);
        found
    }

    fn answer(&mut self, five: Move) -> Option<Vec<Move>> {
        self.windows.put(!self.attacker, five);
        self.line.push(five);
        let found = self.attack();
        if found.is_none() {
            self.line.pop();
        }
        self.windows.take(!self.attacker, five);
        found
    }
}
