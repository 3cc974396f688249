//! A search as a pure state machine: batches come out, tallies go in.
//!
//! No thread, no clock, no channel: [`crate::search_thread`] gives it those, the simulation tests others.

pub mod progress;

mod claims;

mod merged;
mod planned;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod tests_judged;

use std::collections::{BTreeMap, BTreeSet};

use banyan_games::counts::Asked;
use banyan_games::rng::mix;
use banyan_games::{Move, Outcome};
use banyan_jobs::{
    Batch, BatchId, ClusterCapacity, Evaluate, Grow, Job, Playouts, RootId, Spread, Tally,
    WorkerId, limits,
};
pub use banyan_jobs::{Plan, Sums};
use banyan_search::Searchable;
use banyan_search::ponder::Replies;
use banyan_search::{Descent, Path, Proof, Tree, Word, leaf};

use crate::sizing::{self, Allowed, Size};
pub use claims::{Claim, Finding};
use merged::Merged;
pub use merged::MergedTallies;
use planned::Planned;

/// A tree of which a liar has said this part, and nobody knows where, is not gone on with.
const LIES_SHARE_MAX: u64 = 32;
/// This part of a limited number of playouts may be in flight, or two batches a thread: what is in flight costs
/// strength, and only time could make up for it. Source: docs/experiments/cluster.md.
const PLANNED_SHARE: u64 = 512;

/// The result of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub enum Iteration {
    /// A batch to be played out.
    Batch(Batch),
    /// The descent met the end of a game, which was counted on the spot.
    Counted,
    /// The descent ended where another one waits for a judgement: until something comes, so would the next.
    Awaited,
    /// Every playout of the plan is made, or the root is proven.
    Complete,
}

/// One search from one root.
#[derive(Debug)]
pub struct Search<G> {
    /// The tree that grows.
    pub tree: Tree,
    root: RootId,
    position: G,
    plan: Plan,
    /// Batches in flight, by number.
    flights: BTreeMap<u64, Flight>,
    /// Tallies that came before their turn.
    early: BTreeMap<u64, Sent>,
    /// Workers whose tallies are taken back, also those that wait for their turn.
    liars: BTreeSet<WorkerId>,
    merged: MergedTallies,
    replies: Option<Replies>,
    /// The root's visits, where they are few and planned.
    planned: Planned,
    /// Number of this search's first batch. A session's numbers never repeat, so that a late tally
    /// of an earlier search cannot be taken for one of this.
    first_number: u64,
    next_number: u64,
    /// Playouts made: counted or in flight.
    made: u64,
    in_flight: u32,
    /// Judgements beside playouts in flight.
    judging: u32,
    /// The path of the next of them.
    asking: Option<Path>,
    capacity: ClusterCapacity,
    /// Size of the last batch made.
    size: Size,
    sums: Sums,
    /// A claim is being looked into.
    is_making_sure: bool,
    /// Playouts that claims have taken.
    made_sure: u64,
}

/// A tally, and whose it is where it may have to be taken back.
#[derive(Debug)]
struct Sent {
    from: Option<WorkerId>,
    tally: Tally,
}

#[derive(Debug)]
struct Flight {
    path: Path,
    /// Nodes of the path when it was made; compaction may fold its end away.
    nodes: usize,
    /// Visits that its answer is worth; none for a judgement beside playouts.
    playouts: u32,
    /// Source of what the batch says is known.
    word: Word,
    /// The batch itself, where a process that goes on with the search has to see it again.
    batch: Option<Batch>,
}

impl<G: Searchable> Search<G> {
    /// A search of `position`, which must be the tree's root. Its batches are numbered from
    /// `first_number`.
    pub fn new(
        mut tree: Tree,
        root: RootId,
        position: G,
        plan: Plan,
        first_number: u64,
    ) -> Search<G> {
        // A short search is not held up by it.
        tree.set_life_and_death_priors(&position, plan.playouts_max.unwrap_or(u64::MAX));
        let ownership = vec![0; position.size().area()];
        let replies = plan.replies.map(|top| Replies::new(top, position.side_to_move()));
        Search {
            tree,
            root,
            position,
            plan,
            flights: BTreeMap::new(),
            early: BTreeMap::new(),
            liars: BTreeSet::new(),
            merged: MergedTallies::default(),
            replies,
            planned: Planned::default(),
            first_number,
            next_number: first_number,
            made: 0,
            in_flight: 0,
            judging: 0,
            asking: None,
            capacity: ClusterCapacity::default(),
            size: Size::leaf_parallel(1),
            sums: Sums { ownership, ..Sums::default() },
            is_making_sure: false,
            made_sure: 0,
        }
    }

