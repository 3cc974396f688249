//! The document's line matrices: a whole search is about the lines of one side.
//!
//! # Source
//! S9.

use std::sync::Arc;

use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::line::{LineRules, Run};
use banyan_games::{Color, Game, Move};

use crate::digest::Digest;
use crate::evaluation::{Evaluation, Ranked, unless_urgent};

use super::windows;

/// The evaluation by line matrices.
#[derive(Clone, Copy, Debug)]
pub(super) struct S9 {
    entry: Entry,
    /// S9's lossy cut: a child in which the searched lines stand worse for the engine than in its parent is
    /// dropped. So the engine does not see what hinders it, and may be lured into traps.
    cuts: bool,
    /// Nothing before a search begins; then Black's lines are what counts.
    search: Option<Search>,
}

/// Entry of the matrix at a stone, for one of the four directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// The number of stones of the run that it is part of: S9 to the letter.
    Stones,
    /// 4 to the power of that number for each end at which the run can grow: ours.
    OpenEnds,
}

/// The worth of lines at which their owner wins three of four games, about: two runs of four.
const STONES_SCALE: f32 = 32.0;

/// The root of a whole search.
#[derive(Clone, Copy, Debug)]
struct Search {
    /// The side whose lines matter.
    lines: Color,
    /// The side that searches.
    engine: Color,
}

impl S9 {
    /// Without the cut.
    pub const PLAIN: S9 = S9 { entry: Entry::Stones, cuts: false, search: None };
    /// With it.
    pub const WITH_CUT: S9 = S9 { cuts: true, ..S9::PLAIN };
    /// By lengths and open ends, without the cut.
    pub const RUNS: S9 = S9 { entry: Entry::OpenEnds, ..S9::PLAIN };
    /// The same with it.
    pub const RUNS_WITH_CUT: S9 = S9 { entry: Entry::OpenEnds, ..S9::WITH_CUT };

    /// The evaluation of a search that begins here.
    fn begin(self, position: &Gomoku) -> S9 {
        let search = Search { lines: self.searched(position), engine: position.side_to_move() };
        S9 { search: Some(search), ..self }
    }

    fn lines(&self) -> Color {
        self.search.map_or(Color::Black, |search| search.lines)
    }

    /// The side whose lines the search that begins here is about: the side to move attacks, with its own, when they
    /// are worth more than the other side's; else it defends.
    fn searched(&self, position: &Gomoku) -> Color {
        let side = position.side_to_move();
        let attacks = self.line_sum(position, side) > self.line_sum(position, !side);
        if attacks { side } else { !side }
    }

    /// The sum of all entries of a side's matrix.
    fn line_sum(&self, position: &Gomoku, side: Color) -> i32 {
        let points = (0..position.size().area()).map(Move::point);
        points.flat_map(|at| self.entries(position, side, at)).sum()
    }

    /// A side's matrix `[M][N][4]` at one of the M x N points: an entry for each direction, 0 where the point
    /// is empty or the other side's.
    fn entries(&self, position: &Gomoku, side: Color, at: Move) -> [i32; DIRECTIONS] {
        let mut entries = [0; DIRECTIONS];
        if position.stone(at) == Some(side) {
            for (entry, run) in entries.iter_mut().zip(position.runs_through(at)) {
                *entry = self.entry.of(run);
            }
        }
        entries
    }
}

impl Entry {
    fn of(self, run: Run) -> i32 {
        match self {
            Entry::Stones => run.stones as i32,
            Entry::OpenEnds => {
                (1 << (2 * run.stones.min(GomokuRules::LENGTH))) * run.open_ends as i32
            }
        }
    }
}

/// Row, column and both diagonals.
const DIRECTIONS: usize = 4;

impl Evaluation<Gomoku> for S9 {
    fn name(&self) -> &str {
        match (self.entry, self.search.map(|search| search.lines)) {
            (Entry::Stones, Some(Color::Black)) => "s9 by Black's lines",
            (Entry::Stones, Some(Color::White)) => "s9 by White's lines",
            (Entry::Stones, None) if self.cuts => "s9-cut",
            (Entry::Stones, None) => "s9",
            (Entry::OpenEnds, Some(Color::Black)) => "runs by Black's lines",
            (Entry::OpenEnds, Some(Color::White)) => "runs by White's lines",
            (Entry::OpenEnds, None) if self.cuts => "runs-cut",
            (Entry::OpenEnds, None) => "runs",
        }
    }

    fn digest(&self) -> Digest {
        let engine = self.search.filter(|_| self.cuts).map(|search| search.engine as i32);
        Digest::EMPTY.and(self.name().as_bytes()).and_numbers(engine)
    }

