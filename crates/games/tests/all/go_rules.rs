//! The rules of Go by example: captures, ko, superko, suicide, passes, scoring, setting up.

use banyan_games::game::{Game, SetupError};
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, IllegalMove, Margin, Move, Record, Rng};
use proptest::prelude::*;

fn rules(size: u32, komi: i16) -> GoRules {
    GoRules::new(size, komi).expect("a size of 2 to 25")
}

/// A position from rows of `X` (Black), `O` and `.`.
fn board(rows: &[&str], side: Color) -> Go {
    let mut game = Go::new(&rules(rows.len() as u32, 0));
    game.set_up(&stones(rows), side).expect("a position that can stand");
    game
}

fn stones(rows: &[&str]) -> Vec<(Color, Move)> {
    let marks = rows.iter().flat_map(|row| row.chars()).enumerate();
    let stone = |(point, mark)| match mark {
        'X' => Some((Color::Black, Move::point(point))),
        'O' => Some((Color::White, Move::point(point))),
        _ => None,
    };
    marks.filter_map(stone).collect()
}

fn drawing(game: &Go) -> Vec<String> {
    let side = usize::from(game.size().width);
    let mark = |point| match game.stone(Move::point(point)) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    (0..side).map(|row| (0..side).map(|column| mark(row * side + column)).collect()).collect()
}

fn at(game: &Go, text: &str) -> Move {
    game.parse_move(text).expect("a point of the board")
}

fn play(game: &mut Go, text: &str) {
    let mv = at(game, text);
    assert!(game.is_legal(mv), "{text}");
    game.play(mv);
}

#[test]
fn a_group_without_liberties_is_taken_off() {
    let mut game = board(&["XOO.", ".XX.", "....", "...."], Color::Black);
    play(&mut game, "D4");
    assert_eq!(drawing(&game), ["X..X", ".XX.", "....", "...."]);
}

#[test]
fn one_stone_may_take_several_groups() {
    let mut game = board(&["XO.OX", ".XOX.", "..X..", ".....", "....."], Color::Black);
    play(&mut game, "C5");
    assert_eq!(drawing(&game), ["X.X.X", ".X.X.", "..X..", ".....", "....."]);
}

#[test]
fn suicide_is_illegal_unless_it_takes_something() {
    let game = board(&[".X...", "X....", ".....", ".....", "....."], Color::White);
    assert!(!game.is_legal(at(&game, "A5")));
    let game = board(&[".XO..", "XO...", "O....", ".....", "....."], Color::White);
    assert!(game.is_legal(at(&game, "A5")));
    let game = board(&["O.X..", "OX...", "X....", ".....", "....."], Color::White);
    assert!(!game.is_legal(at(&game, "B5")), "a suicide of three stones");
}

#[test]
fn a_ko_is_not_retaken_at_once() {
    let rows = [".XO..", "XO.O.", ".XO..", ".....", "....."];
    let mut record =
        Record::<Go>::set_up(&rules(5, 0), &stones(&rows), Color::Black).expect("can stand");
    let (take, retake) = (at(record.position(), "C4"), at(record.position(), "B4"));
    let far = at(record.position(), "E1");
    record.play(take).expect("taking the ko");
    assert_eq!(record.play(retake), Err(IllegalMove::Illegal("B4".into())));
    let mut other = record.position().clone();
    other.set_side_to_move(Color::Black).expect("allowed in Go");
    assert_ne!(other.hash(), record.position().hash());
    record.play(far).expect("a threat");
    record.play(at(record.position(), "D1")).expect("its answer");
    record.play(retake).expect("now the stones differ from before");
}

#[test]
fn after_a_pass_each_the_simple_ko_is_gone_but_superko_still_forbids_it() {
    let rows = [".XO..", "XO.O.", ".XO..", ".....", "....."];
    let mut record =
        Record::<Go>::set_up(&rules(5, 0), &stones(&rows), Color::Black).expect("can stand");
    let (take, retake) = (at(record.position(), "C4"), at(record.position(), "B4"));
    record.play(take).expect("taking the ko");
    record.play_as(Color::Black, at(record.position(), "E1")).expect("Black plays twice");
    record.undo();
    record.play(Move::PASS).expect("White passes");
    record.play_as(Color::White, Move::PASS).expect("and once more");
    assert_eq!(record.position().outcome(), None, "only one side has passed");
    record.undo();
    let mut game = record.position().clone();
    game.set_side_to_move(Color::White).expect("allowed in Go");
    assert!(game.is_legal(retake));
    assert_eq!(record.play_as(Color::White, retake), Err(IllegalMove::Superko("B4".into())));
}

#[test]
fn a_snapback_is_no_ko() {
    let mut game = board(&["..OX.", "OOOX.", "XXX..", ".....", "....."], Color::Black);
    play(&mut game, "B5");
    play(&mut game, "A5");
    assert_eq!(drawing(&game)[0], "O.OX.");
    play(&mut game, "B5");
    assert_eq!(drawing(&game)[..2], [".X.X.", "...X."]);
}

#[test]
fn superko_forbids_exactly_what_brings_back_an_earlier_board() {
    let mut forbidden = 0;
    for seed in 0..1000 {
        let mut rng = Rng::from_seed(seed);
        let mut record = Record::<Go>::new(&rules(2 + seed as u32 % 2, 0));
        let mut seen = vec![drawing(record.position())];
        for _ in 0..30 {
            let position = record.position().clone();
            for point in (0..position.size().area()).map(Move::point) {
                let mut next = position.clone();
                let repeats = next.is_legal(point) && {
                    next.play(point);
                    seen.contains(&drawing(&next))
                };
                forbidden += u32::from(repeats);
                assert_eq!(record.is_legal(point), position.is_legal(point) && !repeats);
            }
            let moves = record.candidates();
            if position.outcome().is_some() {
                break;
            }
            record.play(moves[rng.below(moves.len() as u32) as usize]).expect("a candidate");
            seen.push(drawing(record.position()));
        }
    }
    assert!(forbidden > 100, "superko came up {forbidden} times");
}

