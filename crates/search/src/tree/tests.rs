//! The tree on small games: formulas by hand, in-flight accounting, proofs, reuse, compaction.

use crate::searchable::Searchable;
use banyan_games::Game;
use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Counts, Kind, Move, Rng};

use super::select::rave_weight;
use super::{NodeId, Nodes, Path, Proof, Tree};
use crate::{Descent, FinalMove, Parameters, Word};

pub(super) fn gomoku() -> Gomoku {
    Gomoku::new(&GomokuRules::new(7, 7, Default::default()).expect("a size of Gomoku"))
}

pub(super) fn candidates<G: Searchable>(position: &G) -> Vec<Move> {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    moves
}

pub(super) fn tree_of<G: Searchable>(position: &G, bytes_max: usize) -> Tree {
    let side = position.side_to_move();
    let mut tree = Tree::new(Parameters::of(G::KIND), 7, bytes_max, !side);
    tree.allow_at_root(side, &candidates(position));
    tree
}

pub(super) fn play_out<G: Searchable>(leaf: &G, playouts: u32, seed: u64) -> Counts {
    let mut counts = Counts::new(leaf.size().area(), Asked { amaf: true, ownership: G::TERRITORY });
    leaf.playouts(playouts, &mut Rng::from_seed(seed), &mut counts);
    counts
}

/// A sequential search: one batch of `playouts` at a time.
pub(super) fn grow<G: Searchable>(tree: &mut Tree, position: &G, batches: u64, playouts: u32) {
    grow_around(tree, position, batches, playouts, &mut []);
}

/// The same while `flights` are under way.
fn grow_around<G: Searchable>(
    tree: &mut Tree,
    position: &G,
    batches: u64,
    playouts: u32,
    flights: &mut [Path],
) {
    for number in 0..batches {
        if tree.is_full() {
            tree.compact(flights.iter_mut());
        }
        let mut leaf = position.clone();
        match tree.descend(&mut leaf, 0) {
            Descent::Leaf(path) => tree.merge(&path, &play_out(&leaf, playouts, number)),
            Descent::Ended(path, outcome) => {
                tree.merge_outcome(&path, outcome);
                let last = path[path.len() - 1];
                tree.prove(&path, Proof::of(outcome, tree.mover(last)));
            }
        }
    }
}

#[test]
fn a_node_takes_at_most_48_bytes() {
    assert_eq!(Nodes::BYTES, 48);
}

#[test]
fn amaf_weighs_all_at_first_and_half_at_the_equivalence() {
    assert_eq!(rave_weight(0.0, 7.0, 0.001), 1.0);
    // 50 / (30 + 50 + 30 · 50 / 500).
    assert_eq!(rave_weight(30.0, 50.0, 0.002), 50.0 / 83.0);
    // With an AMAF tally beyond measure, n = 1 / b.
    assert!((rave_weight(500.0, 1e9, 0.002) - 0.5).abs() < 1e-3);
}

#[test]
fn counts_go_to_every_node_of_the_path_from_its_movers_view() {
    let position = gomoku();
    let mut tree = tree_of(&position, 0);
    let path: Path = vec![tree.root(), tree.child(tree.root(), Move(24)).expect("a candidate")];
    let mut counts = Counts { wins: 3, draws: 1, ..Counts::default() };
    counts.losses = 1;
    tree.merge(&path, &counts);
    // White moved into the root, Black into its child: (1 + ½) / 5 and (3 + ½) / 5.
    assert_eq!((tree.visits(path[0]), tree.value(path[0])), (5, 0.3));
    assert_eq!((tree.visits(path[1]), tree.value(path[1])), (5, 0.7));
}

#[test]
fn a_move_of_the_path_is_credited_as_played_in_all_playouts_and_others_as_tallied() {
    let position = gomoku();
    let mut tree = tree_of(&position, 0);
    let (played, other) = (Move(24), Move(10));
    let leaf = tree.child(tree.root(), played).expect("a candidate");
    let sibling = tree.child(tree.root(), other).expect("a candidate");
    let mut counts = Counts::new(49, Asked { amaf: true, ownership: false });
    (counts.wins, counts.losses) = (6, 2);
    let amaf = counts.amaf.as_mut().expect("asked for");
    let black = banyan_games::Amaf::slot(10, Color::Black);
    (amaf.visits[black], amaf.half_wins[black]) = (4, 7);
    tree.merge(&vec![tree.root(), leaf], &counts);
    let of = |node: NodeId| {
        (tree.nodes.amaf[node.index()].visits(), tree.nodes.amaf[node.index()].half_wins())
    };
    assert_eq!(of(leaf), (8, 12));
    assert_eq!(of(sibling), (4, 7));
}

