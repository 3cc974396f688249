//! One book being made: what to look into next, and what becomes of the answers.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use banyan_games::{Key, Listed, Move};

use crate::choice::Paths;
use crate::error::BookError;
use crate::file::{Access, BookFile, LAST_MEANS, LEAF_SECONDS};
use crate::graph::{Graph, Node, State};
use crate::place::Place;
use crate::rows;

/// A book that is open to be written; the only one of its file.
#[derive(Debug)]
pub struct Book<G: Listed> {
    file: BookFile,
    rules: G::Rules,
    start: G,
    graph: Graph,
    /// Positions that somebody looks into.
    busy: HashSet<usize>,
    /// An answer came since the book was opened.
    has_answers: bool,
    /// To be noted: the least time that any of its positions was thought about, once one was.
    leaf_time: Option<Option<Duration>>,
    /// To be noted: how its positions are valued from now on, in words.
    means: Option<String>,
}

/// A position to be looked into.
#[derive(Clone, Debug)]
pub struct Work<G> {
    /// Its number in the book.
    pub(crate) node: usize,
    path: Vec<usize>,
    /// Task that is asked.
    pub task: Task<G>,
}

/// Task for whoever values positions.
#[derive(Clone, Debug)]
pub struct Task<G> {
    /// The position with its line.
    pub place: Place<G>,
    /// Its moves that no search looked into, one of each kind; empty where there are none.
    pub others: Vec<Move>,
    /// The best of these as it was found before, that comes into the book now; nothing where the position is
    /// valued for the first time.
    pub chosen: Option<Move>,
    /// The place that it leads to, where that is to be valued too, with its moves that no search looked into.
    pub child: Option<(Place<G>, Vec<Move>)>,
}

/// The worth of a position to the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valued {
    /// The best move among those that were asked about.
    pub best: Move,
    /// Its value, 0 to 1.
    pub value: f64,
    /// Tells whether that is certain, with the best of all moves.
    pub is_proven: bool,
}

/// Findings on a task.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answer {
    /// About the position's other moves without the chosen one; nothing where none is left.
    pub position: Option<Valued>,
    /// About the place that the chosen one leads to.
    pub child: Option<Valued>,
}

impl<G: Listed> Book<G> {
    /// Opens a book for a game by these rules, or makes an empty one.
    ///
    /// # Errors
    /// [`BookError`] for what is no whole book of these rules, or is written by another process.
    pub fn open(path: &Path, rules: &G::Rules) -> Result<Book<G>, BookError> {
        let mut book = Book::with(BookFile::open::<G>(path, rules, Access::Write)?, rules)?;
        // A new one has its start alone.
        if !book.graph.changed.is_empty() {
            book.save()?;
        }
        Ok(book)
    }

    /// Opens a book that is there to look at all of it, beside whoever writes it; it cannot be saved.
    ///
    /// # Errors
    /// [`BookError`] for what is no whole book of these rules.
    pub fn look(path: &Path, rules: &G::Rules) -> Result<Book<G>, BookError> {
        Book::with(BookFile::open::<G>(path, rules, Access::Read)?, rules)
    }

    fn with(file: BookFile, rules: &G::Rules) -> Result<Book<G>, BookError> {
        let start = G::new(rules);
        let mut graph = rows::load(&file, &start)?;
        if graph.nodes.is_empty() {
            graph.at(&Place::<G>::start(rules));
        }
        if graph.nodes[0].key != start.key().packed {
            return Err(file.damaged("its first position is not the start".to_owned()));
        }
        Ok(Book {
            file,
            rules: rules.clone(),
            start,
            graph,
            busy: HashSet::new(),
            has_answers: false,
            leaf_time: None,
            means: None,
        })
    }

    /// Its positions, the start first.
    pub fn nodes(&self) -> &[Node] {
        &self.graph.nodes
    }

    /// The rules.
    pub fn rules(&self) -> &G::Rules {
        &self.rules
    }

