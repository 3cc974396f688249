//! A game's knowledge of a position without playing on: its static evaluation, and what orders moves.

use std::fmt::Debug;
use std::sync::Arc;

use banyan_games::types::Move;

use crate::digest::Digest;

/// The largest evaluation of a position whose game goes on; the smallest is its negative.
///
/// Finished games are worth more, which leaves a search room above.
pub const EVALUATION_MAX: i32 = 1_000_000_000;

/// Share of wins, 0 to 1, that a value stands for.
///
/// - `scale`: that of its evaluation, see [`Evaluation::scale`].
pub fn share_of(value: i32, scale: f32) -> f64 {
    1.0 / (1.0 + libm::exp(-f64::from(value) / f64::from(scale)))
}

/// One way to evaluate the positions of a game, in whole numbers of a unit of its own.
///
/// A value of this kind may hold what it learned; who shares one shares an [`Arc`] of it. It never changes:
/// every answer depends on the position alone. None is asked about a game that is over.
pub trait Evaluation<G>: Debug + Send + Sync {
    /// Its name for people: the value of `--evaluation`.
    fn name(&self) -> &str;

    /// The identity of this evaluation: its name and the contents of its model.
    fn digest(&self) -> Digest;

    /// The value at which the side to move wins 73 of 100 games, above 0.
    fn scale(&self) -> f32;

    /// Value for the side to move, at most [`EVALUATION_MAX`] either way.
    fn value(&self, position: &G) -> i32;

    /// Appends the values of many positions, in their order: for models that take several at once.
    fn evaluate_many(&self, positions: &[&G], values: &mut Vec<i32>) {
        values.extend(positions.iter().map(|position| self.value(position)));
    }

    /// Ranks legal moves by how likely each is to be the best: where a search begins. Any numbers; ties
    /// are left as they are.
    fn rank(&self, position: &G, moves: &mut [Ranked]) {
        let _ = position;
        moves.iter_mut().for_each(|ranked| ranked.rank = 0);
    }

    /// The value where the position is quiet; else nothing, and the only moves worth a look are appended:
    /// answers to a threat, for instance.
    fn quiescence_value(&self, position: &G, moves: &mut Vec<Move>) -> Option<i32> {
        let _ = moves;
        Some(self.value(position))
    }

    /// Appends moves such that no other legal move wins or holds, for sure, where the best of them does not, where these
    /// are few; nothing where that is not known. An only one is followed without effort.
    fn forced(&self, position: &G, moves: &mut Vec<Move>) {
        let _ = (position, moves);
    }

    /// The reduction and pruning of late moves in a search, where the order of moves is good.
    fn late_moves(&self) -> Option<LateMoves> {
        None
    }

    /// Tells whether a search looks at a child of a position: a cut that loses lines, for engines whose
    /// source has one. Where none is left the position is evaluated as it stands.
    fn keeps(&self, parent: &G, child: &G) -> bool {
        let _ = (parent, child);
        true
    }

    /// The evaluation of a whole search, where it depends on the position that the search begins from.
    fn of_root(&self, position: &G) -> Option<Arc<dyn Evaluation<G>>> {
        let _ = position;
        None
    }

    /// The same values, ranks and moves along a search that begins at this position, kept up to date from
    /// one position to the next, where that costs less.
    fn accumulator(&self, position: &G) -> Option<Box<dyn Accumulator<G> + '_>> {
        let _ = position;
        None
    }
}

/// An [`Evaluation`] on its way through a search: it knows the position that the moves have led to, and is
/// asked about that one alone.
pub trait Accumulator<G> {
    /// A move is played in `position`, where it is.
    fn play(&mut self, position: &G, mv: Move);
    /// The last of these moves is taken back.
    fn take_back(&mut self);
    /// [`Evaluation::value`].
    fn value(&mut self, position: &G) -> i32;
    /// [`Evaluation::rank`].
    fn rank(&mut self, position: &G, moves: &mut [Ranked]);
    /// [`Evaluation::quiescence_value`].
    fn quiescence_value(&mut self, position: &G, moves: &mut Vec<Move>) -> Option<i32>;
    /// [`Evaluation::forced`].
    fn forced(&mut self, position: &G, moves: &mut Vec<Move>);
}

/// An evaluation that looks at each position as if it were the first.
struct Afresh<'a, G>(&'a dyn Evaluation<G>);

impl<G> Accumulator<G> for Afresh<'_, G> {
    fn play(&mut self, _: &G, _: Move) {}

    fn take_back(&mut self) {}

    fn value(&mut self, position: &G) -> i32 {
        self.0.value(position)
    }

    fn rank(&mut self, position: &G, moves: &mut [Ranked]) {
        self.0.rank(position, moves);
    }

    fn quiescence_value(&mut self, position: &G, moves: &mut Vec<Move>) -> Option<i32> {
        self.0.quiescence_value(position, moves)
    }

    fn forced(&mut self, position: &G, moves: &mut Vec<Move>) {
        self.0.forced(position, moves);
    }
}

/// The accumulator of a search from this position on: the evaluation's own accumulator, or one that looks at
/// each position afresh.
pub fn accompany<'a, G: 'a>(
    evaluation: &'a dyn Evaluation<G>,
    position: &G,
) -> Box<dyn Accumulator<G> + 'a> {
    evaluation.accumulator(position).unwrap_or_else(|| Box::new(Afresh(evaluation)))
}

/// The evaluation of a search that begins at this position.
pub fn at_root<G>(evaluation: &Arc<dyn Evaluation<G>>, position: &G) -> Arc<dyn Evaluation<G>> {
    evaluation.of_root(position).unwrap_or_else(|| evaluation.clone())
}

/// Late-move reductions and late-move pruning: how much a search leaves out of moves that are ranked late.
///
/// Values are not quite those of plain minimax then; but who is said to win does win.
///
/// # Source
/// Romstad 2006 for reductions; pruning by count as programs of chess have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateMoves {
    /// After so many moves of a position, above 0, the others are first looked at less deep: the later the
    /// less, and as deep as these only where that makes them better than these.
    pub reduced_after: usize,
    /// After so many moves of a position with one ply left, above 0, the others are pruned.
    pub pruned_after: usize,
    /// Additional moves that are looked at for each further ply.
    pub pruned_after_a_ply: usize,
}

impl LateMoves {
    /// The moves that are looked at in a position with so many plies left, above 0: the others only where
    /// all of these lose.
    pub fn searched(self, depth: u32) -> usize {
        self.pruned_after + self.pruned_after_a_ply * (depth as usize - 1)
    }
}

/// A move, and how early it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// The greatest is first.
    pub rank: i32,
}

impl Ranked {
    /// A move of no rank yet.
    pub fn new(mv: Move) -> Ranked {
        Ranked { mv, rank: 0 }
    }
}

/// The rank that `of` gives each move by itself.
pub(crate) fn rank_each(moves: &mut [Ranked], of: impl Fn(Move) -> i32) {
    moves.iter_mut().for_each(|ranked| ranked.rank = of(ranked.mv));
}

/// The value where there are no `urgent` moves.
pub(crate) fn unless_urgent<G>(
    (position, moves): (&G, &mut Vec<Move>),
    urgent: impl Fn(&G, &mut Vec<Move>),
    value: impl Fn(&G) -> i32,
) -> Option<i32> {
    let before = moves.len();
    urgent(position, moves);
    (moves.len() == before).then(|| value(position))
}
