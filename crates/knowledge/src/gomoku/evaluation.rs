//! What Gomoku knows of a position: the shapes that stones would make, what its windows could become, and
//! the document's line matrices.

use crate::evaluation::{
    Evaluation, Follower as _, Ranked, Selective, all_kept, none_forced, rank_each, unless_urgent,
};
use crate::line::LOGIT;
use banyan_games::game::Game;
use banyan_games::line::{LineRules, Windows, segments};
use banyan_games::types::{Color, Move};

use super::board::Board;
use super::follower::ByShapes;
use super::weights::{Threat, Weights};
use banyan_games::gomoku::{Gomoku, GomokuRules};

/// The evaluations of Gomoku, the best first.
pub(super) const ALL: &[Evaluation<Gomoku>] = &[
    Evaluation {
        name: "shapes",
        value: by_shapes,
        rank: rank_by_shapes,
        value_at_rest: |position, moves| ByShapes::of(position).value_at_rest(position, moves),
        forced: |position, moves| ByShapes::of(position).forced(position, moves),
        selective: Some(SELECTIVE),
        scale: LOGIT,
        keeps: all_kept,
        of_root: |_| None,
        follower: Some(|position| Box::new(ByShapes::of(position))),
    },
    Evaluation {
        name: "windows",
        value: windows,
        rank: rank_by_windows,
        value_at_rest: |position, moves| unless_urgent((position, moves), urgent, windows),
        forced: none_forced,
        selective: None,
        scale: 40.0,
        keeps: all_kept,
        of_root: |_| None,
        follower: None,
    },
    Evaluation { name: "s9", of_root: |position| Some(mode(position)), ..S9_BLACK },
    Evaluation { name: "s9-cut", of_root: |position| Some(mode_with_cut(position)), ..S9_BLACK },
];

/// S9 where the sum of Black's lines is what matters, or of White's.
const S9_BLACK: Evaluation<Gomoku> = Evaluation {
    name: "s9 by Black's lines",
    value: of_black,
    rank: rank_by_windows,
    value_at_rest: |position, moves| unless_urgent((position, moves), urgent, of_black),
    forced: none_forced,
    selective: None,
    scale: 500.0,
    keeps: all_kept,
    of_root: |_| None,
    follower: None,
};
const S9_WHITE: Evaluation<Gomoku> = Evaluation {
    name: "s9 by White's lines",
    value: of_white,
    value_at_rest: |position, moves| unless_urgent((position, moves), urgent, of_white),
    ..S9_BLACK
};

fn of_black(position: &Gomoku) -> i32 {
    for_mover(position, line_sum(position, Color::Black))
}

fn of_white(position: &Gomoku) -> i32 {
    for_mover(position, -line_sum(position, Color::White))
}

/// Worth of a window by the stones that one side has in it alone. A three that is open stands in three
/// windows, so that it need not be told from one that is shut.
const WINDOW: [i32; 6] = [0, 1, 4, 16, 50, 0];

/// Who is to move counts own windows as much as so many halves of the other side's.
const TEMPO_HALVES: i32 = 3;

/// A win that is certain although it is not on the board yet; sooner ones are worth more.
const SURE: i32 = 100_000;

const FOUR: usize = GomokuRules::LENGTH - 1;

/// Chosen by matches: docs/experiments/gomoku.md.
const SELECTIVE: Selective = Selective { late: 4, moves: 6, moves_a_ply: 2 };

/// The log-odds of a win: a sum over the empty points near a stone, of what a stone of each side would
/// make there, and a term for the best that each side threatens.
pub(super) fn by_shapes(position: &Gomoku) -> i32 {
    let weights = Weights::learned();
    let own = position.side_to_move().index();
    let mut sum = Sum { points: 0, best: [Threat::None; 2], fives: 0 };
    Board::of(position).each_near(|_, crossings| {
        for (whose, side) in [own, 1 - own].into_iter().enumerate() {
            let entry = weights.of(crossings[side]);
            sum.points += i32::from(entry.value[whose]);
            sum.best[whose] = sum.best[whose].max(entry.threat);
            sum.fives += u32::from(whose == 1 && entry.threat == Threat::Five);
        }
    });
    sum.value()
}

/// What an evaluation by shapes sees of a position.
pub(super) struct Sum {
    /// Of both sides' crossings.
    pub points: i32,
    /// Of the side to move, and of the other side.
    pub best: [Threat; 2],
    /// Points at which the other side makes five.
    pub fives: u32,
}

