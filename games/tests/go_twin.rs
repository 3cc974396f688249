//! The slow twin of Go: the rules written down plainly, and random games through both.
//!
//! Nothing here is incremental: every question is answered by walking over the stones.

use std::collections::{BTreeSet, HashMap};

use banyan_games::counts::{Asked, Collector};
use banyan_games::game::{Game, Leaf, Policy};
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Counts, Margin, Move, NoObserver, Observer, Outcome, Rng};

/// A board as a list of points, row by row.
type Grid = Vec<Option<Color>>;

#[derive(Clone)]
struct Twin {
    side: usize,
    komi: i32,
    grid: Grid,
    to_move: Color,
    /// The stones before the other side's last ply: what a simple ko may not bring back.
    before: Option<Grid>,
    passes: u32,
}

impl Twin {
    fn new(rules: &GoRules) -> Twin {
        let side = usize::from(rules.size());
        Twin {
            side,
            komi: i32::from(rules.komi()),
            grid: vec![None; side * side],
            to_move: Color::Black,
            before: None,
            passes: 0,
        }
    }

    fn shifted(&self, point: usize, shifts: &[(i32, i32)]) -> Vec<usize> {
        let side = self.side as i32;
        let (row, column) = (point as i32 / side, point as i32 % side);
        let moved = shifts.iter().map(|&(r, c)| (row + r, column + c));
        moved
            .filter(|(r, c)| (0..side).contains(r) && (0..side).contains(c))
            .map(|(r, c)| (r * side + c) as usize)
            .collect()
    }

    fn near(&self, point: usize) -> Vec<usize> {
        self.shifted(point, &[(-1, 0), (0, -1), (0, 1), (1, 0)])
    }

    fn diagonal(&self, point: usize) -> Vec<usize> {
        self.shifted(point, &[(-1, -1), (-1, 1), (1, -1), (1, 1)])
    }

