//! Renju's forbidden points against diagrams, and against those that other programs found.

use std::path::Path;

use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Color, Game, Move};

/// Diagrams whose answers follow from the rules by hand.
const DIAGRAMS: &str = include_str!("renju.txt");

/// Positions of other programs' making, where they lie beside the project. A line a position: the
/// stones in the order of play, `;`, and the points that Black may not play.
const OTHERS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/renju-forbidden.txt");

/// The points of the board that are free and forbidden to Black, in order.
fn forbidden(rules: &GomokuRules, stones: &[(Color, Move)]) -> Vec<Move> {
    let mut position = Gomoku::new(rules);
    position.set_up(stones, Color::Black).expect("free points");
    let area = position.size().area();
    let free = (0..area).map(Move::point).filter(|&at| position.stone(at).is_none());
    free.filter(|&at| !position.is_legal(at)).collect()
}

/// Checks a diagram: a title, and the board below it.
fn check(diagram: &str) {
    let (title, board) = diagram.split_once('\n').expect("a title and a board");
    let rows: Vec<Vec<&str>> = board.lines().map(|row| row.split_whitespace().collect()).collect();
    let (width, height) = (rows[0].len(), rows.len());
    let signs = rows.concat();
    assert_eq!(signs.len(), width * height, "{title}: a row is too long or too short");
    let of = |wanted: &str| -> Vec<Move> {
        (0..signs.len()).filter(|&at| signs[at] == wanted).map(Move::point).collect()
    };
    let black = of("X").into_iter().map(|at| (Color::Black, at));
    let white = of("O").into_iter().map(|at| (Color::White, at));
    let stones: Vec<_> = black.chain(white).collect();
    let rules = GomokuRules::new(width as u32, height as u32, Variant::Renju).expect(title);
    assert_eq!(forbidden(&rules, &stones), of("#"), "{title}");
}

#[test]
fn forbidden_points_are_those_of_the_diagrams() {
    // What stands above the first empty line says how to read the rest.
    let diagrams: Vec<&str> = DIAGRAMS.split("\n\n").skip(1).collect();
    assert!(diagrams.len() > 15, "{}", diagrams.len());
    diagrams.into_iter().for_each(check);
}

#[test]
#[expect(clippy::print_stderr, reason = "says that it is skipped")]
fn forbidden_points_are_those_that_others_found() {
    if !Path::new(OTHERS).exists() {
        eprintln!("skipped: {OTHERS} is not there");
        return;
    }
    let text = std::fs::read_to_string(OTHERS).expect("a file of positions");
    let positions: Vec<(&str, &str)> =
        text.lines().filter_map(|line| line.split_once(';')).collect();
    assert!(positions.len() > 200, "{}", positions.len());
    let rules = GomokuRules::new(15, 15, Variant::Renju).expect("a size");
    for (stones, expected) in positions {
        let colors = Color::BOTH.into_iter().cycle();
        let played: Vec<_> = colors.zip(stones.split_whitespace().map(point)).collect();
        let mut expected: Vec<Move> = expected.split_whitespace().map(point).collect();
        expected.sort();
        assert_eq!(forbidden(&rules, &played), expected, "{stones}");
    }
}

/// The point of `x,y`, from 0, on a board of 15x15.
fn point(text: &str) -> Move {
    let (x, y) = text.split_once(',').expect("x,y");
    let number = |text: &str| text.parse::<usize>().expect("a number");
    Move::point(15 * number(y) + number(x))
}
