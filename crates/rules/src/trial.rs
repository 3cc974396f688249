//! Trials: is a rule true, as the solver sees it, whatever stands around it?

use anyhow::bail;
use banyan_games::{Kind, Rng, Rules};
use banyan_proofs::{life, threats};

use crate::judged::{Alone, Judged};
use crate::written::Written as _;
use crate::{lines, zones};

/// Bytes of a rule as text, at most: four zones on the largest board, or some hundred windows.
pub const TEXT_MAX: usize = 1 << 13;

/// A rule that is to be tried. What comes of it is a pure function of this and of the game's rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The rule as JSON ([`crate::Written::text`]).
    pub rule: String,
    /// Prove it with nothing around it before it is tried with something: Go alone.
    pub alone: bool,
    /// Random completions to try it on, count.
    pub completions: u32,
    /// Seed of what is drawn.
    pub seed: u64,
}

/// What came of a trial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// The proof with nothing around it. Where that was asked for and is none, nothing else is tried.
    pub alone: Alone,
    /// Verdicts on completions.
    pub judged: Judged,
}

impl Trial {
    /// Makes the trial, by the rules of a game.
    ///
    /// # Errors
    /// In words: a game whose rules are not learned, a text that is no rule.
    pub fn run(&self, rules: &Rules) -> anyhow::Result<Tried> {
        let Trial { rule, alone, completions, seed } = self;
        let rng = &mut Rng::from_seed(*seed);
        let judged = match rules {
            Rules::Go(_) => {
                let rule = life::rules::Rule::of_text(rule)?;
                let alone = if *alone { zones::proven_alone(&rule) } else { Alone::Unasked };
                if matches!(alone, Alone::Unproven | Alone::Contradicted) {
                    return Ok(Tried { alone, judged: Judged::default() });
                }
                let judged = zones::judged(&rule, *completions, rng);
                return Ok(Tried { alone, judged });
            }
            Rules::Gomoku(rules) => {
                lines::judged(&threats::rules::Rule::of_text(rule)?, rules, *completions, rng)
            }
            Rules::Connect6(rules) => {
                lines::judged(&threats::rules::Rule::of_text(rule)?, rules, *completions, rng)
            }
            other => bail!("rules of {} are not learned", other.kind()),
        };
        Ok(Tried { alone: Alone::Unasked, judged })
    }

    /// A small trial of a game, by which builds are compared; nothing where no rules are learned.
    pub fn sample(game: Kind) -> Option<Trial> {
        let (rule, alone) = match game {
            Kind::Go => (include_str!("samples/go.json"), true),
            Kind::Gomoku => (include_str!("samples/gomoku.json"), false),
            Kind::Connect6 => (include_str!("samples/connect6.json"), false),
            _ => return None,
        };
        Some(Trial { rule: rule.trim_end().to_owned(), alone, completions: 2, seed: 1 })
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Terms;

    use super::*;

    fn rules(game: Kind) -> Rules {
        Rules::new(game, Terms::of(game)).expect("the usual board")
    }

    /// Signs that stand for each other: points, digits.
    const ALIKE: [&[u8]; 2] = [b"?.kTDaW-X", b"0123456789"];

    /// The text with some signs changed, taken out or doubled.
    fn changed(text: &str, rng: &mut Rng) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len() as u32) as usize;
            match rng.below(12) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, bytes[at]),
                _ => {
                    let alike = ALIKE.iter().find(|alike| alike.contains(&bytes[at]));
                    if let Some(alike) = alike {
                        bytes[at] = alike[rng.below(alike.len() as u32) as usize];
                    }
                }
            }
        }
        String::from_utf8(bytes).expect("signs of ASCII")
    }

    #[test]
    fn no_text_does_harm() {
        let mut rng = Rng::from_seed(1);
        for game in [Kind::Go, Kind::Gomoku, Kind::Connect6] {
            let (rules, sample) = (rules(game), Trial::sample(game).expect("a sample"));
            let mut tried = 0;
            for _ in 0..300 {
                let rule = changed(&sample.rule, &mut rng);
                let trial = Trial { rule, completions: 1, seed: rng.bits(), ..sample };
                tried += u32::from(trial.run(&rules).is_ok());
            }
            assert!((20..280).contains(&tried), "{game}: {tried} of 300 are rules");
        }
    }

    #[test]
    fn a_rule_alone_comes_with_its_proof_and_its_contrary_is_contradicted() {
        let (rules, sample) = (rules(Kind::Go), Trial::sample(Kind::Go).expect("a sample"));
        let tried = sample.run(&rules).expect("it is tried");
        assert_eq!(tried.judged, Judged { agreed: 2, ..Judged::default() });
        let Alone::Proven(proof) = tried.alone else { panic!("{:?}", tried.alone) };
        assert!(proof.contains('('), "{proof}");
        let rule = sample.rule.replace(r#""dead":true"#, r#""dead":false"#);
        let contrary = Trial { rule, ..sample.clone() };
        let expected = Tried { alone: Alone::Contradicted, judged: Judged::default() };
        assert_eq!(contrary.run(&rules).expect("it is tried"), expected);
        let unasked = Trial { alone: false, ..contrary }.run(&rules).expect("it is tried");
        assert_eq!((unasked.alone, unasked.judged.contradicted), (Alone::Unasked, 2));
    }
}
