//! Work of another coordinator's that a cluster holds, and what each message means for it.
//!
//! Batches go on as they are, under names of this cluster's own; of one that is to be spread, its parts do. Each
//! root of that coordinator's is a session here.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use banyan_jobs::{
    Answer, Batch, BatchId, Claim, Epoch, Evaluators, FromWorker, Growing, Lender, ModelDigest,
    ModelFiles, Offer, Part, Prepared, Root, RootId, SessionId, Spreading, Tally, ToSearch,
    ToWorker, WorkerId, Workspace, limits,
};

/// Messages to the thread that owns the work. At most one message waits for each batch that is held or lent
/// on, both of which have limits, and a few windows.
pub(super) enum Heard {
    /// From the coordinator.
    Above(ToWorker),
    /// From this cluster, about the session of one of that coordinator's roots.
    Below(SessionId, ToSearch),
    /// These are the evaluators from now on, some of which came in these files. Who is offered them tells its
    /// roots anew.
    Models(Evaluators, ModelFiles),
    /// The connection to that coordinator is gone.
    Alone,
    /// Nothing more comes.
    End,
}

/// The work of another coordinator's.
pub(super) struct Work {
    lender: Arc<dyn Lender>,
    evaluators: Evaluators,
    /// Channel for this cluster's messages.
    heard: Sender<Heard>,
    /// By the names that the coordinator gave them.
    roots: BTreeMap<RootId, Held>,
    /// Taken in and not answered.
    taken: BTreeMap<BatchId, Taken>,
    /// Work that is lent on, by this cluster's names: of which batch, and which part of it.
    lent: HashMap<BatchId, (BatchId, u64)>,
    /// Batches that were answered or given up since somebody asked.
    ended: usize,
    answers: Vec<FromWorker>,
    /// Room for trees.
    space: Workspace,
}

/// A root that batches come from.
struct Held {
    /// By the name that it has here.
    root: RootId,
    /// The evaluator that it names, where that is here.
    evaluator: Option<ModelDigest>,
    /// Nothing where it is no position.
    prepared: Result<Prepared, String>,
    next_number: u64,
}

/// A batch.
struct Taken {
    batch: Arc<Batch>,
    /// Parts of it, or all of it, under the names that they have here.
    lent: BTreeSet<BatchId>,
    /// Its growth so far; nothing where it is lent on whole.
    spread: Option<Spread>,
}

/// A batch that is spread.
struct Spread {
    spreading: Box<dyn Spreading>,
    /// Parts made, and merged.
    made: u64,
    merged: u64,
    /// Answers before their turn.
    early: BTreeMap<u64, Answer>,
    /// Workers of whose word it is made, where that may be doubted.
    by: BTreeSet<WorkerId>,
}

impl Spread {
    fn new(spreading: Box<dyn Spreading>) -> Spread {
        let (early, by) = (BTreeMap::new(), BTreeSet::new());
        Spread { spreading, made: 0, merged: 0, early, by }
    }

    /// Parts that can be lent now.
    fn next_parts(&mut self) -> Vec<(u64, Part)> {
        let mut parts = Vec::new();
        while let Some(part) = self.spreading.next() {
            parts.push((self.made, part));
            self.made += 1;
        }
        parts
    }

    /// Merges the answer whose turn it is, if it is here.
    fn merge_next(&mut self) -> bool {
        let Some(answer) = self.early.remove(&self.merged) else { return false };
        self.spreading.merge(&answer);
        self.merged += 1;
        true
    }
}

impl Work {
    /// Nothing held.
    ///
    /// - `heard`: where messages of this cluster go.
    pub(super) fn new(
        lender: impl Lender + 'static,
        evaluators: Evaluators,
        heard: Sender<Heard>,
    ) -> Work {
        Work {
            lender: Arc::new(lender),
            evaluators,
            heard,
            roots: BTreeMap::new(),
            taken: BTreeMap::new(),
            lent: HashMap::new(),
            ended: 0,
            answers: Vec::new(),
            space: Workspace::default(),
        }
    }