#[test]
fn two_passes_end_the_game_and_nothing_is_legal_then() {
    let mut game = Go::new(&rules(9, 15));
    game.play(Move::point(40));
    game.play(Move::PASS);
    assert_eq!(game.outcome(), None);
    game.play(Move::PASS);
    assert_eq!(game.outcome().map(|outcome| outcome.margin), Some(Margin(162 - 15)));
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    game.candidates(&mut moves);
    assert_eq!(moves, []);
    assert!((0..=u16::MAX).all(|mv| !game.is_legal(Move(mv))));
}

#[test]
fn area_counts_stones_and_what_one_side_alone_surrounds() {
    let game = board(&[".X.O.", "XX.OO", ".....", ".X.O.", "....."], Color::Black);
    let score = |dead: &[Move]| game.score_without(dead).map(|outcome| outcome.margin);
    assert_eq!(score(&[]), Some(Margin(0)));
    let dead: Vec<Move> =
        ["D5", "D4", "E4", "D2"].into_iter().map(|text| at(&game, text)).collect();
    assert_eq!(score(&dead), Some(Margin(50)));
    assert_eq!(score(&[Move::PASS, Move(999)]), Some(Margin(0)), "no stones there");
}

#[test]
fn stones_that_cannot_stand_are_refused_by_name() {
    let mut game = Go::new(&rules(5, 0));
    let (black, white) = (Color::Black, Color::White);
    let twice = [(black, Move::point(0)), (white, Move::point(0))];
    let occupied = |color, point: &str| Err(SetupError::Occupied { color, point: point.into() });
    assert_eq!(game.set_up(&twice, black), occupied(white, "A5"));
    assert_eq!(game.set_up(&[(black, Move::point(25))], black), occupied(black, "point 25"));
    assert_eq!(game.set_up(&[(black, Move::PASS)], black), occupied(black, "pass"));
    let taken = stones(&["OX...", "X....", ".....", ".....", "....."]);
    let refused = Err(SetupError::NoLiberty { point: "A5".into() });
    assert_eq!(game.set_up(&taken, black), refused);
}

#[test]
fn setting_up_starts_from_an_empty_board() {
    let mut game = board(&["XX.", "...", "..."], Color::White);
    game.set_up(&[(Color::White, Move::point(4))], Color::Black).expect("one stone");
    assert_eq!(drawing(&game), ["...", ".O.", "..."]);
    assert_eq!(game.side_to_move(), Color::Black);
}

#[test]
fn handicap_points_are_points_of_the_board() {
    let game = Go::new(&rules(19, 0));
    let points = game.handicap_points(4).expect("19x19 takes 2 to 9");
    assert_eq!(
        points.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>().join(" "),
        "D4 Q16 D16 Q4"
    );
    assert_eq!(game.handicap_points(10), None);
    assert_eq!(Go::new(&rules(5, 0)).handicap_points(2), None);
}

proptest! {
    #[test]
    fn the_hash_does_not_depend_on_the_order_of_moves(
        size in 5u32..=25,
        seed in any::<[u16; 8]>(),
    ) {
        let area = (size * size) as u16;
        let mut points: Vec<u16> = seed.iter().map(|point| point % area).collect();
        points.sort_unstable();
        points.dedup();
        let of = |k: usize| Color::BOTH[k % 2];
        let mut forwards = Go::new(&rules(size, 0));
        let mut backwards = forwards.clone();
        // Nothing must be taken on the way, or the order does matter.
        for (k, &point) in points.iter().enumerate() {
            forwards.set_side_to_move(of(k)).expect("allowed in Go");
            prop_assume!(forwards.is_legal(Move(point)));
            forwards.play(Move(point));
        }
        for (k, &point) in points.iter().enumerate().rev() {
            backwards.set_side_to_move(of(k)).expect("allowed in Go");
            prop_assume!(backwards.is_legal(Move(point)));
            backwards.play(Move(point));
        }
        backwards.set_side_to_move(forwards.side_to_move()).expect("allowed in Go");
        let standing = |game: &Go| points.iter().all(|&p| game.stone(Move(p)).is_some());
        prop_assume!(standing(&forwards) && standing(&backwards));
        prop_assert_eq!(forwards.stones_hash(), backwards.stones_hash());
    }

    #[test]
    fn any_number_may_be_asked_for_a_move(size in 2u32..=25, mv in any::<u16>()) {
        let game = Go::new(&rules(size, 0));
        let on_board = u32::from(mv) < size * size;
        prop_assert_eq!(game.is_legal(Move(mv)), on_board || mv == u16::MAX);
        prop_assert_eq!(game.stone(Move(mv)), None);
        prop_assert_eq!(game.group(Move(mv)), vec![]);
    }

    #[test]
    fn any_list_of_stones_is_set_up_or_refused(
        size in 2u32..=9,
        stones in prop::collection::vec((any::<bool>(), 0u16..90), 0..40),
    ) {
        let stones: Vec<_> = stones
            .iter()
            .map(|&(black, point)| (if black { Color::Black } else { Color::White }, Move(point)))
            .collect();
        let mut game = Go::new(&rules(size, 0));
        if game.set_up(&stones, Color::White).is_ok() {
            prop_assert!(stones.iter().all(|&(color, point)| game.stone(point) == Some(color)));
        }
    }
}
