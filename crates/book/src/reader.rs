//! A book as players ask it: a position in, its moves out.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use banyan_games::{Color, Game, Key, Listed, Move, Record};
use rusqlite::OptionalExtension as _;

use crate::error::BookError;
use crate::file::{Access, BookFile};
use crate::graph::{Node, State, turned};
use crate::place::key_of;
use crate::rows::{NODE, count, node_of};
use crate::variety::{BookMove, Variety};

/// The value of an even game.
const EVEN: f64 = 0.5;

/// A position as a book knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The position; its edges are not in it.
    pub node: Node,
    /// Its moves, the best first.
    pub moves: Vec<BookMove>,
}

impl Page {
    /// The best move outside the book, as it was asked about, and its value to the side to move.
    pub fn outside<G: Game>(&self, record: &Record<G>) -> Option<(Move, f64)> {
        let (mv, value) = self.node.spare?;
        let mv = as_asked(record, mv);
        let is_known = self.moves.iter().any(|known| known.mv == mv);
        (!is_known).then_some((mv, value))
    }
}

/// A book that is open to be read; writers may be at work meanwhile.
#[derive(Debug)]
pub struct Reader {
    /// One question at a time.
    file: Mutex<BookFile>,
    name: String,
    rules: String,
}

impl Reader {
    /// Opens a book for a game by these rules.
    ///
    /// # Errors
    /// [`BookError`] for what is no whole book of these rules.
    pub fn open<G: Listed>(path: &Path, rules: &G::Rules) -> Result<Reader, BookError> {
        Reader::of(BookFile::open::<G>(path, rules, Access::Read)?)
    }

    /// A book that is part of the program.
    ///
    /// # Errors
    /// [`BookError`] for what is no whole book.
    pub fn of_bytes(name: &str, bytes: &'static [u8]) -> Result<Reader, BookError> {
        Reader::of(BookFile::of_bytes(name, bytes)?)
    }

    fn of(file: BookFile) -> Result<Reader, BookError> {
        let (name, rules) = (file.name.clone(), file.facts()?.rules);
        Ok(Reader { file: Mutex::new(file), name, rules })
    }

    /// Its name, for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells whether it is for this game by these rules.
    pub fn is_for<G: Game>(&self, rules: &G::Rules) -> bool {
        self.rules == rules.to_string()
    }

    /// Its positions, count.
    ///
    /// # Errors
    /// [`BookError`] where the book cannot be read.
    pub fn positions(&self) -> Result<u64, BookError> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.asking(|it| it.query_row("SELECT count(*) FROM nodes", [], |row| count(row, 0)))
    }

    /// The book's page on the game's position; nothing where it is not in it.
    ///
    /// # Errors
    /// [`BookError`] where the book turns out to be damaged, or cannot be read.
    pub fn page<G: Game>(&self, record: &Record<G>) -> Result<Option<Page>, BookError> {
        if !self.is_for::<G>(record.start().rules()) {
            return Ok(None);
        }
        let Some(key) = key_of(record) else { return Ok(None) };
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let found = file.asking(|it| {
            let question = format!("SELECT {NODE} FROM nodes WHERE hash = ? AND position = ?");
            let mut rows = it.prepare_cached(&question)?;
            rows.query_row((key.hash() as i64, &key.packed), |row| node_of(record.start(), row))
                .optional()
        })?;
        let Some((id, node)) = found.transpose().map_err(|reason| file.damaged(reason))? else {
            return Ok(None);
        };
        let mut moves = edges(&file, id, node.side)?;
        let (size, back) = (record.position().size(), key.symmetry.inverse());
        for known in &mut moves {
            // A search says more than the games that followed the move.
            known.value = node.judged(known.mv).unwrap_or(known.value);
            known.is_judged |= node.judged(known.mv).is_some();
            known.mv = back.image(known.mv, size);
        }
        moves.retain(|known| record.is_legal(known.mv));
        moves.sort_by(|a, b| {
            let by_value = b.value.total_cmp(&a.value);
            by_value.then(b.visits.cmp(&a.visits)).then(a.mv.cmp(&b.mv))
        });
        Ok(Some(Page { node, moves }))
    }

    /// The move that the book plays, with all that it knows there; nothing where it does not decide.
    ///
    /// Moves that nobody judged, neither a search nor a game whose end is known, are not played.
    /// A move that is not in the book yet, but the best outside it, is played where the book thought about it for
    /// as long as a search would, or knows for certain how it ends.
    ///
    /// - `time`: what a search in place of the book would take at most, where that is known.
    ///
    /// # Errors
    /// As [`Reader::page`].
    pub fn choose<G: Game>(
        &self,
        record: &Record<G>,
        variety: &Variety,
        time: Option<Duration>,
    ) -> Result<Option<(BookMove, Page)>, BookError> {
        let Some(page) = self.page(record)? else { return Ok(None) };
        // Moves that are known from games alone are played where they did not lose more than they won.
        let is_waiting = page.node.state == State::Waiting;
        let spare = page.node.spare.map(|(_, value)| value).or(is_waiting.then_some(EVEN));
        let judged: Vec<BookMove> = page.moves.iter().copied().filter(|it| it.is_judged).collect();
        let chosen = variety.choose(&judged, spare, record.position().hash()).copied();
        let outside = match page.node.spare {
            Some(spare) if chosen.is_none() && self.is_thorough(&page.node, time)? => Some(spare),
            _ => None,
        };
        let outside = outside.map(|(mv, value)| {
            let mv = as_asked(record, mv);
            BookMove { mv, value, visits: 0, games: 0, is_judged: true }
        });
        let chosen = chosen.or(outside.filter(|it| record.is_legal(it.mv)));
        Ok(chosen.map(|chosen| (chosen, page)))
    }

    /// Tells whether the best move outside the book is known as well as a search of so long would know it.
    fn is_thorough(&self, node: &Node, time: Option<Duration>) -> Result<bool, BookError> {
        Ok(match node.state {
            State::Waiting => false,
            State::Proven => true,
            State::Valued => {
                // Asked each time: whoever lets the book grow meanwhile may think less.
                let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                let thought = file.leaf_time()?;
                time.is_some_and(|time| thought >= Some(time))
            }
        })
    }
}