#[test]
fn what_is_put_in_flight_steers_the_next_descent_away_and_is_taken_off() {
    let position = gomoku();
    let mut tree = tree_of(&position, 0);
    let mut first_moves = std::collections::BTreeSet::new();
    let mut flights = Vec::new();
    for _ in 0..20 {
        let Descent::Leaf(path) = tree.descend(&mut position.clone(), 0) else {
            panic!("the game has hardly begun")
        };
        tree.add_virtual_loss(&path, 4);
        first_moves.insert(tree.move_into(path[1]));
        flights.push(path);
    }
    assert_eq!(first_moves.len(), 20, "twenty descents in flight go twenty ways");
    assert_eq!(tree.unobserved(tree.root()), 80);
    flights.iter().for_each(|path| tree.remove_virtual_loss(path, 4));
    assert_eq!(tree.unobserved_total(), 0);
}

#[test]
fn a_leaf_gets_children_by_what_is_in_flight_without_waiting_for_an_answer() {
    let position = Othello::new(&OthelloRules);
    let mut tree = tree_of(&position, 0);
    assert_eq!(tree.parameters().expand_after, 2);
    let depths: [usize; 12] = std::array::from_fn(|_| {
        let Descent::Leaf(path) = tree.descend(&mut position.clone(), 0) else {
            panic!("the game has hardly begun")
        };
        tree.add_virtual_loss(&path, 1);
        path.len()
    });
    // Two playouts of each of the root's four moves, then one below each of them.
    assert_eq!(depths, [2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3]);
}

#[test]
fn a_win_in_one_is_proven_and_chosen() {
    // Black has four in a row with one end open, at point 21.
    let mut position = gomoku();
    for mv in [22, 0, 23, 2, 24, 4, 25, 26] {
        position.play(Move(mv));
    }
    let mut tree = tree_of(&position, 0);
    grow(&mut tree, &position, 400, 1);
    let best = tree.candidates(FinalMove::Visits)[0];
    assert_eq!((best.mv, best.proof, best.value), (Move(21), Proof::Win, 1.0));
    assert_eq!(tree.proof(tree.root()), Proof::Loss, "of White, who moved into the root");
    // Without the solver the same ends of the game are playouts like any others.
    let mut without = tree_of(&position, 0);
    without.parameters.solver = false;
    grow(&mut without, &position, 400, 1);
    let best = without.candidates(FinalMove::Visits)[0];
    assert_eq!((best.mv, best.proof), (Move(21), Proof::Open));
    assert_eq!(without.proof(without.root()), Proof::Open);
}

#[test]
fn two_plies_of_one_side_do_not_turn_a_proof_around() {
    // The root was moved into by Black, and Black chooses again, as in Connect6.
    let mut tree = Tree::new(Parameters::of(Kind::Connect6), 7, 0, Color::Black);
    tree.allow_at_root(Color::Black, &[Move(0), Move(1)]);
    let winning = tree.child(tree.root(), Move(1)).expect("allowed");
    tree.prove(&vec![tree.root(), winning], Proof::Win);
    assert_eq!(tree.proof(tree.root()), Proof::Win);
}

#[test]
fn a_node_is_lost_when_all_replies_are_and_drawn_when_the_best_is() {
    let mut tree = Tree::new(Parameters::of(Kind::Gomoku), 7, 0, Color::White);
    let root = tree.root();
    tree.allow_at_root(Color::Black, &[Move(0), Move(1)]);
    let [a, b] = [0, 1].map(|mv| tree.child(root, Move(mv)).expect("allowed"));
    tree.prove(&vec![root, a], Proof::Loss);
    assert_eq!(tree.proof(root), Proof::Open);
    tree.prove(&vec![root, b], Proof::Draw);
    assert_eq!(tree.proof(root), Proof::Draw);
    // A move that superko forbids does not count.
    tree.allow_at_root(Color::Black, &[Move(0)]);
    assert_eq!(tree.proof(root), Proof::Win, "Black is lost, so White, who moved here, wins");
}

#[test]
fn the_forbidden_are_never_chosen_and_never_listed() {
    let position = gomoku();
    let mut tree = tree_of(&position, 0);
    tree.allow_at_root(Color::Black, &[Move(3), Move(40)]);
    grow(&mut tree, &position, 200, 2);
    let listed: Vec<Move> = tree.candidates(FinalMove::Mean).iter().map(|c| c.mv).collect();
    assert!(listed == [Move(3), Move(40)] || listed == [Move(40), Move(3)], "{listed:?}");
    assert_eq!(tree.children(tree.root()).filter(|&c| tree.visits(c) > 0).count(), 2);
}

