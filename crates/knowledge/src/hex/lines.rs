//! A position of Hex as one side sees it: lines from its first edge to its last, chains, and what an empty point
//! is next to through them.

use banyan_games::hex::Hex;
use banyan_games::{Color, Game as _, Move, Size};

/// Points by line and bit.
pub(super) type Set = [u32; Size::SIDE_MAX as usize];

/// Nothing.
pub(super) const EMPTY: Set = [0; Size::SIDE_MAX as usize];

/// A point: its line, counted from the side's first edge, and its place there.
pub(super) type Point = (usize, usize);

/// A position, seen by one side.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    /// Points a side.
    pub side: usize,
    color: Color,
    /// Its stones.
    pub own: Set,
    /// Points that nobody has.
    pub empty: Set,
    /// Its chains: of each, the empty points next to it, and the lines that it touches, first and last.
    chains: Vec<Chain>,
    /// By point, the chain of its stone.
    chain_of: Vec<u16>,
}

/// Stones that hang together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// The empty points next to it.
    pub liberties: Set,
    /// Tells whether it stands at the first edge, and at the last.
    pub at_edge: [bool; 2],
}

impl Lines {
    /// The lines of a position.
    pub fn of(position: &Hex, color: Color) -> Lines {
        let side = usize::from(position.size().width);
        let (mut own, mut empty) = (EMPTY, EMPTY);
        for line in 0..side {
            for bit in 0..side {
                match position.stone(point(color, side, (line, bit))) {
                    Some(of) if of == color => own[line] |= 1 << bit,
                    Some(_) => {}
                    None => empty[line] |= 1 << bit,
                }
            }
        }
        let chain_of = vec![u16::MAX; side * side];
        let mut lines = Lines { side, color, own, empty, chains: Vec::new(), chain_of };
        lines.find_chains();
        lines
    }

    /// The move at a point.
    pub fn move_at(&self, at: Point) -> Move {
        point(self.color, self.side, at)
    }

    /// The point of a move.
    pub fn point_of(&self, mv: Move) -> Point {
        let at = (usize::from(mv.0) / self.side, usize::from(mv.0) % self.side);
        match self.color {
            Color::Black => at,
            Color::White => (at.1, at.0),
        }
    }

    /// The chain of a stone of its own.
    pub fn chain_at(&self, (line, bit): Point) -> Option<&Chain> {
        self.chains.get(usize::from(self.chain_of[line * self.side + bit]))
    }

    /// The empty points that one stone on an empty point would be joined to by the next: those beside it, and
    /// those beside the chains that it touches.
    pub fn next_to(&self, at: Point) -> Set {
        let mut near = EMPTY;
        for beside in neighbours(at, self.side) {
            match self.chain_at(beside) {
                Some(chain) => {
                    for (near, liberties) in near[..self.side].iter_mut().zip(&chain.liberties) {
                        *near |= liberties;
                    }
                }
                None => near[beside.0] |= 1 << beside.1 & self.empty[beside.0],
            }
        }
        near[at.0] &= !(1 << at.1);
        near
    }

    /// The empty points from which one stone reaches an edge, the first (0) or the last (1).
    pub fn at_edge(&self, edge: usize) -> Set {
        let mut reached = EMPTY;
        let line = [0, self.side - 1][edge];
        reached[line] = self.empty[line];
        for chain in self.chains.iter().filter(|chain| chain.at_edge[edge]) {
            for (reached, liberties) in reached.iter_mut().zip(&chain.liberties) {
                *reached |= liberties;
            }
        }
        reached
    }

    fn find_chains(&mut self) {
        for line in 0..self.side {
            for bit in points(self.own[line]) {
                if self.chain_of[line * self.side + bit] == u16::MAX {
                    let chain = self.flood((line, bit));
                    self.chains.push(chain);
                }
            }
        }
    }

