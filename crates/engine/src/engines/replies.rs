//! The opponent's likely replies, and how much of his time each is worth to a classical engine.
//!
//! A static look and then a short search say which replies are likely; each of these gets a share of the time,
//! by what the deepest look so far says that it is worth to him. So shares follow what is found out. No threads:
//! who searches, and until when, is said from outside.
//!
//! # Source
//! S3: only the likely replies are searched.

use std::num::NonZeroU32;
use std::time::Duration;

use banyan_games::{Move, Record};
use banyan_knowledge::{Evaluation, Ranked};
use banyan_search::Searchable;
use banyan_search::classical::{Found, is_decided};

/// By a static look so many times as many replies are kept as will be searched.
const LOOKED_AT_PER_REPLY: usize = 4;

/// These many likeliest have a share of at least this part.
const FLOOR_REPLIES: usize = 4;
const FLOOR: f64 = 1.0 / 64.0;

/// One look at a reply lasts so long, and later half as long as all before: a look that ends before a depth is
/// finished is not lost, but a longer one loses less.
const LOOK_MIN: Duration = Duration::from_millis(50);

/// A reply of the opponent's, a whole turn, and what was found of the position after it.
#[derive(Clone, Debug)]
pub(super) struct Reply<G: Searchable> {
    /// Its first ply.
    pub mv: Move,
    /// The game after it, which goes on.
    pub record: Record<G>,
    /// Our moves there.
    pub moves: Vec<Move>,
    /// The deepest look.
    pub found: Option<Found>,
    /// Positions of all looks.
    pub nodes: u64,
    /// Time of all looks.
    pub spent: Duration,
    /// Nothing more is to be found out.
    pub is_done: bool,
}

impl<G: Searchable> Reply<G> {
    fn after(record: &Record<G>, mv: Move) -> Option<Reply<G>> {
        let mut record = record.clone();
        record.play(mv).ok()?;
        let reply = Reply {
            mv,
            record,
            moves: Vec::new(),
            found: None,
            nodes: 0,
            spent: Duration::ZERO,
            is_done: false,
        };
        reply.goes_on().then_some(reply)
    }

    fn goes_on(&self) -> bool {
        self.record.position().outcome().is_none()
    }

    /// Returns its worth to the opponent; he has moved, so that it is our turn after it.
    pub fn worth(&self) -> i32 {
        self.found.as_ref().map_or(0, |found| -found.value)
    }

    /// Counts a look in; `is_whole` where it ended by itself.
    pub fn count(&mut self, found: Found, time: Duration, is_whole: bool) {
        self.nodes += found.nodes;
        self.spent += time;
        self.is_done = is_whole || found.is_exact || is_decided(found.value);
        if self.found.as_ref().is_none_or(|before| found.depth >= before.depth) {
            self.found = Some(found);
        }
    }
}

/// Somebody who looks at a position for a moment.
pub(super) trait Looks<G: Searchable> {
    /// The best of `moves` at the end of `record`, after a look of about a thousand positions.
    fn glance(&mut self, record: &Record<G>, moves: &[Move]) -> Found;

    /// The best of `moves` at the end of `record`, by what is remembered of it, or else such a look.
    fn best(&mut self, record: &Record<G>, moves: &[Move]) -> Move;
}

/// The likely replies at the end of a record whose game goes on, the likeliest first.
///
/// - `top`: at most so many.
/// - `goes_on`: whether there is time left; without it those that were looked at.
pub(super) fn likely<G: Searchable>(
    record: &Record<G>,
    evaluation: &dyn Evaluation<G>,
    top: NonZeroU32,
    looks: &mut dyn Looks<G>,
    goes_on: &dyn Fn() -> bool,
) -> Vec<Reply<G>> {
    let top = top.get() as usize;
    let mut ranked: Vec<Ranked> = record.candidates().into_iter().map(Ranked::new).collect();
    evaluation.rank(record.position(), &mut ranked);
    ranked.sort_by_key(|it| std::cmp::Reverse(it.rank));
    ranked.truncate(LOOKED_AT_PER_REPLY * top);
    let replies = ranked.into_iter().filter_map(|it| Reply::after(record, it.mv));
    let looked_at = |reply: Reply<G>| {
        let mut reply = whole_turn(reply, record, looks)?;
        reply.moves = reply.record.candidates();
        let found = looks.glance(&reply.record, &reply.moves);
        reply.count(found, Duration::ZERO, false);
        Some(reply)
    };
    let mut replies: Vec<Reply<G>> =
        replies.take_while(|_| goes_on()).filter_map(looked_at).collect();
    replies.sort_by_key(|reply| std::cmp::Reverse(reply.worth()));
    replies.truncate(top);
    replies
}

/// The same with the rest of the opponent's turn, as a look has it; nothing where that ends the game.
fn whole_turn<G: Searchable>(
    mut reply: Reply<G>,
    before: &Record<G>,
    looks: &mut dyn Looks<G>,
) -> Option<Reply<G>> {
    let opponent = before.position().side_to_move();
    while reply.record.position().side_to_move() == opponent {
        let moves = reply.record.candidates();
        let rest = looks.best(&reply.record, &moves);
        reply.record.play(rest).ok()?;
        if !reply.goes_on() {
            return None;
        }
    }
    Some(reply)
}