#[test]
fn by_its_bound_a_move_is_played_that_is_surely_better_not_one_that_hardly_anybody_tried() {
    let mut tree = Tree::new(Parameters::of(Kind::Gomoku), 7, 0, Color::White);
    tree.allow_at_root(Color::Black, &[Move(0), Move(1), Move(2), Move(3)]);
    // Visits and half wins: worth 0.5, 0.6, and 0.9 by 14 visits; 0.58 less 0.45 / √16 is behind.
    for (mv, counts) in [(0, (100, 100)), (1, (60, 72)), (2, (14, 26)), (3, (16, 19))] {
        let child = tree.child(tree.root(), Move(mv)).expect("allowed").index();
        (tree.nodes.visits[child], tree.nodes.half_wins[child]) = counts;
    }
    let ranked = |tree: &Tree, by| -> Vec<u16> {
        tree.candidates(by).iter().map(|candidate| candidate.mv.0).collect()
    };
    assert_eq!(ranked(&tree, FinalMove::Visits), [0, 1, 3, 2]);
    assert_eq!(ranked(&tree, FinalMove::Mean)[0], 2);
    assert_eq!(ranked(&tree, FinalMove::Bound), [1, 0, 3, 2]);
    assert_eq!(tree.principal_variation(FinalMove::Bound, 1), [Move(1)]);
    // With a seventh of the most visits the third is known well enough: 0.93 less 0.45 / √15.
    let third = tree.child(tree.root(), Move(2)).expect("allowed").index();
    (tree.nodes.visits[third], tree.nodes.half_wins[third]) = (15, 28);
    assert_eq!(ranked(&tree, FinalMove::Bound), [2, 0, 1, 3]);
    // A proven draw is sure to be worth a half, however few looked at it: less than 0.56 less 0.45 / √60.
    let drawn = tree.child(tree.root(), Move(3)).expect("allowed");
    (tree.nodes.visits[third], tree.nodes.half_wins[third]) = (0, 0);
    (tree.nodes.visits[drawn.index()], tree.nodes.half_wins[drawn.index()]) = (4, 4);
    tree.prove(&vec![tree.root(), drawn], Proof::Draw);
    assert_eq!(ranked(&tree, FinalMove::Bound)[0], 1);
    let second = tree.child(tree.root(), Move(1)).expect("allowed").index();
    tree.nodes.half_wins[second] = 66;
    assert_eq!(ranked(&tree, FinalMove::Bound)[0], 3);
    // What is proven needs no bound, and what is lost is never played.
    let first = tree.child(tree.root(), Move(0)).expect("allowed");
    tree.prove(&vec![tree.root(), first], Proof::Win);
    assert_eq!(ranked(&tree, FinalMove::Bound)[0], 0);
}

#[test]
fn who_is_judged_alone_plays_by_bounds_unless_told_otherwise() {
    let of = |lambda| FinalMove::usual(&Parameters { lambda, ..Parameters::of(Kind::Go) });
    assert_eq!(
        [of(0.0), of(0.5), of(1.0)],
        [FinalMove::Visits, FinalMove::Visits, FinalMove::Bound]
    );
}

#[test]
fn a_tree_goes_on_from_the_move_that_was_played() {
    let position = Othello::new(&OthelloRules);
    let mut tree = tree_of(&position, 0);
    grow(&mut tree, &position, 2_000, 1);
    let best = tree.candidates(FinalMove::Visits)[0];
    assert!(tree.advance(best.mv));
    assert_eq!(tree.visits(tree.root()), best.visits);
    assert!(!tree.advance(Move(0)), "a1 is no reply");
}

#[test]
fn compaction_keeps_the_living_and_their_counts() {
    let position = Othello::new(&OthelloRules);
    let mut tree = tree_of(&position, 1 << 22);
    grow(&mut tree, &position, 3_000, 1);
    let (digest, nodes) = (tree.digest(), tree.nodes());
    tree.compact(std::iter::empty());
    assert_eq!((tree.digest(), tree.nodes()), (digest, nodes));
    let best = tree.candidates(FinalMove::Visits)[0];
    tree.advance(best.mv);
    let digest = tree.digest();
    tree.compact(std::iter::empty());
    assert_eq!(tree.digest(), digest);
    assert!(tree.nodes() < nodes, "the dead branches are gone");
}