    /// The points like `point` (same colour, or empty) that hang together with it, and what lies
    /// around them.
    fn region(&self, point: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut inside, mut around) = (BTreeSet::from([point]), BTreeSet::new());
        let mut open = vec![point];
        while let Some(from) = open.pop() {
            for to in self.near(from) {
                if self.grid[to] != self.grid[point] {
                    around.insert(to);
                } else if inside.insert(to) {
                    open.push(to);
                }
            }
        }
        (inside, around)
    }

    fn has_liberty(&self, point: usize) -> bool {
        self.region(point).1.iter().any(|&p| self.grid[p].is_none())
    }

    fn remove_if_taken(&mut self, point: usize) {
        if !self.has_liberty(point) {
            for stone in self.region(point).0 {
                self.grid[stone] = None;
            }
        }
    }

    /// The board after a stone on an empty point, its own side's captures made last.
    fn with_stone(&self, point: usize) -> Twin {
        let mut next = self.clone();
        next.grid[point] = Some(self.to_move);
        for near in self.near(point) {
            if self.grid[near] == Some(!self.to_move) {
                next.remove_if_taken(near);
            }
        }
        next.before = Some(self.grid.clone());
        next.to_move = !self.to_move;
        next.passes = 0;
        next
    }

    fn is_ko(&self, point: usize) -> bool {
        self.grid[point].is_none() && self.before.as_ref() == Some(&self.with_stone(point).grid)
    }

    fn is_legal(&self, point: usize) -> bool {
        self.passes < 2
            && self.grid[point].is_none()
            && self.with_stone(point).has_liberty(point)
            && !self.is_ko(point)
    }

    fn is_own_eye(&self, point: usize) -> bool {
        let corners = self.diagonal(point);
        let foes = corners.iter().filter(|&&p| self.grid[p] == Some(!self.to_move)).count();
        let allowed = usize::from(corners.len() == 4);
        self.grid[point].is_none()
            && self.near(point).iter().all(|&p| self.grid[p] == Some(self.to_move))
            && foes <= allowed
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.moves(|point| self.is_legal(point))
    }

    fn candidates(&self) -> Vec<Move> {
        self.moves(|point| self.is_legal(point) && !self.is_own_eye(point))
    }

    fn moves(&self, wanted: impl Fn(usize) -> bool) -> Vec<Move> {
        if self.passes >= 2 {
            return Vec::new();
        }
        let points = (0..self.grid.len()).filter(|&point| wanted(point)).map(Move::point);
        points.chain([Move::PASS]).collect()
    }

    fn play(&mut self, mv: Move) {
        match mv.index() {
            Some(point) => *self = self.with_stone(point),
            None => {
                self.passes += 1;
                self.before = None;
                self.to_move = !self.to_move;
            }
        }
    }

    fn owner(&self, point: usize) -> Option<Color> {
        if self.grid[point].is_some() {
            return self.grid[point];
        }
        let around: Vec<_> = self.region(point).1.into_iter().map(|p| self.grid[p]).collect();
        let first = *around.first()?;
        if around.iter().all(|&stone| stone == first) { first } else { None }
    }

    fn score(&self) -> Outcome {
        let mut margin = -self.komi;
        for point in 0..self.grid.len() {
            match self.owner(point) {
                Some(Color::Black) => margin += 2,
                Some(Color::White) => margin -= 2,
                None => {}
            }
        }
        Outcome { margin: Margin(margin) }
    }

    fn stones(&self) -> Vec<(Color, Move)> {
        let points = self.grid.iter().enumerate();
        points.filter_map(|(p, stone)| stone.map(|color| (color, Move::point(p)))).collect()
    }

    fn assert_same(&self, game: &Go) {
        assert_eq!(game.side_to_move(), self.to_move);
        for point in 0..self.grid.len() {
            let mv = Move::point(point);
            assert_eq!(game.stone(mv), self.grid[point], "stone on {point}\n{}", self.drawing());
            assert_eq!(game.is_legal(mv), self.is_legal(point), "move {point}\n{}", self.drawing());
            let group: BTreeSet<Move> = match self.grid[point] {
                Some(_) => self.region(point).0.into_iter().map(Move::point).collect(),
                None => BTreeSet::new(),
            };
            assert_eq!(game.group(mv).into_iter().collect::<BTreeSet<_>>(), group);
        }
        let (mut legal, mut candidates) = (Vec::new(), Vec::new());
        game.legal_moves(&mut legal);
        game.candidates(&mut candidates);
        assert_eq!(legal, self.legal_moves());
        assert_eq!(candidates, self.candidates(), "\n{}", self.drawing());
        assert_eq!(game.score_without(&[]), Some(self.score()), "\n{}", self.drawing());
        assert_eq!(game.outcome(), (self.passes == 2).then(|| self.score()));
    }

    fn drawing(&self) -> String {
        let mark = |stone: &Option<Color>| match stone {
            None => '.',
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
        };
        let rows = self.grid.chunks(self.side).map(|row| row.iter().map(mark).collect::<String>());
        format!("{}\n{} to move", rows.collect::<Vec<_>>().join("\n"), self.to_move)
    }
}

fn rules(size: u32, komi: i16) -> GoRules {
    GoRules::new(size, komi).expect("a size of 2 to 25")
}

/// A legal move, sometimes a pass or the filling of an eye, so that odd positions come up too.
fn any_move(game: &Go, rng: &mut Rng) -> Move {
    let mut moves = Vec::new();
    if rng.below(8) == 0 {
        game.legal_moves(&mut moves)
    } else {
        game.candidates(&mut moves)
    }
    let stones = moves.len() - 1;
    if stones == 0 || rng.below(60) == 0 {
        return Move::PASS;
    }
    moves[rng.below(stones as u32) as usize]
}

#[test]
fn every_position_of_random_games_is_as_the_slow_twin_has_it() {
    for size in 2..=25u32 {
        let rules = rules(size, 15);
        let games = if size <= 5 { 60 } else { (500 / (size * size)).max(1) };
        for seed in 0..games {
            let mut rng = Rng::from_seed(u64::from(1000 * size + seed));
            let (mut game, mut twin) = (Go::new(&rules), Twin::new(&rules));
            // Looking at every position of a large board takes the twin long.
            let rarely = (size.pow(4) / 6000).max(1);
            for ply in 0..3 * size * size {
                if ply % rarely == 0 {
                    twin.assert_same(&game);
                }
                if twin.passes == 2 {
                    break;
                }
                let mv = any_move(&game, &mut rng);
                assert!(game.is_legal(mv));
                game.play(mv);
                twin.play(mv);
            }
            twin.assert_same(&game);
        }
    }
}