    /// Playouts in flight.
    pub fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Sums so far.
    pub fn sums(&self) -> &Sums {
        &self.sums
    }

    /// Notes what is measured of the cluster, which decides about batches that are not fixed. Where
    /// arrival decides nothing, neither does this.
    pub fn set_capacity(&mut self, capacity: ClusterCapacity) {
        if !self.plan.in_order {
            self.capacity = capacity;
        }
    }

    /// Tells whether one more batch may be in flight, as far as plan and tree are concerned and when the
    /// cluster can hold `cluster_window` playouts.
    pub fn has_room(&self, cluster_window: u32) -> bool {
        match self.plan.window {
            Some(_) => {
                let next = self.next_size().playouts;
                self.in_flight == 0 || self.in_flight + next <= self.window()
            }
            None => self.in_flight < cluster_window.min(self.window()),
        }
    }

    /// Playouts that may be in flight: more as the tree grows, and never more than planned. Where
    /// arrival decides nothing, always as planned.
    fn window(&self) -> u32 {
        let tree_window = self.tree_window();
        match self.plan.window {
            Some(window) if self.plan.in_order => window,
            Some(window) => window.min(tree_window),
            None => tree_window.min(self.planned_window()),
        }
    }

    /// Playouts that the tree allows in flight at its present size. Evaluations are so few that what is in
    /// flight needlessly costs strength: two a thread, until the tree is large.
    fn tree_window(&self) -> u32 {
        let parameters = self.tree.parameters();
        match self.tree.is_all_judged() {
            true => {
                let share = self.root_visits() as f64 * f64::from(parameters.in_flight_share);
                (2 * self.capacity.judges.max(1)).max(share as u32)
            }
            false => parameters.in_flight_max(self.root_visits()),
        }
    }

    /// Playouts that may be in flight where their number is limited and the window is not fixed.
    fn planned_window(&self) -> u32 {
        let Some(playouts) = self.plan.playouts_max else { return u32::MAX };
        let share = u32::try_from(playouts / PLANNED_SHARE).unwrap_or(u32::MAX);
        let batch = self.plan.sizing.playouts.unwrap_or(1);
        share.max(batch.saturating_mul(2 * self.capacity.threads.max(1)))
    }

    fn root_visits(&self) -> u64 {
        self.tree.visits(self.tree.root())
    }

    /// The batch that the next iteration makes.
    fn next_size(&self) -> Size {
        let subtree = self.tree.parameters().grown_max(self.root_visits());
        let points = if G::TERRITORY { self.position.size().area() as u32 } else { 0 };
        let board = sizing::board_scale(points);
        let allowed = Allowed { in_flight: self.window(), subtree, board };
        if self.tree.is_all_judged() {
            return allowed.next_judged(self.plan.sizing, &self.capacity, self.size);
        }
        allowed.next(self.plan.sizing, &self.capacity, self.size)
    }

    /// Tells whether there is nothing left to do: all made, none in flight.
    pub fn is_finished(&self) -> bool {
        self.flights.is_empty() && self.is_complete()
    }

    /// Tells whether no further batch will be made.
    fn is_complete(&self) -> bool {
        let all_made = self.plan.playouts_max.is_some_and(|max| self.made >= max);
        all_made || self.tree.proof(self.tree.root()) != Proof::Open
    }

    /// Walks to a leaf and makes a batch of it.
    pub fn iterate(&mut self) -> Iteration {
        if self.is_complete() || self.flights.len() >= limits::BATCHES_IN_FLIGHT_MAX {
            return Iteration::Complete;
        }
        if let Some(path) = self.asking.take() {
            self.judging += 1;
            let job = Job::Evaluate(Evaluate { ownership: false });
            return Iteration::Batch(self.batch(path, (job, Word::Own)));
        }
        if self.tree.is_full() {
            self.tree.compact(self.flights.values_mut().map(|flight| &mut flight.path));
        }
        self.size = self.next_size();
        let (descent, position) = self.descend();
        match descent {
            Descent::Ended(path, outcome) => self.count_ended(path, outcome),
            Descent::Leaf(path) if self.tree.is_all_judged() && self.tree.is_awaited(&path) => {
                self.planned.again();
                Iteration::Awaited
            }
            Descent::Leaf(path) => {
                // Of the root moves are wanted.
                let known = if path.len() > 1 { self.proven(&position) } else { None };
                if let Some(outcome) = known {
                    return self.count_ended(path, outcome);
                }
                self.ask_judgement(&path);
                Iteration::Batch(self.send_off(path))
            }
        }
    }

