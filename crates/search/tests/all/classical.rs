//! Every classical search gives what plain minimax gives.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_games::Game;
use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::hex::{Hex, HexRules};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Move, Rng};
use banyan_knowledge::{Digest, Evaluation, Knowledge, LateMoves, Ranked};
use banyan_search::classical::{
    Beam, Found, Horizon, Memory, Method, Problem, Step, WON, Watch, is_decided, search,
};

use crate::evaluations::{Arbitrary, Changed};

/// Plain minimax in words: Black takes the greatest value, White the least.
fn minimax<G: Knowledge>(
    position: &G,
    (horizon, depth): (Horizon, u32),
    own: &dyn Evaluation<G>,
) -> i64 {
    let side = position.side_to_move();
    if let Some(outcome) = position.outcome() {
        let points = outcome.margin.0.abs() / 2;
        let stones = (0..position.size().area()).map(Move::point);
        let stones = stones.filter(|&at| position.stone(at).is_some()).count() as i32;
        let winner = outcome.winner();
        return winner.map_or(0, |winner| black(WON + 1024 * points - stones, winner));
    }
    let mut moves = Vec::new();
    match depth {
        0 => {
            if let Some(value) = own.quiescence_value(position, &mut moves) {
                return black(value, side);
            }
        }
        _ => own.forced(position, &mut moves),
    }
    let below = match (depth, moves.len()) {
        (0, _) => 0,
        (_, 1) => depth,
        (_, 0) => {
            position.candidates(&mut moves);
            horizon.below(depth, moves.len())
        }
        (_, several) => horizon.below(depth, several),
    };
    if moves.is_empty() {
        return black(own.value(position), side);
    }
    best_of(position, moves, (horizon, below), own)
}

/// The same where the search begins, at which every move is looked at.
fn minimax_at_root<G: Knowledge>(
    position: &G,
    (horizon, depth): (Horizon, u32),
    own: &dyn Evaluation<G>,
) -> i64 {
    let moves = candidates(position);
    let below = horizon.below(depth, moves.len());
    best_of(position, moves, (horizon, below), own)
}

fn best_of<G: Knowledge>(
    position: &G,
    moves: Vec<Move>,
    (horizon, below): (Horizon, u32),
    own: &dyn Evaluation<G>,
) -> i64 {
    let side = position.side_to_move();
    let values = moves.into_iter().filter_map(|mv| {
        let mut child = position.clone();
        child.play(mv);
        let is_kept = child.outcome().is_some() || own.keeps(position, &child);
        is_kept.then(|| minimax(&child, (horizon, below), own))
    });
    let best = if side == Color::Black { values.max() } else { values.min() };
    best.unwrap_or_else(|| black(own.value(position), side))
}

/// A value of `side` as Black's.
fn black(value: i32, side: Color) -> i64 {
    i64::from(if side == Color::Black { value } else { -value })
}

struct Patient;

impl Watch for Patient {
    fn goes_on(&mut self, _: u64) -> bool {
        true
    }
}

const METHODS: [Method; 5] = [
    Method::AlphaBeta,
    Method::Mtdf(Step::Fixed(0)),
    Method::Mtdf(Step::Fixed(7)),
    Method::Mtdf(Step::Adaptive(1)),
    Method::Mtdf(Step::Adaptive(64)),
];

pub fn candidates<G: Knowledge>(position: &G) -> Vec<Move> {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    moves
}

/// A random position of a game that goes on, so many plies from the start or somewhat fewer.
pub fn random<G: Knowledge>(rules: &G::Rules, plies: &Range<u32>, rng: &mut Rng) -> G {
    let mut position = G::new(rules);
    for _ in 0..plies.start + rng.below(plies.len() as u32) {
        let moves = candidates(&position);
        let mut next = position.clone();
        next.play(moves[rng.below(moves.len() as u32) as usize]);
        if next.outcome().is_some() {
            return position;
        }
        position = next;
    }
    position
}

