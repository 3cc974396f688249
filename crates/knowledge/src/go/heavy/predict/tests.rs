//! Features seen in a move, on boards that can be checked by eye.

use super::feature::Kind;
use super::{Feature, features};
use crate::go::tests::diagram;
use crate::knowledge::Knowledge as _;
use banyan_games::game::Game;
use banyan_games::go::{Go, GoRules};
use banyan_games::rng::Rng;
use banyan_games::types::{Color, Move};

/// Features seen in a move, without the stones around it.
fn seen(position: &Go, point: usize) -> Vec<String> {
    let of = features(position, &[Move::point(point)]).remove(0);
    of.iter().filter(|feature| !feature.is_shape()).map(Feature::to_string).collect()
}

fn is_seen(position: &Go, point: usize, feature: &str) -> bool {
    seen(position, point).iter().any(|other| other == feature)
}

#[test]
fn captures_escapes_and_ataris_are_seen() {
    let capture = diagram(
        "O X . . .
         . . . . .
         . . . . .
         . . . . .
         . . . . .",
    );
    assert!(is_seen(&capture, 5, "capture 0"), "{:?}", seen(&capture, 5));
    assert!(is_seen(&capture, 5, "breath 3"), "{:?}", seen(&capture, 5));
    let escape = diagram(
        ". . . . .
         . . O . .
         . O X . .
         . . O . .
         . . . . .",
    );
    assert!(is_seen(&escape, 13, "escape 3"), "{:?}", seen(&escape, 13));
    let atari = diagram(
        ". . . . .
         . . X . .
         . X O . .
         . . . . .
         . . . . .",
    );
    assert!(is_seen(&atari, 17, "atari 2"), "{:?}", seen(&atari, 17));
    let ladder = diagram(
        ". . . . . . .
         . . X X . . .
         . X O O . . .
         . . X . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
    // From above it catches, from below it does not.
    assert!(is_seen(&ladder, 18, "atari 4"), "{:?}", seen(&ladder, 18));
    assert!(is_seen(&ladder, 24, "atari 5"), "{:?}", seen(&ladder, 24));
}

#[test]
fn the_last_stones_are_measured_from() {
    let mut position = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
    assert!(is_seen(&position, 40, "last 0") && is_seen(&position, 40, "before 0"));
    position.play(Move::point(40));
    position.play(Move::point(20));
    // From the middle two columns and two rows; from the other stone one row and one column more.
    assert!(is_seen(&position, 60, "before 6"), "{:?}", seen(&position, 60));
    assert!(is_seen(&position, 60, "last 12"));
    assert!(is_seen(&position, 21, "last 2"));
    position.play(Move::PASS);
    assert!(is_seen(&position, 60, "last 0") && is_seen(&position, 60, "before 12"));
}

/// A position after random plies, and the same with colours and sides of the board changed.
fn twins(rng: &mut Rng) -> [Go; 2] {
    let rules = GoRules::new(9, 0).expect("a size of Go");
    let mut twins = [Go::new(&rules), Go::new(&rules)];
    twins[1].set_side_to_move(Color::White).expect("any side");
    for _ in 0..60 {
        let mut moves = Vec::new();
        twins[0].candidates(&mut moves);
        moves.retain(|mv| !mv.is_pass());
        if let Some(&mv) = moves.get(rng.below(moves.len().max(1) as u32) as usize) {
            twins[0].play(mv);
            twins[1].play(mirrored(mv));
        }
    }
    twins
}

fn mirrored(mv: Move) -> Move {
    mv.index().map_or(mv, |point| Move::point(point % 9 * 9 + point / 9))
}

#[test]
fn colours_and_sides_of_the_board_make_no_difference() {
    let mut rng = Rng::from_seed(4);
    let (mut moves_seen, mut different) = (0, 0);
    for _ in 0..30 {
        let [position, twin] = twins(&mut rng);
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        let of_twin: Vec<Move> = moves.iter().map(|&mv| mirrored(mv)).collect();
        let (mut odds, mut same) = (Vec::new(), Vec::new());
        position.priors(&moves, &mut odds);
        twin.priors(&of_twin, &mut same);
        let is_near = |(a, b): &(&f32, &f32)| (*a - *b).abs() <= 0.01 * *a;
        let near = odds.iter().zip(&same).filter(is_near).count();
        assert!(near * 4 > moves.len() * 3, "{near} of {}", moves.len());
        let all = features(&position, &moves).into_iter().zip(features(&twin, &of_twin));
        for (of, of_twin) in all {
            // A ladder that is read no further is not the same from all sides.
            let [(of, ladders), (twin, twin_ladders)] = [of, of_twin].map(without_ladders);
            assert_eq!(of, twin);
            moves_seen += 1;
            different += usize::from(ladders != twin_ladders);
        }
    }
    assert!(100 * different < moves_seen, "{different} of {moves_seen}");
}

/// Features but for what was read out, and that.
fn without_ladders(features: Vec<Feature>) -> (Vec<Feature>, Vec<Feature>) {
    let is_read =
        |feature: &Feature| matches!(feature.kind(), Kind::Atari | Kind::Escape | Kind::Defend);
    let (mut read, mut others): (Vec<_>, Vec<_>) = features.into_iter().partition(is_read);
    read.sort();
    others.sort();
    (others, read)
}

#[test]
fn a_feature_is_read_as_it_is_written() {
    let mut rng = Rng::from_seed(5);
    let [position, _] = twins(&mut rng);
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    for feature in features(&position, &moves).into_iter().flatten() {
        assert_eq!(Feature::parse(&feature.to_string()), Some(feature), "{feature}");
    }
    for wrong in
        ["", "capture", "capture x", "shape8 ...", "shape12 ........", "tight 8", "race -1"]
    {
        assert_eq!(Feature::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn a_stone_that_can_be_taken_is_likelier_than_a_corner() {
    let position = diagram(
        ". . . . . . . . .
         . . . X . . . . .
         . . X O O . . . .
         . . . X X . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    let mut odds = Vec::new();
    position.priors(&[13, 0, 23].map(Move::point), &mut odds);
    assert!(odds[0] > 5.0 * odds[1] && odds[2] > 5.0 * odds[1], "{odds:?}");
}

/// Returns those of these points that are left of all candidates.
fn left(position: &Go, points: &[usize]) -> Vec<usize> {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    position.leave_out_bad(&mut moves);
    points.iter().copied().filter(|&point| moves.contains(&Move::point(point))).collect()
}

#[test]
fn a_stone_that_runs_into_a_ladder_is_left_out_and_one_that_gets_away_is_not() {
    let ladder = diagram(
        ". . . . . . .
         . . O O . . .
         . O X . . . .
         . . O . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
    assert_eq!(left(&ladder, &[17, 45]), [45]);
    let broken = diagram(
        ". . . . . . .
         . . O O . . .
         . O X . . . .
         . . O . . . .
         . . . . . . .
         . . . . X . .
         . . . . . . .",
    );
    assert_eq!(left(&broken, &[17]), [17]);
}

#[test]
fn a_self_atari_of_several_stones_is_left_out_unless_it_wins_something() {
    // Black joining at a3 has one liberty, a4.
    let joins = diagram(
        "X O . . .
         X O . . .
         . O . . .
         . O . . .
         O . . . .",
    );
    assert_eq!(left(&joins, &[10, 15]), [15]);
    // The same stone takes the one below it.
    let takes = diagram(
        "X O . . .
         X O . . .
         . O . . .
         O X . . .
         X . . . .",
    );
    assert_eq!(left(&takes, &[10]), [10]);
    // Single stones may be thrown in.
    let single = diagram(
        ". O . . .
         . O . . .
         O . . . .
         . . . . .
         . . . . .",
    );
    assert_eq!(left(&single, &[0]), [0]);
}

#[test]
fn where_every_stone_reads_as_bad_none_is_left_out() {
    let mut moves = vec![Move::point(17), Move::PASS];
    let ladder = diagram(
        ". . . . . . .
         . . O O . . .
         . O X . . . .
         . . O . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
    ladder.leave_out_bad(&mut moves);
    assert_eq!(moves, [Move::point(17), Move::PASS]);
}
