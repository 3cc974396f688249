//! Positions that searches judge, and what other searches say of them: what an evaluation is asked about is not what is
//! played in games.

use std::sync::{Arc, Mutex, PoisonError};

use banyan_games::{Kind, Move, Rng};
use banyan_knowledge::evaluation::{accompany, at_root};
use banyan_knowledge::{Accumulator, Digest, Evaluation, LateMoves, Ranked};
use banyan_proofs::Effort;
use banyan_search::Searchable;
use banyan_search::classical::{Horizon, Memory, Method, Problem, search};
use banyan_search::searchable::turns::{after_turn, turned};

use super::line_games::{Ply, Recorded, UNKNOWN, WAY_MAX};
use super::lines::{Judged, LastRound, Player, VALUE_MAX};

/// A search of which positions are taken looks at so many, at least and at most.
const NODES: [u64; 2] = [2_000, 20_000];

/// Positions that are taken of one search, at most; the one that it began with comes to them.
const OF_A_SEARCH: usize = 8;

/// A way to say what a position is worth.
struct Judging {
    /// Positions that a search looks at.
    nodes: u64,
    /// Look for wins by threats of either side before it.
    looks_for_threats: bool,
}

impl Judging {
    /// What says most of a game's positions in the time that it takes: Gomoku's were measured
    /// (docs/experiments/gomoku.md).
    fn of(game: Kind) -> Judging {
        match game {
            Kind::Gomoku => Judging { nodes: 20_000, looks_for_threats: false },
            _ => Judging { nodes: 5_000, looks_for_threats: true },
        }
    }
}

/// Effort of a search for a win by threats.
const EFFORT: Effort = Effort { nodes_max: 10_000, table_bytes: 1 << 18 };

/// Turns after which the other side must win by threats before a position is said to be lost by them.
const TURNS_TO_LOSE: usize = 4;

/// So many searches look for them at most.
const SEARCHES_MAX: usize = 8;

/// Bytes of each table.
const TABLE: usize = 4 << 20;

impl<G: Searchable> Player<G> {
    /// So many positions that searches of a game's positions judge, each as the moves that lead there and a last one:
    /// the best, with what the position is worth.
    ///
    /// - `game`: its moves, each legal and none of them its last.
    /// - `from`: plies after which its positions are searched, at most all of these.
    pub fn leaves(&self, game: &[Move], from: usize, count: usize, rng: &mut Rng) -> Vec<Recorded> {
        let mut memories = [0, 1].map(|_| Memory::new(TABLE));
        let mut leaves = Vec::with_capacity(count);
        let positions = (game.len() + 1 - from) as u32;
        while leaves.len() < count {
            let moves = &game[..from + rng.below(positions) as usize];
            let mut position = self.root.clone();
            moves.iter().for_each(|&mv| position.play(mv));
            let paths = self.judged_on_the_way(&position, &mut memories[0], rng);
            for path in paths.into_iter().take(count - leaves.len()) {
                leaves.push(self.judged(&position, (moves, &path), &mut memories[1]));
            }
        }
        leaves
    }

    /// Ways from a position to some that a search of it judges, and to itself.
    fn judged_on_the_way(
        &self,
        position: &G,
        memory: &mut Memory,
        rng: &mut Rng,
    ) -> Vec<Vec<Move>> {
        let taken =
            Mutex::new(Taken { seen: 0, rng: Rng::from_seed(rng.bits()), paths: Vec::new() });
        let sampled =
            Sampled { inner: at_root(&self.evaluation, position), taken: Arc::new(taken) };
        let nodes = NODES[0] + u64::from(rng.below((NODES[1] - NODES[0]) as u32));
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        search(memory, &problem(position, &moves, &sampled), &mut LastRound::of(G::KIND, nodes));
        let mut paths = std::mem::take(&mut sampled.lock().paths);
        paths.push(Vec::new());
        paths
    }

    fn judged(
        &self,
        position: &G,
        (before, path): (&[Move], &[Move]),
        memory: &mut Memory,
    ) -> Recorded {
        let mut position = position.clone();
        path.iter().for_each(|&mv| position.play(mv));
        let unknown = |&mv: &Move| Ply { mv, best: mv, value: UNKNOWN };
        let mut plies: Vec<Ply> = before.iter().chain(path).map(unknown).collect();
        let win = Judging::of(G::KIND).looks_for_threats.then(|| wins_by_threats(&position));
        let (best, value) = match win.flatten() {
            Some(best) => (best, VALUE_MAX),
            None => self.searched_safely(&position, memory),
        };
        plies.push(Ply { mv: best, best, value });
        Recorded { plies, winner: None }
    }

