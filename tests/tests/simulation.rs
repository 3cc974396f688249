//! Simulated clusters: hundreds of seeds with everything going wrong, and no broken invariant.
//!
//! A failure names its seed; `BANYAN_SIM_SEED=<seed> cargo test -p banyan-tests --test simulation`
//! replays that one alone. `BANYAN_SIM_SEEDS=<count>` runs more of them.

use banyan::sizing::Wish;
use banyan_tests::sim::{Fault, Faults, Fired, History, Scenario, run};

const PLAYOUTS: u64 = 3_000;

/// Batches are fixed and flat, or flat or grown as measured, or grown.
const WISHES: [(Wish, Option<u32>); 3] =
    [(Wish::Flat, Some(4)), (Wish::Auto, None), (Wish::Grown, None)];

fn scenario(seed: u64, in_order: bool) -> Scenario {
    let hosts = 1 + (seed % 12) as usize;
    let (wish, batch) = WISHES[(seed % 3) as usize];
    Scenario { seed, hosts, playouts: PLAYOUTS, in_order, wish, batch, faults: Faults::ALL }
}

fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("BANYAN_SIM_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("BANYAN_SIM_SEEDS").unwrap_or(300),
    }
}

fn all(in_order: bool) -> Vec<History> {
    seeds().map(|seed| run(&scenario(seed, in_order))).collect()
}

fn assert_every_fault_fired(histories: &[History]) {
    let mut fired = Fired::default();
    histories.iter().for_each(|history| fired.add(&history.fired));
    for fault in
        [Fault::Loss, Fault::Duplicate, Fault::Delay, Fault::Crash, Fault::Freeze, Fault::Stall]
    {
        let times = fired.0.get(&fault).copied().unwrap_or(0);
        assert!(times >= 10 || histories.len() < 300, "{fault:?} fired only {times} times");
    }
    let again: u64 = histories.iter().map(|history| history.totals.lent_again).sum();
    let dropped: u64 = histories.iter().map(|history| history.totals.dropped).sum();
    assert!(again > 0 && dropped > 0, "lent again {again}, dropped {dropped}");
}

#[test]
fn under_every_fault_no_batch_is_lost_or_counted_twice_and_the_search_ends() {
    let histories = all(false);
    for history in &histories {
        assert_eq!(history.visits, PLAYOUTS);
    }
    assert_every_fault_fired(&histories);
}

#[test]
fn merged_in_order_the_tree_is_the_same_under_every_fault() {
    let quiet = |wish| Scenario { hosts: 1, faults: Faults::default(), ..scenario(wish, true) };
    let expected = [0, 1, 2].map(|wish| run(&quiet(wish)).digest);
    let histories = all(true);
    for (seed, history) in seeds().zip(&histories) {
        assert_eq!(history.digest, expected[(seed % 3) as usize], "seed {seed}");
    }
    assert_every_fault_fired(&histories);
}

#[test]
fn one_seed_is_one_history() {
    for seed in seeds().take(20) {
        assert_eq!(run(&scenario(seed, false)), run(&scenario(seed, false)), "seed {seed}");
    }
}

#[test]
fn a_quiet_cluster_lends_nothing_twice_and_shares_work_by_speed() {
    let quiet = Scenario { faults: Faults::default(), playouts: 30_000, ..scenario(7, false) };
    let history = run(&quiet);
    assert_eq!((history.totals.lent_again, history.totals.dropped), (0, 0));
    assert_eq!(history.totals.playouts.len(), quiet.hosts);
}
