//! How many playouts may be in flight.

use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Kind};
use banyan_search::Parameters;

use super::*;

/// Playouts that a new search has in flight when it finds no more room.
fn in_flight(plan: Plan, threads: u32) -> u32 {
    let position = Gomoku::new(&GomokuRules::new(7, 7, Default::default()).expect("a size"));
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let mut tree = Tree::new(Parameters::of(Kind::Gomoku), 7, 1 << 20, Color::White);
    tree.allow_at_root(Color::Black, &moves);
    let mut growth = Growth::new(tree, RootId::default(), position, plan, 0);
    growth.set_pace(Pace { threads, ..Pace::default() });
    while growth.has_room(u32::MAX) {
        assert!(matches!(growth.step(), Step::Batch(_)));
    }
    growth.in_flight()
}

#[test]
fn few_playouts_are_hardly_made_in_parallel() {
    let free = Plan {
        policy: Policy::Uniform,
        seed: 1,
        playouts_max: None,
        sizing: Sizing::default(),
        window: None,
        in_order: false,
        ownership_every: 0,
        replies: None,
    };
    let limited = |playouts| Plan { playouts_max: Some(playouts), ..free };
    assert_eq!(in_flight(free, 1), 16);
    assert_eq!(in_flight(limited(2_000), 1), 3);
    assert_eq!(in_flight(limited(100_000), 1), 16);
    // Each thread has one to play and one to come.
    assert_eq!(in_flight(limited(2_000), 4), 8);
    let batches_of_4 = Sizing { playouts: Some(4), ..Sizing::default() };
    assert_eq!(in_flight(Plan { sizing: batches_of_4, ..limited(2_000) }, 1), 8);
    // What is asked for is done.
    assert_eq!(in_flight(Plan { window: Some(12), ..limited(2_000) }, 1), 12);
}
