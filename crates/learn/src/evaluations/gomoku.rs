//! Gomoku: logistic regression over crossings, of who won (values) and of which move was played (ranks),
//! printed as `crates/knowledge/src/gomoku/weights.txt`.
//!
//! What a crossing is worth is a sum over its four shapes and a term of its own: those that were hardly met
//! are worth what their shapes are.

use std::collections::HashMap;
use std::io::Write;

use anyhow::Context as _;
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Color, Game, Move, Rng};
use banyan_knowledge::Evaluation;
use banyan_knowledge::Knowledge;
use banyan_knowledge::gomoku::board::Board;
use banyan_knowledge::gomoku::shapes::{Crossing, Shape};
use banyan_knowledge::gomoku::weights::Threat;
use banyan_knowledge::line::lines::WAYS;
use banyan_proofs::Effort;
use banyan_proofs::threats::{gomoku, wins_by_fours};
use banyan_search::classical::{Memory, is_decided};

use super::asked::Arguments;
use super::course::{STEP, by_threads, found, kept_apart, passes};
use crate::adagrad::Weight;

/// Plies that a move is searched deep.
const PLIES: u32 = 2;

/// Points of a side of the board.
const SIDE: u32 = 15;

/// A random beginning has 1 ply at least, and fewer than this more.
const RANDOM_PLIES: u32 = 9;

/// One of so many plies is random, so that games leave the beaten track; what came before is not used.
const RANDOM_EVERY: u32 = 40;

/// Positions in which a win by fours is looked for before each move.
const FOURS_NODES: u64 = 300;

/// Bytes of a game's table.
const TABLE: usize = 1 << 20;

/// Hundredths are printed.
const PARTS: f64 = 100.0;

/// Draws what a crossing is worth towards what its shapes are.
const DECAY: f64 = 2e-6;

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let evaluation = match &arguments.evaluation {
        None => &Gomoku::evaluations()[0],
        Some(name) => {
            let named = Gomoku::evaluations().iter().find(|it| it.name() == name);
            named.with_context(|| format!("{name} is no evaluation of Gomoku"))?
        }
    };
    let plies = arguments.plies.unwrap_or(PLIES);
    let kinds = Kinds::new();
    let games = by_threads(arguments, |rng| game(&kinds, rng, (&**evaluation, plies)));
    let (learned, apart) = kept_apart(games);
    let mut fit = Fit::new(&kinds);
    passes(arguments, &learned, |sample| fit.learn(sample, STEP));
    let [value, rank] = fit.losses(&apart);
    writeln!(
        out,
        "% {} positions of {} games by {}, {plies} plies deep; on {} others a value's cross entropy is \
         {value:.4}, a move's {rank:.3}",
        learned.len(),
        arguments.games,
        evaluation.name(),
        apart.len()
    )?;
    fit.write(out)
}

/// Crossings that differ in more than the order of their lines.
pub(crate) struct Kinds {
    /// By [`Crossing::index`].
    of: Vec<u16>,
    shapes: Vec<[Shape; WAYS]>,
}

impl Kinds {
    pub fn new() -> Kinds {
        let mut kinds = Kinds { of: Vec::new(), shapes: Vec::new() };
        let mut known = HashMap::new();
        for crossing in (0..Crossing::COUNT).map(Crossing::of_index) {
            let shapes = crossing.sorted();
            let kind = *known.entry(shapes).or_insert_with(|| {
                kinds.shapes.push(shapes);
                kinds.shapes.len() as u16 - 1
            });
            kinds.of.push(kind);
        }
        kinds
    }
}

/// A position.
#[derive(Clone)]
pub(crate) struct Sample {
    /// For each empty point near a stone what an own and what the other side's stone makes there, by kind.
    points: Vec<[u16; 2]>,
    /// The best threats of both.
    threats: [Threat; 2],
    /// Index of the point that was played, if any.
    played: Option<usize>,
    /// The share of the game of the side to move: 0, a half or 1.
    pub share: f64,
}

pub(crate) fn sample(kinds: &Kinds, position: &Gomoku, played: Option<Move>) -> Sample {
    let own = position.side_to_move().index();
    let (mut points, mut threats) = (Vec::new(), [Threat::None; 2]);
    Board::of(position).each_near(|_, crossings| {
        let seen = [crossings[own], crossings[1 - own]];
        for (best, crossing) in threats.iter_mut().zip(seen) {
            *best = Threat::of(crossing).max(*best);
        }
        points.push(seen.map(|crossing| kinds.of[crossing.index()]));
    });
    let mut near = Vec::new();
    position.candidates(&mut near);
    let played = played.and_then(|mv| near.iter().position(|&it| it == mv));
    Sample { points, threats, played, share: 0.5 }
}