/// Cases that the positions of a test should have met.
#[derive(Default)]
struct Met {
    decided: u32,
    open: u32,
    double: u32,
    passes: u32,
}

/// Compares every method with minimax on random positions, up to a depth that minimax can bear.
fn agree<G: Knowledge>(
    rules: &G::Rules,
    positions: (u32, Range<u32>),
    effort: (Horizon, u32),
) -> Met {
    agree_by::<G>(&Arbitrary::default(), rules, positions, effort)
}

fn agree_by<G: Knowledge>(
    own: &dyn Evaluation<G>,
    rules: &G::Rules,
    (positions, plies): (u32, Range<u32>),
    (horizon, depth_max): (Horizon, u32),
) -> Met {
    let (mut rng, mut met) = (Rng::from_seed(9), Met::default());
    for _ in 0..positions {
        let position = random::<G>(rules, &plies, &mut rng);
        let moves = candidates(&position);
        met.passes += u32::from(moves == [Move::PASS]);
        met.double += u32::from(keeps_the_side(&position, moves[0]));
        let mut expected = HashMap::new();
        for method in METHODS {
            // So small a table that entries are lost all the time.
            let mut memory = Memory::new(1 << 13);
            let evaluation = own;
            let position = &position;
            let problem =
                Problem { position, moves: &moves, evaluation, method, horizon, depth_max };
            let found = search(&mut memory, &problem, &mut Patient);
            let expected = *expected
                .entry(found.depth)
                .or_insert_with(|| minimax_at_root(position, (horizon, found.depth), own));
            let value = i64::from(found.value);
            let value = if position.side_to_move() == Color::Black { value } else { -value };
            assert_eq!(value, expected, "{method:?} to {} in {position:?}", found.depth);
            is_worth(position, &found, (horizon, own), expected);
            met.decided += u32::from(is_decided(found.value));
            met.open += u32::from(!is_decided(found.value));
        }
    }
    met
}

fn keeps_the_side<G: Knowledge>(position: &G, mv: Move) -> bool {
    let mut child = position.clone();
    child.play(mv);
    child.side_to_move() == position.side_to_move()
}

/// The move to play is one that has the value.
fn is_worth<G: Knowledge>(
    position: &G,
    found: &Found,
    (horizon, own): (Horizon, &dyn Evaluation<G>),
    expected: i64,
) {
    assert_eq!(found.line[0], found.best);
    let below = horizon.below(found.depth, candidates(position).len());
    let mut child = position.clone();
    child.play(found.best);
    // Where every child was dropped there is no move with the value.
    if child.outcome().is_none() && !own.keeps(position, &child) {
        return;
    }
    assert_eq!(minimax(&child, (horizon, below), own), expected, "{found:?}");
}

#[test]
fn othello_with_its_passes_has_the_value_of_minimax() {
    let early = agree::<Othello>(&OthelloRules, (1_000, 0..40), (Horizon::Depth, 2));
    assert!(early.open > 1_000);
    let late = agree::<Othello>(&OthelloRules, (2_000, 48..62), (Horizon::Depth, 4));
    assert!(late.passes > 20 && late.decided > 1_000, "{} {}", late.passes, late.decided);
}

#[test]
fn a_budget_of_branches_is_spent_as_minimax_spends_it() {
    agree::<Othello>(&OthelloRules, (500, 0..62), (Horizon::Branches, 300));
    let rules = Connect6Rules::new(6).expect("a size");
    agree::<Connect6>(&rules, (200, 0..36), (Horizon::Branches, 300));
}

#[test]
fn connect6_with_two_plies_a_turn_has_the_value_of_minimax() {
    let rules = Connect6Rules::new(6).expect("a size");
    let met = agree::<Connect6>(&rules, (1_000, 20..36), (Horizon::Depth, 3));
    assert!(met.double > 50 && met.decided > 50, "{} {}", met.double, met.decided);
}

