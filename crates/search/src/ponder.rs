//! Searches on the opponent's time, and what came of them.
//!
//! The root is then the opponent's node. The tree itself finds out which replies are likely: what is good
//! for the opponent gets visits, as in any search. Nothing is guessed outright.
//!
//! # Source
//! S3: only the likely replies are searched; what was spent on the reply that comes is kept.

use std::num::NonZeroU32;

use banyan_games::{Color, Move};

use crate::tree::answer::{Candidate, FinalMove};
use crate::tree::proof::Proof;
use crate::tree::{NodeId, Tree};

/// Visits a child of the root has on the average before the likely ones are told from the others.
const VISITS_PER_REPLY: u64 = 8;

/// One of so many descents begins with that of the likeliest few that has the fewest visits.
const FLOOR_EVERY: u64 = 16;

/// These are the likeliest few.
const FLOOR_REPLIES: usize = 4;

/// The replies that a search on the opponent's time is about: all at first, then the likely ones.
#[derive(Clone, Debug)]
pub struct Replies {
    top: usize,
    side: Color,
    /// The likely ones, most visits first, once they are known.
    likely: Option<Vec<Move>>,
}

impl Replies {
    /// Nothing is known yet.
    ///
    /// - `top`: so many replies are searched.
    /// - `side`: the opponent, whose replies they are.
    pub fn new(top: NonZeroU32, side: Color) -> Replies {
        Replies { top: top.get() as usize, side, likely: None }
    }

    /// The child of the root that the next descent begins with; nothing where the tree shall choose.
    ///
    /// As soon as the root has visits enough, only the likely replies are allowed there.
    ///
    /// - `nth`: descents of this search so far.
    pub fn next(&mut self, tree: &mut Tree, nth: u64) -> Option<NodeId> {
        let root = tree.root();
        let Some(likely) = &self.likely else {
            let replies = tree.children(root).count() as u64;
            if replies > 0 && tree.visits(root) >= VISITS_PER_REPLY * replies {
                let likely = likely(&tree.candidates(FinalMove::Visits), self.top);
                tree.allow_at_root(self.side, &likely);
                self.likely = Some(likely);
            }
            return None;
        };
        if !nth.is_multiple_of(FLOOR_EVERY) {
            return None;
        }
        let few = likely.iter().take(FLOOR_REPLIES).filter_map(|&mv| tree.child(root, mv));
        few.filter(|&reply| tree.proof(reply) == Proof::Open)
            .min_by_key(|&reply| tree.visits(reply) + u64::from(tree.unobserved(reply)))
    }
}

/// The `top` replies with most visits, and before visits with the strongest prior.
fn likely(candidates: &[Candidate], top: usize) -> Vec<Move> {
    let mut ranked: Vec<&Candidate> = candidates.iter().collect();
    ranked.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
    ranked.into_iter().take(top).map(|candidate| candidate.mv).collect()
}

/// Worth of a search on the opponent's time when the reply came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foresight {
    /// Among the replies that were searched, from 1 for the one with most visits; nothing when the
    /// reply was not foreseen.
    pub rank: Option<usize>,
    /// Playouts of that search.
    pub spent: u64,
    /// Those of them that went to the reply.
    pub kept: u64,
}

