//! TD(λ): after each turn, or each stone, the weights go towards what the next one says.

use banyan_games::connect6::Connect6;
use banyan_games::game::Game as _;
use banyan_games::{Color, Rng};
use banyan_knowledge::connect6::tables::{
    self, LOGIT, LOOKS, Look, Tables, looks, matters, mirrored,
};
use banyan_knowledge::connect6::td::{Inputs, Network, WEIGHTS, inputs, swapped};

use crate::lines::logistic;

/// α and λ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Learning rate.
    pub alpha: f64,
    /// Decay of what earlier turns have to do with it.
    pub lambda: f64,
}

/// Something that says how likely Black wins, and learns to say it better.
pub trait Learner {
    /// Its view of a position.
    type Seen: Clone;

    /// Positions after the first stone of a turn are learned from as well, not only those after whole turns.
    const EACH_STONE: bool;

    /// Looks at a position.
    fn see(&self, position: &Connect6) -> Self::Seen;
    /// The same with colours swapped.
    fn swapped(&self, seen: &Self::Seen) -> Self::Seen;
    /// The chance that Black wins.
    fn chance(&self, seen: &Self::Seen) -> f64;
    /// Multiplies all traces by λ and adds the slopes of the output.
    fn trace(&mut self, seen: &Self::Seen, lambda: f64);
    /// Goes along the traces, so far.
    fn step(&mut self, by: f64);
    /// Forgets the traces.
    fn forget(&mut self);
    /// The model as a file.
    fn text(&self) -> String;
}

/// A turn of a game, or a stone where each is learned from.
#[derive(Clone, Debug)]
pub struct Turn<S> {
    /// The position after it.
    pub seen: S,
    /// Tells whether the next one was exploratory: what came of it says nothing of this one.
    pub is_cut: bool,
}

/// One pass over a game: Δw_t = α (P_{t+1} − P_t) Σ λ^{t−k} ∇P_k, and P is the result at the last.
///
/// - `result`: 1 where Black won, 0 where White did, ½ where nobody.
///
/// # Source
/// S10; Sutton 1988; Tesauro 1992.
pub fn learn<L: Learner>(learner: &mut L, turns: &[Turn<L::Seen>], result: f64, rates: Rates) {
    learner.forget();
    for (at, Turn { seen, is_cut }) in turns.iter().enumerate() {
        if *is_cut {
            learner.forget();
            continue;
        }
        let next = turns.get(at + 1).map_or(result, |next| learner.chance(&next.seen));
        let error = next - learner.chance(seen);
        learner.trace(seen, rates.lambda);
        learner.step(rates.alpha * error);
    }
}

/// The network 64-18-1.
#[derive(Debug)]
pub struct Letter {
    pub network: Network,
    traces: Vec<f64>,
}

/// Weights begin with at most so much either way.
const FIRST_WEIGHTS: f64 = 0.25;

impl Letter {
    /// A network that knows nothing yet.
    pub fn new(seed: u64) -> Letter {
        let mut rng = Rng::from_seed(seed);
        let mut weight = || {
            let share = f64::from(rng.below(1 << 20)) / f64::from(1 << 20);
            FIRST_WEIGHTS * (2.0 * share - 1.0)
        };
        Letter::of(Network { weights: (0..WEIGHTS).map(|_| weight()).collect() })
    }

    /// A network that has learned before.
    pub fn of(network: Network) -> Letter {
        Letter { network, traces: vec![0.0; WEIGHTS] }
    }
}

impl Learner for Letter {
    type Seen = Inputs;

    const EACH_STONE: bool = false;

    fn see(&self, position: &Connect6) -> Inputs {
        inputs(position)
    }

    fn swapped(&self, seen: &Inputs) -> Inputs {
        swapped(seen)
    }

    fn chance(&self, seen: &Inputs) -> f64 {
        self.network.said(seen).chance
    }

    fn trace(&mut self, seen: &Inputs, lambda: f64) {
        self.traces.iter_mut().for_each(|trace| *trace *= lambda);
        self.network.add_slopes(seen, &mut self.traces);
    }

    fn step(&mut self, by: f64) {
        for (weight, trace) in self.network.weights.iter_mut().zip(&self.traces) {
            *weight += by * trace;
        }
    }

    fn forget(&mut self) {
        self.traces.fill(0.0);
    }

    fn text(&self) -> String {
        self.network.text()
    }
}

