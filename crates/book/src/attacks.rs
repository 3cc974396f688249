//! Books that are cut, overwritten, wanted by two, or left without room: refused in words, or whole.

use std::path::Path;

use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Game, Move, Record, Rng};

use crate::{Book, BookError, Costs, Judge, Paths, Place, Reader, Stop, Valued, check, grow};

const PATHS: Paths = Paths { costs: Costs::DROP_OUT, plies_max: 30 };

/// Values by the position's hash.
struct Fixed;

impl Judge<Othello> for Fixed {
    fn value(&mut self, place: &Place<Othello>, moves: &[Move]) -> Option<Valued> {
        let value = 0.4 + (place.position.hash() % 1000) as f64 / 5000.0;
        Some(Valued { best: moves[0], value, is_proven: false })
    }
}

fn more(book: &mut Book<Othello>, positions: u64) -> Result<u64, BookError> {
    let mut left = positions;
    grow(book, &mut [Fixed], &PATHS, &Stop::new(false), &mut |_| {
        left -= 1;
        left > 0
    })
}

fn made(path: &Path, positions: u64) -> Book<Othello> {
    let mut book = Book::open(path, &OthelloRules).expect("a book");
    more(&mut book, positions).expect("room");
    book
}

fn again(path: &Path) -> Result<Book<Othello>, BookError> {
    Book::open(path, &OthelloRules)
}

#[test]
fn two_writers_cannot_have_one_book_and_a_reader_may_look_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.book");
    let mut book = made(&path, 5);
    let refused = again(&path).expect_err("another has it").to_string();
    assert!(refused.contains("another process is writing this book"), "{refused}");
    let reader = Reader::open::<Othello>(&path, &OthelloRules).expect("a reader");
    let before = reader.positions().expect("a count");
    more(&mut book, 5).expect("room");
    assert!(reader.positions().expect("a count") > before);
    drop(book);
    assert!(again(&path).is_ok());
}

#[test]
fn a_book_of_another_game_or_other_rules_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.book");
    drop(made(&path, 2));
    let rules = |side, variant| GomokuRules::new(side, side, variant).expect("rules");
    let free = rules(15, Variant::Freestyle);
    let refused = Reader::open::<Gomoku>(&path, &free).expect_err("Othello's").to_string();
    assert!(refused.contains("is a book of othello 8x8: expected gomoku 15x15"), "{refused}");
    let other = folder.path().join("b.book");
    drop(Book::<Gomoku>::open(&other, &free).expect("a book"));
    for wrong in [rules(15, Variant::Renju), rules(13, Variant::Freestyle)] {
        let refused = Book::<Gomoku>::open(&other, &wrong).expect_err("other rules").to_string();
        assert!(refused.contains("is a book of gomoku 15x15"), "{refused}");
    }
    // Who plays by other rules is told nothing by a book that is at hand.
    let reader = Reader::open::<Gomoku>(&other, &free).expect("a book");
    let record = Record::<Gomoku>::new(&rules(13, Variant::Freestyle));
    assert_eq!(reader.page(&record).expect("no fault"), None);
}

#[test]
fn a_full_disk_keeps_the_book_as_it_was_and_it_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.book");
    let mut book = made(&path, 30);
    book.file()
        .asking(|it| {
            let pages: i64 = it.pragma_query_value(None, "page_count", |row| row.get(0))?;
            it.pragma_update(None, "max_page_count", pages + 1)
        })
        .expect("a limit");
    let refused = more(&mut book, 10_000).expect_err("no room").to_string();
    assert!(refused.contains("the disk is full: the book is whole"), "{refused}");
    drop(book);
    let mut book = again(&path).expect("whole");
    let before = book.nodes().len();
    assert!(before > 20);
    assert_eq!(check(&book), Vec::new());
    more(&mut book, 20).expect("room");
    assert!(book.nodes().len() > before);
}

#[test]
fn a_cut_or_overwritten_book_is_refused_or_whole_and_nothing_panics() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.book");
    let nodes = made(&path, 60).nodes().to_vec();
    let whole = std::fs::read(&path).expect("a file");
    let mut rng = Rng::from_seed(1);
    let mut refused = 0;
    for round in 0..60 {
        let mut bytes = whole.clone();
        if round % 3 == 0 {
            bytes.truncate(rng.below(whole.len() as u32) as usize);
        } else {
            for _ in 0..16 {
                let at = rng.below(whole.len() as u32) as usize;
                bytes[at] = rng.below(256) as u8;
            }
        }
        let bad = folder.path().join(format!("{round}.book"));
        std::fs::write(&bad, &bytes).expect("a file");
        let reader = Reader::open::<Othello>(&bad, &OthelloRules);
        if let Ok(reader) = reader {
            let _ = reader.page(&Record::<Othello>::new(&OthelloRules));
        }
        match Book::<Othello>::look(&bad, &OthelloRules) {
            Ok(book) => {
                // What was overwritten may be a page's unused part, or a name.
                let _ = check(&book);
                assert!(book.nodes().len() <= nodes.len());
            }
            Err(why) => {
                assert!(why.to_string().contains(".book"), "{why}");
                refused += 1;
            }
        }
    }
    assert!(refused >= 20, "{refused} of 60");
}