#[test]
fn a_full_tree_folds_its_least_visited_branches_and_goes_on() {
    let position = gomoku();
    let mut tree = tree_of(&position, 0);
    grow(&mut tree, &position, 5_000, 1);
    let Descent::Leaf(path) = tree.descend(&mut position.clone(), 0) else {
        panic!("the game has hardly begun")
    };
    assert!(path.len() > 2, "a path deep enough to be cut");
    tree.add_virtual_loss(&path, 8);
    let mut flights = [path];
    grow_around(&mut tree, &position, 35_000, 1, &mut flights);
    assert!(tree.nodes() * Nodes::BYTES <= Tree::BYTES_MIN);
    assert_eq!(tree.visits(tree.root()), 40_000);
    assert_eq!(flights[0][0], tree.root());
    tree.remove_virtual_loss(&flights[0], 8);
    assert_eq!(tree.unobserved_total(), 0);
}

#[test]
fn the_digest_tells_trees_apart_and_is_the_same_again() {
    let position = gomoku();
    let grown = |batches| {
        let mut tree = tree_of(&position, 0);
        grow(&mut tree, &position, batches, 2);
        tree.digest()
    };
    assert_eq!(grown(100), grown(100));
    assert_ne!(grown(100), grown(101));
}

/// A private tree that begins with what `tree` knows of `leaf`, and grows by `playouts`.
fn private(tree: &Tree, leaf: NodeId, position: &Gomoku, playouts: u64) -> Tree {
    let (known, _) = tree.known(leaf, 1, 100);
    let mut private = Tree::new(Parameters::of(Kind::Gomoku), 7, 1 << 24, tree.mover(leaf));
    private.import_subtree(&known);
    private.expand_root(position);
    for number in 0..playouts {
        let mut below = position.clone();
        if let Descent::Leaf(path) = private.descend(&mut below, 0) {
            private.merge(&path, &play_out(&below, 1, 1_000 + number));
        }
    }
    private
}

#[test]
fn what_a_private_tree_counted_is_added_once_to_the_tree_that_it_was_cut_from() {
    let mut position = gomoku();
    let mut tree = tree_of(&position, 1 << 24);
    grow(&mut tree, &position, 400, 1);
    let mv = tree.candidates(FinalMove::Visits)[0].mv;
    let leaf = tree.child(tree.root(), mv).expect("a candidate");
    position.play(mv);
    let private = private(&tree, leaf, &position, 300);
    let grown = private.grown(1, 1_000);
    let before: Vec<u64> = tree.children(leaf).map(|child| tree.visits(child)).collect();
    let path = vec![tree.root(), leaf];
    tree.merge_subtree(&path, &grown, false, Word::Peer);
    for (index, child) in tree.children(leaf).enumerate() {
        assert_eq!(tree.visits(child), before[index] + u64::from(grown.visits[index]));
        // The private tree began where this one stood, so now both have counted the same.
        let same = private.child(private.root(), tree.move_into(child)).expect("siblings");
        assert_eq!(tree.visits(child), private.visits(same));
        for grandchild in private.children(same).filter(|&child| private.visits(child) > 0) {
            let mv = private.move_into(grandchild);
            let ours = tree.child(child, mv).expect("imported");
            assert_eq!(tree.visits(ours), private.visits(grandchild));
            assert_eq!(tree.nodes.amaf[ours.index()], private.nodes.amaf[grandchild.index()]);
        }
    }
    assert_eq!(grown.visits[..before.len()].iter().sum::<u32>(), 300);
}

