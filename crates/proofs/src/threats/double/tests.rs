use super::*;
use crate::threats::EFFORT;
use banyan_games::Rng;

fn position((black, white): (&str, &str), side: Color) -> Connect6 {
    let rules = Connect6Rules::new(19).expect("a size");
    Connect6::with_stones(&rules, [black, white], side).expect("free points")
}

#[test]
fn four_in_a_window_win_at_once() {
    let answer = connect6(&position(("f8 g8 h8 i8", "a1 a5"), Color::Black), EFFORT, &mut |_| true);
    let win = answer.win.expect("a win");
    assert_eq!((win.means, win.line.len()), (Means::DoubleThreats, 2));
}

#[test]
fn three_threats_at_once_cannot_be_answered() {
    // d4 and e5 give each of two threes a fourth stone with both ends open.
    let two_threes = ("f8 g8 h8 k3 k4 k5", "a1 a5 s1 s5 s9");
    let win = connect6(&position(two_threes, Color::Black), EFFORT, &mut |_| true).win;
    assert!(win.is_some());
    let shut = ("f8 g8 h8", "e8 i8 a1 a5 s1 s5");
    let answer = connect6(&position(shut, Color::Black), EFFORT, &mut |_| true);
    assert_eq!((answer.win, answer.is_complete), (None, true));
}

#[test]
fn a_threat_that_one_stone_shuts_is_none() {
    let sets = |text: &[&[u16]]| -> Vec<Vec<Move>> {
        text.iter().map(|set| set.iter().copied().map(Move).collect()).collect()
    };
    assert_eq!(common(&sets(&[&[1, 2], &[2, 3]])), [Move(2)]);
    assert_eq!(pairs(&sets(&[&[1, 2], &[3, 4]])).len(), 4);
    assert_eq!(
        pairs(&sets(&[&[1, 2], &[2, 3], &[3, 4]])),
        [(Move(1), Move(3)), (Move(2), Move(3)), (Move(2), Move(4)),]
    );
    assert_eq!(pairs(&sets(&[&[1, 2], &[3, 4], &[5, 6]])), []);
}

#[test]
fn answers_shut_every_window_that_could_be_filled() {
    let threatened = position(("f8 g8 h8 i8", "a1 a5"), Color::White);
    let answers = connect6_answers(&threatened).expect("a threat");
    let texts: Vec<String> = answers.iter().map(|&mv| threatened.move_text(mv)).collect();
    assert!(
        ["e8", "j8", "d8", "k8"].iter().all(|it| texts.contains(&(*it).to_owned())),
        "{texts:?}"
    );
    assert_eq!(texts.len(), 4, "{texts:?}");
    assert_eq!(connect6_answers(&position(("f8 g8", "a1 a5"), Color::White)), None);
}

/// Tells whether the side to move wins within so many turns of its own, each leaving a double threat or
/// worse: every pair of either side is tried.
fn plain_win(position: &Connect6, turns: u32) -> bool {
    if turn_ends(position).iter().any(|end| end.outcome().is_some_and(|it| it.winner().is_some())) {
        return true;
    }
    let side = position.side_to_move();
    turns > 1
        && turn_ends(position).iter().any(|end| {
            let wins = |end: &Connect6| end.outcome().is_some_and(|it| it.winner() == Some(!side));
            end.outcome().is_none()
                && turn_ends(end).iter().all(|reply| !wins(reply))
                && is_double(end, side)
                && turn_ends(end)
                    .iter()
                    .all(|reply| reply.outcome().is_none() && plain_win(reply, turns - 1))
        })
}

/// Tells whether a single stone anywhere leaves `side` a win at once.
fn is_double(position: &Connect6, side: Color) -> bool {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().all(|mv| {
        let points = (0..position.size().area()).map(Move::point);
        let mut stones: Vec<_> =
            points.filter_map(|at| position.stone(at).map(|color| (color, at))).collect();
        stones.push((!side, mv));
        let mut next = position.clone();
        next.set_up(&stones, side).is_ok()
            && turn_ends(&next)
                .iter()
                .any(|it| it.outcome().is_some_and(|it| it.winner().is_some()))
    })
}

/// The positions after a whole turn, without those that differ in order alone.
fn turn_ends(position: &Connect6) -> Vec<Connect6> {
    let side = position.side_to_move();
    let (mut open, mut ends, mut seen) = (vec![position.clone()], Vec::new(), Vec::new());
    while let Some(position) = open.pop() {
        if position.outcome().is_some() || position.side_to_move() != side {
            ends.push(position);
            continue;
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let mut next = position.clone();
            next.play(mv);
            if !seen.contains(&next.hash()) {
                seen.push(next.hash());
                open.push(next);
            }
        }
    }
    ends
}

#[test]
fn wins_by_double_threats_are_those_of_a_plain_search() {
    let mut rng = Rng::from_seed(5);
    let (mut won, mut none) = (0, 0);
    for round in 0..30 {
        let mut position = Connect6::new(&Connect6Rules::new(6).expect("a size"));
        // Few points are left, so that every pair can be tried.
        while position.outcome().is_none() && stones(&position) < 21 + round % 4 {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if position.outcome().is_some() {
            continue;
        }
        match connect6(&position, EFFORT, &mut |_| true).win {
            Some(win) => {
                let turns = win.line.len().div_ceil(4) as u32 + 1;
                assert!(plain_win(&position, turns.min(3)), "{win:?} {position:?}");
                won += 1;
            }
            None => {
                assert!(!plain_win(&position, 2), "{position:?}");
                none += 1;
            }
        }
    }
    assert!(won > 2 && none > 5, "{won} {none}");
}

fn stones(position: &Connect6) -> usize {
    let points = (0..position.size().area()).map(Move::point);
    points.filter(|&at| position.stone(at).is_some()).count()
}