    /// Proves the outcome of a leaf to be judged, where a short search can: cheaper than a judgement, and surer.
    fn proven(&self, position: &G) -> Option<Outcome> {
        let nodes_max = u64::from(self.tree.parameters().proof_nodes);
        let is_judged = self.tree.is_all_judged() && !self.size.is_subtree;
        (is_judged && nodes_max > 0).then(|| position.proven(nodes_max)).flatten()
    }

    /// Notes a node on the way that is worth a judgement beside playouts: its batch is the next to be made,
    /// since batches go out in the order of their numbers.
    fn ask_judgement(&mut self, path: &Path) {
        let is_mixed = self.tree.parameters().lambda > 0.0 && !self.tree.is_all_judged();
        if !is_mixed || self.judging >= self.judging_max() {
            return;
        }
        self.asking = self.tree.ask_judgement(path);
    }

    /// Judgements beside playouts that may be in flight: enough that nobody waits for the way.
    fn judging_max(&self) -> u32 {
        2 * self.capacity.judges.max(1)
    }

    fn descend(&mut self) -> (Descent, G) {
        let mut position = self.position.clone();
        let visits_min = self.visits_min();
        let nth = self.next_number - self.first_number;
        let reply = self.replies.as_mut().and_then(|replies| replies.next(&mut self.tree, nth));
        let left = self.plan.playouts_max.map(|max| max.saturating_sub(self.made));
        let left = left.filter(|_| !self.plan.in_order && self.replies.is_none());
        let descent = match reply.or_else(|| self.planned.next(&self.tree, left)) {
            Some(reply) => self.tree.descend_through(reply, &mut position, visits_min),
            None => self.tree.descend(&mut position, visits_min),
        };
        (descent, position)
    }

    /// A node with few visits for the playouts of a subtree batch is its leaf: a private tree spreads them
    /// better than descents here could.
    fn visits_min(&self) -> u64 {
        match self.size.is_subtree {
            true => u64::from(self.size.playouts) * u64::from(self.tree.parameters().subtree_leaf),
            false => 0,
        }
    }

    /// The job of a batch of the last size at the end of `path`, and whose word it is what that says is known.
    fn job(&self, path: &Path, playouts: Playouts) -> (Job, Word) {
        let judged = self.tree.is_all_judged();
        if judged && !self.size.is_subtree {
            let ownership = playouts.asked.ownership;
            return (Job::Evaluate(Evaluate { ownership }), Word::Own);
        }
        let asked = Asked { amaf: playouts.asked.amaf && !judged, ..playouts.asked };
        let playouts = Playouts { asked, ..playouts };
        let Some(&leaf) = path.last().filter(|_| self.size.is_subtree) else {
            return (Job::LeafParallel(playouts), Word::Own);
        };
        let (grow, word) = Grow::below(&self.tree, leaf, playouts);
        // The last batch of a search may be a part of one, and reports as the others do.
        let floor = Grow::floor_of(self.size.playouts, grow.judged);
        let spread = self.spread(playouts.count);
        (Job::Subtree(Grow { floor, spread, ..grow }), word)
    }

    /// Plans the spread of a private tree of so many playouts, where workers have threads that each work at a part:
    /// not where the same must come out whoever is there.
    fn spread(&self, playouts: u32) -> Option<Spread> {
        if self.plan.in_order { None } else { sizing::spread(&self.capacity, playouts) }
    }

    fn count_ended(&mut self, path: Path, outcome: Outcome) -> Iteration {
        self.tree.merge_outcome(&path, outcome);
        if let Some(&leaf) = path.last() {
            self.tree.prove(&path, Proof::of(outcome, self.tree.mover(leaf)));
        }
        self.made += 1;
        self.sums.playouts += 1;
        if let Some(mv) = self.scored(&path) {
            self.sums.add_score(mv, 1, outcome.margin.0.into());
        }
        self.complete_along(path);
        Iteration::Counted
    }

    /// Gives nodes of a path the children that were left out of them, where these are due.
    fn complete_along(&mut self, path: Path) {
        let flights = &mut self.flights;
        self.tree.complete_along(path, |moved| {
            flights.values_mut().for_each(|flight| moved.keep(&mut flight.path));
        });
    }

    fn send_off(&mut self, path: Path) -> Batch {
        let left = self.plan.playouts_max.map_or(u64::MAX, |max| max - self.made);
        let count = u64::from(self.size.playouts).min(left) as u32;
        let job = self.job(&path, self.playouts(self.next_number - self.first_number, count));
        self.batch(path, job)
    }

