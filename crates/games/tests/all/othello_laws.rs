//! Published facts of Othello that must come out here.

use std::collections::HashMap;

use banyan_games::counts::NoObserver;
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Margin, Move, Outcome, Record, Rng, SetupError};

fn start() -> Othello {
    Othello::new(&OthelloRules)
}

fn moves(position: &Othello) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// Positions after `depth` plies; a pass is a ply, and a game that ends before is one leaf.
fn perft(position: &Othello, depth: u32) -> u64 {
    let moves = moves(position);
    if moves.is_empty() || depth == 0 {
        return 1;
    }
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |mv: Move| {
        let mut next = position.clone();
        next.play(mv);
        perft(&next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

fn set_up(text: &str, side: Color) -> Othello {
    let stones: Vec<(Color, Move)> = text
        .bytes()
        .filter(|byte| b"XO-".contains(byte))
        .enumerate()
        .filter(|&(_, byte)| byte != b'-')
        .map(|(p, byte)| (Color::BOTH[usize::from(byte == b'O')], Move::point(p)))
        .collect();
    let mut position = start();
    position.set_up(&stones, side).expect("free points");
    position
}

#[test]
fn perft_gives_the_published_counts() {
    let published = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284];
    for (depth, count) in (1..).zip(published) {
        assert_eq!(perft(&start(), depth), count, "depth {depth}");
    }
}

#[test]
fn black_opens_on_d3_c4_f5_or_e6() {
    let texts: Vec<String> = moves(&start()).iter().map(|&mv| start().move_text(mv)).collect();
    assert_eq!(texts, ["d3", "c4", "f5", "e6"]);
    assert_eq!(start().stone(Move::point(27)), Some(Color::White));
    assert_eq!(start().side_to_move(), Color::Black);
}

#[test]
fn uniform_random_games_last_about_sixty_plies() {
    let mut rng = Rng::from_seed(1);
    let games = 100_000;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..games {
        let (_, plies) = start().playout(&mut rng, &mut NoObserver);
        sum += f64::from(plies);
        squares += f64::from(plies).powi(2);
    }
    let mean = sum / f64::from(games);
    let error = ((squares / f64::from(games) - mean * mean) / f64::from(games)).sqrt();
    assert!((mean - 60.4).abs() < 0.05 + 4.0 * error, "{mean} ± {error}");
}

#[test]
fn the_winner_gets_the_points_left_empty() {
    let wiped_out = set_up(&("XXX".to_owned() + &"-".repeat(61)), Color::White);
    assert_eq!(wiped_out.outcome(), Some(Outcome { margin: Margin::points(64) }));
    let drawn = set_up(&("X-O".to_owned() + &"-".repeat(61)), Color::White);
    assert_eq!(drawn.outcome(), Some(Outcome::DRAW));
    let full = set_up(&("X".repeat(31) + &"O".repeat(33)), Color::White);
    assert_eq!(full.outcome(), Some(Outcome { margin: Margin::points(-2) }));
}

#[test]
fn a_side_that_can_turn_nothing_must_pass() {
    let mut position = set_up(&("XO-".to_owned() + &"-".repeat(61)), Color::White);
    assert_eq!(moves(&position), [Move::PASS]);
    assert_eq!(position.outcome(), None);
    position.play(Move::PASS);
    assert_eq!(moves(&position), [Move::point(2)]);
    position.play(Move::point(2));
    assert_eq!(position.outcome(), Some(Outcome { margin: Margin::points(64) }));
}

#[test]
fn two_discs_on_a_point_or_one_off_the_board_cannot_be_set_up() {
    let twice = [(Color::Black, Move::point(0)), (Color::White, Move::point(0))];
    let refused = start().set_up(&twice, Color::Black).unwrap_err();
    assert_eq!(refused, SetupError::Occupied { color: Color::White, point: "a1".to_owned() });
    for outside in [Move(64), Move(2047), Move(u16::MAX - 1), Move::PASS] {
        assert!(start().set_up(&[(Color::Black, outside)], Color::Black).is_err(), "{outside:?}");
    }
}

#[test]
fn the_side_to_move_cannot_be_chosen() {
    assert!(start().set_side_to_move(Color::Black).is_ok());
    assert!(start().set_side_to_move(Color::White).is_err());
    let mut white_first = start();
    white_first.set_up(&[], Color::White).expect("no discs");
    assert_eq!(moves(&white_first).len(), 4);
}

#[test]
fn hashes_differ_exactly_where_positions_do() {
    let mut rng = Rng::from_seed(5);
    let mut seen = HashMap::new();
    for _ in 0..2_000 {
        let mut position = start();
        while position.outcome().is_none() {
            let moves = moves(&position);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
            let points: Vec<_> = (0..64).map(|p| position.stone(Move::point(p))).collect();
            let known =
                seen.entry(position.hash()).or_insert((points.clone(), position.side_to_move()));
            assert_eq!(known, &(points, position.side_to_move()));
        }
    }
}

#[test]
fn how_far_a_game_is_counts_stones_that_were_set_up_but_for_those_of_the_start() {
    let mut played = Record::<Othello>::new(&OthelloRules);
    for _ in 0..7 {
        let mv = played.candidates()[0];
        played.play(mv).expect("legal");
    }
    let position = played.position();
    let points = (0..64).map(Move::point);
    let stones: Vec<_> = points.filter_map(|at| Some((position.stone(at)?, at))).collect();
    let side = position.side_to_move();
    let mut set_up = Record::<Othello>::set_up(&OthelloRules, &stones, side).expect("a position");
    assert_eq!((played.plies_from_start(), set_up.plies_from_start()), (7, 7));
    set_up.play(set_up.candidates()[0]).expect("legal");
    assert_eq!(set_up.plies_from_start(), 8);
}
