//! Gomoku and Connect6 against a slow twin: an array of points that is searched all over for runs.

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::counts::{Asked, Collector};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::line::{LineRules, Position};
use banyan_games::{Color, Counts, Game, Move, Observer, Outcome, Rng, Size};

#[derive(Clone)]
struct Twin {
    size: Size,
    points: Vec<Option<Color>>,
    wanted: usize,
    overline_wins: bool,
    stones_a_turn: u32,
    side: Color,
    left_in_turn: u32,
}

impl Twin {
    fn start<R: LineRules>(rules: &R) -> Twin {
        Twin {
            size: rules.size(),
            points: vec![None; rules.size().area()],
            wanted: R::LENGTH,
            overline_wins: rules.overline_wins(Color::Black),
            stones_a_turn: u32::from(R::STONES_A_TURN),
            side: Color::Black,
            left_in_turn: 1,
        }
    }

    fn at(&self, row: i32, column: i32) -> Option<Color> {
        let on_board = (0..i32::from(self.size.height)).contains(&row)
            && (0..i32::from(self.size.width)).contains(&column);
        if on_board {
            self.points[row as usize * usize::from(self.size.width) + column as usize]
        } else {
            None
        }
    }

    fn has_won(&self, color: Color) -> bool {
        let mut longest_runs = Vec::new();
        for row in 0..i32::from(self.size.height) {
            for column in 0..i32::from(self.size.width) {
                for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let is_ours =
                        |n: i32| self.at(row + n * down, column + n * right) == Some(color);
                    if !is_ours(-1) {
                        longest_runs.push((0..).take_while(|&n| is_ours(n)).count());
                    }
                }
            }
        }
        longest_runs
            .into_iter()
            .any(|run| run == self.wanted || run > self.wanted && self.overline_wins)
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = Color::BOTH.into_iter().find(|&color| self.has_won(color)) {
            return Some(Outcome::win(winner));
        }
        self.points.iter().all(Option::is_some).then_some(Outcome::DRAW)
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let empty = (0..self.points.len()).filter(|&p| self.points[p].is_none());
        empty.map(Move::point).collect()
    }

    fn play(&mut self, mv: Move) {
        self.points[usize::from(mv.0)] = Some(self.side);
        self.left_in_turn -= 1;
        if self.left_in_turn == 0 {
            self.side = !self.side;
            self.left_in_turn = self.stones_a_turn;
        }
    }

    fn stones(&self) -> Vec<(Color, Move)> {
        let points = self.points.iter().enumerate();
        points.filter_map(|(p, stone)| stone.map(|color| (color, Move::point(p)))).collect()
    }
}

