//! A shape on a board: alone, or with anything around it that its rule does not care about.

use std::collections::HashSet;

use banyan_games::go::shape::{Content, Shape};
use banyan_games::go::{Fight, Go, GoRules};
use banyan_games::{Color, Game, Move, Rng};

/// A board with a shape on it.
#[derive(Clone, Debug)]
pub struct Completion {
    /// The fight over the shape's chain.
    pub fight: Fight,
    /// Row of the board where the shape's first row lies; −1 where that is the edge.
    pub top: i32,
    /// Column of the board where its first column lies.
    pub left: i32,
    /// Points a side of the board.
    pub size: i32,
}

/// The largest board for completions: larger ones add nothing but time.
const SIZE_MAX: i32 = 19;

/// Rows or columns of a shape along one direction, and what bounds them.
#[derive(Clone, Copy)]
struct Span {
    length: i32,
    at_start: bool,
    at_end: bool,
}

impl Span {
    /// The board's size where both of its ends are edges.
    fn size(self) -> Option<i32> {
        (self.at_start && self.at_end).then_some(self.length - 2)
    }

    /// A place for the first of them.
    fn place(self, size: i32, rng: &mut Rng) -> Option<i32> {
        let free = size - self.length;
        match (self.at_start, self.at_end) {
            (true, true) => (size == self.length - 2).then_some(-1),
            (true, false) => (free >= 0).then_some(-1),
            (false, true) => (free >= 0).then_some(free + 1),
            (false, false) => (free >= 0).then(|| rng.below(free as u32 + 1) as i32),
        }
    }
}

fn spans(shape: &Shape) -> [Span; 2] {
    let (height, width) = (i32::from(shape.height), i32::from(shape.width));
    let edge = |has: &dyn Fn(i32, i32) -> bool| {
        let mut edges = shape.cells.iter().filter(|cell| cell.content == Content::Edge);
        edges.any(|cell| has(cell.row.into(), cell.column.into()))
    };
    let rows = Span {
        length: height,
        at_start: edge(&|row, _| row == 0),
        at_end: edge(&|row, _| row == height - 1),
    };
    let columns = Span {
        length: width,
        at_start: edge(&|_, column| column == 0),
        at_end: edge(&|_, column| column == width - 1),
    };
    [rows, columns]
}

/// Puts a shape on a board with other stones around it, as thick as `percent` says; nothing where the stones
/// that were drawn cannot stand, or give the shape other neighbours than it asks for.
pub fn completion(shape: &Shape, percent: u32, rng: &mut Rng) -> Option<Completion> {
    // A ko needs a history, which a position that is set up has not.
    if shape.cells.iter().any(|cell| cell.content == Content::Ko) {
        return None;
    }
    let [rows, columns] = spans(shape);
    let least = rows.length.max(columns.length) + 2;
    let size = match rows.size().or(columns.size()) {
        Some(size) => size,
        None => least + rng.below((SIZE_MAX + 1 - least).max(1) as u32) as i32,
    };
    if !(2..=SIZE_MAX).contains(&size) {
        return None;
    }
    let (top, left) = (rows.place(size, rng)?, columns.place(size, rng)?);
    let defender = if rng.below(2) == 0 { Color::Black } else { Color::White };
    // A text may have points where the edges of others are.
    let on_board = |at: i32| (0..size).contains(&at).then_some(at);
    let point = |row: u8, column: u8| {
        let (row, column) = (on_board(i32::from(row) + top)?, on_board(i32::from(column) + left)?);
        Some((row * size + column) as usize)
    };
    let mut board: Vec<Option<Option<Color>>> = vec![None; (size * size) as usize];
    let (mut target, mut walls) = (None, Vec::new());
    for cell in shape.cells.iter().filter(|cell| cell.content != Content::Edge) {
        let point = point(cell.row, cell.column)?;
        board[point] = Some(match cell.content {
            Content::Target | Content::Defender => Some(defender),
            Content::Attacker | Content::Wall => Some(!defender),
            Content::Empty | Content::Ko | Content::Edge => None,
        });
        if cell.content == Content::Wall {
            walls.push(point);
        }
        target = target.or((cell.content == Content::Target).then_some(Move::point(point)));
    }
    // A wall of single stones is none unless others hold it: in every other completion some do.
    let is_held = rng.below(2) == 0;
    let holds = beside(&walls, size);
    let mut stones = Vec::new();
    for (at, fixed) in board.into_iter().enumerate() {
        let stone = match fixed {
            Some(stone) => stone,
            None if is_held && holds.contains(&at) => (rng.below(3) > 0).then_some(!defender),
            None if rng.below(100) < percent => Some(Color::BOTH[rng.below(2) as usize]),
            None => None,
        };
        stones.extend(stone.map(|color| (color, Move::point(at))));
    }
    let fight = fight(shape, (size, &stones), (target?, defender))?;
    Some(Completion { fight, top, left, size })
}

/// The points next to others.
fn beside(points: &[usize], size: i32) -> HashSet<usize> {
    let next = points.iter().flat_map(|&point| {
        let (row, column) = (point as i32 / size, point as i32 % size);
        [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    });
    let on_board = |it: &(i32, i32)| (0..size).contains(&it.0) && (0..size).contains(&it.1);
    next.filter(on_board).map(|(row, column)| (row * size + column) as usize).collect()
}

/// The fight over the chain on `target`, if it has the shape.
fn fight(
    shape: &Shape,
    (size, stones): (i32, &[(Color, Move)]),
    (target, defender): (Move, Color),
) -> Option<Fight> {
    let turn = shape.turn;
    let side = if turn.defender_moves { defender } else { !defender };
    let ko_winner = if turn.defender_wins_kos { defender } else { !defender };
    let mut position = Go::new(&GoRules::new(size as u32, 15).ok()?);
    position.set_up(stones, side).ok()?;
    let fight = Fight::new(&position, target, ko_winner).ok()?;
    let found = fight.shape(u32::MAX)?;
    (found.key() == shape.key()).then_some(fight)
}

/// The shape with nothing around it but the wall's support: each stone of the wall gets neighbours, so that it
/// has liberties.
pub fn alone(shape: &Shape) -> Option<Completion> {
    let mut rng = Rng::from_seed(1);
    (0..200).find_map(|tried| completion(shape, if tried < 20 { 0 } else { tried / 4 }, &mut rng))
}
