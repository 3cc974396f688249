//! The way back: virtual losses of playouts in flight, and adding what came home.

use banyan_games::{self as games, Counts, Move, Outcome};
use banyan_kernels::simd::Task;

use super::later::{Later, POINTS_MAX};
use super::{Amaf, NodeId, Path, Tree};

impl Tree {
    /// Adds the virtual loss of `playouts` in flight to every node of a path.
    pub fn add_virtual_loss(&mut self, path: &Path, playouts: u32) {
        for &node in path {
            self.nodes.unobserved[node.index()] += playouts;
        }
    }

    /// Removes it again. Every virtual loss that was added is removed exactly once.
    pub fn remove_virtual_loss(&mut self, path: &Path, playouts: u32) {
        for &node in path {
            let unobserved = &mut self.nodes.unobserved[node.index()];
            debug_assert!(*unobserved >= playouts, "removed twice");
            *unobserved = unobserved.saturating_sub(playouts);
        }
    }

    /// Adds the counts of playouts that started at the leaf of a path to every node of it.
    pub fn merge(&mut self, path: &Path, counts: &Counts) {
        let half_wins = half_wins(counts);
        for &node in path {
            let mover = self.mover(node);
            self.nodes.visits[node.index()] += u64::from(counts.playouts());
            self.nodes.half_wins[node.index()] += half_wins[mover.index()];
        }
        self.owners.add(counts);
        if let Some(amaf) = &counts.amaf {
            self.merge_amaf(path, amaf, counts.playouts(), half_wins);
        }
    }

    /// Adds what the last merge counted, as the root sees it, to an AMAF tally: moves of the path were
    /// played in all playouts, moves of the playouts in as many as their tally says.
    ///
    /// Right after [`Tree::merge`] of counts with AMAF, and only then.
    pub fn add_later_to(&self, amaf: &mut games::Amaf) {
        let slots = amaf.visits.chunks_exact_mut(2).zip(amaf.half_wins.chunks_exact_mut(2));
        for (point, (visits, half_wins)) in slots.take(POINTS_MAX - 1).enumerate() {
            for side in 0..2 {
                let later = self.later.by_side[side][point];
                visits[side] += later.visits();
                half_wins[side] += later.half_wins();
            }
        }
    }

    /// Adds one ended game at the leaf of a path.
    pub fn merge_outcome(&mut self, path: &Path, outcome: Outcome) {
        let mut counts = Counts::default();
        counts.add(outcome, 0);
        self.merge(path, &counts);
        self.judge_ended(path, outcome);
    }

    /// For each node of the path, credits its children whose move was played later on.
    ///
    /// A move of the path itself was played in all of the playouts; a move of the playouts in as many
    /// as the tally says. Only the first stone on a point counts, so the path goes before the tally.
    fn merge_amaf(&mut self, path: &Path, amaf: &games::Amaf, playouts: u32, half_wins: [u64; 2]) {
        let mut later = std::mem::take(&mut self.later);
        later.fill(amaf);
        for &node in path.iter().rev() {
            self.credit_children(node, &later);
            let mover = self.mover(node);
            let all = Amaf::new(playouts, half_wins[mover.index()] as u32);
            later.put_first(mover, self.move_into(node), all);
        }
        self.later = later;
    }

    fn credit_children(&mut self, node: NodeId, later: &Later) {
        let count = usize::from(self.nodes.child_count[node.index()].count());
        if count == 0 {
            return;
        }
        let first = self.nodes.first_child[node.index()] as usize;
        let mover = self.nodes.flags[first].mover();
        let range = first..first + count;
        if self.nodes.visits[node.index()] >= AMAF_SAFE_VISITS {
            // RAVE's weight is long nil by then; halving keeps the value and the bound.
            let large = self.nodes.amaf[range.clone()].iter_mut().filter(|amaf| amaf.is_large());
            large.for_each(|amaf| *amaf = amaf.halved());
        }
        self.vectors.run(Credit {
            moves: &self.nodes.moves[range.clone()],
            later: &later.by_side[mover.index()],
            amaf: &mut self.nodes.amaf[range],
        });
    }
}

/// Below so many visits of its parent no AMAF sum of a node can be near its bound of 32 bits.
const AMAF_SAFE_VISITS: u64 = 1 << 30;

/// Adds to each child what was played on its point later on.
struct Credit<'a> {
    moves: &'a [Move],
    later: &'a [Amaf; POINTS_MAX],
    amaf: &'a mut [Amaf],
}

impl Task for Credit<'_> {
    #[inline(always)]
    fn run(self) {
        for (amaf, mv) in self.amaf.iter_mut().zip(self.moves) {
            *amaf = Amaf(amaf.0 + self.later[usize::from(mv.0) % POINTS_MAX].0);
        }
    }
}

/// Twice the wins plus the draws, for each side.
pub(super) fn half_wins(counts: &Counts) -> [u64; 2] {
    let (wins, draws, losses) =
        (u64::from(counts.wins), u64::from(counts.draws), u64::from(counts.losses));
    [2 * wins + draws, 2 * losses + draws]
}
