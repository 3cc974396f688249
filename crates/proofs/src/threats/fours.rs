//! Victory by continuous fours: each move makes a four, whose only answer is known.
//!
//! So there is one line to follow for each choice of fours, and the search goes deep with little effort. A four
//! with two points for the fifth stone wins; whether there is one is seen in the windows with three stones, before
//! any is put on the board.

use arrayvec::ArrayVec;
use banyan_games::gomoku::GomokuRules;
use banyan_games::line::{LineRules, Window, Windows};
use banyan_games::{Color, Move};

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

/// The points where `color` makes five after its stone on `point`, which is on the board, ascending.
fn fives_through(
    windows: &Windows<GomokuRules>,
    color: Color,
    point: Move,
) -> ArrayVec<Move, THROUGH_MAX> {
    let is_four = |window: &Window| windows.stones_alone(color, *window) == Some(FOUR);
    let mut points = ArrayVec::new();
    for window in windows.through(point).filter(is_four) {
        if let Some(five) = completes(windows, color, window)
            && !points.contains(&five)
        {
            points.push(five);
        }
    }
    points.sort();
    points
}

/// Windows through one point.
const THROUGH_MAX: usize = 4 * GomokuRules::LENGTH;

/// Positions without a win by fours of one attacker, who is to move, by their hash. Some are forgotten.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    hashes: Vec<u64>,
}

impl Failed {
    /// For searches of so many positions.
    pub fn new(nodes: u64) -> Failed {
        let room = nodes.clamp(1 << 6, 1 << 16).next_power_of_two();
        Failed { hashes: vec![0; room as usize] }
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.hashes.len() - 1)
    }

    fn has(&self, hash: u64) -> bool {
        self.hashes[self.place(hash)] == hash
    }

    fn add(&mut self, hash: u64) {
        let place = self.place(hash);
        self.hashes[place] = hash;
    }
}

/// A four that can be made.
#[derive(Clone, Copy, Debug)]
struct Four {
    /// Point of its fourth stone.
    at: Move,
    /// Point where its fifth would go.
    five: Move,
    /// Windows with three stones that `at` and `five` fill.
    windows: usize,
}

/// Looks for a win by fours of `attacker`, who is to move.
struct FourSearch<'a> {
    windows: &'a mut Windows<GomokuRules>,
    attacker: Color,
    failed: &'a mut Failed,
    nodes: u64,
    nodes_max: u64,
    line: Vec<Move>,
    /// Points that fill windows with three stones, the fourth and the fifth; empty between two positions.
    pairs: Vec<(Move, Move)>,
    /// Fours that wait, of all positions on the line.
    waiting: Vec<Four>,
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
///
/// `failed` knows this attacker's positions alone.
pub(super) fn fours(
    windows: &mut Windows<GomokuRules>,
    attacker: Color,
    failed: &mut Failed,
    nodes_max: u64,
    nodes: &mut u64,
) -> Sought {
    let (line, pairs, waiting) = (Vec::new(), Vec::new(), Vec::new());
    let mut search =
        FourSearch { windows, attacker, failed, nodes: 0, nodes_max, line, pairs, waiting };
    let found = search.root();
    *nodes += search.nodes;
    match found {
        Some(fives) => Sought::Found(Fours { line: search.line, fives }),
        None if search.nodes >= search.nodes_max => Sought::GaveUp,
        None => Sought::Absent,
    }
}

impl FourSearch<'_> {
    /// The attacker's first ply. A win leaves its plies in `line`; returned are the points where five can be
    /// made at its end.
    fn root(&mut self) -> Option<Vec<Move>> {
        if let Some(&five) = fives(self.windows, self.attacker).first() {
            self.line.push(five);
            return Some(Vec::new());
        }
        let forced = fives(self.windows, !self.attacker);
        self.attack(&forced)
    }

    /// A ply of the attacker, who cannot make five: each point where he could has been taken from him.
    ///
    /// `forced`: where the defender threatens to make five.
    fn attack(&mut self, forced: &[Move]) -> Option<Vec<Move>> {
        let hash = self.windows.hash();
        if self.nodes >= self.nodes_max || self.failed.has(hash) {
            return None;
        }
        self.nodes += 1;
        let begin = self.waiting.len();
        let found = match *forced {
            [] => {
                let threes = self.windows.alone(self.attacker, FOUR - 1);
                extend_pairs(&mut self.pairs, self.windows, threes);
                self.choose(begin)
            }
            [only] => {
                let is_three = |window: &Window| {
                    self.windows.stones_alone(self.attacker, *window) == Some(FOUR - 1)
                };
                let threes = self.windows.through(only).filter(is_three);
                extend_pairs(&mut self.pairs, self.windows, threes);
                self.pairs.retain(|&(at, _)| at == only);
                self.choose(begin)
            }
            _ => None,
        };
        self.waiting.truncate(begin);
        if found.is_none() && self.nodes < self.nodes_max {
            self.failed.add(hash);
        }
        found
    }

    /// Plays the fours of `pairs`, which it empties: one with two points for the fifth stone if there is such,
    /// else one after the other, those that fill most windows first. They wait from `begin` on.
    fn choose(&mut self, begin: usize) -> Option<Vec<Move>> {
        let (windows, attacker) = (&*self.windows, self.attacker);
        if !windows.rules().overline_wins(attacker) {
            self.pairs.retain(|&(at, five)| windows.wins_with(attacker, at, five));
        }
        self.pairs.sort_unstable();
        for same in self.pairs.chunk_by(|a, b| a.0 == b.0) {
            let (at, five) = same[0];
            if !windows.allows(attacker, at) {
                continue;
            }
            if same[same.len() - 1].1 != five {
                let mut fives: Vec<Move> = same.iter().map(|&(_, five)| five).collect();
                fives.dedup();
                self.pairs.clear();
                self.line.push(at);
                return Some(fives);
            }
            self.waiting.push(Four { at, five, windows: same.len() });
        }
        self.pairs.clear();
        self.waiting[begin..].sort_by_key(|four| std::cmp::Reverse(four.windows));
        (begin..self.waiting.len()).find_map(|index| self.four(self.waiting[index]))
    }

    /// The attacker makes a four with one point for the fifth stone; the defender takes it, if he may.
    fn four(&mut self, Four { at, five, .. }: Four) -> Option<Vec<Move>> {
        let defender = !self.attacker;
        let changes =
            self.windows.hash_of(self.attacker, at) ^ self.windows.hash_of(defender, five);
        if self.nodes >= self.nodes_max || self.failed.has(self.windows.hash() ^ changes) {
            return None;
        }
        self.windows.put(self.attacker, at);
        self.line.push(at);
        // Black cannot take the one point that would save him where Renju forbids it.
        let found = if self.windows.allows(defender, five) {
            self.windows.put(defender, five);
            self.line.push(five);
            let forced = fives_through(self.windows, defender, five);
            let found = self.attack(&forced);
            if found.is_none() {
                self.line.pop();
            }
            self.windows.take(defender, five);
            found
        } else {
            Some(vec![five])
        };
        if found.is_none() {
            self.line.pop();
        }
        self.windows.take(self.attacker, at);
        found
    }
}

/// Adds both orders of the two empty points of each of these windows.
fn extend_pairs(
    pairs: &mut Vec<(Move, Move)>,
    windows: &Windows<GomokuRules>,
    threes: impl Iterator<Item = Window>,
) {
    for window in threes {
        let mut empties = windows.empties(window);
        if let (Some(a), Some(b)) = (empties.next(), empties.next()) {
            pairs.extend([(a, b), (b, a)]);
        }
    }
}
