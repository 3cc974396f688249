//! Speed of playouts here, and the gain of all cores over one.

use std::time::{Duration, Instant};

use banyan_games::Game as _;
use banyan_games::counts::Counts;
use banyan_games::go::{Go, GoRules};
use banyan_games::rng::Rng;

use super::finding::Finding;

/// One measurement takes so long.
const TIME: Duration = Duration::from_millis(400);

/// Playouts between two looks at the clock.
const ROUND: u32 = 64;

/// All cores together should do this share of so many times what one does.
const SCALING_MIN: f64 = 0.7;

/// Measures one thread, then all of them.
pub(super) fn measure() -> Vec<Finding> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let alone = rate(1);
    let mut findings =
        vec![Finding::good(format!("one thread: {alone:.0} uniform playouts a second (9x9 Go)"))];
    if cores > 1 {
        findings.push(judged(alone, rate(cores), cores));
    }
    findings
}

fn judged(alone: f64, together: f64, cores: usize) -> Finding {
    let share = together / alone / cores as f64;
    let words = format!(
        "{cores} threads: {together:.0} a second, {:.0} % of {cores} times that",
        100.0 * share
    );
    match share < SCALING_MIN {
        false => Finding::good(words),
        true => Finding::slow(
            words,
            "cores share something: they may be hyper-threads, be slowed by heat or a power limit, or be \
             busy with something else",
        ),
    }
}

/// Playouts a second of so many threads together.
fn rate(threads: usize) -> f64 {
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..threads).map(|seed| scope.spawn(move || one(seed as u64))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(0.0)).sum::<f64>()
    })
}

fn one(seed: u64) -> f64 {
    let rules = GoRules::new(9, 15).expect("a size of Go");
    let (position, mut rng) = (Go::new(&rules), Rng::from_seed(seed));
    let (started, mut playouts) = (Instant::now(), 0);
    while started.elapsed() < TIME {
        let mut counts = Counts::default();
        position.playouts(ROUND, &mut rng, &mut counts);
        playouts += ROUND;
    }
    f64::from(playouts) / started.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_that_share_something_are_told_of() {
        assert!(judged(100.0, 390.0, 4).to_string().contains("98 % of 4 times"));
        assert!(judged(100.0, 200.0, 4).to_string().contains("hyper-threads"));
    }
}
