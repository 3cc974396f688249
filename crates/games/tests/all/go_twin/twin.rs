//! The slow twin of Go: the rules written down plainly.
//!
//! Nothing here is incremental: every question is answered by walking over the stones.

use std::collections::BTreeSet;

use banyan_games::game::Game;
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Margin, Move, Outcome, Rng};

/// A board as a list of points, row by row.
pub type Grid = Vec<Option<Color>>;

#[derive(Clone)]
pub struct Twin {
    side: usize,
    komi: i32,
    pub grid: Grid,
    pub to_move: Color,
    /// The stones before the other side's last ply: what a simple ko may not bring back.
    before: Option<Grid>,
    pub passes: u32,
}

impl Twin {
    pub fn new(rules: &GoRules) -> Twin {
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

    pub fn is_ko(&self, point: usize) -> bool {
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

    pub fn candidates(&self) -> Vec<Move> {
        self.moves(|point| self.is_legal(point) && !self.is_own_eye(point))
    }

    fn moves(&self, wanted: impl Fn(usize) -> bool) -> Vec<Move> {
        if self.passes >= 2 {
            return Vec::new();
        }
        let points = (0..self.grid.len()).filter(|&point| wanted(point)).map(Move::point);
        points.chain([Move::PASS]).collect()
    }

    pub fn play(&mut self, mv: Move) {
        match mv.index() {
            Some(point) => *self = self.with_stone(point),
            None => {
                self.passes += 1;
                self.before = None;
                self.to_move = !self.to_move;
            }
        }
    }

    pub fn owner(&self, point: usize) -> Option<Color> {
        if self.grid[point].is_some() {
            return self.grid[point];
        }
        let around: Vec<_> = self.region(point).1.into_iter().map(|p| self.grid[p]).collect();
        let first = *around.first()?;
        if around.iter().all(|&stone| stone == first) { first } else { None }
    }

    pub fn score(&self) -> Outcome {
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

    pub fn stones(&self) -> Vec<(Color, Move)> {
        let points = self.grid.iter().enumerate();
        points.filter_map(|(p, stone)| stone.map(|color| (color, Move::point(p)))).collect()
    }

    pub fn assert_same(&self, game: &Go) {
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

    pub fn drawing(&self) -> String {
        let mark = |stone: &Option<Color>| match stone {
            None => '.',
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
        };
        let rows = self.grid.chunks(self.side).map(|row| row.iter().map(mark).collect::<String>());
        format!("{}\n{} to move", rows.collect::<Vec<_>>().join("\n"), self.to_move)
    }
}

pub fn rules(size: u32, komi: i16) -> GoRules {
    GoRules::new(size, komi).expect("a size of 2 to 25")
}

/// A legal move, sometimes a pass or the filling of an eye, so that odd positions come up too.
pub fn any_move(game: &Go, rng: &mut Rng) -> Move {
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

/// Some position on the way through a random game, together with its twin.
pub fn random_position(rules: &GoRules, rng: &mut Rng) -> (Go, Twin) {
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