impl Sum {
    pub fn value(&self) -> i32 {
        match self.best {
            [Threat::Five, _] => SURE,
            _ if self.fives > 1 => -SURE,
            _ => self.at_rest(),
        }
    }

    /// The value where nobody has a five to make.
    pub fn at_rest(&self) -> i32 {
        let [own, other] = self.best;
        self.points + Weights::learned().of_threats(own, other)
    }
}

pub(super) fn rank_by_shapes(position: &Gomoku, moves: &mut [Ranked]) {
    let (weights, board) = (Weights::learned(), Board::of(position));
    let (own, width) = (position.side_to_move().index(), usize::from(position.size().width));
    rank_each(moves, |mv| {
        let point = usize::from(mv.0);
        weights.rank(board.crossings(point / width, point % width), own)
    });
}

fn windows(position: &Gomoku) -> i32 {
    let tally = segments::tally(position);
    let side = position.side_to_move();
    let (own, other) = (&tally[side.index()], &tally[(!side).index()]);
    if own[FOUR] > 0 {
        return SURE;
    }
    if own[FOUR - 1] > 1 && other[FOUR] == 0 && makes_straight_four(position, side) {
        return SURE / 2;
    }
    let worth = |tally: &[u32; 9]| -> i32 {
        WINDOW.iter().zip(tally).map(|(worth, &windows)| worth * windows as i32).sum()
    };
    TEMPO_HALVES * worth(own) / 2 - worth(other)
}

/// Whether one stone of `side` leaves two points to make five.
fn makes_straight_four(position: &Gomoku, side: Color) -> bool {
    let windows = Windows::of(position);
    let mut threes: Vec<(Move, Move)> = windows
        .alone(side, FOUR as u8 - 1)
        .flat_map(|window| {
            let points: Vec<Move> = windows.empties(window).collect();
            [(points[0], points[1]), (points[1], points[0])]
        })
        .collect();
    threes.sort();
    threes.dedup();
    let several = |(point, _): &(Move, Move)| windows.allows(side, *point);
    threes.chunk_by(|a, b| a.0 == b.0).any(|same| same.len() > 1 && several(&same[0]))
}

/// A five to be made, or to be kept from the other side.
pub(super) fn urgent(position: &Gomoku, moves: &mut Vec<Move>) {
    let tally = segments::tally(position);
    let side = position.side_to_move();
    let Some(of) = [side, !side].into_iter().find(|color| tally[color.index()][FOUR] > 0) else {
        return;
    };
    let windows = Windows::of(position);
    let fives = windows.alone(of, FOUR as u8).flat_map(|window| windows.empties(window));
    moves.extend(fives.filter(|&mv| position.is_legal(mv)));
    moves.sort();
    moves.dedup();
}

/// What a stone on an empty point adds to its own windows and takes from the other side's: by the stones
/// in each window through it.
const RANK_OWN: [i32; 5] = [1, 5, 25, 150, 5000];
const RANK_OTHER: [i32; 5] = [0, 3, 15, 70, 1000];

fn rank_by_windows(position: &Gomoku, moves: &mut [Ranked]) {
    rank_each(moves, |mv| rank(position, mv));
}

fn rank(position: &Gomoku, mv: Move) -> i32 {
    let side = position.side_to_move();
    position
        .windows_through(mv)
        .map(|stones| match stones.alone(side) {
            Some(0) | None => {
                stones.alone(!side).map_or(0, |n| RANK_OTHER[usize::from(n).min(FOUR)])
            }
            Some(own) => RANK_OWN[usize::from(own).min(FOUR)],
        })
        .sum()
}

/// Whose lines the search that begins here is about: the side to move attacks, with its own, when they
/// are worth more than the other side's; else it defends.
fn searched(position: &Gomoku) -> Color {
    let side = position.side_to_move();
    let attacks = line_sum(position, side) > line_sum(position, !side);
    if attacks { side } else { !side }
}

fn mode(position: &Gomoku) -> Evaluation<Gomoku> {
    match searched(position) {
        Color::Black => S9_BLACK,
        Color::White => S9_WHITE,
    }
}