#[test]
fn gomoku_and_go_have_the_value_of_minimax() {
    let rules = GomokuRules::new(5, 6, Variant::Freestyle).expect("a size");
    let met = agree::<Gomoku>(&rules, (1_000, 12..30), (Horizon::Depth, 3));
    assert!(met.decided > 50, "{}", met.decided);
    let rules = GoRules::new(5, 0).expect("a size");
    agree::<Go>(&rules, (200, 0..30), (Horizon::Depth, 2));
}

/// With the evaluations that force moves, on boards on which these leave something to be chosen.
#[test]
fn a_game_that_is_over_is_not_played_on_by_moves_that_are_forced() {
    let rules = Connect6Rules::new(9).expect("a size");
    let windows = &*Connect6::evaluations()[0];
    let met = agree_by::<Connect6>(windows, &rules, (60, 20..50), (Horizon::Depth, 1));
    assert!(met.decided > 20, "{}", met.decided);
    let rules = HexRules::new(4).expect("a size");
    let own = &*Hex::evaluations()[0];
    let met = agree_by::<Hex>(own, &rules, (300, 0..12), (Horizon::Depth, 3));
    assert!(met.decided > 50, "{}", met.decided);
    // White has a four with both ends open, and Black can make six no sooner.
    let mut position = Connect6::new(&Connect6Rules::new(19).expect("a size"));
    for word in "j4 e12 f12 k4 l4 g12 h12".split(' ') {
        position.play(position.parse_move(word).expect("a point"));
    }
    for method in METHODS {
        let moves = candidates(&position);
        let (horizon, depth_max) = (Horizon::Depth, 2);
        let problem = Problem {
            position: &position,
            moves: &moves,
            evaluation: windows,
            method,
            horizon,
            depth_max,
        };
        let found = search(&mut Memory::new(1 << 20), &problem, &mut Patient);
        assert!(found.value < WON, "{method:?}: {found:?}");
    }
}

/// In so few plies that even what is left out at first comes to its end.
#[test]
fn late_moves_that_are_best_are_found_all_the_same() {
    let mut rng = Rng::from_seed(31);
    let mut left_out = 0;
    for late_moves in [(1, 1, 1), (2, 2, 1)].map(late_moves) {
        let own = Arbitrary { late_moves: Some(late_moves), ..Arbitrary::default() };
        for _ in 0..300 {
            let position = random::<Othello>(&OthelloRules, &(53..58), &mut rng);
            let expected = minimax_at_root(&position, (Horizon::Depth, 40), &own);
            for depth_max in [3, 5, 40] {
                let found = searched(&position, &candidates(&position), &own, depth_max);
                let value = black(found.value, position.side_to_move());
                // By how much may be seen later, but who is said to win does.
                if is_decided(found.value) || depth_max == 40 {
                    assert_eq!(value.signum(), expected.signum(), "{found:?} in {position:?}");
                } else {
                    left_out += 1;
                }
            }
        }
    }
    assert!(left_out > 100, "{left_out}");
}

/// White's moves in front all lose: the one that does not is found behind them.
#[test]
fn what_is_left_out_is_looked_at_where_the_rest_loses() {
    let own = Changed {
        late_moves: Some(late_moves((1, 1, 0))),
        forces: false,
        is_worst_first_for_white: true,
        ..Changed::<Gomoku>::whole()
    };
    let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    let value = |white| {
        let position = Gomoku::with_stones(&rules, ["f8 g8 h8", white], Color::Black);
        let position = position.expect("free points");
        let four = position.parse_move("i8").expect("a point");
        searched(&position, &[four], &own, 3).value
    };
    assert!(!is_decided(value("e8 a1 c1")), "j8 stops it");
    assert!(is_decided(value("a3 a1 c1")), "an open four");
}

fn late_moves((reduced, pruned, a_ply): (usize, usize, usize)) -> LateMoves {
    LateMoves { reduced_after: reduced, pruned_after: pruned, pruned_after_a_ply: a_ply }
}

