//! Numbers kept as stones come and go are those that a look at the whole board finds.

use super::Bits;
use super::board::Board;
use super::heat::Heat;
use super::playing::Playing;
use super::sizes::for_side;
use super::weights::{Factor, Weights};
use banyan_games::game::Game;
use banyan_games::go::{Go, GoRules};
use banyan_games::rng::Rng;
use banyan_games::types::{Color, Move};

fn empty(side: u32) -> Go {
    Go::new(&GoRules::new(side, 15).expect("a size of 2 to 25"))
}

/// Heavy games with a look at the whole board after each ply.
fn agree<const W: usize, const N: usize>(side: u32, games: u64) {
    for seed in 0..games {
        let (mut game, mut rng) = (empty(side), Rng::from_seed(seed));
        let mut playing = Playing::<W, N>::new(&game);
        while !playing.is_over() {
            let drawn = playing.step(&mut rng);
            game.play(drawn.map_or(Move::PASS, |v| Move::point(playing.board.point(v))));
            if game.outcome().is_none() {
                same_board(&playing, &game);
                same_tactics(&playing.board, &game);
            }
        }
    }
}

fn same_board<const W: usize, const N: usize>(playing: &Playing<W, N>, game: &Go) {
    let (kept, mut fresh, mut heat) = (&playing.board, Board::<W, N>::new(game), Heat::new());
    assert_eq!((kept.stones, kept.empty), (fresh.stones, fresh.empty));
    assert_eq!((kept.ko, kept.last), (fresh.ko, fresh.last));
    heat.refresh(&mut fresh, Weights::learned());
    for v in (kept.stones[0] | kept.stones[1] | kept.empty).iter() {
        assert_eq!(kept.code(v), fresh.code(v));
        if !kept.empty.contains(v) {
            assert_eq!(kept.chain(v), fresh.chain(v));
        }
        for color in Color::BOTH {
            assert_eq!(playing.heat.of(color, v), heat.of(color, v), "{color} at {v} of {game:?}");
        }
    }
    assert_eq!(Color::BOTH.map(|c| playing.heat.total(c)), Color::BOTH.map(|c| heat.total(c)));
}

/// Liberties after a move, self-atari and suicide, against the moves played by the rules.
fn same_tactics<const W: usize, const N: usize>(board: &Board<W, N>, game: &Go) {
    let side = game.side_to_move();
    for v in board.empty.iter() {
        let mv = Move::point(board.point(v));
        let (liberties, stones) = board.after(side, v);
        if board.ko == Some(v) {
            continue;
        }
        assert_eq!(game.is_legal(mv), !liberties.is_empty(), "{mv:?} of {game:?}");
        if !game.is_legal(mv) {
            continue;
        }
        let mut next = game.clone();
        next.play(mv);
        let after = Board::<W, N>::new(&next);
        assert_eq!((after.chain(v).liberties, after.chain(v).stones), (liberties, stones));
        let takes = board.stones[(!side).index()] != after.stones[(!side).index()];
        let is_self_atari = after.chain(v).is_in_atari() && !takes;
        let found = board.self_atari(side, v);
        assert_eq!(found.is_some(), is_self_atari, "{mv:?} of {game:?}");
        let is_throw_in = found == Some(Factor::ThrowIn);
        let is_one = is_self_atari && stones.len() == 1 && !is_throw_in;
        assert_eq!(found == Some(Factor::SelfAtariOne), is_one);
    }
}

#[test]
fn what_is_kept_is_what_a_look_at_the_whole_board_finds() {
    for (side, games) in [(2, 10), (3, 10), (5, 20), (9, 4), (10, 2), (13, 2), (19, 1), (25, 1)] {
        for_side!(side, agree(side, games));
    }
}

/// The vital point of the region of `.` around `*`, as a drawing that names it `!`.
fn vital(drawing: &str) -> Option<char> {
    let mut board = Board::<2, 128>::new(&empty(9));
    let cells: Vec<char> = drawing.chars().filter(|cell| !cell.is_whitespace()).collect();
    let of = |marks: &str| {
        let points = (0..81).filter(|&point| marks.contains(cells[point]));
        points.fold(Bits::EMPTY, |set, point| set | Bits::one(board.vertex(point)))
    };
    let region = of(".!");
    board.empty = region;
    board.vital(region).map(|v| cells[board.point(v)])
}

/// A board of stones with a region in its corner.
fn shaped(rows: [&str; 4]) -> String {
    let mut drawing: String = rows.iter().map(|row| format!("{row}XXXXX")).collect();
    drawing.push_str(&"X".repeat(45));
    drawing
}

#[test]
fn shapes_that_one_stone_decides_have_that_vital_point() {
    for rows in [
        [".!.X", "XXXX", "XXXX", "XXXX"],
        ["!.XX", ".XXX", "XXXX", "XXXX"],
        [".!.X", "X.XX", "XXXX", "XXXX"],
        [".!.X", "..XX", "XXXX", "XXXX"],
        ["X.XX", ".!.X", "X.XX", "XXXX"],
        ["X..X", ".!.X", "X.XX", "XXXX"],
    ] {
        assert_eq!(vital(&shaped(rows)), Some('!'), "{rows:?}");
    }
}

