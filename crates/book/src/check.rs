//! Check of a book: every line leads to its position, every move to its own, every value comes
//! from those below it.

use std::collections::HashSet;

use banyan_games::Listed;

use crate::book::Book;
use crate::graph::State;
use crate::place::Place;

/// Values that differ by less are the same.
const VALUE_TOLERANCE: f64 = 1e-9;

/// Something that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A line that leads elsewhere.
    #[error("position {0}: its line '{1}' leads to another position")]
    Line(usize, String),
    /// A move that leads elsewhere.
    #[error("position {0}: its move {1} does not lead to position {2}")]
    Edge(usize, String, usize),
    /// The wrong side.
    #[error("position {0}: it is not {1}'s turn")]
    Side(usize, banyan_games::Color),
    /// A value that was not backed up.
    #[error("position {0}: its value is {1}, and by its moves it is {2}")]
    Value(usize, String, String),
    /// A move outside the book that is in it, or cannot be played.
    #[error("position {0}: its best move outside the book, {1}, is in it or cannot be played")]
    Spare(usize, String),
    /// Nobody gets there.
    #[error("position {0}: no move of the book leads there")]
    Stray(usize),
}

/// All that does not fit; positions are numbered from 1, as their rows are.
pub fn check<G: Listed>(book: &Book<G>) -> Vec<Fault> {
    let graph = book.graph();
    let mut faults = Vec::new();
    let mut reached: HashSet<usize> = HashSet::from([0]);
    for (id, node) in graph.nodes.iter().enumerate() {
        let row = id + 1;
        let start = G::new(book.rules());
        let words: Vec<String> = node.line.iter().map(|&mv| start.move_text(mv)).collect();
        let place = Place::<G>::after_line(book.rules(), &node.line);
        let Some(place) = place.filter(|place| place.key == node.key) else {
            faults.push(Fault::Line(row, words.join(" ")));
            continue;
        };
        if place.position.side_to_move() != node.side {
            faults.push(Fault::Side(row, node.side));
        }
        for edge in &node.edges {
            reached.insert(edge.child);
            let is_legal = place.position.is_legal(edge.mv);
            let next = is_legal.then(|| place.after(edge.mv)).flatten();
            if next.is_none_or(|(next, _)| next.key != graph.nodes[edge.child].key) {
                faults.push(Fault::Edge(row, start.move_text(edge.mv), edge.child + 1));
            }
        }
        if let Some((mv, _)) = node.spare {
            // What a position was proven by stays, and what it was judged by until a search values that, also where
            // games brought the move into the book.
            let mut valued = node.edges.iter().filter(|edge| !graph.is_from_games(edge.child));
            let is_in = node.state != State::Proven && valued.any(|edge| edge.mv == mv);
            if is_in || !place.position.is_legal(mv) {
                faults.push(Fault::Spare(row, start.move_text(mv)));
            }
        }
        let expected = graph.backed_up(id);
        if (expected - node.value).abs() > VALUE_TOLERANCE {
            faults.push(Fault::Value(row, node.value.to_string(), expected.to_string()));
        }
    }
    let stray = (0..graph.nodes.len()).filter(|id| !reached.contains(id));
    faults.extend(stray.map(|id| Fault::Stray(id + 1)));
    faults
}

#[cfg(test)]
mod tests {
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    use super::*;
    use crate::book::Valued;
    use crate::choice::{Costs, Paths};

    #[test]
    fn what_was_changed_behind_its_back_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let rules = GomokuRules::new(9, 9, Variant::Freestyle).expect("rules");
        let mut book = Book::<Gomoku>::open(&path, &rules).expect("a book");
        let paths = Paths { costs: Costs::DROP_OUT, plies_max: 9 };
        for _ in 0..10 {
            let work = book.next(&paths).expect("work");
            let valued = |moves: &[_]| {
                moves.first().map(|&best| Valued { best, value: 0.6, is_proven: false })
            };
            let child = work.task.child.as_ref().and_then(|(_, moves)| valued(moves));
            let answer = crate::book::Answer { position: valued(&work.task.others), child };
            book.take_in(&work, &answer);
        }
        book.save().expect("room");
        assert_eq!(check(&book), Vec::new());
        drop(book);
        let changed = |change: &str| {
            let database = rusqlite::Connection::open(&path).expect("a database");
            database.execute_batch(change).expect("a change");
            drop(database);
            let book = Book::<Gomoku>::open(&path, &rules);
            let found =
                book.map(|book| check(&book).iter().map(Fault::to_string).collect::<Vec<_>>());
            found.unwrap_or_else(|refused| vec![refused.to_string()]).join("\n")
        };
        let found = changed("UPDATE nodes SET value = 0.123 WHERE id = 3");
        assert!(found.contains("position 3: its value is 0.123"), "{found}");
        let found = changed("UPDATE nodes SET line = 'a1' WHERE id = 4");
        assert!(found.contains("position 4: its line"), "{found}");
        let found = changed("UPDATE edges SET move = 60000 WHERE parent = 1");
        assert!(found.contains("position 1: there is no move 60000"), "{found}");
        let found = changed("UPDATE nodes SET hash = 7 WHERE id = 5");
        assert!(found.contains("position 5 and its hash differ"), "{found}");
        let found = changed("PRAGMA foreign_keys = OFF; DELETE FROM nodes WHERE id = 5");
        assert!(found.contains("position 5 is missing"), "{found}");
    }
}
