//! A board cut into tiles.

use crate::layout::Board;

/// Outputs on a side of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// 5x5 products for 3x3 outputs.
    Three,
    /// 6x6 products for 4x4 outputs.
    Four,
}

impl Side {
    /// The side by which a board takes fewer products.
    pub fn best(board: Board) -> Side {
        match Side::Three.products(board) < Side::Four.products(board) {
            true => Side::Three,
            false => Side::Four,
        }
    }

    /// Outputs on a side, count.
    pub fn outputs(self) -> usize {
        match self {
            Side::Three => 3,
            Side::Four => 4,
        }
    }

    /// Inputs on a side, as many as products, count.
    pub fn inputs(self) -> usize {
        self.outputs() + 2
    }

    /// Inputs or products of a tile, count.
    pub fn points(self) -> usize {
        self.inputs() * self.inputs()
    }

    /// Products that a board takes for one input and one output, count.
    pub fn products(self, board: Board) -> usize {
        let side = self.outputs();
        board.width.div_ceil(side) * board.height.div_ceil(side) * self.points()
    }
}

/// The tiles of a board.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// The board.
    pub board: Board,
    /// Outputs on a side of each.
    pub side: Side,
    /// Tiles, count.
    pub count: usize,
    /// Places of the inputs, `[tile][row][column]`; of those beyond the board one that is always 0.
    pub inputs: Vec<u32>,
    /// Places of the outputs, `[tile][row][column]`; nothing beyond the board.
    pub outputs: Vec<Option<u32>>,
}

impl Tiling {
    /// Cuts a board.
    pub fn new(board: Board, side: Side) -> Tiling {
        let step = side.outputs();
        let place = |row: Option<usize>, column: Option<usize>| {
            let row = row.filter(|&row| row < board.height)?;
            let column = column.filter(|&column| column < board.width)?;
            Some((board.row(row) + column) as u32)
        };
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for top in (0..board.height).step_by(step) {
            for left in (0..board.width).step_by(step) {
                for row in 0..step {
                    outputs.extend((0..step).map(|at| place(Some(top + row), Some(left + at))));
                }
                for row in 0..side.inputs() {
                    let input =
                        |at: usize| place((top + row).checked_sub(1), (left + at).checked_sub(1));
                    let inside = (0..side.inputs()).map(input);
                    inputs.extend(inside.map(|place| place.unwrap_or(Board::BORDER as u32)));
                }
            }
        }
        Tiling { board, side, count: inputs.len() / side.points(), inputs, outputs }
    }
}
