//! Games of Othello against itself: random beginnings, searches by the tables of this build, and an end that is
//! solved.

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Game, Move, Rng};
use banyan_search::classical::Watch;
use banyan_search::endgame::{Board, EXACT, Solver};
use banyan_search::midgame::{Memory, Question, search};

use super::games::Played;

/// A random beginning has 4 plies at least, and fewer than this more.
const RANDOM_PLIES: u32 = 24;

/// Of so many plies one is random, so that games leave the beaten track; what came before is not used.
const RANDOM_EVERY: u32 = 60;

/// Bytes of table for the moves, and for the end.
const TABLES: [usize; 2] = [1 << 18, 1 << 20];

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depths {
    /// Plies that a move is searched deep, above 0.
    pub plies: u32,
    /// Empty points from which on a game is solved.
    pub solve_from: u32,
}

/// Plays games, one after the other.
#[derive(Debug)]
pub struct Player {
    depths: Depths,
    memory: Memory,
    solver: Solver,
}

impl Player {
    /// A player that searches so deep.
    pub fn new(depths: Depths) -> Player {
        let [moves, end] = TABLES;
        Player { depths, memory: Memory::new(moves), solver: Solver::new(end) }
    }

    /// The game of a seed; the same wherever it is played.
    pub fn game(&mut self, seed: u64) -> Played {
        // What other games left in the tables must not decide anything.
        *self = Player::new(self.depths);
        let mut rng = Rng::from_seed(seed);
        let (mut position, mut moves) = (Othello::new(&OthelloRules), Vec::new());
        let (mut random, mut first) = (4 + rng.below(RANDOM_PLIES), 0);
        loop {
            if let Some(outcome) = position.outcome() {
                return Played { moves, first, score: outcome.margin.0 / 2 };
            }
            let board = Board::from(&position);
            if random == 0 && board.empties().count_ones() <= self.depths.solve_from {
                let solved =
                    self.solver.solve(board, EXACT, &mut |_| true).expect("nobody stops it");
                solved.line.iter().for_each(|&mv| position.play(mv));
                moves.extend(solved.line);
                continue;
            }
            if random == 0 && rng.below(RANDOM_EVERY) == 0 {
                random = 1;
            }
            let mv = self.choose(&position, (random > 0).then_some(&mut rng));
            moves.push(mv);
            position.play(mv);
            if random > 0 {
                (random, first) = (random - 1, moves.len());
            }
        }
    }

    /// A move by chance where there is a generator for it, else the best.
    fn choose(&mut self, position: &Othello, chance: Option<&mut Rng>) -> Move {
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        match chance {
            _ if moves.len() == 1 => moves[0],
            Some(rng) => moves[rng.below(moves.len() as u32) as usize],
            None => {
                let depth_max = self.depths.plies;
                let question = Question { board: Board::from(position), moves: &moves, depth_max };
                search(&mut self.memory, &question, &mut Patient).best
            }
        }
    }
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

    #[test]
    fn a_game_is_that_of_its_seed_and_its_positions_have_scores() {
        let mut player = Player::new(Depths { plies: 2, solve_from: 10 });
        let games: Vec<Played> = (0..3).map(|seed| player.game(seed)).collect();
        assert_eq!(Player::new(Depths { plies: 2, solve_from: 10 }).game(2), games[2]);
        assert_ne!(games[0], games[1]);
        let bytes: Vec<u8> = games.iter().flat_map(Played::to_bytes).collect();
        assert_eq!(Played::read_all(&bytes), Ok(games.clone()));
        for game in &games {
            let samples = game.samples(&mut Solver::new(1 << 20));
            assert!(samples.iter().all(|sample| sample.score.abs() <= 64), "{game:?}");
        }
    }
}