fn assert_same<R: LineRules>(position: &Position<R>, twin: &Twin) {
    for (point, &stone) in twin.points.iter().enumerate() {
        assert_eq!(position.stone(Move::point(point)), stone);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    assert_eq!(moves, twin.legal_moves());
    for mv in (0..700).chain(65_400..=u16::MAX).map(Move) {
        assert_eq!(position.is_legal(mv), moves.binary_search(&mv).is_ok(), "{mv:?}");
    }
    assert_eq!(position.outcome(), twin.outcome());
    if twin.outcome().is_none() {
        assert_eq!(position.side_to_move(), twin.side);
    }
}

/// Small boards give draws and overlines, large ones every layout of bits.
fn gomoku_rules() -> Vec<GomokuRules> {
    let sizes =
        [(5, 5), (5, 25), (25, 5), (9, 7), (15, 15), (16, 15), (19, 19), (20, 20), (25, 25)];
    let both = sizes.into_iter().flat_map(|(width, height)| {
        [Variant::Freestyle, Variant::Standard].map(|five| GomokuRules::new(width, height, five))
    });
    both.map(|rules| rules.expect("fits")).collect()
}

fn connect6_rules() -> Vec<Connect6Rules> {
    [6, 9, 15, 16, 19, 20, 25]
        .into_iter()
        .map(|size| Connect6Rules::new(size).expect("fits"))
        .collect()
}

/// Plays a random game in both, comparing every position.
fn play_both<R: LineRules>(rules: &R, rng: &mut Rng) {
    let (mut position, mut twin) = (Position::new(rules), Twin::start(rules));
    loop {
        assert_same(&position, &twin);
        let moves = twin.legal_moves();
        if moves.is_empty() {
            return;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        position.play(mv);
        twin.play(mv);
    }
}

#[test]
fn every_position_of_random_games_is_the_twins() {
    let mut rng = Rng::from_seed(1);
    for _ in 0..4 {
        gomoku_rules().iter().for_each(|rules| play_both(rules, &mut rng));
        connect6_rules().iter().for_each(|rules| play_both(rules, &mut rng));
    }
}

/// Replays a playout in the twin.
struct Replay {
    twin: Twin,
    plies: u32,
    ended: Option<Outcome>,
}

impl Observer for Replay {
    const WANTS_OWNERS: bool = true;

    fn played(&mut self, color: Color, point: Move) {
        assert_eq!(color, self.twin.side);
        assert!(self.twin.legal_moves().contains(&point), "{point:?}");
        self.twin.play(point);
        self.plies += 1;
    }

    fn ended(&mut self, outcome: Outcome, owner: impl Fn(usize) -> Option<Color>) {
        assert_eq!(self.twin.outcome(), Some(outcome));
        assert!((0..self.twin.points.len()).all(|point| owner(point) == self.twin.points[point]));
        assert!(self.ended.replace(outcome).is_none());
    }
}

/// A position after some random plies, and its twin.
fn some_way_on<R: LineRules>(rules: &R, rng: &mut Rng) -> (Position<R>, Twin) {
    let (mut position, mut twin) = (Position::new(rules), Twin::start(rules));
    for _ in 0..rng.below(rules.size().area() as u32) {
        let moves = twin.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        position.play(mv);
        twin.play(mv);
    }
    (position, twin)
}

fn assert_playout_is_legal<R: LineRules>(position: &Position<R>, twin: &Twin, rng: &mut Rng) {
    let mut replay = Replay { twin: twin.clone(), plies: 0, ended: None };
    let (outcome, plies) = position.clone().playout(rng, &mut replay);
    assert_eq!((replay.ended, replay.plies), (Some(outcome), plies));
}

fn assert_playouts_are_legal<R: LineRules>(rules: &R, rng: &mut Rng) {
    let (position, twin) = some_way_on(rules, rng);
    for _ in 0..3 {
        assert_playout_is_legal(&position, &twin, rng);
        assert_playout_is_legal(&Position::new(rules), &Twin::start(rules), rng);
    }
}

#[test]
fn every_ply_of_a_playout_is_legal_and_it_ends_with_the_first_winning_run() {
    let mut rng = Rng::from_seed(2);
    for _ in 0..4 {
        gomoku_rules().iter().for_each(|rules| assert_playouts_are_legal(rules, &mut rng));
        connect6_rules().iter().for_each(|rules| assert_playouts_are_legal(rules, &mut rng));
    }
}

/// One playout, whose plies are counted one by one.
fn watch<R: LineRules>(position: &Position<R>, rng: &mut Rng, counts: &mut Counts) {
    let area = position.size().area();
    let mut collector = Collector::new(counts, area);
    let (outcome, plies) = position.clone().playout(rng, &mut collector);
    counts.add(outcome, plies);
}

fn assert_batch_counts_its_playouts<R: LineRules>(rules: &R, rng: &mut Rng) {
    let (position, _) = some_way_on(rules, rng);
    for (amaf, ownership) in [(false, false), (true, false), (false, true), (true, true)] {
        for count in [0, 7, 40] {
            let mut batch = Counts::new(rules.size().area(), Asked { amaf, ownership });
            let mut singles = batch.clone();
            let mut again = rng.clone();
            position.playouts(count, rng, &mut batch);
            for _ in 0..count {
                watch(&position, &mut again, &mut singles);
            }
            assert_eq!(batch, singles, "{count} from {position:?}");
            assert_eq!(rng.clone().bits(), again.bits());
        }
    }
}

#[test]
fn a_batch_counts_what_its_playouts_one_by_one_would() {
    let mut rng = Rng::from_seed(3);
    gomoku_rules().iter().for_each(|rules| assert_batch_counts_its_playouts(rules, &mut rng));
    connect6_rules().iter().for_each(|rules| assert_batch_counts_its_playouts(rules, &mut rng));
}

fn perft<R: LineRules>(position: &Position<R>, depth: u32) -> u64 {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if depth <= 1 {
        return if depth == 0 { 1 } else { moves.len() as u64 };
    }
    let after = |mv: Move| {
        let mut next = position.clone();
        next.play(mv);
        perft(&next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

fn twin_perft(twin: &Twin, depth: u32) -> u64 {
    let moves = twin.legal_moves();
    if depth <= 1 {
        return if depth == 0 { 1 } else { moves.len() as u64 };
    }
    let after = |mv: Move| {
        let mut next = twin.clone();
        next.play(mv);
        twin_perft(&next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

#[test]
fn before_anyone_can_have_won_every_order_of_points_is_a_game() {
    let gomoku = Gomoku::new(&GomokuRules::new(5, 5, Variant::Freestyle).expect("fits"));
    let connect6 = Connect6::new(&Connect6Rules::new(6).expect("fits"));
    for depth in 1..=5 {
        let orders = |area: u64| (0..u64::from(depth)).map(|n| area - n).product::<u64>();
        assert_eq!(perft(&gomoku, depth), orders(25));
        assert_eq!(
            perft(&connect6, depth.min(4)),
            (0..u64::from(depth.min(4))).map(|n| 36 - n).product()
        );
    }
}

#[test]
fn perft_near_the_end_of_small_games_is_the_twins() {
    let mut rng = Rng::from_seed(4);
    for five in [Variant::Freestyle, Variant::Standard] {
        let rules = GomokuRules::new(6, 5, five).expect("fits");
        let starts = std::iter::repeat_with(|| some_way_on(&rules, &mut rng));
        let late = starts.filter(|(_, twin)| (1..10).contains(&twin.legal_moves().len()));
        for (position, twin) in late.take(10) {
            for depth in 1..=6 {
                assert_eq!(perft(&position, depth), twin_perft(&twin, depth));
            }
        }
    }
}

#[test]
fn a_setup_with_the_twins_stones_is_the_twins_position() {
    let mut rng = Rng::from_seed(5);
    for rules in connect6_rules() {
        let (position, mut twin) = some_way_on(&rules, &mut rng);
        let mut again = Position::new(&rules);
        again.set_up(&twin.stones(), twin.side).expect("a position of a game");
        if !twin.stones().is_empty() {
            twin.left_in_turn = 2;
        }
        assert_same(&again, &twin);
        assert_eq!(again.stones_hash(), position.stones_hash());
    }
}
