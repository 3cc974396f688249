//! Trees as numbers: the same again, and never a tree that does harm.

use crate::searchable::Searchable;
use banyan_games::Game;
use banyan_games::Rng;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::Gomoku;
use banyan_games::othello::{Othello, OthelloRules};

use super::image::{Image, ImageError};
use super::tests::{gomoku, grow, tree_of};
use super::{Proof, Tree};

/// A tree without nodes to speak of, by the settings of another.
fn empty_like(tree: &Tree) -> Tree {
    let mut empty = Tree::new(*tree.parameters(), tree.seed, 0, tree.mover(tree.root()));
    empty.nodes_max = tree.nodes_max;
    empty
}

fn taken_up<G: Searchable>(tree: &Tree, image: Image, position: &G) -> Result<Tree, ImageError> {
    empty_like(tree).with_image(image, position)
}

fn round_trip<G: Searchable>(position: &G, batches: u64) {
    let mut tree = tree_of(position, 1 << 24);
    grow(&mut tree, position, batches, 1);
    let mut again = taken_up(&tree, tree.image(), position).expect("our own tree");
    assert_eq!(again.digest(), tree.digest());
    assert_eq!(again.image(), tree.image());
    // And it goes on as the other does.
    grow(&mut tree, position, 200, 1);
    grow(&mut again, position, 200, 1);
    assert_eq!(again.digest(), tree.digest());
}

#[test]
fn a_tree_of_any_game_is_taken_up_as_it_was() {
    for batches in [0, 1, 30, 2_000] {
        round_trip(&gomoku(), batches);
        round_trip(&Othello::new(&OthelloRules), batches);
        round_trip(&Go::new(&GoRules::new(5, 1).expect("a size of Go")), batches);
        // There what is critical is heard.
        round_trip(&Go::new(&GoRules::new(10, 1).expect("a size of Go")), batches);
    }
}

#[test]
fn a_tree_that_was_advanced_and_folded_is_taken_up_as_it_was() {
    let mut position = gomoku();
    let mut tree = tree_of(&position, 0);
    grow(&mut tree, &position, 40_000, 1);
    let best = tree.candidates(crate::FinalMove::Visits)[0].mv;
    assert!(tree.advance(best));
    position.play(best);
    let again = taken_up(&tree, tree.image(), &position).expect("our own tree");
    assert_eq!(again.digest(), tree.digest());
}

/// A move that was merged and not yet asked about is taken up, whatever the move.
#[test]
fn what_the_rules_were_not_asked_about_stays_so() {
    let position = gomoku();
    let mut tree = tree_of(&position, 1 << 24);
    grow(&mut tree, &position, 20, 1);
    let leaf = tree.children(tree.root()).find(|&child| !tree.is_expanded(child));
    let leaf = leaf.expect("a child that nobody likes");
    let lie = crate::Subtree {
        groups: vec![crate::Siblings {
            parent: None,
            side: tree.mover(leaf),
            children: 1,
            is_partial: false,
        }],
        moves: vec![banyan_games::Move(600)],
        visits: vec![0],
        half_wins: vec![0],
        amaf_visits: vec![0],
        amaf_half_wins: vec![0],
        proofs: vec![Proof::Open],
        priors: vec![0; 1],
        judged: vec![0; 1],
        leaf_judged: 0,
    };
    tree.merge_subtree(&vec![tree.root(), leaf], &lie, true, crate::Word::Peer);
    let mut image = tree.image();
    assert!(taken_up(&tree, image.clone(), &position).is_ok());
    // Without the doubt a descent would play it.
    let last = image.nodes.flags.last_mut().expect("nodes");
    last.0 &= !super::Flags::DOUBT;
    let refused = taken_up(&tree, image, &position);
    assert!(matches!(refused, Err(ImageError::Illegal { .. })), "{refused:?}");
}

