//! Quality of a network's forecasts of games: the same losses that training makes small, in whole numbers.

use super::by_net::ByNet;
use banyan_games::Color;
use banyan_net::Network;
use banyan_selfplay::Learned;
use banyan_selfplay::game::{PlayedGame, code};
use banyan_selfplay::judge::{Due, Judge as _};

/// Mean losses over full searches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Searches, count.
    pub searches: usize,
    /// Cross entropy of the policy, in nats.
    pub policy: f64,
    /// Cross entropy of the outcome, as a share of wins, in nats.
    pub outcome: f64,
    /// Share of the searches whose likeliest move is foretold.
    pub foretold: f64,
}

/// Judges every full search of some games.
///
/// # Errors
/// A game that is none.
pub fn measure<G: Learned>(network: &Network, games: &[PlayedGame]) -> anyhow::Result<Quality> {
    let mut judge = ByNet::new(network);
    let mut sums = Quality::default();
    for game in games {
        let record = game.record::<G>()?;
        let black = f64::from(game.learned_outcome::<G>().unwrap_or(0.5));
        for thought in &game.thoughts {
            let position = record.position_after(thought.ply as usize);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let codes: Vec<u16> = moves.iter().map(|&mv| code(mv, game.size)).collect();
            let said = judge.judge(&[Due { position, moves, salt: 0 }])?.remove(0);
            let won = if position.side_to_move() == Color::Black { black } else { 1.0 - black };
            let value = f64::from(said.value).clamp(1e-6, 1.0 - 1e-6);
            sums.searches += 1;
            sums.outcome -= won * value.ln() + (1.0 - won) * (1.0 - value).ln();
            add_policy(&mut sums, &said.logits, &codes, &thought.policy);
        }
    }
    let mean = |sum: f64| sum / sums.searches.max(1) as f64;
    Ok(Quality {
        searches: sums.searches,
        policy: mean(sums.policy),
        outcome: mean(sums.outcome),
        foretold: mean(sums.foretold),
    })
}

fn add_policy(sums: &mut Quality, logits: &[f32], codes: &[u16], policy: &[(u16, u16)]) {
    let logits: Vec<f64> = logits.iter().map(|&logit| f64::from(logit)).collect();
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let all = logits.iter().map(|logit| (logit - most).exp()).sum::<f64>().ln() + most;
    let shares: f64 = policy.iter().map(|&(_, share)| f64::from(share)).sum();
    for &(code, share) in policy {
        if let Some(at) = codes.iter().position(|&other| other == code) {
            sums.policy -= f64::from(share) / shares * (logits[at] - all);
        }
    }
    let likeliest = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
    let searched = policy.iter().max_by_key(|(_, share)| *share);
    let is_foretold = likeliest.map(|at| codes[at]) == searched.map(|&(code, _)| code);
    sums.foretold += f64::from(u8::from(is_foretold));
}

#[cfg(test)]
mod tests {
    use super::super::rows;
    use super::*;
    use banyan_games::go::Go;
    use banyan_games::{Kind, Rules, Terms, with_game};
    use banyan_knowledge::go;
    use banyan_knowledge::network::built_in;
    use banyan_selfplay::game::Thought;

    #[test]
    fn losses_of_a_policy_by_hand() {
        let mut sums = Quality::default();
        // Shares of 1/4 and 3/4 against odds of 1 to 1 to 2.
        add_policy(&mut sums, &[0.0, 0.0, 2f32.ln()], &[3, 5, 9], &[(5, 25), (9, 75)]);
        let wanted = 0.25 * 4f64.ln() + 0.75 * 2f64.ln();
        assert!((sums.policy - wanted).abs() < 1e-6, "{} for {wanted}", sums.policy);
        assert_eq!(sums.foretold, 1.0);
        add_policy(&mut sums, &[1.0, 0.0], &[3, 5], &[(5, 1)]);
        assert_eq!(sums.foretold, 1.0);
    }

    #[test]
    fn an_outcome_of_go_is_by_the_points() {
        let network = Network::random_for(&go::planes::ENCODING, (1, 16), 1).unwrap();
        let outcome = |winner: &str, margin| {
            let game = PlayedGame {
                size: 7,
                komi: 15,
                seed: 1,
                opening: 0,
                moves: vec![24, 49, 49],
                values: vec![500; 3],
                thoughts: vec![Thought { ply: 0, visits: 8, policy: vec![(24, 10_000)] }],
                winner: winner.to_owned(),
                margin,
                ownership: "B".repeat(49),
            };
            measure::<Go>(&network, &[game]).unwrap().outcome
        };
        // Black's share is `value`, so the losses of a win and of a loss are -ln value and -ln(1 - value).
        let (won, lost) = (outcome("W", 20), outcome("W", -20));
        assert!(((-won).exp() + (-lost).exp() - 1.0).abs() < 1e-6, "{won} {lost}");
        assert_ne!(won, lost);
        assert_eq!([outcome("B", 20), outcome("B", -20)], [won, lost], "whoever's stones stand");
    }

    #[test]
    fn networks_in_models_are_sound_small_and_for_boards_that_they_name() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let (mut bytes, mut networks) = (0, 0);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "safetensors") {
                bytes += std::fs::metadata(&path).unwrap().len();
                let network = Network::load(&path).unwrap();
                let kind: Kind = network.about().game.parse().unwrap();
                let rules = Rules::new(kind, Terms::of(kind)).unwrap();
                let encoding = with_game!(&rules, G, _rules => rows::encoding::<G>()).unwrap();
                assert_eq!(network.check_for(&encoding), Ok(()));
                assert!(!network.about().knows(25, 25));
                networks += 1;
            }
        }
        // Those of the program know the usual board.
        for kind in [Kind::Go, Kind::Gomoku] {
            let side = kind.side() as usize;
            assert!(built_in(kind).is_some_and(|network| network.about().knows(side, side)));
        }
        assert!(networks > 0 && bytes <= 2_000_000, "{networks} networks of {bytes} bytes");
    }
}