/// The tuned one: a sum over looks along lines (n-tuples) by whose turn it is, squeezed into a chance.
#[derive(Debug)]
pub struct Tuples {
    kind_of: Vec<u16>,
    kinds: Vec<Look>,
    /// By stones that the turn has used, and kind; the last is what having the move is worth.
    pub weights: [Vec<f64>; 2],
    /// Traces of weights that were met in this game, by stones used and kind.
    traces: Vec<(usize, usize, f64)>,
}

/// View that [`Tuples`] has: for whom it is a sum, the stones that the turn has used, and kinds of looks.
#[derive(Clone, Debug)]
pub struct SeenTuples {
    black_to_move: bool,
    used: usize,
    kinds: Vec<u16>,
}

impl Tuples {
    /// Nothing is worth anything yet.
    pub fn new() -> Tuples {
        let (mut kind_of, mut kinds) = (vec![0; LOOKS], Vec::new());
        for look in (0..LOOKS).map(|look| look as Look).filter(|&look| matters(look)) {
            if look <= mirrored(look) {
                kind_of[usize::from(look)] = kinds.len() as u16;
                kind_of[usize::from(mirrored(look))] = kinds.len() as u16;
                kinds.push(look);
            }
        }
        let none = || vec![0.0; kinds.len() + 1];
        Tuples { kind_of, weights: [none(), none()], kinds, traces: Vec::new() }
    }

    /// What tables are worth that were learned before.
    pub fn of(tables: &Tables) -> Tuples {
        let mut tuples = Tuples::new();
        let parts = |parts: i32| f64::from(parts) / f64::from(LOGIT);
        for (used, weights) in tuples.weights.iter_mut().enumerate() {
            let looks = tuples.kinds.iter().map(|&look| parts(tables.worth(look)[used].into()));
            *weights = looks.chain([parts(tables.to_move()[used])]).collect();
        }
        tuples
    }
}

/// A trace that has faded so far is let go.
const TRACE_MIN: f64 = 1e-3;

impl Learner for Tuples {
    type Seen = SeenTuples;

    // Positions with one stone left have weights of their own, by which the first stone of a turn is chosen.
    const EACH_STONE: bool = true;

    fn see(&self, position: &Connect6) -> SeenTuples {
        SeenTuples {
            black_to_move: position.side_to_move() == Color::Black,
            used: usize::from(2 - position.plies_left()),
            kinds: looks(position).iter().map(|&look| self.kind_of[usize::from(look)]).collect(),
        }
    }

    fn swapped(&self, seen: &SeenTuples) -> SeenTuples {
        SeenTuples { black_to_move: !seen.black_to_move, ..seen.clone() }
    }

    fn chance(&self, seen: &SeenTuples) -> f64 {
        let weights = &self.weights[seen.used];
        let sum: f64 = seen.kinds.iter().map(|&kind| weights[usize::from(kind)]).sum();
        let own = logistic(sum + weights[self.kinds.len()]);
        if seen.black_to_move { own } else { 1.0 - own }
    }

    fn trace(&mut self, seen: &SeenTuples, lambda: f64) {
        self.traces.iter_mut().for_each(|(.., trace)| *trace *= lambda);
        self.traces.retain(|(.., trace)| trace.abs() > TRACE_MIN);
        let chance = self.chance(seen);
        let sign = if seen.black_to_move { 1.0 } else { -1.0 };
        let slope = sign * chance * (1.0 - chance);
        let kinds = seen.kinds.iter().map(|&kind| usize::from(kind)).chain([self.kinds.len()]);
        self.traces.extend(kinds.map(|kind| (seen.used, kind, slope)));
    }

    fn step(&mut self, by: f64) {
        for &(used, kind, trace) in &self.traces {
            self.weights[used][kind] += by * trace;
        }
    }

    fn forget(&mut self) {
        self.traces.clear();
    }

