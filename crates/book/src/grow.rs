//! The loop that makes a book grow: positions out to whoever values them, answers in, each written at once.

use std::sync::atomic::{AtomicBool, Ordering};

use banyan_games::{Listed, Move};
use crossbeam_channel::bounded;

use crate::book::{Answer, Book, Task, Valued, Work};
use crate::choice::Paths;
use crate::error::BookError;
use crate::graph::Node;
use crate::place::Place;

/// Values positions, on a thread of its own.
pub trait Judge<G>: Send {
    /// The best of these moves, at least one, and the position's worth by it; nothing when it was told to stop.
    fn value(&mut self, place: &Place<G>, moves: &[Move]) -> Option<Valued>;
}

/// A book that has grown to its end waits for whoever reads it, so often for as long as a commit waits.
const SAVES_MAX: usize = 12;

/// When to stop: set by anybody at any time. Whatever is being valued then is thrown away.
pub type Stop = AtomicBool;

/// A book that has grown.
#[derive(Debug)]
pub struct Progress<'a, G> {
    /// The position that was looked into.
    pub place: &'a Place<G>,
    /// The move that came into the book.
    pub chosen: Option<Move>,
    /// All positions, the start first.
    pub nodes: &'a [Node],
}

/// Lets a book grow until it is told to stop or there is nothing more to look into, as many positions at once as
/// there are judges. Returns how many it looked into.
///
/// - `tell` is told of each answer, once it is in the book; and ends it by saying false.
///
/// # Errors
/// [`BookError`] where an answer cannot be written. All that was written before is in the file. What somebody who
/// reads the book keeps from being written comes with the next answer.
pub fn grow<G: Listed, J: Judge<G>>(
    book: &mut Book<G>,
    judges: &mut [J],
    paths: &Paths,
    stop: &Stop,
    tell: &mut dyn FnMut(Progress<'_, G>) -> bool,
) -> Result<u64, BookError> {
    let count = judges.len();
    std::thread::scope(|scope| {
        // Each judge has one position, and none waits.
        let (tasks, to_do) = bounded::<Work<G>>(count);
        let (done, answers) = bounded::<(Work<G>, Option<Answer>)>(count);
        for judge in judges {
            let (to_do, done) = (to_do.clone(), done.clone());
            scope.spawn(move || {
                for work in to_do {
                    let answer = answer(judge, &work.task);
                    if done.send((work, answer)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let (mut lent, mut grown, mut result) = (0, 0, Ok(()));
        let mut is_saved = true;
        loop {
            while lent < count && !stop.load(Ordering::Relaxed) {
                let Some(work) = book.next(paths) else { break };
                lent += 1;
                let _ = tasks.send(work);
            }
            if lent == 0 {
                break;
            }
            let Ok((work, answer)) = answers.recv() else { break };
            lent -= 1;
            let Some(answer) = answer.filter(|_| result.is_ok()) else {
                book.give_up(&work);
                continue;
            };
            book.take_in(&work, &answer);
            match save(book) {
                Ok(saved) => is_saved = saved,
                Err(why) => result = Err(why),
            }
            let Task { place, chosen, .. } = &work.task;
            let progress = Progress { place, chosen: *chosen, nodes: book.nodes() };
            grown += u64::from(result.is_ok());
            if result.is_err() || !tell(progress) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        drop(tasks);
        result?;
        for _ in 0..SAVES_MAX {
            if is_saved {
                return Ok(grown);
            }
            is_saved = save(book)?;
        }
        book.save().map(|()| grown)
    })
}

/// Writes what changed; false where somebody who reads the book keeps it from being written.
fn save<G: Listed>(book: &mut Book<G>) -> Result<bool, BookError> {
    match book.save() {
        Ok(()) => Ok(true),
        Err(BookError::Held { .. }) => Ok(false),
        Err(why) => Err(why),
    }
}

fn answer<G>(judge: &mut impl Judge<G>, task: &Task<G>) -> Option<Answer> {
    let mut value = |place: &Place<G>, moves: &[Move]| match moves.is_empty() {
        true => Some(None),
        false => judge.value(place, moves).map(Some),
    };
    let child = match &task.child {
        Some((place, moves)) => value(place, moves)?,
        None => None,
    };
    Some(Answer { child, position: value(&task.place, &task.others)? })
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    use super::*;
    use crate::choice::Costs;

    /// Values by the moves' order: any value will do, and the same ones each time.
    struct Fixed;

    impl Judge<Gomoku> for Fixed {
        fn value(&mut self, place: &Place<Gomoku>, moves: &[Move]) -> Option<Valued> {
            let value = 0.4 + (place.position.hash() % 1000) as f64 / 5000.0;
            Some(Valued { best: moves[moves.len() / 2], value, is_proven: false })
        }
    }

    #[test]
    fn many_judges_make_one_whole_book_and_it_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let rules = GomokuRules::new(7, 7, Variant::Freestyle).expect("rules");
        let paths = Paths { costs: Costs::LEAST_COST, plies_max: 20 };
        for round in 1..=2 {
            let mut book = Book::<Gomoku>::open(&path, &rules).expect("a book");
            let before = book.nodes().len();
            let mut left = 40;
            let grown =
                grow(&mut book, &mut [Fixed, Fixed, Fixed], &paths, &Stop::new(false), &mut |_| {
                    left -= 1;
                    left > 0
                });
            let grown = grown.expect("room");
            assert!((40..=42).contains(&grown), "{grown}");
            assert!(book.nodes().len() > before + 20, "round {round}");
            assert_eq!(crate::check(&book), Vec::new());
        }
    }

    #[test]
    fn whoever_reads_for_long_does_not_end_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let rules = GomokuRules::new(7, 7, Variant::Freestyle).expect("rules");
        let paths = Paths { costs: Costs::LEAST_COST, plies_max: 20 };
        let mut book = Book::<Gomoku>::open(&path, &rules).expect("a book");
        let reader = Book::<Gomoku>::look(&path, &rules).expect("a book");
        let hold = |sql| reader.file().asking(|it| it.execute_batch(sql)).expect("a reader");
        for held in [3, 6] {
            hold("BEGIN; SELECT count(*) FROM nodes;");
            let mut told = 0;
            let mut tell = |_: Progress<'_, Gomoku>| {
                told += 1;
                if told == held {
                    hold("COMMIT;");
                }
                told < 5
            };
            let grown = grow(&mut book, &mut [Fixed], &paths, &Stop::new(false), &mut tell);
            let seen = Book::<Gomoku>::look(&path, &rules).expect("a whole book").nodes().len();
            if held == 3 {
                assert_eq!((grown.expect("written in the end"), seen), (5, book.nodes().len()));
            } else {
                // Somebody who never ends.
                let why = grown.expect_err("a reader").to_string();
                assert!(why.contains("another program has been reading this book"), "{why}");
                assert!(seen < book.nodes().len(), "{seen}");
                hold("COMMIT;");
            }
        }
    }

    #[test]
    fn whoever_looks_at_a_growing_book_sees_a_whole_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let rules = GomokuRules::new(9, 9, Variant::Freestyle).expect("rules");
        let paths = Paths { costs: Costs::LEAST_COST, plies_max: 20 };
        let mut book = Book::<Gomoku>::open(&path, &rules).expect("a book");
        let stop = Stop::new(false);
        std::thread::scope(|scope| {
            let growing =
                scope.spawn(|| grow(&mut book, &mut [Fixed, Fixed], &paths, &stop, &mut |_| true));
            let looks = (0..200).map(|_| Book::<Gomoku>::look(&path, &rules).map(drop));
            let wrong: Vec<String> = looks.filter_map(|it| Some(it.err()?.to_string())).collect();
            stop.store(true, Ordering::Relaxed);
            assert!(growing.join().expect("it ends").expect("room") > 0);
            // What waited for a commit too long saw none of it.
            assert!(wrong.iter().all(|why| !why.contains("damaged")), "{wrong:?}");
        });
    }

    #[test]
    fn a_book_that_has_nothing_yet_is_looked_at() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.book");
        let rules = GomokuRules::new(7, 7, Variant::Freestyle).expect("rules");
        let book = Book::<Gomoku>::open(&path, &rules).expect("a book");
        book.file().asking(|it| it.execute_batch("DELETE FROM nodes")).expect("an open book");
        drop(book);
        assert_eq!(Book::<Gomoku>::look(&path, &rules).expect("a book").nodes().len(), 1);
    }

    #[test]
    fn a_book_whose_plies_are_looked_through_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = GomokuRules::new(5, 5, Variant::Freestyle).expect("rules");
        let path = folder.path().join("a.book");
        let mut book = Book::<Gomoku>::open(&path, &rules).expect("a book");
        let paths = Paths { costs: Costs::DROP_OUT, plies_max: 2 };
        grow(&mut book, &mut [Fixed], &paths, &Stop::new(false), &mut |_| true).expect("room");
        // The start, the centre, and the five answers to it that symmetries leave of 24.
        assert_eq!(book.nodes().len(), 7);
    }
}
