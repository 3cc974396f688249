//! Chance in the root's priors, so that games of a network with itself differ.

use banyan_games::Rng;
use banyan_knowledge::Chance;

use super::{Prior, Tree};

/// Part of the root's priors that is left to chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Share of chance, 0 to 1.
    pub share: f32,
    /// Concentration over all moves together, above 0: about 10; the less, the fewer moves have all of it.
    pub concentration: f32,
}

impl Tree {
    /// Mixes draws of a Dirichlet distribution into the priors of the root's moves, which must be known.
    /// Only for selection by PUCT.
    ///
    /// # Source
    /// Silver et al. 2017; Wu 2019 for the concentration over all moves together.
    pub fn add_root_noise(&mut self, noise: Noise, rng: &mut Rng) {
        let children: Vec<_> = self.allowed_at_root().collect();
        let alpha = noise.concentration / children.len().max(1) as f32;
        let draws: Vec<f32> = children.iter().map(|_| gamma(alpha, rng)).collect();
        let sum: f32 = draws.iter().sum();
        for (child, draw) in children.into_iter().zip(draws) {
            let prior = &mut self.nodes.priors[child.index()];
            let share = if prior.is_set() { prior.chance().share() } else { 0.0 };
            let chance = if sum > 0.0 { draw / sum } else { share };
            *prior = Prior::of_chance(Chance::of(share + noise.share * (chance - share)));
        }
    }
}

/// A number above 0 and below 1.
fn uniform(rng: &mut Rng) -> f32 {
    ((rng.bits() >> 41) as f32 + 0.5) / (1u64 << 23) as f32
}

fn normal(rng: &mut Rng) -> f32 {
    let radius = (-2.0 * libm::logf(uniform(rng))).sqrt();
    radius * libm::cosf(std::f32::consts::TAU * uniform(rng))
}

/// A draw of the gamma distribution of this shape and scale 1.
///
/// # Source
/// Marsaglia & Tsang 2000; below 1 by a draw of the shape above.
fn gamma(shape: f32, rng: &mut Rng) -> f32 {
    if shape < 1.0 {
        let power = libm::powf(uniform(rng), 1.0 / shape);
        return gamma(shape + 1.0, rng) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
        if v > 0.0 && libm::logf(uniform(rng)) < 0.5 * x * x + d - d * v + d * libm::logf(v) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_of_a_gamma_distribution_have_its_shape_for_a_mean() {
        let mut rng = Rng::from_seed(1);
        for shape in [0.1f32, 0.7, 1.0, 4.0] {
            let sum: f64 = (0..20_000).map(|_| f64::from(gamma(shape, &mut rng))).sum();
            let mean = sum / 20_000.0;
            let error = 5.0 * (f64::from(shape) / 20_000.0).sqrt();
            assert!((mean - f64::from(shape)).abs() < error, "{mean} for {shape}");
        }
    }
}
