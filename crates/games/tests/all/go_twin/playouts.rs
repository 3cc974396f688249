//! Playouts: each ply is one that the twin allows, and many at once are the same as one by one.

use std::collections::HashMap;

use banyan_games::counts::{Asked, Collector};
use banyan_games::game::{Game, Leaf};
use banyan_games::go::Go;
use banyan_games::{Color, Counts, Margin, Move, NoObserver, Observer, Outcome, Rng};

use super::twin::{Twin, random_position, rules};

/// Writes down the plies of a playout and how it ended.
#[derive(Default)]
struct Witness {
    played: Vec<(Color, Move)>,
    ended: Option<Outcome>,
    owners: Vec<Option<Color>>,
}

struct Watching<'a>(&'a mut Witness, usize);

impl Observer for Watching<'_> {
    const WANTS_OWNERS: bool = true;

    fn played(&mut self, color: Color, point: Move) {
        self.0.played.push((color, point));
    }

    fn ended(&mut self, outcome: Outcome, owner: impl Fn(usize) -> Option<Color>) {
        assert_eq!(self.0.ended.replace(outcome), None, "a playout ends once");
        self.0.owners = (0..self.1).map(owner).collect();
    }
}

/// Replays a playout in the twin; every ply must be one that the policy allows.
fn check_playout(twin: &Twin, game: &Go, rng: &mut Rng) -> u32 {
    let mut twin = twin.clone();
    let area = twin.grid.len();
    let mut witness = Witness::default();
    let mut watching = Watching(&mut witness, area);
    let (outcome, plies) = game.clone().playout(rng, &mut watching);
    let mut played = witness.played.iter().peekable();
    for ply in 0..plies {
        assert!(twin.passes < 2, "the playout went on after two passes");
        let mv = match played.next_if(|(color, _)| *color == twin.to_move) {
            Some(&(_, mv)) => mv,
            None => Move::PASS,
        };
        // The twin is slow: on large boards it looks at a few plies only.
        if (ply as usize).is_multiple_of((area.pow(2) / 6000).max(1)) {
            let candidates = twin.candidates();
            let allowed =
                if mv.is_pass() { candidates.len() == 1 } else { candidates.contains(&mv) };
            assert!(allowed, "{mv:?} in ply {ply}\n{}", twin.drawing());
        }
        twin.play(mv);
    }
    assert_eq!(played.next(), None);
    assert!(twin.passes == 2 || plies == 3 * area as u32, "{plies} plies\n{}", twin.drawing());
    assert_eq!((outcome, witness.ended), (twin.score(), Some(twin.score())));
    let owners: Vec<_> = (0..area).map(|point| twin.owner(point)).collect();
    assert_eq!(witness.owners, owners, "\n{}", twin.drawing());
    plies
}

#[test]
fn every_ply_of_a_playout_is_one_that_the_slow_twin_allows() {
    for size in 2..=25u32 {
        let rules = rules(size, 13);
        let mut rng = Rng::from_seed(u64::from(size));
        for _ in 0..(1500 / (size * size)).clamp(1, 40) {
            let (game, twin) = random_position(&rules, &mut rng);
            for _ in 0..(250 / (size * size)).clamp(1, 30) {
                check_playout(&twin, &game, &mut rng);
            }
        }
    }
}

#[test]
fn playouts_that_run_into_the_limit_are_scored_as_they_stand() {
    let mut capped = 0;
    for size in [2, 3] {
        let rules = rules(size, 0);
        let (game, twin) = (Go::new(&rules), Twin::new(&rules));
        let mut rng = Rng::from_seed(5);
        for _ in 0..2000 {
            capped += u32::from(check_playout(&twin, &game, &mut rng) == 3 * size * size);
        }
    }
    assert!(capped > 0);
}

/// The first stone of a playout, or a pass where the second side plays before the first.
fn first_move(game: &Go, rng: &mut Rng) -> Move {
    let mut witness = Witness::default();
    game.clone().playout(rng, &mut Watching(&mut witness, 0));
    let first = witness.played.first().filter(|(color, _)| *color == game.side_to_move());
    first.map_or(Move::PASS, |&(_, mv)| mv)
}

#[test]
fn every_candidate_is_equally_likely_in_a_playout() {
    const PLAYOUTS: u32 = 3000;
    let mut suicides = 0;
    for size in [3, 4, 5, 6, 7] {
        let rules = rules(size, 13);
        let mut rng = Rng::from_seed(u64::from(size));
        for _ in 0..40 {
            let (game, twin) = random_position(&rules, &mut rng);
            let mut drawn: HashMap<Move, u32> = HashMap::new();
            for _ in 0..PLAYOUTS {
                *drawn.entry(first_move(&game, &mut rng)).or_default() += 1;
            }
            let mut candidates = twin.candidates();
            if candidates.len() > 1 {
                candidates.pop();
            }
            let expected = f64::from(PLAYOUTS) / candidates.len() as f64;
            let squares = |mv| (f64::from(drawn.remove(mv).unwrap_or(0)) - expected).powi(2);
            let chi_squared: f64 = candidates.iter().map(squares).sum::<f64>() / expected;
            // Mean and variance of the distribution are its degrees of freedom, and twice that.
            let freedom = candidates.len() as f64 - 1.0;
            assert!(chi_squared <= freedom + 6.0 * (2.0 * freedom).sqrt() + 6.0, "{chi_squared}");
            assert!(drawn.is_empty(), "{drawn:?}\n{}", twin.drawing());
            let empty = twin.grid.iter().filter(|stone| stone.is_none()).count();
            suicides += usize::from(empty > candidates.len());
        }
    }
    assert!(suicides > 40, "the positions were too simple: {suicides}");
}

