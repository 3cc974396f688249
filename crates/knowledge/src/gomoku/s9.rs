//! The document's line matrices: a whole search is about the lines of one side.
//!
//! # Source
//! S9.

use std::sync::Arc;

use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::line::LineRules;
use banyan_games::{Color, Game, Move};

use crate::digest::Digest;
use crate::evaluation::{Evaluation, Ranked, unless_urgent};

use super::windows;

/// The evaluation by line matrices.
#[derive(Clone, Copy, Debug)]
pub(super) struct S9 {
    /// S9's lossy cut: a child in which the searched lines stand worse for the engine than in its parent is
    /// dropped. So the engine does not see what hinders it, and may be lured into traps.
    cuts: bool,
    /// Nothing before a search begins; then Black's lines are what counts.
    search: Option<Search>,
}

/// The root of a whole search.
#[derive(Clone, Copy, Debug)]
struct Search {
    /// Whose lines matter.
    lines: Color,
    /// The side that searches.
    engine: Color,
}

impl S9 {
    /// Without the cut.
    pub const PLAIN: S9 = S9 { cuts: false, search: None };
    /// With it.
    pub const WITH_CUT: S9 = S9 { cuts: true, search: None };

    /// The evaluation of a search that begins here.
    fn begin(self, position: &Gomoku) -> S9 {
        let search = Search { lines: searched(position), engine: position.side_to_move() };
        S9 { search: Some(search), ..self }
    }

    fn lines(&self) -> Color {
        self.search.map_or(Color::Black, |search| search.lines)
    }
}

impl Evaluation<Gomoku> for S9 {
    fn name(&self) -> &str {
        match self.search.map(|search| search.lines) {
            Some(Color::Black) => "s9 by Black's lines",
            Some(Color::White) => "s9 by White's lines",
            None if self.cuts => "s9-cut",
            None => "s9",
        }
    }

    fn digest(&self) -> Digest {
        let engine = self.search.filter(|_| self.cuts).map(|search| search.engine as i32);
        Digest::EMPTY.and(self.name().as_bytes()).and_numbers(engine)
    }

    fn scale(&self) -> f32 {
        500.0
    }

    fn value(&self, position: &Gomoku) -> i32 {
        let sum = line_sum(position, self.lines());
        if position.side_to_move() == self.lines() { sum } else { -sum }
    }

    fn rank(&self, position: &Gomoku, moves: &mut [Ranked]) {
        windows::rank_all(position, moves);
    }

    fn quiescence_value(&self, position: &Gomoku, moves: &mut Vec<Move>) -> Option<i32> {
        unless_urgent((position, moves), windows::urgent, |position| self.value(position))
    }

    fn keeps(&self, parent: &Gomoku, child: &Gomoku) -> bool {
        let Some(Search { lines, engine }) = self.search.filter(|_| self.cuts) else { return true };
        let change = line_sum(child, lines) - line_sum(parent, lines);
        if lines == engine { change >= 0 } else { change <= 0 }
    }

    fn of_root(&self, position: &Gomoku) -> Option<Arc<dyn Evaluation<Gomoku>>> {
        Some(Arc::new(self.begin(position)))
    }
}

/// Whose lines the search that begins here is about: the side to move attacks, with its own, when they
/// are worth more than the other side's; else it defends.
fn searched(position: &Gomoku) -> Color {
    let side = position.side_to_move();
    let attacks = line_sum(position, side) > line_sum(position, !side);
    if attacks { side } else { !side }
}

/// The sum of a side's line matrix: for each of its stones and each direction the value of the run that it
/// is part of.
///
/// # Source
/// S9 for the matrix; what a run is worth is ours: 4 to the power of its length for each end at which it
/// can grow.
fn line_sum(position: &Gomoku, side: Color) -> i32 {
    let points = (0..position.size().area()).map(Move::point);
    let own = points.filter(|&at| position.stone(at) == Some(side));
    own.flat_map(|at| position.runs_through(at))
        .map(|run| {
            let worth = 1 << (2 * run.stones.min(GomokuRules::LENGTH));
            worth * run.open_ends as i32
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::gomoku::Variant;

    fn position((black, white): (&str, &str), side: Color) -> Gomoku {
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        Gomoku::with_stones(&rules, [black, white], side).expect("free points")
    }

    #[test]
    fn line_sums_count_every_stone_in_every_direction() {
        // Two stones side by side: in the row each is in a run of two with two open ends, elsewhere alone.
        let pair = position(("h8 g8", "a1"), Color::Black);
        assert_eq!(line_sum(&pair, Color::Black), 2 * (2 * 16 + 3 * 2 * 4));
        // A corner: one end each way, and none along the short diagonal.
        assert_eq!(line_sum(&pair, Color::White), 4 * (1 + 1 + 1));
    }

    #[test]
    fn the_lossy_cut_drops_children_in_which_the_searched_lines_stand_worse_for_the_engine() {
        let stones = ("h8 g8", "a1");
        let is_kept = |engine, side, mv: &str| {
            let parent = position(stones, side);
            let mut child = parent.clone();
            child.play(child.parse_move(mv).expect("a point"));
            S9::WITH_CUT.begin(&position(stones, engine)).keeps(&parent, &child)
        };
        // Black attacks with the better lines: replies that shut one are dropped.
        assert!(is_kept(Color::Black, Color::Black, "i8"));
        assert!(!is_kept(Color::Black, Color::White, "i8"));
        assert!(is_kept(Color::Black, Color::White, "o14"));
        // White defends against them: replies that make one longer are dropped.
        assert!(is_kept(Color::White, Color::White, "i8"));
        assert!(!is_kept(Color::White, Color::Black, "i8"));
    }

    #[test]
    fn s9_attacks_with_better_lines_and_defends_with_worse_for_the_whole_search() {
        let stones = ("h8 g8", "a1");
        let name = |stones, side| S9::PLAIN.begin(&position(stones, side)).name().to_owned();
        assert_eq!(name(stones, Color::Black), "s9 by Black's lines");
        assert_eq!(name(stones, Color::White), "s9 by Black's lines");
        let other = ("a1", "h8 g8");
        assert_eq!(name(other, Color::Black), "s9 by White's lines");
        let black = S9::PLAIN.value(&position(stones, Color::Black));
        assert_eq!(S9::PLAIN.value(&position(stones, Color::White)), -black);
    }
}