/// The positions of one game.
fn game(
    kinds: &Kinds,
    mut rng: Rng,
    (evaluation, plies): (&dyn Evaluation<Gomoku>, u32),
) -> Vec<Sample> {
    let rules = GomokuRules::new(SIDE, SIDE, Variant::Freestyle).expect("a size");
    let mut position = Gomoku::new(&rules);
    let mut memory = Memory::new(TABLE);
    let mut seen: Vec<(Color, Sample)> = Vec::new();
    let mut random = 1 + rng.below(RANDOM_PLIES);
    let mut moves = Vec::new();
    let winner = loop {
        if let Some(outcome) = position.outcome() {
            break outcome.winner();
        }
        moves.clear();
        position.candidates(&mut moves);
        let side = position.side_to_move();
        if random == 0 && rng.below(RANDOM_EVERY) == 0 {
            seen.clear();
            random = 1;
        }
        if random > 0 {
            random -= 1;
            position.play(moves[rng.below(moves.len() as u32) as usize]);
            continue;
        }
        if wins_by_fours(&position, FOURS_NODES) {
            let effort = Effort { nodes_max: 10 * FOURS_NODES, table_bytes: TABLE };
            let win = gomoku(&position, effort, &mut |_| true).win;
            let first = win.and_then(|win| win.line.first().copied());
            seen.push((side, sample(kinds, &position, first)));
            break Some(side);
        }
        let found = found(&mut memory, (&position, &moves), (evaluation, plies));
        seen.push((side, sample(kinds, &position, Some(found.best))));
        if is_decided(found.value) {
            break Some(if found.value > 0 { side } else { !side });
        }
        position.play(found.best);
    };
    let with_share = |(side, sample): (Color, Sample)| {
        let share = winner.map_or(0.5, |winner| f64::from(winner == side));
        Sample { share, ..sample }
    };
    seen.into_iter().map(with_share).collect()
}

/// Additions of crossings, by whose stone makes them.
struct Sums {
    shapes: [[Weight; Shape::COUNT]; 2],
    kinds: [Vec<Weight>; 2],
}

impl Sums {
    fn new(kinds: &Kinds) -> Sums {
        let none = || vec![Weight::default(); kinds.shapes.len()];
        Sums { shapes: [[Weight::default(); Shape::COUNT]; 2], kinds: [none(), none()] }
    }

    fn of(&self, kinds: &Kinds, whose: usize, kind: u16) -> f64 {
        let shapes = kinds.shapes[usize::from(kind)];
        let shapes: f64 = shapes.iter().map(|&it| self.shapes[whose][it as usize].at).sum();
        shapes + self.kinds[whose][usize::from(kind)].at
    }

    fn step(&mut self, kinds: &Kinds, (whose, kind): (usize, u16), (slope, step): (f64, f64)) {
        for shape in kinds.shapes[usize::from(kind)] {
            self.shapes[whose][shape as usize].step(slope, step);
        }
        let weight = &mut self.kinds[whose][usize::from(kind)];
        weight.step(slope + DECAY * weight.at, step);
    }
}

pub(crate) struct Fit<'a> {
    kinds: &'a Kinds,
    values: Sums,
    ranks: Sums,
    threats: [[Weight; Threat::COUNT]; Threat::COUNT],
}

fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

