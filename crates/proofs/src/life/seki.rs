//! Chains that stand in seki: neither side can take the other's, though neither has two eyes.
//!
//! For judges whose games are played until nobody has a free move: there the side that runs out of them first puts
//! itself in atari, and a chain that nobody would touch is taken.

use banyan_games::go::{Fight, Go};
use banyan_games::{Game, Move};

use super::{Status, VITAL_TABLE_BYTES, judge};
use crate::effort::Effort;

/// Empty points of a fight over a chain in seki, at most. Where there is more room a chain may live by it, which is
/// for others to believe: those who agree that it is dead would not have let it.
const EMPTY_MAX: u32 = 12;

/// No question takes more than one part in so many of all.
const QUESTIONS: u64 = 8;

/// The stones among `dead` that stand in seki, whole chains.
///
/// Such a chain holds out although the other side begins, a rival that shares a liberty with it does so too, and so
/// do those chains around the rival that would be dead by `dead`; all of them proven, whoever wins kos.
///
/// - `dead`: stones that are said to be dead, whole chains.
/// - `nodes_max`: positions looked into for all chains together.
pub fn in_seki(position: &Go, dead: &[Move], nodes_max: u64) -> Vec<Move> {
    let mut witness =
        Witness { position, dead, nodes_each: nodes_max / QUESTIONS, left: nodes_max };
    let mut found = Vec::new();
    let mut seen = Vec::new();
    for &stone in dead {
        if seen.contains(&stone) {
            continue;
        }
        let chain = position.group(stone);
        if witness.stands_in_seki(stone) {
            found.extend(&chain);
        }
        seen.extend(chain);
    }
    found
}

/// Asks the local search as long as there are positions left.
struct Witness<'a> {
    position: &'a Go,
    dead: &'a [Move],
    /// Positions for one question, at most.
    nodes_each: u64,
    /// Positions for all that will be asked.
    left: u64,
}

impl Witness<'_> {
    fn stands_in_seki(&mut self, stone: Move) -> bool {
        let Some(fight) = self.fight(stone) else { return false };
        let rivals = fight.rivals();
        !rivals.is_empty()
            && self.holds_out(stone)
            && rivals.into_iter().any(|rival| self.is_held(rival))
    }

    /// Tells whether a rival holds out that needs to, among chains that do.
    fn is_held(&mut self, rival: Move) -> bool {
        if self.position.is_unconditionally_alive(rival) || !self.holds_out(rival) {
            return false;
        }
        let mut around = self.fight(rival).map(|fight| fight.besiegers()).unwrap_or_default();
        around.retain(|stone| self.dead.contains(stone));
        around.into_iter().all(|stone| self.holds_out(stone))
    }

    /// Tells whether the chain lives in a small fight that the other side begins.
    fn holds_out(&mut self, stone: Move) -> bool {
        let Some(fight) = self.fight(stone).filter(|fight| fight.empty_points() <= EMPTY_MAX)
        else {
            return false;
        };
        let mut position = self.position.clone();
        if position.set_side_to_move(!fight.defender()).is_err() {
            return false;
        }
        // Each of its two searches may take so many.
        let nodes_max = self.nodes_each.min(self.left) / 2;
        let effort = Effort { nodes_max, table_bytes: VITAL_TABLE_BYTES };
        let Ok(found) = judge(&position, stone, effort) else { return false };
        self.left = self.left.saturating_sub(found.nodes);
        found.status == Status::Alive
    }

    fn fight(&self, stone: Move) -> Option<Fight> {
        Fight::new(self.position, stone, self.position.side_to_move()).ok()
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Color;
    use banyan_games::go::GoRules;
    use banyan_games::notation::drawn;

    use super::*;

    const NODES: u64 = 20_000;

    fn position(text: &str) -> Go {
        let (stones, points) = drawn(text);
        let rules = GoRules::new(points.isqrt() as u32, 1).expect("a size of Go");
        let mut position = Go::new(&rules);
        position.set_up(&stones, Color::Black).expect("a position that can stand");
        position
    }

    /// Asks about the chain on a point as if it were thought dead; the same for the other colour's board.
    fn is_seki(text: &str, point: &str) -> bool {
        let turned = text.replace('X', "-").replace('O', "X").replace('-', "O");
        let [found, other] = [text, &turned].map(|text| {
            let position = position(text);
            let chain = position.group(position.parse_move(point).expect("a point"));
            assert!(!chain.is_empty(), "{point}");
            let found = in_seki(&position, &chain, NODES);
            assert!(found.is_empty() || found == chain, "{found:?} of {chain:?}");
            !found.is_empty()
        });
        assert_eq!(found, other);
        found
    }

    /// Two shared liberties and no eye on either side; the walls live.
    const PLAIN: &str = "
        . X O . . . . . .
        . X O . . . . . .
        . X O . . . . . .
        X X O . . . . . .
        . X O . . . . . .
        X X O O O . . . .
        X O X X O . . . .
        X O . X O . . . .
        X O . X O . . . .";

    #[test]
    fn chains_that_share_two_liberties_stand_in_seki() {
        for point in ["D1", "B1"] {
            assert!(is_seki(PLAIN, point), "{point}");
        }
    }

    #[test]
    fn chains_with_an_eye_each_and_one_shared_liberty_stand_in_seki() {
        let eyes = "
            . . . X O . . . .
            . . . X O . . . .
            . . . X O . . . .
            . . . X O . . . .
            X X X X O O O O O
            X O O O X X X X O
            X O . O . X . X O
            X O O O X X X X O
            X X X X O O O O O";
        for point in ["B2", "F3"] {
            assert!(is_seki(eyes, point), "{point}");
        }
    }

    #[test]
    fn who_is_taken_when_the_other_side_begins_stands_in_none() {
        let filled = format!("{}X O X X O . . . .", &PLAIN[..PLAIN.len() - 17]);
        for point in ["D1", "B1"] {
            assert!(!is_seki(&filled, point), "{point}");
        }
    }

    #[test]
    fn a_stone_in_a_territory_is_dead_however_large_that_is() {
        for columns in 1..7 {
            let row = format!("{}OX{}", ".".repeat(7 - columns), ".".repeat(columns));
            let text = row.repeat(8) + &row[..8] + "O";
            assert!(!is_seki(&text, "J1"), "{columns} columns");
        }
    }

    /// The left wall has no second eye: White's stones need not fear it.
    #[test]
    fn no_chain_stands_in_seki_with_one_that_dead_stones_surround() {
        let weak = "
            . X O . . . . . .
            . X O . . . . . .
            X X O . . . . . .
            X X O . . . . . .
            X X O . . . . . .
            X X O O O . . . .
            X O X X O . . . .
            X O . X O . . . .
            X O . X O . . . .";
        let position = position(weak);
        let chain = |point| position.group(position.parse_move(point).expect("a point"));
        let (inner, wall) = (chain("D1"), chain("B9"));
        assert_eq!(in_seki(&position, &inner, NODES), inner);
        assert_eq!(in_seki(&position, &[inner, wall].concat(), NODES), []);
    }

    #[test]
    fn nothing_is_found_without_positions_to_look_into() {
        let position = position(PLAIN);
        let chain = position.group(position.parse_move("D1").expect("a point"));
        assert_eq!(in_seki(&position, &chain, 0), []);
    }
}
