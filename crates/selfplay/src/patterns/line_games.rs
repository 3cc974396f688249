//! Games of lines as bytes, each ply with what a search said of the position before it.
//!
//! A game is its number of plies and who won (0 nobody, 1 Black, 2 White), each 16 bits, the low byte first; then
//! for each ply the point, the best point and the value to the side to move, in hundredths of a logit, or [`UNKNOWN`].

use banyan_games::{Color, Game, Move};
use thiserror::Error;

use super::kept::Kept;

/// No value: a ply that was played at random.
pub const UNKNOWN: i16 = i16::MIN;

/// A ply, and the value of the position before it to the side that played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The best move, where there is a value.
    pub best: Move,
    /// Hundredths of a logit, or [`UNKNOWN`].
    pub value: i16,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its plies, the first one first.
    pub plies: Vec<Ply>,
    /// The winner, if any.
    pub winner: Option<Color>,
}

/// Bytes that are no games.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RecordError {
    /// The file ends within a game.
    #[error("game {0} is cut short")]
    Cut(usize),
    /// A ply that is against the rules, or a winner that there is not.
    #[error("game {0} is no game by these rules")]
    Illegal(usize),
}

/// Bytes of a game before its plies.
pub const HEAD: usize = 4;

/// Bytes of a ply.
pub const A_PLY: usize = 6;

/// A game is broken off after so many plies.
pub const PLIES_MAX: usize = 150;

/// Plies from where a search began to a position that is taken of it, at most.
pub(super) const WAY_MAX: usize = 150;

/// Bytes of a record, at most: one of a position that a search of a game came to, and of what is best there.
pub const RECORD_BYTES_MAX: usize = HEAD + A_PLY * (PLIES_MAX + WAY_MAX + 1);

impl Kept for Recorded {
    fn to_bytes(&self) -> Vec<u8> {
        let winner = self.winner.map_or(0, |winner| 1 + winner.index() as u16);
        let head = [self.plies.len() as u16, winner].into_iter();
        let plies = self.plies.iter().flat_map(|ply| [ply.mv.0, ply.best.0, ply.value as u16]);
        head.chain(plies).flat_map(u16::to_le_bytes).collect()
    }

    fn whole(bytes: &[u8]) -> usize {
        let mut end = 0;
        while let Some(&[low, high, ..]) = bytes.get(end..).and_then(<[u8]>::first_chunk::<HEAD>) {
            let next = end + HEAD + A_PLY * usize::from(u16::from_le_bytes([low, high]));
            if next > bytes.len() {
                break;
            }
            end = next;
        }
        end
    }

    fn is_cut(rest: &[u8]) -> bool {
        let Some(&[low, high, ..]) = rest.first_chunk::<HEAD>() else { return true };
        let plies = usize::from(u16::from_le_bytes([low, high]));
        let bytes = HEAD + A_PLY * plies;
        rest.len() < bytes && bytes <= RECORD_BYTES_MAX
    }
}

impl Recorded {
    /// The games of a file, by these rules.
    ///
    /// # Errors
    /// [`RecordError`] with the number of the game, from 1, that is none.
    pub fn read_all<G: Game>(mut bytes: &[u8], root: &G) -> Result<Vec<Recorded>, RecordError> {
        let mut games = Vec::new();
        while !bytes.is_empty() {
            let number = games.len() + 1;
            let end = Recorded::whole_one(bytes).ok_or(RecordError::Cut(number))?;
            let game = Recorded::read(&bytes[..end]).filter(|game| game.is_legal(root));
            games.push(game.ok_or(RecordError::Illegal(number))?);
            bytes = &bytes[end..];
        }
        Ok(games)
    }

    fn whole_one(bytes: &[u8]) -> Option<usize> {
        let plies = u16::from_le_bytes([*bytes.first()?, *bytes.get(1)?]);
        let end = HEAD + A_PLY * usize::from(plies);
        (end <= bytes.len()).then_some(end)
    }

    fn read(bytes: &[u8]) -> Option<Recorded> {
        let words: Vec<u16> =
            bytes.chunks_exact(2).map(|it| u16::from_le_bytes([it[0], it[1]])).collect();
        let winner = match words[1] {
            0 => None,
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => return None,
        };
        let ply = |words: &[u16]| Ply {
            mv: Move(words[0]),
            best: Move(words[1]),
            value: words[2] as i16,
        };
        Some(Recorded { plies: words[2..].chunks_exact(3).map(ply).collect(), winner })
    }

