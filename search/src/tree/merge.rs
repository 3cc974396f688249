//! The way back: putting playouts in flight, taking them off, and adding what came home.

use banyan_games::{Amaf, Color, Counts, Move, Outcome};

use super::{NodeId, Path, Tree};

impl Tree {
    /// Puts `playouts` in flight on every node of a path.
    pub fn put_in_flight(&mut self, path: &Path, playouts: u32) {
        for &node in path {
            self.unobserved[node.index()] += playouts;
        }
    }

    /// Takes them off again. Every path that was put in flight is taken off exactly once.
    pub fn take_off(&mut self, path: &Path, playouts: u32) {
        for &node in path {
            let unobserved = &mut self.unobserved[node.index()];
            debug_assert!(*unobserved >= playouts, "taken off twice");
            *unobserved = unobserved.saturating_sub(playouts);
        }
    }

    /// Adds the counts of playouts that started at the leaf of a path to every node of it.
    pub fn merge(&mut self, path: &Path, counts: &Counts) {
        let half_wins = half_wins(counts);
        for &node in path {
            let mover = self.mover(node);
            self.visits[node.index()] += u64::from(counts.playouts());
            self.half_wins[node.index()] += half_wins[mover.index()];
        }
        if let Some(amaf) = &counts.amaf {
            self.merge_amaf(path, amaf, u64::from(counts.playouts()), half_wins);
        }
    }

    /// Adds one ended game at the leaf of a path.
    pub fn merge_outcome(&mut self, path: &Path, outcome: Outcome) {
        let mut counts = Counts::default();
        counts.add(outcome, 0);
        self.merge(path, &counts);
    }

    /// For each node of the path, credits its children whose move was played later on.
    ///
    /// A move of the path itself was played in all of the playouts; a move of the playouts in as many
    /// as the tally says. Only the first stone on a point counts, so the path goes before the tally.
    fn merge_amaf(&mut self, path: &Path, amaf: &Amaf, playouts: u64, half_wins: [u64; 2]) {
        let mut below: Vec<(Move, Color)> = Vec::with_capacity(path.len());
        for &node in path.iter().rev() {
            for child in self.children(node) {
                let (mv, mover) = (self.move_into(child), self.mover(child));
                let Some(point) = mv.index() else { continue };
                // The last of `below` is the ply nearest to this node.
                let on_path = below.iter().rev().find(|(played, _)| *played == mv);
                let (visits, wins) = match on_path {
                    Some((_, by)) if *by == mover => {
                        (playouts as u32, half_wins[mover.index()] as u32)
                    }
                    Some(_) => continue,
                    None => {
                        let slot = Amaf::slot(point, mover);
                        (amaf.visits[slot], amaf.half_wins[slot])
                    }
                };
                self.add_amaf(child, visits, wins);
            }
            below.push((self.move_into(node), self.mover(node)));
        }
    }

    fn add_amaf(&mut self, child: NodeId, visits: u32, half_wins: u32) {
        let slot = child.index();
        if self.amaf_half_wins[slot] > u32::MAX / 2 {
            // RAVE's weight is long nil by then; halving keeps the value and the bound.
            self.amaf_visits[slot] /= 2;
            self.amaf_half_wins[slot] /= 2;
        }
        self.amaf_visits[slot] += visits;
        self.amaf_half_wins[slot] += half_wins;
    }
}

/// Twice the wins plus the draws, for each side.
fn half_wins(counts: &Counts) -> [u64; 2] {
    let (wins, draws, losses) =
        (u64::from(counts.wins), u64::from(counts.draws), u64::from(counts.losses));
    [2 * wins + draws, 2 * losses + draws]
}
