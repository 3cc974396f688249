//! Choice of the child that a descent takes: the formula, and its evaluation over all children of a node at once.

use banyan_kernels::simd::Task;

use super::formula::{Child, Formula, Own};
use super::priors::prior_value;
use super::puct::Puct;
use super::{Amaf, Flags, ImplicitValue, Judged, NodeId, Prior, Proof, Tree};
use crate::parameters::Parameters;

impl Tree {
    /// The child with the largest urgency; the first of equals.
    pub(super) fn select(&self, node: NodeId) -> NodeId {
        let Parameters { puct, lambda, .. } = self.parameters;
        match (puct, lambda > 0.0) {
            (false, false) => self.select_by(node, Urgency::at(self, node)),
            (false, true) => self.select_by(node, Judging(Urgency::at(self, node), Own { lambda })),
            (true, _) => self.select_by(node, Puct::at(self, node)),
        }
    }

    fn select_by(&self, node: NodeId, formula: impl Formula) -> NodeId {
        let first = self.nodes.first_child[node.index()] as usize;
        let range = first..first + usize::from(self.nodes.child_count[node.index()].count());
        let mut best = 0;
        self.vectors.run(Ranking {
            formula,
            visits: &self.nodes.visits[range.clone()],
            half_wins: &self.nodes.half_wins[range.clone()],
            unobserved: &self.nodes.unobserved[range.clone()],
            amaf: &self.nodes.amaf[range.clone()],
            judged: &self.nodes.judged[range.clone()],
            priors: &self.nodes.priors[range.clone()],
            implicit_values: &self.nodes.implicit_values[range.clone()],
            flags: &self.nodes.flags[range],
            best: &mut best,
        });
        NodeId((first + best) as u32)
    }
}

/// [`Urgency`] where evaluations count as well.
#[derive(Clone, Copy, Debug)]
struct Judging(Urgency, Own);

impl Formula for Judging {
    #[inline(always)]
    fn of(&self, child: Child) -> f32 {
        let is_known = (child.visits > 0) | (child.judged.count() > 0);
        let own = if is_known { self.1.value(child) } else { self.0.first_play };
        self.0.with_own(child, own)
    }
}

/// The formula that ranks the children of one node.
///
/// - value: (wins + ½ draws) / visits n, or first-play urgency without any;
/// - of n visits, moved by a share towards what minimax over the leaves' evaluations says;
/// - blended with the AMAF value by [`rave_weight`]; the AMAF tally begins with its prior's playouts;
/// - times n / (n + w·√T), T the playouts in flight through the child, w the weight of the virtual
///   loss: an AMAF value must not hide that a child without visits has many in flight;
/// - plus c·√(ln N / (visits + T)), N and T counting what is in flight (unobserved) as well.
#[derive(Clone, Copy, Debug)]
struct Urgency {
    exploration: f32,
    first_play: f32,
    virtual_loss: f32,
    /// Share of the implicit minimax value.
    implicit: f32,
    rave: bool,
    /// The inverse of the equivalence.
    rave_bias: f32,
    prior_visits: f32,
    /// A child of a smaller prior waits.
    prior_least: f32,
}

/// The distance of a child that waits behind all that do not: more than urgencies differ by, and little
/// enough that those of children that wait can be told apart.
const WAITS: f32 = 1e3;

impl Urgency {
    fn at(tree: &Tree, node: NodeId) -> Urgency {
        let parameters = &tree.parameters;
        let visits = tree.visits(node) as f64;
        let tried = visits + f64::from(tree.unobserved(node));
        // A library's logarithm differs between machines by a last bit; libm's is our own code's.
        let log = libm::log(tried.max(1.0)) as f32;
        Urgency {
            exploration: parameters.exploration * log.sqrt(),
            first_play: parameters.first_play_urgency,
            virtual_loss: parameters.virtual_loss,
            implicit: parameters.implicit_minimax,
            rave: parameters.rave_equivalence > 0.0,
            rave_bias: 1.0 / (parameters.rave_equivalence * tree.board_scale * tree.board_scale),
            prior_visits: parameters.prior_visits * tree.board_scale,
            prior_least: prior_least(parameters, tried as f32),
        }
    }

    /// The urgency of a child that is worth `own` before AMAF and what is in flight.
    #[inline(always)]
    fn with_own(&self, child: Child, own: f32) -> f32 {
        let visits = child.visits as f32;
        let in_flight = child.unobserved as f32;
        let prior_visits = if child.prior.is_set() { self.prior_visits } else { 0.0 };
        let amaf_visits = child.amaf.visits() as f32 + prior_visits;
        let amaf_wins = 0.5 * child.amaf.half_wins() as f32 + prior_visits * child.prior.value();
        let amaf = amaf_wins / amaf_visits;
        let weight = rave_weight(visits, amaf_visits, self.rave_bias);
        let is_blended = (amaf_visits > 0.0) & self.rave;
        let value = if is_blended { own + weight * (amaf - own) } else { own };
        let weighed = if visits > 1.0 { visits } else { 1.0 };
        let value = value * weighed / (weighed + self.virtual_loss * in_flight.sqrt());
        let tried = visits + in_flight;
        let tried = if tried > 1.0 { tried } else { 1.0 };
        let urgency = value + self.exploration / tried.sqrt();
        let waits = child.prior.is_set() & (child.prior.value() < self.prior_least);
        let urgency = if waits { urgency - WAITS } else { urgency };
        let urgency = if child.flags.is_proof(Proof::Win) { f32::MAX } else { urgency };
        let urgency = if child.flags.is_proof(Proof::Loss) { f32::MIN } else { urgency };
        if child.flags.is_banned() { f32::NEG_INFINITY } else { urgency }
    }
}