#[test]
fn equal_positions_have_equal_hashes_and_different_ones_do_not() {
    let rules = rules(3, 0);
    let mut stones_seen: HashMap<Grid, u64> = HashMap::new();
    let mut seen: HashMap<(Grid, Color, Option<usize>), u64> = HashMap::new();
    for seed in 0..400 {
        let mut rng = Rng::from_seed(seed);
        let (mut game, mut twin) = (Go::new(&rules), Twin::new(&rules));
        for _ in 0..40 {
            let ko = (0..9).find(|&point| twin.is_ko(point));
            let known = *stones_seen.entry(twin.grid.clone()).or_insert(game.stones_hash());
            assert_eq!(game.stones_hash(), known);
            let key = (twin.grid.clone(), twin.to_move, ko);
            assert_eq!(*seen.entry(key).or_insert(game.hash()), game.hash());
            let mut fresh = Go::new(&rules);
            fresh.set_up(&twin.stones(), twin.to_move).expect("a position of a game");
            assert_eq!(fresh.stones_hash(), game.stones_hash());
            assert_eq!(fresh.hash() == game.hash(), ko.is_none());
            if twin.passes == 2 {
                break;
            }
            let mv = any_move(&game, &mut rng);
            game.play(mv);
            twin.play(mv);
        }
    }
    assert!(seen.len() > 2000, "{}", seen.len());
    assert!(seen.keys().any(|(_, _, ko)| ko.is_some()), "no ko came up");
    let different: BTreeSet<u64> = seen.values().copied().collect();
    assert_eq!(different.len(), seen.len());
    let different: BTreeSet<u64> = stones_seen.values().copied().collect();
    assert_eq!(different.len(), stones_seen.len());
}

/// Writes down the plies of a playout and how it ended.
#[derive(Default)]
struct Witness {
    played: Vec<(Color, Move)>,
    ended: Option<Outcome>,
    owners: Vec<Option<Color>>,
}

struct Watching<'a>(&'a mut Witness, usize);

impl Observer for Watching<'_> {
    const WANTS_OWNERS: bool = true;

    fn played(&mut self, color: Color, point: Move) {
        self.0.played.push((color, point));
    }

    fn ended(&mut self, outcome: Outcome, owner: impl Fn(usize) -> Option<Color>) {
        assert_eq!(self.0.ended.replace(outcome), None, "a playout ends once");
        self.0.owners = (0..self.1).map(owner).collect();
    }
}

/// Replays a playout in the twin; every ply must be one that the policy allows.
fn check_playout(twin: &Twin, game: &Go, rng: &mut Rng) -> u32 {
    let mut twin = twin.clone();
    let area = twin.grid.len();
    let mut witness = Witness::default();
    let mut watching = Watching(&mut witness, area);
    let (outcome, plies) = game.clone().playout(Policy::Uniform, rng, &mut watching);
    let mut played = witness.played.iter().peekable();
    for ply in 0..plies {
        assert!(twin.passes < 2, "the playout went on after two passes");
        let mv = match played.next_if(|(color, _)| *color == twin.to_move) {
            Some(&(_, mv)) => mv,
            None => Move::PASS,
        };
        // The twin is slow: on large boards it looks at a few plies only.
        if (ply as usize).is_multiple_of((area.pow(2) / 6000).max(1)) {
            let candidates = twin.candidates();
            let allowed =
                if mv.is_pass() { candidates.len() == 1 } else { candidates.contains(&mv) };
            assert!(allowed, "{mv:?} in ply {ply}\n{}", twin.drawing());
        }
        twin.play(mv);
    }
    assert_eq!(played.next(), None);
    assert!(twin.passes == 2 || plies == 3 * area as u32, "{plies} plies\n{}", twin.drawing());
    assert_eq!((outcome, witness.ended), (twin.score(), Some(twin.score())));
    let owners: Vec<_> = (0..area).map(|point| twin.owner(point)).collect();
    assert_eq!(witness.owners, owners, "\n{}", twin.drawing());
    plies
}

