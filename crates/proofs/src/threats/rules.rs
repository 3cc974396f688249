//! Rules about wins by threats: stones and empty points with which the side to move wins, wherever they lie.
//!
//! A rule is a proof that was made once, with everything shut that it does not name. It holds wherever its points
//! are as it says and the other side is not faster: it has nothing at hand that must be answered, but for single
//! fours far from the rule, and has not begun to fill the windows in which its answers would stand.
//!
//! Reading order: a rule and its images here, the other side as rules see it in `board`, how rules are found in
//! `tree`.

mod board;

mod tree;

use banyan_games::line::{LineRules, Windows};
use banyan_games::{Color, Move};

pub use board::Guarded;

use board::Board;
use tree::{Leaf, Tree};

use crate::usage::Usage;

/// A row and a column, from wherever is convenient.
pub type Place = (i8, i8);

/// Demand of a rule on a point; of all others it asks nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// A stone of the side to move.
    Own,
    /// No stone.
    Empty,
}

/// A point that a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Its place.
    pub place: Place,
    /// Content that it must have.
    pub content: Content,
}

/// A window that the other side must not have begun to fill, because its answers may stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Guard {
    /// Both ends of it.
    pub ends: [Place; 2],
    /// Its stones in there at most, unless there is one of the side to move.
    pub stones_max: u8,
}

/// A shape with which the side to move wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Points that are asked for, ascending; the first row and the first column of them are 0.
    pub cells: Vec<Cell>,
    /// Windows that are asked about, ascending.
    pub guards: Vec<Guard>,
    /// A move that wins.
    pub first: Place,
    /// Positions that were looked into to prove it alone, count: what a match saves.
    pub work: u32,
}

/// Images of a rule: turned and mirrored.
const SYMMETRIES: u8 = 8;

/// One image of a place: the columns mirrored, the rows mirrored, both exchanged.
fn image(symmetry: u8, (row, column): Place) -> Place {
    let column = if symmetry & 1 == 0 { column } else { -column };
    let row = if symmetry & 2 == 0 { row } else { -row };
    if symmetry & 4 == 0 { (row, column) } else { (column, row) }
}

/// The same points as they are written: of their images the first, at the origin.
pub(super) fn canonical(cells: &[Cell]) -> Vec<Cell> {
    (0..SYMMETRIES).map(|symmetry| moved(cells, symmetry).1).min().unwrap_or_default()
}

/// An image of points, moved to the origin, and where the origin was before.
fn moved(cells: &[Cell], symmetry: u8) -> (Place, Vec<Cell>) {
    let places = || cells.iter().map(|cell| image(symmetry, cell.place));
    let top = places().map(|place| place.0).min().unwrap_or(0);
    let left = places().map(|place| place.1).min().unwrap_or(0);
    let place = |(row, column): Place| (row - top, column - left);
    let cells =
        cells.iter().map(|cell| Cell { place: place(image(symmetry, cell.place)), ..*cell });
    let mut cells: Vec<Cell> = cells.collect();
    cells.sort();
    ((top, left), cells)
}

impl Rule {
    /// An image of it, moved to the origin: the columns mirrored (1), the rows mirrored (2), both exchanged (4).
    pub fn turned(&self, symmetry: u8) -> Rule {
        let ((top, left), cells) = moved(&self.cells, symmetry);
        let place = |place| {
            let (row, column) = image(symmetry, place);
            (row - top, column - left)
        };
        let guard = |guard: &Guard| {
            let mut ends = guard.ends.map(place);
            ends.sort();
            Guard { ends, ..*guard }
        };
        let mut guards: Vec<Guard> = self.guards.iter().map(guard).collect();
        guards.sort();
        Rule { cells, guards, first: place(self.first), work: self.work }
    }

    /// Rows and columns that its points take.
    pub fn extent(&self) -> (i8, i8) {
        let last = |of: fn(&Cell) -> i8| self.cells.iter().map(of).max().unwrap_or(0);
        (last(|cell| cell.place.0) + 1, last(|cell| cell.place.1) + 1)
    }

    /// Tells whether it holds for `attacker`, who is to move, with its origin on `at`, as it is written.
    pub fn holds<R: Guarded>(&self, windows: &Windows<R>, attacker: Color, at: Place) -> bool {
        let place = |(row, column): Place| (at.0 + row, at.1 + column);
        Board::of(windows, attacker).is_some_and(|board| {
            let fits = |cell: &Cell| board.fits(Cell { place: place(cell.place), ..*cell });
            let is_free = |guard: &Guard| board.allows(guard.ends.map(place), guard.stones_max);
            self.cells.iter().all(fits) && self.guards.iter().all(is_free)
        })
    }
}

/// Rules, found by stones.
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    tree: Tree,
    usage: Usage,
}

/// The same rules, whatever became of them.
impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.rules == other.rules
    }
}

impl Rules {
    /// These rules.
    pub fn new(rules: Vec<Rule>) -> Rules {
        let tree = Tree::of(&rules);
        let usage = Usage::of(rules.len());
        Rules { rules, tree, usage }
    }

    /// The rules in their order.
    pub fn all(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns how often each rule was met so far, in their order.
    pub fn hits(&self) -> Vec<u64> {
        self.usage.hits()
    }

    /// Returns how often a position was looked up so far.
    pub fn asked(&self) -> u64 {
        self.usage.asked()
    }

    /// The number of a rule by which `attacker`, who is to move, wins: one with a stone of `through`, if there
    /// are such, or else any.
    pub fn matching<R: Guarded>(
        &self,
        windows: &Windows<R>,
        attacker: Color,
        through: &[Move],
    ) -> Option<usize> {
        let board = Board::of(windows, attacker)?;
        let width = usize::from(windows.size().width);
        let place =
            |mv: Move| ((usize::from(mv.0) / width) as i8, (usize::from(mv.0) % width) as i8);
        let found = match through {
            [] => board.own_stones().find_map(|stone| self.anchored(&board, stone)),
            through => through.iter().find_map(|&stone| self.anchored(&board, place(stone))),
        };
        found.map(|leaf| leaf.rule as usize)
    }

    /// A rule with a stone on `anchor`.
    fn anchored(&self, board: &Board, anchor: Place) -> Option<Leaf> {
        self.tree.find(anchor, &|cell| board.fits(cell), &|leaf| {
            let place = |it| leaf.place(anchor, it);
            let mut guards = self.rules[leaf.rule as usize].guards.iter();
            guards.all(|guard| board.allows(guard.ends.map(place), guard.stones_max))
        })
    }

    /// As [`Rules::matching`], and counts it.
    pub(super) fn meet<R: Guarded>(
        &self,
        windows: &Windows<R>,
        attacker: Color,
        through: &[Move],
    ) -> Option<usize> {
        self.usage.count(self.matching(windows, attacker, through))
    }
}

/// Tells whether `attacker`, who is to move, has the time that every rule asks for: the other side threatens nothing
/// but single fours that lead to nothing.
pub(super) fn has_time<R: Guarded>(windows: &Windows<R>, attacker: Color) -> bool {
    Board::of(windows, attacker).is_some()
}

/// Tells whether rules are about this kind of the game: one in which no stone of one's own ever hurts.
pub fn are_about<R: LineRules>(rules: &R) -> bool {
    Color::BOTH.into_iter().all(|color| rules.overline_wins(color)) && !rules.forbids_points()
}