impl Fit<'_> {
    pub fn new(kinds: &Kinds) -> Fit<'_> {
        Fit {
            kinds,
            values: Sums::new(kinds),
            ranks: Sums::new(kinds),
            threats: [[Weight::default(); Threat::COUNT]; Threat::COUNT],
        }
    }

    fn logit(&self, sample: &Sample) -> f64 {
        let [own, other] = sample.threats;
        let points = sample.points.iter().map(|&point| self.sum(&self.values, point));
        points.sum::<f64>() + self.threats[own as usize][other as usize].at
    }

    fn sum(&self, sums: &Sums, [own, other]: [u16; 2]) -> f64 {
        sums.of(self.kinds, 0, own) + sums.of(self.kinds, 1, other)
    }

    /// Chance of each point to be played.
    fn chances(&self, sample: &Sample) -> Vec<f64> {
        let logits: Vec<f64> =
            sample.points.iter().map(|&point| self.sum(&self.ranks, point)).collect();
        let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let odds: Vec<f64> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let all: f64 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / all).collect()
    }

    /// Positions whose value is read off a five are not learned from.
    fn has_value(sample: &Sample) -> bool {
        sample.threats[0] != Threat::Five
    }

    pub fn learn(&mut self, sample: &Sample, step: f64) {
        if Self::has_value(sample) {
            let slope = logistic(self.logit(sample)) - sample.share;
            for &[own, other] in &sample.points {
                self.values.step(self.kinds, (0, own), (slope, step));
                self.values.step(self.kinds, (1, other), (slope, step));
            }
            let [own, other] = sample.threats;
            self.threats[own as usize][other as usize].step(slope, step);
        }
        if let Some(played) = sample.played {
            let chances = self.chances(sample);
            for (at, (&[own, other], chance)) in sample.points.iter().zip(chances).enumerate() {
                let slope = chance - f64::from(at == played);
                self.ranks.step(self.kinds, (0, own), (slope, step));
                self.ranks.step(self.kinds, (1, other), (slope, step));
            }
        }
    }

    /// The cross entropy of a value that is not read off a five.
    pub fn value_loss(&self, sample: &Sample) -> Option<f64> {
        let chance = logistic(self.logit(sample)).clamp(1e-9, 1.0 - 1e-9);
        let loss = -(sample.share * chance.ln() + (1.0 - sample.share) * (1.0 - chance).ln());
        Self::has_value(sample).then_some(loss)
    }

    /// Mean cross entropy of values and of moves.
    fn losses(&self, samples: &[Sample]) -> [f64; 2] {
        let mean = |losses: Vec<f64>| losses.iter().sum::<f64>() / losses.len().max(1) as f64;
        let of_move = |sample: &Sample| {
            sample.played.map(|played| -self.chances(sample)[played].max(1e-9).ln())
        };
        let values = samples.iter().filter_map(|sample| self.value_loss(sample)).collect();
        [mean(values), mean(samples.iter().filter_map(of_move).collect())]
    }

    pub fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let parts = |logit: f64| {
            (PARTS * logit).round().clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
        };
        for (own, row) in self.threats.iter().enumerate() {
            for (other, weight) in row.iter().enumerate() {
                writeln!(out, "threats {own} {other} {}", parts(weight.at))?;
            }
        }
        for (kind, shapes) in self.kinds.shapes.iter().enumerate() {
            let names = shapes.map(Shape::name).join(" ");
            let of = |sums: &Sums, whose| parts(sums.of(self.kinds, whose, kind as u16));
            let [own, other] = [0, 1].map(|whose| of(&self.values, whose));
            let [rank_own, rank_other] = [0, 1].map(|whose| of(&self.ranks, whose));
            writeln!(out, "{names} {own} {other} {rank_own} {rank_other}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[test]
    fn a_few_games_give_a_line_for_each_kind_of_crossing() {
        let arguments = |threads| {
            let line = ["banyan-fit", "--game", "gomoku", "--games", "10", "--plies", "1"];
            Arguments::parse_from(line.into_iter().chain(["--threads", threads]))
        };
        let [one, two] = ["1", "2"].map(|threads| {
            let mut out = Vec::new();
            run(&arguments(threads), &mut out).expect("written");
            String::from_utf8(out).expect("text")
        });
        assert_eq!(one, two, "the threads that play make no difference");
        assert_eq!(one.lines().count(), 1 + Threat::COUNT.pow(2) + Kinds::new().shapes.len());
    }

    #[test]
    fn what_decides_games_is_found() {
        let kinds = Kinds::new();
        let kind = |shapes: [Shape; WAYS]| kinds.of[Crossing::new(shapes).index()];
        let dead = kind([Shape::Dead; WAYS]);
        let three = kind([Shape::OpenThree, Shape::Dead, Shape::Dead, Shape::Dead]);
        let mut fit = Fit::new(&kinds);
        for turn in 0..2_000 {
            let is_own = turn % 2 == 0;
            let other = if is_own { [three, dead] } else { [dead, three] };
            let threats = [Threat::None; 2];
            let share = f64::from(is_own);
            let points = vec![[dead, dead], other];
            fit.learn(&Sample { points, threats, played: Some(1), share }, STEP);
        }
        let worth = |whose| fit.values.of(&kinds, whose, three);
        assert!(worth(0) > 0.5 && worth(1) < -0.5, "{} {}", worth(0), worth(1));
        let likely = |kind| fit.ranks.of(&kinds, 0, kind);
        assert!(likely(three) > likely(dead) + 0.5);
    }
}
