//! Renju's forbidden points against those that other programs found.

use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Color, Game, Move};

/// A line a position: the stones in the order of play, `;`, and the points that Black may not play.
/// `RENJU=positions.txt cargo test --release -p banyan-games --test all renju -- --ignored`
#[test]
#[ignore = "needs a file of positions in RENJU"]
fn forbidden_points_are_those_that_others_found() {
    let path = std::env::var("RENJU").expect("RENJU names a file of positions");
    let text = std::fs::read_to_string(path).expect("the file that RENJU names");
    let point = |text: &str| {
        let (x, y) = text.split_once(',').expect("x,y");
        let number = |text: &str| text.parse::<usize>().expect("a number");
        Move::point(15 * number(y) + number(x))
    };
    let rules = GomokuRules::new(15, 15, Variant::Renju).expect("a size");
    let mut lines = 0;
    for line in text.lines().filter(|line| line.contains(';')) {
        let (stones, expected) = line.split_once(';').expect("stones ; points");
        let stones = stones.split_whitespace().map(point);
        let colors = Color::BOTH.into_iter().cycle();
        let stones: Vec<_> = colors.zip(stones).collect();
        let mut position = Gomoku::new(&rules);
        position.set_up(&stones, Color::Black).expect("free points");
        let mut expected: Vec<Move> = expected.split_whitespace().map(point).collect();
        expected.sort();
        let free = (0..225).map(Move::point).filter(|&at| position.stone(at).is_none());
        let found: Vec<Move> = free.filter(|&at| !position.is_legal(at)).collect();
        assert_eq!(found, expected, "{line}");
        lines += 1;
    }
    assert!(lines > 200, "{lines}");
}
