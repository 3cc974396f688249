//! One search by all: who is done first has the answer.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::helpers::Helpers;

/// Asked with the positions that a search has looked at; false ends it.
pub(crate) type GoesOn<'a> = &'a mut dyn FnMut(u64) -> bool;

/// What one search by several threads comes to: the result of `own` or, where that did not come to its end, the
/// first of `help`'s; and the positions that `help` has looked at.
///
/// - `goes_on` is asked in the thread that asks, with the positions of all.
/// - `own` is the search of that thread; the end of it, whatever it is, ends all others.
/// - `help` is that of a helper, by its number; with the positions that it has looked at.
pub(crate) fn race<T: Send, E>(
    helpers: &dyn Helpers,
    goes_on: GoesOn<'_>,
    own: impl FnOnce(GoesOn<'_>) -> Result<T, E>,
    help: impl Fn(usize, GoesOn<'_>) -> (Option<T>, u64) + Sync,
) -> (Result<T, E>, u64) {
    let (is_over, helped, first) = (AtomicBool::new(false), AtomicU64::new(0), Mutex::new(None));
    let (mut own, mut result) = (Some(own), None);
    helpers.run(
        &mut || {
            let _ended = Ending(&is_over);
            let mut goes_on =
                |nodes| !is_over.load(Relaxed) && goes_on(nodes + helped.load(Relaxed));
            result = own.take().map(|own| own(&mut goes_on));
        },
        &|number| {
            let mut counted = 0;
            let mut goes_on = |nodes: u64| {
                helped.fetch_add(nodes - std::mem::replace(&mut counted, nodes), Relaxed);
                !is_over.load(Relaxed)
            };
            let (found, nodes) = help(number, &mut goes_on);
            helped.fetch_add(nodes - counted, Relaxed);
            if let Some(found) = found {
                first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
                is_over.store(true, Relaxed);
            }
        },
    );
    let result = result.expect("helpers run what they are given");
    let first = first.into_inner().unwrap_or_else(PoisonError::into_inner);
    let result = match (result, first) {
        (Err(_), Some(found)) => Ok(found),
        (result, _) => result,
    };
    (result, helped.into_inner())
}

/// Says that it is over when it is dropped, in a panic too: nobody else ends the helpers.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads.
    #[derive(Debug)]
    struct Threads(usize);

    impl Helpers for Threads {
        fn count(&self) -> usize {
            self.0
        }

        fn run(&self, own: &mut dyn FnMut(), help: &(dyn Fn(usize) + Sync)) {
            std::thread::scope(|scope| {
                (0..self.0).for_each(|number| drop(scope.spawn(move || help(number))));
                own();
            });
        }
    }

    /// Looks at position after position until it is told to stop.
    fn endless(goes_on: GoesOn<'_>) -> u64 {
        (1..).find(|&nodes| !goes_on(nodes)).expect("it is stopped")
    }

    #[test]
    fn who_is_done_first_has_the_answer_and_all_positions_count() {
        let own = |goes_on: GoesOn<'_>| Err::<&str, u64>(endless(goes_on));
        let help = |number: usize, goes_on: GoesOn<'_>| match number {
            1 => (Some("it"), 100),
            _ => (None, endless(goes_on)),
        };
        let (found, nodes) = race(&Threads(3), &mut |_| true, own, help);
        assert_eq!(found, Ok("it"));
        assert!(nodes >= 102, "{nodes}");
        let own = |_: GoesOn<'_>| Ok::<&str, u64>("own");
        let help = |_, goes_on: GoesOn<'_>| (None, endless(goes_on));
        assert_eq!(race(&Threads(2), &mut |_| true, own, help).0, Ok("own"));
    }

    #[test]
    fn whoever_asks_is_asked_about_the_positions_of_all_and_stops_all() {
        let own = |goes_on: GoesOn<'_>| Err::<(), u64>(endless(goes_on));
        let help = |_, goes_on: GoesOn<'_>| (None, endless(goes_on));
        let mut asked = 0;
        let mut goes_on = |nodes| {
            asked = nodes;
            nodes < 100_000
        };
        let (found, nodes) = race(&Threads(2), &mut goes_on, own, help);
        let own = found.expect_err("stopped");
        assert!(asked >= 100_000 && own + nodes >= asked && nodes > 0, "{own} {nodes} {asked}");
    }
}
