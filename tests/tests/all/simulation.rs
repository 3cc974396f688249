//! Simulated clusters: hundreds of seeds with everything going wrong, and no broken invariant.
//!
//! A failure names its seed; `BANYAN_SIM_SEED=<seed> cargo test -p banyan-tests --test all simulation`
//! replays that one alone. `BANYAN_SIM_SEEDS=<count>` runs more of them.

use std::num::NonZeroU32;
use std::time::Duration;

use banyan_engine::sizing::Wish;
use banyan_scheduler::{Claim, PROBATION, Purpose};
use banyan_tests::sim::{Deceit, End, Fault, Faults, Fired, History, Scenario, run};

const PLAYOUTS: u64 = 3_000;

/// A fault has to fire so often in a hundred histories, or the test shows nothing.
const FIRED_MIN_PER_HUNDRED: u32 = 3;

/// Batches are fixed and leaf-parallel, or of either kind as measured, or subtrees.
const WISHES: [(Wish, Option<u32>); 3] =
    [(Wish::LeafParallel, Some(4)), (Wish::Auto, None), (Wish::Subtree, None)];

/// More playouts in flight than any of these clusters can have.
const WIDE: u32 = 100_000;

/// From 1 to 200 machines, mostly few; every fourth history has two sessions, every eighth a third that
/// ponders. A search in order is promised nothing where liars are, and its
/// tree is not that of one that was interrupted.
fn scenario(seed: u64, in_order: bool) -> Scenario {
    let hosts = match seed % 50 {
        49 => 200,
        few => 1 + few as usize % 12,
    };
    let (wish, batch) = WISHES[(seed % 3) as usize];
    let faults = if in_order { Faults::HONEST } else { Faults::ALL };
    let sessions = match seed % 8 {
        3 => 2,
        7 => 3,
        _ => 1,
    };
    let all =
        [claim(Purpose::Thinking, 1), claim(Purpose::Thinking, 2), claim(Purpose::Pondering, 1)];
    let claims = all[..sessions].to_vec();
    let window = match seed % 5 {
        _ if in_order => Some(96),
        0 => None,
        _ => Some(WIDE),
    };
    let deceit = Deceit::Mixed;
    Scenario {
        seed,
        hosts,
        claims,
        playouts: PLAYOUTS,
        in_order,
        wish,
        batch,
        window,
        pause: Duration::ZERO,
        faults,
        deceit,
        probation: PROBATION,
        is_traced: false,
    }
}

fn claim(purpose: Purpose, weight: u32) -> Claim {
    let weight = NonZeroU32::new(weight).expect("a weight");
    Claim { purpose, weight, ..Claim::default() }
}