/// Some position on the way through a random game, together with its twin.
fn random_position(rules: &GoRules, rng: &mut Rng) -> (Go, Twin) {
    let (mut game, mut twin) = (Go::new(rules), Twin::new(rules));
    for _ in 0..rng.below(2 * twin.grid.len() as u32) {
        let mv = any_move(&game, rng);
        if mv.is_pass() && twin.passes == 1 {
            break;
        }
        game.play(mv);
        twin.play(mv);
    }
    (game, twin)
}

#[test]
fn every_ply_of_a_playout_is_one_that_the_slow_twin_allows() {
    for size in 2..=25u32 {
        let rules = rules(size, 13);
        let mut rng = Rng::from_seed(u64::from(size));
        for _ in 0..(1500 / (size * size)).clamp(1, 40) {
            let (game, twin) = random_position(&rules, &mut rng);
            for _ in 0..(250 / (size * size)).clamp(1, 30) {
                check_playout(&twin, &game, &mut rng);
            }
        }
    }
}

#[test]
fn playouts_that_run_into_the_limit_are_scored_as_they_stand() {
    let mut capped = 0;
    for size in [2, 3] {
        let rules = rules(size, 0);
        let (game, twin) = (Go::new(&rules), Twin::new(&rules));
        let mut rng = Rng::from_seed(5);
        for _ in 0..2000 {
            capped += u32::from(check_playout(&twin, &game, &mut rng) == 3 * size * size);
        }
    }
    assert!(capped > 0);
}

/// The first stone of a playout, or a pass where the second side plays before the first.
fn first_move(game: &Go, rng: &mut Rng) -> Move {
    let mut witness = Witness::default();
    game.clone().playout(Policy::Uniform, rng, &mut Watching(&mut witness, 0));
    let first = witness.played.first().filter(|(color, _)| *color == game.side_to_move());
    first.map_or(Move::PASS, |&(_, mv)| mv)
}

#[test]
fn every_candidate_is_equally_likely_in_a_playout() {
    const PLAYOUTS: u32 = 3000;
    let mut suicides = 0;
    for size in [3, 4, 5, 6, 7] {
        let rules = rules(size, 13);
        let mut rng = Rng::from_seed(u64::from(size));
        for _ in 0..40 {
            let (game, twin) = random_position(&rules, &mut rng);
            let mut drawn: HashMap<Move, u32> = HashMap::new();
            for _ in 0..PLAYOUTS {
                *drawn.entry(first_move(&game, &mut rng)).or_default() += 1;
            }
            let mut candidates = twin.candidates();
            if candidates.len() > 1 {
                candidates.pop();
            }
            let expected = f64::from(PLAYOUTS) / candidates.len() as f64;
            let squares = |mv| (f64::from(drawn.remove(mv).unwrap_or(0)) - expected).powi(2);
            let chi_squared: f64 = candidates.iter().map(squares).sum::<f64>() / expected;
            // Mean and variance of the distribution are its degrees of freedom, and twice that.
            let freedom = candidates.len() as f64 - 1.0;
            assert!(chi_squared <= freedom + 6.0 * (2.0 * freedom).sqrt() + 6.0, "{chi_squared}");
            assert!(drawn.is_empty(), "{drawn:?}\n{}", twin.drawing());
            let empty = twin.grid.iter().filter(|stone| stone.is_none()).count();
            suicides += usize::from(empty > candidates.len());
        }
    }
    assert!(suicides > 40, "the positions were too simple: {suicides}");
}

/// What [`Game::playouts`] must add up to: one playout after the other.
fn one_by_one(game: &Go, count: u32, rng: &mut Rng, asked: Asked) -> Counts {
    let area = game.size().area();
    let mut counts = Counts::new(area, asked);
    let mut ended = Vec::new();
    let mut collector = Collector::new(&mut counts, area);
    for _ in 0..count {
        ended.push(game.clone().playout(Policy::Uniform, rng, &mut collector));
    }
    for (outcome, plies) in ended {
        counts.add(outcome, plies);
    }
    counts
}

const EVERY_WISH: [Asked; 4] = [
    Asked { amaf: false, ownership: false },
    Asked { amaf: false, ownership: true },
    Asked { amaf: true, ownership: false },
    Asked { amaf: true, ownership: true },
];

