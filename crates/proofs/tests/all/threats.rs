//! Wins by threats in Gomoku: the problems of `threats.txt`, each checked by slower means.

use banyan_knowledge::Knowledge;
use std::fmt::Write as _;

use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Color, Game, Move, Rng};
use banyan_proofs::Effort;
use banyan_proofs::threats::lessons::{Learned, Lessons};
use banyan_proofs::threats::{self, EFFORT, Means, gomoku, gomoku_with};
use banyan_search::classical::{self, Horizon, Memory, Method, Watch, search};

/// A position by the moves that led to it, and how its side to move wins.
struct Problem {
    line: usize,
    position: Gomoku,
    means: Means,
}

fn rules() -> GomokuRules {
    GomokuRules::new(15, 15, Variant::Freestyle).expect("a size")
}

/// Reads problems, a line each: `fours` or `threes`, and the moves from an empty board of 15x15.
fn problems() -> Vec<Problem> {
    let text = include_str!("threats.txt").lines().enumerate();
    let lines = text.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let problem = |(number, line): (usize, &str)| {
        let mut words = line.split_whitespace();
        let means = match words.next() {
            Some("fours") => Means::Fours,
            Some("threes") => Means::Threes,
            other => panic!("line {}: {other:?} is neither fours nor threes", number + 1),
        };
        let mut position = Gomoku::new(&rules());
        for word in words {
            let mv = position.parse_move(word).expect("a point");
            assert!(position.is_legal(mv), "line {}: {word}", number + 1);
            position.play(mv);
        }
        Problem { line: number + 1, position, means }
    };
    lines.map(problem).collect()
}

#[test]
fn every_problem_is_solved_by_its_means() {
    let problems = problems();
    let count = |means| problems.iter().filter(|problem| problem.means == means).count();
    assert!(count(Means::Fours) >= 14 && count(Means::Threes) >= 30);
    for Problem { line, position, means } in &problems {
        let found = gomoku(position, EFFORT, &mut |_| true);
        let win = found.win.unwrap_or_else(|| panic!("line {line}: no win"));
        assert_eq!(win.means, *means, "line {line}");
    }
}

#[test]
fn lessons_that_join_are_those_of_one_search_after_the_other() {
    let ask = |position: &Gomoku, nodes_max: u64, lessons: &Lessons| {
        let learned = Learned { rules: None, lessons: Some(lessons) };
        gomoku_with(position, Effort { nodes_max, table_bytes: 1 << 18 }, learned, &mut |_| true);
    };
    let (at_once, joined) = (Lessons::new(1), Lessons::new(1));
    let mut apart = 0;
    for Problem { position, .. } in &problems() {
        // Two searches prove some of the same positions, with other work.
        for nodes_max in [1_000, 2_000] {
            ask(position, nodes_max, &at_once);
            let own = [(); 2].map(|()| Lessons::new(1));
            own.iter().for_each(|own| ask(position, nodes_max, own));
            let [own, same] = own;
            joined.join(own);
            apart += same.into_examples().len();
        }
    }
    let examples = at_once.into_examples();
    assert!(examples.len() > 20 && apart > examples.len(), "{} {apart}", examples.len());
    assert_eq!(joined.into_examples(), examples);
}

fn after(position: &Gomoku, mv: Move) -> Gomoku {
    let mut next = position.clone();
    next.play(mv);
    next
}

fn legal(position: &Gomoku) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// Points where `side` makes five, by trying every one.
fn fives(position: &Gomoku, side: Color) -> Vec<Move> {
    let points = (0..position.size().area()).map(Move::point);
    let mut stones: Vec<(Color, Move)> = Vec::new();
    for point in points.clone() {
        stones.extend(position.stone(point).map(|color| (color, point)));
    }
    let mut by_side = Gomoku::new(&rules());
    by_side.set_up(&stones, side).expect("the same stones");
    points
        .filter(|&mv| by_side.is_legal(mv))
        .filter(|&mv| after(&by_side, mv).outcome().is_some_and(|it| it.winner() == Some(side)))
        .collect()
}

/// Tells whether the side to move wins by fours alone: every move of it is tried, and the only answer.
fn wins_by_fours(position: &Gomoku, plies: usize) -> bool {
    let side = position.side_to_move();
    if !fives(position, side).is_empty() {
        return true;
    }
    let must = fives(position, !side);
    let moves = match must[..] {
        [] => legal(position),
        [only] => vec![only],
        _ => return false,
    };
    plies > 1
        && moves.into_iter().any(|mv| {
            let attacked = after(position, mv);
            let fives = fives(&attacked, side);
            match fives[..] {
                [] => false,
                // Five comes before any four of the attacker's.
                _ if !self::fives(&attacked, !side).is_empty() => false,
                [answer] => wins_by_fours(&after(&attacked, answer), plies - 2),
                _ => true,
            }
        })
}

#[test]
fn wins_by_fours_are_wins_when_every_move_is_tried() {
    let mut checked = 0;
    for Problem { line, position, .. } in problems() {
        let win = gomoku(&position, EFFORT, &mut |_| true).win.expect("a win");
        if win.means == Means::Fours && win.line.len() <= PLIES_CHECKED {
            assert!(wins_by_fours(&position, PLIES_CHECKED), "line {line}");
            checked += 1;
        }
    }
    assert!(checked >= 8, "{checked}");
}

