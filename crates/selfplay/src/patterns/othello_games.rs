//! Games of Othello as bytes, and the positions that are learned from.
//!
//! A game is its number of plies plus 128, the ply from which on its positions are used, Black's score by best play
//! from its last position (discs, signed), each a byte; then for each ply a byte, the point, or 64 for a pass, and what
//! a search said of the position before it to the side to move, in parts of a [`DISC`] or [`UNKNOWN`], 16 bits, the low
//! byte first. Games of before have the plain number of plies, and nothing but the points.

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Move};
use banyan_knowledge::othello::learned::DISC;
use banyan_search::endgame::{Board, EXACT, Solver};
use thiserror::Error;

use super::kept::Kept;

const PASS: u8 = 64;

/// No value: a ply that was played at random or had no choice, or one of best play to the end.
pub const UNKNOWN: i16 = i16::MIN;

/// Added to the number of plies where each has a value: no game is so long.
const WITH_VALUES: u8 = 128;

/// Bytes before the plies.
const HEAD: usize = 3;

/// Plies of a game, at most: every point, and as many passes.
const PLIES_MAX: usize = 120;

/// Empty points of a game's last position, at most: the end is solved from there when it is read.
pub const SOLVE_MAX: u32 = 24;

/// The best that a side can do, discs.
pub(super) const SCORE_MAX: i32 = 64;

/// A ply, and the value of the position before it to the side that played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// What a search said, parts of a [`DISC`], or [`UNKNOWN`].
    pub value: i16,
}

/// One game, to a position from which on its end is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The plies.
    pub plies: Vec<Ply>,
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
    /// A ply that is against the rules, or a score, a value or a first ply that cannot be.
    #[error("game {0} is no game of Othello")]
    Illegal(usize),
}

impl Kept for Played {
    fn to_bytes(&self) -> Vec<u8> {
        let head = [WITH_VALUES + self.plies.len() as u8, self.first as u8, self.score as i8 as u8];
        let plies = self.plies.iter().flat_map(|ply| {
            let [low, high] = ply.value.to_le_bytes();
            [ply.mv.index().map_or(PASS, |point| point as u8), low, high]
        });
        head.into_iter().chain(plies).collect()
    }

    fn whole(bytes: &[u8]) -> usize {
        let mut end = 0;
        while let Some(next) = bytes.get(end).map(|&plies| end + length(plies))
            && next <= bytes.len()
        {
            end = next;
        }
        end
    }

    fn is_cut(rest: &[u8]) -> bool {
        rest.first().is_none_or(|&plies| {
            rest.len() < length(plies) && usize::from(plies % WITH_VALUES) <= PLIES_MAX
        })
    }
}

/// Bytes of a game that begins with this one.
fn length(plies: u8) -> usize {
    let bytes_a_ply = if plies < WITH_VALUES { 1 } else { 3 };
    HEAD + bytes_a_ply * usize::from(plies % WITH_VALUES)
}

impl Played {
    /// The games of a file.
    ///
    /// # Errors
    /// [`GamesError`] with the number of the game, from 1, that is none.
    pub fn read_all(mut bytes: &[u8]) -> Result<Vec<Played>, GamesError> {
        let mut games = Vec::new();
        while let Some(&plies) = bytes.first() {
            let number = games.len() + 1;
            let (game, rest) =
                bytes.split_at_checked(length(plies)).ok_or(GamesError::Cut(number))?;
            let game = Played::read(game);
            if !game.is_legal() {
                return Err(GamesError::Illegal(number));
            }
            games.push(game);
            bytes = rest;
        }
        Ok(games)
    }

    /// A game of its bytes, legal or not.
    fn read(bytes: &[u8]) -> Played {
        let (head, plies) = bytes.split_at(HEAD);
        let mv = |byte| if byte == PASS { Move::PASS } else { Move(u16::from(byte)) };
        let plies = match head[0] < WITH_VALUES {
            true => plies.iter().map(|&byte| Ply { mv: mv(byte), value: UNKNOWN }).collect(),
            false => {
                let ply =
                    |it: &[u8]| Ply { mv: mv(it[0]), value: i16::from_le_bytes([it[1], it[2]]) };
                plies.chunks_exact(3).map(ply).collect()
            }
        };
        Played { plies, first: usize::from(head[1]), score: i32::from(head[2] as i8) }
    }

