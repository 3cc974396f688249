//! How a game of self-play begins: komi and some plies by lot, so that no two games are alike.

use banyan_games::go::{Go, GoRules};
use banyan_games::{Record, Rng};
use banyan_knowledge::Knowledge as _;

/// Customary komi, in half points.
const KOMI: i16 = 15;

/// Of so many games one has a komi far from the customary.
const ODD_KOMI: u32 = 5;

/// A whole number between 0 and 1, drawn evenly.
pub fn uniform(rng: &mut Rng) -> f64 {
    f64::from(rng.below(1 << 24)) / f64::from(1 << 24)
}

/// Index of a weight drawn by lot in proportion; the last of them where all are 0.
pub fn draw(weights: &[f64], rng: &mut Rng) -> usize {
    let mut left = uniform(rng) * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return index;
        }
    }
    weights.len().saturating_sub(1)
}

/// A game after its opening, on a board of `size` points a side.
///
/// Komi is 7 or 7½ in most games and within six points of it in the others. The number of plies is
/// geometric with a mean of about a twentieth of the points; each is drawn by the priors of the game, or
/// evenly once in five times.
pub fn open(size: u32, rng: &mut Rng) -> anyhow::Result<Record<Go>> {
    let komi = match rng.below(ODD_KOMI) {
        0 => KOMI - 12 + rng.below(25) as i16,
        _ => KOMI - rng.below(2) as i16,
    };
    let mut record = Record::<Go>::new(&GoRules::new(size, komi)?);
    let mean = f64::from(size * size) / 20.0;
    while uniform(rng) < mean / (mean + 1.0) && record.plies().len() < (size * size / 4) as usize {
        let mut moves = record.candidates();
        moves.retain(|mv| !mv.is_pass());
        let mut weights = Vec::new();
        record.position().priors(&moves, &mut weights);
        let is_even = rng.below(5) == 0 || weights.len() != moves.len();
        let odds =
            |index: usize| if is_even { 1.0 } else { libm::pow(f64::from(weights[index]), 0.7) };
        let weights: Vec<f64> = (0..moves.len()).map(odds).collect();
        if moves.is_empty() {
            break;
        }
        record.play(moves[draw(&weights, rng)]).expect("a candidate is legal");
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Game as _;

    #[test]
    fn openings_differ_in_komi_and_plies_and_never_pass() {
        let (mut customary, mut plies) = (0, Vec::new());
        for seed in 0..60 {
            let record = open(9, &mut Rng::from_seed(seed)).unwrap();
            let komi = record.position().rules().komi();
            assert!((KOMI - 12..=KOMI + 12).contains(&komi), "{komi}");
            customary += u32::from([14, 15].contains(&komi));
            assert!(record.plies().iter().all(|(_, mv)| !mv.is_pass()));
            plies.push(record.plies().len());
        }
        assert!((40..60).contains(&customary), "{customary} of 60");
        let mean = plies.iter().sum::<usize>() as f64 / 60.0;
        assert!((2.5..6.0).contains(&mean), "{mean} plies");
        assert!(plies.iter().all(|&plies| plies <= 20));
    }

    #[test]
    fn lots_follow_their_weights() {
        let mut rng = Rng::from_seed(1);
        let drawn = (0..4000).filter(|_| draw(&[3.0, 0.0, 1.0], &mut rng) == 0).count();
        // 3000 expected, standard deviation 27.
        assert!((2880..3120).contains(&drawn), "{drawn}");
        assert!((0..100).all(|_| draw(&[1.0, 0.0, 1.0], &mut rng) != 1));
        assert_eq!(draw(&[0.0, 0.0], &mut rng), 1);
    }
}
