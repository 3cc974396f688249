//! What a game knows of a position without playing on: its static evaluation, and what orders moves.

use banyan_games::types::Move;

/// The largest evaluation of a position whose game goes on; the smallest is its negative.
///
/// Finished games are worth more, which leaves a search room above.
pub const EVALUATION_MAX: i32 = 1_000_000_000;

/// One way to evaluate the positions of a game, in whole numbers of a unit of its own.
///
/// All functions are pure, and none is asked about a game that is over.
#[derive(Debug)]
pub struct Evaluation<G> {
    /// What people call it: the value of `--evaluation`.
    pub name: &'static str,
    /// Value for the side to move, at most [`EVALUATION_MAX`] either way.
    pub value: fn(&G) -> i32,
    /// Ranks legal moves by how likely each is to be the best: where a search begins. Any numbers; ties
    /// are left as they are.
    pub rank: fn(&G, &mut [Ranked]),
    /// The value where the position is at rest; else nothing, and the only moves worth a look are
    /// appended: answers to a threat, for instance.
    pub value_at_rest: fn(&G, &mut Vec<Move>) -> Option<i32>,
    /// Appends moves such that no other legal move is better than the best of them, for sure, where these
    /// are few; nothing where that is not known. An only one is followed without effort.
    pub forced: fn(&G, &mut Vec<Move>),
    /// How a search trusts the order of moves, where that is good.
    pub selective: Option<Selective>,
    /// The value at which the side to move wins 73 of 100 games, above 0.
    pub scale: f32,
    /// Whether a search looks at a child (the second) of a position (the first): a cut that loses lines,
    /// for engines whose source has one. Where none is left the position is evaluated as it stands.
    pub keeps: fn(&G, &G) -> bool,
    /// The evaluation of a whole search, where it depends on the position that the search begins from.
    pub of_root: fn(&G) -> Option<Evaluation<G>>,
    /// The same values, ranks and moves, kept up to date from one position to the next, where that costs
    /// less. Whoever puts another function in the place of one of these must put `None` here.
    pub follower: Option<Follow<G>>,
}

/// What follows a search that begins at a position.
pub type Follow<G> = fn(&G) -> Box<dyn Follower<G>>;

/// An [`Evaluation`] on its way through a search: it knows the position that the moves have led to, and is
/// asked about that one alone.
pub trait Follower<G> {
    /// A move is played in `position`, where it is.
    fn play(&mut self, position: &G, mv: Move);
    /// The last of these moves is taken back.
    fn take_back(&mut self);
    /// [`Evaluation::value`].
    fn value(&mut self, position: &G) -> i32;
    /// [`Evaluation::rank`].
    fn rank(&mut self, position: &G, moves: &mut [Ranked]);
    /// [`Evaluation::value_at_rest`].
    fn value_at_rest(&mut self, position: &G, moves: &mut Vec<Move>) -> Option<i32>;
    /// [`Evaluation::forced`].
    fn forced(&mut self, position: &G, moves: &mut Vec<Move>);
}

impl<G: 'static> Evaluation<G> {
    /// What follows a search from this position on.
    pub fn follow(&self, position: &G) -> Box<dyn Follower<G>> {
        match self.follower {
            Some(follower) => follower(position),
            None => Box::new(*self),
        }
    }
}

/// One that looks at each position as if it were the first.
impl<G> Follower<G> for Evaluation<G> {
    fn play(&mut self, _: &G, _: Move) {}

    fn take_back(&mut self) {}

    fn value(&mut self, position: &G) -> i32 {
        (self.value)(position)
    }

    fn rank(&mut self, position: &G, moves: &mut [Ranked]) {
        (self.rank)(position, moves);
    }

    fn value_at_rest(&mut self, position: &G, moves: &mut Vec<Move>) -> Option<i32> {
        (self.value_at_rest)(position, moves)
    }

    fn forced(&mut self, position: &G, moves: &mut Vec<Move>) {
        (self.forced)(position, moves);
    }
}

impl<G> Clone for Evaluation<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Evaluation<G> {}

/// How much a search leaves out because moves are ranked late.
///
/// Values are not quite those of plain minimax then; but who is said to win does win.
///
/// # Source
/// Late move reductions and late move pruning, as programs of chess have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selective {
    /// After so many moves of a position, above 0, the others are first looked at less deep: the later the
    /// less, and as deep as these only where that makes them better than these.
    pub late: usize,
    /// The moves that are looked at in a position with one ply left, above 0.
    pub moves: usize,
    /// How many more they are for each further ply.
    pub moves_a_ply: usize,
}

impl Selective {
    /// The moves that are looked at in a position with so many plies left, above 0: the others only where
    /// all of these lose.
    pub fn breadth(self, draft: u32) -> usize {
        self.moves + self.moves_a_ply * (draft as usize - 1)
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

/// No move is likelier than another.
pub fn no_rank<G>(_: &G, moves: &mut [Ranked]) {
    moves.iter_mut().for_each(|ranked| ranked.rank = 0);
}

/// The rank that `of` gives each move by itself.
pub(crate) fn rank_each(moves: &mut [Ranked], of: impl Fn(Move) -> i32) {
    moves.iter_mut().for_each(|ranked| ranked.rank = of(ranked.mv));
}

/// Every child is looked at.
pub fn all_kept<G>(_: &G, _: &G) -> bool {
    true
}

/// Nothing is known to be forced.
pub fn none_forced<G>(_: &G, _: &mut Vec<Move>) {}

/// The value where there are no `urgent` moves.
pub(crate) fn unless_urgent<G>(
    (position, moves): (&G, &mut Vec<Move>),
    urgent: fn(&G, &mut Vec<Move>),
    value: fn(&G) -> i32,
) -> Option<i32> {
    let before = moves.len();
    urgent(position, moves);
    (moves.len() == before).then(|| value(position))
}
