//! The beginning of a game of self-play: komi and some plies by lot, so that no two games are alike.

use super::learned::Learned;
use banyan_games::{Move, Record, Rng};

/// Openings that are drawn until one is balanced, count.
const BALANCE_TRIES: u32 = 8;

/// Least share of the wins that a side of a balanced opening is expected to have.
const BALANCE: f64 = 0.2;

/// A fraction from 0 to just below 1, drawn evenly.
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
/// # Errors
/// A board that the game is not played on.
pub fn open<G: Learned>(size: u32, rng: &mut Rng) -> anyhow::Result<Record<G>> {
    let komi = G::draw_komi(rng);
    let mut record = Record::<G>::new(&G::rules_of(size, komi)?);
    if G::TERRITORY {
        play_likely(&mut record, rng);
        return Ok(record);
    }
    let start = record.clone();
    for _ in 0..BALANCE_TRIES {
        record = start.clone();
        play_any(&mut record, rng);
        if is_balanced(record.position()) {
            break;
        }
    }
    Ok(record)
}

/// The number of plies is geometric with a mean of about a twentieth of the points; each is drawn by the priors
/// of the game, or evenly once in five times.
fn play_likely<G: Learned>(record: &mut Record<G>, rng: &mut Rng) {
    let area = record.position().size().area();
    let mean = area as f64 / 20.0;
    while uniform(rng) < mean / (mean + 1.0) && record.plies().len() < area / 4 {
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
}

/// Some plies, drawn evenly among the candidates, in the middle of the board at first.
fn play_any<G: Learned>(record: &mut Record<G>, rng: &mut Rng) {
    let size = record.position().size();
    let middle = |mv: &Move| {
        let side = usize::from(size.width);
        let inner = side / 4..side - side / 4;
        mv.index().is_none_or(|at| inner.contains(&(at / side)) && inner.contains(&(at % side)))
    };
    for _ in 0..rng.below(G::DRAWN_PLIES_MAX + 1) {
        let mut moves = record.candidates();
        if moves.iter().any(middle) {
            moves.retain(middle);
        }
        if moves.is_empty() {
            return;
        }
        let mv = moves[rng.below(moves.len() as u32) as usize];
        let mut next = record.clone();
        next.play(mv).expect("a candidate is legal");
        if next.position().outcome().is_some() {
            return;
        }
        *record = next;
    }
}

/// Tells whether the game's evaluation leaves each side a share of the wins; so too where there is none.
fn is_balanced<G: Learned>(position: &G) -> bool {
    banyan_knowledge::statics::expected_share(position)
        .is_none_or(|share| (BALANCE..=1.0 - BALANCE).contains(&share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::KOMI;
    use banyan_games::Game as _;
    use banyan_games::go::Go;
    use banyan_games::gomoku::Gomoku;

    #[test]
    fn openings_differ_in_komi_and_plies_and_never_pass() {
        let (mut customary, mut plies) = (0, Vec::new());
        for seed in 0..60 {
            let record = open::<Go>(9, &mut Rng::from_seed(seed)).unwrap();
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
    fn games_of_lines_begin_in_the_middle_and_balanced() {
        let mut plies = [0; 7];
        for seed in 0..70 {
            let record = open::<Gomoku>(15, &mut Rng::from_seed(seed)).unwrap();
            plies[record.plies().len()] += 1;
            assert!(is_balanced(record.position()), "seed {seed}");
            let inner = 3..12;
            for mv in record.plies().iter().filter_map(|(_, mv)| mv.index()) {
                assert!(inner.contains(&(mv / 15)) && inner.contains(&(mv % 15)), "{mv}");
            }
        }
        assert!(plies.iter().all(|&games| games > 0), "{plies:?}");
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