    fn flood(&mut self, from: Point) -> Chain {
        let number = self.chains.len() as u16;
        let mut chain = Chain { liberties: EMPTY, at_edge: [false; 2] };
        let mut left = vec![from];
        while let Some((line, bit)) = left.pop() {
            let known = &mut self.chain_of[line * self.side + bit];
            if std::mem::replace(known, number) == number {
                continue;
            }
            chain.at_edge[0] |= line == 0;
            chain.at_edge[1] |= line + 1 == self.side;
            for (line, bit) in neighbours((line, bit), self.side) {
                chain.liberties[line] |= 1 << bit & self.empty[line];
                if self.own[line] >> bit & 1 == 1 {
                    left.push((line, bit));
                }
            }
        }
        chain
    }
}

/// Black's lines are rows, White's are columns; who touches whom is the same.
fn point(color: Color, side: usize, (line, bit): Point) -> Move {
    Move::point(match color {
        Color::Black => line * side + bit,
        Color::White => bit * side + line,
    })
}

/// The points next to one: the two in its line, the one above and that to the right of it, the one below and that
/// to the left of it.
pub(super) fn neighbours((line, bit): Point, side: usize) -> impl Iterator<Item = Point> {
    let (line, bit) = (line as isize, bit as isize);
    let all = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)];
    let range = 0..side as isize;
    all.into_iter().map(move |(down, right)| (line + down, bit + right)).filter_map(
        move |(line, bit)| {
            let is_on = range.contains(&line) && range.contains(&bit);
            is_on.then_some((line as usize, bit as usize))
        },
    )
}

/// The places of the bits of a line, from the first.
pub(super) fn points(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (at < u32::BITS as usize).then_some(at)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use banyan_games::hex::HexRules;

    use super::*;

    /// A position from rows of `X` (Black), `O` (White) and `.`, with Black to move.
    pub(in super::super) fn drawn(drawing: &str) -> Hex {
        drawn_for(drawing, Color::Black)
    }

    /// The same with either side to move.
    pub(in super::super) fn drawn_for(drawing: &str, side: Color) -> Hex {
        let rows: Vec<&str> = drawing.split_whitespace().collect();
        let stones = rows.iter().enumerate().flat_map(|(line, row)| {
            row.chars().enumerate().filter_map(move |(bit, mark)| {
                let color = match mark {
                    'X' => Color::Black,
                    'O' => Color::White,
                    _ => return None,
                };
                Some((color, Move::point(line * row.len() + bit)))
            })
        });
        let mut position = Hex::new(&HexRules::new(rows.len() as u32).expect("a size"));
        position.set_up(&stones.collect::<Vec<_>>(), side).expect("free points");
        position
    }

    #[test]
    fn a_point_is_next_to_what_its_chains_are_next_to() {
        let position = drawn("..X. .X.. .... O...");
        let lines = Lines::of(&position, Color::Black);
        assert_eq!(lines.chains.len(), 1, "c1 and b2 touch");
        // d1 touches the chain: b1, d1 (left out), a2, c2, a3, b3; and d2 is below it.
        assert_eq!(lines.next_to((0, 3))[..4], [0b0010, 0b1101, 0b0011, 0]);
        assert_eq!(lines.at_edge(0)[..4], [0b1011, 0b0101, 0b0011, 0]);
        assert_eq!(lines.at_edge(1)[..4], [0, 0, 0, 0b1110]);
    }

    #[test]
    fn white_s_lines_are_columns() {
        let position = drawn("..X. .X.. .... O...");
        let lines = Lines::of(&position, Color::White);
        assert_eq!(lines.own[..4], [0b1000, 0, 0, 0]);
        assert_eq!(lines.point_of(Move::point(12)), (0, 3));
        assert_eq!(lines.move_at((0, 3)), Move::point(12));
        assert_eq!(lines.at_edge(0)[..4], [0b0111, 0b1100, 0, 0]);
    }
}
