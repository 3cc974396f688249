//! The zone of a fight wherever it lies: without coordinates, colours, or the side of the board it faces.
//!
//! A shape falls into parts: what hangs together, diagonals included, without the chain in question and without
//! the wall. Two fights whose shapes have the same parts have the same fate, wherever the parts lie and however
//! the chain goes from one to the other: the chain stands until it is taken, the wall for ever, and moves
//! outside the zone are passes to it (see [`Zone`](super::Zone)).

use super::fight::Fight;
use crate::rng::mix;
use crate::types::Color;

/// Content of a point of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Content {
    /// Nothing.
    Empty,
    /// Nothing, and who does not win kos may not play there at once.
    Ko,
    /// A stone of the chain in question.
    Target,
    /// Another stone of its side.
    Defender,
    /// A stone of the other side that may be taken.
    Attacker,
    /// A stone of the other side that cannot be taken.
    Wall,
    /// No point: here the board ends.
    Edge,
}

/// The side to move, and what else decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn {
    /// Tells whether the chain's side moves.
    pub defender_moves: bool,
    /// Tells whether the chain's side wins every ko.
    pub defender_wins_kos: bool,
}

/// A point of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Row from the top, from 0.
    pub row: u8,
    /// Column from the left, from 0.
    pub column: u8,
    /// Content of the point.
    pub content: Content,
}

/// A zone with the ring around it. What is no cell does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Rows, count, the ring included.
    pub height: u8,
    /// Columns, count, the ring included.
    pub width: u8,
    /// The points that matter, by rows.
    pub cells: Vec<Cell>,
    /// The side to move.
    pub turn: Turn,
}

/// A part of a shape, turned so that it stands for all of its symmetries.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part {
    height: u8,
    width: u8,
    cells: Vec<Cell>,
}

/// A shape in its parts, each with its least hash, and by which symmetry that comes about.
#[derive(Clone, Debug)]
pub struct Parted {
    pieces: Vec<((u64, u8), Part)>,
}

impl Parted {
    /// A hash that is the same for all shapes with these parts and this turn.
    pub fn key(&self, Turn { defender_moves, defender_wins_kos }: Turn) -> u64 {
        let salt = 4 + 2 * u64::from(defender_moves) + u64::from(defender_wins_kos);
        let hashes = self.pieces.iter().map(|&((hash, _), _)| mix(hash));
        mix(hashes.fold(salt, u64::wrapping_add))
    }

    /// The parts, in an order of their own.
    pub fn parts(&self) -> Vec<Part> {
        let turned = |((_, symmetry), piece): &((u64, u8), Part)| piece.turned(*symmetry);
        let mut parts: Vec<Part> = self.pieces.iter().map(turned).collect();
        parts.sort();
        parts
    }
}

/// The ways to turn and mirror a board, count.
const SYMMETRIES: u8 = 8;

impl Shape {
    /// A hash that is the same for all shapes with the same parts and turn.
    pub fn key(&self) -> u64 {
        self.parted().key(self.turn)
    }

    /// The parts, in an order of their own.
    pub fn parts(&self) -> Vec<Part> {
        self.parted().parts()
    }

    /// The shape in its parts.
    pub fn parted(&self) -> Parted {
        let pieces = self.pieces();
        let least = |piece: Part| (piece.least(), piece);
        Parted { pieces: pieces.into_iter().map(least).collect() }
    }

    /// The parts as they lie.
    fn pieces(&self) -> Vec<Part> {
        let (height, width) = (usize::from(self.height), usize::from(self.width));
        let mut board: Vec<Option<Content>> = vec![None; height * width];
        for cell in &self.cells {
            board[usize::from(cell.row) * width + usize::from(cell.column)] = Some(cell.content);
        }
        let is_core = |at: usize| board[at].is_some_and(Content::is_contested);
        let mut owner = vec![0_usize; height * width];
        let mut pieces = Vec::new();
        for start in 0..board.len() {
            if owner[start] != 0 || !is_core(start) {
                continue;
            }
            let number = pieces.len() + 1;
            owner[start] = number;
            let (mut open, mut cells) = (vec![start], Vec::new());
            while let Some(at) = open.pop() {
                cells.push((at / width, at % width, board[at].expect("contested")));
                // The ring is part of the shape, so that a contested point has all eight neighbours.
                let (row, column) = (at / width, at % width);
                for next in AROUND.map(|(down, right)| {
                    (row.wrapping_add_signed(down), column.wrapping_add_signed(right))
                }) {
                    let (next_row, next_column) = next;
                    if next_row >= height || next_column >= width {
                        continue;
                    }
                    let next = next_row * width + next_column;
                    let is_beside = next_row == row || next_column == column;
                    let Some(content) = board[next] else { continue };
                    if content.is_contested() && owner[next] == 0 {
                        owner[next] = number;
                        open.push(next);
                    } else if !content.is_contested() && (is_beside || content != Content::Edge) {
                        cells.push((next_row, next_column, content));
                    }
                }
            }
            let Shape { height, width, cells, .. } = framed(&cells, self.turn);
            pieces.push(Part { height, width, cells });
        }
        pieces
    }
}

