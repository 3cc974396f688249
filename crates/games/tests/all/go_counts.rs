//! Go against published numbers.

use banyan_games::game::Game;
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Counts, Move, Rng};

fn rules(size: u32, komi: i16) -> GoRules {
    GoRules::new(size, komi).expect("a size of 2 to 25")
}

/// Mean plies, and the share of games that Black wins, of uniform playouts on 9x9.
fn sample(komi: i16, playouts: u32) -> (f64, f64) {
    let mut counts = Counts::default();
    let game = Go::new(&rules(9, komi));
    game.playouts(playouts, &mut Rng::from_seed(2026), &mut counts);
    let playouts = f64::from(playouts);
    (counts.plies as f64 / playouts, f64::from(counts.wins) / playouts)
}

/// Don Dailey's reference over a million playouts: 111.03 ± 0.03 plies; Black wins 44.7 % at komi
/// 6.5 and 42.1 % at 7.5.
#[test]
fn uniform_playouts_on_9x9_have_the_published_length_and_balance() {
    for (komi, black_wins) in [(13, 0.447), (15, 0.421)] {
        // Standard deviations of these samples: 0.02 plies and 0.001.
        let (plies, won) = sample(komi, 300_000);
        assert!((plies - 111.03).abs() < 0.03 + 0.06, "{plies} plies");
        assert!((won - black_wins).abs() < 0.0005 + 0.003, "Black won {won}");
    }
}

/// Counts those of the 3^area ways to fill a board that leave every group a liberty.
fn legal_positions(size: u32) -> usize {
    let area = size * size;
    let stones_of = |mut number: u32| {
        let mut stones = Vec::new();
        for point in 0..area {
            if let color @ (1 | 2) = number % 3 {
                stones.push((Color::BOTH[color as usize - 1], Move::point(point as usize)));
            }
            number /= 3;
        }
        stones
    };
    let mut game = Go::new(&rules(size, 0));
    (0..3u32.pow(area)).filter(|&n| game.set_up(&stones_of(n), Color::Black).is_ok()).count()
}

/// Tromp and Farnebäck 2007: the number of legal positions.
#[test]
fn small_boards_have_the_published_number_of_legal_positions() {
    assert_eq!(legal_positions(2), 57);
    assert_eq!(legal_positions(3), 12_675);
}