    /// Puts a job in flight.
    ///
    /// - `word`: whose it is what the job says is known.
    fn batch(&mut self, path: Path, (job, word): (Job, Word)) -> Batch {
        let (number, count) = (self.next_number, self.visits_of(&job));
        let moves: Vec<Move> = path[1..].iter().map(|&node| self.tree.move_into(node)).collect();
        self.tree.add_virtual_loss(&path, count);
        self.next_number += 1;
        self.made += u64::from(count);
        self.in_flight += count;
        let id = BatchId::new(self.root.session, number);
        let batch = Batch { id, root: self.root, path: moves, job };
        let kept = self.plan.in_order.then(|| batch.clone());
        self.flights
            .insert(number, Flight { nodes: path.len(), path, playouts: count, word, batch: kept });
        batch
    }

    /// Visits that a job's answer is worth: a judgement beside playouts is none.
    fn visits_of(&self, job: &Job) -> u32 {
        match job {
            Job::Evaluate(_) if !self.tree.is_all_judged() => 0,
            job => job.cost(),
        }
    }

    /// The playouts of the `nth` batch of this search, so many.
    fn playouts(&self, nth: u64, count: u32) -> Playouts {
        let every = self.plan.ownership_every;
        Playouts {
            count,
            policy: self.plan.policy,
            seed: mix(self.plan.seed ^ mix(nth)),
            asked: Asked {
                amaf: leaf::counts_amaf::<G>(self.tree.parameters()),
                ownership: every > 0 && nth.is_multiple_of(every),
            },
        }
    }

    /// Merges a tally, or keeps it until its turn where order matters.
    ///
    /// - `from`: the worker that sent it, if its word may be doubted later.
    ///
    /// A tally of a batch that is not in flight here, or one that counts nothing, changes nothing and
    /// returns false.
    pub fn take(&mut self, from: Option<WorkerId>, tally: Tally) -> bool {
        let number = tally.batch.number();
        let is_own = tally.batch.session() == self.root.session;
        let has_news = tally.answer.counts().is_some() || tally.answer.judged().is_some();
        if !is_own || !self.flights.contains_key(&number) || !has_news {
            return false;
        }
        if self.plan.in_order {
            self.early.insert(number, Sent { from, tally });
            return true;
        }
        self.merge(Sent { from, tally });
        true
    }

    /// Merges the tally whose turn it is, if it is here. Only in a search that merges in order.
    pub fn merge_next(&mut self) -> bool {
        let Some((&number, _)) = self.flights.first_key_value() else { return false };
        let Some(sent) = self.early.remove(&number) else { return false };
        let from = sent.from;
        self.merge(sent);
        // What a liar sent early comes out again at once: its batch is made up for.
        if let Some(liar) = from.filter(|from| self.liars.contains(from)) {
            self.take_back(liar);
        }
        // What is made sure of when would depend on whoever does it elsewhere.
        while let Some(claim) = self.claim() {
            self.settle(claim.look_into());
        }
        true
    }

    fn merge(&mut self, Sent { from, tally }: Sent) {
        let Some(flight) = self.flights.remove(&tally.batch.number()) else { return };
        self.land(&flight);
        let fresh = flight.path.last().is_some_and(|&leaf| !self.tree.is_expanded(leaf));
        let is_whole = flight.path.len() == flight.nodes;
        match (tally.answer.counts(), tally.answer.subtree()) {
            (Some(counts), Some(grown)) if self.tree.is_all_judged() => {
                self.tree.merge_judged_sum(&flight.path, counts.playouts(), grown.leaf_judged);
            }
            (Some(counts), _) => self.tree.merge(&flight.path, counts),
            (None, _) => {}
        }
        let subtree = tally.answer.subtree().filter(|_| is_whole);
        if let Some(grown) = subtree {
            // Where order matters the tree is the same whoever played: everybody's word is made sure of.
            let is_claim = from.is_some() || self.plan.in_order;
            let word = if is_claim { Word::Peer } else { flight.word };
            self.tree.merge_subtree(&flight.path, grown, fresh, word);
        }
        match tally.answer.judged() {
            Some(judgement) if is_whole => self.tree.merge_judgement(&flight.path, judgement),
            // Its leaf was folded; the policy was that one's.
            Some(judgement) => self.tree.merge_judged_value(&flight.path, judgement),
            None => {}
        }
        self.add_to_sums(&tally, self.scored(&flight.path), 1);
        if let Some(from) = from {
            let moves = flight.path[1..].iter().map(|&node| self.tree.move_into(node)).collect();
            let with_subtree = subtree.is_some();
            self.merged.keep(Merged { from, moves, fresh, with_subtree, tally });
        }
        self.complete_along(flight.path);
    }

