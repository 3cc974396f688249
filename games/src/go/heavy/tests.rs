//! What is kept as stones come and go is what a look at the whole board finds.

use super::board::Board;
use super::heat::Heat;
use super::playing::Playing;
use super::weights::{Factor, Weights};
use super::{Bits, for_side};
use crate::game::Game;
use crate::go::{Go, GoRules};
use crate::rng::Rng;
use crate::types::{Color, Move};

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
    let side = game.side;
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
        assert_eq!(found == Some(Factor::SelfAtariOne), is_self_atari && stones.len() == 1);
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