    /// Does what was heard, and returns what is to be answered.
    pub(super) fn hear(&mut self, heard: Heard) -> Vec<FromWorker> {
        match heard {
            Heard::Above(ToWorker::Root(root)) => self.open(&root),
            Heard::Above(ToWorker::Lend(lent)) => {
                lent.into_iter().for_each(|lent| self.take(lent.batch));
            }
            Heard::Above(ToWorker::Drop(batches)) => {
                batches.into_iter().for_each(|batch| self.give_up(batch));
            }
            Heard::Above(ToWorker::Forget(root)) => self.forget(root),
            // The rest is the link's, or of models, which its owner looks after.
            Heard::Above(_) | Heard::End => {}
            Heard::Models(evaluators, _) => {
                self.answers.push(FromWorker::Offers(Offer::all(&evaluators)));
                self.evaluators = evaluators;
            }
            Heard::Below(_, ToSearch::Tallies(from, tallies)) => {
                tallies.into_iter().for_each(|tally| self.merge(from, tally));
            }
            Heard::Below(session, ToSearch::TakeBack(liar)) => self.grow_anew(session, liar),
            Heard::Below(_, ToSearch::Capacity(_) | ToSearch::Settled(_)) => {}
            Heard::Alone => {
                let last = self.roots.keys().copied().collect::<Vec<_>>();
                last.into_iter().for_each(|root| self.close(root));
            }
        }
        std::mem::take(&mut self.answers)
    }

    /// Batches that were answered or given up since the last call.
    pub(super) fn take_ended(&mut self) -> usize {
        std::mem::take(&mut self.ended)
    }

    fn open(&mut self, root: &Root) {
        // A model that is not here is named to nobody: who works here would ask for it in vain.
        let evaluator = root.growing.evaluator.filter(|&named| self.evaluators.has(named));
        if self.roots.get(&root.id).is_some_and(|held| held.evaluator == evaluator) {
            return;
        }
        // Told again, as its model has come: what is held of it begins anew.
        let again = self.empty(root.id);
        let session = self.lender.new_session();
        let id = RootId { session, epoch: Epoch::default() };
        let here = Root { id, growing: Growing { evaluator, ..root.growing }, ..root.clone() };
        let prepared = Prepared::with(&here, &self.evaluators).map_err(|why| why.to_string());
        if prepared.is_ok() {
            let heard = self.heard.clone();
            let post = move |message| drop(heard.send(Heard::Below(session, message)));
            let claim = Claim { is_lent_on: true, ..Claim::default() };
            self.lender.open(Arc::new(here), claim, Box::new(post));
        }
        self.roots.insert(root.id, Held { root: id, evaluator, prepared, next_number: 0 });
        again.into_iter().for_each(|batch| self.take(batch));
        while self.roots.len() > limits::ROOTS_LENT_ON_MAX {
            let Some((&oldest, _)) = self.roots.first_key_value() else { break };
            self.close(oldest);
        }
    }

    fn take(&mut self, batch: Arc<Batch>) {
        let id = batch.id;
        // Lent again: the first answer does.
        if self.taken.contains_key(&id) {
            self.ended += 1;
            return;
        }
        let spread = match self.begin(&batch) {
            Ok(spread) => spread,
            Err(why) => {
                self.ended += 1;
                self.answers.push(FromWorker::Failed(id, why));
                return;
            }
        };
        let is_whole = spread.is_none();
        self.taken.insert(id, Taken { batch: batch.clone(), lent: BTreeSet::new(), spread });
        if is_whole {
            let whole = Part { path: Vec::new(), job: batch.job.clone() };
            self.lend(id, vec![(0, whole)]);
        } else {
            self.go_on(id);
        }
    }

    /// A batch's own tree, where it is to be spread.
    fn begin(&mut self, batch: &Batch) -> Result<Option<Spread>, String> {
        let unknown = || format!("root {} is not known here", batch.root);
        let held = self.roots.get(&batch.root).ok_or_else(unknown)?;
        let prepared = held.prepared.as_ref().map_err(Clone::clone)?;
        let here = Batch { root: held.root, ..batch.clone() };
        let spreading = prepared.spread(&here, &mut self.space).map_err(|why| why.to_string())?;
        Ok(spreading.map(Spread::new))
    }

    /// Lends parts of a batch on.
    fn lend(&mut self, id: BatchId, parts: Vec<(u64, Part)>) {
        let Some(taken) = self.taken.get_mut(&id) else { return };
        let Some(held) = self.roots.get_mut(&taken.batch.root) else { return };
        let mut batches = Vec::with_capacity(parts.len());
        for (number, Part { path, job }) in parts {
            let name = BatchId::new(held.root.session, held.next_number);
            held.next_number += 1;
            taken.lent.insert(name);
            self.lent.insert(name, (id, number));
            let path = [taken.batch.path.as_slice(), &path].concat();
            batches.push(Batch { id: name, root: held.root, path, job });
        }
        if !batches.is_empty() {
            self.lender.submit(held.root.session, batches);
        }
    }

