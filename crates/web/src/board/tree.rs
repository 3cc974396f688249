//! The plies of a game with its variations: a tree, and the place in it that is shown.

use banyan_games::{Color, Move};
use banyan_records::sgf::TreePly;

/// More plies are not kept: a board is for people.
pub const NODES_MAX: usize = 4096;

/// One ply.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The ply before; 0 is the start.
    pub parent: usize,
    /// The side that played.
    pub color: Color,
    /// The move that was played.
    pub mv: Move,
    /// The position after it as it was searched: Black's share of wins, 0 to 1.
    pub value: Option<f64>,
    /// Plies that follow, the main one first.
    pub children: Vec<usize>,
    /// It was cut off.
    is_cut: bool,
}

/// The plies of a game. Number 0 is the start, which nobody played.
#[derive(Clone, Debug)]
pub struct MoveTree {
    nodes: Vec<Node>,
    /// The position shown is the one after this.
    at: usize,
    /// The last ply of the line that is shown: where "forward" leads.
    tip: usize,
}

impl Default for MoveTree {
    fn default() -> MoveTree {
        let start = Node {
            parent: 0,
            color: Color::White,
            mv: Move::PASS,
            value: None,
            children: Vec::new(),
            is_cut: false,
        };
        MoveTree { nodes: vec![start], at: 0, tip: 0 }
    }
}

impl MoveTree {
    /// Plies with their variations, shown at the end of the main line. Those beyond [`NODES_MAX`] are left out.
    pub fn grown(plies: &[TreePly]) -> MoveTree {
        let mut tree = MoveTree::default();
        let mut numbers = vec![0];
        for ply in plies {
            tree.at = numbers[ply.before];
            if tree.play(ply.color, ply.mv).is_err() {
                break;
            }
            numbers.push(tree.at);
        }
        let first = |at: &usize| tree.nodes[*at].children.first().copied();
        let end = std::iter::successors(Some(0), first).last().unwrap_or(0);
        (tree.at, tree.tip) = (end, end);
        tree
    }

    /// All plies in the order that files have them: a variation as a whole before the next.
    pub fn plies_with_variations(&self) -> Vec<TreePly> {
        let mut plies = Vec::new();
        let mut open: Vec<(usize, usize)> = vec![(0, 0)];
        while let Some((number, before)) = open.pop() {
            let node = &self.nodes[number];
            if number > 0 {
                plies.push(TreePly { before, color: node.color, mv: node.mv });
            }
            let place = plies.len();
            open.extend(node.children.iter().rev().map(|&child| (child, place)));
        }
        plies
    }

    /// The ply after which the position stands that is shown.
    pub fn at(&self) -> usize {
        self.at
    }

    /// A ply by its number, if it is there.
    pub fn node(&self, number: usize) -> Option<&Node> {
        self.nodes.get(number).filter(|node| !node.is_cut)
    }

