//! Connect6: which move a deeper search plays, by the prospects of its lines, printed as
//! `crates/knowledge/src/connect6/order.txt`.

use std::io::Write;

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::{Game, Rng};
use banyan_knowledge::Evaluation;
use banyan_knowledge::Knowledge;
use banyan_knowledge::connect6::order::{Prospect, Prospects, Sight, WHOSE};
use banyan_search::classical::{Memory, is_decided};

use super::asked::Arguments;
use super::course::{STEP, by_threads, found, kept_apart, passes};
use crate::adagrad::Weight;

/// Plies that a move is searched deep.
const PLIES: u32 = 4;

/// Points of a side of the board.
const SIDE: u32 = 19;

/// A random beginning has 1 ply at least, and fewer than this more.
const RANDOM_PLIES: u32 = 7;

/// One of so many plies is random, so that games leave the beaten track.
const RANDOM_EVERY: u32 = 20;

/// A game is broken off after so many plies.
const PLIES_MAX: usize = 120;

/// Bytes of a game's table.
const TABLE: usize = 4 << 20;

/// Hundredths are printed.
const PARTS: f64 = 100.0;

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let evaluation = &*Connect6::evaluations()[0];
    let plies = arguments.plies.unwrap_or(PLIES);
    let games = by_threads(arguments, |rng| game(rng, (evaluation, plies)));
    let (learned, apart) = kept_apart(games);
    let mut fit = Fit::default();
    passes(arguments, &learned, |sample| fit.learn(sample));
    let (loss, first) = fit.report(&apart);
    writeln!(
        out,
        "% {} moves of {} games, {plies} plies deep; on {} others a move's cross entropy is {loss:.3}, and \
         {:.1} % of them rank first",
        learned.len(),
        arguments.games,
        apart.len(),
        100.0 * first
    )?;
    fit.write(out)
}

/// A position, and the move that was found in it.
#[derive(Clone)]
struct Sample {
    /// Stones that the turn has left, less one.
    left: usize,
    moves: Vec<Prospects>,
    played: usize,
}

/// The moves of one game.
fn game(mut rng: Rng, (evaluation, plies): (&dyn Evaluation<Connect6>, u32)) -> Vec<Sample> {
    let rules = Connect6Rules::new(SIDE).expect("a size");
    let mut position = Connect6::new(&rules);
    let mut memory = Memory::new(TABLE);
    let mut seen = Vec::new();
    let mut moves = Vec::new();
    let mut random = 1 + rng.below(RANDOM_PLIES);
    for _ in 0..PLIES_MAX {
        if position.outcome().is_some() {
            break;
        }
        moves.clear();
        position.candidates(&mut moves);
        if random > 0 || rng.below(RANDOM_EVERY) == 0 {
            random = random.saturating_sub(1);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
            continue;
        }
        let found = found(&mut memory, (&position, &moves), (evaluation, plies));
        // Where all moves lose one is as good as another.
        if !is_decided(found.value) || found.value > 0 {
            let sight = Sight::of(&position);
            seen.push(Sample {
                left: usize::from(position.plies_left()) - 1,
                moves: moves.iter().map(|&mv| sight.prospects(mv)).collect(),
                played: moves.iter().position(|&mv| mv == found.best).expect("one of them"),
            });
        }
        position.play(found.best);
    }
    seen
}

/// Draws what a prospect adds towards what its stones do, however many windows have them.
const DECAY: f64 = 1e-3;

/// By stones left, less one, and whose they are.
#[derive(Default)]
struct Fit {
    /// Additions of so many stones.
    stones: [[[Weight; STONES]; 2]; 2],
    /// Additions of a prospect to that.
    prospects: [[[Weight; Prospect::COUNT]; 2]; 2],
}

/// A window that can be filled has fewer.
const STONES: usize = 6;

/// Nothing is to be learned of what fills a window in this turn.
const WINS: f64 = 10.0;

impl Fit {
    fn logit(&self, left: usize, prospects: &Prospects) -> f64 {
        let of = |(whose, &prospect): (usize, &Prospect)| self.of(left, whose, prospect);
        prospects.iter().flat_map(|line| line.iter().enumerate().map(of)).sum()
    }

