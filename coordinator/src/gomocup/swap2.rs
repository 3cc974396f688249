//! The opening swap2: three stones are laid; the other side takes White, or Black, or lays two more and
//! leaves the choice.
//!
//! Every choice is made by thinking about White, who is to move in all of them: three stones that come
//! out about even are laid, and White is taken where she stands no worse than even.
//! Two more stones are never laid: who lays them leaves the choice and gets at most half by this very
//! judgement, who chooses gets at least half.

use std::io::Write;

use banyan_games::{Color, Move};

use super::Gomocup;
use super::text::{self, Fault};

/// White, Black takes turns from here.
const SIDES: [Color; 5] = [Color::Black, Color::White, Color::Black, Color::White, Color::Black];

/// Three stones to choose from, in columns and rows from the middle of the upper edge: far from the
/// middle of the board, where three stones would be worth too much to Black.
const OPENINGS: [[(i32, i32); 3]; 5] = [
    [(0, 0), (1, 1), (3, 3)],
    [(0, 1), (2, 0), (-3, 3)],
    [(0, 0), (-1, 2), (4, 1)],
    [(0, 2), (1, 1), (-3, 0)],
    [(0, 1), (1, 2), (4, 0)],
];

impl<W: Write> Gomocup<W> {
    pub(super) fn swap2_board(&mut self) -> Result<String, Fault> {
        let stones = self.stones()?;
        self.ready()?;
        let points: Vec<Move> = stones.iter().map(|stone| stone.point).collect();
        match points.len() {
            0 => self.opening(),
            3 | 5 => self.side_or_move(&points),
            others => Err(Fault::Swap2(others)),
        }
    }

    /// Lays the three stones that are nearest to even.
    fn opening(&mut self) -> Result<String, Fault> {
        let mut best = None;
        for opening in OPENINGS {
            let Some(points) = self.on_board(opening) else { continue };
            let value = self.value_for_white(&points, OPENINGS.len() as u32)?;
            let unfairness = (value - 0.5).abs();
            if best.as_ref().is_none_or(|&(least, _)| unfairness < least) {
                best = Some((unfairness, points));
            }
        }
        let (_, points) = best.ok_or_else(|| Fault::Size(self.rules.size().to_string()))?;
        let texts: Vec<String> =
            points.iter().map(|&mv| text::point(mv, self.rules.size())).collect();
        Ok(texts.join(" "))
    }

    fn on_board(&self, opening: [(i32, i32); 3]) -> Option<Vec<Move>> {
        let size = self.rules.size();
        let (width, height) = (i32::from(size.width), i32::from(size.height));
        let place = |(right, down): (i32, i32)| {
            let (column, row) = (width / 2 + right, down);
            let fits = (0..width).contains(&column) && (0..height).contains(&row);
            fits.then(|| Move::point((row * width + column) as usize))
        };
        opening.into_iter().map(place).collect()
    }

    /// Takes White by playing her move, or Black by `SWAP`.
    fn side_or_move(&mut self, points: &[Move]) -> Result<String, Fault> {
        self.lay(points)?;
        let (mv, value) = self.choice()?;
        if value < 0.5 {
            return Ok("SWAP".to_owned());
        }
        self.session.record_mut().play(mv)?;
        Ok(text::point(mv, self.rules.size()))
    }

    fn lay(&mut self, points: &[Move]) -> Result<(), Fault> {
        let stones: Vec<_> = SIDES.into_iter().zip(points.iter().copied()).collect();
        self.set_up(&stones, Color::White)
    }

    fn value_for_white(&mut self, points: &[Move], parts: u32) -> Result<f64, Fault> {
        self.lay(points)?;
        let report = self.think(parts);
        Ok(report.candidates.first().map_or(0.5, |best| best.value))
    }
}
