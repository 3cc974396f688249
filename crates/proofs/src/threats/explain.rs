//! From a proof to a rule: what it rests on, and nothing else.
//!
//! The win is proven anew on a board where every point is shut that the first proof does not play on, and then
//! without one stone or point after the other, for as long as there still is a proof. What is shut might be a stone
//! of the defender or lie outside the board: so it does not matter what it is. That he is not faster is asked for
//! apart, window by window.

use std::collections::BTreeSet;

use banyan_games::line::{Position, Windows};
use banyan_games::{Color, Game, Move, RulesError, Size};

use super::found::ThreatsFound;
use super::grounds::Grounds;
use super::lessons::{Example, Learned};
use super::rules::{Cell, Content, Guard, Guarded, Place, Rule, canonical};
use crate::effort::Effort;
use crate::proof_number::{ProofTree, Proved};

/// Effort for one proof.
const EFFORT: Effort = Effort { nodes_max: 3_000, table_bytes: 1 << 18 };

/// Points that rules ask for, at most.
const CELLS_MAX: usize = 40;

/// Side whose wins are explained; colours are alike.
const ATTACKER: Color = Color::Black;

/// A game whose wins by threats can be explained.
pub trait Explained: Guarded {
    /// The game on a board of this size, with no stone of one's own that ever hurts.
    ///
    /// # Errors
    /// A size that the game has not.
    fn on(size: Size) -> Result<Self, RulesError>;

    /// Looks for a win of the side to move, with rules, for as long as `goes_on` (asked with the positions so far)
    /// says so.
    fn search(
        position: &Position<Self>,
        effort: Effort,
        learned: Learned<'_>,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> ThreatsFound;

    /// Proves that the attacker, who is to move, wins, and plays the proof through on `grounds`; nothing where
    /// he does not, or wins by what is seen without any rule.
    fn explain(
        windows: &Windows<Self>,
        effort: Effort,
        grounds: &mut Grounds<Self>,
    ) -> Option<Proved>;
}

/// A rule with its proof.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The rule.
    pub rule: Rule,
    /// Proof that it holds, up to wins by fours, or in a turn; by moves that [`Explainer::place`] understands.
    pub proof: ProofTree,
}

/// Reasons why an example has no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unexplained {
    /// The win rests on the other side's stones, or takes too much to prove.
    NoProof,
    /// It rests on too many points.
    Large,
    /// The answers alone would be a threat.
    Faster,
}

/// The points that a proof may use; all others are shut.
#[derive(Clone, Debug)]
struct Zone {
    own: BTreeSet<Move>,
    empty: BTreeSet<Move>,
}

/// Points a side of the board on which everything is proven.
const SIDE: usize = Size::SIDE_MAX as usize;

fn place_of(mv: Move) -> Place {
    ((usize::from(mv.0) / SIDE) as i8, (usize::from(mv.0) % SIDE) as i8)
}

fn move_on((row, column): Place) -> Move {
    Move::point(row as usize * SIDE + column as usize)
}

impl Zone {
    /// The attacker's stones and all empty points of a position.
    fn of(example: &Example) -> Zone {
        let stones = &example.stones;
        let (own, other) = (stones[example.attacker.index()], stones[(!example.attacker).index()]);
        let columns = || 0..example.size.width as i8;
        let places =
            (0..example.size.height as i8).flat_map(|row| columns().map(move |it| (row, it)));
        let mut zone = Zone { own: BTreeSet::new(), empty: BTreeSet::new() };
        for (row, column) in places {
            let has = |rows: &[u32; SIDE]| rows[row as usize] >> column & 1 == 1;
            if has(&own) {
                zone.own.insert(move_on((row, column)));
            } else if !has(&other) {
                zone.empty.insert(move_on((row, column)));
            }
        }
        zone
    }

    fn points(&self) -> impl Iterator<Item = Move> {
        self.own.iter().chain(&self.empty).copied()
    }

    fn cells(&self) -> Vec<Cell> {
        let cell = |content| move |&mv: &Move| Cell { place: place_of(mv), content };
        let own = self.own.iter().map(cell(Content::Own));
        own.chain(self.empty.iter().map(cell(Content::Empty))).collect()
    }

    /// Without a point.
    fn without(&self, point: Move) -> Zone {
        let mut zone = self.clone();
        zone.own.remove(&point);
        zone.empty.remove(&point);
        zone
    }

    /// With no empty points but these.
    fn resting_on(mut self, points: &BTreeSet<Move>) -> Zone {
        self.empty.retain(|point| points.contains(point));
        self
    }

    /// The points of a rule, far enough from the edge.
    fn of_cells(cells: &[Cell], length: usize) -> Option<Zone> {
        let of = |content| {
            let asked = cells.iter().filter(move |cell| cell.content == content);
            asked.map(|cell| move_on(cell.place)).collect()
        };
        let is_on = |cell: &Cell| {
            (0..SIDE as i8).contains(&cell.place.0) && (0..SIDE as i8).contains(&cell.place.1)
        };
        cells.iter().all(is_on).then_some(())?;
        Zone { own: of(Content::Own), empty: of(Content::Empty) }.centred(length)
    }

