//! The first plies of the games, so that deterministic engines do not play one game for ever.

use banyan_games::rng::mix;
use banyan_games::{Move, Record, Rng};
use banyan_knowledge::Knowledge;

/// Sources of openings. Each opening is played twice, with the colours changed.
#[derive(Clone, Debug)]
pub enum Openings {
    /// From the empty board.
    None,
    /// From a file, in its order, again from the top when it is used up. Never empty.
    Listed(Vec<Vec<Move>>),
    /// So many random plies.
    Random {
        /// Number of plies.
        plies: usize,
        /// Seed that they are drawn from.
        seed: u64,
    },
}

/// Reasons why a file of openings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// No opening in it.
    #[error("the file holds no opening")]
    Empty,
    /// A line that is no opening.
    #[error("line {line}: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The fault.
        reason: String,
    },
}

impl Openings {
    /// One opening a line, as moves with or without spaces (`f5d6c3`, `E5 C3 pass`); what follows
    /// a `#` is a comment.
    ///
    /// # Errors
    /// [`OpeningsError`] with the line: a text that is no move, an illegal move, a finished game.
    pub fn parse<G: Knowledge>(text: &str, start: &Record<G>) -> Result<Openings, OpeningsError> {
        let mut openings = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let moves = line.split('#').next().unwrap_or_default().trim();
            if !moves.is_empty() {
                let opening = parse_line::<G>(moves, start);
                openings.push(
                    opening.map_err(|reason| OpeningsError::Line { line: number + 1, reason })?,
                );
            }
        }
        if openings.is_empty() { Err(OpeningsError::Empty) } else { Ok(Openings::Listed(openings)) }
    }

    /// The opening of the pair of games with this number, from 0.
    pub fn of_pair<G: Knowledge>(&self, pair: u32, start: &Record<G>) -> Vec<Move> {
        match self {
            Openings::None => Vec::new(),
            Openings::Listed(openings) => openings[pair as usize % openings.len()].clone(),
            Openings::Random { plies, seed } => {
                random::<G>(*plies, mix(mix(*seed) ^ u64::from(pair)), start)
            }
        }
    }
}

fn parse_line<G: Knowledge>(text: &str, start: &Record<G>) -> Result<Vec<Move>, String> {
    let mut record = start.clone();
    let mut opening = Vec::new();
    for word in words(text) {
        let mv = record.position().parse_move(word).map_err(|error| error.to_string())?;
        record.play(mv).map_err(|error| error.to_string())?;
        opening.push(mv);
    }
    if record.position().outcome().is_some() {
        return Err("the game is over after these moves".to_owned());
    }
    Ok(opening)
}

/// Moves that stand together are parted where a letter follows a digit.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for token in text.split_whitespace() {
        let mut start = 0;
        for (at, pair) in token.as_bytes().windows(2).enumerate() {
            if pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic() {
                words.push(&token[start..=at]);
                start = at + 1;
            }
        }
        words.push(&token[start..]);
    }
    words
}

/// Random candidate plies after which the game goes on, no pass among them that is not forced; fewer
/// where that cannot be had.
fn random<G: Knowledge>(plies: usize, seed: u64, start: &Record<G>) -> Vec<Move> {
    /// Tries before a shorter opening is taken.
    const TRIES: u64 = 100;
    for attempt in 0..TRIES {
        let mut rng = Rng::from_seed(mix(seed.wrapping_add(attempt)));
        let mut record = start.clone();
        while record.plies().len() < plies && record.position().outcome().is_none() {
            let moves = record.candidates();
            let must_pass = moves.iter().all(|mv| mv.is_pass());
            let drawn = loop {
                let drawn = moves[rng.below(moves.len() as u32) as usize];
                if must_pass || !drawn.is_pass() {
                    break drawn;
                }
            };
            if record.play(drawn).is_err() {
                break;
            }
        }
        if record.plies().len() == plies && record.position().outcome().is_none() {
            return record.plies().iter().map(|ply| ply.1).collect();
        }
    }
    random::<G>(plies / 2, seed, start)
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;

    fn start() -> Record<Othello> {
        Record::new(&OthelloRules)
    }

    #[test]
    fn openings_are_read_with_and_without_spaces() {
        let text = "# balanced\nf5d6c3 # 0.2\n\nF5 f4\n";
        let openings = Openings::parse::<Othello>(text, &start()).expect("openings");
        let first = openings.of_pair::<Othello>(0, &start());
        assert_eq!(first, [4 * 8 + 5, 5 * 8 + 3, 2 * 8 + 2].map(Move::point));
        assert_eq!(openings.of_pair::<Othello>(1, &start()).len(), 2);
        assert_eq!(openings.of_pair::<Othello>(2, &start()), first);
    }

    /// Reads fifty openings of so many plies, no two the same.
    fn assert_fifty<G: Knowledge>(text: &str, start: &Record<G>, plies: usize) {
        let openings = Openings::parse::<G>(text, start).expect("openings");
        let Openings::Listed(listed) = &openings else { panic!("a list") };
        let different: std::collections::HashSet<&Vec<Move>> = listed.iter().collect();
        assert_eq!(different.len(), listed.len());
        assert!(listed.len() == 50 && listed.iter().all(|opening| opening.len() == plies));
    }

    #[test]
    fn the_even_openings_can_be_played() {
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        let gomoku = Record::<Gomoku>::new(&rules);
        assert_fifty(include_str!("../../openings/gomoku-even.txt"), &gomoku, 6);
        assert_fifty(include_str!("../../openings/othello-even.txt"), &start(), 8);
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_its_line() {
        let refused = |text| {
            let error = Openings::parse::<Othello>(text, &start()).expect_err("refused");
            error.to_string()
        };
        assert_eq!(refused("f5d6\nf5f5\n"), "line 2: illegal move f5");
        assert_eq!(refused("\n\nx9"), "line 3: 'x9' is outside the board of size 8");
        assert_eq!(refused("# nothing"), "the file holds no opening");
        assert!(refused("é5").starts_with("line 1: 'é5' is not a move"));
    }

    #[test]
    fn nobody_passes_in_a_random_opening_who_need_not() {
        let start = Record::<Go>::new(&GoRules::new(5, 15).expect("a size of Go"));
        for pair in 0..200 {
            let opening = Openings::Random { plies: 6, seed: 1 }.of_pair::<Go>(pair, &start);
            assert!(opening.len() == 6 && opening.iter().all(|mv| !mv.is_pass()), "{opening:?}");
        }
    }

    #[test]
    fn random_openings_repeat_by_seed_and_differ_by_pair() {
        let of =
            |seed, pair| Openings::Random { plies: 8, seed }.of_pair::<Othello>(pair, &start());
        assert_eq!(of(1, 0), of(1, 0));
        assert_ne!(of(1, 0), of(1, 1));
        assert_ne!(of(1, 0), of(2, 0));
        assert_eq!(of(1, 0).len(), 8);
        // No game of Othello has so many plies.
        let endless = Openings::Random { plies: 70, seed: 1 };
        assert_eq!(endless.of_pair::<Othello>(0, &start()).len(), 35);
    }
}
