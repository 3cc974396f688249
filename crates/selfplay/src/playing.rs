//! A game of self-play under way: how deep each search is, which move is played, what is kept.
//!
//! Knows nothing of how a search is made.

use super::game::{PlayedGame, SHARE_ONE, Thought, VALUE_ONE, code, winner_name};
use super::learned::Learned;
use super::opening::draw;
use banyan_games::{Move, Outcome, Record, Rng};
use banyan_proofs::Effort;

/// A game is decided once values were beyond this for [`DECIDED_PLIES`] plies.
const DECIDED: f64 = 0.04;

/// Plies in a row after which a one-sided game counts as decided.
const DECIDED_PLIES: u32 = 5;

/// Playout cap randomisation: how deep the searches of a game are.
///
/// # Source
/// Wu 2019, section 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depths {
    /// Visits of a full search, count; only these are learned from as policies.
    pub full: u32,
    /// Visits of a short search, count.
    pub short: u32,
    /// Visits where the game is decided, count.
    pub decided: u32,
    /// Plies of a thousand with a full search.
    pub full_permille: u32,
}

/// A search that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Visits, count.
    pub visits: u32,
    /// The search is to be learned from.
    pub is_full: bool,
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// Moves with the shares that are learned; any scale.
    pub shares: Vec<(Move, f64)>,
    /// For the side to move, 0 to 1.
    pub value: f64,
    /// The move that the search would play; nothing leaves it to lots by the shares.
    pub best: Option<Move>,
}

/// A game under way.
pub struct Playing<G: Learned> {
    /// The game so far.
    pub record: Record<G>,
    /// Chance of the game.
    pub rng: Rng,
    depths: Depths,
    seed: u64,
    opening: u32,
    asked: Asked,
    /// Games of which a tenth are played to the end at full depth.
    never_decided: bool,
    one_sided: u32,
    values: Vec<i16>,
    thoughts: Vec<Thought>,
    /// Its end, where that was proven.
    proven: Option<Outcome>,
}

/// Memory of a search for wins by threats, in bytes.
const PROOF_BYTES: usize = 1 << 16;

impl<G: Learned> Playing<G> {
    /// A game that goes on from its opening.
    pub fn new(record: Record<G>, depths: Depths, seed: u64, mut rng: Rng) -> Playing<G> {
        let opening = record.plies().len() as u32;
        let mut playing = Playing {
            values: vec![-1; record.plies().len()],
            never_decided: rng.below(10) == 0,
            record,
            rng,
            depths,
            seed,
            opening,
            asked: Asked { visits: 0, is_full: false },
            one_sided: 0,
            thoughts: Vec::new(),
            proven: None,
        };
        playing.ask();
        playing
    }

    /// The search of the next ply.
    pub fn asked(&self) -> Asked {
        self.asked
    }

    fn ask(&mut self) {
        let is_full = self.rng.below(1000) < self.depths.full_permille;
        self.asked = if self.one_sided >= DECIDED_PLIES && !self.never_decided {
            Asked { visits: self.depths.decided, is_full: false }
        } else if is_full {
            Asked { visits: self.depths.full, is_full }
        } else {
            Asked { visits: self.depths.short, is_full }
        };
    }

    /// Plays on by what was searched; the game may be over then.
    pub fn take(&mut self, searched: &Searched) {
        let size = u32::from(self.record.position().size().width);
        let all: f64 = searched.shares.iter().map(|(_, share)| share).sum();
        if self.asked.is_full && all > 0.0 {
            let share = |&(mv, share): &(Move, f64)| {
                let whole = (share / all * f64::from(SHARE_ONE)).round() as u16;
                (whole > 0).then(|| (code(mv, size), whole))
            };
            let policy: Vec<_> = searched.shares.iter().filter_map(share).collect();
            let ply = self.record.plies().len() as u32;
            self.thoughts.push(Thought { ply, visits: self.asked.visits, policy });
        }
        let is_one_sided = searched.value < DECIDED || searched.value > 1.0 - DECIDED;
        self.one_sided = if is_one_sided { self.one_sided + 1 } else { 0 };
        self.values.push((searched.value * f64::from(VALUE_ONE)).round() as i16);
        let mv = searched.best.unwrap_or_else(|| self.by_lot(&searched.shares));
        self.record.play(mv).expect("a candidate is legal");
        self.ask();
    }