/// The sums that [`Game::playouts`] must give: one playout after the other.
fn one_by_one(game: &Go, count: u32, rng: &mut Rng, asked: Asked) -> Counts {
    let area = game.size().area();
    let mut counts = Counts::new(area, asked);
    let mut ended = Vec::new();
    let mut collector = Collector::new(&mut counts, area);
    for _ in 0..count {
        ended.push(game.clone().playout(rng, &mut collector));
    }
    for (outcome, plies) in ended {
        counts.add(outcome, plies);
    }
    counts
}

const EVERY_WISH: [Asked; 4] = [
    Asked { amaf: false, ownership: false },
    Asked { amaf: false, ownership: true },
    Asked { amaf: true, ownership: false },
    Asked { amaf: true, ownership: true },
];

#[test]
fn many_playouts_at_once_add_up_to_the_same_as_one_by_one() {
    for size in 2..=25u32 {
        let rules = rules(size, 14);
        let mut rng = Rng::from_seed(u64::from(size));
        for round in 0..8 {
            let (game, _) = random_position(&rules, &mut rng);
            let count = [1, 2, 3, 7, 8, 9, 17, 40][round];
            let (mut slow, mut fast) = (rng.clone(), rng.clone());
            let asked = EVERY_WISH[round % 4];
            let expected = one_by_one(&game, count, &mut slow, asked);
            let mut counts = Counts::new(game.size().area(), asked);
            game.playouts(count, &mut fast, &mut counts);
            assert_eq!(counts, expected, "{count} playouts on {size}");
            assert_eq!(fast.bits(), slow.bits(), "the generator is left in the same state");
        }
    }
}

#[test]
fn many_leaves_at_once_add_up_to_the_same_as_each_alone() {
    for size in [2, 5, 9, 11, 13, 19, 25] {
        let rules = rules(size, 14);
        let mut rng = Rng::from_seed(u64::from(size));
        for round in 0..6 {
            let positions: Vec<Go> = (0..[1, 3, 8, 16, 21, 40][round])
                .map(|_| random_position(&rules, &mut rng).0)
                .collect();
            let asked = EVERY_WISH[round % 4];
            let playouts = |index: usize| [1, 1, 0, 5][index % 4];
            let mut alone = Vec::new();
            for (index, position) in positions.iter().enumerate() {
                let mut counts = Counts::new(position.size().area(), asked);
                let mut rng = Rng::from_seed(index as u64);
                position.playouts(playouts(index), &mut rng, &mut counts);
                alone.push(counts);
            }
            let mut rngs: Vec<Rng> =
                (0..positions.len()).map(|index| Rng::from_seed(index as u64)).collect();
            let mut together: Vec<Counts> = positions
                .iter()
                .map(|position| Counts::new(position.size().area(), asked))
                .collect();
            let mut leaves: Vec<Leaf<'_, Go>> = (positions.iter().zip(&mut rngs).enumerate())
                .zip(&mut together)
                .map(|((index, (position, rng)), counts)| Leaf {
                    position,
                    playouts: playouts(index),
                    rng,
                    counts,
                })
                .collect();
            Go::play_out(&mut leaves);
            assert_eq!(together, alone, "size {size}, round {round}");
        }
    }
}

#[test]
fn wins_do_not_depend_on_what_else_is_collected() {
    let game = Go::new(&rules(9, 15));
    let all = EVERY_WISH.map(|asked| {
        let mut counts = Counts::new(81, asked);
        game.playouts(100, &mut Rng::from_seed(3), &mut counts);
        (counts.wins, counts.draws, counts.losses, counts.margin_sum, counts.plies)
    });
    assert!(all.iter().all(|sums| *sums == all[0]), "{all:?}");
}

#[test]
fn playouts_add_to_what_is_already_counted() {
    let game = Go::new(&rules(5, 0));
    let asked = Asked { amaf: true, ownership: true };
    let (mut whole, mut rng) = (Counts::new(25, asked), Rng::from_seed(9));
    game.playouts(12, &mut rng, &mut whole);
    game.playouts(9, &mut rng, &mut whole);
    assert_eq!(whole, one_by_one(&game, 21, &mut Rng::from_seed(9), asked));
}

#[test]
fn a_finished_game_is_its_own_playout() {
    let mut game = Go::new(&rules(9, 15));
    game.play(Move::point(40));
    game.play(Move::PASS);
    game.play(Move::PASS);
    let outcome = Outcome { margin: Margin(2 * 81 - 15) };
    let mut rng = Rng::from_seed(1);
    assert_eq!(game.clone().playout(&mut rng, &mut NoObserver), (outcome, 0));
    let mut counts = Counts::default();
    game.playouts(3, &mut rng, &mut counts);
    assert_eq!((counts.wins, counts.plies, counts.margin_sum), (3, 0, 3 * 147));
}