/// The same with S9's lossy cut: a child in which the searched lines stand worse for the engine than in
/// its parent is dropped. So the engine does not see what hinders it, and may be lured into traps.
fn mode_with_cut(position: &Gomoku) -> Evaluation<Gomoku> {
    fn change(parent: &Gomoku, child: &Gomoku, side: Color) -> i32 {
        line_sum(child, side) - line_sum(parent, side)
    }
    let keeps: fn(&Gomoku, &Gomoku) -> bool = match (searched(position), position.side_to_move()) {
        (Color::Black, Color::Black) => |parent, child| change(parent, child, Color::Black) >= 0,
        (Color::Black, Color::White) => |parent, child| change(parent, child, Color::Black) <= 0,
        (Color::White, Color::White) => |parent, child| change(parent, child, Color::White) >= 0,
        (Color::White, Color::Black) => |parent, child| change(parent, child, Color::White) <= 0,
    };
    Evaluation { keeps, ..mode(position) }
}

fn for_mover(position: &Gomoku, black: i32) -> i32 {
    if position.side_to_move() == Color::Black { black } else { -black }
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
    fn windows_are_worth_what_stands_in_them_alone() {
        // h8 is in 5 windows of each direction, a1 in 1 of three.
        let one = position(("h8", "a1"), Color::Black);
        assert_eq!(windows(&one), 3 * 20 / 2 - 3);
        let white = position(("h8", "a1"), Color::White);
        assert_eq!(windows(&white), 3 * 3 / 2 - 20);
        // In the row two windows hold one stone each, four both; g8 has 15 more windows, as h8 has.
        let two = position(("h8 g8", "a1"), Color::Black);
        assert_eq!(windows(&two), 3 * (4 * 4 + 2 + 30) / 2 - 3);
    }

    #[test]
    fn a_five_or_a_straight_four_to_come_is_as_good_as_won() {
        let four = ("f8 g8 h8 i8", "e8 a1 c1");
        assert_eq!(windows(&position(four, Color::Black)), SURE);
        let three = ("f8 g8 h8", "a1 c1");
        assert_eq!(windows(&position(three, Color::Black)), SURE / 2);
        let shut = ("f8 g8 h8", "e8 a1");
        assert!(windows(&position(shut, Color::Black)) < SURE / 2);
    }

    #[test]
    fn shapes_are_learned_to_be_good_for_who_can_make_them() {
        let value = |(black, white), side| by_shapes(&position((black, white), side));
        for (stones, better) in
            [(("h8 h9", "a1 o1"), Color::Black), (("a1 o1", "h8 h9"), Color::White)]
        {
            for side in Color::BOTH {
                let own = if side == better { 1 } else { -1 };
                assert!(own * value(stones, side) > 0, "{stones:?} {side}");
            }
        }
        let three = ("g8 h8 i8", "a1 o1 a15");
        assert!(value(three, Color::Black) > 100, "an open three and the move");
        assert_eq!(value(("f8 g8 h8 i8", "e8 a1 c1"), Color::Black), SURE);
        assert_eq!(
            value(("f8 g8 h8 i8", "a1 c1 a3"), Color::White),
            -SURE,
            "two points to be stopped"
        );
    }

    #[test]
    fn what_must_be_played_at_once_is_the_five_before_the_answer() {
        let mut moves = Vec::new();
        let both = position(("f8 g8 h8 i8", "e8 a1 a2 a3 a4"), Color::Black);
        urgent(&both, &mut moves);
        assert_eq!(moves, [both.parse_move("j8").expect("a point")]);
        moves.clear();
        let answer = position(("f8 g8 h8 i8", "e8"), Color::White);
        urgent(&answer, &mut moves);
        assert_eq!(moves, [answer.parse_move("j8").expect("a point")]);
        moves.clear();
        urgent(&position(("f8 g8 h8", ""), Color::White), &mut moves);
        assert_eq!(moves, []);
    }

    #[test]
    fn the_point_that_makes_a_four_ranks_before_a_far_one() {
        let three = position(("f8 g8 h8", "a1 c1"), Color::Black);
        let of = |text| rank(&three, three.parse_move(text).expect("a point"));
        assert!(of("i8") > of("g9") && of("g9") > of("o15"));
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
            (mode_with_cut(&position(stones, engine)).keeps)(&parent, &child)
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
        let mode = |side| mode(&position(stones, side)).name;
        assert_eq!(mode(Color::Black), "s9 by Black's lines");
        assert_eq!(mode(Color::White), "s9 by Black's lines");
        let other = ("a1", "h8 g8");
        assert_eq!(super::mode(&position(other, Color::Black)).name, "s9 by White's lines");
        let black = (S9_BLACK.value)(&position(stones, Color::Black));
        assert_eq!((S9_BLACK.value)(&position(stones, Color::White)), -black);
    }
}