    /// A move by lot: by the shares in the beginning, nearly the largest later.
    fn by_lot(&mut self, shares: &[(Move, f64)]) -> Move {
        let size = f64::from(self.record.position().size().width);
        let plies = self.record.plies().len() as f64;
        let temperature = 0.15 + 0.65 * libm::exp2(-plies / size);
        let most = shares.iter().map(|(_, share)| *share).fold(0.0, f64::max);
        let weight = |&(_, share): &(Move, f64)| {
            if share < most / 50.0 { 0.0 } else { libm::pow(share / most, 1.0 / temperature) }
        };
        let weights: Vec<f64> = shares.iter().map(weight).collect();
        shares.get(draw(&weights, &mut self.rng)).map_or(Move::PASS, |&(mv, _)| mv)
    }

    /// Moves that may be searched: where the other side threatens a win by threats, those alone that answer it.
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = self.record.candidates();
        if G::ROOT_PROOF > 0
            && let Some(answers) = self.record.position().answers_to_threats(G::ROOT_PROOF)
            && moves.iter().any(|mv| answers.contains(mv))
        {
            moves.retain(|mv| answers.contains(mv));
        }
        moves
    }

    /// Looks for a win by threats; the game is over where there is one, and its first move is learned.
    pub fn prove(&mut self) {
        let position = self.record.position();
        if G::ROOT_PROOF == 0 || self.is_over() {
            return;
        }
        let effort = Effort { nodes_max: G::ROOT_PROOF, table_bytes: PROOF_BYTES };
        let found = position.win_by_threats(effort, None, &mut |_| true);
        let Some(&first) =
            found.and_then(|found| found.win).as_ref().and_then(|win| win.line.first())
        else {
            return;
        };
        self.proven = Some(Outcome::win(position.side_to_move()));
        let size = u32::from(position.size().width);
        let ply = self.record.plies().len() as u32;
        let policy = vec![(code(first, size), SHARE_ONE)];
        self.thoughts.push(Thought { ply, visits: self.asked.visits, policy });
        self.values.push(1000);
        self.record.play(first).expect("a move of a win is legal");
    }

    /// Tells whether the game is over, or its end is proven.
    pub fn is_over(&self) -> bool {
        self.proven.is_some() || G::end_of(&self.record).is_some()
    }

    /// Returns what is kept of a game that is over.
    pub fn end(mut self) -> PlayedGame {
        let position = self.record.position();
        let end = self.proven.or_else(|| G::end_of(&self.record));
        let winner = end.unwrap_or(Outcome::DRAW).winner();
        let ending = G::settle(position, &mut self.rng);
        let size = u32::from(position.size().width);
        PlayedGame {
            size,
            komi: G::komi_of(position.rules()),
            seed: self.seed,
            opening: self.opening,
            moves: self.record.plies().iter().map(|&(_, mv)| code(mv, size)).collect(),
            values: self.values,
            thoughts: self.thoughts,
            winner: winner_name(winner),
            margin: ending.margin,
            ownership: ending.ownership,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::go::{Go, GoRules};

    const DEPTHS: Depths = Depths { full: 9, short: 5, decided: 2, full_permille: 1000 };

    fn playing(seed: u64) -> Playing<Go> {
        let record = Record::new(&GoRules::new(7, 15).unwrap());
        Playing::new(record, DEPTHS, seed, Rng::from_seed(seed))
    }

    fn searched(value: f64, playing: &Playing<Go>) -> Searched {
        let moves = playing.record.candidates();
        Searched { shares: vec![(moves[0], 3.0), (moves[1], 1.0)], value, best: None }
    }

    #[test]
    fn full_searches_are_kept_with_shares_of_ten_thousand() {
        let mut playing = playing(1);
        assert_eq!(playing.asked(), Asked { visits: 9, is_full: true });
        playing.take(&searched(0.6, &playing));
        assert_eq!(playing.thoughts[0].policy, [(0, 7500), (1, 2500)]);
        assert_eq!(playing.values, [600]);
    }

    #[test]
    fn a_decided_game_goes_on_with_a_handful_of_visits_but_for_a_tenth() {
        let mut still_full = 0;
        for seed in 0..200 {
            let mut playing = playing(seed);
            for _ in 0..DECIDED_PLIES {
                assert_eq!(playing.asked().visits, 9);
                playing.take(&searched(0.99, &playing));
            }
            still_full += u32::from(playing.asked().visits == 9);
        }
        // 20 expected, standard deviation 4.
        assert!((6..36).contains(&still_full), "{still_full} of 200");
    }
}