    fn scale(&self) -> f32 {
        match self.entry {
            Entry::Stones => STONES_SCALE,
            Entry::OpenEnds => 500.0,
        }
    }

    fn value(&self, position: &Gomoku) -> i32 {
        let sum = self.line_sum(position, self.lines());
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
        let change = self.line_sum(child, lines) - self.line_sum(parent, lines);
        if lines == engine { change >= 0 } else { change <= 0 }
    }

    fn of_root(&self, position: &Gomoku) -> Option<Arc<dyn Evaluation<Gomoku>>> {
        Some(Arc::new(self.begin(position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::gomoku::Variant;

    fn position((black, white): (&str, &str), side: Color) -> Gomoku {
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        Gomoku::with_stones(&rules, [black, white], side).expect("free points")
    }

    fn sum(evaluation: S9, position: &Gomoku, side: Color) -> i32 {
        evaluation.line_sum(position, side)
    }

    #[test]
    fn a_matrix_holds_the_number_of_stones_by_point_and_direction() {
        let position = position(("h8 g8 f8 h7 k2", "a1 i8"), Color::Black);
        let empty = Gomoku::new(position.rules());
        let entries = |side, text: &str| {
            let at = empty.parse_move(text).expect("a point");
            S9::PLAIN.entries(&position, side, at)
        };
        // h8 ends a row of three that i8 shuts, and stands on h7; g8 and h7 are neighbours on a diagonal.
        assert_eq!(entries(Color::Black, "h8"), [3, 2, 1, 1]);
        let mut g8 = entries(Color::Black, "g8");
        g8[2..].sort();
        assert_eq!(g8, [3, 1, 1, 2]);
        assert_eq!(entries(Color::Black, "k2"), [1; 4]);
        assert_eq!(entries(Color::White, "i8"), [1; 4]);
        assert_eq!(entries(Color::Black, "i8"), [0; 4], "the other side's");
        assert_eq!(entries(Color::White, "c3"), [0; 4], "empty");
        // The row's three entries of 3, the column's two of 2, the diagonal's two of 2, and 13 of stones alone.
        assert_eq!(sum(S9::PLAIN, &position, Color::Black), 9 + 4 + 4 + 13);
        assert_eq!(sum(S9::PLAIN, &position, Color::White), 8);
    }

    #[test]
    fn sums_of_runs_count_every_stone_in_every_direction_by_its_open_ends() {
        // Two stones side by side: in the row each is in a run of two with two open ends, elsewhere alone.
        let pair = position(("h8 g8", "a1"), Color::Black);
        assert_eq!(sum(S9::RUNS, &pair, Color::Black), 2 * (2 * 16 + 3 * 2 * 4));
        // A corner: one end each way, and none along the short diagonal.
        assert_eq!(sum(S9::RUNS, &pair, Color::White), 4 * (1 + 1 + 1));
    }

    /// Tells whether the cut keeps a move of `side` in a search by `engine`.
    fn is_kept(evaluation: S9, [engine, side]: [Color; 2], mv: &str) -> bool {
        let stones = ("h8 g8", "a1");
        let parent = position(stones, side);
        let mut child = parent.clone();
        child.play(child.parse_move(mv).expect("a point"));
        evaluation.begin(&position(stones, engine)).keeps(&parent, &child)
    }

    const BLACK: Color = Color::Black;
    const WHITE: Color = Color::White;

    #[test]
    fn the_lossy_cut_drops_children_in_which_the_searched_lines_stand_worse_for_the_engine() {
        let is_kept = |engine, side, mv| is_kept(S9::RUNS_WITH_CUT, [engine, side], mv);
        // Black attacks with the better lines: replies that shut one are dropped.
        assert!(is_kept(BLACK, BLACK, "i8"));
        assert!(!is_kept(BLACK, WHITE, "i8"));
        assert!(is_kept(BLACK, WHITE, "o14"));
        // White defends against them: replies that make one longer are dropped.
        assert!(is_kept(WHITE, WHITE, "i8"));
        assert!(!is_kept(WHITE, BLACK, "i8"));
    }

    #[test]
    fn by_numbers_of_stones_only_the_cut_of_a_defence_drops_anything() {
        let is_kept = |engine, side, mv| is_kept(S9::WITH_CUT, [engine, side], mv);
        // A stone of the other side takes no stone away, so an attack loses nothing by it.
        assert!(is_kept(BLACK, BLACK, "i8") && is_kept(BLACK, WHITE, "i8"));
        // To a defence any stone of the other side is a loss.
        assert!(is_kept(WHITE, WHITE, "i8"));
        assert!(!is_kept(WHITE, BLACK, "i8") && !is_kept(WHITE, BLACK, "o14"));
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