const AROUND: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

impl Content {
    /// Tells whether it may change while the fight goes on.
    fn is_contested(self) -> bool {
        match self {
            Content::Empty | Content::Ko | Content::Defender | Content::Attacker => true,
            Content::Target | Content::Wall | Content::Edge => false,
        }
    }
}

impl Part {
    /// The least hash among the symmetries, and by which of them it comes about.
    fn least(&self) -> (u64, u8) {
        let hash = |symmetry| {
            let (height, _) = self.sides(symmetry);
            let cells = self.cells.iter().map(|&cell| {
                let Cell { row, column, content } = self.moved(cell, symmetry);
                let place = u64::from(row) << 16 | u64::from(column) << 8;
                mix(u64::from(height) << 24 | place | content as u64)
            });
            cells.fold(0, u64::wrapping_add)
        };
        (0..SYMMETRIES).map(|symmetry| (hash(symmetry), symmetry)).min().expect("eight")
    }

    fn turned(&self, symmetry: u8) -> Part {
        let (height, width) = self.sides(symmetry);
        let mut cells: Vec<Cell> = self.cells.iter().map(|&it| self.moved(it, symmetry)).collect();
        cells.sort();
        Part { height, width, cells }
    }

    fn sides(&self, symmetry: u8) -> (u8, u8) {
        let is_transposed = symmetry & 4 != 0;
        if is_transposed { (self.width, self.height) } else { (self.height, self.width) }
    }

    fn moved(&self, Cell { row, column, content }: Cell, symmetry: u8) -> Cell {
        let row = if symmetry & 1 != 0 { self.height - 1 - row } else { row };
        let column = if symmetry & 2 != 0 { self.width - 1 - column } else { column };
        let (row, column) = if symmetry & 4 != 0 { (column, row) } else { (row, column) };
        Cell { row, column, content }
    }
}

impl Fight {
    /// The shape of the fight as it stands; nothing where it is open, or has more than `empty_max` empty
    /// points, or the chain's side may end it by a pass.
    ///
    /// Whether the ply before was a pass is no part of it: the attacker does not pass anyway, because two
    /// passes let the chain live.
    pub fn shape(&self, empty_max: u32) -> Option<Shape> {
        if self.has_passed() && self.side_to_move() == self.defender() {
            return None;
        }
        let zone = self.zone()?;
        let position = self.position();
        if (zone.inside & position.empty()).len() > empty_max {
            return None;
        }
        let defenders = position.stones()[self.defender().index()];
        let attackers = position.stones()[(!self.defender()).index()];
        // Who wins kos may play there nonetheless.
        let ko = position.ko().filter(|_| self.side_to_move() != self.ko_winner());
        let content = |bit: usize| match () {
            () if zone.target.contains(bit) => Content::Target,
            () if defenders.contains(bit) => Content::Defender,
            () if zone.wall.contains(bit) => Content::Wall,
            () if attackers.contains(bit) => Content::Attacker,
            () if ko == Some(bit) => Content::Ko,
            () => Content::Empty,
        };
        let side = position.layout().side();
        let mut cells: Vec<(usize, usize, Content)> = Vec::new();
        for bit in (zone.inside | zone.wall).iter() {
            let point = position.layout().point(bit);
            // The ring takes the places 0 and side + 1.
            cells.push((point / side + 1, point % side + 1, content(bit)));
        }
        for at in 0..cells.len() {
            let (row, column, content) = cells[at];
            if content != Content::Wall {
                let around =
                    [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)];
                let outside = |it: usize| it == 0 || it == side + 1;
                let beyond =
                    around.into_iter().filter(|&(row, column)| outside(row) || outside(column));
                cells.extend(beyond.map(|(row, column)| (row, column, Content::Edge)));
            }
        }
        Some(framed(&cells, self.turn()))
    }

    fn turn(&self) -> Turn {
        let is_defender = |color: Color| color == self.defender();
        Turn {
            defender_moves: is_defender(self.side_to_move()),
            defender_wins_kos: is_defender(self.ko_winner()),
        }
    }
}