    /// Plays on from the position shown: the ply that is there already, or a new one.
    ///
    /// # Errors
    /// Says how many plies there may be.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), String> {
        let is_same =
            |&&child: &&usize| (self.nodes[child].color, self.nodes[child].mv) == (color, mv);
        let known = self.nodes[self.at].children.iter().find(is_same).copied();
        let next = match known {
            Some(next) => next,
            None if self.nodes.len() >= NODES_MAX => {
                return Err(format!("a board keeps at most {NODES_MAX} plies"));
            }
            None => {
                let next = self.nodes.len();
                let (parent, value, children) = (self.at, None, Vec::new());
                self.nodes.push(Node { parent, color, mv, value, children, is_cut: false });
                self.nodes[self.at].children.push(next);
                next
            }
        };
        let is_ahead = self.path_to(self.tip).contains(&next);
        self.at = next;
        if !is_ahead {
            self.tip = next;
        }
        Ok(())
    }

    /// Shows the position after a ply.
    ///
    /// # Errors
    /// Names the ply that is not there.
    pub fn go_to(&mut self, number: usize) -> Result<(), String> {
        self.node(number).ok_or_else(|| format!("there is no ply {number}"))?;
        self.at = number;
        if !self.path_to(self.tip).contains(&number) {
            let mut tip = number;
            while let Some(&next) = self.nodes[tip].children.first() {
                tip = next;
            }
            self.tip = tip;
        }
        Ok(())
    }

    /// Goes back by one ply, which is taken off if nothing follows it.
    pub fn undo(&mut self) {
        if self.at == 0 {
            return;
        }
        match self.nodes[self.at].children.is_empty() {
            true => self.cut(self.at),
            false => self.at = self.nodes[self.at].parent,
        }
    }

    /// Takes a ply off with all that follows it; the start stays.
    pub fn cut(&mut self, number: usize) {
        let Some(parent) = self.node(number).map(|node| node.parent).filter(|_| number > 0) else {
            return;
        };
        self.nodes[parent].children.retain(|&child| child != number);
        let mut left = vec![number];
        while let Some(next) = left.pop() {
            self.nodes[next].is_cut = true;
            left.extend(std::mem::take(&mut self.nodes[next].children));
        }
        if self.nodes[self.at].is_cut {
            self.at = parent;
        }
        if self.nodes[self.tip].is_cut {
            self.tip = self.at;
        }
        // The numbers of the last plies are free again: taken back and forth nothing grows.
        while self.nodes.last().is_some_and(|node| node.is_cut) {
            self.nodes.pop();
        }
    }

    /// Notes what the position shown is worth to Black, 0 to 1.
    pub fn judge(&mut self, value: f64) {
        self.nodes[self.at].value = Some(value);
    }

    /// Numbers of the plies from the first to this one.
    fn path_to(&self, number: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = number;
        while at != 0 {
            path.push(at);
            at = self.nodes[at].parent;
        }
        path.reverse();
        path
    }

    /// Numbers of the plies that lead to the position shown.
    pub fn played(&self) -> Vec<usize> {
        self.path_to(self.at)
    }

    /// Numbers of the plies of the line shown, those beyond the position with them.
    pub fn shown(&self) -> Vec<usize> {
        self.path_to(self.tip)
    }

    /// The plies that lead to the position shown.
    pub fn plies(&self) -> Vec<(Color, Move)> {
        let node = |number: usize| (self.nodes[number].color, self.nodes[number].mv);
        self.played().into_iter().map(node).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const B: Color = Color::Black;
    const W: Color = Color::White;

    fn point(at: usize) -> Move {
        Move::point(at)
    }

    /// A line without variations, shown at its end.
    fn line(plies: &[(Color, Move)]) -> MoveTree {
        let mut tree = MoveTree::default();
        plies.iter().for_each(|&(color, mv)| drop(tree.play(color, mv)));
        tree
    }

    #[test]
    fn a_second_way_to_go_on_is_a_variation_and_the_first_stays() {
        let mut tree = line(&[(B, point(1)), (W, point(2)), (B, point(3))]);
        tree.go_to(1).expect("there");
        assert_eq!((tree.played(), tree.shown()), (vec![1], vec![1, 2, 3]));
        tree.play(W, point(2)).expect("room");
        assert_eq!((tree.at(), tree.shown()), (2, vec![1, 2, 3]), "the same ply is no variation");
        tree.undo();
        tree.play(W, point(9)).expect("room");
        assert_eq!((tree.played(), tree.shown()), (vec![1, 4], vec![1, 4]));
        assert_eq!(tree.node(1).expect("there").children, [2, 4]);
        tree.go_to(3).expect("still there");
        assert_eq!(tree.plies(), [(B, point(1)), (W, point(2)), (B, point(3))]);
    }

    #[test]
    fn variations_come_back_as_they_went() {
        let ply = |before, color, at| TreePly { before, color, mv: point(at) };
        let plies = [ply(0, B, 1), ply(1, W, 2), ply(2, B, 3), ply(2, B, 5), ply(0, B, 9)];
        let mut tree = MoveTree::grown(&plies);
        assert_eq!(tree.plies(), [(B, point(1)), (W, point(2)), (B, point(3))], "the main line");
        assert_eq!(tree.plies_with_variations(), plies);
        tree.cut(3);
        let left = [ply(0, B, 1), ply(1, W, 2), ply(2, B, 5), ply(0, B, 9)];
        assert_eq!(tree.plies_with_variations(), left);
        // The same ply twice in a file is one on the board.
        let twice = [ply(0, B, 1), ply(0, B, 1), ply(2, W, 2)];
        assert_eq!(MoveTree::grown(&twice).plies_with_variations(), plies[..2]);
    }

    #[test]
    fn undo_takes_off_what_nothing_follows() {
        let mut tree = line(&[(B, point(1)), (W, point(2))]);
        for at in (0..2).rev() {
            tree.undo();
            assert_eq!((tree.at(), tree.shown().len()), (at, at));
        }
        tree.undo();
        assert!(tree.go_to(1).is_err());
        for round in 0..3 * NODES_MAX {
            tree.play(B, point(round % 7)).expect("room");
            tree.undo();
        }
        assert_eq!(tree.nodes.len(), 1);
    }

    #[test]
    fn a_cut_takes_all_that_follows_and_the_start_stays() {
        let mut tree = line(&[(B, point(1)), (W, point(2)), (B, point(3))]);
        tree.cut(2);
        assert_eq!((tree.at(), tree.shown()), (1, vec![1]));
        tree.cut(0);
        tree.cut(77);
        assert_eq!(tree.plies(), [(B, point(1))]);
    }

    #[test]
    fn there_is_an_end_to_what_is_kept() {
        let mut tree = MoveTree::default();
        let refused = (0..2 * NODES_MAX).find_map(|at| tree.play(B, point(at)).err());
        assert_eq!(refused, Some(format!("a board keeps at most {NODES_MAX} plies")));
    }
}
