//! A book as text: a tree in SGF to look through, or a line for each position.

use std::fmt::Write as _;

use banyan_games::{Color, Game, Listed, Record};
use banyan_records::sgf::{Header, ply_text, write_sgf};

use crate::book::Book;
use crate::graph::{Edge, Graph};
use crate::place::pass_if_forced;

/// Lines of `MOVES; SIDE to move, value V, visits N, games N`, the value for the side to move.
pub fn lines<G: Listed>(book: &Book<G>) -> String {
    let start = G::new(book.rules());
    let mut text = String::new();
    for node in book.nodes() {
        let words: Vec<String> = node.line.iter().map(|&mv| start.move_text(mv)).collect();
        let (side, value) = (node.side, node.value);
        let _ = writeln!(
            text,
            "{}; {side} to move, value {value:.4}, visits {}, games {}",
            words.join(" "),
            node.visits,
            node.games
        );
    }
    text
}

/// The book as a game with variations, the best first, in the image in which each position is kept. A position
/// that several lines lead to is followed in the first.
pub fn sgf<G: Listed>(book: &Book<G>) -> String {
    let start = Record::<G>::new(book.rules());
    let plain = write_sgf(&start, &Header::default());
    let mut text = plain.trim_end().trim_end_matches(')').to_owned();
    let mut writer = Writer { graph: book.graph(), seen: vec![false; book.nodes().len()] };
    writer.node(&mut text, start.position(), 0, banyan_games::Symmetry::NONE);
    text + ")\n"
}

struct Writer<'a> {
    graph: &'a Graph,
    seen: Vec<bool>,
}

impl Writer<'_> {
    /// - `position`: the position as the lines before it reach it, on the way of `frame` from the stored image.
    fn node<G: Game>(
        &mut self,
        text: &mut String,
        position: &G,
        id: usize,
        frame: banyan_games::Symmetry,
    ) {
        if std::mem::replace(&mut self.seen[id], true) {
            text.push_str("C[see another line]");
            return;
        }
        let node = &self.graph.nodes[id];
        let (value, visits, games) = (node.value, node.visits, node.games);
        let _ = write!(text, "C[value {value:.4}, visits {visits}, games {games}]");
        let mut edges: Vec<Edge> = node.edges.clone();
        edges.sort_by(|a, b| {
            let value = |edge: &Edge| self.graph.value_of(id, edge);
            value(b).total_cmp(&value(a))
        });
        let has_variations = edges.len() > 1;
        for edge in edges {
            let mv = frame.image(edge.mv, position.size());
            // `check` says so of a book that is damaged.
            if !position.is_legal(mv) {
                continue;
            }
            let color: Color = position.side_to_move();
            let mut next = position.clone();
            next.play(mv);
            pass_if_forced(&mut next);
            let back = next.key().symmetry.inverse();
            if has_variations {
                text.push_str("\n(");
            }
            text.push_str(&ply_text::<G>(color, mv, position.size()));
            self.node(text, &next, edge.child, back);
            if has_variations {
                text.push(')');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::{Othello, OthelloRules};
    use banyan_records::sgf::{Options, read};

    use super::*;
    use crate::import::{Game as Played, Whose, import};

    fn played(moves: &str) -> Played<Othello> {
        let mut record = Record::<Othello>::new(&OthelloRules);
        for word in moves.split_whitespace() {
            record.play(record.position().parse_move(word).expect("a move")).expect("legal");
        }
        Played { record, winner: Some(Some(Color::Black)), names: [None, None] }
    }

    #[test]
    fn a_tree_is_a_game_that_others_can_read_and_lines_name_every_position() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let mut book = Book::<Othello>::open(&path, &OthelloRules).expect("a book");
        for moves in ["f5 d6 c3 d3 c4", "f5 f6 e6 f4", "d3 c3 c4 c5"] {
            import(&mut book, &played(moves), &Whose { player: None, plies: 9 }).expect("a game");
        }
        let text = sgf(&book);
        let game = read(text.as_bytes(), &Options::default()).expect("a game");
        let record = game.record::<Othello>(&OthelloRules).expect("legal moves");
        assert!(record.plies().len() >= 3, "{text}");
        assert_eq!(lines(&book).lines().count(), book.nodes().len());
        assert!(lines(&book).starts_with("; black to move, value "));
    }
}