impl Formula for Urgency {
    #[inline(always)]
    fn of(&self, child: Child) -> f32 {
        let visits = child.visits as f32;
        let own = 0.5 * child.half_wins as f32 / visits;
        let implicit = if child.implicit_value.is_known() { self.implicit } else { 0.0 };
        let own = own + implicit * (child.implicit_value.share() - own);
        let own = if visits > 0.0 { own } else { self.first_play };
        self.with_own(child, own)
    }
}

/// Children ranked side by side: one vector of the widest kind.
const LANES: usize = 16;

/// The children of one node, to be ranked.
struct Ranking<'a, F> {
    formula: F,
    visits: &'a [u64],
    half_wins: &'a [u64],
    unobserved: &'a [u32],
    amaf: &'a [Amaf],
    judged: &'a [Judged],
    priors: &'a [Prior],
    implicit_values: &'a [ImplicitValue],
    flags: &'a [Flags],
    /// The place that takes the index of the best.
    best: &'a mut usize,
}

impl<F: Formula> Task for Ranking<'_, F> {
    #[inline(always)]
    fn run(self) {
        let count = self.visits.len();
        if count < LANES {
            *self.best = self.best_of_few();
            return;
        }
        let mut best = ([f32::NEG_INFINITY; LANES], [0u32; LANES]);
        for start in (0..=count - LANES).step_by(LANES) {
            self.rank(start, &mut best);
        }
        if !count.is_multiple_of(LANES) {
            // Some of these are ranked twice, which changes nothing.
            self.rank(count - LANES, &mut best);
        }
        let lanes = best.0.into_iter().zip(best.1);
        let first_best = lanes.reduce(|a, b| {
            let is_better = b.0 > a.0 || (b.0 == a.0 && b.1 < a.1);
            if is_better { b } else { a }
        });
        *self.best = first_best.map_or(0, |(_, index)| index as usize);
    }
}

impl<F: Formula> Ranking<'_, F> {
    /// Ranks `LANES` children from `start` against the best of each lane so far.
    #[inline(always)]
    fn rank(&self, start: usize, best: &mut ([f32; LANES], [u32; LANES])) {
        let visits = lanes_of(self.visits, start);
        let half_wins = lanes_of(self.half_wins, start);
        let unobserved = lanes_of(self.unobserved, start);
        let amaf = lanes_of(self.amaf, start);
        let judged = lanes_of(self.judged, start);
        let priors = lanes_of(self.priors, start);
        let implicit_values = lanes_of(self.implicit_values, start);
        let flags = lanes_of(self.flags, start);
        for lane in 0..LANES {
            let urgency = self.formula.of(Child {
                visits: visits[lane],
                half_wins: half_wins[lane],
                unobserved: unobserved[lane],
                amaf: amaf[lane],
                judged: judged[lane],
                prior: priors[lane],
                implicit_value: implicit_values[lane],
                flags: flags[lane],
            });
            let is_better = urgency > best.0[lane];
            best.0[lane] = if is_better { urgency } else { best.0[lane] };
            best.1[lane] = if is_better { (start + lane) as u32 } else { best.1[lane] };
        }
    }

    #[inline(always)]
    fn best_of_few(&self) -> usize {
        let mut best = (0, f32::NEG_INFINITY);
        for index in 0..self.visits.len() {
            let urgency = self.formula.of(Child {
                visits: self.visits[index],
                half_wins: self.half_wins[index],
                unobserved: self.unobserved[index],
                amaf: self.amaf[index],
                judged: self.judged[index],
                prior: self.priors[index],
                implicit_value: self.implicit_values[index],
                flags: self.flags[index],
            });
            if urgency > best.1 {
                best = (index, urgency);
            }
        }
        best.0
    }
}

#[inline(always)]
fn lanes_of<T>(all: &[T], start: usize) -> &[T; LANES] {
    all[start..start + LANES].try_into().expect("as many as asked for")
}

/// Progressive widening: the prior that a child must have to be tried at a node of so many visits.
///
/// A move that is w times as likely as the mean of its siblings waits for widening / w visits. Where all
/// wait, none does.
fn prior_least(parameters: &Parameters, visits: f32) -> f32 {
    match parameters.prior_widening {
        0.0 => 0.0,
        widening => prior_value(widening / (visits + 1.0), parameters.prior_sharpness),
    }
}

