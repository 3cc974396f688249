//! Facts of Gomoku and Connect6 that must come out here.

use std::collections::HashMap;

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::counts::NoObserver;
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Color, Game, Move, Outcome, Rng, SetupError};

fn gomoku(side: u32, five: Variant) -> Gomoku {
    Gomoku::new(&GomokuRules::new(side, side, five).expect("fits"))
}

fn connect6(side: u32) -> Connect6 {
    Connect6::new(&Connect6Rules::new(side).expect("fits"))
}

fn play_all<G: Game>(mut position: G, texts: &str) -> G {
    for text in texts.split_whitespace() {
        let mv = position.parse_move(text).expect(text);
        assert!(position.is_legal(mv), "{text}");
        position.play(mv);
    }
    position
}

/// Means over random games from the start, each with its standard error.
struct Means {
    stones: (f64, f64),
    black_wins: (f64, f64),
}

fn means<G: Game>(start: &G, games: u32) -> Means {
    let mut rng = Rng::from_seed(1);
    let (mut sum, mut squares, mut wins) = (0.0, 0.0, 0.0);
    for _ in 0..games {
        let (outcome, plies) = start.clone().playout(&mut rng, &mut NoObserver);
        sum += f64::from(plies);
        squares += f64::from(plies).powi(2);
        wins += f64::from(u8::from(outcome.winner() == Some(Color::Black)));
    }
    let games = f64::from(games);
    let (stones, black) = (sum / games, wins / games);
    Means {
        stones: (stones, ((squares / games - stones * stones) / games).sqrt()),
        black_wins: (black, (black * (1.0 - black) / games).sqrt()),
    }
}

/// `published` is rounded to `rounding`; four standard errors are allowed on top.
fn assert_near((mean, error): (f64, f64), published: f64, rounding: f64) {
    let allowed = rounding / 2.0 + 4.0 * error;
    assert!((mean - published).abs() < allowed, "{mean} ± {error}, published {published}");
}

#[test]
fn random_games_of_gomoku_are_as_long_and_as_even_as_published() {
    let means = means(&gomoku(15, Variant::Freestyle), 200_000);
    assert_near(means.stones, 109.1, 0.1);
    assert_near(means.black_wins, 0.510, 0.001);
}

#[test]
fn random_games_of_connect6_are_as_long_and_as_even_as_published() {
    let means = means(&connect6(19), 200_000);
    assert_near(means.stones, 204.5, 0.1);
    assert_near(means.black_wins, 0.499, 0.001);
}

#[test]
fn five_in_any_direction_win() {
    for five in [
        "a1 a9 b1 b9 c1 c9 d1 d9 e1",
        "a1 b9 a2 c9 a3 d9 a4 f9 a5",
        "a1 b9 b2 c9 c3 d9 d4 f9 e5",
        "i1 b9 h2 c9 g3 d9 f4 f9 e5",
        "o15 b9 n14 c9 l12 d9 k11 f9 m13",
    ] {
        let won = play_all(gomoku(15, Variant::Freestyle), five);
        assert_eq!(won.outcome(), Some(Outcome::win(Color::Black)), "{five}");
        assert!(!won.is_legal(Move::point(100)));
    }
}

#[test]
fn a_run_does_not_go_round_the_edge() {
    for stones in
        ["l2 a9 m2 c9 n2 e9 o2 g9 a1", "l2 a9 m2 c9 n2 e9 o2 g9 a3", "a4 a9 a3 c9 a2 e9 a1 g9 b15"]
    {
        assert_eq!(play_all(gomoku(15, Variant::Freestyle), stones).outcome(), None, "{stones}");
    }
}

#[test]
fn six_in_a_row_win_unless_exactly_five_are_asked_for() {
    let six = "a1 a9 b1 b8 c1 c7 e1 e3 f1 g5 d1";
    let won = play_all(gomoku(15, Variant::Freestyle), six);
    assert_eq!(won.outcome(), Some(Outcome::win(Color::Black)));
    let goes_on = play_all(gomoku(15, Variant::Standard), six);
    assert_eq!(goes_on.outcome(), None);
    assert_eq!(goes_on.side_to_move(), Color::White);
    let five_beside_it = play_all(goes_on, "o1 d2 o3 d3 o5 d4 o7 d5");
    assert_eq!(five_beside_it.outcome(), Some(Outcome::win(Color::Black)));
}

