//! The order in which a search looks at the moves of a position.

/// The places of moves in their order, and after them those that were put off since others were searching them.
#[derive(Debug)]
pub(crate) struct Places {
    count: usize,
    next: usize,
    /// Takes no memory while there are none.
    deferred: Vec<usize>,
}

impl Places {
    /// Those of so many moves.
    #[inline]
    pub fn of(count: usize) -> Places {
        Places { count, next: 0, deferred: Vec::new() }
    }

    /// The next place, and whether it comes for the first time.
    #[inline]
    pub fn next(&mut self) -> Option<(usize, bool)> {
        let next = self.next;
        self.next += 1;
        match next.checked_sub(self.count) {
            None => Some((next, true)),
            Some(later) => self.deferred.get(later).map(|&place| (place, false)),
        }
    }

    /// This place comes once more, after all others.
    #[inline]
    pub fn defer(&mut self, place: usize) {
        self.deferred.push(place);
    }

    /// None comes any more but those that were put off.
    #[inline]
    pub fn leave_out_others(&mut self) {
        self.next = self.next.max(self.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_off_comes_after_all_others_once() {
        let mut places = Places::of(4);
        let mut seen = Vec::new();
        while let Some((place, is_new)) = places.next() {
            if place % 2 == 1 && is_new {
                places.defer(place);
            }
            seen.push((place, is_new));
        }
        let expected = [(0, true), (1, true), (2, true), (3, true), (1, false), (3, false)];
        assert_eq!(seen, expected);
    }

    #[test]
    fn others_are_left_out_and_not_what_was_put_off() {
        let mut places = Places::of(9);
        assert_eq!(places.next(), Some((0, true)));
        places.defer(0);
        assert_eq!(places.next(), Some((1, true)));
        places.leave_out_others();
        assert_eq!((places.next(), places.next()), (Some((0, false)), None));
    }
}
