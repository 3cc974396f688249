//! A position as rules see it: the stones of the side to move, and all that the other side could have.

use arrayvec::ArrayVec;
use banyan_games::connect6::Connect6Rules;
use banyan_games::gomoku::GomokuRules;
use banyan_games::line::{LineRules, Window, Windows};
use banyan_games::{Color, Move, Size};

use super::{Cell, Content, Place};

/// A game whose wins by threats become rules.
pub trait Guarded: LineRules {
    /// Stones of the defender in a window without one of the attacker's that make no difference to any proof.
    ///
    /// Gomoku: with three he can make a four, and he has one move that is free, where a three leaves him time.
    /// Connect6: with four he wins in a turn, and double threats leave him no time.
    const HARMLESS: u8;
}

impl Guarded for GomokuRules {
    const HARMLESS: u8 = 2;
}

impl Guarded for Connect6Rules {
    const HARMLESS: u8 = 3;
}

/// Stones of the attacker, and those of the defender with the points that he can take without losing time.
pub(super) struct Board {
    size: Size,
    own: Rows,
    other: Rows,
}

/// A word for each row; column 0 is the lowest bit.
type Rows = [u32; Size::SIDE_MAX as usize];

/// Fours that the defender may make in between, count; where he has more, no rule is asked.
const FOURS_MAX: usize = 6;

/// Points that these take.
type Delays = ArrayVec<Move, { 2 * FOURS_MAX }>;

impl Board {
    /// A position with `attacker` to move; nothing where the defender threatens to win at once, or could do more
    /// than make single fours that lead to nothing.
    pub fn of<R: Guarded>(windows: &Windows<R>, attacker: Color) -> Option<Board> {
        let (stones, size) = (windows.stones(), windows.size());
        let (own, mut other) = (stones[attacker.index()], stones[(!attacker).index()]);
        let width = usize::from(size.width);
        for point in delays(windows, !attacker)? {
            let point = usize::from(point.0);
            other[point / width] |= 1 << (point % width);
        }
        Some(Board { size, own, other })
    }

    fn is_on(&self, (row, column): Place) -> bool {
        (0..self.size.height as i8).contains(&row) && (0..self.size.width as i8).contains(&column)
    }

    /// Tells whether a rule's point is as it asks.
    #[inline]
    pub fn fits(&self, Cell { place, content }: Cell) -> bool {
        self.is_on(place)
            && match content {
                Content::Own => has(&self.own, place),
                Content::Empty => !has(&self.own, place) && !has(&self.other, place),
            }
    }

    /// Tells whether a window, which need not be on the board, holds so many of the defender's at most, or one of
    /// the attacker's.
    pub fn allows(&self, [from, to]: [Place; 2], stones_max: u8) -> bool {
        if !self.is_on(from) || !self.is_on(to) {
            return true;
        }
        let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let next = |&at: &Place| (at != to).then_some((at.0 + step.0, at.1 + step.1));
        let mut count = 0;
        for at in std::iter::successors(Some(from), next) {
            if has(&self.own, at) {
                return true;
            }
            count += u8::from(has(&self.other, at));
        }
        count <= stones_max
    }

    /// The attacker's stones, row by row.
    pub fn own_stones(&self) -> impl Iterator<Item = Place> {
        let rows = self.own.iter().enumerate();
        rows.flat_map(|(row, &word)| {
            let columns = (0..Size::SIDE_MAX as i8).filter(move |column| word >> column & 1 == 1);
            columns.map(move |column| (row as i8, column))
        })
    }
}

#[inline]
fn has(rows: &Rows, (row, column): Place) -> bool {
    rows[row as usize] >> column & 1 == 1
}

/// The points of the fours that the defender can make at once, each of which is answered at its other point and
/// leads to nothing more; nothing where that is not so, or he threatens to win.
fn delays<R: Guarded>(windows: &Windows<R>, defender: Color) -> Option<Delays> {
    let winning = R::LENGTH as u8 - R::STONES_A_TURN;
    let threatens = |stones| windows.alone(defender, stones).next().is_some();
    if (winning..R::LENGTH as u8).any(threatens) {
        return None;
    }
    let mut fours: ArrayVec<Window, FOURS_MAX> = ArrayVec::new();
    let mut points = Delays::new();
    for window in (R::HARMLESS + 1..winning).flat_map(|stones| windows.alone(defender, stones)) {
        fours.try_push(window).ok()?;
        for point in windows.empties(window) {
            // A point of two fours makes both at once.
            if points.contains(&point) || points.try_push(point).is_err() {
                return None;
            }
        }
    }
    let leads_on = |window: Window| {
        let taken = windows.points(window).filter(|point| points.contains(point)).count() as u8;
        let stones = windows.stones_alone(defender, window);
        !fours.contains(&window) && stones.is_some_and(|stones| stones + taken > R::HARMLESS)
    };
    let is_calm = points.iter().all(|&point| !windows.through(point).any(leads_on));
    is_calm.then_some(points)
}