    /// The best move and the position's value, of turns after which the other side does not win by threats; lost where
    /// none of the first is such. A turn of which no line tells the end is believed.
    fn searched_safely(&self, position: &G, memory: &mut Memory) -> (Move, i16) {
        let is_threatened = Judging::of(G::KIND).looks_for_threats
            && turned(position).is_some_and(|turned| wins_by_threats(&turned).is_some());
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        let (mut best, mut lost) = (moves[0], Vec::new());
        for _ in 0..SEARCHES_MAX {
            let judged = self.searched_for_leaf(position, &moves, memory);
            best = judged.line[0];
            let next = after_turn(position, &judged.line);
            let loses = |next: &G| lost.contains(&next.hash()) || wins_by_threats(next).is_some();
            let Some(next) = next.filter(|_| is_threatened && !judged.is_decided).filter(loses)
            else {
                return (best, judged.value);
            };
            // Two stones in another order are the same turn.
            if !lost.contains(&next.hash()) {
                lost.push(next.hash());
            }
            moves.retain(|&mv| mv != best);
            if moves.is_empty() || lost.len() == TURNS_TO_LOSE {
                break;
            }
        }
        (best, -VALUE_MAX)
    }

    fn searched_for_leaf(&self, position: &G, moves: &[Move], memory: &mut Memory) -> Judged {
        let mut last = LastRound::of(G::KIND, Judging::of(G::KIND).nodes);
        let found = search(memory, &problem(position, moves, &*self.evaluation), &mut last);
        last.judged(&found, self.evaluation.scale())
    }
}

/// The first move of a win by threats of the side to move.
fn wins_by_threats<G: Searchable>(position: &G) -> Option<Move> {
    let found = position.win_by_threats(EFFORT, None, &mut |_| true)?;
    found.win.map(|win| win.line[0])
}

fn problem<'a, G>(
    position: &'a G,
    moves: &'a [Move],
    evaluation: &'a dyn Evaluation<G>,
) -> Problem<'a, G> {
    let (method, horizon) = (Method::AlphaBeta, Horizon::Depth);
    Problem { position, moves, evaluation, method, horizon, depth_max: u32::MAX }
}

/// Some of the positions that were judged, each as likely as any other.
#[derive(Debug)]
struct Taken {
    seen: u32,
    rng: Rng,
    paths: Vec<Vec<Move>>,
}

impl Taken {
    fn see(&mut self, path: &[Move]) {
        self.seen += 1;
        if self.paths.len() < OF_A_SEARCH {
            self.paths.push(path.to_vec());
        } else if let Some(kept) = self.paths.get_mut(self.rng.below(self.seen) as usize) {
            *kept = path.to_vec();
        }
    }
}

/// An evaluation that notes ways to quiet positions that it is asked about.
#[derive(Debug)]
struct Sampled<G: 'static> {
    inner: Arc<dyn Evaluation<G>>,
    taken: Arc<Mutex<Taken>>,
}

impl<G> Sampled<G> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: Searchable> Evaluation<G> for Sampled<G> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn digest(&self) -> Digest {
        self.inner.digest()
    }

    fn scale(&self) -> f32 {
        self.inner.scale()
    }

    fn value(&self, position: &G) -> i32 {
        self.inner.value(position)
    }

    fn rank(&self, position: &G, moves: &mut [Ranked]) {
        self.inner.rank(position, moves);
    }

    fn quiescence_value(&self, position: &G, moves: &mut Vec<Move>) -> Option<i32> {
        self.inner.quiescence_value(position, moves)
    }

    fn forced(&self, position: &G, moves: &mut Vec<Move>) {
        self.inner.forced(position, moves);
    }

    fn late_moves(&self) -> Option<LateMoves> {
        self.inner.late_moves()
    }

    fn keeps(&self, parent: &G, child: &G) -> bool {
        self.inner.keeps(parent, child)
    }

    fn accumulator(&self, position: &G) -> Option<Box<dyn Accumulator<G> + '_>> {
        let inner = accompany(&*self.inner, position);
        Some(Box::new(Following { inner, path: Vec::new(), of: self }))
    }
}

/// The way through a search.
struct Following<'a, G: 'static> {
    inner: Box<dyn Accumulator<G> + 'a>,
    path: Vec<Move>,
    of: &'a Sampled<G>,
}