    pub(crate) fn start_key(&self) -> Key {
        self.start.key()
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(crate) fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// Writes what changed, whole or not at all; before the first answer, how it was found.
    ///
    /// # Errors
    /// [`BookError`]; the positions in the file are as they were.
    pub fn save(&mut self) -> Result<(), BookError> {
        if self.has_answers {
            if let Some(least) = self.leaf_time {
                self.note(LEAF_SECONDS, &least.unwrap_or_default().as_secs_f64().to_string())?;
                self.leaf_time = None;
            }
            if let Some(means) = &self.means {
                self.note(LAST_MEANS, means)?;
                self.means = None;
            }
        }
        rows::save(&self.file, &self.start, &mut self.graph)
    }

    #[cfg(test)]
    pub(crate) fn file(&self) -> &BookFile {
        &self.file
    }

    /// Writes a line about the book itself.
    fn note(&self, name: &str, value: &str) -> Result<(), BookError> {
        self.file
            .asking(|it| it.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value)))?;
        Ok(())
    }

    /// Positions will be thought about for so long from now on, or by no such measure: a book states the least of its
    /// builds, from the first position on that is saved; and by these means, in words, of which it states the last.
    ///
    /// # Errors
    /// [`BookError`] where the book cannot be read.
    pub fn thinks_by(&mut self, means: String, time: Option<Duration>) -> Result<(), BookError> {
        // A position in which a game ended is certain without any thought.
        let has_values = self.nodes().iter().any(|node| node.visits > 0);
        let before = self.file.leaf_time()?;
        self.leaf_time = Some(if has_values { before.min(time) } else { time });
        self.means = Some(means);
        Ok(())
    }

    /// The next position to look into; nothing where there is none but those somebody has.
    pub fn next(&mut self, paths: &Paths) -> Option<Work<G>> {
        loop {
            let path = paths.cheapest(&self.graph, &self.busy)?;
            let node = *path.last()?;
            match self.task(node) {
                Some(task) => {
                    self.busy.insert(node);
                    return Some(Work { node, path, task });
                }
                // What it waits for cannot be asked: its moves are all in the book.
                None => self.close(node),
            }
        }
    }

    fn task(&self, id: usize) -> Option<Task<G>> {
        let node = &self.graph.nodes[id];
        let place = Place::<G>::after_line(&self.rules, &node.line)?;
        let mut moves = self.others(&place);
        let chosen = node.spare.filter(|_| node.state == State::Valued).map(|(mv, _)| mv);
        let child = chosen.and_then(|mv| place.after(mv)).map(|(child, _)| child);
        if let Some(child) = &child {
            moves.retain(|(_, key)| *key != child.key);
        }
        let others: Vec<Move> = moves.into_iter().map(|(mv, _)| mv).collect();
        // Games alone say less than the search that chose the move.
        let is_unvalued = |child: &Place<G>| {
            self.graph.find(&child.key).is_none_or(|id| self.graph.is_from_games(id))
        };
        let is_open = |child: &Place<G>| child.position.outcome().is_none();
        let to_value = child.filter(is_unvalued).filter(is_open).map(|child| {
            let moves = self.others(&child).into_iter().map(|(mv, _)| mv).collect();
            (child, moves)
        });
        (chosen.is_some() || !others.is_empty()).then_some(Task {
            place,
            others,
            chosen,
            child: to_value,
        })
    }

    /// A place's moves that no search looked into, one of each kind, with the positions after them.
    fn others(&self, place: &Place<G>) -> Vec<(Move, Vec<u8>)> {
        let edges = self.graph.find(&place.key).map_or(&[][..], |id| &self.graph.nodes[id].edges);
        let open = place.moves().into_iter().filter_map(|(mv, key)| {
            let edge = edges.iter().find(|edge| self.graph.nodes[edge.child].key == key);
            match edge {
                // Of moves that symmetry makes one, the one that games brought.
                Some(edge) => self.graph.is_from_games(edge.child).then_some((edge.mv, key)),
                None => Some((mv, key)),
            }
        });
        open.collect()
    }

    /// Nothing more can be found out about a position but by its moves.
    fn close(&mut self, id: usize) {
        let node = &mut self.graph.nodes[id];
        node.spare = None;
        node.wanted = 0;
        node.state = State::Valued;
        self.graph.changed.insert(id);
        self.graph.release_parents(id);
        self.graph.back_up(id);
    }

    /// Somebody gives up what it had taken.
    pub(crate) fn give_up(&mut self, work: &Work<G>) {
        self.busy.remove(&work.node);
    }

    /// Takes in what was found out, in memory; [`Book::save`] writes it.
    pub(crate) fn take_in(&mut self, work: &Work<G>, answer: &Answer) {
        self.has_answers = true;
        self.busy.remove(&work.node);
        let child = work.task.chosen.and_then(|mv| {
            let (place, _) = work.task.place.after(mv)?;
            Some((mv, place))
        });
        // A move that leads out of what books hold is no spare move any more: nobody could follow it.
        if let Some((mv, place)) = &child {
            let id = self.graph.at(place);
            self.graph.link(work.node, *mv, id);
            if self.graph.nodes[id].state == State::Waiting
                && let Some(valued) = answer.child
            {
                self.settle(id, Some(valued));
            }
        }
        self.settle(work.node, answer.position);
        let node = &mut self.graph.nodes[work.node];
        node.wanted = node.wanted.saturating_sub(1);
        self.visit(work, child.map(|(mv, _)| mv));
        self.graph.back_up(work.node);
    }

    fn settle(&mut self, id: usize, valued: Option<Valued>) {
        let is_leaf = self.graph.nodes[id].edges.is_empty();
        let node = &mut self.graph.nodes[id];
        node.state = State::Valued;
        node.spare = valued.map(|it| (it.best, it.value));
        if let Some(certain) = valued.filter(|it| it.is_proven && is_leaf) {
            node.state = State::Proven;
            node.value = certain.value;
            // Who reaches it may play on by what was proven.
            node.spare = Some((certain.best, certain.value));
        }
        node.visits = node.visits.max(1);
        self.graph.changed.insert(id);
        self.graph.release_parents(id);
        // A proven value does not come from its moves, so it is told to those above here.
        self.graph.back_up(id);
        for parent in self.graph.nodes[id].parents.clone() {
            self.graph.back_up(parent);
        }
    }

    /// One valuation more for all on the way.
    fn visit(&mut self, work: &Work<G>, last: Option<Move>) {
        for pair in work.path.windows(2) {
            // Somebody else has it meanwhile: from now on it is known by what was found below it.
            if self.graph.is_from_games(pair[0]) {
                self.graph.release_parents(pair[0]);
                for parent in self.graph.nodes[pair[0]].parents.clone() {
                    self.graph.back_up(parent);
                }
            }
            self.graph.nodes[pair[0]].visits += 1;
            self.graph.changed.insert(pair[0]);
            let edges = &self.graph.nodes[pair[0]].edges;
            let taken = edges.iter().find(|edge| edge.child == pair[1]).map(|edge| edge.mv);
            self.count_visit(pair[0], taken);
        }
        if last.is_some() {
            self.graph.nodes[work.node].visits += 1;
            self.count_visit(work.node, last);
        }
    }

    fn count_visit(&mut self, parent: usize, mv: Option<Move>) {
        if let Some(edge) = mv.and_then(|mv| self.graph.edge_mut(parent, mv)) {
            edge.visits += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;
    use crate::choice::Costs;
    use crate::file::facts;

    const PATHS: Paths = Paths { costs: Costs::DROP_OUT, plies_max: 60 };

    fn answer(task: &Task<Othello>, value: f64) -> Answer {
        let valued =
            |moves: &[Move]| moves.first().map(|&best| Valued { best, value, is_proven: false });
        Answer {
            position: valued(&task.others),
            child: task.child.as_ref().and_then(|(_, moves)| valued(moves)),
        }
    }

    fn grown(path: &Path, positions: usize) -> Book<Othello> {
        let mut book = Book::open(path, &OthelloRules).expect("a book");
        while book.nodes().len() < positions {
            let work = book.next(&PATHS).expect("there is always more");
            book.take_in(&work, &answer(&work.task, 0.5));
            book.save().expect("room");
        }
        book
    }

    #[test]
    fn a_book_is_the_same_after_it_was_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let before = grown(&path, 12);
        let nodes = before.nodes().to_vec();
        drop(before);
        let again = Book::<Othello>::open(&path, &OthelloRules).expect("a book");
        assert_eq!(again.nodes(), nodes);
        assert!(nodes[0].visits >= 12, "{}", nodes[0].visits);
        // The four first moves are one.
        assert_eq!((nodes[0].edges.len(), nodes[0].spare), (1, None));
    }

    #[test]
    fn a_book_states_the_least_time_of_its_builds() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let of_milliseconds = |it| Some(Duration::from_millis(it));
        // What is stated while it is built like this, before and after a position.
        let built = |milliseconds: Option<u64>| {
            let mut book = Book::<Othello>::open(&path, &OthelloRules).expect("a book");
            book.thinks_by(String::new(), milliseconds.and_then(of_milliseconds))
                .expect("a whole book");
            book.save().expect("room");
            let before = facts(&path).expect("a book").leaf_time();
            let work = book.next(&PATHS).expect("there is always more");
            book.take_in(&work, &answer(&work.task, 0.5));
            book.save().expect("room");
            (before, facts(&path).expect("a book").leaf_time())
        };
        assert_eq!(built(Some(1500)), (None, of_milliseconds(1500)));
        assert_eq!(built(Some(2000)), (of_milliseconds(1500), of_milliseconds(1500)));
        assert_eq!(built(Some(500)), (of_milliseconds(1500), of_milliseconds(500)));
        assert_eq!(built(None), (of_milliseconds(500), None));
        assert_eq!(built(Some(500)), (None, None));
    }

    #[test]
    fn the_end_of_an_imported_game_was_not_thought_about() {
        use banyan_games::Game as _;
        use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
        let folder = tempfile::tempdir().expect("a folder");
        let rules = GomokuRules::new(9, 9, Variant::Freestyle).expect("rules");
        let mut book = Book::<Gomoku>::open(&folder.path().join("a.book"), &rules).expect("a book");
        let mut record = banyan_games::Record::<Gomoku>::new(&rules);
        for at in [0, 40, 1, 41, 2, 42, 3, 50, 4] {
            record.play(Move::point(at)).expect("legal");
        }
        let winner = record.position().outcome().map(|it| it.winner());
        let game = crate::Game { record, winner, names: [None, None] };
        let whose = crate::Whose { player: None, plies: 20 };
        crate::import(&mut book, &game, &whose).expect("a game");
        assert!(book.nodes().iter().any(|node| node.state == State::Proven));
        let time = Some(Duration::from_secs(1));
        book.thinks_by("a test".to_owned(), time).expect("a whole book");
        assert_eq!(book.leaf_time, Some(time));
    }

    #[test]
    fn a_position_somebody_has_is_not_given_to_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = grown(&folder.path().join("a.book"), 6);
        let (one, two) = (book.next(&PATHS).expect("one"), book.next(&PATHS).expect("two"));
        assert_ne!(one.node, two.node);
        book.give_up(&one);
        assert_eq!(book.next(&PATHS).expect("again").node, one.node);
    }

    #[test]
    fn what_was_proven_is_not_looked_into_again_and_counts_above() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = grown(&folder.path().join("a.book"), 3);
        let work = book.next(&PATHS).expect("one");
        let (_, moves) = work.task.child.clone().expect("a new place");
        let certain = Valued { best: moves[0], value: 1.0, is_proven: true };
        book.take_in(&work, &Answer { child: Some(certain), ..answer(&work.task, 0.4) });
        let proven = book.nodes().iter().position(|it| it.state == State::Proven).expect("one");
        assert_eq!(book.nodes()[proven].value, 1.0);
        for _ in 0..30 {
            let work = book.next(&PATHS).expect("more");
            assert_ne!(work.node, proven);
            book.take_in(&work, &answer(&work.task, 0.5));
        }
    }
}
