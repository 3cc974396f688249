//! Leaves that are judged: many at once, as evaluators like them.

use banyan_games::{Color, Move};
use banyan_knowledge::{Evaluator, EvaluatorError, Judgement, Query};

use crate::job::Evaluate;

/// A leaf that is to be judged.
pub(crate) struct Judging<G> {
    /// Index of the batch among those that are run together.
    pub index: usize,
    pub leaf: G,
    /// From the start of the game to the leaf.
    pub plies: Vec<(Color, Move)>,
    pub asked: Evaluate,
}

/// Has leaves judged; one judgement each, in their order, with what was asked for.
pub(crate) fn judge<G>(
    evaluator: &dyn Evaluator<G>,
    start: &G,
    judging: &[Judging<G>],
) -> Vec<Result<Judgement, EvaluatorError>> {
    if judging.is_empty() {
        return Vec::new();
    }
    let queries: Vec<Query<'_, G>> = judging
        .iter()
        .map(|Judging { leaf, plies, .. }| Query { position: leaf, start, plies })
        .collect();
    let mut judgements = Vec::with_capacity(queries.len());
    match evaluator.evaluate(&queries, &mut judgements) {
        Ok(()) => {
            let asked = judging.iter().map(|it| it.asked);
            judgements.into_iter().zip(asked).map(|(judged, asked)| Ok(asked.of(judged))).collect()
        }
        Err(why) => judging.iter().map(|_| Err(why.clone())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::counts::Asked;
    use banyan_games::go::{Go, GoRules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::{Color, Game, Kind, Move, Record};
    use banyan_knowledge::{Evaluators, Knowledge, Policy, network};
    use banyan_net::Network;
    use banyan_search::{Proof, Tree};

    use crate::{
        Answer, Batch, BatchId, Evaluate, Grow, Growing, Job, ModelDigest, Parameters, Playouts,
        Prepared, Root, RootId, RunError, Workspace, fit,
    };

    /// A network of chance weights: of an earlier encoding, as users have them still.
    fn network(seed: u64) -> Network {
        let ours = Go::ENCODING.expect("networks judge Go");
        let before = ours.earlier().next().expect("one version before");
        Network::random_for(&before, (1, 16), seed).expect("a shape that may be")
    }

    fn evaluators(network: &Network) -> Evaluators {
        let mut evaluators = Evaluators::default();
        network::add_network(&mut evaluators, network).expect("a network of Go");
        evaluators
    }

    fn root(evaluator: Option<ModelDigest>) -> Root {
        let record = Record::<Go>::new(&GoRules::new(9, 15).expect("a size of Go"));
        let growing = Growing { evaluator, ..Growing::of(Kind::Go) };
        Root::of(&record, Color::Black, RootId::default(), growing)
    }

    fn batch(path: &[Move], ownership: bool) -> Batch {
        let job = Job::Evaluate(Evaluate { ownership });
        Batch { id: BatchId(path.len() as u64), root: RootId::default(), path: path.to_vec(), job }
    }

    #[test]
    fn leaves_that_are_judged_together_are_judged_as_each_is_alone() {
        let network = network(1);
        let root = root(Some(network.digest()));
        let prepared = Prepared::with(&root, &evaluators(&network));
        let prepared = prepared.expect("its evaluator is here");
        let paths: Vec<Vec<Move>> =
            (0..20).map(|plies| (0..plies).map(|ply| Move(4 * ply)).collect()).collect();
        let batches: Vec<Batch> =
            paths.iter().map(|path| batch(path, path.len() % 3 == 0)).collect();
        let all: Vec<&Batch> = batches.iter().collect();
        let together = prepared.run_all(&all, &mut Workspace::default());
        for (batch, tally) in batches.iter().zip(together) {
            let tally = tally.expect("a judgement");
            assert_eq!(prepared.run(batch).as_ref(), Ok(&tally));
            assert_eq!(fit::check(batch, &tally.answer, fit::Board::of(&root.rules)), Ok(()));
            let Answer::Judged(judgement) = tally.answer else { panic!("a judgement") };
            assert_eq!(judgement.ownership.len(), if batch.path.len() % 3 == 0 { 81 } else { 0 });
            assert_eq!(judgement.policy.len(), 82);
            let stones = (0..81u16).filter(|&at| !judgement.chance(Move(at)).is_some()).count();
            assert!(stones >= batch.path.len(), "{stones}");
        }
    }

    /// A private tree of so many evaluations under a path.
    fn growing(path: &[Move], evaluations: u32) -> Batch {
        let playouts = Playouts {
            count: evaluations,
            policy: Policy::Uniform,
            seed: 1,
            asked: Asked::default(),
        };
        let grow = Grow { playouts, floor: 2, known: Box::default(), judged: true, spread: None };
        Batch { job: Job::Subtree(grow), ..batch(path, false) }
    }

    #[test]
    fn private_trees_that_grow_together_are_judged_as_each_is_alone() {
        let network = network(1);
        let mut root = root(Some(network.digest()));
        root.growing.parameters = Parameters { lambda: 1.0, puct: true, ..root.growing.parameters };
        let prepared = Prepared::with(&root, &evaluators(&network)).expect("its evaluator is here");
        let batches: Vec<Batch> =
            (0..5).map(|n: u16| growing(&[Move(n)], 10 + 7 * u32::from(n))).collect();
        let all: Vec<&Batch> = batches.iter().collect();
        let together = prepared.run_all(&all, &mut Workspace::default());
        for (batch, tally) in batches.iter().zip(together) {
            let tally = tally.expect("a tally");
            assert_eq!(prepared.run(batch).as_ref(), Ok(&tally));
            assert_eq!(fit::check(batch, &tally.answer, fit::Board::of(&root.rules)), Ok(()));
            let Answer::Subtree(counts, grown) = tally.answer else { panic!("a subtree") };
            assert_eq!(counts.playouts(), batch.job.cost());
            // The first evaluation is the leaf's own.
            let first = usize::from(grown.groups[0].children);
            assert_eq!(grown.visits[..first].iter().sum::<u32>() + 1, counts.playouts());
            assert!(grown.priors.iter().all(|&prior| prior > 0));
            let below: u64 = grown.judged[..first].iter().sum();
            assert!(below > 0 && grown.leaf_judged > 0);
        }
    }

    #[test]
    fn no_judgement_of_a_private_tree_is_forgotten() {
        let network = network(1);
        let mut root = root(Some(network.digest()));
        root.growing.parameters = Parameters { lambda: 1.0, puct: true, ..root.growing.parameters };
        let prepared = Prepared::with(&root, &evaluators(&network)).expect("its evaluator is here");
        let mut tree = Tree::new(root.growing.parameters, root.growing.seed, 1 << 24, Color::White);
        let start = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        tree.expand_root(&start);
        let leaf = tree.child(tree.root(), Move(40)).expect("a point");
        let path = vec![tree.root(), leaf];
        for batches in 1..4 {
            let Job::Subtree(Grow { playouts, .. }) = growing(&[Move(40)], 20).job else {
                panic!("a subtree")
            };
            let (grow, word) = Grow::below(&tree, leaf, playouts);
            // What was judged before is known: each node with its children and their priors.
            assert_eq!(grow.known.subtree.groups.len(), 20 * (batches - 1));
            let fresh = !tree.is_expanded(leaf);
            let batch = Batch { job: Job::Subtree(grow), ..batch(&[Move(40)], false) };
            let tally = prepared.run(&batch).expect("a tally");
            assert_eq!(fit::check(&batch, &tally.answer, fit::Board::of(&root.rules)), Ok(()));
            let Answer::Subtree(counts, grown) = tally.answer else { panic!("a subtree") };
            tree.merge_judged_sum(&path, counts.playouts(), grown.leaf_judged);
            tree.merge_subtree(&path, &grown, fresh, word);
            let mut open = vec![leaf];
            let mut judged = 0;
            while let Some(node) = open.pop() {
                judged += usize::from(tree.has_policy(node));
                open.extend(tree.children(node));
            }
            assert_eq!(judged, 20 * batches, "as many nodes as evaluations");
        }
    }

    #[test]
    fn a_private_tree_tells_scores_and_owners_where_they_are_asked_for() {
        let network = network(1);
        let mut root = root(Some(network.digest()));
        root.growing.parameters = Parameters { lambda: 1.0, puct: true, ..root.growing.parameters };
        let prepared = Prepared::with(&root, &evaluators(&network)).expect("its evaluator is here");
        let counts = |ownership, evaluations| {
            let mut batch = growing(&[Move(40)], evaluations);
            let Job::Subtree(grow) = &mut batch.job else { panic!("a subtree") };
            grow.playouts.asked.ownership = ownership;
            let tally = prepared.run(&batch).expect("a tally");
            assert_eq!(fit::check(&batch, &tally.answer, fit::Board::of(&root.rules)), Ok(()));
            tally.answer.counts().expect("a subtree has some").clone()
        };
        let Answer::Judged(leaf) =
            prepared.run(&batch(&[Move(40)], true)).expect("a judgement").answer
        else {
            panic!("a judgement")
        };
        let one = counts(true, 1);
        assert_eq!(one.margin_sum, i64::from(leaf.score.expect("a score")) / 128);
        let sure = leaf.ownership.iter().map(|&held| i32::from(held) / 127);
        assert_eq!(one.ownership, Some(sure.collect()));
        let many = counts(true, 300);
        assert!(many.margin_sum.abs() > one.margin_sum.abs(), "{many:?}");
        assert!(many.ownership.is_some_and(|it| it.iter().any(|&held| held != 0)));
        let untold = counts(false, 300);
        assert_eq!((untold.margin_sum, untold.ownership), (0, None));
    }

    #[test]
    fn private_trees_prove_leaves_before_they_have_them_judged() {
        let encoding = Gomoku::ENCODING.expect("networks judge Gomoku");
        let network = Network::random_for(&encoding, (1, 16), 1).expect("a shape that may be");
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size of Gomoku");
        let mut record = Record::<Gomoku>::new(&rules);
        // Black has three in a row with both ends open, and is to move.
        for mv in ["h8", "a1", "h9", "c1", "h10", "e1"] {
            let mv = record.position().parse_move(mv).expect("a point");
            record.play(mv).expect("a legal move");
        }
        let proofs = |proof_nodes| {
            let mut growing =
                Growing { evaluator: Some(network.digest()), ..Growing::of(Kind::Gomoku) };
            growing.parameters =
                Parameters { lambda: 1.0, puct: true, proof_nodes, ..growing.parameters };
            let root = Root::of(&record, Color::Black, RootId::default(), growing);
            let prepared = Prepared::with(&root, &evaluators(&network)).expect("it is here");
            let anywhere = record.position().parse_move("o15").expect("a point");
            let tally = prepared.run(&super::tests::growing(&[anywhere], 40)).expect("a tally");
            let Answer::Subtree(_, grown) = tally.answer else { panic!("a subtree") };
            grown.proofs.iter().filter(|&&proof| proof != Proof::Open).count()
        };
        assert_eq!(proofs(0), 0, "forty evaluations do not play it out");
        assert!(proofs(50) > 0);
    }

    #[test]
    fn a_root_whose_evaluator_is_not_here_can_be_played_out_and_not_judged() {
        let (one, other) = (network(1), network(2));
        let prepared = Prepared::with(&root(Some(one.digest())), &evaluators(&other));
        let batch = batch(&[], false);
        let prepared = prepared.expect("a position");
        assert_eq!(prepared.run(&batch), Err(RunError::NoEvaluator { batch: batch.id }));
        let refused = prepared.run(&growing(&[], 9));
        assert_eq!(refused, Err(RunError::NoEvaluator { batch: batch.id }));
    }

    #[test]
    fn a_root_without_an_evaluator_judges_nothing() {
        let batch = batch(&[], false);
        let refused = Prepared::new(&root(None)).expect("a position").run(&batch);
        assert_eq!(refused, Err(RunError::NoEvaluator { batch: batch.id }));
    }

    #[test]
    fn a_board_that_no_network_takes_is_said_of_each_batch() {
        let network = network(1);
        let record = Record::<Go>::new(&GoRules::new(5, 15).expect("a size of Go"));
        let growing = Growing { evaluator: Some(network.digest()), ..Growing::of(Kind::Go) };
        let root = Root::of(&record, Color::Black, RootId::default(), growing);
        let prepared = Prepared::with(&root, &evaluators(&network)).expect("it is here");
        let refused = prepared.run(&batch(&[], false)).expect_err("a small board").to_string();
        assert!(refused.ends_with("a board of 5x5 is too small"), "{refused}");
        assert!(record.position().outcome().is_none());
    }
}