/// Longer lines take the slow way too long.
const PLIES_CHECKED: usize = 11;

/// Wins by threes that are looked at from behind every answer.
const CHECKED_SLOWLY: usize = 12;

#[test]
fn a_win_by_threes_stands_against_every_answer() {
    for Problem { line, position, .. } in
        problems().iter().filter(|problem| problem.means == Means::Threes).take(CHECKED_SLOWLY)
    {
        let win = gomoku(position, EFFORT, &mut |_| true).win.expect("a win");
        let attacked = after(position, win.line[0]);
        for answer in legal(&attacked) {
            let answered = after(&attacked, answer);
            let found = gomoku(&answered, EFFORT, &mut |_| true);
            let text = position.move_text(answer);
            assert!(found.win.is_some(), "line {line}: {text} stops it");
        }
    }
}

struct Patient;

impl Watch for Patient {
    fn goes_on(&mut self, _: u64) -> bool {
        true
    }
}

/// Games of a shallow alpha-beta from random openings; of each the earliest position with a win by
/// threats that takes some plies.
///
/// `cargo test --release -p banyan-proofs --test all threats::problems_of_games -- --ignored --nocapture`
#[test]
#[ignore = "minutes; prints what threats.txt was made from"]
#[expect(clippy::print_stdout, reason = "a list to be kept")]
fn problems_of_games() {
    let (mut wanted, mut rng) =
        ([(Means::Fours, 7, 14), (Means::Threes, 5, 32)], Rng::from_seed(3));
    let effort = Effort { nodes_max: 20_000, table_bytes: 16 << 20 };
    while wanted.iter().any(|&(.., count)| count > 0) {
        let (mut position, mut text) = (Gomoku::new(&rules()), String::new());
        let mut memory = Memory::new(1 << 22);
        while position.outcome().is_none() {
            let plies = text.split_whitespace().count();
            let mut moves = Vec::new();
            position.candidates(&mut moves);
            let mv = if plies < 6 {
                moves[rng.below(moves.len() as u32) as usize]
            } else {
                let win = gomoku(&position, effort, &mut |_| true).win;
                if let Some(win) = win {
                    let (means, plies) = (win.means, win.line.len());
                    let fits = |it: &&mut (Means, usize, i32)| it.0 == means && plies >= it.1;
                    if let Some(found) = wanted.iter_mut().find(fits).filter(|it| it.2 > 0) {
                        found.2 -= 1;
                        println!("{}{text}", means.name());
                    }
                    break;
                }
                let problem = classical::Problem {
                    position: &position,
                    moves: &moves,
                    evaluation: &*Gomoku::evaluations()[0],
                    method: Method::AlphaBeta,
                    horizon: Horizon::Depth,
                    depth_max: 2,
                };
                search(&mut memory, &problem, &mut Patient).best
            };
            write!(text, " {}", position.move_text(mv)).expect("a string");
            position.play(mv);
        }
    }
}

/// Tries random positions with few points, so that threats are many.
#[test]
fn what_is_forced_leaves_out_no_better_move() {
    let own = &Gomoku::evaluations()[0];
    let (mut rng, mut met) = (Rng::from_seed(21), [0; 3]);
    for variant in Variant::ALL {
        let rules = GomokuRules::new(11, 9, variant).expect("a size");
        for _ in 0..500 {
            let mut position = Gomoku::new(&rules);
            for _ in 0..8 + rng.below(30) {
                let mut moves = Vec::new();
                position.candidates(&mut moves);
                let next = after(&position, moves[rng.below(moves.len() as u32) as usize]);
                if next.outcome().is_some() {
                    break;
                }
                position = next;
            }
            let (mut few, mut all) = (Vec::new(), Vec::new());
            own.forced(&position, &mut few);
            position.legal_moves(&mut all);
            assert!(few.iter().all(|mv| all.contains(mv)), "{few:?} in {position:?}");
            let Some(&first) = few.first() else { continue };
            let wins = |position: &Gomoku| match position.outcome() {
                Some(outcome) => outcome.winner() == Some(!position.side_to_move()),
                None => false,
            };
            let next = after(&position, first);
            let is_won = wins(&next) || {
                let mut replies = Vec::new();
                next.legal_moves(&mut replies);
                !replies.is_empty()
                    && replies.iter().all(|&reply| {
                        let last = after(&next, reply);
                        !wins(&last)
                            && last.outcome().is_none()
                            && threats::wins_by_fours(&last, 10_000)
                    })
            };
            if is_won {
                met[0] += 1;
                continue;
            }
            // Whoever plays elsewhere loses, by a five or by fours.
            met[1] += 1;
            for mv in all.into_iter().filter(|mv| !few.contains(mv)) {
                met[2] += 1;
                let next = after(&position, mv);
                assert!(
                    threats::wins_by_fours(&next, 10_000),
                    "{mv:?} is left out in {position:?}"
                );
            }
        }
    }
    assert!(met.iter().all(|&met| met > 50), "{met:?}");
}
