//! Choice among a book's moves.

use banyan_games::{Move, Rng};

/// A move that a book knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookMove {
    /// The move, in the position as it was asked about.
    pub mv: Move,
    /// Its value to who plays it, 0 to 1.
    pub value: f64,
    /// Valuations of positions after it.
    pub visits: u64,
    /// Games that it was played in.
    pub games: u64,
    /// Tells whether the position after it was valued, or came up in a game whose end is known.
    pub is_judged: bool,
}

/// Way in which a move of the book is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variety {
    /// Moves worth less than the best by more than this are not played; of a value of 0 to 1.
    pub margin: f64,
    /// Draws one of the others by lot, from this seed; without it the best is played.
    pub seed: Option<u64>,
}

impl Variety {
    /// The best move.
    pub const NONE: Variety = Variety { margin: 0.02, seed: None };

    /// The same way with the lots of the n-th draw: a position that is met again is not opened as before.
    pub fn nth(self, draw: u64) -> Variety {
        let seed = self.seed.map(|seed| Rng::from_seed(seed.wrapping_add(draw)).bits());
        Variety { seed, ..self }
    }

    /// One of these moves, the best first; nothing where there is none, or where a move outside the book is
    /// better than all by more than the margin.
    ///
    /// By lot each has a chance in proportion to its visits and games.
    ///
    /// - `spare`: the value of the best move outside the book.
    /// - `turn`: another one draws another lot.
    pub fn choose<'a>(
        &self,
        moves: &'a [BookMove],
        spare: Option<f64>,
        turn: u64,
    ) -> Option<&'a BookMove> {
        let best = moves.first()?;
        if spare.is_some_and(|spare| spare > best.value + self.margin) {
            return None;
        }
        let Some(seed) = self.seed else { return Some(best) };
        let good = || moves.iter().take_while(|it| it.value >= best.value - self.margin);
        let weight =
            |it: &BookMove| u32::try_from(1 + it.visits + it.games).unwrap_or(u32::MAX >> 8);
        let all = good().map(weight).fold(0, u32::saturating_add);
        let mut lot = Rng::from_seed(seed ^ turn).below(all);
        good().find(|it| {
            let weight = weight(it);
            let is_it = lot < weight;
            lot = lot.saturating_sub(weight);
            is_it
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(values: &[(f64, u64)]) -> Vec<BookMove> {
        let moves = values.iter().enumerate();
        let of = |(at, &(value, visits))| {
            let mv = Move::point(at);
            BookMove { mv, value, visits, games: 0, is_judged: true }
        };
        moves.map(of).collect()
    }

    #[test]
    fn without_a_lot_the_best_is_played_and_nothing_where_another_move_is_better() {
        let moves = moves(&[(0.6, 1), (0.59, 99)]);
        let chosen = |spare| Variety::NONE.choose(&moves, spare, 1).map(|it| it.mv);
        assert_eq!(chosen(None), Some(Move::point(0)));
        assert_eq!(chosen(Some(0.61)), Some(Move::point(0)));
        assert_eq!(chosen(Some(0.63)), None);
        assert_eq!(Variety::NONE.choose(&[], None, 1), None);
    }

    #[test]
    fn each_draw_has_its_own_lot_and_a_seed_repeats_them() {
        let moves = moves(&[(0.6, 1), (0.6, 1)]);
        let drawn = || {
            let by_lot = Variety { margin: 0.02, seed: Some(7) };
            let draw = |draw| by_lot.nth(draw).choose(&moves, None, 1).map(|it| it.mv);
            (0..64).map(draw).collect::<Vec<_>>()
        };
        let firsts = drawn().iter().filter(|it| **it == Some(Move::point(0))).count();
        assert!((16..48).contains(&firsts), "{firsts}");
        assert_eq!(drawn(), drawn());
    }

    #[test]
    fn by_lot_each_good_move_is_played_as_often_as_it_weighs() {
        let moves = moves(&[(0.6, 29), (0.59, 9), (0.57, 999)]);
        let by_lot = Variety { margin: 0.02, seed: Some(7) };
        let mut counts = [0; 3];
        for turn in 0..4000 {
            let mv = by_lot.choose(&moves, None, turn).expect("one").mv;
            counts[mv.index().expect("a point")] += 1;
        }
        assert_eq!(counts[2], 0);
        assert!((2800..3200).contains(&counts[0]), "{counts:?}");
    }
}
