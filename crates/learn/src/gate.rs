//! A match that tells whether what was learned is stronger than what it learned from.
//!
//! Pairs of games, each pair from one opening with colours exchanged, until a sequential test has decided. The same
//! seed gives the same match, however many threads play it.

use std::fmt;
use std::io::{self, Write};

use banyan_games::Rng;
use banyan_lab::runner::sprt::{Decision, Pentanomial, Sprt};
use banyan_lab::runner::statistics::Wdl;
use clap::Args;

use crate::crew::Crew;
use crate::meter::Meter;

/// Pairs of games between two looks at the test.
const TOGETHER: u32 = 32;

/// Options of the gate of tables.
#[derive(Clone, Copy, Debug, Args)]
pub struct Gate {
    /// Pairs of games at most that the tables play against those behind the games, count; 0 for none.
    #[arg(long, default_value_t = 400)]
    pub pairs: u32,
    /// What stops the match: Elo that is too little, Elo that is enough, and how often each may be wrong.
    #[arg(long, default_value = "0,20,0.05,0.05")]
    pub sprt: Sprt,
}

/// Results of a match for the first side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Its games.
    pub games: Wdl,
    /// Pairs by its points.
    pub pairs: Pentanomial,
}

impl Tally {
    /// Counts a pair of games.
    ///
    /// - `half_points`: of the first side in each, 0 to 2.
    pub fn add(&mut self, half_points: [usize; 2]) {
        for points in half_points {
            let count = match points {
                0 => &mut self.games.losses,
                1 => &mut self.games.draws,
                _ => &mut self.games.wins,
            };
            *count += 1;
        }
        self.pairs[half_points[0] + half_points[1]] += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wdl { wins, draws, losses } = self.games;
        let (low, high) = self.games.interval();
        let [score, low, high] = [self.games.score(), low, high].map(|share| 100.0 * share);
        write!(
            f,
            "{wins} wins, {draws} draws, {losses} losses: {score:.1} % ({low:.1} to {high:.1})"
        )
    }
}

impl Gate {
    /// Plays what was learned against what it learned from, where pairs are wanted, and says what came of it to
    /// `out`.
    ///
    /// - `pair`: the half points of what was learned in two games from one opening, 0 to 2 each.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub(crate) fn judge(
        &self,
        crew: Crew,
        seed: u64,
        pair: impl Fn(&mut Rng) -> [usize; 2] + Sync,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.pairs == 0 {
            return Ok(());
        }
        let (tally, decision) = self.play(crew, seed, pair);
        let words = match decision {
            Decision::H1 => "stronger",
            Decision::H0 => "no stronger",
            Decision::Open => "not decided",
        };
        writeln!(out, "against the tables behind the games, {tally}: {words}")
    }

    /// Plays pairs of games until the test is decided or there are enough.
    fn play(
        &self,
        crew: Crew,
        seed: u64,
        pair: impl Fn(&mut Rng) -> [usize; 2] + Sync,
    ) -> (Tally, Decision) {
        let (mut tally, mut begun) = (Tally::default(), 0);
        while begun < self.pairs && self.sprt.decide(&tally.pairs) == Decision::Open {
            let numbers: Vec<u32> = (begun..self.pairs.min(begun + TOGETHER)).collect();
            let seed = seed ^ u64::from(begun) << 32;
            let played = crew.map(&numbers, seed, &Meter::silent(), |_, rng| pair(rng));
            begun += numbers.len() as u32;
            played.into_iter().for_each(|half_points| tally.add(half_points));
        }
        (tally, self.sprt.decide(&tally.pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroUsize;

    #[test]
    fn a_match_ends_when_it_is_decided_and_is_the_same_with_any_number_of_threads() {
        let gate = Gate { pairs: 400, sprt: "0,20".parse().expect("a test") };
        let play = |threads, wins_of_three: u32| {
            let crew = Crew::of(NonZeroUsize::new(threads));
            let pair =
                |rng: &mut Rng| [(); 2].map(|()| 2 * usize::from(rng.below(3) < wins_of_three));
            gate.play(crew, 5, pair)
        };
        let (better, decision) = play(1, 2);
        assert_eq!(decision, Decision::H1);
        assert!(better.games.games() < 800 && better.games.score() > 0.5, "{better}");
        assert_eq!(play(3, 2), (better, decision));
        assert_eq!(play(2, 1).1, Decision::H0);
        let said = |pairs| {
            let mut out = Vec::new();
            let gate = Gate { pairs, ..gate };
            gate.judge(Crew::of(None), 5, |_| [2, 1], &mut out).expect("memory");
            String::from_utf8(out).expect("text")
        };
        assert_eq!(said(0), "");
        assert!(said(1).contains("1 wins, 1 draws, 0 losses: 75.0 %"), "{}", said(1));
        assert!(said(400).ends_with(": stronger\n"), "{}", said(400));
    }
}