impl Foresight {
    /// Compares how the replies stood before and after with the reply that came.
    ///
    /// - `before`, `after`: the candidates at the opponent's node, best first.
    pub fn new(before: &[Candidate], after: &[Candidate], reply: Move) -> Foresight {
        let visits = |candidates: &[Candidate], mv| {
            candidates.iter().find(|candidate| candidate.mv == mv).map_or(0, |found| found.visits)
        };
        let spent = |after: &Candidate| after.visits.saturating_sub(visits(before, after.mv));
        let mut ranked: Vec<&Candidate> = after.iter().filter(|reply| reply.visits > 0).collect();
        ranked.sort_by_key(|reply| std::cmp::Reverse(reply.visits));
        let rank = ranked.iter().position(|candidate| candidate.mv == reply);
        Foresight {
            rank: rank.map(|index| index + 1),
            spent: after.iter().map(spent).sum(),
            kept: rank.map_or(0, |index| spent(ranked[index])),
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Game, Kind};

    use super::*;
    use crate::parameters::Parameters;
    use crate::tree::descend::Descent;

    fn candidate(point: usize, visits: u64) -> Candidate {
        Candidate { mv: Move::point(point), visits, value: 0.5, prior: 0.1, proof: Proof::Open }
    }

    #[test]
    fn the_likely_replies_have_most_visits_and_then_the_strongest_prior() {
        let strong = Candidate { prior: 0.4, ..candidate(3, 0) };
        let all = [candidate(1, 5), candidate(2, 0), strong, candidate(4, 9)];
        assert_eq!(likely(&all, 3), [4, 1, 3].map(Move::point));
        assert_eq!(likely(&all, 9).len(), 4);
    }

    #[test]
    fn a_reply_that_was_foreseen_keeps_what_was_spent_on_it() {
        let before = [candidate(1, 100), candidate(2, 50), candidate(3, 10)];
        let after = [candidate(2, 650), candidate(1, 400)];
        let foresight = |point| Foresight::new(&before, &after, Move::point(point));
        assert_eq!(foresight(1), Foresight { rank: Some(2), spent: 900, kept: 300 });
        assert_eq!(foresight(2), Foresight { rank: Some(1), spent: 900, kept: 600 });
        assert_eq!(foresight(3), Foresight { rank: None, spent: 900, kept: 0 });
    }

    /// Ponders on an empty board of 25 points by made-up playouts that Black wins.
    fn pondered(descents: u64) -> Tree {
        let rules = GoRules::new(5, 15).expect("a size of Go");
        let position = Go::new(&rules);
        // Without priors, which would lead made-up playouts down a single line to the end of the game.
        let parameters = Parameters { prior_visits: 0.0, ..Parameters::of(Kind::Go) };
        let mut tree = Tree::new(parameters, 1, 1 << 22, Color::White);
        tree.expand_root(&position);
        let mut replies = Replies::new(NonZeroU32::new(6).expect("not 0"), Color::Black);
        for nth in 0..descents {
            let mut leaf = position.clone();
            let descent = match replies.next(&mut tree, nth) {
                Some(reply) => tree.descend_through(reply, &mut leaf, 0),
                None => tree.descend(&mut leaf, 0),
            };
            let Descent::Leaf(path) = descent else { panic!("the game has hardly begun") };
            let counts = banyan_games::Counts { wins: 1, ..Default::default() };
            tree.merge(&path, &counts);
        }
        tree
    }

    #[test]
    fn the_others_get_nothing_once_the_likely_replies_are_known() {
        let (early, late) = (pondered(250), pondered(2_000));
        assert_eq!(early.candidates(FinalMove::Visits).len(), 6);
        let visits = |tree: &Tree, mv| tree.visits(tree.child(tree.root(), mv).expect("a child"));
        let allowed: Vec<Move> =
            late.candidates(FinalMove::Visits).iter().map(|reply| reply.mv).collect();
        for child in late.children(late.root()) {
            let mv = late.move_into(child);
            if !allowed.contains(&mv) {
                assert_eq!(visits(&late, mv), visits(&early, mv), "{mv:?}");
            }
        }
    }

    #[test]
    fn each_of_the_likeliest_few_has_a_floor() {
        let tree = pondered(4_000);
        let replies = tree.candidates(FinalMove::Visits);
        let floor = 4_000 / FLOOR_EVERY / FLOOR_REPLIES as u64 / 2;
        assert!(replies[..FLOOR_REPLIES].iter().all(|reply| reply.visits >= floor), "{replies:?}");
    }
}