    /// In the middle of the board, so that every window that a point of it has anywhere is on the board; nothing
    /// where it is too large.
    fn centred(&self, length: usize) -> Option<Zone> {
        let places = || self.points().map(place_of);
        let (top, bottom) = (places().map(|it| it.0).min()?, places().map(|it| it.0).max()?);
        let (left, right) = (places().map(|it| it.1).min()?, places().map(|it| it.1).max()?);
        let room = (SIDE - 2 * (length - 1)) as i8;
        if bottom - top >= room || right - left >= room {
            return None;
        }
        let margin = (length - 1) as i8;
        let moved = |&mv: &Move| {
            let (row, column) = place_of(mv);
            move_on((row - top + margin, column - left + margin))
        };
        Some(Zone {
            own: self.own.iter().map(moved).collect(),
            empty: self.empty.iter().map(moved).collect(),
        })
    }
}

/// Makes rules of examples.
#[derive(Clone, Debug)]
pub struct Explainer<R> {
    /// The empty board.
    open: Windows<R>,
    /// The board with every point shut.
    shut: Windows<R>,
}

impl<R: Explained> Explainer<R> {
    /// For one game.
    pub fn new() -> Explainer<R> {
        let largest = R::on(Size::square(Size::SIDE_MAX)).expect("the largest board is one");
        let open = Windows::of(&Position::new(&largest));
        let mut shut = open.clone();
        (0..SIDE * SIDE).for_each(|point| shut.close(Move::point(point)));
        Explainer { open, shut }
    }

    /// The rule behind an example.
    ///
    /// # Errors
    /// Why it has none.
    pub fn rule(&self, example: &Example) -> Result<Explanation, Unexplained> {
        let whole = Zone::of(example);
        let (_, grounds) = self.proof(&whole).ok_or(Unexplained::NoProof)?;
        let mut zone = whole.resting_on(grounds.points());
        let near = self.in_windows_with(&zone.empty);
        zone.own.retain(|stone| near.contains(stone));
        let zone = zone.centred(R::LENGTH).ok_or(Unexplained::Large)?;
        let zone = self.least(zone).ok_or(Unexplained::NoProof)?;
        if zone.points().count() > CELLS_MAX {
            return Err(Unexplained::Large);
        }
        self.explained(&canonical(&zone.cells()))
    }

    /// The rule that asks for these points.
    ///
    /// # Errors
    /// Why who has them does not win.
    pub fn explained(&self, cells: &[Cell]) -> Result<Explanation, Unexplained> {
        let zone = Zone::of_cells(cells, R::LENGTH).ok_or(Unexplained::Large)?;
        let (Proved { tree, nodes, .. }, grounds) =
            self.proof(&zone).ok_or(Unexplained::NoProof)?;
        let guards = guards(&zone, &grounds).ok_or(Unexplained::Faster)?;
        let (cells, work) = (cells.to_vec(), nodes.min(u64::from(u32::MAX)) as u32);
        let (first, _) = tree.moves.first().ok_or(Unexplained::NoProof)?;
        let first = self.place(*first);
        Ok(Explanation { rule: Rule { cells, guards, first, work }, proof: tree })
    }

    /// Returns the place of a move of an explanation in its rule.
    pub fn place(&self, mv: Move) -> Place {
        let (margin, (row, column)) = ((R::LENGTH - 1) as i8, place_of(mv));
        (row - margin, column - margin)
    }

    /// Without one point after the other, for as long as there is a proof.
    fn least(&self, zone: Zone) -> Option<Zone> {
        let (_, grounds) = self.proof(&zone)?;
        let mut zone = zone.resting_on(grounds.points());
        for point in zone.points().collect::<Vec<Move>>() {
            if !zone.points().any(|it| it == point) {
                continue;
            }
            let smaller = zone.without(point);
            if let Some((_, grounds)) = self.proof(&smaller) {
                zone = smaller.resting_on(grounds.points());
            }
        }
        zone.centred(R::LENGTH)
    }

    /// All that shares a window with one of these points.
    fn in_windows_with(&self, points: &BTreeSet<Move>) -> BTreeSet<Move> {
        let windows = points.iter().flat_map(|&point| self.open.through(point));
        windows.flat_map(|window| self.open.points(window)).collect()
    }

    /// A proof with all shut but a zone.
    fn proof(&self, zone: &Zone) -> Option<(Proved, Grounds<R>)> {
        let (mut shut, mut open) = (self.shut.clone(), self.open.clone());
        zone.points().for_each(|point| shut.open(point));
        for &point in &zone.own {
            shut.put(ATTACKER, point);
            open.put(ATTACKER, point);
        }
        let mut grounds = Grounds::new(open, ATTACKER);
        let proved = R::explain(&shut, EFFORT, &mut grounds)?;
        Some((proved, grounds))
    }
}

impl<R: Explained> Default for Explainer<R> {
    fn default() -> Explainer<R> {
        Explainer::new()
    }
}

/// The windows in which the defender's answers stand, but for those that the rule asks for whole; nothing where
/// the answers alone would be a threat.
fn guards<R: Guarded>(zone: &Zone, grounds: &Grounds<R>) -> Option<Vec<Guard>> {
    let (mut guards, margin) = (Vec::new(), (R::LENGTH - 1) as i8);
    for (window, answers) in grounds.answers() {
        let points: Vec<Move> = grounds.points_of(window).collect();
        if points.iter().all(|point| zone.empty.contains(point)) {
            continue;
        }
        let ends = [points[0], points[points.len() - 1]].map(|mv| {
            let (row, column) = place_of(mv);
            (row - margin, column - margin)
        });
        guards.push(Guard { ends, stones_max: R::HARMLESS.checked_sub(answers)? });
    }
    guards.sort();
    Some(guards)
}
