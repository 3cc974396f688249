//! Shares of the cluster: sessions that think before those that ponder, these before idle work, each by its weight.
//!
//! A part is a share of all workers' windows. A session that cannot use its part, because its tree is
//! small or its search nearly over, leaves the rest to others.

use banyan_jobs::{Claim, Purpose};
/// Tells how far so many playouts move a session back in the order of lending.
pub(super) fn turns(claim: Claim, playouts: u32) -> u64 {
    (u64::from(playouts) << 16) / u64::from(claim.weight.get())
}

/// Demand of one session: what it can use of the cluster.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    pub(super) claim: Claim,
    /// The part that it is seen to use, with room to grow; more than 1 when it is not known.
    pub(super) need: f64,
}

/// Twice what was in use a moment ago: a search that can use more doubles its part every tick.
pub(super) const NEED_PER_USE: f64 = 2.0;

/// A session that just now uses nothing is given this much of its fair part, to show that it needs more.
const FOOT_IN_THE_DOOR: f64 = 1.0 / 16.0;

/// The part of the whole, 0 to 1, that each demand is given.
///
/// Thinkers share the whole, and who needs less than its fair part leaves the rest to the others;
/// what no thinker needs is the ponderers' to share in the same way, what these do not need is for idle work, and
/// where there is none, or it does not need it either, everybody's of the first purpose there is.
pub(super) fn parts(demands: &[Demand]) -> Vec<f64> {
    let mut parts = vec![0.0; demands.len()];
    let mut left = 1.0;
    let mut first = None;
    for purpose in [Purpose::Thinking, Purpose::Pondering, Purpose::Idle] {
        let members: Vec<usize> =
            (0..demands.len()).filter(|&at| demands[at].claim.purpose == purpose).collect();
        left -= fill(left, &members, demands, &mut parts);
        if !members.is_empty() {
            first.get_or_insert(members);
        }
    }
    let first = first.unwrap_or_default();
    let weights: f64 = first.iter().map(|&at| weight(&demands[at])).sum();
    for at in first {
        parts[at] += left.max(0.0) * weight(&demands[at]) / weights;
    }
    parts
}

/// Divides `whole` by weight among `members`, the most modest first, and returns how much they took.
fn fill(whole: f64, members: &[usize], demands: &[Demand], parts: &mut [f64]) -> f64 {
    let mut order = members.to_vec();
    let modesty = |at: usize| demands[at].need / weight(&demands[at]);
    order.sort_by(|&a, &b| modesty(a).total_cmp(&modesty(b)));
    let mut weights: f64 = members.iter().map(|&at| weight(&demands[at])).sum();
    let mut left = whole;
    for at in order {
        let fair = left * weight(&demands[at]) / weights;
        parts[at] = demands[at].need.max(FOOT_IN_THE_DOOR * fair).min(fair);
        left -= parts[at];
        weights -= weight(&demands[at]);
    }
    whole - left
}

fn weight(demand: &Demand) -> f64 {
    f64::from(demand.claim.weight.get())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    /// `(purpose, weight, need)` each.
    fn given(demands: &[(Purpose, u32, f64)]) -> Vec<f64> {
        let demand = |&(purpose, weight, need): &(Purpose, u32, f64)| {
            let weight = NonZeroU32::new(weight).expect("a weight");
            Demand { claim: Claim { purpose, weight, ..Claim::default() }, need }
        };
        let parts = parts(&demands.iter().map(demand).collect::<Vec<_>>());
        parts.into_iter().map(|part| (part * 1000.0).round() / 1000.0).collect()
    }

    use Purpose::{Idle as I, Pondering as P, Thinking as T};

    #[test]
    fn who_is_alone_has_all_whatever_it_uses() {
        assert_eq!(given(&[(T, 3, 0.01)]), [1.0]);
        assert_eq!(given(&[(P, 1, 9.0)]), [1.0]);
        assert_eq!(given(&[]), [0.0; 0]);
    }

    #[test]
    fn thinkers_share_by_weight() {
        assert_eq!(given(&[(T, 1, 9.0), (T, 3, 9.0)]), [0.25, 0.75]);
    }

    #[test]
    fn what_one_does_not_need_is_the_others() {
        // A fair part is a half; the first needs a tenth.
        assert_eq!(given(&[(T, 1, 0.1), (T, 1, 9.0)]), [0.1, 0.9]);
        // The second and third share 0.9 by 1 to 2.
        assert_eq!(given(&[(T, 3, 0.1), (T, 1, 9.0), (T, 2, 9.0)]), [0.1, 0.3, 0.6]);
        // Nobody needs much: the rest is shared too.
        assert_eq!(given(&[(T, 1, 0.1), (T, 1, 0.3)]), [0.4, 0.6]);
    }

    #[test]
    fn idle_work_gets_what_all_who_play_leave() {
        assert_eq!(given(&[(I, 100, 9.0), (P, 1, 9.0)]), [0.0, 1.0]);
        assert_eq!(given(&[(I, 1, 9.0), (T, 1, 0.4), (P, 1, 0.5)]), [0.1, 0.4, 0.5]);
        assert_eq!(given(&[(I, 1, 0.2)]), [1.0]);
    }

    #[test]
    fn ponderers_get_what_thinkers_leave() {
        assert_eq!(given(&[(P, 100, 9.0), (T, 1, 9.0)]), [0.0, 1.0]);
        assert_eq!(given(&[(P, 1, 9.0), (T, 1, 0.4), (P, 2, 9.0)]), [0.2, 0.4, 0.4]);
        // A thinker that waits keeps a foot in the door, and has what nobody needs.
        assert_eq!(given(&[(T, 1, 0.0), (P, 1, 0.5)]), [0.5, 0.5]);
    }
}
