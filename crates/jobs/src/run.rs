//! The verb: run a batch, get its tally.

use std::collections::VecDeque;
use std::sync::Arc;
use std::{fmt, iter};

use banyan_games::{Color, Counts, Leaf, Move, Rng, Rules, with_game};
use banyan_knowledge::{Evaluator, Evaluators, Judgement, Patterns, Policy};
use banyan_search::{Parameters, leaf};
use banyan_selfplay::Learned;

use crate::answer::{Answer, Tally};
use crate::grow;
use crate::grow_judged::{self, Growth};
use crate::ids::{BatchId, RootId};
use crate::job::{Batch, Grow, Job, Label, Play, Playouts, Practise, Spread, Trial};
use crate::judge::{self, Judging};
use crate::root::{Growing, Root, RootError};
use crate::solve;
use crate::spread::{Part, Spreader, Spreading};
use crate::workspace::{RunError, Workspace};

/// A root made ready to run batches from; cheap to clone and shared by threads.
#[derive(Clone)]
pub struct Prepared {
    id: RootId,
    runner: Arc<dyn Runner>,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Prepared {
    /// Plays a root's plies once, for all its batches, of which none asks an evaluator.
    ///
    /// # Errors
    /// [`RootError`] when the root is no position, or names models that are not here.
    pub fn new(root: &Root) -> Result<Prepared, RootError> {
        Prepared::with(root, &Evaluators::default())
    }

    /// Plays a root's plies once, for all its batches.
    ///
    /// - `evaluators`: those that are here.
    ///
    /// # Errors
    /// [`RootError`] when the root is no position, or names models that are not here.
    pub fn with(root: &Root, evaluators: &Evaluators) -> Result<Prepared, RootError> {
        let runner: Arc<dyn Runner> = with_game!(&root.rules, G, rules => {
            root.check_models::<G>()?;
            Arc::new(Ready::<G>::new(root, rules, evaluators)?)
        });
        Ok(Prepared { id: root.id, runner })
    }

    /// Tells which root this is.
    pub fn id(&self) -> RootId {
        self.id
    }

    /// Runs batches of this root, leaf-parallel playouts side by side; one answer each, in order.
    ///
    /// Pure: the same batch gives the same tally anywhere, in any company.
    ///
    /// Each answer may be a [`RunError`], for a batch that does not fit this root or that was dropped.
    pub fn run_all(
        &self,
        batches: &[&Batch],
        space: &mut Workspace,
    ) -> Vec<Result<Tally, RunError>> {
        self.runner.run(self.id, batches, space)
    }

    /// Begins a batch that is to be spread, for who has others run its parts; nothing where it is not.
    ///
    /// - `space`: room for its tree, which [`Spreading::end`] gives back.
    ///
    /// # Errors
    /// [`RunError`] for a batch that does not fit this root.
    pub fn spread(
        &self,
        batch: &Batch,
        space: &mut Workspace,
    ) -> Result<Option<Box<dyn Spreading>>, RunError> {
        self.runner.spread(self.id, batch, space)
    }

    /// Runs one batch, in room of its own.
    ///
    /// # Errors
    /// [`RunError`] for a batch that does not fit this root.
    pub fn run(&self, batch: &Batch) -> Result<Tally, RunError> {
        let mut answers = self.run_all(&[batch], &mut Workspace::default());
        answers.pop().expect("one answer for one batch")
    }
}

/// Hides which game a root is of.
trait Runner: Send + Sync {
    fn run(
        &self,
        root: RootId,
        batches: &[&Batch],
        space: &mut Workspace,
    ) -> Vec<Result<Tally, RunError>>;