fn ends(histories: &[History]) -> impl Iterator<Item = &End> {
    histories.iter().flat_map(|history| &history.ends)
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

fn assert_fired(histories: &[History], faults: &[Fault]) {
    let mut fired = Fired::default();
    histories.iter().for_each(|history| fired.add(&history.fired));
    let least = FIRED_MIN_PER_HUNDRED * (histories.len() as u32 / 100);
    for fault in faults {
        let times = fired.0.get(fault).copied().unwrap_or(0);
        assert!(times >= least, "{fault:?} fired only {times} times in {}", histories.len());
    }
}

/// Batches were lent again, and some were not needed any more.
fn assert_lent_again(histories: &[History]) {
    let again: u64 = ends(histories).map(|end| end.settlement.totals.lent_again).sum();
    let dropped: u64 = ends(histories).map(|end| end.settlement.totals.dropped).sum();
    let enough = histories.len() < 100 || (again > 0 && dropped > 0);
    assert!(enough, "lent again {again}, dropped {dropped}");
}

const HONEST: [Fault; 8] = [
    Fault::Loss,
    Fault::Duplicate,
    Fault::Delay,
    Fault::Crash,
    Fault::Freeze,
    Fault::Stall,
    Fault::Partition,
    Fault::Rejoin,
];

#[test]
fn under_every_fault_no_batch_is_lost_or_counted_twice_and_the_search_ends() {
    let histories = all(false);
    for (seed, history) in seeds().zip(&histories) {
        for End { visits, .. } in &history.ends {
            assert!(*visits >= PLAYOUTS, "seed {seed}: {visits} visits");
        }
    }
    assert_fired(&histories, &HONEST);
    assert_fired(&histories, &[Fault::Restart, Fault::Lie]);
    assert_lent_again(&histories);
}

#[test]
fn liars_are_found_and_what_they_said_is_taken_back() {
    // Liars and nothing else, so that nobody dies before being found; one of four machines is one.
    let faults = Faults { lie: 500, ..Faults::default() };
    let history = |seed| run(&Scenario { hosts: 4, faults, ..scenario(seed, false) });
    let histories: Vec<History> = seeds().take(100).map(history).collect();
    let found = histories.iter().filter(|history| history.found == 1).count();
    let taken_back: u64 = ends(&histories).map(|end| end.taken_back).sum();
    assert_fired(&histories, &[Fault::Lie]);
    assert!(10 * found >= 9 * histories.len(), "{found} of {}", histories.len());
    assert!(taken_back > 0);
}

/// Makes one of five machines a liar, or two of six; of every kind in turn.
fn deceived(seed: u64, lie: u32) -> Scenario {
    let faults = Faults { lie, ..Faults::default() };
    let deceit = Deceit::ALL[(seed % 6) as usize];
    let (wish, batch) = WISHES[(seed / 6 % 3) as usize];
    let hosts = 5 + (seed / 18 % 2) as usize;
    let claims = vec![Claim::default()];
    Scenario {
        hosts,
        faults,
        deceit,
        wish,
        batch,
        claims,
        playouts: 600,
        window: None,
        ..scenario(seed, false)
    }
}

#[test]
fn where_most_are_honest_the_move_is_as_often_that_of_an_honest_cluster_as_two_of_those_agree() {
    // Another seed is another history: other speeds, another order of arrival.
    let best = |seed: u64, lie| run(&deceived(seed, lie)).ends[0].best;
    let other = |seed: u64| Scenario { seed: seed ^ 1 << 40, ..deceived(seed, 0) };
    let (mut honest, mut among_liars, mut count) = (0.0, 0.0, 0.0);
    for seed in seeds() {
        let expected = best(seed, 0);
        count += 1.0;
        honest += f64::from(u8::from(run(&other(seed)).ends[0].best == expected));
        among_liars += f64::from(u8::from(best(seed, 1_000) == expected));
    }
    let (honest, among_liars): (f64, f64) = (honest / count, among_liars / count);
    // Three standard deviations of the difference of two shares.
    let chance: f64 = 3.0 * (2.0 * honest * (1.0 - honest) / count).sqrt();
    let told = format!("{count} clusters: {among_liars:.4} among liars, {honest:.4} of the honest");
    #[expect(clippy::print_stderr, reason = "a figure for who asked for many")]
    if count > 1_000.0 {
        eprintln!("{told}");
    }
    assert!(among_liars > honest - chance, "{told}");
}

/// A measurement: what the length of the probation costs honest machines that all come at once, and what
/// it lets through of those that lie, as a table.
#[test]
#[ignore = "a measurement, half a minute"]
#[expect(clippy::print_stderr, reason = "it is a table for people")]
fn probation_by_length() {
    const SEEDS: u64 = 200;
    let mean = |deceit, lie, probation, of: fn(&End) -> f64| {
        let scenario = |seed| Scenario { deceit, probation, hosts: 8, ..deceived(seed, lie) };
        let sum: f64 = (0..SEEDS).map(|seed| of(&run(&scenario(seed)).ends[0])).sum();
        sum / SEEDS as f64
    };
    let time = |end: &End| end.at.as_secs_f64();
    let left = |end: &End| end.of_liars as f64;
    let all = |end: &End| (end.of_liars + end.taken_back) as f64;
    eprintln!(
        "probation, seconds, then of liars: left (hit and run), left and believed (every second)"
    );
    for probation in [0, 1, 2, 4, 8, 16, 32] {
        let honest = mean(Deceit::Mixed, 0, probation, time);
        let run = mean(Deceit::HitAndRun, 1_000, probation, left);
        let often = [left, all].map(|of| mean(Deceit::Often, 1_000, probation, of));
        eprintln!("{probation:3} {honest:.3} {run:.1} {often:.1?}");
    }
}

#[test]
fn merged_in_order_the_tree_is_the_same_under_every_fault() {
    let alone = vec![Claim::default()];
    let quiet = |wish| Scenario {
        hosts: 1,
        claims: alone.clone(),
        faults: Faults::default(),
        ..scenario(wish, true)
    };
    let expected = [0, 1, 2].map(|wish| run(&quiet(wish)).ends[0].digest);
    let histories = all(true);
    for (seed, history) in seeds().zip(&histories) {
        for End { digest, .. } in &history.ends {
            assert_eq!(*digest, expected[(seed % 3) as usize], "seed {seed}");
        }
    }
    assert_fired(&histories, &HONEST);
    assert_lent_again(&histories);
}

#[test]
fn one_seed_is_one_history() {
    for seed in seeds().take(24) {
        let traced = Scenario { is_traced: true, ..scenario(seed, false) };
        assert_eq!(run(&traced), run(&traced), "seed {seed}");
    }
}

#[test]
fn a_quiet_cluster_lends_nothing_twice_and_shares_work_by_speed() {
    let quiet = quiet(7, vec![Claim::default()]);
    let books = &run(&quiet).ends[0].settlement;
    assert_eq!((books.totals.lent_again, books.totals.dropped), (0, 0));
    assert_eq!(books.played.len(), quiet.hosts);
}

fn quiet(seed: u64, claims: Vec<Claim>) -> Scenario {
    let window = Some(WIDE);
    let faults = Faults::default();
    Scenario { claims, faults, window, playouts: 30_000, ..scenario(seed, false) }
}

/// The search that ended first.
fn first(history: &History) -> &End {
    history.ends.iter().min_by_key(|end| end.at).expect("there is one")
}

#[test]
fn sessions_share_a_cluster_by_weight() {
    for seed in 0..6 {
        let claims: Vec<Claim> = [1, 2, 3].map(|weight| claim(Purpose::Thinking, weight)).into();
        // Leaf-parallel batches, so that no tree is too small for its part.
        let flat = Scenario { wish: Wish::LeafParallel, batch: Some(4), ..quiet(seed, claims) };
        let history = run(&flat);
        let standing = &first(&history).standing;
        let all: u64 = standing.iter().sum();
        for (&playouts, weight) in standing.iter().zip([1.0, 2.0, 3.0]) {
            let share = playouts as f64 / all as f64;
            assert!((share - weight / 6.0).abs() < 0.02, "seed {seed}: {standing:?}");
        }
    }
}

#[test]
fn sessions_whose_search_threads_wait_for_a_core_share_by_weight_too() {
    for (hosts, weights, pause) in
        [(1, [3, 2], 10), (2, [3, 2], 10), (1, [9, 1], 3), (2, [9, 1], 3)]
    {
        let claims: Vec<Claim> = weights.map(|weight| claim(Purpose::Thinking, weight)).into();
        let history = run(&Scenario {
            hosts,
            wish: Wish::LeafParallel,
            batch: Some(4),
            window: None,
            pause: Duration::from_millis(pause),
            playouts: 60_000,
            ..quiet(3, claims)
        });
        let standing = &first(&history).standing;
        let share = standing[0] as f64 / standing.iter().sum::<u64>() as f64;
        let part = f64::from(weights[0]) / f64::from(weights[0] + weights[1]);
        assert!((share - part).abs() < 0.02, "{hosts} machines: {share:.3} of {part:.3}");
    }
}

#[test]
fn pondering_takes_nothing_from_thinking_and_gets_what_it_leaves() {
    for seed in 0..6 {
        let thinking = claim(Purpose::Thinking, 1);
        let pondering = claim(Purpose::Pondering, 50);
        let alone = run(&quiet(seed, vec![thinking])).ends[0].at;
        let history = run(&quiet(seed, vec![thinking, pondering, pondering]));
        let end = &history.ends[0];
        let slower = end.at.as_secs_f64() / alone.as_secs_f64();
        assert!(slower < 1.1, "seed {seed}: {slower:.3} times as long");
        assert!(history.ends[1].visits >= 30_000, "seed {seed}");
    }
}
