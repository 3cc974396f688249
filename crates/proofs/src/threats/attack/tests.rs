use super::*;
use crate::threats::EFFORT;
use banyan_games::Rng;
use banyan_games::gomoku::Variant;

fn position(variant: Variant, (black, white): (&str, &str), side: Color) -> Gomoku {
    let rules = GomokuRules::new(15, 15, variant).expect("a size");
    Gomoku::with_stones(&rules, [black, white], side).expect("free points")
}

fn solved(variant: Variant, stones: (&str, &str)) -> Option<(Means, String)> {
    let position = position(variant, stones, Color::Black);
    let win = gomoku(&position, EFFORT, &mut |_| true).win?;
    let line: Vec<String> = win.line.iter().map(|&mv| position.move_text(mv)).collect();
    Some((win.means, line.join(" ")))
}

#[test]
fn a_straight_four_wins_by_fours_and_a_shut_one_does_not() {
    let found = solved(Variant::Freestyle, ("f8 g8 h8", "a1 a3 c1"));
    assert_eq!(found.map(|(means, _)| means), Some(Means::Fours));
    assert_eq!(solved(Variant::Freestyle, ("f8 g8 h8", "e8 i8 c1")), None);
}

#[test]
fn two_fours_by_one_stone_cannot_both_be_answered() {
    // One stone makes both fours, and White can answer one of them.
    let stones = ("e8 f8 g8 d5 d6 d7", "h8 d4");
    assert_eq!(solved(Variant::Freestyle, stones), Some((Means::Fours, "d8".to_owned())));
}

#[test]
fn a_double_three_wins_by_threes_unless_renju_forbids_it() {
    let stones = ("f8 g8 h6 h7", "a1 a3 c1 o15");
    let (means, line) = solved(Variant::Freestyle, stones).expect("a win");
    assert_eq!(means, Means::Threes);
    assert!(!line.is_empty());
    let renju = solved(Variant::Renju, stones);
    assert!(renju.is_none_or(|(_, line)| !line.starts_with("h8")));
}

#[test]
fn who_must_answer_a_four_first_has_no_time() {
    // White can make five at e4.
    let stones = ("f8 g8 h6 h7", "a4 b4 c4 d4");
    assert_eq!(solved(Variant::Freestyle, stones), None);
}

#[test]
fn answers_to_a_straight_four_to_come_are_at_its_ends_and_ones_own_fours() {
    let position = position(Variant::Freestyle, ("f8 g8 h8", "c1 d1 e1"), Color::White);
    let answers = answers(&position, 1_000).expect("a threat");
    let texts: Vec<String> = answers.iter().map(|&mv| position.move_text(mv)).collect();
    for expected in ["e8", "i8", "f1", "b1", "g1"] {
        assert!(texts.contains(&expected.to_owned()), "{expected} in {texts:?}");
    }
    assert!(!texts.contains(&"h2".to_owned()) && texts.len() < 12, "{texts:?}");
}

/// The same questions answered without windows: every move of either side is tried.
struct Plain(Gomoku);

impl Plain {
    fn legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.0.legal_moves(&mut moves);
        moves
    }

    fn after(&self, mv: Move) -> Plain {
        let mut next = self.0.clone();
        next.play(mv);
        Plain(next)
    }

    fn passed(&self) -> Plain {
        let points = (0..self.0.size().area()).map(Move::point);
        let stones: Vec<_> =
            points.filter_map(|at| self.0.stone(at).map(|color| (color, at))).collect();
        let mut next = self.0.clone();
        next.set_up(&stones, !self.0.side_to_move()).expect("the same stones");
        Plain(next)
    }

    /// Tells whether the side to move can end the game at once.
    fn can_win(&self) -> bool {
        let wins = |mv| self.after(mv).0.outcome().is_some_and(|end| end.winner().is_some());
        self.legal().into_iter().any(wins)
    }

    /// Tells whether the side to move wins with at most so many fours.
    fn wins_by_fours(&self, fours: u32) -> bool {
        self.can_win()
            || fours > 0
                && self.legal().into_iter().any(|mv| {
                    let next = self.after(mv);
                    next.0.outcome().is_none()
                        && next.passed().can_win()
                        && next.all(|answered| answered.wins_by_fours(fours - 1))
                })
    }

    /// Tells whether every move of the side to move leads where `goal` holds.
    fn all(&self, goal: impl Fn(&Plain) -> bool) -> bool {
        !self.can_win()
            && self.legal().into_iter().all(|mv| {
                let next = self.after(mv);
                next.0.outcome().is_none() && goal(&next)
            })
    }
}