/// The share of each reply, in their order: as likely as the odds are that its worth is a win, with a floor for
/// the likeliest few. They sum up to 1.
///
/// - `scale`: of the evaluation, see [`Evaluation::scale`].
pub(super) fn shares(worths: &[i32], scale: f32) -> Vec<f64> {
    let best = worths.iter().copied().max().unwrap_or(0);
    let likely = |worth: i32| (-(f64::from(best) - f64::from(worth)) / f64::from(scale)).exp();
    let mut shares: Vec<f64> = worths.iter().map(|&worth| likely(worth)).collect();
    let sum: f64 = shares.iter().sum();
    let mut order: Vec<usize> = (0..worths.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(worths[at]));
    for (place, at) in order.into_iter().enumerate() {
        let floor = if place < FLOOR_REPLIES { FLOOR } else { 0.0 };
        shares[at] = (shares[at] / sum).max(floor);
    }
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    shares
}

/// The reply that is furthest behind its share, and how long to look at it; nothing when all are done.
pub(super) fn next<G: Searchable>(replies: &[Reply<G>], scale: f32) -> Option<(usize, Duration)> {
    let worths: Vec<i32> = replies.iter().map(Reply::worth).collect();
    let shares = shares(&worths, scale);
    let behind = |&at: &usize| replies[at].spent.as_secs_f64() / shares[at].max(f64::MIN_POSITIVE);
    let open = (0..replies.len()).filter(|&at| !replies[at].is_done);
    let at = open.min_by(|one, other| behind(one).total_cmp(&behind(other)))?;
    Some((at, LOOK_MIN.max(replies[at].spent / 2)))
}

#[cfg(test)]
mod tests {
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::othello::{Othello, OthelloRules};
    use banyan_games::{Color, Game as _};
    use banyan_knowledge::Knowledge;

    use super::*;

    fn found(value: i32, best: Move) -> Found {
        let line = vec![best];
        Found { best, value, line, depth: 1, is_exact: false, nodes: 1, passes: 1 }
    }

    /// Takes a position for worth what its evaluation says.
    struct ByEvaluation;

    impl<G: Searchable> Looks<G> for ByEvaluation {
        fn glance(&mut self, record: &Record<G>, moves: &[Move]) -> Found {
            found(G::evaluations()[0].value(record.position()), moves[0])
        }

        fn best(&mut self, _: &Record<G>, moves: &[Move]) -> Move {
            moves[0]
        }
    }

    const TOP: NonZeroU32 = NonZeroU32::new(3).expect("not 0");

    #[test]
    fn likely_replies_are_those_after_which_we_stand_worst() {
        let mut record = Record::<Othello>::new(&OthelloRules);
        for text in ["f5", "d6", "c3", "d3"] {
            let mv = record.position().parse_move(text).expect("a move");
            record.play(mv).expect("legal");
        }
        let evaluation = &*Othello::evaluations()[0];
        let replies = likely(&record, evaluation, TOP, &mut ByEvaluation, &|| true);
        let worth_of = |mv: Move| {
            let mut child = record.position().clone();
            child.play(mv);
            -evaluation.value(&child)
        };
        let mut all: Vec<i32> = record.candidates().into_iter().map(worth_of).collect();
        all.sort_by_key(|&worth| std::cmp::Reverse(worth));
        let worths: Vec<i32> = replies.iter().map(Reply::worth).collect();
        assert_eq!(worths, all[..3]);
        assert!(all.len() > 3);
        let none = likely(&record, evaluation, TOP, &mut ByEvaluation, &|| false);
        assert!(none.is_empty(), "whoever has no time looks at nothing");
    }

    #[test]
    fn a_reply_is_a_whole_turn() {
        let mut record = Record::<Connect6>::new(&Connect6Rules::new(19).expect("a size"));
        let mv = record.position().parse_move("k10").expect("a move");
        record.play(mv).expect("legal");
        let evaluation = &*Connect6::evaluations()[0];
        let replies = likely(&record, evaluation, TOP, &mut ByEvaluation, &|| true);
        assert_eq!(replies.len(), 3);
        assert!(replies.iter().all(|it| it.record.position().side_to_move() == Color::Black));
        assert!(replies.iter().all(|it| it.record.plies().len() == 3));
    }

    #[test]
    fn shares_are_odds_with_a_floor_for_the_likeliest_few() {
        // e⁰ : e⁻¹ : e⁻² = 1 : 0.3679 : 0.1353, of 1.5032.
        let three = shares(&[200, 100, 0], 100.0);
        let expected = [0.6652, 0.2447, 0.0900];
        assert!(
            three.iter().zip(expected).all(|(share, it)| (share - it).abs() < 1e-3),
            "{three:?}"
        );
        let lost = shares(&[-100_000, 0, -100_000, -100_000, -200_000], 100.0);
        assert!(lost[0] > 0.014 && lost[4] == 0.0 && lost[1] > 0.9, "{lost:?}");
        assert!((lost.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn time_goes_to_the_replies_by_their_shares() {
        let record = Record::<Othello>::new(&OthelloRules);
        let moves = record.candidates();
        let mut replies: Vec<Reply<Othello>> =
            moves.iter().filter_map(|&mv| Reply::after(&record, mv)).collect();
        // The second is worth a scale more to the opponent than each other; the last is lost for him, and known.
        let values = [100, 0, 100, 500];
        for (reply, value) in replies.iter_mut().zip(values) {
            reply.count(found(value, moves[0]), Duration::ZERO, value == 500);
        }
        for _ in 0..2_000 {
            let Some((at, _)) = next(&replies, 100.0) else { panic!("three are open") };
            let look = found(values[at], moves[0]);
            replies[at].count(look, Duration::from_millis(1), false);
        }
        let spent: Vec<u128> = replies.iter().map(|reply| reply.spent.as_millis()).collect();
        assert_eq!(spent[3], 0);
        // 1 : e⁻¹ and the same again.
        assert!((380..450).contains(&spent[0]) && spent[1] > 1_100, "{spent:?}");
        replies.iter_mut().for_each(|reply| reply.is_done = true);
        assert_eq!(next(&replies, 100.0), None);
    }
}
