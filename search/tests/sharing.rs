//! Endgames shared by made-up solvers: the score is that of one alone, and what sharing costs.

use banyan_games::Game;
use banyan_games::othello::{Othello, OthelloRules};
use banyan_search::endgame::{Board, SCORE_MAX, Solver, Top};
use banyan_search::split::{Below, Bound, Question, Split};

/// The board of an OBF line, and the score that it gives its best move.
fn problem(line: &str) -> (Othello, Option<i32>) {
    let (squares, rest) = line.split_at(64);
    let discs = |marks: [char; 2]| {
        let set = squares.chars().enumerate().filter(|(_, square)| marks.contains(square));
        set.fold(0, |discs, (at, _)| discs | 1u64 << at)
    };
    let (black, white) = (discs(['X', '*']), discs(['O', 'o']));
    let is_black = rest.trim().starts_with(['X', '*']);
    let (own, other) = if is_black { (black, white) } else { (white, black) };
    let scores = rest.split(';').filter_map(|part| part.split_once(':'));
    let scores = scores.filter_map(|(_, score)| score.trim().parse().ok());
    (Othello::of_discs(own, other), scores.max())
}

/// A question on its way, the answer that will come, and when: in boards that a solver looks at.
struct Working {
    question: Question,
    bound: Bound,
    done_at: u64,
}

/// What it took.
struct Cost {
    boards: u64,
    questions: usize,
    /// Boards that the busiest solver looked at, and waited for.
    time: u64,
}

fn ask(solver: &mut Solver, root: &Othello, question: &Question) -> (Bound, u64) {
    let mut position = root.clone();
    question.path.iter().for_each(|&mv| position.play(mv));
    solver.clear();
    let window = (question.at_least - 1, question.at_least);
    let found = solver.solve(Board::from(&position), window, &mut |_| true).expect("not stopped");
    let is_so = found.score >= question.at_least;
    let bound = if is_so { Bound::AtLeast } else { Bound::AtMost };
    (bound(found.score), found.nodes)
}

/// Solves a position with so many solvers that work side by side on a clock of boards.
fn share(root: &Othello, (top, solvers): (Top, usize)) -> (i32, Cost) {
    let mut moves = Vec::new();
    top.ranked(root, &mut moves);
    let mut split = Split::new(root, &moves, top, Top::guess(root));
    let (mut solver, mut working) = (Solver::new(1 << 20), Vec::<Working>::new());
    let mut cost = Cost { boards: 0, questions: 0, time: 0 };
    while !split.is_solved() {
        while working.len() < solvers
            && let Some(question) = split.ask()
        {
            let (bound, boards) = ask(&mut solver, root, &question);
            cost.boards += boards;
            cost.questions += 1;
            working.push(Working { question, bound, done_at: cost.time + boards });
        }
        let soonest = (0..working.len()).min_by_key(|&at| working[at].done_at).expect("asked");
        let Working { question, bound, done_at } = working.remove(soonest);
        cost.time = done_at;
        split.answer(question.leaf, bound);
    }
    (split.bounds().0, cost)
}

#[test]
fn a_shared_endgame_has_the_score_of_one_that_was_not() {
    let mut rng = banyan_games::Rng::from_seed(4);
    for _ in 0..20 {
        let mut position = Othello::new(&OthelloRules);
        while Board::from(&position).empties().count_ones() > 15 && position.outcome().is_none() {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if position.outcome().is_some() {
            continue;
        }
        let window = (-SCORE_MAX - 1, SCORE_MAX + 1);
        let alone = Solver::new(1 << 20).solve(Board::from(&position), window, &mut |_| true);
        let alone = alone.expect("not stopped").score;
        for solvers in [1, 3, 20] {
            let (score, _) = share(&position, (Top { empties_max: 12 }, solvers));
            assert_eq!(score, alone, "{solvers} solvers, {position:?}");
        }
    }
}

/// `FFO=positions.obf cargo test --release -p banyan-search --test sharing -- --ignored --nocapture`
#[test]
#[ignore = "minutes, and a file of positions in FFO"]
#[expect(clippy::print_stdout, reason = "a table for people")]
fn what_sharing_costs() {
    let file = std::env::var("FFO").expect("FFO names a file of positions in OBF");
    let text = std::fs::read_to_string(&file).expect("the file that FFO names");
    for (number, line) in text.lines().filter(|line| line.len() > 64).take(5).enumerate() {
        let (position, expected) = problem(line);
        let window = (-SCORE_MAX - 1, SCORE_MAX + 1);
        let alone = Solver::new(256 << 20).solve(Board::from(&position), window, &mut |_| true);
        let alone = alone.expect("not stopped");
        println!("position {number}: {:+}, {} boards alone", alone.score, alone.nodes);
        for empties_max in [16, 17, 18] {
            for solvers in [1, 2, 4, 16] {
                let (score, cost) = share(&position, (Top { empties_max }, solvers));
                assert_eq!(Some(score), expected);
                println!(
                    "  from {empties_max} empties on by {solvers}: {:.2} times as fast, {:.2} \
                     times the boards, {} questions",
                    alone.nodes as f64 / cost.time as f64,
                    cost.boards as f64 / alone.nodes as f64,
                    cost.questions
                );
            }
        }
    }
}