#[test]
fn numbers_that_are_no_tree_are_refused_with_what_is_wrong() {
    let position = gomoku();
    let mut tree = tree_of(&position, 1 << 24);
    grow(&mut tree, &position, 300, 2);
    let refused = |change: fn(&mut Image)| {
        let mut image = tree.image();
        change(&mut image);
        taken_up(&tree, image, &position).expect_err("no tree").to_string()
    };
    assert!(refused(|image| image.nodes.visits.truncate(9)).contains("one length"));
    assert!(refused(|image| *image = Image::default()).contains("0 nodes"));
    assert!(refused(|image| image.root = 1 << 20).contains("the root is node 1048576"));
    assert!(refused(|image| image.nodes.first_child[0] = u32::MAX).contains("children from node"));
    assert!(
        refused(|image| image.nodes.child_count[0].0 = u16::MAX).contains("has 32767 children")
    );
    // A cycle: the first child's children are the root's.
    let cycle = refused(|image| {
        (image.nodes.first_child[1], image.nodes.child_count[1].0) = (1, 1);
        image.nodes.visits[1] = image.nodes.visits[0];
        (image.nodes.visits[2], image.nodes.half_wins[2]) = (0, 0);
        image.nodes.visits[3..50].fill(0);
        image.nodes.half_wins[3..50].fill(0);
    });
    assert!(cycle.contains("the child of two nodes"), "{cycle}");
    assert!(
        refused(|image| image.nodes.visits[0] = u64::MAX).contains("visits 18446744073709551615")
    );
    let too_few = refused(|image| (image.nodes.visits[0], image.nodes.half_wins[0]) = (3, 0));
    assert!(too_few.contains("visits of its children"));
    assert!(refused(|image| image.nodes.half_wins[2] = 1 << 40).contains("half wins"));
    assert!(refused(|image| image.nodes.amaf[2].0 = u64::MAX).contains("AMAF visits"));
    assert!(refused(|image| image.nodes.moves[1].0 = 600).contains("600, is illegal"));
    assert!(refused(|image| image.nodes.flags[1].0 ^= 1).contains("is illegal"));
}

/// Images that are taken up can be searched: descents, merges and compaction, and no panic.
#[test]
fn changed_numbers_are_refused_or_do_no_harm() {
    let position = gomoku();
    let mut tree = tree_of(&position, 0);
    grow(&mut tree, &position, 300, 2);
    let image = tree.image();
    let mut rng = Rng::from_seed(3);
    let mut taken = 0;
    for _ in 0..2_000 {
        let mut image = image.clone();
        for _ in 0..=rng.below(3) {
            change(&mut image, &mut rng);
        }
        if let Ok(tree) = taken_up(&tree, image, &position) {
            taken += 1;
            work_with(tree, &position);
        }
    }
    assert!(taken > 100, "{taken} were let in: the others test nothing behind the door");
}

fn change(image: &mut Image, rng: &mut Rng) {
    let at = rng.below(image.nodes.visits.len() as u32) as usize;
    let number = [0, 1, 2, 50, rng.bits() >> 50, rng.bits()][rng.below(6) as usize];
    match rng.below(8) {
        0 => image.root = number as u32,
        1 => image.nodes.visits[at] = number,
        2 => image.nodes.half_wins[at] = number,
        3 => image.nodes.amaf[at].0 = number,
        4 => image.nodes.first_child[at] = number as u32,
        5 => image.nodes.child_count[at].0 = number as u16,
        6 => image.nodes.moves[at].0 = number as u16,
        _ => image.nodes.flags[at].0 = number as u8,
    }
}

fn work_with(mut tree: Tree, position: &Gomoku) {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    tree.allow_at_root(position.side_to_move(), &moves);
    grow(&mut tree, position, 20, 2);
    tree.compact(std::iter::empty());
    grow(&mut tree, position, 20, 2);
    let _ = (tree.digest(), tree.known(tree.root(), 1, 16));
}