    fn text(&self) -> String {
        let parts =
            |weight: f64| (f64::from(LOGIT) * weight).round().clamp(-30_000.0, 30_000.0) as i16;
        let of = |kind: usize| [0, 1].map(|used| parts(self.weights[used][kind]));
        let worths = self.kinds.iter().enumerate().map(|(kind, &look)| (look, of(kind)));
        tables::text(of(self.kinds.len()), worths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance is its only weight, the slope 1, so that all can be reckoned by hand.
    struct One {
        weight: f64,
        trace: f64,
    }

    impl Learner for One {
        type Seen = f64;

        const EACH_STONE: bool = false;

        fn see(&self, _: &Connect6) -> f64 {
            1.0
        }

        fn swapped(&self, seen: &f64) -> f64 {
            -seen
        }

        fn chance(&self, seen: &f64) -> f64 {
            self.weight * seen
        }

        fn trace(&mut self, seen: &f64, lambda: f64) {
            self.trace = lambda * self.trace + seen;
        }

        fn step(&mut self, by: f64) {
            self.weight += by * self.trace;
        }

        fn forget(&mut self) {
            self.trace = 0.0;
        }

        fn text(&self) -> String {
            String::new()
        }
    }

    fn turn(seen: f64) -> Turn<f64> {
        Turn { seen, is_cut: false }
    }

    #[test]
    fn updates_are_those_that_a_hand_computes() {
        let rates = Rates { alpha: 0.3, lambda: 0.7 };
        let mut one = One { weight: 0.5, trace: 0.0 };
        learn(&mut one, &[turn(1.0), turn(2.0)], 1.0, rates);
        // P1 = 0.5, P2 = 1: the trace is 1, the weight 0.5 + 0.3 · 0.5 · 1 = 0.65.
        // Then P2 = 1.3, the result 1: the trace 0.7 + 2 = 2.7, the weight 0.65 + 0.3 · (−0.3) · 2.7 = 0.407.
        assert!((one.weight - 0.407).abs() < 1e-12, "{}", one.weight);
    }

    #[test]
    fn an_exploratory_turn_cuts_what_came_before_off() {
        let rates = Rates { alpha: 0.3, lambda: 0.7 };
        let mut one = One { weight: 0.5, trace: 0.0 };
        let turns = [Turn { seen: 1.0, is_cut: true }, turn(1.0)];
        learn(&mut one, &turns, 1.0, rates);
        assert!((one.weight - (0.5 + 0.3 * 0.5)).abs() < 1e-12, "{}", one.weight);
    }

    #[test]
    fn a_network_goes_along_its_slopes() {
        let mut letter = Letter::new(3);
        let seen: Inputs = std::array::from_fn(|at| 4 * at);
        let (before, chance) = (letter.network.clone(), letter.chance(&seen));
        let rates = Rates { alpha: 0.3, lambda: 0.7 };
        learn(&mut letter, &[Turn { seen, is_cut: false }], 1.0, rates);
        let mut slopes = vec![0.0; WEIGHTS];
        before.add_slopes(&seen, &mut slopes);
        for (at, slope) in slopes.into_iter().enumerate() {
            let expected = before.weights[at] + 0.3 * (1.0 - chance) * slope;
            assert!((letter.network.weights[at] - expected).abs() < 1e-12, "{at}");
        }
        assert!(letter.chance(&seen) > chance);
        assert_eq!(Letter::new(3).network, before, "one seed, one network");
    }

    #[test]
    fn tuples_learn_who_wins_and_swap_colours() {
        let mut tuples = Tuples::new();
        let rules = banyan_games::connect6::Connect6Rules::new(19).expect("a size");
        let stones = ["h8 i8 j8", "a1 c1"];
        let position = Connect6::with_stones(&rules, stones, Color::White).expect("free points");
        let seen = tuples.see(&position);
        assert_eq!(tuples.chance(&seen), 0.5);
        let rates = Rates { alpha: 0.1, lambda: 0.7 };
        for _ in 0..20 {
            learn(&mut tuples, &[Turn { seen: seen.clone(), is_cut: false }], 1.0, rates);
        }
        assert!(tuples.chance(&seen) > 0.8, "{}", tuples.chance(&seen));
        let swapped = tuples.swapped(&seen);
        assert!((tuples.chance(&swapped) - (1.0 - tuples.chance(&seen))).abs() < 1e-12);
        let text = tuples.text();
        assert!(banyan_knowledge::connect6::tables::Tables::read(&text).is_ok(), "{text}");
    }

    #[test]
    fn tuples_learn_the_same_from_a_game_with_colours_swapped() {
        let rules = banyan_games::connect6::Connect6Rules::new(19).expect("a size");
        let position =
            Connect6::with_stones(&rules, ["h8 i8 j8", "a1 c1"], Color::White).expect("free");
        let rates = Rates { alpha: 0.1, lambda: 0.7 };
        let [mut plain, mut swapped] = [Tuples::new(), Tuples::new()];
        let seen = plain.see(&position);
        let turn = |seen| [Turn { seen, is_cut: false }];
        let other = turn(swapped.swapped(&seen));
        learn(&mut swapped, &other, 0.0, rates);
        learn(&mut plain, &turn(seen), 1.0, rates);
        assert_eq!(plain.weights, swapped.weights);
    }
}
