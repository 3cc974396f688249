//! Decisions in words, the same from an engine as to it: `lay h8 h9 j10`, `take white`, `add g7 f6`,
//! `offer g7 k8`, `keep k8`.

use banyan_engine::Playable;
use banyan_games::{Color, Move, MoveTextError};

use super::decision::{Decision, Step};

/// Reasons why words are no decision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// A word that begins no decision.
    #[error("'{0}' is no decision of an opening: expected lay, take, add, offer or keep")]
    Word(String),
    /// Too few or too many words behind it.
    #[error("expected {0}")]
    Count(&'static str),
    /// A colour that is none.
    #[error("'{0}' is no colour: expected black or white")]
    Color(String),
    /// A point that is none.
    #[error(transparent)]
    Point(#[from] MoveTextError),
}

impl Decision {
    /// The decision that words name; whether it stands is not asked.
    ///
    /// # Errors
    /// [`DecisionError`] with the word that is wrong.
    pub fn parse<G: Playable>(text: &str, position: &G) -> Result<Decision, DecisionError> {
        let mut words = text.split_whitespace();
        let word = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        match word.to_ascii_lowercase().as_str() {
            "lay" => Ok(Decision::Lay(points(&rest, "lay and three points", position)?)),
            "take" => match rest[..] {
                [color] => Ok(Decision::Take(side(color)?)),
                _ => Err(DecisionError::Count("take black or take white")),
            },
            "add" => Ok(Decision::Add(points(&rest, "add and two points", position)?)),
            "offer" => Ok(Decision::Offer(points(&rest, "offer and two points", position)?)),
            "keep" => points::<G, 1>(&rest, "keep and one point", position)
                .map(|[point]| Decision::Keep(point)),
            _ => Err(DecisionError::Word(shortened(word))),
        }
    }

    /// The decision as [`Decision::parse`] reads it.
    pub fn text<G: Playable>(self, position: &G) -> String {
        let listed = |word: &str, points: &[Move]| {
            points.iter().fold(word.to_owned(), |all, &mv| all + " " + &position.move_text(mv))
        };
        match self {
            Decision::Lay(points) => listed("lay", &points),
            Decision::Take(color) => format!("take {color}"),
            Decision::Add(points) => listed("add", &points),
            Decision::Offer(points) => listed("offer", &points),
            Decision::Keep(point) => listed("keep", &[point]),
        }
    }
}

impl Step {
    /// The step's demand, in words.
    pub fn wanted<G: Playable>(self, position: &G) -> String {
        match self {
            Step::Lay => "lay and three points".to_owned(),
            Step::Take(_) => "take black or take white".to_owned(),
            Step::TakeOrAdd => "take black, take white, or add and two points".to_owned(),
            Step::Fourth => "an ordinary move of white".to_owned(),
            Step::Offer => "offer and two points".to_owned(),
            Step::Keep(offered) => {
                let [one, other] = offered.map(|mv| position.move_text(mv));
                format!("keep {one} or keep {other}")
            }
            Step::Over => "an ordinary move".to_owned(),
        }
    }
}

fn points<G: Playable, const N: usize>(
    words: &[&str],
    expected: &'static str,
    position: &G,
) -> Result<[Move; N], DecisionError> {
    let words: [&str; N] = words.try_into().map_err(|_| DecisionError::Count(expected))?;
    let mut points = [Move::PASS; N];
    for (point, word) in points.iter_mut().zip(words) {
        *point = position.parse_move(word)?;
    }
    Ok(points)
}

fn side(word: &str) -> Result<Color, DecisionError> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(DecisionError::Color(shortened(word))),
    }
}

/// Texts come from strangers: an error repeats at most this much of one.
fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Game;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    #[test]
    fn what_is_written_is_read() {
        let position = Gomoku::new(&GomokuRules::new(15, 15, Variant::Renju).expect("rules"));
        for text in
            ["lay h8 h9 j10", "take black", "take white", "add a1 o15", "offer g7 k8", "keep k8"]
        {
            let read = Decision::parse(text, &position).expect(text);
            assert_eq!(read.text(&position), text);
        }
        assert_eq!(
            Decision::parse(" TAKE  w ", &position),
            Ok(Decision::Take(Color::White)),
            "case and spaces do not matter"
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let position = Gomoku::new(&GomokuRules::new(15, 15, Variant::Renju).expect("rules"));
        let error = |text| Decision::parse(text, &position).expect_err(text).to_string();
        assert_eq!(
            error("fly"),
            "'fly' is no decision of an opening: expected lay, take, add, offer or keep"
        );
        assert_eq!(error("lay h8 h9"), "expected lay and three points");
        assert_eq!(error("take"), "expected take black or take white");
        assert_eq!(error("take red"), "'red' is no colour: expected black or white");
        assert_eq!(error("keep a1 b1"), "expected keep and one point");
        assert!(error("offer z99 a1").starts_with("'z99' is"), "{}", error("offer z99 a1"));
    }
}