    /// Its moves.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// Tells whether it was played until it was over, with who has won on the board, or decided, or as long as games
    /// are.
    pub fn is_whole<G: Game>(&self, root: &G) -> bool {
        let mut position = root.clone();
        self.plies.iter().for_each(|ply| position.play(ply.mv));
        match position.outcome() {
            Some(outcome) => outcome.winner() == self.winner,
            None => self.winner.is_some() || self.plies.len() >= PLIES_MAX,
        }
    }

    /// Tells whether it has plies, and all are legal.
    fn is_legal<G: Game>(&self, root: &G) -> bool {
        let mut position = root.clone();
        !self.plies.is_empty()
            && self.plies.iter().all(|ply| {
                let is_legal = position.is_legal(ply.mv);
                if is_legal {
                    position.play(ply.mv);
                }
                is_legal
            })
    }

    /// Visits each position that has a value, with the ply and the share of the game, 0, a half or 1, that its
    /// side to move got.
    pub fn each<G: Game>(&self, root: &G, mut visit: impl FnMut(&G, Ply, f64)) {
        let mut position = root.clone();
        for &ply in &self.plies {
            if ply.value != UNKNOWN {
                let side = position.side_to_move();
                let share = self.winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)));
                visit(&position, ply, share);
            }
            position.play(ply.mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    fn root() -> Gomoku {
        Gomoku::new(&GomokuRules::new(15, 15, Variant::Freestyle).expect("a size"))
    }

    fn game() -> Recorded {
        let ply = |point: u16, value: i16| Ply { mv: Move(point), best: Move(point + 1), value };
        Recorded {
            plies: vec![ply(112, UNKNOWN), ply(113, -40), ply(97, 55)],
            winner: Some(Color::Black),
        }
    }

    #[test]
    fn games_are_read_as_they_were_written_and_half_a_game_is_seen() {
        let games = vec![game(), Recorded { winner: None, ..game() }];
        let bytes: Vec<u8> = games.iter().flat_map(Recorded::to_bytes).collect();
        assert_eq!(Recorded::read_all(&bytes, &root()), Ok(games));
        let cut = &bytes[..bytes.len() - 3];
        assert_eq!(Recorded::whole(cut), bytes.len() / 2);
        assert_eq!(Recorded::read_all(cut, &root()), Err(RecordError::Cut(2)));
        let twice = [
            game().to_bytes(),
            Recorded { plies: vec![game().plies[0]; 2], winner: None }.to_bytes(),
        ];
        assert_eq!(Recorded::read_all(&twice.concat(), &root()), Err(RecordError::Illegal(2)));
        assert_eq!(Recorded::read_all(&[0; HEAD], &root()), Err(RecordError::Illegal(1)));
    }

    #[test]
    fn what_a_killed_process_leaves_is_told_from_damage() {
        let whole = game().to_bytes();
        (0..whole.len()).for_each(|cut| assert!(Recorded::is_cut(&whole[..cut]), "{cut} bytes"));
        assert!(!Recorded::is_cut(&whole) && !Recorded::is_cut(b"some text of somebody's"));
        let mut damaged = whole;
        damaged[1] = 0xff;
        assert!(!Recorded::is_cut(&damaged));
    }

    #[test]
    fn a_game_ends_when_it_is_over_or_decided_or_long() {
        assert!(game().is_whole(&root()), "somebody was proven to win");
        let begun = Recorded { winner: None, ..game() };
        assert!(!begun.is_whole(&root()));
        // Rows of pairs, no five of which are of one colour.
        let points = (0..225u16).map(|at| (at % 15, at / 15));
        let (black, white): (Vec<_>, Vec<_>) = points.partition(|&(x, y)| (x / 2 + y) % 2 == 0);
        let ply = |&(x, y): &(u16, u16)| Ply { mv: Move(15 * y + x), best: Move(0), value: 0 };
        let plies = black.iter().zip(&white).flat_map(|(one, other)| [ply(one), ply(other)]);
        let long = |plies: Vec<Ply>| Recorded { plies, winner: None };
        let all: Vec<Ply> = plies.take(PLIES_MAX).collect();
        assert!(all.len() == PLIES_MAX && long(all.clone()).is_legal(&root()));
        assert!(long(all.clone()).is_whole(&root()));
        assert!(!long(all[1..].to_vec()).is_whole(&root()));
    }

    #[test]
    fn positions_with_a_value_are_visited_with_the_share_of_their_side() {
        let mut seen = Vec::new();
        game().each(&root(), |position, ply, share| {
            seen.push((position.side_to_move(), ply.value, share));
        });
        assert_eq!(seen, [(Color::White, -40, 0.0), (Color::Black, 55, 1.0)]);
    }
}