fn searched<G: Knowledge>(
    position: &G,
    moves: &[Move],
    own: &dyn Evaluation<G>,
    depth_max: u32,
) -> Found {
    let problem = Problem {
        position,
        moves,
        evaluation: own,
        method: Method::AlphaBeta,
        horizon: Horizon::Depth,
        depth_max,
    };
    search(&mut Memory::new(1 << 13), &problem, &mut Patient)
}

/// The order of moves of Gomoku is good, so that much is saved.
#[test]
fn late_moves_cost_less() {
    let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    let mut rng = Rng::from_seed(32);
    let mut nodes = [0; 2];
    for _ in 0..10 {
        let position = random::<Gomoku>(&rules, &(6..14), &mut rng);
        let own = &*Gomoku::evaluations()[0];
        assert!(own.late_moves().is_some());
        let all: [&dyn Evaluation<Gomoku>; 2] = [own, &Changed::whole()];
        for (own, nodes) in all.into_iter().zip(&mut nodes) {
            *nodes += searched(&position, &candidates(&position), own, 4).nodes;
        }
    }
    assert!(5 * nodes[0] < nodes[1], "{nodes:?}");
}

/// A move that is ranked last and wins, as a sacrifice may be.
#[derive(Debug)]
struct Blind;

impl Evaluation<Gomoku> for Blind {
    fn name(&self) -> &str {
        "blind"
    }

    fn digest(&self) -> Digest {
        Digest::EMPTY
    }

    fn scale(&self) -> f32 {
        1.0
    }

    fn value(&self, _: &Gomoku) -> i32 {
        0
    }

    /// Black looks at the rows from above first, White from below; points are counted from above.
    fn rank(&self, position: &Gomoku, moves: &mut [Ranked]) {
        let sign = -black(1, position.side_to_move()) as i32;
        moves.iter_mut().for_each(|ranked| ranked.rank = sign * i32::from(ranked.mv.0));
    }
}

/// Black's four in the lowest row, from b1 to e1, and White's stones in the other corner.
fn four() -> Gomoku {
    let rules = GomokuRules::new(9, 9, Variant::Freestyle).expect("a size");
    Gomoku::with_stones(&rules, ["b1 c1 d1 e1", "i9 g9 e9 h7"], Color::White).expect("free points")
}

#[test]
fn a_beam_is_blind_to_what_its_order_takes_for_bad() {
    let (position, whole) = (four(), Arc::new(Blind));
    let all = searched(&position, &candidates(&position), &*whole, 2);
    assert!(is_decided(all.value) && all.value < 0, "an open four cannot be stopped: {all:?}");
    let beam = Beam::new(whole, NonZeroUsize::new(4).expect("not 0"));
    let narrow = searched(&position, &candidates(&position), &beam, 2);
    assert_eq!(narrow.value, 0, "of the five none of the four moves looked at is one");
    assert!(narrow.nodes < all.nodes, "{} {}", narrow.nodes, all.nodes);
}

#[test]
fn a_beam_looks_on_where_all_that_it_sees_loses() {
    // After White's b1 Black must play a1, the point that it would look at last of all.
    let rules = GomokuRules::new(9, 9, Variant::Freestyle).expect("a size");
    let position = Gomoku::with_stones(&rules, ["f1 f2 f3", "c1 d1 e1"], Color::White);
    let position = position.expect("free points");
    let b1 = position.parse_move("b1").expect("a point");
    let beam = Beam::new(Arc::new(Blind), NonZeroUsize::new(3).expect("not 0"));
    let found = searched(&position, &[b1], &beam, 3);
    assert_eq!(found.value, 0, "{found:?}");
    let a1 = position.parse_move("a1").expect("a point");
    assert_eq!(found.line[1], a1);
}

#[test]
fn beams_of_different_widths_do_not_share_what_they_found() {
    let width = |width| NonZeroUsize::new(width).expect("not 0");
    let own = || Gomoku::evaluations()[0].clone();
    let digests = [3, 4].map(|of| Beam::new(own(), width(of)).digest());
    assert!(digests[0] != digests[1] && !digests.contains(&own().digest()));
}

