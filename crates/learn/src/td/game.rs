//! One game that is learned from: the learner puts its stones where its output is best.

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::game::Game as _;
use banyan_games::{Color, Move, Rng};

use super::learner::{Learner, Turn};
use super::opponent::{Opponent, OpponentError};

/// Points of a side of the board.
const SIDE: u32 = 19;

/// A game that nobody has won after so many plies is a draw.
const PLIES_MAX: usize = 160;

/// Manner in which games are played.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Turns of the learner of which one is played at random; 0 for none.
    pub random_every: u32,
    /// The side that the learner has; nothing for both.
    pub learner: Option<Color>,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Game<S> {
    pub turns: Vec<Turn<S>>,
    pub winner: Option<Color>,
}

impl<S> Game<S> {
    /// 1 where Black won, 0 where White did, ½ where nobody.
    pub fn result(&self) -> f64 {
        self.winner.map_or(0.5, |winner| f64::from(u8::from(winner == Color::Black)))
    }
}

/// Plays a game; the opponent has the side that the learner has not.
///
/// # Errors
/// What the opponent says.
pub fn play<L: Learner>(
    learner: &L,
    opponent: &mut Option<Opponent>,
    manner: Manner,
    rng: &mut Rng,
) -> Result<Game<L::Seen>, OpponentError> {
    let rules = Connect6Rules::new(SIDE).expect("a size");
    let mut position = Connect6::new(&rules);
    let mut turns: Vec<Turn<L::Seen>> = Vec::new();
    if let Some(opponent) = opponent {
        opponent.begin(SIDE)?;
    }
    let mut plies = 0;
    while position.outcome().is_none() && plies < PLIES_MAX {
        let side = position.side_to_move();
        let is_own = manner.learner.is_none_or(|own| own == side);
        let strays = is_own && manner.random_every > 0 && rng.below(manner.random_every) == 0;
        while position.outcome().is_none() && position.side_to_move() == side {
            let mv = match (is_own, opponent.as_mut()) {
                (false, Some(opponent)) => match opponent.move_of(&position)? {
                    Some(mv) => mv,
                    None => return Ok(Game { turns, winner: Some(!side) }),
                },
                _ if strays => any(&position, rng),
                _ => best(learner, &position),
            };
            if is_own && let Some(opponent) = opponent {
                opponent.tell(&position, mv)?;
            }
            if strays && let Some(last) = turns.last_mut() {
                last.is_cut = true;
            }
            position.play(mv);
            plies += 1;
            let is_learned = L::EACH_STONE || position.side_to_move() != side;
            if is_learned && position.outcome().is_none() {
                turns.push(Turn { seen: learner.see(&position), is_cut: false });
            }
        }
    }
    Ok(Game { turns, winner: position.outcome().and_then(|outcome| outcome.winner()) })
}

fn candidates(position: &Connect6) -> Vec<Move> {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    moves
}

fn any(position: &Connect6, rng: &mut Rng) -> Move {
    let moves = candidates(position);
    moves[rng.below(moves.len() as u32) as usize]
}

/// The stone after which the output is best for its side; one that wins before all.
fn best(learner: &impl Learner, position: &Connect6) -> Move {
    let side = position.side_to_move();
    let mut best = (f64::NEG_INFINITY, Move::PASS);
    for mv in candidates(position) {
        let mut next = position.clone();
        next.play(mv);
        let chance = match next.outcome() {
            Some(_) => return mv,
            None => learner.chance(&learner.see(&next)),
        };
        let worth = if side == Color::Black { chance } else { -chance };
        if worth > best.0 {
            best = (worth, mv);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::td::learner::{Letter, Rates, Tuples, learn};

    /// A game of nothing but random turns: the same for every learner.
    fn game<L: Learner>(learner: &L) -> Game<L::Seen> {
        let manner = Manner { random_every: 1, learner: None };
        play(learner, &mut None, manner, &mut Rng::from_seed(1)).expect("no opponent fails")
    }

    #[test]
    fn tuples_learn_what_positions_with_one_stone_left_are_worth_too() {
        let mut tuples = Tuples::new();
        let mut turns = game(&tuples).turns;
        // Else hardly anything would be learned from it.
        turns.iter_mut().for_each(|turn| turn.is_cut = false);
        learn(&mut tuples, &turns, 1.0, Rates { alpha: 0.1, lambda: 0.7 });
        for (used, weights) in tuples.weights.iter().enumerate() {
            assert!(weights.iter().any(|&weight| weight != 0.0), "{used} stones used");
        }
    }

    #[test]
    fn the_letter_learns_after_whole_turns_and_tuples_after_each_stone() {
        let [stones, turns] = [game(&Tuples::new()).turns.len(), game(&Letter::new(1)).turns.len()];
        // The first turn has one stone, each other two.
        assert_eq!(turns, stones.div_ceil(2));
    }

    #[test]
    fn what_comes_before_a_random_stone_is_cut_off_within_its_turn_too() {
        let turns = game(&Tuples::new()).turns;
        assert!(turns[..turns.len() - 1].iter().all(|turn| turn.is_cut));
    }
}
