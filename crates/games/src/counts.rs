//! Sums of playouts from one position: integers, so that adding commutes.

use crate::types::{Color, Margin, Move, Outcome};

/// Watches one playout. The methods are called in the order in which things happen.
///
/// A game calls `played` or `forced` for every ply of the playout (passes left out), then `ended` once.
pub trait Observer {
    /// Tells whether `ended` wants the owner of each point. Games skip the work where it is false.
    const WANTS_OWNERS: bool;

    /// `color` put a stone on `point`.
    fn played(&mut self, color: Color, point: Move);

    /// The same for a stone that had to be put there, so that it says little of what the point is worth.
    fn forced(&mut self, color: Color, point: Move) {
        self.played(color, point);
    }

    /// The game is over; `owner` tells for a point index who holds it in the final position.
    fn ended(&mut self, outcome: Outcome, owner: impl Fn(usize) -> Option<Color>);
}

/// Watches nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    const WANTS_OWNERS: bool = false;

    #[inline]
    fn played(&mut self, _: Color, _: Move) {}

    #[inline]
    fn ended(&mut self, _: Outcome, _: impl Fn(usize) -> Option<Color>) {}
}

/// Sums over the playouts of one batch, from Black's view where a view matters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games that Black won.
    pub wins: u32,
    /// Games that nobody won.
    pub draws: u32,
    /// Games that White won.
    pub losses: u32,
    /// Sum of the margins, in half points.
    pub margin_sum: i64,
    /// Plies of all playouts, passes with them: from the leaf to the end.
    pub plies: u64,
    /// Per point and colour, where it was asked for.
    pub amaf: Option<Amaf>,
    /// Per point: playouts that ended with Black holding it minus those with White, where asked for.
    pub ownership: Option<Vec<i32>>,
}

/// The per-move tally of "all moves as first": which stones stood in won playouts.
///
/// Both vectors have two entries a point: index `2 * point + color`.
/// Only the first stone that a playout puts on a point counts, for the side that put it there, and one
/// that was forced does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amaf {
    /// Playouts in which this side was the first to play the point.
    pub visits: Vec<u32>,
    /// Twice the wins plus the draws of that side in those playouts.
    pub half_wins: Vec<u32>,
}

impl Amaf {
    /// All zero, for a board of this many points.
    pub fn new(area: usize) -> Amaf {
        Amaf { visits: vec![0; 2 * area], half_wins: vec![0; 2 * area] }
    }

    /// Returns the index of a point and colour in the two vectors.
    #[inline]
    pub fn slot(point: usize, color: Color) -> usize {
        2 * point + color.index()
    }

    fn merge(&mut self, other: &Amaf) {
        add_all(&mut self.visits, &other.visits);
        add_all(&mut self.half_wins, &other.half_wins);
    }
}

impl Counts {
    /// All zero, with room for what is asked.
    pub fn new(area: usize, asked: Asked) -> Counts {
        Counts {
            amaf: asked.amaf.then(|| Amaf::new(area)),
            ownership: asked.ownership.then(|| vec![0; area]),
            ..Counts::default()
        }
    }

    /// All zero again, with the same room.
    pub fn clear(&mut self) {
        let Counts { wins, draws, losses, margin_sum, plies, amaf, ownership } = self;
        (*wins, *draws, *losses, *margin_sum, *plies) = (0, 0, 0, 0, 0);
        if let Some(amaf) = amaf {
            amaf.visits.fill(0);
            amaf.half_wins.fill(0);
        }
        if let Some(ownership) = ownership {
            ownership.fill(0);
        }
    }

    /// Playouts counted.
    #[inline]
    pub fn playouts(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Counts one ended game that took `plies` plies.
    #[inline]
    pub fn add(&mut self, outcome: Outcome, plies: u32) {
        match outcome.winner() {
            Some(Color::Black) => self.wins += 1,
            None => self.draws += 1,
            Some(Color::White) => self.losses += 1,
        }
        let Margin(half_points) = outcome.margin;
        self.margin_sum += i64::from(half_points);
        self.plies += u64::from(plies);
    }

    /// Counts the points that `color` was the first to play in a game that ended so, where asked for.
    #[inline]
    pub fn add_firsts(
        &mut self,
        color: Color,
        outcome: Outcome,
        points: impl Iterator<Item = usize>,
    ) {
        let Some(amaf) = &mut self.amaf else { return };
        let half_wins = match outcome.winner() {
            None => 1,
            Some(winner) => 2 * u32::from(winner == color),
        };
        for point in points {
            let slot = Amaf::slot(point, color);
            amaf.visits[slot] += 1;
            amaf.half_wins[slot] += half_wins;
        }
    }

    /// Counts the points that `color` held at the end of a game, where asked for.
    #[inline]
    pub fn add_area(&mut self, color: Color, points: impl Iterator<Item = usize>) {
        let Some(ownership) = &mut self.ownership else { return };
        let sign = [1, -1][color.index()];
        for point in points {
            ownership[point] += sign;
        }
    }

    /// Adds what another batch counted. What only one of the two was asked for is dropped.
    pub fn merge(&mut self, other: &Counts) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.margin_sum += other.margin_sum;
        self.plies += other.plies;
        match (&mut self.amaf, &other.amaf) {
            (Some(mine), Some(theirs)) => mine.merge(theirs),
            _ => self.amaf = None,
        }
        match (&mut self.ownership, &other.ownership) {
            (Some(mine), Some(theirs)) => add_all(mine, theirs),
            _ => self.ownership = None,
        }
    }
}