    /// Only differences matter: a line without a prospect adds nothing.
    fn of(&self, left: usize, whose: usize, prospect: Prospect) -> f64 {
        let Some(stones) = prospect.stones() else { return 0.0 };
        if whose == 0 && stones + left + 1 >= STONES {
            return WINS;
        }
        self.stones[left][whose][stones].at + self.prospects[left][whose][prospect.index()].at
    }

    /// Chance of each move.
    fn chances(&self, sample: &Sample) -> Vec<f64> {
        let logits: Vec<f64> = sample.moves.iter().map(|it| self.logit(sample.left, it)).collect();
        let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let odds: Vec<f64> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let all: f64 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / all).collect()
    }

    fn learn(&mut self, sample: &Sample) {
        let mut slopes = [[0.0; Prospect::COUNT]; 2];
        for (at, (prospects, chance)) in sample.moves.iter().zip(self.chances(sample)).enumerate() {
            let slope = chance - f64::from(u8::from(at == sample.played));
            for (whose, prospect) in prospects.iter().flat_map(|line| line.iter().enumerate()) {
                slopes[whose][prospect.index()] += slope;
            }
        }
        for (whose, slopes) in slopes.into_iter().enumerate() {
            let mut by_stones = [0.0; STONES];
            for (index, slope) in slopes.into_iter().enumerate().filter(|&(_, slope)| slope != 0.0)
            {
                let Some(stones) = Prospect::of_index(index).stones() else { continue };
                by_stones[stones] += slope;
                let weight = &mut self.prospects[sample.left][whose][index];
                weight.step(slope + DECAY * weight.at, STEP);
            }
            for (weight, slope) in self.stones[sample.left][whose].iter_mut().zip(by_stones) {
                if slope != 0.0 {
                    weight.step(slope, STEP);
                }
            }
        }
    }

    /// Mean cross entropy, and the share of moves that are likeliest.
    fn report(&self, samples: &[Sample]) -> (f64, f64) {
        let count = samples.len().max(1) as f64;
        let (mut loss, mut first) = (0.0, 0.0);
        for sample in samples {
            let chances = self.chances(sample);
            let played = chances[sample.played];
            loss -= played.max(1e-9).ln() / count;
            first += f64::from(u8::from(chances.iter().all(|&chance| chance <= played))) / count;
        }
        (loss, first)
    }

    fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for left in 0..2 {
            for (whose, name) in WHOSE.into_iter().enumerate() {
                for prospect in (1..Prospect::COUNT).map(Prospect::of_index) {
                    let logit = (PARTS * self.of(left, whose, prospect)).round();
                    writeln!(out, "{} {name} {prospect} {logit}", left + 1)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[test]
    fn a_few_games_give_a_line_for_each_prospect() {
        let line = ["banyan-fit", "--game", "connect6", "--games", "10", "--plies", "1"];
        let [one, two] = ["1", "2"].map(|threads| {
            let mut out = Vec::new();
            let words = line.into_iter().chain(["--threads", threads]);
            run(&Arguments::parse_from(words), &mut out).expect("written");
            String::from_utf8(out).expect("text")
        });
        assert_eq!(one, two, "the threads that play make no difference");
        assert_eq!(one.lines().count(), 1 + 4 * (Prospect::COUNT - 1));
        assert!(one.contains("\n1 own 4 1 ") && one.contains("\n2 other 5 3 "), "{one}");
        for wins in ["1 own 5 1 1000", "2 own 4 3 1000", "2 own 5 2 1000"] {
            assert!(one.lines().any(|line| line == wins), "{one}");
        }
    }

    #[test]
    fn what_is_played_is_likelier() {
        let (four, one) = (Prospect::new(4, 1), Prospect::new(1, 3));
        let line = |first| [[first, one], [one; 2], [one; 2], [one; 2]];
        let sample = Sample { left: 0, moves: vec![line(one), line(four)], played: 1 };
        let mut fit = Fit::default();
        (0..500).for_each(|_| fit.learn(&sample));
        assert!(fit.chances(&sample)[1] > 0.9);
        let (loss, first) = fit.report(&[sample]);
        assert!(loss < 0.1 && first == 1.0, "{loss} {first}");
    }
}
