//! Games of lines against itself: random beginnings, and searches that say what each position is worth.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::gomoku::Gomoku;
use banyan_games::line::LineRules as _;
use banyan_games::{Color, Kind, Move, Rng, Rules};
use banyan_knowledge::{Evaluation, Patterns, Ranked};
use banyan_search::Searchable;
use banyan_search::classical::{
    Found, Horizon, Memory, Method, Problem, Watch, is_decided, search,
};

use super::line_games::{PLIES_MAX, Ply, Recorded, UNKNOWN};

/// A random beginning has 1 ply at least, and fewer than this more.
const RANDOM_PLIES: u32 = 8;

/// One of so many plies is one of the moves that rank first, so that games leave the beaten track; what came
/// before is not used.
const RANDOM_EVERY: u32 = 40;
const RANKED_FIRST: usize = 6;

/// Values beyond this many hundredths are cut to it: who wins is all that they say.
pub(super) const VALUE_MAX: i16 = 800;

/// Bytes of a player's table.
const TABLE: usize = 2 << 20;

/// A player of games.
#[derive(Clone, Debug)]
pub struct Player<G: 'static> {
    /// The empty board.
    pub root: G,
    /// The evaluation that it goes by.
    pub evaluation: Arc<dyn Evaluation<G>>,
    /// Plies that a move is searched deep, above 0.
    pub plies: u32,
}

/// A player of one of the games of lines.
pub(super) enum LinePlayer {
    Gomoku(Player<Gomoku>),
    Connect6(Player<Connect6>),
}

impl LinePlayer {
    /// A player of a game.
    ///
    /// - `patterns`: the tables that it goes by; nothing for the game's evaluation of this number.
    /// - `plies`: those that a move is searched deep, above 0.
    ///
    /// # Errors
    /// In words: a game without such a player, tables of another game, an evaluation that there is not.
    pub fn of(
        rules: &Rules,
        patterns: Option<&Patterns>,
        number: u32,
        plies: u32,
    ) -> anyhow::Result<LinePlayer> {
        Ok(match (rules, patterns) {
            (Rules::Gomoku(rules), None) => {
                LinePlayer::Gomoku(Player::of(rules, numbered(number)?, plies))
            }
            (Rules::Gomoku(rules), Some(Patterns::Gomoku(by))) => {
                LinePlayer::Gomoku(Player::of(rules, by.clone(), plies))
            }
            (Rules::Connect6(rules), None) => {
                LinePlayer::Connect6(Player::of(rules, numbered(number)?, plies))
            }
            (Rules::Connect6(rules), Some(Patterns::Connect6(by))) => {
                LinePlayer::Connect6(Player::of(rules, by.clone(), plies))
            }
            (other, None) => bail!("{} has no patterns", other.kind()),
            (other, Some(of)) => bail!("tables of {} for {}", of.game(), other.kind()),
        })
    }
}

/// A game's evaluation of this number.
fn numbered<G: Searchable>(number: u32) -> anyhow::Result<Arc<dyn Evaluation<G>>> {
    let all = G::evaluations();
    let one = all.get(number as usize);
    one.cloned().with_context(|| {
        format!("no evaluation {number}: {} has {}, from 0 on", G::KIND, all.len())
    })
}

/// What a search says of a position.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    /// Best play, the best move first.
    pub line: Vec<Move>,
    /// Hundredths of a logit, to the side to move.
    pub value: i16,
    /// Tells whether that is a win or a loss by force.
    pub is_decided: bool,
}

/// The values of all depths so far, and the line of the last one.
pub(super) struct LastRound {
    /// Stones of a turn, count.
    turn: usize,
    values: Vec<i32>,
    line: Vec<Move>,
    nodes_max: u64,
}

impl LastRound {
    /// Of a search that looks at so many positions, about.
    pub fn of(game: Kind, nodes_max: u64) -> LastRound {
        let turn = match game {
            Kind::Connect6 => Connect6Rules::STONES_A_TURN,
            _ => 1,
        };
        LastRound { turn: turn.into(), values: Vec::new(), line: Vec::new(), nodes_max }
    }

    /// Values of the depths of a round of both sides' turns, the last ones; where fewer were finished, of the last one
    /// and the one a turn before it, which the other side ends, or of the last one alone.
    fn round(&self) -> Vec<i32> {
        let (all, turn) = (&self.values, self.turn);
        match all.len() {
            many if many >= 2 * turn => all[many - 2 * turn..].to_vec(),
            _ => all.iter().rev().step_by(turn).take(2).copied().collect(),
        }
    }

    /// The best line, and its value: the mean over a round of turns, as values differ by who has the last word. Of a
    /// depth that was not finished a win is believed, and nothing else: a first move that loses says nothing of the
    /// others.
    pub fn judged(&self, found: &Found, scale: f32) -> Judged {
        let most = f32::from(VALUE_MAX);
        let parts = |value: i32| (100.0 * value as f32 / scale).clamp(-most, most);
        let last = self.values.last().copied().unwrap_or(0);
        let (line, value) = match () {
            () if is_decided(found.value) && found.value > 0 => {
                (found.line.clone(), parts(found.value))
            }
            () if self.line.is_empty() => (vec![found.best], 0.0),
            () if is_decided(last) => (self.line.clone(), parts(last)),
            () => {
                let round = self.round();
                let sum: f32 = round.iter().map(|&value| parts(value)).sum();
                (self.line.clone(), sum / round.len() as f32)
            }
        };
        let is_won = is_decided(found.value) && found.value > 0;
        Judged { line, value: value.round() as i16, is_decided: is_won || is_decided(last) }
    }
}