/// Turns a move of a page's own image to the position that was asked about.
fn as_asked<G: Game>(record: &Record<G>, mv: Move) -> Move {
    let Key { symmetry, .. } = record.position().key();
    symmetry.inverse().image(mv, record.position().size())
}

fn edges(file: &BookFile, parent: i64, side: Color) -> Result<Vec<BookMove>, BookError> {
    file.asking(|it| {
        let mut rows = it.prepare_cached(
            "SELECT edges.move, nodes.side, nodes.value, edges.visits, edges.games,
                nodes.state = 2 OR nodes.visits > 0 OR nodes.games > 0
             FROM edges JOIN nodes ON nodes.id = edges.child WHERE edges.parent = ?",
        )?;
        let of = |row: &rusqlite::Row<'_>| {
            let child = if row.get::<_, i64>(1)? == 0 { Color::Black } else { Color::White };
            Ok(BookMove {
                mv: Move(row.get(0)?),
                value: turned(row.get(2)?, child, side),
                visits: count(row, 3)?,
                games: count(row, 4)?,
                is_judged: row.get(5)?,
            })
        };
        rows.query_map([parent], of)?.collect()
    })
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;
    use crate::book::{Answer, Book, Valued};
    use crate::choice::{Costs, Paths};

    #[test]
    fn moves_of_games_whose_end_nobody_knows_are_not_played() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let mut book = Book::<Othello>::open(&path, &OthelloRules).expect("a book");
        let opened = Record::<Othello>::new(&OthelloRules);
        let mut record = opened.clone();
        record.play(opened.candidates()[0]).expect("a legal move");
        let mut game = crate::Game { record, winner: None, names: [None, None] };
        let whose = crate::Whose { player: None, plies: 9 };
        let mut chosen = |winner| {
            game.winner = winner;
            crate::import(&mut book, &game, &whose).expect("a game");
            book.save().expect("room");
            let reader = Reader::open::<Othello>(&path, &OthelloRules).expect("a book");
            let shown = reader.page(&opened).expect("a whole book").expect("the start").moves;
            assert_eq!(shown.len(), 1);
            reader.choose(&opened, &Variety::NONE, None).expect("a whole book").is_some()
        };
        assert!(!chosen(None));
        assert!(chosen(Some(None)));
    }

    #[test]
    fn at_the_end_of_a_book_its_best_move_is_played_where_a_search_would_not_think_longer() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let leaf_time = Duration::from_millis(200);
        let mut book = Book::<Othello>::open(&path, &OthelloRules).expect("a book");
        book.thinks_by(String::new(), Some(leaf_time)).expect("a whole book");
        let paths = Paths { costs: Costs::DROP_OUT, plies_max: 60 };
        let valued = |moves: &[Move]| {
            moves.last().map(|&best| Valued { best, value: 0.6, is_proven: false })
        };
        while book.nodes().len() < 2 {
            let work = book.next(&paths).expect("there is more");
            let (position, child) = (&work.task.others, work.task.child.as_ref());
            let child = child.and_then(|(_, moves)| valued(moves));
            book.take_in(&work, &Answer { position: valued(position), child });
        }
        book.save().expect("room");
        let (known, _) = book.nodes()[1].spare.expect("its best move");
        let reader = Reader::open::<Othello>(&path, &OthelloRules).expect("a book");
        let opened = Record::<Othello>::new(&OthelloRules);
        for first in opened.candidates() {
            let mut record = opened.clone();
            record.play(first).expect("a legal move");
            let chosen = |time| {
                let found = reader.choose(&record, &Variety::NONE, time).expect("a whole book");
                found.map(|(chosen, page)| (chosen, page.moves.len()))
            };
            let (found, others) = chosen(Some(leaf_time)).expect("a move");
            assert!(record.is_legal(found.mv));
            assert_eq!((found.value, found.visits, others), (0.6, 0, 0));
            assert_eq!(chosen(Some(leaf_time / 2)), Some((found, 0)));
            assert_eq!(chosen(Some(leaf_time * 2)), None);
            assert_eq!(chosen(None), None);
            // The same move in the book's own image of the position, and another one where that is turned.
            record.play(found.mv).expect("a legal move");
            let mut own = opened.clone();
            for &mv in book.nodes()[1].line.iter().chain([&known]) {
                own.play(mv).expect("a legal move");
            }
            assert_eq!(record.position().key().packed, own.position().key().packed);
        }
    }
}
