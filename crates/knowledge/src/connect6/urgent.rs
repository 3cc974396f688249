//! Urgent moves: a turn that makes six, or keeps the other side's next turn from it.

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::game::Game as _;
use banyan_games::line::LineRules as _;
use banyan_games::types::{Color, Move, Size};

use crate::line::lines::{Lines, SLANTS, STEPS, WAYS};

const SIX: usize = Connect6Rules::LENGTH;
/// Stones that a turn makes six of.
const ALMOST: usize = SIX - Connect6Rules::STONES_A_TURN as usize;

/// A window that begins at the first point.
const ONE_WINDOW: u32 = (1 << SIX) - 1;

/// By side: windows with so many of its stones and none of the other side's, over all lines.
pub(super) type Windows = [[u16; SIX + 1]; 2];

/// Windows in which something must be played at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UrgentWindows {
    /// The side whose stones stand in them, alone.
    pub side: Color,
    /// So many at least, and fewer than six.
    pub least: usize,
}

impl UrgentWindows {
    /// Those of the side to move that its turn fills, else those that the other side's next turn does.
    pub fn of(position: &Connect6, windows: &Windows) -> Option<UrgentWindows> {
        let side = position.side_to_move();
        let left = usize::from(position.plies_left());
        let full = |color: Color, least: usize| {
            windows[color.index()][least..SIX].iter().any(|&it| it > 0)
        };
        match (full(side, SIX - left), full(!side, ALMOST)) {
            (true, _) => Some(UrgentWindows { side, least: SIX - left }),
            (false, true) => Some(UrgentWindows { side: !side, least: ALMOST }),
            (false, false) => None,
        }
    }