    fn spread(
        &self,
        root: RootId,
        batch: &Batch,
        space: &mut Workspace,
    ) -> Result<Option<Box<dyn Spreading>>, RunError>;
}

struct Ready<G> {
    rules: Rules,
    /// Before the root's first ply.
    start: G,
    plies: Vec<(Color, Move)>,
    position: G,
    growing: Growing,
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    /// Tables over patterns that it names.
    patterns: Option<Patterns>,
}

impl<G: Learned> Ready<G> {
    fn new(root: &Root, rules: &G::Rules, evaluators: &Evaluators) -> Result<Self, RootError> {
        // Who has not the evaluator may still play out.
        let evaluator = root.growing.evaluator.and_then(|named| evaluators.get::<G>(named));
        let start = root.record::<G>(rules)?.start().clone();
        let position = root.position::<G>(rules)?;
        let (rules, plies, growing) = (root.rules.clone(), root.plies.clone(), root.growing);
        let patterns = root.growing.evaluator.and_then(|named| evaluators.patterns(named).cloned());
        Ok(Ready { rules, start, plies, position, growing, evaluator, patterns })
    }
}

impl<G: Learned> Runner for Ready<G> {
    fn run(
        &self,
        root: RootId,
        batches: &[&Batch],
        space: &mut Workspace,
    ) -> Vec<Result<Tally, RunError>> {
        let mut answers: Vec<Result<Tally, RunError>> = Vec::with_capacity(batches.len());
        // Leaf-parallel batches wait here for each other's company.
        let mut waiting: Vec<LeafParallel<G>> = Vec::new();
        let mut judging: Vec<Judging<G>> = Vec::new();
        let mut growing: Vec<Growth<G>> = Vec::new();
        for (index, &batch) in batches.iter().enumerate() {
            if space.dropped.contains(batch.id) {
                answers.push(Err(RunError::Dropped { batch: batch.id }));
                continue;
            }
            let leaf = match self.leaf(root, batch) {
                Ok(leaf) => leaf,
                Err(refused) => {
                    answers.push(Err(refused));
                    continue;
                }
            };
            let answer = match &batch.job {
                job if job.is_judged() && !self.judges(job) => {
                    Err(RunError::NoEvaluator { batch: batch.id })
                }
                &Job::Evaluate(asked) => {
                    judging.push(Judging { index, plies: self.plies_to(batch), leaf, asked });
                    Ok(Answer::Judged(Judgement::default()))
                }
                &Job::LeafParallel(playouts) => {
                    waiting.push(LeafParallel::new(index, leaf, playouts));
                    // Its place in the order; the counts follow.
                    Ok(Answer::Counts(Counts::default()))
                }
                Job::Subtree(job @ Grow { spread: Some(spread), .. }) => {
                    self.run_spread(batch, &leaf, (job, *spread), space)
                }
                Job::Subtree(job @ Grow { judged: true, .. }) => {
                    let leaf = (index, leaf, self.plies_to(batch));
                    growing.push(Growth::new(leaf, job, self.growing, space));
                    Ok(Answer::Counts(Counts::default()))
                }
                Job::Subtree(job) => Ok(grow::grow(&leaf, job, self.growing, space)),
                Job::Solve(subproblem) => {
                    solve::solve((&self.position, &leaf), (batch.id, *subproblem), space)
                }
                Job::Play(play) => self.play(batch.id, play, &leaf),
                Job::Try(trial) => self.try_rule(batch.id, trial),
                Job::Practise(practise) => self.practise(batch.id, practise),
                Job::Label(label) => self.label(batch, label),
            };
            answers.push(answer.map(|answer| Tally { batch: batch.id, answer }));
        }
        play_out(&mut waiting, &self.growing.parameters);
        for LeafParallel { index, counts, .. } in waiting {
            let answer = Answer::Counts(counts);
            answers[index] = Ok(Tally { batch: batches[index].id, answer });
        }
        self.judge(&judging, batches, &mut answers, space);
        self.grow_judged(growing, batches, &mut answers, space);
        answers
    }

    fn spread(
        &self,
        root: RootId,
        batch: &Batch,
        space: &mut Workspace,
    ) -> Result<Option<Box<dyn Spreading>>, RunError> {
        let leaf = self.leaf(root, batch)?;
        let Job::Subtree(job @ Grow { spread: Some(spread), .. }) = &batch.job else {
            return Ok(None);
        };
        Ok(Some(Box::new(Spreader::new(leaf, (job, *spread), self.growing, space))))
    }
}

impl<G: Learned> Ready<G> {
    /// Tells whether what a judged job is judged by is here.
    fn judges(&self, job: &Job) -> bool {
        match job {
            Job::Practise(_) | Job::Label(_) => self.patterns.is_some(),
            _ => self.evaluator.is_some(),
        }
    }

    /// Plays games of self-play on the leaf's board.
    fn play(&self, batch: BatchId, play: &Play, leaf: &G) -> Result<Answer, RunError> {
        let evaluator = self.evaluator.as_deref().filter(|_| play.judged);
        let games = banyan_selfplay::play(evaluator, u32::from(leaf.size().width), &play.wanted);
        let refused = |why| RunError::Games { batch, why: format!("{why:#}") };
        games.map(Answer::Played).map_err(refused)
    }

    /// Plays games of classical searches on the root's board.
    fn practise(&self, batch: BatchId, practise: &Practise) -> Result<Answer, RunError> {
        let patterns = self.patterns.as_ref().filter(|_| practise.judged);
        let games = banyan_selfplay::patterns::play(&self.rules, patterns, &practise.practice);
        let refused = |why| RunError::Games { batch, why: format!("{why:#}") };
        games.map(Answer::Practised).map_err(refused)
    }

    /// Takes positions of searches of the game that the path is.
    fn label(&self, batch: &Batch, label: &Label) -> Result<Answer, RunError> {
        let patterns = self.patterns.as_ref().filter(|_| label.judged);
        let asked = &label.labelling;
        let taken = banyan_selfplay::patterns::label(&self.rules, patterns, &batch.path, asked);
        let refused = |why| RunError::Games { batch: batch.id, why: format!("{why:#}") };
        taken.map(Answer::Labelled).map_err(refused)
    }