#[test]
fn connect6_is_one_stone_and_then_two_a_turn() {
    let mut position = connect6(19);
    let mut sides = String::new();
    for point in 0..9 {
        sides += if position.side_to_move() == Color::Black { "b" } else { "w" };
        position.play(Move::point(3 * point));
    }
    assert_eq!(sides, "bwwbbwwbb");
}

#[test]
fn six_win_in_connect6_and_five_do_not() {
    let five = play_all(connect6(19), "a1 a9 c9 b1 c1 e9 g9 d1 e1");
    assert_eq!(five.outcome(), None);
    let six = play_all(five, "i9 k9 f1");
    assert_eq!(six.outcome(), Some(Outcome::win(Color::Black)));
}

#[test]
fn a_setup_begins_a_whole_turn_and_an_empty_board_one_stone() {
    for side in Color::BOTH {
        let mut position = connect6(19);
        position.set_up(&[(Color::Black, Move::point(5))], side).expect("free point");
        position.play(Move::point(6));
        assert_eq!(position.side_to_move(), side);
        position.play(Move::point(7));
        assert_eq!(position.side_to_move(), !side);
    }
    let mut position = connect6(19);
    position.set_up(&[], Color::Black).expect("no stones");
    position.play(Move::point(6));
    assert_eq!(position.side_to_move(), Color::White);
    assert_eq!(position.hash(), play_all(connect6(19), "g19").hash());
}

#[test]
fn a_setup_that_is_already_won_is_over() {
    let five = |color, row: usize| (0..5).map(move |n| (color, Move::point(15 * row + n)));
    let mut position = gomoku(15, Variant::Freestyle);
    position.set_up(&five(Color::White, 3).collect::<Vec<_>>(), Color::Black).expect("free points");
    assert_eq!(position.outcome(), Some(Outcome::win(Color::White)));
    let both: Vec<_> = five(Color::White, 3).chain(five(Color::Black, 5)).collect();
    let refused = position.set_up(&both, Color::Black);
    assert!(matches!(refused, Err(SetupError::Unsupported(_))), "{refused:?}");
}

#[test]
fn two_stones_on_a_point_or_one_off_the_board_cannot_be_set_up() {
    let mut position = gomoku(15, Variant::Freestyle);
    let twice = [(Color::Black, Move::point(7)), (Color::White, Move::point(7))];
    let refused = position.set_up(&twice, Color::Black).unwrap_err();
    assert_eq!(refused, SetupError::Occupied { color: Color::White, point: "h15".to_owned() });
    for outside in [Move(225), Move(40_000), Move(u16::MAX - 1), Move::PASS] {
        assert!(position.set_up(&[(Color::Black, outside)], Color::Black).is_err(), "{outside:?}");
    }
}

#[test]
fn a_full_board_without_a_run_is_a_draw() {
    // Columns in pairs, every row the opposite of the one above: no run is longer than two.
    let color = |row: usize, column: usize| Color::BOTH[(column / 2 + row) % 2];
    let stones: Vec<_> =
        (0..36).filter(|&p| p != 35).map(|p| (color(p / 6, p % 6), Move::point(p))).collect();
    let mut position = gomoku(6, Variant::Freestyle);
    position.set_up(&stones, Color::Black).expect("free points");
    assert_eq!(position.outcome(), None);
    position.play(Move::point(35));
    assert_eq!(position.outcome(), Some(Outcome::DRAW));
}

#[test]
fn every_order_of_the_same_stones_has_the_same_hash() {
    let black = ["c3", "h8", "o15"];
    let white = ["a1", "d4", "k2"];
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut hashes = Vec::new();
    for first in orders {
        for second in orders {
            let plies: Vec<_> = (0..3).flat_map(|n| [black[first[n]], white[second[n]]]).collect();
            hashes.push(play_all(gomoku(15, Variant::Freestyle), &plies.join(" ")).hash());
        }
    }
    assert!(hashes.iter().all(|&hash| hash == hashes[0]));
}

#[test]
fn hashes_differ_exactly_where_positions_do() {
    let mut rng = Rng::from_seed(5);
    let mut seen = HashMap::new();
    for _ in 0..300 {
        let mut position = connect6(6);
        for ply in 0.. {
            let points: Vec<_> = (0..36).map(|p| position.stone(Move::point(p))).collect();
            // The number of plies says whose ply it is and which stone of the turn.
            let known = seen.entry(position.hash()).or_insert((points.clone(), ply % 4));
            assert_eq!(known, &(points, ply % 4));
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    assert!(seen.len() > 5_000, "{} positions", seen.len());
}
