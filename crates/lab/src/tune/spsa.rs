//! The steps of simultaneous perturbation.

use banyan_games::Rng;
use banyan_games::rng::mix;

use super::parameters::Parameter;

/// Both kinds of steps get smaller from about so many iterations on.
const SETTLES_AFTER: f64 = 500.0;

/// Powers by which a step of the numbers, and the distance of the two sides, get smaller. Theory has 0.602 and 0.101
/// at least (Spall 1998); so few games as a person has time for want the first smaller.
const POWERS: [f64; 2] = [0.4, 0.1];

/// The tuning as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// Iterations so far.
    pub iteration: u64,
    /// The numbers.
    pub values: Vec<f64>,
    seed: u64,
    /// Part of a step that the numbers move by after an iteration that one side won in full.
    rate: f64,
}

/// The two sides of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Sides {
    /// Up or down for each number, on the first side; the second has the opposite.
    pub is_up: Vec<bool>,
    /// The numbers of both.
    pub values: [Vec<f64>; 2],
}

impl Spsa {
    /// The beginning.
    pub fn new(parameters: &[Parameter], seed: u64, rate: f64) -> Spsa {
        let values = parameters.iter().map(|it| it.start).collect();
        Spsa { iteration: 0, values, seed, rate }
    }

    /// Of what a step of the kind with this power is made smaller by now.
    fn shrunk(&self, power: f64) -> f64 {
        (1.0 + self.iteration as f64 / SETTLES_AFTER).powf(-power)
    }

    /// The seed of the iteration under way.
    pub fn lot(&self) -> u64 {
        mix(mix(self.seed) ^ self.iteration)
    }

    /// The sides of the iteration under way.
    pub fn sides(&self, parameters: &[Parameter]) -> Sides {
        let mut rng = Rng::from_seed(self.lot());
        let is_up: Vec<bool> = parameters.iter().map(|_| rng.below(2) == 1).collect();
        let distance = self.shrunk(POWERS[1]);
        let side = |sign: f64| {
            let each = parameters.iter().zip(&self.values).zip(&is_up);
            each.map(|((parameter, &value), &is_up)| {
                let steps = if is_up { distance } else { -distance };
                parameter.moved(value, sign * steps)
            })
            .collect()
        };
        Sides { values: [side(1.0), side(-1.0)], is_up }
    }

    /// Takes in how the iteration ended.
    ///
    /// - `score`: points of the first side, of one for each game; 0 to 1.
    pub fn learn(&mut self, parameters: &[Parameter], is_up: &[bool], score: f64) {
        let steps = self.rate * self.shrunk(POWERS[0]) * (2.0 * score - 1.0);
        for ((value, parameter), &is_up) in self.values.iter_mut().zip(parameters).zip(is_up) {
            *value = parameter.moved(*value, if is_up { steps } else { -steps });
        }
        self.iteration += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_find_the_top_of_a_hill_through_noise_and_idle_ones_stay_near() {
        let text = "hill 10 1 1000 *1.3\nslope 0.0 -9 9 0.5\nidle 5.0 0 10 0.5";
        let parameters = Parameter::read(text).expect("parameters");
        let mut spsa = Spsa::new(&parameters, 7, 0.1);
        let mut rng = Rng::from_seed(1);
        // The best values are 100 and -3; a game is won by the better side a little more often.
        let worth = |values: &[f64]| {
            -(values[0] / 100.0).ln().powi(2) / 4.0 - (values[1] + 3.0).powi(2) / 8.0
        };
        for _ in 0..8000 {
            let Sides { is_up, values } = spsa.sides(&parameters);
            let [first, second] = values.each_ref().map(|values| worth(values));
            let chance = 1.0 / (1.0 + (second - first).exp());
            let won =
                (0..4).filter(|_| f64::from(rng.below(1 << 20)) < chance * f64::from(1 << 20));
            let score = won.count() as f64 / 4.0;
            spsa.learn(&parameters, &is_up, score);
        }
        let [hill, slope, idle] = spsa.values[..] else { panic!("three") };
        assert!((70.0..140.0).contains(&hill), "{hill}");
        assert!((-4.0..-2.0).contains(&slope), "{slope}");
        assert!((3.0..7.0).contains(&idle), "{idle}");
    }

    #[test]
    fn an_iteration_moves_all_numbers_towards_the_winner_and_draws_none() {
        let parameters = Parameter::read("a 10 1 100 *2\nb 5.0 0 10 1").expect("parameters");
        let begun = Spsa::new(&parameters, 3, 0.1);
        let Sides { is_up, values: [first, second] } = begun.sides(&parameters);
        for (at, is_up) in is_up.iter().enumerate() {
            assert_eq!(first[at] > second[at], *is_up);
        }
        let after = |score| {
            let mut spsa = begun.clone();
            spsa.learn(&parameters, &is_up, score);
            spsa
        };
        let (won, drawn, lost) = (after(1.0), after(0.5), after(0.0));
        assert_eq!((drawn.values.clone(), drawn.iteration), (begun.values.clone(), 1));
        for (at, &is_up) in is_up.iter().enumerate() {
            assert_eq!(won.values[at] > begun.values[at], is_up);
            assert_eq!(lost.values[at] < begun.values[at], is_up);
        }
        assert_ne!(begun.lot(), won.lot());
    }
}
