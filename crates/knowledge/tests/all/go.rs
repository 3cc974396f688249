//! Heavy playouts of Go: that they play by the rules, and that they know what they should.

use banyan_games::game::Game;
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Move, Observer, Outcome, Rng};
use banyan_knowledge::{Knowledge, Policy};

fn empty(side: u32) -> Go {
    Go::new(&GoRules::new(side, 15).expect("a size of 2 to 25"))
}

/// Plays along with a playout by the rules of Go.
struct Along {
    game: Go,
    eyes_filled: u32,
}

impl Observer for Along {
    const WANTS_OWNERS: bool = false;

    fn played(&mut self, color: Color, point: Move) {
        if self.game.side_to_move() != color {
            self.game.play(Move::PASS);
        }
        assert_eq!(self.game.side_to_move(), color, "two passes end a game");
        assert!(self.game.is_legal(point), "{point:?} in {:?}", self.game);
        let mut candidates = Vec::new();
        self.game.candidates(&mut candidates);
        self.eyes_filled += u32::from(!candidates.contains(&point));
        self.game.play(point);
    }

    fn ended(&mut self, outcome: Outcome, _: impl Fn(usize) -> Option<Color>) {
        assert_eq!(self.game.score_without(&[]), Some(outcome));
    }
}

#[test]
fn every_move_is_legal_no_eye_is_filled_and_the_end_is_scored_by_area() {
    for (side, playouts) in
        [(2, 50), (5, 100), (7, 100), (9, 200), (10, 50), (13, 50), (19, 30), (25, 5)]
    {
        for seed in 0..playouts {
            let mut along = Along { game: empty(side), eyes_filled: 0 };
            let rng = &mut Rng::from_seed(seed);
            let (_, plies) = empty(side).playout_by(Policy::Heavy, rng, &mut along);
            assert_eq!(along.eyes_filled, 0, "side {side}, seed {seed}");
            assert!(plies <= 3 * side * side);
        }
    }
}

/// The first move of a playout.
#[derive(Default)]
struct First(Option<Move>);

impl Observer for First {
    const WANTS_OWNERS: bool = false;

    fn played(&mut self, _: Color, point: Move) {
        self.0.get_or_insert(point);
    }

    fn ended(&mut self, _: Outcome, _: impl Fn(usize) -> Option<Color>) {}
}

/// Measures how often Black answers the White stone `last` with `answer`, in percent. The rows draw Black as `X`,
/// White as `O`, from the top; what they leave out is empty.
fn percent(rows: &[&str], last: &str, answer: &str) -> u32 {
    let mut game = empty(9);
    let stone = |(row, column, mark)| match mark {
        'X' => Some((Color::Black, Move::point(9 * row + column))),
        'O' => Some((Color::White, Move::point(9 * row + column))),
        _ => None,
    };
    let cells = rows.iter().enumerate().flat_map(|(row, marks)| {
        marks.chars().enumerate().map(move |(column, mark)| (row, column, mark))
    });
    let stones: Vec<_> = cells.filter_map(stone).collect();
    game.set_up(&stones, Color::White).expect("a position that can stand");
    game.play(game.parse_move(last).expect("a point"));
    let answer = game.parse_move(answer).expect("a point");
    let is_answer = |&seed: &u64| {
        let mut first = First::default();
        game.clone().playout_by(Policy::Heavy, &mut Rng::from_seed(seed), &mut first);
        first.0 == Some(answer)
    };
    (0..1000).filter(is_answer).count() as u32 / 10
}

#[test]
fn a_chain_put_in_atari_runs_where_it_gets_room() {
    let rows = ["", "", "", "...OX....", "...OXO...", "....O...."];
    let runs = percent(&rows, "F6", "E7");
    assert!(runs >= 50, "{runs} %");
}

#[test]
fn a_chain_put_in_atari_takes_what_attacks_it() {
    // White's E7 puts two in atari and leaves F5 there.
    let rows = ["", "", "", "...OX....", "...OXOX..", "....OX..."];
    let takes = percent(&rows, "E7", "F6");
    assert!(takes >= 80, "{takes} %");
}

#[test]
fn a_stone_that_puts_itself_in_atari_is_taken() {
    let rows = ["", "", "....X....", "...X.....", "....X...."];
    let takes = percent(&rows, "E6", "F6");
    assert!(takes >= 70, "{takes} %");
}

#[test]
fn the_vital_point_of_three_is_played() {
    let rows = ["", "", "", "", "", "XXXXX....", "XXXXX....", "OOOOX....", "...  ...."];
    let kills = percent(&rows, "D1", "B1");
    assert!(kills >= 25, "{kills} %");
}

#[test]
fn a_large_chain_does_not_put_itself_in_atari() {
    // B1 would leave Black's four stones A1 alone.
    let rows = ["", "", "", "", "", "", "OOOOO....", "XXXXO....", "..OOO...."];
    assert_eq!(percent(&rows, "E9", "B1"), 0);
}

#[test]
fn every_move_that_a_liar_could_name_has_a_prior() {
    for side in [2, 9, 25] {
        let mut game = empty(side);
        game.play(Move(1));
        let moves: Vec<Move> = (0..=u16::MAX).map(Move).collect();
        let mut weights = Vec::new();
        game.priors(&moves, &mut weights);
        assert_eq!(weights.len(), moves.len());
        assert!(weights.iter().all(|&weight| weight > 0.0 && weight.is_finite()));
        let off_board = usize::try_from(side * side).expect("small");
        assert!(weights[0] > weights[1] && weights[1] == weights[off_board]);
    }
}