impl Watch for LastRound {
    fn goes_on(&mut self, nodes: u64) -> bool {
        nodes < self.nodes_max
    }

    fn deepened(&mut self, found: &Found) {
        self.line.clone_from(&found.line);
        self.values.push(found.value);
    }
}

impl<G: Searchable> Player<G> {
    fn of(rules: &G::Rules, evaluation: Arc<dyn Evaluation<G>>, plies: u32) -> Player<G> {
        Player { root: G::new(rules), evaluation, plies }
    }

    /// The game of a seed; the same wherever it is played.
    pub fn game(&self, seed: u64) -> Recorded {
        let mut rng = Rng::from_seed(seed);
        let (mut position, mut plies) = (self.root.clone(), Vec::new());
        let mut memory = Memory::new(TABLE);
        let mut random = 1 + rng.below(RANDOM_PLIES);
        while position.outcome().is_none() && plies.len() < PLIES_MAX {
            let mut moves = Vec::new();
            position.candidates(&mut moves);
            if random > 0 {
                random -= 1;
                let mv = moves[rng.below(moves.len() as u32) as usize];
                plies.push(Ply { mv, best: mv, value: UNKNOWN });
                position.play(mv);
                continue;
            }
            let (found, value) = self.searched(&position, &moves, &mut memory);
            let strays = rng.below(RANDOM_EVERY) == 0 && !is_decided(found.value);
            if strays {
                // How the game ends says nothing of what was before.
                plies.iter_mut().for_each(|ply: &mut Ply| ply.value = UNKNOWN);
            }
            let mv =
                if strays { self.one_of_the_first(&position, moves, &mut rng) } else { found.best };
            plies.push(Ply { mv, best: found.best, value: if strays { UNKNOWN } else { value } });
            let side = position.side_to_move();
            if is_decided(found.value) {
                let winner = Some(if found.value > 0 { side } else { !side });
                return Recorded { plies, winner };
            }
            position.play(mv);
        }
        Recorded { plies, winner: position.outcome().and_then(|outcome| outcome.winner()) }
    }

    fn searched(&self, position: &G, moves: &[Move], memory: &mut Memory) -> (Found, i16) {
        let problem = Problem {
            position,
            moves,
            evaluation: &*self.evaluation,
            method: Method::AlphaBeta,
            horizon: Horizon::Depth,
            depth_max: self.plies,
        };
        let mut last = LastRound::of(G::KIND, u64::MAX);
        let found = search(memory, &problem, &mut last);
        let value = last.judged(&found, self.evaluation.scale()).value;
        (found, value)
    }

    fn one_of_the_first(&self, position: &G, moves: Vec<Move>, rng: &mut Rng) -> Move {
        let mut ranked: Vec<Ranked> = moves.into_iter().map(Ranked::new).collect();
        self.evaluation.rank(position, &mut ranked);
        ranked.sort_by_key(|it| std::cmp::Reverse(it.rank));
        ranked[rng.below(ranked.len().min(RANKED_FIRST) as u32) as usize].mv
    }
}

/// Two games from one random beginning, the first player Black in the first of them; its half points, 0 to 2 each.
pub fn pair<G: Searchable>(players: [&Player<G>; 2], rng: &mut Rng) -> [usize; 2] {
    let mut opening = players[0].root.clone();
    for _ in 0..=rng.below(RANDOM_PLIES) {
        let mut moves = Vec::new();
        opening.candidates(&mut moves);
        opening.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    Color::BOTH.map(|first| match winner(players, &opening, first) {
        None => 1,
        Some(winner) => 2 * usize::from(winner == first),
    })
}

/// The winner of a game, which is a draw where it is broken off.
///
/// - `first`: the side of the first player.
fn winner<G: Searchable>(players: [&Player<G>; 2], opening: &G, first: Color) -> Option<Color> {
    let mut position = opening.clone();
    let mut memories = players.map(|_| Memory::new(TABLE));
    for _ in 0..PLIES_MAX {
        if let Some(outcome) = position.outcome() {
            return outcome.winner();
        }
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        let side = position.side_to_move();
        let turn = usize::from(side != first);
        let (found, _) = players[turn].searched(&position, &moves, &mut memories[turn]);
        if is_decided(found.value) {
            return Some(if found.value > 0 { side } else { !side });
        }
        position.play(found.best);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a search that found these values, one depth after the other, in hundredths.
    fn said(game: Kind, values: &[i32]) -> i16 {
        let mut last = LastRound::of(game, u64::MAX);
        let (best, line) = (Move(0), vec![Move(0)]);
        let mut found =
            Found { best, value: 0, line, depth: 0, is_exact: false, nodes: 0, passes: 0 };
        for (value, depth) in values.iter().zip(1..) {
            found = Found { value: *value, depth, ..found };
            last.deepened(&found);
        }
        last.judged(&found, 100.0).value
    }

    #[test]
    fn a_position_is_worth_the_mean_over_a_round_of_turns() {
        for (values, gomoku, connect6) in [
            (&[10][..], 10, 10),
            (&[10, 30], 20, 30),
            (&[10, 30, 50], 40, 30),
            (&[10, 30, 50, 90], 70, 45),
            (&[10, 30, 50, 90, 130], 110, 75),
        ] {
            assert_eq!(said(Kind::Gomoku, values), gomoku, "{values:?}");
            assert_eq!(said(Kind::Connect6, values), connect6, "{values:?}");
        }
    }
}
