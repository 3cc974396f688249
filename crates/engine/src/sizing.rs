//! Size of the next batch, and whether it is leaf-parallel or a subtree.
//!
//! Single playouts, leaf-parallel batches of one, make the best use of each playout, but each costs a descent
//! here. Subtree batches cost next to nothing, and lose a little as long as each is a small part of the
//! tree. So: single playouts where this process can afford them or few may be in flight, else subtree
//! batches, larger as the tree grows. The figures are in docs/performance.md.

use std::time::Duration;

use banyan_jobs::{ClusterCapacity, Spread, limits};
pub use banyan_jobs::{Sizing, Wish};

/// A subtree batch takes a worker's thread about so long, at most.
const BATCH_TIME: Duration = Duration::from_millis(80);

/// A leaf-parallel batch that is asked for without a size: a compromise, since each further playout from one leaf
/// is worth less. Where the choice is free such a batch is a single playout.
const LEAF_PLAYOUTS: u32 = 8;

/// Making leaf-parallel batches may take so much of the search thread's time. Beyond, workers begin to wait for it.
const LEAF_LOAD_MAX: f64 = 0.4;

/// A search that makes leaf-parallel batches keeps to them up to so many times that load, so that a
/// measurement that wavers does not change the mode again and again.
const HYSTERESIS: f64 = 1.5;

/// Processor time of the search thread for a leaf-parallel batch: descent, priors, merge (measured on 9x9 Go; other
/// games take less, larger boards of Go [more](board_scale)).
const LEAF_COST: Duration = Duration::from_micros(6);

/// Points of the board that [`LEAF_COST`] was measured on.
const LEAF_COST_POINTS: u32 = 81;

/// Cost of a playout to a worker until that is measured: as a heavy one of 9x9 Go, so that a
/// search of a few threads has not grown its first thousands from stale news before it knows better.
const PLAYOUT_COST_GUESS: Duration = Duration::from_micros(50);

/// The same for a leaf that is judged, with the way to the judge and back.
const JUDGED_LEAF_COST: Duration = Duration::from_micros(25);

/// The smallest subtree batch, playouts: a round of the worker.
const SUBTREE_PLAYOUTS_MIN: f64 = 16.0;

/// The smallest subtree batch that is judged, evaluations.
const SUBTREE_EVALUATIONS_MIN: f64 = 8.0;

/// Processor time of the search thread for a subtree batch that is judged (measured on 9x9 Go, two workers, 8
/// evaluations each: 0.49 s for 18,400 batches, 1.05 s of the cluster's thread beside it).
const SUBTREE_COST: Duration = Duration::from_micros(30);

/// Processor time of all others on a judged batch's way (measured on 9x9 Go, two workers, 8 evaluations each: of the
/// cluster's thread 55 µs, of the worker's link 45).
const WAY_COST: Duration = Duration::from_micros(100);

/// That may be so much of the time of who judges, where the tree is large.
const WAY_LOAD_MAX: f64 = 0.08;

/// A batch is made larger for the sake of its way as long as it is this part of what the tree allows: in a large one
/// what is in flight costs next to nothing.
const WAY_SHARE: f64 = 1.0 / 8.0;

/// Sizes that the tree allows as large as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowed {
    /// Playouts in flight, above 0.
    pub in_flight: u32,
    /// Playouts of a subtree batch; a round of the worker is one in any case.
    pub subtree: f64,
    /// Points of the board beside those of 9x9, by which leaves cost more.
    pub board: f64,
}

/// Returns the factor by which a leaf costs the search thread more than on 9x9 where each of so many points is a move
/// with a prior, as in Go: on 19x19, with two workers, 26 µs were measured for one that is played out, at 26 thousand
/// a second.
pub fn board_scale(points: u32) -> f64 {
    f64::from(points.max(LEAF_COST_POINTS)) / f64::from(LEAF_COST_POINTS)
}

/// Parts of a spread batch for each of the threads that share it: with fewer they would end one after the other.
const PARTS_A_THREAD: u32 = 8;

/// Parts in flight for each of those threads, so that nobody waits for the way.
const PARTS_IN_FLIGHT: u32 = 2;

/// A part of fewer playouts is not worth the way.
const SPREAD_PART_MIN: f64 = SUBTREE_EVALUATIONS_MIN;

/// One batch to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Tells whether a private tree is grown for it.
    pub is_subtree: bool,
    /// Playouts, above 0.
    pub playouts: u32,
}

impl Default for Size {
    /// A single playout.
    fn default() -> Size {
        Size::leaf_parallel(1)
    }
}