impl<G: Searchable> Accumulator<G> for Following<'_, G> {
    fn play(&mut self, position: &G, mv: Move) {
        self.path.push(mv);
        self.inner.play(position, mv);
    }

    fn take_back(&mut self) {
        self.path.pop();
        self.inner.take_back();
    }

    fn value(&mut self, position: &G) -> i32 {
        self.inner.value(position)
    }

    fn rank(&mut self, position: &G, moves: &mut [Ranked]) {
        self.inner.rank(position, moves);
    }

    fn quiescence_value(&mut self, position: &G, moves: &mut Vec<Move>) -> Option<i32> {
        let value = self.inner.quiescence_value(position, moves);
        if value.is_some() && self.path.len() <= WAY_MAX {
            self.of.lock().see(&self.path);
        }
        value
    }

    fn forced(&mut self, position: &G, moves: &mut Vec<Move>) {
        self.inner.forced(position, moves);
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::{Color, Game as _};
    use banyan_knowledge::Knowledge as _;

    use super::*;

    #[test]
    fn leaves_are_as_many_as_are_wanted_and_the_same_each_time() {
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        let evaluation = Gomoku::evaluations()[0].clone();
        let player = Player { root: Gomoku::new(&rules), evaluation, plies: 1 };
        let moves: Vec<Move> = player.game(3).plies.iter().map(|ply| ply.mv).collect();
        let game = &moves[..moves.len() - 1];
        let taken = || player.leaves(game, 5, 13, &mut Rng::from_seed(4));
        let leaves = taken();
        assert_eq!((leaves.len(), &leaves), (13, &taken()));
        let bytes: Vec<u8> = leaves.iter().flat_map(super::super::kept::Kept::to_bytes).collect();
        assert_eq!(Recorded::read_all(&bytes, &player.root), Ok(leaves.clone()));
        let mut deeper = 0;
        for leaf in leaves {
            let (last, way) = leaf.plies.split_last().expect("a last ply");
            assert!(last.value != UNKNOWN && way.iter().all(|ply| ply.value == UNKNOWN));
            let way: Vec<Move> = way.iter().map(|ply| ply.mv).collect();
            assert_eq!(way[..5], game[..5]);
            deeper += usize::from(!game.starts_with(&way));
        }
        assert!(deeper > 5, "most are not of the game itself: {deeper}");
    }

    fn connect6(black: &str, white: &str, side: Color) -> Connect6 {
        let rules = Connect6Rules::new(19).expect("a size");
        Connect6::with_stones(&rules, [black, white], side).expect("free points")
    }

    fn player(position: &Connect6) -> Player<Connect6> {
        let evaluation = Connect6::evaluations()[0].clone();
        Player { root: position.clone(), evaluation, plies: 1 }
    }

    /// What a search of all moves says.
    fn searched(position: &Connect6) -> Judged {
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        player(position).searched_for_leaf(position, &moves, &mut Memory::new(TABLE))
    }

    #[test]
    fn a_win_by_threats_is_seen_where_a_search_sees_none() {
        let position = connect6("h10 g9 h8 j8 i7", "h9 i9 i8 l6", Color::White);
        assert!(!searched(&position).is_decided);
        let judged = player(&position).judged(&position, (&[], &[]), &mut Memory::new(TABLE));
        let ply = judged.plies[0];
        assert_eq!((ply.value, Some(ply.mv)), (VALUE_MAX, wins_by_threats(&position)));
    }

    /// In Gomoku a long search says what a position is worth, and nothing else.
    #[test]
    fn positions_of_gomoku_are_searched_longer_than_those_of_connect6() {
        const LINES: [&[u16]; 4] = [
            &[80, 111, 141, 52, 79, 82, 109, 97, 67, 125, 83, 51, 64, 94, 96, 112, 65],
            &[98, 127, 125, 113, 68, 82, 157, 156, 99, 111, 141, 109, 173, 189, 112, 96, 188],
            &[82, 95, 96, 54, 78, 86, 57, 70, 102, 68, 69, 84, 100, 38, 22, 53, 83],
            &[113, 111, 144, 100, 83, 52, 98, 68, 84, 70, 143, 128, 82, 85, 115, 55, 40],
        ];
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        let evaluation = Gomoku::evaluations()[0].clone();
        let player = Player { root: Gomoku::new(&rules), evaluation, plies: 1 };
        let mut decided = [0, 0];
        for line in LINES {
            let mut position = player.root.clone();
            line.iter().for_each(|&point| position.play(Move(point)));
            let judged = player.judged(&position, (&[], &[]), &mut Memory::new(TABLE));
            decided[0] += u32::from(judged.plies[0].value.abs() == VALUE_MAX);
            let mut moves = Vec::new();
            position.candidates(&mut moves);
            let mut last = LastRound::of(Kind::Gomoku, Judging::of(Kind::Connect6).nodes);
            let problem = problem(&position, &moves, &*player.evaluation);
            let found = search(&mut Memory::new(TABLE), &problem, &mut last);
            decided[1] += u32::from(last.judged(&found, player.evaluation.scale()).is_decided);
        }
        assert!(decided[0] > decided[1] + 1, "{decided:?}");
    }

    /// The search's first choice lets the other side win by threats.
    #[test]
    fn a_turn_after_which_the_other_side_wins_by_threats_is_not_chosen() {
        let position = connect6("e11 f11 f10 g10 i10", "k10 e9 j8 f7", Color::White);
        let turned = turned(&position).expect("a position");
        assert!(wins_by_threats(&turned).is_some() && wins_by_threats(&position).is_none());
        let first = searched(&position);
        let falls = after_turn(&position, &first.line).expect("a line of a turn");
        assert!(!first.is_decided && wins_by_threats(&falls).is_some());
        let (best, value) = player(&position).searched_safely(&position, &mut Memory::new(TABLE));
        assert!(best != first.line[0] && value < first.value, "{best:?} {value} {first:?}");
    }
}