/// Counts that a batch wants beyond wins and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Asked {
    /// Per point and colour AMAF counts.
    pub amaf: bool,
    /// Owners of the points at the end.
    pub ownership: bool,
}

/// Fills the AMAF counts and the ownership of a [`Counts`].
///
/// One collector serves many playouts; `half_wins` of a playout are known only when it ends, so the
/// first stones are kept until then.
#[derive(Debug)]
pub struct Collector<'a> {
    counts: &'a mut Counts,
    first: Vec<(u16, Color)>,
    seen: Vec<u32>,
    playout: u32,
}

impl<'a> Collector<'a> {
    /// A collector for a board of `area` points.
    pub fn new(counts: &'a mut Counts, area: usize) -> Collector<'a> {
        Collector { counts, first: Vec::with_capacity(area), seen: vec![0; area], playout: 1 }
    }
}

impl Observer for Collector<'_> {
    const WANTS_OWNERS: bool = true;

    #[inline]
    fn played(&mut self, color: Color, point: Move) {
        let seen = &mut self.seen[usize::from(point.0)];
        if *seen != self.playout {
            *seen = self.playout;
            self.first.push((point.0, color));
        }
    }

    fn forced(&mut self, _: Color, point: Move) {
        self.seen[usize::from(point.0)] = self.playout;
    }

    fn ended(&mut self, outcome: Outcome, owner: impl Fn(usize) -> Option<Color>) {
        let half_wins = match outcome.winner() {
            Some(Color::Black) => [2, 0],
            None => [1, 1],
            Some(Color::White) => [0, 2],
        };
        if let Some(amaf) = &mut self.counts.amaf {
            for &(point, color) in &self.first {
                let slot = Amaf::slot(usize::from(point), color);
                amaf.visits[slot] += 1;
                amaf.half_wins[slot] += half_wins[color.index()];
            }
        }
        if let Some(ownership) = &mut self.counts.ownership {
            for (point, sum) in ownership.iter_mut().enumerate() {
                *sum += match owner(point) {
                    Some(Color::Black) => 1,
                    None => 0,
                    Some(Color::White) => -1,
                };
            }
        }
        self.first.clear();
        self.playout += 1;
    }
}

fn add_all<T: Copy + std::ops::AddAssign>(into: &mut [T], from: &[T]) {
    debug_assert_eq!(into.len(), from.len());
    for (a, b) in into.iter_mut().zip(from) {
        *a += *b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_stone_on_a_point_counts_and_a_draw_is_half_a_win() {
        let mut counts = Counts::new(4, Asked { amaf: true, ownership: true });
        let mut collector = Collector::new(&mut counts, 4);
        collector.played(Color::Black, Move::point(2));
        collector.played(Color::White, Move::point(2));
        collector.played(Color::White, Move::point(3));
        collector.ended(Outcome::DRAW, |p| (p == 2).then_some(Color::White));
        collector.played(Color::White, Move::point(2));
        collector.ended(Outcome::win(Color::White), |_| Some(Color::Black));
        let amaf = counts.amaf.as_ref().expect("asked for");
        assert_eq!(amaf.visits, [0, 0, 0, 0, 1, 1, 0, 1]);
        assert_eq!(amaf.half_wins, [0, 0, 0, 0, 1, 2, 0, 1]);
        assert_eq!(counts.ownership.as_deref(), Some(&[1, 1, 0, 1][..]));
    }

    #[test]
    fn merging_commutes() {
        let mut a = Counts::new(1, Asked { amaf: true, ownership: false });
        a.add(Outcome::win(Color::Black), 9);
        let mut b = a.clone();
        b.add(Outcome::DRAW, 7);
        let (mut ab, mut ba) = (a.clone(), b.clone());
        ab.merge(&b);
        ba.merge(&a);
        assert_eq!(ab, ba);
        assert_eq!((ab.playouts(), ab.plies, ab.margin_sum), (3, 25, 4));
    }
}