/// A random position on a small board with so many stones a side, Black to move.
fn random((width, height): (u32, u32), variant: Variant, stones: u32, rng: &mut Rng) -> Gomoku {
    loop {
        let mut position = Gomoku::new(&GomokuRules::new(width, height, variant).expect("a size"));
        for _ in 0..2 * stones {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

#[test]
fn wins_by_fours_are_those_of_a_plain_search() {
    let mut rng = Rng::from_seed(11);
    let mut won = 0;
    for variant in Variant::ALL {
        for _ in 0..150 {
            let position = random((6, 6), variant, 6, &mut rng);
            let plain = Plain(position.clone());
            let mut windows = Windows::of(&position);
            let side = position.side_to_move();
            match fours(&mut windows, side, &mut Failed::new(10_000), 10_000, &mut 0) {
                Sought::Found(found) => {
                    let attacks = found.line.len().div_ceil(2) as u32;
                    assert!(plain.wins_by_fours(attacks), "{found:?} {position:?}");
                    won += 1;
                }
                Sought::Absent => assert!(!plain.wins_by_fours(2), "{position:?}"),
                Sought::GaveUp => panic!("few positions are enough on this board"),
            }
        }
    }
    assert!(won > 20, "{won}");
}

/// Stones near the middle, one more of Black's, who is to move.
fn crowded(variant: Variant, rng: &mut Rng) -> Gomoku {
    let mut position = Gomoku::new(&GomokuRules::new(9, 9, variant).expect("a size"));
    let mut points: Vec<Move> = (0..25).map(|n| Move::point(9 * (2 + n / 5) + 2 + n % 5)).collect();
    let mut take = |color| (color, points.swap_remove(rng.below(points.len() as u32) as usize));
    let stones: Vec<_> = [[Color::Black; 6].as_slice(), &[Color::White; 5]]
        .concat()
        .into_iter()
        .map(&mut take)
        .collect();
    position.set_up(&stones, Color::Black).expect("free points");
    position
}

#[test]
fn a_win_by_threes_is_still_there_after_every_answer() {
    let mut rng = Rng::from_seed(12);
    let effort = Effort { nodes_max: 5_000, table_bytes: 1 << 20 };
    let mut by_threes = 0;
    for round in 0..36 {
        let position = crowded(Variant::ALL[round % 3], &mut rng);
        let Some(win) = gomoku(&position, effort, &mut |_| true).win else { continue };
        if win.means == Means::Fours {
            continue;
        }
        by_threes += 1;
        let next = Plain(position.clone()).after(win.line[0]);
        assert!(!next.can_win(), "{win:?} {position:?}");
        for reply in next.legal() {
            let left = gomoku(&next.after(reply).0, effort, &mut |_| true).win;
            assert!(left.is_some(), "{} {win:?} {position:?}", position.move_text(reply));
        }
    }
    assert!(by_threes > 2, "{by_threes}");
}

#[test]
fn where_points_are_forbidden_a_stone_anywhere_may_be_an_answer() {
    // White's four at the end could not be answered since the point is forbidden to Black, and a stone that makes it
    // part of a four is no longer looked at.
    let stones = ("i8 j8 h9 h10 d10 e9 g5 g6 c3", "d4 e5 a15 o1 a13 o3 m15 c15");
    let position = position(Variant::Renju, stones, Color::White);
    let found = gomoku(&position, EFFORT, &mut |_| true);
    assert_eq!(found.win, None);
}

#[test]
fn answers_in_renju_are_those_after_which_there_is_no_win_wherever_they_are() {
    let stones = ("f8 g8 h6 h7 c3", "d4 e5 f6 o1 a15");
    let position = position(Variant::Renju, stones, Color::Black);
    let answers = answers(&position, 2_000).expect("a threat");
    let texts: Vec<String> = answers.iter().map(|&mv| position.move_text(mv)).collect();
    for expected in ["g7", "e8", "i8", "h9"] {
        assert!(texts.contains(&expected.to_owned()), "{expected} in {texts:?}");
    }
}