impl Size {
    /// A leaf-parallel batch.
    pub fn leaf_parallel(playouts: u32) -> Size {
        Size { is_subtree: false, playouts }
    }

    /// A subtree batch.
    pub fn subtree(playouts: u32) -> Size {
        Size { is_subtree: true, playouts }
    }
}

impl Allowed {
    /// The next batch.
    ///
    /// - `fixed`: what is fixed for the search.
    /// - `cluster`: what is measured of it; nothing at first.
    /// - `before`: the last batch made.
    pub fn next(self, fixed: Sizing, cluster: &ClusterCapacity, before: Size) -> Size {
        match (fixed.wish, fixed.playouts) {
            (Wish::LeafParallel | Wish::Auto, Some(playouts)) => Size::leaf_parallel(playouts),
            (Wish::Subtree, Some(playouts)) => Size::subtree(playouts),
            (Wish::LeafParallel, None) => Size::leaf_parallel(LEAF_PLAYOUTS.min(self.in_flight)),
            (Wish::Auto, None) if !self.has_room_for_subtrees() => Size::leaf_parallel(1),
            (Wish::Auto, None)
                if affords_leaves(LEAF_COST.mul_f64(self.board), cluster, before) =>
            {
                Size::leaf_parallel(1)
            }
            (Wish::Auto | Wish::Subtree, None) => {
                Size::subtree(self.subtree_playouts(SUBTREE_PLAYOUTS_MIN, cluster.threads, cluster))
            }
        }
    }

    /// The same where all is judged: a leaf is judged once, so without subtrees each is one evaluation.
    pub fn next_judged(self, fixed: Sizing, cluster: &ClusterCapacity, before: Size) -> Size {
        let has_room = f64::from(self.in_flight) >= 2.0 * SUBTREE_EVALUATIONS_MIN;
        match (fixed.wish, fixed.playouts) {
            (Wish::Subtree, Some(evaluations)) => Size::subtree(evaluations),
            (Wish::LeafParallel, _) | (Wish::Auto, Some(_)) => Size::leaf_parallel(1),
            (Wish::Auto, None) if !has_room => Size::leaf_parallel(1),
            (Wish::Auto, None)
                if affords_leaves(JUDGED_LEAF_COST.mul_f64(self.board), cluster, before) =>
            {
                Size::leaf_parallel(1)
            }
            (Wish::Auto | Wish::Subtree, None) => {
                let least = SUBTREE_EVALUATIONS_MIN;
                let most = self.subtree_playouts(least, cluster.judges, cluster);
                // What is in flight costs strength: no more than what takes the search thread its share of time.
                let cost = SUBTREE_COST.mul_f64(self.board).as_secs_f64();
                let enough = (cluster.rate * cost / LEAF_LOAD_MAX).max(least);
                let enough = enough.max(self.worth_the_way(cluster)) as u32;
                let is_spread = cluster.threads_a_batch > 1;
                Size::subtree(if is_spread { most } else { most.min(enough) })
            }
        }
    }

    /// Tells whether two subtree batches may be in flight, so that nobody waits for the way between them.
    fn has_room_for_subtrees(self) -> bool {
        f64::from(self.in_flight) >= 2.0 * SUBTREE_PLAYOUTS_MIN
    }

    /// Evaluations of a batch whose way costs little beside them, as far as the tree allows.
    fn worth_the_way(self, cluster: &ClusterCapacity) -> f64 {
        let rate_each = cluster.rate / f64::from(cluster.judges.max(1));
        let worth_it = rate_each * WAY_COST.as_secs_f64() / WAY_LOAD_MAX;
        worth_it.min(self.subtree * WAY_SHARE)
    }

    /// Playouts of a subtree batch: as many as threads that share a batch can do with, or where the tree is too
    /// small for that, as many as each of them can.
    fn subtree_playouts(self, least: f64, threads: u32, cluster: &ClusterCapacity) -> u32 {
        let shared = threads.div_ceil(cluster.threads_a_batch.max(1));
        let playouts = self.timely_playouts(least, shared, cluster);
        if shared == threads || spread(cluster, playouts).is_some() {
            return playouts;
        }
        self.timely_playouts(least, threads, cluster)
    }

    /// Some milliseconds of work, but a small part of the tree, and few enough that each of so many can have
    /// two batches at a time.
    fn timely_playouts(self, least: f64, many: u32, cluster: &ClusterCapacity) -> u32 {
        let many = many.max(1);
        let timely = cluster.rate / f64::from(many) * BATCH_TIME.as_secs_f64();
        let timely = if timely > 0.0 { timely } else { f64::MAX };
        let two_each = f64::from(self.in_flight) / f64::from(2 * many);
        let playouts = timely.min(self.subtree).min(two_each).max(least);
        (playouts as u32).min(limits::PLAYOUTS_PER_BATCH_MAX).min(self.in_flight)
    }
}