    /// Tries a rule by the root's rules.
    fn try_rule(&self, batch: BatchId, trial: &Trial) -> Result<Answer, RunError> {
        let refused = |why| RunError::Trial { batch, why: format!("{why:#}") };
        trial.run(&self.rules).map(Answer::Tried).map_err(refused)
    }

    /// Grows a tree by parts, one after the other: who has them run by others comes to the same.
    fn run_spread(
        &self,
        batch: &Batch,
        leaf: &G,
        job: (&Grow, Spread),
        space: &mut Workspace,
    ) -> Result<Answer, RunError> {
        let mut spreader = Spreader::new(leaf.clone(), job, self.growing, space);
        let mut parts = VecDeque::new();
        while !spreader.is_complete() {
            parts.extend(iter::from_fn(|| spreader.next()));
            let Some(Part { path, job }) = parts.pop_front() else { break };
            let part = Batch { path: [batch.path.as_slice(), &path].concat(), job, ..*batch };
            let [answer] = self.run(batch.root, &[&part], space).try_into().expect("one for one");
            spreader.merge(&answer?.answer);
        }
        Ok(Box::new(spreader).end(space))
    }

    /// Has all these leaves judged at once, and answers their batches.
    fn judge(
        &self,
        judging: &[Judging<G>],
        batches: &[&Batch],
        answers: &mut [Result<Tally, RunError>],
        space: &mut Workspace,
    ) {
        let Some(evaluator) = &self.evaluator else { return };
        space.evaluated.at_once(judging.len());
        let judged = judge::judge(&**evaluator, &self.start, judging);
        for (Judging { index, .. }, judged) in judging.iter().zip(judged) {
            let batch = batches[*index].id;
            let tally = |judgement| Tally { batch, answer: Answer::Judged(judgement) };
            answers[*index] = judged.map(tally).map_err(|why| RunError::Evaluator { batch, why });
        }
    }

    /// Grows private trees by the evaluator, all at once, and answers their batches.
    fn grow_judged(
        &self,
        growing: Vec<Growth<G>>,
        batches: &[&Batch],
        answers: &mut [Result<Tally, RunError>],
        space: &mut Workspace,
    ) {
        let Some(evaluator) = self.evaluator.as_ref().filter(|_| !growing.is_empty()) else {
            return;
        };
        let all: Vec<usize> = growing.iter().map(|growth| growth.index).collect();
        match grow_judged::grow(growing, &**evaluator, &self.start, space) {
            Ok(grown) => grown.into_iter().for_each(|(index, answer)| {
                answers[index] = Ok(Tally { batch: batches[index].id, answer });
            }),
            Err(why) => all.into_iter().for_each(|index| {
                let batch = batches[index].id;
                answers[index] = Err(RunError::Evaluator { batch, why: why.clone() });
            }),
        }
    }

    /// The plies from the start to a batch's leaf.
    fn plies_to(&self, batch: &Batch) -> Vec<(Color, Move)> {
        let mut position = self.position.clone();
        let path = batch.path.iter().map(|&mv| {
            let side = position.side_to_move();
            position.play(mv);
            (side, mv)
        });
        let path: Vec<_> = path.collect();
        [self.plies.as_slice(), &path].concat()
    }
}

/// A leaf-parallel batch that is ready to be played out.
struct LeafParallel<G> {
    index: usize,
    leaf: G,
    playouts: Playouts,
    rng: Rng,
    counts: Counts,
}

impl<G: Learned> LeafParallel<G> {
    fn new(index: usize, leaf: G, playouts: Playouts) -> LeafParallel<G> {
        let rng = Rng::from_seed(playouts.seed);
        let counts = Counts::new(leaf.size().area(), playouts.asked);
        LeafParallel { index, leaf, playouts, rng, counts }
    }
}

fn play_out<G: Learned>(waiting: &mut [LeafParallel<G>], parameters: &Parameters) {
    for policy in Policy::ALL {
        let mut leaves: Vec<Leaf<'_, G>> = waiting
            .iter_mut()
            .filter(|it| it.playouts.policy == policy)
            .map(|LeafParallel { leaf, playouts, rng, counts, .. }| Leaf {
                position: &*leaf,
                playouts: playouts.count,
                rng,
                counts,
            })
            .collect();
        leaf::play_out(parameters, policy, &mut leaves);
    }
}

impl<G: Learned> Ready<G> {
    fn leaf(&self, root: RootId, batch: &Batch) -> Result<G, RunError> {
        if batch.root != root {
            return Err(RunError::OtherRoot { batch: batch.id, named: batch.root, held: root });
        }
        let mut leaf = self.position.clone();
        for (index, &mv) in batch.path.iter().enumerate() {
            if !leaf.is_legal(mv) {
                return Err(illegal::<G>(&leaf, batch, index, mv));
            }
            leaf.play(mv);
        }
        Ok(leaf)
    }
}

fn illegal<G: Learned>(leaf: &G, batch: &Batch, index: usize, mv: Move) -> RunError {
    RunError::IllegalPath { batch: batch.id, ply: index + 1, mv: leaf.move_text(mv) }
}