/// Weight of a child's AMAF value against its own, for RAVE.
///
/// β = m / (n + m + n·m·b): 1 for a child without visits, towards 0 as its own visits arrive; where both
/// are many, n = 1/b visits of its own weigh as much as the AMAF value.
///
/// - `visits` (n): playouts through the child, count.
/// - `amaf_visits` (m): playouts of its AMAF tally, count, above 0.
/// - `bias` (b): the inverse of the equivalence, 1 / playouts. Gelly and Silver's 4·b̃².
/// - returns β in `0.0..=1.0`, no unit; no number when both counts are 0.
///
/// # Source
/// Gelly & Silver 2011, the schedule that minimises the mean squared error. The hand-selected schedule
/// of 2007, by the parent's visits, won 13 of 100 games against it here (docs/experiments/go.md).
#[inline(always)]
pub fn rave_weight(visits: f32, amaf_visits: f32, bias: f32) -> f32 {
    amaf_visits / (visits + amaf_visits + visits * amaf_visits * bias)
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Color, Game, Kind, Rng};
    use banyan_kernels::simd::Vectors;

    use super::*;

    fn child(rng: &mut Rng) -> Child {
        let visits = u64::from(rng.below(50));
        let amaf_visits = rng.below(20);
        let flags = [0, 0, 0, 0b010, 0b100, 0b110, 0b1000][rng.below(7) as usize];
        Child {
            visits,
            half_wins: u64::from(rng.below(2 * visits as u32 + 1)),
            unobserved: [0, 0, 3][rng.below(3) as usize],
            amaf: Amaf::new(amaf_visits, rng.below(2 * amaf_visits + 1)),
            judged: [Judged::NONE, Judged::new(3, u64::from(rng.below(3 << 15)))]
                [rng.below(2) as usize],
            prior: [Prior::UNSET, Prior::of_value(0.1), Prior::of_value(0.9)]
                [rng.below(3) as usize],
            implicit_value: ImplicitValue([0, 1, 9_000, 65_535][rng.below(4) as usize]),
            flags: Flags(flags),
        }
    }

    #[test]
    fn what_is_known_without_visits_lasts_longer_on_a_larger_board_of_go() {
        let parameters = Parameters::of(Kind::Go);
        let of = |side: u32| {
            let position = Go::new(&GoRules::new(side, 15).expect("a size of Go"));
            let mut tree = Tree::new(parameters, 1, 1 << 20, Color::White);
            let _ = tree.descend(&mut position.clone(), 0);
            let Urgency { rave_bias, prior_visits, .. } = Urgency::at(&tree, tree.root);
            [1.0 / rave_bias / parameters.rave_equivalence, prior_visits / parameters.prior_visits]
        };
        for (side, equivalence, prior) in [(7, 1.0, 1.0), (9, 1.0, 1.0), (18, 16.0, 4.0)] {
            let [found, prior_visits] = of(side);
            assert!((found / equivalence - 1.0).abs() < 1e-5, "{side}: {found}");
            assert!((prior_visits / prior - 1.0).abs() < 1e-5, "{side}: {prior_visits}");
        }
    }

    /// Checks that every kind of vectors takes the child that a plain look at each takes.
    fn check(children: &[Child], formula: impl Formula + Copy) {
        let mut expected = (0, f32::NEG_INFINITY);
        for (index, &child) in children.iter().enumerate() {
            if formula.of(child) > expected.1 {
                expected = (index, formula.of(child));
            }
        }
        for vectors in Vectors::all() {
            let mut best = 0;
            vectors.run(Ranking {
                formula,
                visits: &children.iter().map(|c| c.visits).collect::<Vec<_>>(),
                half_wins: &children.iter().map(|c| c.half_wins).collect::<Vec<_>>(),
                unobserved: &children.iter().map(|c| c.unobserved).collect::<Vec<_>>(),
                amaf: &children.iter().map(|c| c.amaf).collect::<Vec<_>>(),
                judged: &children.iter().map(|c| c.judged).collect::<Vec<_>>(),
                priors: &children.iter().map(|c| c.prior).collect::<Vec<_>>(),
                implicit_values: &children.iter().map(|c| c.implicit_value).collect::<Vec<_>>(),
                flags: &children.iter().map(|c| c.flags).collect::<Vec<_>>(),
                best: &mut best,
            });
            assert_eq!(best, expected.0, "{vectors:?}, {children:?}");
        }
    }

    #[test]
    fn every_kind_of_vectors_takes_the_child_that_a_plain_look_at_each_takes() {
        let mut rng = Rng::from_seed(5);
        for round in 0..2_000 {
            let children: Vec<Child> = (0..1 + round % 90).map(|_| child(&mut rng)).collect();
            let urgency = Urgency {
                exploration: 0.3,
                first_play: 1.0,
                virtual_loss: 1.0,
                implicit: if round % 3 == 0 { 0.0 } else { 0.3 },
                rave: round % 2 == 1,
                rave_bias: 0.001,
                prior_visits: 10.0,
                prior_least: if round % 5 == 0 { 0.5 } else { 0.0 },
            };
            check(&children, urgency);
            check(&children, Judging(urgency, Own { lambda: 0.3 }));
            check(&children, Puct::of_numbers(0.5, [0.5, 0.4, 3.0, 0.1]));
        }
    }
}