/// The least rectangle around cells.
fn framed(cells: &[(usize, usize, Content)], turn: Turn) -> Shape {
    let range = |of: fn(&(usize, usize, Content)) -> usize| {
        let least = cells.iter().map(of).min().unwrap_or(0);
        (least, cells.iter().map(of).max().unwrap_or(0) + 1 - least)
    };
    let ((top, height), (left, width)) = (range(|it| it.0), range(|it| it.1));
    let mut cells: Vec<Cell> = cells
        .iter()
        .map(|&(row, column, content)| Cell {
            row: (row - top) as u8,
            column: (column - left) as u8,
            content,
        })
        .collect();
    cells.sort();
    cells.dedup();
    Shape { height: height as u8, width: width as u8, cells, turn }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::go::{Go, GoRules};
    use crate::notation::drawn;
    use crate::types::Move;

    fn shape(text: &str, target: (usize, usize), side: Color) -> Option<Shape> {
        let (stones, points) = drawn(text);
        let size = points.isqrt();
        let mut position = Go::new(&GoRules::new(size as u32, 15).expect("a size"));
        position.set_up(&stones, side).expect("stones");
        let target = Move::point(target.0 * size + target.1);
        Fight::new(&position, target, side).expect("a stone").shape(10)
    }

    const CORNER: &str = "
        . . . X O . .
        X X X X O . .
        O O O O O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";

    /// In the lower right, colours swapped, on a larger board with other stones around.
    const TURNED: &str = "
        . . . . . . . . .
        . O . . X . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . . . . . . .
        O . . . . . . X .
        . . . . X X X X X
        . . . . X O O O O
        . X . . X O . . .";

    #[test]
    fn the_same_shape_elsewhere_has_the_same_key() {
        let one = shape(CORNER, (1, 0), Color::Black).expect("closed");
        let other = shape(TURNED, (7, 8), Color::White).expect("closed");
        assert_ne!(one, other);
        assert_eq!((one.key(), one.parts()), (other.key(), other.parts()));
        let whose = shape(CORNER, (1, 0), Color::White).expect("closed");
        assert_ne!(whose.key(), one.key(), "whose turn it is matters");
    }

    /// A tail of the chain that has no liberty: it says nothing.
    const TAIL: &str = "
        . . . X O O . . .
        X X X X X O . . .
        O O O O X O . . .
        . . . O O O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";

    /// The same three points, and an eye elsewhere.
    const TWO: &str = "
        . . . X O O . . .
        X X X X X O O . .
        O O O O X X O . .
        . . . O X . X O .
        . . . O O X O O .
        . . . . O O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";

    #[test]
    fn the_chains_own_course_says_nothing_and_each_part_something() {
        let one = shape(CORNER, (1, 0), Color::Black).expect("closed");
        let tail = shape(TAIL, (1, 0), Color::Black).expect("closed");
        assert_ne!(one, tail);
        assert_eq!(one.key(), tail.key());
        let two = shape(TWO, (1, 0), Color::Black).expect("closed");
        assert_eq!((one.parts().len(), two.parts().len()), (1, 2));
        assert_ne!(one.key(), two.key());
    }

    #[test]
    fn the_edge_is_part_of_a_shape_and_what_lies_beyond_the_wall_is_not() {
        let one = shape(CORNER, (1, 0), Color::Black).expect("closed");
        let count = |content| one.cells.iter().filter(|cell| cell.content == content).count();
        assert_eq!((count(Content::Edge), count(Content::Wall)), (6, 6));
        assert_eq!((count(Content::Target), count(Content::Empty)), (5, 3));
        assert_eq!((one.height, one.width), (4, 6));
    }
}