#[test]
fn a_merged_move_that_the_rules_forbid_is_banned_by_the_first_descent() {
    let position = gomoku();
    // Nothing is explored, so that descents go where the value is.
    let mut parameters = Parameters::of(Kind::Gomoku);
    for name in ["exploration", "first_play_urgency", "rave_equivalence"] {
        parameters.set(name, 0.0).expect("in range");
    }
    let mut tree = Tree::new(parameters, 7, 1 << 20, Color::White);
    tree.allow_at_root(Color::Black, &candidates(&position));
    let leaf = tree.child(tree.root(), Move(24)).expect("a candidate");
    let path = vec![tree.root(), leaf];
    // So good that the next descents go there.
    tree.merge(&path, &Counts { wins: 5_000, ..Counts::default() });
    // Black's stone stands on 24; point 3 is free, but it is White's turn there.
    let siblings = |side, moves: &[Move]| crate::Subtree {
        groups: vec![crate::Siblings {
            parent: None,
            side,
            children: moves.len() as u16,
            is_partial: false,
        }],
        moves: moves.to_vec(),
        visits: vec![1; moves.len()],
        half_wins: vec![2; moves.len()],
        amaf_visits: vec![0; moves.len()],
        amaf_half_wins: vec![0; moves.len()],
        proofs: vec![Proof::Open; moves.len()],
        priors: vec![0; moves.len()],
        judged: vec![0; moves.len()],
        leaf_judged: 0,
    };
    for lie in [siblings(Color::White, &[Move(24), Move(600)]), siblings(Color::Black, &[Move(3)])]
    {
        let mut tree = tree.clone();
        tree.merge_subtree(&path, &lie, true, Word::Peer);
        assert!(tree.is_expanded(leaf));
        for _ in 0..20 {
            let mut below = position.clone();
            let Descent::Leaf(path) = tree.descend(&mut below, 0) else { panic!("hardly begun") };
            tree.merge(&path, &play_out(&below, 1, 2));
        }
        // The leaf lost its false children and got true ones, which are all legal.
        let true_children = tree.children(leaf).filter(|&child| tree.mover(child) == Color::White);
        // Of 48 points those near the stone.
        assert_eq!(true_children.count(), 24);
    }
    let mut half_true = tree.clone();
    half_true.merge_subtree(&path, &siblings(Color::White, &[Move(24), Move(3)]), true, Word::Peer);
    for _ in 0..20 {
        let mut below = position.clone();
        let Descent::Leaf(path) = half_true.descend(&mut below, 0) else { panic!("hardly begun") };
        half_true.merge(&path, &play_out(&below, 1, 2));
    }
    let banned: Vec<bool> = half_true
        .children(leaf)
        .map(|child| half_true.nodes.flags[child.index()].is_banned())
        .collect();
    assert_eq!(banned, [true, false]);
}

/// A side that all but always loses has visits in abundance and no half wins.
#[test]
fn amaf_sums_of_a_lost_cause_stay_within_their_words() {
    let position = gomoku();
    let mut tree = tree_of(&position, 0);
    let leaf = tree.child(tree.root(), Move(24)).expect("a candidate");
    let path = vec![tree.root(), leaf];
    let playouts = 1 << 16;
    tree.nodes.visits[path[0].index()] = 1 << 32;
    let slot = banyan_games::Amaf::slot(10, Color::Black);
    let other = tree.child(tree.root(), Move(10)).expect("a candidate").index();
    tree.nodes.amaf[other] = super::Amaf::new(u32::MAX - playouts, 1000);
    for _ in 0..3 {
        let mut counts = Counts::new(49, Asked { amaf: true, ownership: false });
        counts.losses = playouts;
        counts.amaf.as_mut().expect("asked for").visits[slot] = playouts;
        tree.merge(&path, &counts);
    }
    assert!(tree.nodes.amaf[other].half_wins() <= 1000);
    // Halved each time, from 2^32 on.
    assert!(tree.nodes.amaf[other].visits() > 1 << 28);
}

#[test]
fn which_points_decide_is_still_known_after_folding_and_is_taken_back_with_a_lie() {
    let position = Go::new(&GoRules::new(5, 1).expect("a size of Go"));
    let mut tree = tree_of(&position, 0);
    grow(&mut tree, &position, 100, 1);
    let owners = tree.image().owners;
    assert!(owners.playouts > 50, "{owners:?}");
    let (root, lie) = (vec![tree.root()], play_out(&position, 1, 7));
    tree.merge(&root, &lie);
    assert_ne!(tree.image().owners, owners);
    tree.unmerge(&root, &lie, false);
    assert_eq!(tree.image().owners, owners);
    tree.compact([].iter_mut());
    assert_eq!(tree.image().owners, owners);
}

#[test]
fn what_reads_as_bad_is_no_child_where_the_parameters_say_so() {
    // White's stone has its last liberty on the right, and runs into a ladder there.
    let mut position = Go::new(&GoRules::new(7, 15).expect("a size of Go"));
    let stones = [9, 10, 15, 23].map(|point| (Color::Black, Move(point)));
    let stones: Vec<_> = stones.into_iter().chain([(Color::White, Move(16))]).collect();
    position.set_up(&stones, Color::White).expect("a position that can stand");
    let ladder = Move(17);
    for exclude_bad in [false, true] {
        let parameters = Parameters { exclude_bad, ..Parameters::of(Kind::Go) };
        let mut tree = Tree::new(parameters, 1, 1 << 22, Color::Black);
        tree.expand_root(&position);
        assert_eq!(tree.child(tree.root(), ladder).is_none(), exclude_bad);
        let mut moves = vec![ladder, Move(40)];
        tree.leave_out_bad(&position, &mut moves);
        assert_eq!(moves.len(), if exclude_bad { 1 } else { 2 });
        // Nobody is left without a move.
        let mut only = vec![ladder];
        tree.leave_out_bad(&position, &mut only);
        assert_eq!(only, [ladder]);
    }
}