#[test]
fn a_lossy_cut_drops_what_minimax_drops() {
    let own = Arbitrary { drops: true, ..Arbitrary::default() };
    agree_by::<Othello>(&own, &OthelloRules, (500, 0..60), (Horizon::Depth, 3));
    let rules = GomokuRules::new(5, 6, Variant::Freestyle).expect("a size");
    agree_by::<Gomoku>(&own, &rules, (500, 12..30), (Horizon::Depth, 3));
}

/// Stops after so many looks.
struct Impatient(u32);

impl Watch for Impatient {
    fn goes_on(&mut self, _: u64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

#[test]
fn a_search_that_is_stopped_answers_with_what_it_has() {
    let position = Othello::new(&OthelloRules);
    let moves = candidates(&position);
    let own = Arbitrary { is_quiet: true, ..Arbitrary::default() };
    for method in METHODS {
        for looks in [1, 20, 300] {
            let mut memory = Memory::new(1 << 20);
            let problem = Problem {
                position: &position,
                moves: &moves,
                evaluation: &own,
                method,
                horizon: Horizon::Depth,
                depth_max: u32::MAX,
            };
            let found = search(&mut memory, &problem, &mut Impatient(looks));
            assert!(moves.contains(&found.best) && found.depth > 0 && !found.is_exact);
            assert!(found.nodes <= u64::from(looks + 1) * 1024, "{found:?}");
        }
    }
}

/// Notes the depths that were finished, and what each found.
#[derive(Default)]
struct Noting(Vec<(u32, i32)>);

impl Watch for Noting {
    fn goes_on(&mut self, _: u64) -> bool {
        true
    }

    fn deepened(&mut self, found: &Found) {
        self.0.push((found.depth, found.value));
    }
}

#[test]
fn a_memory_that_resumes_begins_where_an_earlier_search_was_and_finds_the_same() {
    let own = Arbitrary { is_quiet: true, ..Arbitrary::default() };
    let first = Othello::new(&OthelloRules);
    let depths = |position: &Othello, memory: &mut Memory, depth_max| {
        let problem = Problem {
            position,
            moves: &candidates(position),
            evaluation: &own,
            method: Method::AlphaBeta,
            horizon: Horizon::Depth,
            depth_max,
        };
        let mut noting = Noting::default();
        (search(memory, &problem, &mut noting).best, noting.0)
    };
    let mut memories = [Memory::new(1 << 20), Memory::new(1 << 20).resuming()];
    let [plain, resumed] = memories.each_mut().map(|memory| {
        let (best, all) = depths(&first, memory, 5);
        assert_eq!(all.len(), 5, "nothing is known at first");
        let mut next = first.clone();
        next.play(best);
        depths(&next, memory, 6).1
    });
    let from = |all: &[(u32, i32)]| all.iter().map(|(depth, _)| *depth).collect::<Vec<_>>();
    assert_eq!(from(&plain), [1, 2, 3, 4, 5, 6]);
    assert_eq!(from(&resumed), [4, 5, 6]);
    assert_eq!(resumed, plain[3..]);
}

#[test]
fn a_search_that_sees_the_end_everywhere_ends_by_itself() {
    let rules = GomokuRules::new(5, 5, Variant::Freestyle).expect("a size");
    let mut position = Gomoku::new(&rules);
    // Pairs and opposites: nobody can win any more when five points are left.
    let color = |at: usize| Color::BOTH[(at % 5 / 2 + at / 5) % 2];
    let stones: Vec<_> = (0..20).map(|at| (color(at), Move::point(at))).collect();
    position.set_up(&stones, Color::Black).expect("free points");
    let problem = Problem {
        position: &position,
        moves: &candidates(&position),
        evaluation: &Arbitrary::default(),
        method: Method::AlphaBeta,
        horizon: Horizon::Depth,
        depth_max: 100,
    };
    let found = search(&mut Memory::new(1 << 20), &problem, &mut Patient);
    assert_eq!((found.is_exact, found.value), (true, 0), "{found:?}");
    assert!(found.depth <= 6);
}

/// Time of a copy of a position with a move played on it, beside that of a whole position of a search: what undoing
/// moves could save at most. The table of docs/experiments/search.md.
///
/// `cargo test --profile ci -p banyan-search --test all classical::copies -- --ignored --nocapture`
#[test]
#[ignore = "a measurement of some seconds"]
fn copies_of_positions() {
    time_copies::<Othello>(&OthelloRules, 10..40, 7);
    let gomoku = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    time_copies::<Gomoku>(&gomoku, 10..40, 8);
    time_copies::<Connect6>(&Connect6Rules::new(19).expect("a size"), 10..40, 4);
    time_copies::<Hex>(&HexRules::new(9).expect("a size"), 10..30, 3);
}

#[expect(clippy::print_stdout, reason = "a table for people")]
fn time_copies<G: Knowledge>(rules: &G::Rules, plies: Range<u32>, depth_max: u32) {
    const COPIES: u32 = 200_000;
    let Some(evaluation) = G::evaluations().first().map(|it| &**it) else { return };
    let (mut rng, mut copying, mut searching, mut nodes) =
        (Rng::from_seed(3), Duration::ZERO, Duration::ZERO, 0);
    for _ in 0..10 {
        let position = random::<G>(rules, &plies, &mut rng);
        let moves = candidates(&position);
        let began = Instant::now();
        for at in 0..COPIES {
            let mut child = position.clone();
            child.play(moves[at as usize % moves.len()]);
            std::hint::black_box(&child);
        }
        copying += began.elapsed();
        let began = Instant::now();
        nodes += searched(&position, &moves, evaluation, depth_max).nodes;
        searching += began.elapsed();
    }
    let copy = copying.as_nanos() as f64 / f64::from(10 * COPIES);
    let node = searching.as_nanos() as f64 / nodes as f64;
    println!(
        "{}: {} bytes; a copy and a move {copy:.0} ns, a position of a search {node:.0} ns, {:.0} %",
        G::KIND,
        size_of::<G>(),
        100.0 * copy / node
    );
}

/// Positions and passes to one depth, for each way to step: the table of docs/experiments/search.md.
///
/// `cargo test --release -p banyan-search --test all classical::passes -- --ignored --nocapture`
#[test]
#[ignore = "a measurement of half a minute"]
fn passes_by_step() {
    measure::<Othello>(&OthelloRules, 10..40, 8);
    measure::<Connect6>(&Connect6Rules::new(19).expect("a size"), 10..40, 3);
}

#[expect(clippy::print_stdout, reason = "a table for people")]
fn measure<G: Knowledge>(rules: &G::Rules, plies: Range<u32>, depth_max: u32) {
    let Some(evaluation) = G::evaluations().first().map(|it| &**it) else { return };
    let part = |of: f32| (of * evaluation.scale()) as i32;
    println!("{}, {} to {depth_max} plies", G::KIND, evaluation.name());
    for method in [
        Method::AlphaBeta,
        Method::Mtdf(Step::Fixed(0)),
        Method::Mtdf(Step::Fixed(part(0.02))),
        Method::Mtdf(Step::Fixed(part(0.1))),
        Method::Mtdf(Step::Adaptive(1)),
        Method::Mtdf(Step::Adaptive(part(0.02))),
        Method::Mtdf(Step::Adaptive(part(0.1))),
    ] {
        let (mut rng, mut nodes, mut passes) = (Rng::from_seed(3), 0, 0);
        for _ in 0..40 {
            let position = random::<G>(rules, &plies, &mut rng);
            let moves = candidates(&position);
            let horizon = Horizon::Depth;
            let problem = Problem {
                position: &position,
                moves: &moves,
                evaluation,
                method,
                horizon,
                depth_max,
            };
            let found = search(&mut Memory::new(32 << 20), &problem, &mut Patient);
            nodes += found.nodes;
            passes += found.passes;
        }
        println!("{method:?}: {passes} passes, {nodes} positions");
    }
}