    /// Tells whether it was played to its end, and the score is that of the board.
    pub fn is_whole(&self) -> bool {
        let mut position = Othello::new(&OthelloRules);
        self.plies.iter().for_each(|ply| position.play(ply.mv));
        position.outcome().is_some_and(|outcome| outcome.margin.0 / 2 == self.score)
    }

    fn is_legal(&self) -> bool {
        let mut position = Othello::new(&OthelloRules);
        let mut can_be = |ply: &Ply| {
            let is_legal = position.is_legal(ply.mv);
            if is_legal {
                position.play(ply.mv);
            }
            let value = i32::from(ply.value);
            is_legal && (ply.value == UNKNOWN || value.abs() <= SCORE_MAX * DISC)
        };
        let is_legal = self.first <= self.plies.len()
            && self.plies.iter().all(&mut can_be)
            && self.score.abs() <= SCORE_MAX;
        let empties = Board::from(&position).empties().count_ones();
        is_legal && (position.outcome().is_some() || empties <= SOLVE_MAX)
    }

    /// The positions that are learned from: those of the game from its last random ply on, and those of best play after
    /// it.
    ///
    /// - `lambda`: a position is worth (1 − λ) times what a search said of it plus λ times what the next one is worth,
    ///   the last one the score; where nothing was said, what the next one is. With 1 that is the score alone.
    ///
    /// # Source
    /// Sutton 1988 for the returns; values of searches in place of the evaluation's own, Veness and others 2009.
    pub fn samples(&self, solver: &mut Solver, lambda: f32) -> Vec<Sample> {
        let mut position = Othello::new(&OthelloRules);
        let mut samples = Vec::with_capacity(64);
        let mut values = Vec::with_capacity(64);
        for (number, ply) in self.plies.iter().enumerate() {
            if number >= self.first {
                samples.push(Sample::of(&position, self.score));
                values.push((position.side_to_move(), black(&position, ply.value)));
            }
            position.play(ply.mv);
        }
        let mut worth = self.score as f32;
        for (sample, (side, value)) in samples.iter_mut().zip(values).rev() {
            worth = value.map_or(worth, |value| value + lambda * (worth - value));
            sample.worth = if side == Color::Black { worth } else { -worth };
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

/// A value to the side to move, in discs for Black.
fn black(position: &Othello, value: i16) -> Option<f32> {
    let discs = f32::from(value) / DISC as f32;
    let discs = if position.side_to_move() == Color::Black { discs } else { -discs };
    (value != UNKNOWN).then_some(discs)
}

/// A position, and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub other: u64,
    /// Discs that the side to move wins by in the end.
    pub score: i32,
    /// Discs that the position is worth to the side to move.
    pub worth: f32,
}

impl Sample {
    fn of(position: &Othello, black: i32) -> Sample {
        let (own, other) = position.own_and_other();
        let score = if position.side_to_move() == Color::Black { black } else { -black };
        Sample { own, other, score, worth: score as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Rng;

    /// A random game to its end, each ply with a value by chance.
    fn game(seed: u64) -> Played {
        let (mut position, mut plies) = (Othello::new(&OthelloRules), Vec::new());
        let mut rng = Rng::from_seed(seed);
        while position.outcome().is_none() {
            let mut candidates = Vec::new();
            position.candidates(&mut candidates);
            let mv = candidates[rng.below(candidates.len() as u32) as usize];
            let value = if mv.is_pass() { UNKNOWN } else { rng.below(2049) as i16 - 1024 };
            plies.push(Ply { mv, value });
            position.play(mv);
        }
        let score = position.outcome().map_or(0, |outcome| outcome.margin.0 / 2);
        Played { plies, first: 8, score }
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let games: Vec<Played> = (0..20).map(game).collect();
        let bytes: Vec<u8> = games.iter().flat_map(Played::to_bytes).collect();
        assert_eq!(Played::read_all(&bytes), Ok(games));
        let cut = &bytes[..bytes.len() - 1];
        assert_eq!(Played::read_all(cut), Err(GamesError::Cut(20)));
        assert_eq!(Played::read_all(&bytes[..Played::whole(cut)]).map(|games| games.len()), Ok(19));
        let mut wrong = bytes.clone();
        wrong[3] = 0;
        assert_eq!(Played::read_all(&wrong), Err(GamesError::Illegal(1)));
        let mut late = bytes.clone();
        late[1] = 255;
        assert_eq!(Played::read_all(&late), Err(GamesError::Illegal(1)));
        let mut large = bytes;
        large[4..6].copy_from_slice(&(64 * DISC as i16 + 1).to_le_bytes());
        assert_eq!(Played::read_all(&large), Err(GamesError::Illegal(1)));
        // Nobody solves the beginning of a game.
        assert_eq!(Played::read_all(&[0; HEAD]), Err(GamesError::Illegal(1)));
        let begun = Played { plies: game(1).plies[..20].to_vec(), ..game(1) };
        assert_eq!(Played::read_all(&begun.to_bytes()), Err(GamesError::Illegal(1)));
    }

    #[test]
    fn what_a_killed_process_leaves_is_told_from_damage() {
        let whole = game(1).to_bytes();
        (0..whole.len()).for_each(|cut| assert!(Played::is_cut(&whole[..cut]), "{cut} bytes"));
        assert!(!Played::is_cut(&whole) && !Played::is_cut(&[255; 300]));
    }

    #[test]
    fn games_of_before_have_no_values() {
        let game = game(3);
        let points = game.plies.iter().map(|ply| ply.mv.index().map_or(PASS, |at| at as u8));
        let head = [game.plies.len() as u8, 8, game.score as i8 as u8];
        let old: Vec<u8> = head.into_iter().chain(points).collect();
        let bytes = [old.clone(), game.to_bytes(), old].concat();
        assert_eq!(Played::whole(&bytes[..bytes.len() - 1]), bytes.len() - HEAD - game.plies.len());
        let read = Played::read_all(&bytes).expect("games");
        assert_eq!(read[1], game);
        assert_eq!(read[0], read[2]);
        assert!(read[0].plies.iter().all(|ply| ply.value == UNKNOWN));
        let moves = |game: &Played| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
        assert_eq!(moves(&read[0]), moves(&game));
        let mut solver = Solver::new(1 << 20);
        let by_score = |sample: &Sample| sample.worth == sample.score as f32;
        assert!(read[0].samples(&mut solver, 0.0).iter().all(by_score));
    }

    #[test]
    fn samples_begin_after_the_random_plies_and_go_on_to_the_end_of_the_game() {
        let whole = game(5);
        let mut solver = Solver::new(1 << 20);
        let samples = whole.samples(&mut solver, 1.0);
        assert_eq!(samples.len(), whole.plies.len() - 8);
        // The same game, of which the last ten plies are not told but found.
        let plies = whole.plies[..whole.plies.len() - 10].to_vec();
        let cut = Played { plies, ..whole };
        let samples = cut.samples(&mut solver, 1.0);
        assert!(samples.len() > cut.plies.len() - 8);
        let last = samples.last().expect("some");
        assert!((last.own | last.other).count_ones() >= 60, "{last:?}");
    }

    #[test]
    fn a_position_is_worth_what_was_said_of_it_and_of_those_after_it() {
        let mut game = game(7);
        let count = game.plies.len();
        game.plies.iter_mut().for_each(|ply| ply.value = UNKNOWN);
        game.first = count - 4;
        // Ten discs for Black by the last but one, and 6 by that before.
        let mut position = Othello::new(&OthelloRules);
        let signs: Vec<i16> = game
            .plies
            .iter()
            .map(|ply| {
                let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
                position.play(ply.mv);
                sign
            })
            .collect();
        let [earlier, later] = [signs[count - 3], signs[count - 2]];
        (game.plies[count - 3].value, game.plies[count - 2].value) =
            (earlier * 6 * DISC as i16, later * 10 * DISC as i16);
        let mut solver = Solver::new(1 << 20);
        let mut worths = |lambda| -> Vec<f32> {
            let samples = game.samples(&mut solver, lambda);
            let for_black = |(it, &sign): (&Sample, &i16)| f32::from(sign) * it.worth;
            samples.iter().zip(&signs[count - 4..]).map(for_black).collect()
        };
        let score = game.score as f32;
        assert_eq!(worths(1.0), [score; 4]);
        assert_eq!(worths(0.0), [6.0, 6.0, 10.0, score]);
        let later = 0.5 * score + 5.0;
        assert_eq!(worths(0.5), [0.5 * later + 3.0, 0.5 * later + 3.0, later, score]);
    }
}
