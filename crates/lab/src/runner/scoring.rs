//! The score of a game of Go that two passes ended.
//!
//! Our own rules count every stone as alive, so others are asked which are dead: the referee, or
//! both engines. Only where the engines disagree does our own count decide.

use banyan_games::{Color, Margin, Outcome, Record};
use banyan_knowledge::Knowledge;

use super::engine::{Engine, EngineError};
use super::terms::{Terms, play_command};
use super::verdict::{Reason, Verdict};

/// The verdict on a finished game; `own` is the score with all stones alive.
pub(super) fn score<G: Knowledge>(
    terms: &Terms<G>,
    record: &Record<G>,
    engines: &mut [&mut Engine; 2],
    own: Outcome,
) -> Verdict {
    let Some(command) = &terms.referee else {
        return agreed(terms, engines, own);
    };
    match ask_referee(command, terms, record) {
        Ok(text) => match parse(&text) {
            Some(outcome) => Verdict::ended(outcome, Reason::Score, format!("referee {text}")),
            None => noted(agreed(terms, engines, own), &format!("referee said '{text}'")),
        },
        Err(error) => noted(agreed(terms, engines, own), &format!("referee failed: {error}")),
    }
}

/// The score that both engines say; where they name different winners, or neither says anything, our count.
fn agreed<G: Knowledge>(terms: &Terms<G>, engines: &mut [&mut Engine; 2], own: Outcome) -> Verdict {
    let said = engines.each_mut().map(|engine| {
        let answer = engine.ask("final_score", terms.hang_after);
        answer.ok().and_then(|text| parse(&text))
    });
    let words = said.map(|score| score.map_or("nothing".to_owned(), |score| score.to_string()));
    let [black, white] = &words;
    match said {
        [Some(one), Some(other)] if one.winner() != other.winner() => {
            let detail = format!("black says {black}, white says {white}; counted {own}");
            Verdict::ended(own, Reason::Disputed, detail)
        }
        [Some(one), _] | [None, Some(one)] => {
            Verdict::ended(one, Reason::Score, format!("black says {black}, white says {white}"))
        }
        [None, None] => Verdict::ended(own, Reason::Score, format!("counted {own}")),
    }
}

fn noted(mut verdict: Verdict, note: &str) -> Verdict {
    verdict.detail = format!("{note}; {}", verdict.detail);
    verdict
}

fn ask_referee<G: Knowledge>(
    command: &str,
    terms: &Terms<G>,
    record: &Record<G>,
) -> Result<String, EngineError> {
    let mut referee = Engine::start(command)?;
    for command in terms.start_commands() {
        referee.ask(&command, terms.hang_after)?;
    }
    for &(color, mv) in record.plies() {
        referee.ask(&play_command(record.start(), color, mv), terms.hang_after)?;
    }
    let score = referee.ask("final_score", terms.hang_after)?;
    referee.quit();
    Ok(score)
}

/// `B+3.5`, `W+12`, `0`; nothing for any other text.
fn parse(text: &str) -> Option<Outcome> {
    let text = text.split_whitespace().next()?;
    if ["0", "draw", "jigo"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Some(Outcome::DRAW);
    }
    let (winner, points) = text.split_once('+')?;
    let winner = match winner {
        "B" | "b" => Color::Black,
        "W" | "w" => Color::White,
        _ => return None,
    };
    let halves = points.parse::<f64>().ok()? * 2.0;
    if halves.fract() != 0.0 || !(0.0..1e6).contains(&halves) {
        return None;
    }
    let margin = if winner == Color::Black { halves as i32 } else { -(halves as i32) };
    Some(Outcome { margin: Margin(margin) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_engines_write_them() {
        assert_eq!(parse("B+3.5"), Some(Outcome { margin: Margin(7) }));
        assert_eq!(parse("W+12.0 (upper bound: 3)"), Some(Outcome { margin: Margin(-24) }));
        assert_eq!(parse("0"), Some(Outcome::DRAW));
        for text in ["", "W+Resign", "X+1", "B+0.3", "B+nan", "B-1", "cannot score"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
