//! The rules: every position is as the twin has it, and its hash is its own.

use std::collections::{BTreeSet, HashMap};

use banyan_games::game::Game;
use banyan_games::go::Go;
use banyan_games::{Color, Rng};

use super::twin::{Grid, Twin, any_move, rules};

#[test]
fn every_position_of_random_games_is_as_the_slow_twin_has_it() {
    for size in 2..=25u32 {
        let rules = rules(size, 15);
        let games = if size <= 5 { 60 } else { (500 / (size * size)).max(1) };
        for seed in 0..games {
            let mut rng = Rng::from_seed(u64::from(1000 * size + seed));
            let (mut game, mut twin) = (Go::new(&rules), Twin::new(&rules));
            // Looking at every position of a large board takes the twin long.
            let rarely = (size.pow(4) / 6000).max(1);
            for ply in 0..3 * size * size {
                if ply % rarely == 0 {
                    twin.assert_same(&game);
                }
                if twin.passes == 2 {
                    break;
                }
                let mv = any_move(&game, &mut rng);
                assert!(game.is_legal(mv));
                game.play(mv);
                twin.play(mv);
            }
            twin.assert_same(&game);
        }
    }
}

#[test]
fn equal_positions_have_equal_hashes_and_different_ones_do_not() {
    let rules = rules(3, 0);
    let mut stones_seen: HashMap<Grid, u64> = HashMap::new();
    let mut seen: HashMap<(Grid, Color, Option<usize>), u64> = HashMap::new();
    for seed in 0..400 {
        let mut rng = Rng::from_seed(seed);
        let (mut game, mut twin) = (Go::new(&rules), Twin::new(&rules));
        for _ in 0..40 {
            let ko = (0..9).find(|&point| twin.is_ko(point));
            let known = *stones_seen.entry(twin.grid.clone()).or_insert(game.stones_hash());
            assert_eq!(game.stones_hash(), known);
            let key = (twin.grid.clone(), twin.to_move, ko);
            assert_eq!(*seen.entry(key).or_insert(game.hash()), game.hash());
            let mut fresh = Go::new(&rules);
            fresh.set_up(&twin.stones(), twin.to_move).expect("a position of a game");
            assert_eq!(fresh.stones_hash(), game.stones_hash());
            assert_eq!(fresh.hash() == game.hash(), ko.is_none());
            if twin.passes == 2 {
                break;
            }
            let mv = any_move(&game, &mut rng);
            game.play(mv);
            twin.play(mv);
        }
    }
    assert!(seen.len() > 2000, "{}", seen.len());
    assert!(seen.keys().any(|(_, _, ko)| ko.is_some()), "no ko came up");
    let different: BTreeSet<u64> = seen.values().copied().collect();
    assert_eq!(different.len(), seen.len());
    let different: BTreeSet<u64> = stones_seen.values().copied().collect();
    assert_eq!(different.len(), stones_seen.len());
}