    /// Takes back what a worker sent, and the search makes up for it. Where too much of that is not known
    /// any more it begins anew: better no tree than one of lies.
    pub fn take_back(&mut self, from: WorkerId) {
        self.liars.insert(from);
        if self.merged.forgotten(from) > self.root_visits() / LIES_SHARE_MAX {
            return self.begin_anew();
        }
        for Merged { moves, fresh, with_subtree, tally, .. } in self.merged.take(from) {
            let path = self.tree.path_of(&moves);
            // What was folded meanwhile has lost its children and what they counted.
            let fresh = fresh || path.len() <= moves.len();
            match (tally.answer.counts(), tally.answer.subtree()) {
                (Some(counts), Some(grown)) if self.tree.is_all_judged() => {
                    self.tree.unmerge_judged_sum(&path, counts.playouts(), grown.leaf_judged);
                }
                (Some(counts), _) => self.tree.unmerge(&path, counts, fresh),
                (None, _) => {}
            }
            if let Some(judgement) = tally.answer.judged() {
                self.tree.unmerge_judgement(&path, judgement);
            }
            if let Some(grown) = tally.answer.subtree().filter(|_| with_subtree) {
                self.tree.unmerge_subtree(&path, grown, fresh);
            }
            let visits =
                self.add_to_sums(&tally, moves.first().copied().filter(|_| G::TERRITORY), -1);
            self.made = self.made.saturating_sub(u64::from(visits));
        }
    }

    /// Nothing that was counted so far is left; what is in flight counts when it comes.
    fn begin_anew(&mut self) {
        self.tree.begin_anew();
        let root = vec![self.tree.root()];
        for flight in self.flights.values_mut() {
            flight.path.clone_from(&root);
            self.tree.add_virtual_loss(&root, flight.playouts);
        }
        let taken_back = self.sums.taken_back + self.sums.playouts;
        let ownership = vec![0; self.position.size().area()];
        self.sums = Sums { ownership, taken_back, ..Sums::default() };
        self.made = u64::from(self.in_flight);
        self.merged = MergedTallies::default();
        (self.replies, self.asking) = (None, None);
        self.planned = Planned::default();
    }

    /// Adds a tally to the search's own sums, or takes it out; returns its visits. A judgement beside
    /// playouts is none.
    fn add_to_sums(&mut self, tally: &Tally, scored: Option<Move>, sign: i64) -> u32 {
        if tally.answer.judged().is_some() && !self.tree.is_all_judged() {
            return 0;
        }
        self.sums.add(tally, scored, self.tree.is_all_judged(), sign);
        tally.answer.work()
    }

    /// The root's move whose score playouts at the end of a path count for: in games of territory by how
    /// much one wins says something.
    fn scored(&self, path: &Path) -> Option<Move> {
        let child = *path.get(1).filter(|_| G::TERRITORY)?;
        Some(self.tree.move_into(child))
    }

    fn land(&mut self, flight: &Flight) {
        self.tree.remove_virtual_loss(&flight.path, flight.playouts);
        self.in_flight -= flight.playouts;
        if flight.playouts == 0 {
            self.judging -= 1;
        }
    }

    /// The position at the root, with the side to move that was asked for.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Ends the search: takes everything in flight off and gives the tree back.
    pub fn end(mut self) -> (Tree, Sums) {
        if let Some(path) = self.asking.take() {
            self.tree.forget_asking(&path);
        }
        while let Some((_, flight)) = self.flights.pop_first() {
            self.land(&flight);
            if flight.playouts == 0 {
                self.tree.forget_asking(&flight.path);
            }
        }
        debug_assert_eq!(self.tree.unobserved(self.tree.root()), 0);
        (self.tree, self.sums)
    }

    /// Hands over what may have to be taken back of the tree, to whoever goes on with it.
    pub fn take_merged(&mut self) -> MergedTallies {
        std::mem::take(&mut self.merged)
    }

    /// Goes on with a tree in which these tallies are.
    pub fn with_merged(self, merged: MergedTallies) -> Search<G> {
        Search { merged, ..self }
    }

    /// The number that the next search's first batch should have.
    pub fn next_number(&self) -> u64 {
        self.next_number
    }
}