    /// The empty points of each of these windows, in the order of their indices; where it is one, twice.
    ///
    /// - `is_worth_a_look`: false for a line, by direction and number, that has none of them.
    pub fn empty_points(
        self,
        (lines, size): (&Lines, Size),
        is_worth_a_look: impl Fn(usize, usize) -> bool,
    ) -> Vec<[Move; 2]> {
        let (mut found, width) = (Vec::new(), usize::from(size.width));
        for (way, line) in (0..WAYS).flat_map(|way| (0..SLANTS).map(move |line| (way, line))) {
            let (stones, length) = lines.whole(way, line);
            if length < SIX || !is_worth_a_look(way, line) {
                continue;
            }
            let [own, other] = [self.side, !self.side].map(|color| stones[color.index()]);
            let (row, column) = lines.first(way, line);
            let point = |n: u32| {
                let (down, right) = STEPS[way];
                let row = row.wrapping_add_signed(n as isize * down);
                Move::point(row * width + column.wrapping_add_signed(n as isize * right))
            };
            for first in 0..=length - SIX {
                let window = ONE_WINDOW << first;
                let count = (own & window).count_ones() as usize;
                if other & window == 0 && (self.least..SIX).contains(&count) {
                    let empty = window & !own;
                    let ends = [empty.trailing_zeros(), u32::BITS - 1 - empty.leading_zeros()];
                    let mut points = ends.map(point);
                    points.sort();
                    found.push(points);
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Appends moves such that no other wins, or holds, where the best of them does not: a point of six where the turn
    /// makes it; else points of one of the other side's windows, of which whatever stops them all must take one.
    ///
    /// - `windows`: their empty points, at least one window.
    pub fn moves(self, position: &Connect6, windows: &[[Move; 2]], moves: &mut Vec<Move>) {
        // The fewer points the better: a window of five has one.
        let narrow = windows.iter().find(|it| it[0] == it[1]).unwrap_or(&windows[0]);
        if self.side == position.side_to_move() {
            moves.push(narrow[0]);
            return;
        }
        let left = position.plies_left();
        let before = moves.len();
        moves.extend(narrow.iter().copied().filter(|&mv| stops_all(windows, mv, left)));
        moves.dedup();
        if moves.len() == before {
            // Nothing helps.
            moves.push(narrow[0]);
        }
    }
}

/// Tells whether a stone there, with the one that the turn may have left after it, is in all windows.
fn stops_all(windows: &[[Move; 2]], mv: Move, left: u8) -> bool {
    let mut others = windows.iter().filter(|it| !it.contains(&mv));
    let Some(first) = others.next() else { return true };
    left > 1 && first.iter().any(|mv| others.clone().all(|it| it.contains(mv)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluation, Knowledge};

    fn tables() -> &'static dyn Evaluation<Connect6> {
        let all = Connect6::evaluations();
        &**all.iter().find(|it| it.name() == "tables").expect("one that says what is forced")
    }

    fn forced((black, white): (&str, &str), plies: &[&str]) -> String {
        let rules = Connect6Rules::new(19).expect("a size");
        let stones = [black, white];
        let mut position =
            Connect6::with_stones(&rules, stones, Color::White).expect("free points");
        for mv in plies {
            position.play(position.parse_move(mv).expect("a point"));
        }
        let mut moves = Vec::new();
        tables().forced(&position, &mut moves);
        let texts = moves.iter().map(|&mv| position.move_text(mv));
        texts.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_stops_six_is_a_point_of_one_window() {
        assert_eq!(forced(("f8 g8 h8", "a1 a5"), &[]), "", "three are no threat");
        // Four with room on both sides: the first window is c8 to h8 without c8, and has d8 and e8.
        assert_eq!(forced(("f8 g8 h8 i8", "a1 a5"), &[]), "d8 e8");
        // After e8 only windows from f8 on are left.
        assert_eq!(forced(("f8 g8 h8 i8", "a1 a5"), &["e8"]), "j8 k8");
        assert_eq!(
            forced(("f8 g8 h8 i8 j8", "e8 a5"), &[]),
            "k8",
            "a window of five has one point"
        );
        assert_eq!(
            forced(("f8 g8 h8", "e1 f1 g1 h1"), &[]).len(),
            2,
            "six of one's own, one is enough"
        );
    }

    /// Pairs of stones that stop all windows have one of the moves: tried for every pair of points near them.
    #[test]
    fn no_pair_of_stones_that_stops_everything_is_left_out() {
        for black in ["f8 g8 h8 i8", "b3 c3 d3 e3 p3 p4 p6 p7", "f8 g8 j8 k8"] {
            let rules = Connect6Rules::new(19).expect("a size");
            let stones = [black, "a1 a19"];
            let position =
                Connect6::with_stones(&rules, stones, Color::White).expect("free points");
            let mut forced = Vec::new();
            tables().forced(&position, &mut forced);
            let mut near = Vec::new();
            position.candidates(&mut near);
            let stops = |pair: [Move; 2]| {
                let mut next = position.clone();
                pair.into_iter().for_each(|mv| next.play(mv));
                let full = |window: banyan_games::line::WindowStones| {
                    window.alone(Color::Black).is_some_and(|stones| stones >= 4)
                };
                let mut empty = (0..19 * 19).map(Move::point).filter(|&at| next.is_legal(at));
                !empty.any(|at| next.windows_through(at).any(full))
            };
            let mut pairs = 0;
            for (at, &a) in near.iter().enumerate() {
                for &b in near[at + 1..].iter().filter(|&&b| stops([a, b])) {
                    pairs += 1;
                    assert!(forced.contains(&a) || forced.contains(&b), "{black}: {a:?} {b:?}");
                }
            }
            assert!(pairs > 0, "{black}");
        }
    }

    /// Whether some window of six is this side's alone, with stones that its next turn makes six of.
    fn threatens(position: &Connect6, color: Color) -> bool {
        let mut empty =
            (0..position.size().area()).map(Move::point).filter(|&at| position.is_legal(at));
        let almost = |stones: u8| usize::from(stones) >= ALMOST;
        empty.any(|at| {
            position.windows_through(at).any(|window| window.alone(color).is_some_and(almost))
        })
    }

    /// On crowded boards, where windows overlap: what is left out lets the other side make six, whatever the turn's
    /// other stone is, unless that is one of the moves, which may come first.
    #[test]
    fn what_is_left_out_loses() {
        let (mut rng, mut checked) = (banyan_games::rng::Rng::from_seed(6), [0; 2]);
        for _ in 0..40 {
            let mut position = Connect6::new(&Connect6Rules::new(8).expect("a size"));
            while position.outcome().is_none() {
                let legal = |position: &Connect6| -> Vec<Move> {
                    let all = (0..64).map(Move::point);
                    all.filter(|&at| position.is_legal(at)).collect()
                };
                let (side, left) = (position.side_to_move(), position.plies_left());
                let (points, mut forced) = (legal(&position), Vec::new());
                tables().forced(&position, &mut forced);
                let wins = |mv| {
                    let mut next = position.clone();
                    next.play(mv);
                    next.outcome().is_some()
                        || left > 1 && {
                            legal(&next).into_iter().any(|mv| {
                                let mut last = next.clone();
                                last.play(mv);
                                last.outcome().is_some_and(|outcome| outcome.winner() == Some(side))
                            })
                        }
                };
                if !forced.is_empty() && !forced.iter().any(|&mv| wins(mv)) {
                    for &first in points.iter().filter(|mv| !forced.contains(mv)) {
                        let mut next = position.clone();
                        next.play(first);
                        assert!(next.outcome().is_none(), "{position:?} {first:?} wins");
                        if left == 1 {
                            assert!(threatens(&next, !side), "{position:?} {first:?}");
                        } else {
                            for second in legal(&next) {
                                let mut last = next.clone();
                                last.play(second);
                                let loses = last.outcome().is_none() && threatens(&last, !side);
                                assert!(
                                    loses || forced.contains(&second),
                                    "{position:?} {first:?} {second:?}"
                                );
                            }
                        }
                    }
                    checked[usize::from(left) - 1] += 1;
                }
                position.play(points[rng.below(points.len() as u32) as usize]);
            }
        }
        assert!(checked.iter().all(|&checked| checked > 10), "{checked:?}");
    }
}