    /// Takes what came for a part, or for a whole batch.
    fn merge(&mut self, from: Option<WorkerId>, Tally { batch, answer }: Tally) {
        let Some((id, number)) = self.lent.remove(&batch) else { return };
        let Some(taken) = self.taken.get_mut(&id) else { return };
        taken.lent.remove(&batch);
        match &mut taken.spread {
            Some(spread) => {
                spread.by.extend(from);
                spread.early.insert(number, answer);
                self.go_on(id);
            }
            None => self.answer(id, answer),
        }
    }

    /// Merges what is here of a batch in its order, and lends what can be lent after each.
    fn go_on(&mut self, id: BatchId) {
        let Some(taken) = self.taken.get_mut(&id) else { return };
        let Some(spread) = &mut taken.spread else { return };
        let mut parts = spread.next_parts();
        while spread.merge_next() {
            parts.extend(spread.next_parts());
        }
        match taken.spread.take_if(|spread| spread.spreading.is_complete()) {
            Some(spread) => {
                let answer = spread.spreading.end(&mut self.space);
                self.answer(id, answer);
            }
            None => self.lend(id, parts),
        }
    }

    fn answer(&mut self, id: BatchId, answer: Answer) {
        self.taken.remove(&id);
        self.ended += 1;
        let tally = Tally { batch: id, answer };
        match self.answers.last_mut() {
            Some(FromWorker::Tallies(tallies))
                if tallies.len() < limits::TALLIES_PER_MESSAGE_MAX =>
            {
                tallies.push(tally);
            }
            _ => self.answers.push(FromWorker::Tallies(vec![tally])),
        }
    }

    /// A batch is not needed any more.
    fn give_up(&mut self, id: BatchId) {
        let Some(taken) = self.taken.remove(&id) else { return };
        self.ended += 1;
        self.call_off(taken);
    }

    fn call_off(&mut self, Taken { lent, .. }: Taken) {
        let Some(session) = lent.first().map(|batch| batch.session()) else { return };
        for batch in &lent {
            self.lent.remove(batch);
        }
        self.lender.drop_batches(session, lent.into_iter().collect());
    }

    /// A worker lied: whatever it had a part in begins anew. What was answered already the coordinator's own
    /// audits must find.
    fn grow_anew(&mut self, session: SessionId, liar: WorkerId) {
        let roots = &self.roots;
        let is_touched = |(_, taken): &(&BatchId, &Taken)| {
            let is_here = roots.get(&taken.batch.root).is_some_and(|it| it.root.session == session);
            is_here && taken.spread.as_ref().is_some_and(|spread| spread.by.contains(&liar))
        };
        let touched: Vec<BatchId> =
            self.taken.iter().filter(is_touched).map(|(&id, _)| id).collect();
        for id in touched {
            let Some(taken) = self.taken.remove(&id) else { continue };
            let batch = taken.batch.clone();
            self.call_off(taken);
            let Ok(spread) = self.begin(&batch) else { continue };
            self.taken.insert(id, Taken { batch, lent: BTreeSet::new(), spread });
            self.go_on(id);
        }
    }

    /// This root and the older ones of its session are dead.
    fn forget(&mut self, root: RootId) {
        let first = RootId { session: root.session, epoch: Epoch::default() };
        let dead: Vec<RootId> = self.roots.range(first..=root).map(|(&id, _)| id).collect();
        dead.into_iter().for_each(|root| self.close(root));
    }

    fn close(&mut self, root: RootId) {
        self.ended += self.empty(root).len();
    }

    /// Ends a root's session; returns the batches that were held of it.
    fn empty(&mut self, root: RootId) -> Vec<Arc<Batch>> {
        let Some(held) = self.roots.remove(&root) else { return Vec::new() };
        let (of_root, rest) = std::mem::take(&mut self.taken)
            .into_iter()
            .partition::<BTreeMap<_, _>, _>(|(_, taken)| taken.batch.root == root);
        self.taken = rest;
        for batch in of_root.values().flat_map(|taken| &taken.lent) {
            self.lent.remove(batch);
        }
        if held.prepared.is_ok() {
            self.lender.close(held.root.session);
        }
        of_root.into_values().map(|taken| taken.batch).collect()
    }
}

#[cfg(test)]
mod tests;
