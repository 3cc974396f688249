//! Games of Othello as bytes, and the positions that are learned from.
//!
//! A game is its number of plies, the ply from which on its positions are used, Black's score by best play
//! from its last position (discs, signed), each a byte, and a byte for each ply: the point, or 64 for a pass.

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Move};
use banyan_search::endgame::{Board, EXACT, Solver};
use thiserror::Error;

use super::kept::Kept;

const PASS: u8 = 64;

/// One game, to a position from which on its end is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The plies.
    pub moves: Vec<Move>,
    /// Plies before this one were played at random: the positions before them tell nothing of the score.
    pub first: usize,
    /// Discs that Black wins by from the last position on, with best play.
    pub score: i32,
}

/// Bytes that are no games.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GamesError {
    /// The file ends within a game.
    #[error("game {0} is cut short")]
    Cut(usize),
    /// A ply that is against the rules, or a score that cannot be.
    #[error("game {0} is no game of Othello")]
    Illegal(usize),
}

impl Kept for Played {
    fn to_bytes(&self) -> Vec<u8> {
        let moves = self.moves.iter().map(|mv| mv.index().map_or(PASS, |point| point as u8));
        let head = [self.moves.len() as u8, self.first as u8, self.score as i8 as u8];
        head.into_iter().chain(moves).collect()
    }

    fn whole(bytes: &[u8]) -> usize {
        let mut end = 0;
        while let Some(&plies) = bytes.get(end) {
            let next = end + 3 + usize::from(plies);
            if next > bytes.len() {
                break;
            }
            end = next;
        }
        end
    }
}

impl Played {
    /// The games of a file.
    ///
    /// # Errors
    /// [`GamesError`] with the number of the game, from 1, that is none.
    pub fn read_all(mut bytes: &[u8]) -> Result<Vec<Played>, GamesError> {
        let mut games = Vec::new();
        while !bytes.is_empty() {
            let number = games.len() + 1;
            let [plies, first, score] = *bytes.first_chunk().ok_or(GamesError::Cut(number))?;
            let end = 3 + usize::from(plies);
            let moves = bytes.get(3..end).ok_or(GamesError::Cut(number))?;
            let moves = moves.iter().map(|&byte| match byte {
                PASS => Move::PASS,
                point => Move(point.into()),
            });
            let (first, score) = (usize::from(first), i32::from(score as i8));
            let game = Played { moves: moves.collect(), first, score };
            if !game.is_legal() {
                return Err(GamesError::Illegal(number));
            }
            games.push(game);
            bytes = &bytes[end..];
        }
        Ok(games)
    }

    /// Tells whether it was played to its end, and the score is that of the board.
    pub fn is_whole(&self) -> bool {
        let mut position = Othello::new(&OthelloRules);
        self.moves.iter().for_each(|&mv| position.play(mv));
        position.outcome().is_some_and(|outcome| outcome.margin.0 / 2 == self.score)
    }

    fn is_legal(&self) -> bool {
        let mut position = Othello::new(&OthelloRules);
        let mut play = |&mv: &Move| {
            let is_legal = position.is_legal(mv);
            if is_legal {
                position.play(mv);
            }
            is_legal
        };
        self.moves.iter().all(&mut play) && self.score.abs() <= 64
    }

    /// The positions that are learned from, each with the score of its side to move: those of the game from
    /// its last random ply on, and those of best play after it.
    pub fn samples(&self, solver: &mut Solver) -> Vec<Sample> {
        let mut position = Othello::new(&OthelloRules);
        let mut samples = Vec::with_capacity(64);
        for (ply, &mv) in self.moves.iter().enumerate() {
            if ply >= self.first {
                samples.push(Sample::of(&position, self.score));
            }
            position.play(mv);
        }
        if position.outcome().is_none() {
            let solved = solver.solve(Board::from(&position), EXACT, &mut |_| true);
            for mv in solved.expect("nobody stops it").line {
                samples.push(Sample::of(&position, self.score));
                position.play(mv);
            }
        }
        samples
    }
}

/// A position, and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub other: u64,
    /// Discs that the side to move wins by.
    pub score: i32,
}

impl Sample {
    fn of(position: &Othello, black: i32) -> Sample {
        let (own, other) = position.own_and_other();
        let score = if position.side_to_move() == Color::Black { black } else { -black };
        Sample { own, other, score }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Rng;

    /// A random game to its end.
    fn game(seed: u64) -> Played {
        let (mut position, mut moves) = (Othello::new(&OthelloRules), Vec::new());
        let mut rng = Rng::from_seed(seed);
        while position.outcome().is_none() {
            let mut candidates = Vec::new();
            position.candidates(&mut candidates);
            let mv = candidates[rng.below(candidates.len() as u32) as usize];
            moves.push(mv);
            position.play(mv);
        }
        let score = position.outcome().map_or(0, |outcome| outcome.margin.0 / 2);
        Played { moves, first: 8, score }
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let games: Vec<Played> = (0..20).map(game).collect();
        let bytes: Vec<u8> = games.iter().flat_map(Played::to_bytes).collect();
        assert_eq!(Played::read_all(&bytes), Ok(games));
        assert_eq!(Played::read_all(&bytes[..bytes.len() - 1]), Err(GamesError::Cut(20)));
        let mut wrong = bytes;
        wrong[3] = 0;
        assert_eq!(Played::read_all(&wrong), Err(GamesError::Illegal(1)));
    }

    #[test]
    fn samples_begin_after_the_random_plies_and_go_on_to_the_end_of_the_game() {
        let whole = game(5);
        let mut solver = Solver::new(1 << 20);
        let samples = whole.samples(&mut solver);
        assert_eq!(samples.len(), whole.moves.len() - 8);
        // The same game, of which the last ten plies are not told but found.
        let moves = whole.moves[..whole.moves.len() - 10].to_vec();
        let cut = Played { moves, ..whole };
        let samples = cut.samples(&mut solver);
        assert!(samples.len() > cut.moves.len() - 8);
        let last = samples.last().expect("some");
        assert!((last.own | last.other).count_ones() >= 60, "{last:?}");
    }
}
