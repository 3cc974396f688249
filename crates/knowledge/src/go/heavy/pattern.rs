//! The eight points around a point, in 16 bits: two for each, row by row.
//!
//! 0 is empty, 1 Black or own, 2 White or foe, 3 off the board.

use banyan_games::types::Color;
use banyan_kernels::bits::Layout;

use super::sizes::BITS_MAX;

/// Points around a point.
pub(super) const AROUND: usize = 8;

/// The places of the points next to it: above, left, right, below.
pub(super) const ORTHOGONAL: [usize; 4] = [1, 3, 4, 6];

/// The lower bits of these places.
const ORTHOGONAL_LOW: u16 = placed(1, 1) | placed(1, 3) | placed(1, 4) | placed(1, 6);

pub(super) const OWN: u16 = 1;
pub(super) const FOE: u16 = 2;
pub(super) const OFF: u16 = 3;

/// Codes there are.
pub(super) const CODES: usize = 1 << (2 * AROUND);

/// The marks of a drawing: empty, own, foe, off the board.
const MARKS: [char; 4] = ['.', 'X', 'O', '#'];

/// A stone in a code that Black looks at.
#[inline(always)]
pub(super) const fn stone(color: Color) -> u16 {
    1 + color as u16
}

/// The contents of one of the eight places.
#[inline(always)]
pub(super) const fn at(code: u16, place: usize) -> u16 {
    code >> (2 * place) & 3
}

#[inline(always)]
pub(super) const fn placed(what: u16, place: usize) -> u16 {
    what << (2 * place)
}

/// The code as `color` sees it: own stones are 1.
#[inline(always)]
pub(super) const fn seen_by(color: Color, code: u16) -> u16 {
    match color {
        Color::Black => code,
        Color::White => (code >> 1 & 0x5555) | ((code & 0x5555) << 1),
    }
}

/// Tells whether no point next to it is empty or own.
#[inline(always)]
pub(super) const fn is_shut_in(code: u16) -> bool {
    code >> 1 & ORTHOGONAL_LOW == ORTHOGONAL_LOW
}

/// Points next to it that are empty.
#[inline(always)]
pub(super) const fn open(code: u16) -> u32 {
    (!(code | code >> 1) & ORTHOGONAL_LOW).count_ones()
}

/// Tells whether the point is a one-point eye of its side: own stones next to it, and at most one foe on the
/// diagonals, none on the edge.
#[inline(always)]
pub(super) const fn is_eye(code: u16) -> bool {
    const DIAGONAL: u16 = placed(1, 0) | placed(1, 2) | placed(1, 5) | placed(1, 7);
    let (low, high) = (code, code >> 1);
    // 1 or 3: the low bit alone tells.
    let is_own = low & ORTHOGONAL_LOW == ORTHOGONAL_LOW;
    let foes = (high & !low & DIAGONAL).count_ones();
    let is_edge = high & low & DIAGONAL != 0;
    is_own && foes <= if is_edge { 0 } else { 1 }
}

/// Source place of each place when the surroundings are turned and mirrored: all eight ways.
pub(super) const TURNS: [[usize; AROUND]; 8] = turns();

const fn turns() -> [[usize; AROUND]; 8] {
    const QUARTER: [usize; AROUND] = [5, 3, 0, 6, 1, 7, 4, 2];
    const MIRROR: [usize; AROUND] = [2, 1, 0, 4, 3, 7, 6, 5];
    let mut turns = [[0, 1, 2, 3, 4, 5, 6, 7]; 8];
    let mut index = 1;
    while index < 8 {
        let (of, then) = if index == 4 { (0, MIRROR) } else { (index - 1, QUARTER) };
        let mut place = 0;
        while place < AROUND {
            turns[index][place] = turns[of][then[place]];
            place += 1;
        }
        index += 1;
    }
    turns
}

/// The same surroundings seen from all sides.
pub(super) fn symmetric(code: u16) -> [u16; 8] {
    let turned = |from: [usize; AROUND]| (0..AROUND).map(|to| placed(at(code, from[to]), to)).sum();
    TURNS.map(turned)
}

/// The one of its symmetric codes that stands for all.
pub(super) fn canonical(code: u16) -> u16 {
    symmetric(code).into_iter().min().unwrap_or(code)
}

/// Three rows, the point itself as `*`: `XO./.*./###`.
pub(super) fn drawing(code: u16) -> String {
    let mark = |place| MARKS[usize::from(at(code, place))];
    let row = |places: [usize; 3]| places.map(mark).iter().collect::<String>();
    format!("{}/{}*{}/{}", row([0, 1, 2]), mark(3), mark(4), row([5, 6, 7]))
}

/// The code of a drawing; nothing for what is none.
pub(super) fn parse(drawing: &str) -> Option<u16> {
    let marks: Vec<char> = drawing.chars().filter(|mark| !"/*".contains(*mark)).collect();
    let what = |mark: &char| MARKS.iter().position(|known| known == mark);
    let whats: Vec<usize> = marks.iter().map(what).collect::<Option<_>>()?;
    let code = |whats: [usize; AROUND]| (0..AROUND).map(|i| placed(whats[i] as u16, i)).sum();
    <[usize; AROUND]>::try_from(whats).ok().map(code)
}

/// The codes of an empty board, by the bits that a heavy board has.
pub(super) fn empty_codes(layout: Layout) -> &'static [u16; BITS_MAX] {
    &EMPTY_CODES[layout.side()]
}

static EMPTY_CODES: [[u16; BITS_MAX]; 26] = boards();

const fn boards() -> [[u16; BITS_MAX]; 26] {
    let mut boards = [[0; BITS_MAX]; 26];
    let mut side = 2;
    while side <= 25 {
        let mut point = 0;
        while point < side * side {
            let (row, column) = (point / side, point % side);
            boards[side][(row + 1) * (side + 1) + column + 1] = empty_code(side, row, column);
            point += 1;
        }
        side += 1;
    }
    boards
}

const fn empty_code(side: usize, row: usize, column: usize) -> u16 {
    let (mut code, mut place, mut square) = (0, 0, 0);
    while square < 9 {
        let (r, c) = (row + square / 3, column + square % 3);
        if square != 4 {
            // One row and one column too many each.
            if r == 0 || r > side || c == 0 || c > side {
                code |= placed(OFF, place);
            }
            place += 1;
        }
        square += 1;
    }
    code
}
