//! Positions in which it is asked whether the side to move wins by threats: problems from a file, games.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context as _, ensure};
use banyan_games::connect6::Connect6Rules;
use banyan_games::gomoku::GomokuRules;
use banyan_games::line::Position;
use banyan_games::{Game, Record, Rng, Rules};
use banyan_knowledge::Knowledge;
use banyan_proofs::threats::explain::Explained;
use banyan_proofs::threats::rules::are_about;

use crate::rules::games::{drawn_move, sgf_games};

/// A game of lines that rules are learned of.
pub trait Taught: Explained + Into<Rules> {
    /// Its rules, if these are of this game.
    fn of(rules: &Rules) -> Option<&Self>;
}

impl Taught for GomokuRules {
    fn of(rules: &Rules) -> Option<&GomokuRules> {
        match rules {
            Rules::Gomoku(rules) => Some(rules),
            _ => None,
        }
    }
}

impl Taught for Connect6Rules {
    fn of(rules: &Rules) -> Option<&Connect6Rules> {
        match rules {
            Rules::Connect6(rules) => Some(rules),
            _ => None,
        }
    }
}

/// Does the side to move win by threats?
#[derive(Clone, Debug)]
pub struct Question<R: Taught> {
    /// Origin of the question.
    pub name: String,
    /// The position; a whole turn is to be played.
    pub position: Position<R>,
}

/// Stones on the board, at least: with fewer there is nothing to win by.
const STONES_MIN: usize = 6;

/// Reads problems, a line each: a word, and the moves from the empty board; what follows `#` says nothing.
///
/// # Errors
/// The first problem that is none, with its line.
pub fn problems<R: Taught>(file: &str, text: &str, rules: &R) -> anyhow::Result<Vec<Question<R>>> {
    let mut questions = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut words = line.split('#').next().unwrap_or("").split_whitespace();
        let Some(name) = words.next() else { continue };
        let line = at + 1;
        let position = played(rules, words).with_context(|| format!("{file}, line {line}"))?;
        let name = format!("{file}, line {line}: {name}");
        ensure!(begins_turn(&position), "{name}: the game is over, or in the middle of a turn");
        questions.push(Question { name, position });
    }
    ensure!(!questions.is_empty(), "{file} holds no problem");
    Ok(questions)
}

fn played<'w, R: Taught>(
    rules: &R,
    words: impl Iterator<Item = &'w str>,
) -> anyhow::Result<Position<R>> {
    let mut record = Record::<Position<R>>::new(rules);
    for word in words {
        let mv = record.position().parse_move(word)?;
        record.play(mv).with_context(|| format!("'{word}' cannot be played"))?;
    }
    Ok(record.position().clone())
}

fn begins_turn<R: Taught>(position: &Position<R>) -> bool {
    position.outcome().is_none() && position.plies_left() == R::STONES_A_TURN
}

/// Positions of the games in a folder of SGF files.
///
/// # Errors
/// A folder or a file that cannot be read, a game with other rules than rules are learned of.
pub fn games<R: Taught>(folder: &Path) -> anyhow::Result<Vec<Question<R>>> {
    let mut questions = Vec::new();
    for (name, game) in sgf_games(folder, R::KIND)? {
        let rules = R::of(&game.rules).with_context(|| format!("{name}: no {}", R::KIND))?;
        ensure!(
            are_about(rules),
            "{name}: {rules}: rules are learned where five or more win alone"
        );
        let record = game.record::<Position<R>>(rules).with_context(|| name.clone())?;
        for ply in STONES_MIN..=record.plies().len() {
            let position = record.position_after(ply);
            if begins_turn(position) {
                let name = format!("{name}, ply {ply}");
                questions.push(Question { name, position: position.clone() });
            }
        }
    }
    Ok(questions)
}

/// Positions of games whose moves are drawn by the tree's priors.
pub fn drawn_games<R: Taught>(count: u32, rules: &R, seed: u64) -> Vec<Question<R>>
where
    Position<R>: Knowledge + Game<Rules = R>,
{
    let mut questions = Vec::new();
    for number in 0..count {
        let mut rng = Rng::from_seed(seed + u64::from(number));
        let mut position = Position::<R>::new(rules);
        for ply in 1.. {
            let Some(mv) = drawn_move(&position, &mut rng) else { break };
            position.play(mv);
            if position.outcome().is_some() {
                break;
            }
            if ply >= STONES_MIN && begins_turn(&position) {
                let name = format!("drawn game {number}, ply {ply}");
                questions.push(Question { name, position: position.clone() });
            }
        }
    }
    questions
}

/// Leaves out positions that `others` has, in any of their images.
pub fn without<R: Taught>(questions: Vec<Question<R>>, others: &[Question<R>]) -> Vec<Question<R>> {
    let known: HashSet<Vec<u8>> = others.iter().map(|it| it.position.key().packed).collect();
    questions.into_iter().filter(|it| !known.contains(&it.position.key().packed[..])).collect()
}