#[test]
fn other_shapes_have_none() {
    for rows in [
        ["..XX", "XXXX", "XXXX", "XXXX"],
        ["....", "XXXX", "XXXX", "XXXX"],
        ["..XX", "..XX", "XXXX", "XXXX"],
        ["..XX", "X..X", "XXXX", "XXXX"],
        ["....", "X.XX", "XXXX", "XXXX"],
        ["...X", "...X", "XXXX", "XXXX"],
    ] {
        assert_eq!(vital(&shaped(rows)), None, "{rows:?}");
    }
}

/// A position of 9x9 after the last of these stones; the others stood there before.
fn after(black: &[u16], white: &[u16], last: (Color, u16)) -> Go {
    let of = |color| move |&point: &u16| (color, Move(point));
    let black = black.iter().map(of(Color::Black));
    let stones: Vec<_> = black.chain(white.iter().map(of(Color::White))).collect();
    let mut game = empty(9);
    game.set_up(&stones, last.0).expect("a position that can stand");
    game.play(Move(last.1));
    game
}

/// The points of the board that are an answer of this kind.
fn answers(game: &Go, factor: Factor) -> Vec<usize> {
    let board = Board::<2, 128>::new(game);
    let found = board.answers(game.side_to_move());
    let of_kind = found.all().iter().filter(|&&(_, of)| of == factor);
    let mut points: Vec<usize> = of_kind.map(|&(v, _)| board.point(v.into())).collect();
    points.sort_unstable();
    points
}

#[test]
fn a_stone_put_in_atari_is_saved_as_often_as_the_table_says() {
    // Black in the middle, White on three sides of it.
    let game = after(&[40], &[31, 39], (Color::White, 49));
    assert_eq!(answers(&game, Factor::SaveToMore), [41]);
    let is_saved = |seed| {
        let mut playing = Playing::<2, 128>::new(&game);
        playing.step(&mut Rng::from_seed(seed)) == Some(playing.board.vertex(41))
    };
    let saved = (0..2000).filter(|&seed| is_saved(seed)).count();
    // Eight of ten by its own stage; the surroundings speak for it as well.
    assert!((1600..1900).contains(&saved), "{saved} of 2000");
}

#[test]
fn an_atari_that_can_be_run_from_is_no_answer() {
    // White's stone in the open has two liberties; either flight leaves it three.
    assert_eq!(answers(&after(&[31, 39], &[], (Color::White, 40)), Factor::AtariLast), [0usize; 0]);
    // On the edge it must be driven along it.
    assert_eq!(answers(&after(&[3], &[], (Color::White, 4)), Factor::AtariLast), [13]);
    // Black's stone on the edge is in such danger, one in the open is not.
    assert_eq!(answers(&after(&[4], &[], (Color::White, 3)), Factor::DefendTwo), [5, 13]);
    assert_eq!(answers(&after(&[40], &[31], (Color::White, 39)), Factor::DefendTwo), [0usize; 0]);
}

#[test]
fn the_liberties_of_a_foe_with_no_more_of_them_are_answers_in_a_race() {
    // Black's stone in the middle has three liberties left, and so has the stone next to it.
    assert_eq!(answers(&after(&[40], &[], (Color::White, 49)), Factor::Race), [48, 50, 58]);
    // A foe with five of them is not to be raced.
    assert_eq!(answers(&after(&[40], &[58], (Color::White, 49)), Factor::Race), [0usize; 0]);
}

#[test]
fn the_vital_point_is_seen_with_a_stone_inside_and_a_throw_in_is_known() {
    // Black's eye space is the corner's first three points; White has thrown a stone in.
    let wall = [3, 9, 10, 11, 12];
    assert_eq!(answers(&after(&wall, &[], (Color::White, 0)), Factor::Nakade), [1]);
    // Two points: either stone of White is a throw-in, one of Black's own fills its eye.
    let game = after(&[2, 9, 10, 11], &[], (Color::Black, 80));
    let board = Board::<2, 128>::new(&game);
    for point in [0, 1] {
        assert_eq!(board.self_atari(Color::White, board.vertex(point)), Some(Factor::ThrowIn));
        assert_eq!(board.self_atari(Color::Black, board.vertex(point)), None);
    }
}

#[test]
fn a_chain_s_own_eye_space_is_left_open_beside_its_vital_point() {
    let fills = |black: &[u16], white: (Color, u16), point| {
        let board = Board::<2, 128>::new(&after(black, &[], white));
        board.fills_own_eye(Color::Black, board.vertex(point))
    };
    // The corner's first three points behind one chain.
    let wall = [3, 9, 10, 11, 12];
    let elsewhere = (Color::White, 80);
    assert_eq!([0, 1, 2].map(|point| fills(&wall, elsewhere, point)), [true, false, true]);
    // A foe inside may have to be answered, and a gap between two chains to be closed.
    assert!(!fills(&wall, (Color::White, 0), 2));
    assert!(!fills(&[3, 9, 10, 11], elsewhere, 0));
    // The other side's eye is no own one.
    let board = Board::<2, 128>::new(&after(&wall, &[], elsewhere));
    assert!(!board.fills_own_eye(Color::White, board.vertex(0)));
}
