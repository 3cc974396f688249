//! Games of Othello against itself: random beginnings, searches by tables over patterns, and an end that is solved.

use std::sync::Arc;

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Move, Rng};
use banyan_knowledge::othello::learned::DISC;
use banyan_knowledge::tuples::Tables;
use banyan_search::classical::Watch;
use banyan_search::endgame::{Board, EXACT, Solver};
use banyan_search::midgame::{Memory, Question, search};

use super::othello_games::{Played, Ply, SCORE_MAX, UNKNOWN};

/// A random beginning has 4 plies at least, and fewer than this more.
const RANDOM_PLIES: u32 = 24;

/// Plies of which one is random, so that games leave the beaten track; what came before is not used.
const RANDOM_EVERY: u32 = 60;

/// Plies at random before a game of a match: no game of Othello ends so early.
const OPENING_PLIES: u32 = 8;

/// Bytes of table for the moves, and for the end.
const TABLES: [usize; 2] = [1 << 18, 1 << 20];

/// Depths at which games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depths {
    /// Plies that a move is searched deep, above 0.
    pub plies: u32,
    /// Empty points from which on a game is solved.
    pub solve_from: u32,
}

/// A player of games.
#[derive(Clone, Debug)]
pub struct Player {
    /// Depths of its searches.
    pub depths: Depths,
    /// Tables that it goes by.
    pub tables: Arc<Tables>,
}

impl Player {
    /// The game of a seed; the same wherever it is played.
    pub fn game(&self, seed: u64) -> Played {
        let mut thought = Thought::of(self);
        let mut rng = Rng::from_seed(seed);
        let (mut position, mut plies) = (Othello::new(&OthelloRules), Vec::new());
        let (mut random, mut first) = (4 + rng.below(RANDOM_PLIES), 0);
        loop {
            if let Some(outcome) = position.outcome() {
                return Played { plies, first, score: outcome.margin.0 / 2 };
            }
            let is_near_end = thought.is_near_end(Board::from(&position));
            if random == 0 && !is_near_end && rng.below(RANDOM_EVERY) == 0 {
                random = 1;
            }
            if random == 0 {
                let line = thought.line(&position);
                line.iter().for_each(|ply| position.play(ply.mv));
                plies.extend(line);
                continue;
            }
            let mv = by_chance(&position, &mut rng);
            plies.push(Ply { mv, value: UNKNOWN });
            position.play(mv);
            (random, first) = (random - 1, plies.len());
        }
    }
}

fn by_chance(position: &Othello, rng: &mut Rng) -> Move {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    match moves[..] {
        [only] => only,
        _ => moves[rng.below(moves.len() as u32) as usize],
    }
}

/// Memory of a player during a game. Of other games nothing stays: it must not decide anything.
struct Thought {
    depths: Depths,
    memory: Memory,
    solver: Solver,
}

impl Thought {
    fn of(player: &Player) -> Thought {
        let [moves, end] = TABLES;
        let memory = Memory::by(player.tables.clone(), moves);
        Thought { depths: player.depths, memory, solver: Solver::new(end) }
    }

    fn is_near_end(&self, board: Board) -> bool {
        board.empties().count_ones() <= self.depths.solve_from
    }

    /// The best move with what it is worth, and where the end is near, best play to the end.
    fn line(&mut self, position: &Othello) -> Vec<Ply> {
        let unknown = |mv| Ply { mv, value: UNKNOWN };
        let board = Board::from(position);
        if self.is_near_end(board) {
            let solved = self.solver.solve(board, EXACT, &mut |_| true);
            return solved.expect("nobody stops it").line.into_iter().map(unknown).collect();
        }
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        if let [only] = moves[..] {
            return vec![unknown(only)];
        }
        let question = Question { board, moves: &moves, depth_max: self.depths.plies };
        let found = search(&mut self.memory, &question, &mut Patient);
        let value = found.value.clamp(-SCORE_MAX * DISC, SCORE_MAX * DISC) as i16;
        vec![Ply { mv: found.best, value }]
    }
}

/// Two games from one random beginning, the first player Black in the first of them; its half points, 0 to 2 each.
pub fn pair(players: &[Player; 2], rng: &mut Rng) -> [usize; 2] {
    let mut opening = Othello::new(&OthelloRules);
    for _ in 0..OPENING_PLIES {
        opening.play(by_chance(&opening, rng));
    }
    Color::BOTH.map(|first| {
        let mut position = opening.clone();
        let mut thoughts = players.each_ref().map(Thought::of);
        loop {
            if let Some(outcome) = position.outcome() {
                return match outcome.winner() {
                    None => 1,
                    Some(winner) => 2 * usize::from(winner == first),
                };
            }
            let turn = usize::from(position.side_to_move() != first);
            let line = thoughts[turn].line(&position);
            line.iter().for_each(|ply| position.play(ply.mv));
        }
    })
}

struct Patient;

impl Watch for Patient {
    fn goes_on(&mut self, _: u64) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::kept::Kept as _;
    use banyan_knowledge::othello::learned::tables;
    use banyan_knowledge::othello::patterns::LAYOUT;
    use banyan_knowledge::tuples::Stages;

    #[test]
    fn who_knows_something_beats_who_knows_nothing() {
        let nothing = Tables::new(Stages::new(vec![12]), vec![0; LAYOUT.stored_len()], 64);
        let player = |tables: &Arc<Tables>| Player {
            depths: Depths { plies: 2, solve_from: 6 },
            tables: tables.clone(),
        };
        let players = [player(tables()), player(&Arc::new(nothing))];
        let won: usize = (0..5).flat_map(|seed| pair(&players, &mut Rng::from_seed(seed))).sum();
        assert!(won >= 18, "{won} half points of 20");
        let same = [player(tables()), player(tables())];
        let [first, second] = pair(&same, &mut Rng::from_seed(1));
        assert_eq!(first + second, 2);
    }

    #[test]
    fn a_game_is_that_of_its_seed_and_its_positions_have_scores() {
        let depths = Depths { plies: 2, solve_from: 10 };
        let player = Player { depths, tables: tables().clone() };
        let games: Vec<Played> = (0..3).map(|seed| player.game(seed)).collect();
        assert_eq!(player.game(2), games[2]);
        assert_ne!(games[0], games[1]);
        let bytes: Vec<u8> = games.iter().flat_map(Played::to_bytes).collect();
        assert_eq!(Played::read_all(&bytes), Ok(games.clone()));
        for game in &games {
            let samples = game.samples(&mut Solver::new(1 << 20), 0.5);
            assert!(samples.iter().all(|it| it.score.abs() <= 64 && it.worth.abs() <= 64.0));
            let valued = game.plies.iter().filter(|ply| ply.value != UNKNOWN).count();
            assert!(valued > 10, "{game:?}");
        }
    }

    #[test]
    fn what_searches_say_is_of_the_side_that_the_score_is_of() {
        let player =
            Player { depths: Depths { plies: 2, solve_from: 10 }, tables: tables().clone() };
        let mut solver = Solver::new(1 << 20);
        let games = (0..40).map(|seed| player.game(seed));
        let samples = games.flat_map(|game| game.samples(&mut solver, 0.0));
        // What is solved agrees with itself.
        let searched = samples.filter(|it| it.worth != it.score as f32);
        let agreement: f32 = searched.map(|it| it.worth * it.score as f32).sum();
        assert!(agreement > 0.0, "{agreement}");
    }
}