#[test]
fn many_playouts_at_once_add_up_to_the_same_as_one_by_one() {
    for size in 2..=25u32 {
        let rules = rules(size, 14);
        let mut rng = Rng::from_seed(u64::from(size));
        for round in 0..8 {
            let (game, _) = random_position(&rules, &mut rng);
            let count = [1, 2, 3, 7, 8, 9, 17, 40][round];
            let (mut slow, mut fast) = (rng.clone(), rng.clone());
            let asked = EVERY_WISH[round % 4];
            let expected = one_by_one(&game, count, &mut slow, asked);
            let mut counts = Counts::new(game.size().area(), asked);
            game.playouts(Policy::Uniform, count, &mut fast, &mut counts);
            assert_eq!(counts, expected, "{count} playouts on {size}");
            assert_eq!(fast.bits(), slow.bits(), "the generator is left in the same state");
        }
    }
}

#[test]
fn many_leaves_at_once_add_up_to_the_same_as_each_alone() {
    for size in [2, 5, 9, 11, 13, 19, 25] {
        let rules = rules(size, 14);
        let mut rng = Rng::from_seed(u64::from(size));
        for round in 0..6 {
            let positions: Vec<Go> = (0..[1, 3, 8, 16, 21, 40][round])
                .map(|_| random_position(&rules, &mut rng).0)
                .collect();
            let asked = EVERY_WISH[round % 4];
            let playouts = |index: usize| [1, 1, 0, 5][index % 4];
            let mut alone = Vec::new();
            for (index, position) in positions.iter().enumerate() {
                let mut counts = Counts::new(position.size().area(), asked);
                let mut rng = Rng::from_seed(index as u64);
                position.playouts(Policy::Uniform, playouts(index), &mut rng, &mut counts);
                alone.push(counts);
            }
            let mut rngs: Vec<Rng> =
                (0..positions.len()).map(|index| Rng::from_seed(index as u64)).collect();
            let mut together: Vec<Counts> = positions
                .iter()
                .map(|position| Counts::new(position.size().area(), asked))
                .collect();
            let mut leaves: Vec<Leaf<'_, Go>> = (positions.iter().zip(&mut rngs).enumerate())
                .zip(&mut together)
                .map(|((index, (position, rng)), counts)| Leaf {
                    position,
                    playouts: playouts(index),
                    rng,
                    counts,
                })
                .collect();
            Go::play_out(Policy::Uniform, &mut leaves);
            assert_eq!(together, alone, "size {size}, round {round}");
        }
    }
}

#[test]
fn wins_do_not_depend_on_what_else_is_collected() {
    let game = Go::new(&rules(9, 15));
    let all = EVERY_WISH.map(|asked| {
        let mut counts = Counts::new(81, asked);
        game.playouts(Policy::Uniform, 100, &mut Rng::from_seed(3), &mut counts);
        (counts.wins, counts.draws, counts.losses, counts.margin_sum, counts.plies)
    });
    assert!(all.iter().all(|sums| *sums == all[0]), "{all:?}");
}

#[test]
fn playouts_add_to_what_is_already_counted() {
    let game = Go::new(&rules(5, 0));
    let asked = Asked { amaf: true, ownership: true };
    let (mut whole, mut rng) = (Counts::new(25, asked), Rng::from_seed(9));
    game.playouts(Policy::Uniform, 12, &mut rng, &mut whole);
    game.playouts(Policy::Uniform, 9, &mut rng, &mut whole);
    assert_eq!(whole, one_by_one(&game, 21, &mut Rng::from_seed(9), asked));
}

#[test]
fn a_finished_game_is_its_own_playout() {
    let mut game = Go::new(&rules(9, 15));
    game.play(Move::point(40));
    game.play(Move::PASS);
    game.play(Move::PASS);
    let outcome = Outcome { margin: Margin(2 * 81 - 15) };
    let mut rng = Rng::from_seed(1);
    assert_eq!(game.clone().playout(Policy::Uniform, &mut rng, &mut NoObserver), (outcome, 0));
    let mut counts = Counts::default();
    game.playouts(Policy::Uniform, 3, &mut rng, &mut counts);
    assert_eq!((counts.wins, counts.plies, counts.margin_sum), (3, 0, 3 * 147));
}