/// Plans the spread of a private tree of so many playouts over the threads of a worker; nothing where those each work
/// at a batch of their own, or it is too small.
pub fn spread(cluster: &ClusterCapacity, playouts: u32) -> Option<Spread> {
    let threads = cluster.threads_a_batch.min(limits::THREADS_MAX);
    let part = playouts / (PARTS_A_THREAD * threads.max(1));
    let is_worth_it = threads > 1 && f64::from(part) >= SPREAD_PART_MIN;
    is_worth_it.then(|| Spread { parts: PARTS_IN_FLIGHT * threads, playouts: part })
}

/// Tells whether this process can make leaves of so much time each as fast as the cluster deals with them. Where
/// workers spread batches each leaf costs one more coordinator, which is there for large ones.
fn affords_leaves(leaf: Duration, cluster: &ClusterCapacity, before: Size) -> bool {
    if cluster.threads_a_batch > 1 {
        return false;
    }
    let playout = cluster.playout_cost.unwrap_or(PLAYOUT_COST_GUESS);
    let slack = if before.is_subtree { 1.0 } else { HYSTERESIS };
    let load = f64::from(cluster.threads) * leaf.as_secs_f64() / playout.as_secs_f64();
    load <= slack * LEAF_LOAD_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    const AUTO: Sizing = Sizing { wish: Wish::Auto, playouts: None };

    /// Makes a cluster of threads that are busy all the time.
    fn cluster(rate: f64, threads: u32) -> ClusterCapacity {
        let playout_cost = Some(Duration::from_secs_f64(f64::from(threads) / rate));
        ClusterCapacity { rate, threads, playout_cost, ..ClusterCapacity::default() }
    }

    /// In a tree of so many visits, an eighth of which may be in flight, a 64th in one batch.
    fn allowed(visits: u64) -> Allowed {
        Allowed { in_flight: 32 + visits as u32 / 8, subtree: visits as f64 / 64.0, board: 1.0 }
    }

    fn next(sizing: Sizing, visits: u64, cluster: ClusterCapacity) -> Size {
        allowed(visits).next(sizing, &cluster, Size::subtree(16))
    }

    #[test]
    fn slow_playouts_are_lent_one_by_one() {
        // 20,000 a second at 6 µs each are 12 % of the search thread's time.
        assert_eq!(next(AUTO, 10_000, cluster(20_000.0, 2)), Size::leaf_parallel(1));
        // 200,000 would be more than all of it.
        assert!(next(AUTO, 10_000, cluster(200_000.0, 2)).is_subtree);
    }

    #[test]
    fn leaves_of_a_large_board_are_dear() {
        assert_eq!([board_scale(49), board_scale(81)], [1.0; 2]);
        let large = Allowed { board: board_scale(361), ..allowed(10_000) };
        // Two threads of 20,000 a second would take more than the whole of the search thread.
        let busy = cluster(40_000.0, 2);
        assert!(large.next(AUTO, &busy, Size::leaf_parallel(1)).is_subtree);
        assert!(!allowed(10_000).next(AUTO, &busy, Size::leaf_parallel(1)).is_subtree);
        // Nor can it make leaves for two judges of 3,000 a second.
        let judges = ClusterCapacity { judges: 2, ..cluster(6_000.0, 2) };
        assert!(large.next_judged(AUTO, &judges, Size::subtree(8)).is_subtree);
        assert!(!allowed(10_000).next_judged(AUTO, &judges, Size::subtree(8)).is_subtree);
        // One slow thread is none too many.
        let slow = cluster(5_000.0, 1);
        assert_eq!(large.next(AUTO, &slow, Size::subtree(16)), Size::leaf_parallel(1));
    }

    #[test]
    fn what_leaf_parallel_batches_cannot_feed_goes_by_subtrees() {
        let fast = cluster(1_000_000.0, 2);
        assert_eq!(next(AUTO, 64_000, fast), Size::subtree(1_000));
        // 80 ms of a thread's 500,000 a second.
        assert_eq!(next(AUTO, 100_000_000, fast), Size::subtree(40_000));
        // At first the tree is small, and then a batch is a round.
        assert_eq!(next(AUTO, 0, fast), Size::subtree(16));
        // Unless few may be in flight.
        let few = Allowed { in_flight: 31, ..allowed(0) };
        assert_eq!(few.next(AUTO, &fast, Size::subtree(16)), Size::leaf_parallel(1));
    }

    #[test]
    fn what_is_not_measured_yet_is_taken_for_slow() {
        let joined = |threads| ClusterCapacity { threads, ..ClusterCapacity::default() };
        assert_eq!(next(AUTO, 64_000, joined(3)), Size::leaf_parallel(1));
        assert_eq!(next(AUTO, 64_000, joined(4)), Size::subtree(1_000));
    }

    #[test]
    fn threads_that_share_a_batch_get_a_larger_one_in_parts() {
        // Two workers of 100 threads each, which spread what they are lent.
        let crowds = ClusterCapacity { threads_a_batch: 100, ..cluster(1e7, 200) };
        // (32 + 640,000 / 8) / (2 · 2), but no more than a 64th of the tree.
        assert_eq!(next(AUTO, 640_000, crowds), Size::subtree(10_000));
        assert_eq!(spread(&crowds, 10_000), Some(Spread { parts: 200, playouts: 12 }));
        // Parts would be too small to be worth the way, so that each thread gets a batch of its own.
        assert_eq!(spread(&crowds, 6_000), None);
        assert_eq!(next(AUTO, 64_000, crowds), Size::subtree(20));
        let few = ClusterCapacity { threads_a_batch: 2, ..cluster(20_000.0, 2) };
        assert!(next(AUTO, 10_000, few).is_subtree);
        assert_eq!(spread(&cluster(1e7, 200), 10_000), None);
    }

    #[test]
    fn many_threads_get_two_batches_each() {
        // (32 + 640,000 / 8) / (2 · 200).
        assert_eq!(next(AUTO, 640_000, cluster(1e8, 200)), Size::subtree(200));
    }

    #[test]
    fn a_rate_that_wavers_does_not_change_the_mode() {
        let wavering = cluster(75_000.0, 2);
        let (leaf, subtree) = (Size::leaf_parallel(1), Size::subtree(16));
        assert!(!allowed(64_000).next(AUTO, &wavering, leaf).is_subtree);
        assert!(allowed(64_000).next(AUTO, &wavering, subtree).is_subtree);
    }

    #[test]
    fn evaluations_go_by_subtrees_where_many_judge_or_they_are_fast() {
        let judged = |visits, rate, judges| {
            let capacity = ClusterCapacity { judges, ..cluster(rate, judges) };
            allowed(visits).next_judged(AUTO, &capacity, Size::subtree(8))
        };
        // A large network on one thread, 400 a second: leaves one by one.
        assert_eq!(judged(6_400, 400.0, 1), Size::leaf_parallel(1));
        assert!(judged(6_400, 40_000.0, 2).is_subtree);
        // (32 + 800) / (2 · 64) are few: the smallest batch.
        assert_eq!(judged(6_400, 64.0 * 8_000.0, 64), Size::subtree(8));
        // As many as make their way worth it, 100 µs in 12 of evaluations of 50 each, where the tree is large.
        assert_eq!(judged(1_000_000, 40_000.0, 2), Size::subtree(25));
        assert_eq!(judged(8_192, 40_000.0, 2), Size::subtree(16));
        assert_eq!(judged(4_096, 40_000.0, 2), Size::subtree(8));
        // In a large tree no more than what this process can make batches for: 30 µs each, two fifths of its time.
        assert_eq!(judged(1_000_000, 64.0 * 8_000.0, 64), Size::subtree(38));
        let few = Allowed { in_flight: 15, ..allowed(0) };
        let capacity = ClusterCapacity { judges: 2, ..cluster(40_000.0, 2) };
        assert_eq!(few.next_judged(AUTO, &capacity, Size::subtree(8)), Size::leaf_parallel(1));
        let wish = Sizing { wish: Wish::Subtree, playouts: Some(30) };
        assert_eq!(few.next_judged(wish, &capacity, Size::default()), Size::subtree(30));
    }

    #[test]
    fn what_is_wished_for_is_done() {
        let fast = cluster(1e6, 2);
        let sizing = |wish, playouts| Sizing { wish, playouts };
        let tiny = Allowed { in_flight: 1, ..allowed(9) };
        assert_eq!(next(sizing(Wish::Auto, Some(3)), 9, fast), Size::leaf_parallel(3));
        assert_eq!(next(sizing(Wish::LeafParallel, None), 9, fast), Size::leaf_parallel(8));
        assert_eq!(
            tiny.next(sizing(Wish::LeafParallel, None), &fast, Size::leaf_parallel(1)),
            Size::leaf_parallel(1)
        );
        assert_eq!(next(sizing(Wish::Subtree, Some(300)), 9, fast), Size::subtree(300));
        assert_eq!(next(sizing(Wish::Subtree, None), 64_000, cluster(10.0, 1)), Size::subtree(16));
    }
}
