//! Decisions of an engine in an opening, by thinking about positions.
//!
//! Three stones that come out about even are laid; White is taken where she stands no worse than
//! even. Where a fifth move will be offered two ways that is part of the judgement: Black gets the
//! lesser of the best move and of the best that is not the same as that by a symmetry.
//!
//! Two more stones are never added: who adds them leaves the choice and gets at most half by this
//! very judgement, who chooses gets at least half.

use banyan_engine::Playable;
use banyan_games::{Color, Move, Record, Size};

use super::decision::{Decision, Rule, Step};
use super::state::{Opening, with_stones};
use super::symmetry;

/// The result of thinking about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opinion {
    /// The move of the side to move.
    pub mv: Move,
    /// Its value in `0.0..=1.0`, for that side.
    pub value: f64,
}

/// One that can think about a position.
pub trait Thinker<G: Playable> {
    /// Thinks about the position of `record`, whose game is not over.
    ///
    /// - `among`: the moves to choose from; empty for all.
    /// - `parts`: it may take one of so many parts of the time of a whole decision.
    fn think(&mut self, record: &Record<G>, among: Vec<Move>, parts: u32) -> Opinion;
}

/// Three stones to choose from where nothing but the swap follows, in columns and rows from the middle
/// of the upper edge: far from the middle of the board, where three stones would be worth too much to
/// Black.
const AT_THE_EDGE: [[(i32, i32); 3]; 5] = [
    [(0, 0), (1, 1), (3, 3)],
    [(0, 1), (2, 0), (-3, 3)],
    [(0, 0), (-1, 2), (4, 1)],
    [(0, 2), (1, 1), (-3, 0)],
    [(0, 1), (1, 2), (4, 0)],
];

/// Searches behind the value of three stones after which a fifth move is offered two ways.
const SEARCHES_FOR_FIFTHS: u32 = 3;

/// The decision that the step of `opening` asks for; nothing where it asks for a move, or where no
/// decision can be made on this board.
pub fn choose<G: Playable>(
    opening: &Opening,
    record: &Record<G>,
    thinker: &mut impl Thinker<G>,
) -> Option<Decision> {
    match opening.step(record.plies().len()) {
        Step::Lay => lay(opening.rule(), record, thinker).map(Decision::Lay),
        Step::Take(_) | Step::TakeOrAdd => {
            let value = value_for_white(opening.rule(), record, thinker, 1);
            Some(Decision::Take(if value < 0.5 { Color::Black } else { Color::White }))
        }
        Step::Offer => fifths(record, thinker, 2).map(|(points, _)| Decision::Offer(points)),
        Step::Keep(offered) => Some(Decision::Keep(keep(offered, record, thinker))),
        Step::Fourth | Step::Over => None,
    }
}

/// The three stones that are nearest to even.
fn lay<G: Playable>(
    rule: Rule,
    record: &Record<G>,
    thinker: &mut impl Thinker<G>,
) -> Option<[Move; 3]> {
    let openings = openings(rule, record.position().size());
    let mut best: Option<(f64, [Move; 3])> = None;
    for &points in &openings {
        let Ok(laid) = with_stones(record, &points) else { continue };
        let value = value_for_white(rule, &laid, thinker, openings.len() as u32);
        let unfairness = (value - 0.5).abs();
        if best.is_none_or(|(least, _)| unfairness < least) {
            best = Some((unfairness, points));
        }
    }
    best.map(|(_, points)| points)
}

/// The value for White, who is to move.
fn value_for_white<G: Playable>(
    rule: Rule,
    record: &Record<G>,
    thinker: &mut impl Thinker<G>,
    parts: u32,
) -> f64 {
    if rule != Rule::TwoFifths {
        return thinker.think(record, Vec::new(), parts).value;
    }
    let parts = parts * SEARCHES_FOR_FIFTHS;
    let fourth = thinker.think(record, Vec::new(), parts);
    let offered = with_stones(record, &[fourth.mv]).ok();
    let offered = offered.and_then(|record| fifths(&record, thinker, parts));
    offered.map_or(fourth.value, |(_, for_black)| 1.0 - for_black)
}

/// The two fifth moves that Black does best to offer, and what the lesser of them is worth to Black.
fn fifths<G: Playable>(
    record: &Record<G>,
    thinker: &mut impl Thinker<G>,
    parts: u32,
) -> Option<([Move; 2], f64)> {
    let best = thinker.think(record, Vec::new(), parts);
    let mut others = record.candidates();
    others.retain(|&mv| !symmetry::are_one(record.position(), best.mv, mv));
    if others.is_empty() {
        return None;
    }
    let second = thinker.think(record, others, parts);
    Some(([best.mv, second.mv], best.value.min(second.value)))
}

/// The fifth move after which White stands better.
fn keep<G: Playable>(
    offered: [Move; 2],
    record: &Record<G>,
    thinker: &mut impl Thinker<G>,
) -> Move {
    let [one, other] = offered.map(|mv| match with_stones(record, &[mv]) {
        Ok(played) => thinker.think(&played, Vec::new(), 2).value,
        Err(_) => 0.0,
    });
    if one >= other { offered[0] } else { offered[1] }
}

/// Three stones to choose from that fit on the board.
fn openings(rule: Rule, size: Size) -> Vec<[Move; 3]> {
    let (width, height) = (i32::from(size.width), i32::from(size.height));
    let all = match rule {
        Rule::TwoFifths => in_the_middle(width / 2, height / 2),
        _ => AT_THE_EDGE.map(|stones| stones.map(|(x, y)| (width / 2 + x, y))).to_vec(),
    };
    let place = |(x, y): (i32, i32)| {
        let fits = (0..width).contains(&x) && (0..height).contains(&y);
        fits.then(|| Move::point((y * width + x) as usize))
    };
    let placed = |stones: [(i32, i32); 3]| {
        let [one, two, three] = stones.map(place);
        Some([one?, two?, three?])
    };
    all.into_iter().filter_map(placed).collect()
}

/// Renju's twenty-six openings: the first stone in the middle, the second beside it, straight or
/// aslant, the third within two steps of the first; one of those that a symmetry makes the same.
fn in_the_middle(x: i32, y: i32) -> Vec<[(i32, i32); 3]> {
    let mut all = Vec::new();
    for aslant in [0, 1] {
        for (right, down) in (-2..=2).flat_map(|right| (-2..=2).map(move |down| (right, down))) {
            let is_taken = (right, down) == (0, 0) || (right, down) == (aslant, -1);
            // Reflected through the line of the first two stones it would be another of these.
            let is_reflection = if aslant == 0 { right < 0 } else { right + down > 0 };
            if !is_taken && !is_reflection {
                all.push([(x, y), (x + aslant, y - 1), (x + right, y + down)]);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::decision::Party;
    use banyan_games::Game;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use std::collections::HashSet;

    fn record(side: u32) -> Record<Gomoku> {
        Record::new(&GomokuRules::new(side, side, Variant::Renju).expect("rules"))
    }

    /// Thinks that the later a point the better for whoever plays it, from 0 at the first to 1.
    struct LaterIsBetter {
        parts: Vec<u32>,
    }

    impl Thinker<Gomoku> for LaterIsBetter {
        fn think(&mut self, record: &Record<Gomoku>, among: Vec<Move>, parts: u32) -> Opinion {
            self.parts.push(parts);
            let all = if among.is_empty() { record.candidates() } else { among };
            let mv = *all.iter().max().expect("a move");
            let area = record.position().size().area();
            Opinion { mv, value: f64::from(mv.0) / area as f64 }
        }
    }

    fn decided(opening: Opening, record: &Record<Gomoku>) -> (Option<Decision>, f64) {
        let mut thinker = LaterIsBetter { parts: Vec::new() };
        let decision = choose(&opening, record, &mut thinker);
        let share = thinker.parts.iter().map(|&parts| 1.0 / f64::from(parts)).sum();
        (decision, share)
    }

    #[test]
    fn renju_has_twenty_six_openings_and_no_two_are_the_same() {
        let record = record(15);
        let openings = openings(Rule::TwoFifths, record.position().size());
        assert_eq!(openings.len(), 26);
        let mut seen = HashSet::new();
        for points in openings {
            let two = with_stones(&record, &points[..2]).expect("free");
            let images: Vec<u16> = (0..225)
                .filter(|&at| symmetry::are_one(two.position(), points[2], Move(at)))
                .collect();
            assert!(seen.insert((points[1], images)), "{points:?}");
        }
    }

    #[test]
    fn what_is_laid_can_be_laid_on_every_board_and_takes_the_time_of_one_decision() {
        for (rule, side) in
            [(Rule::Swap, 15), (Rule::Swap2, 9), (Rule::TwoFifths, 15), (Rule::TwoFifths, 5)]
        {
            let (mut opening, mut record) = (Opening::new(rule), record(side));
            let (decision, share) = decided(opening, &record);
            assert!((share - 1.0).abs() < 1e-9, "{rule}: {share}");
            opening.decide(decision.expect("laid"), &mut record).expect("legal");
            let step = opening.step(record.plies().len());
            let either =
                if rule == Rule::Swap2 { Step::TakeOrAdd } else { Step::Take(Party::Second) };
            assert_eq!(step, either);
        }
    }

    #[test]
    fn white_is_taken_where_she_is_no_worse_than_even() {
        for (laid, color) in [("lay a15 b15 c15", Color::Black), ("lay a1 b1 c1", Color::White)] {
            let (mut opening, mut record) = (Opening::new(Rule::Swap2), record(15));
            let decision = Decision::parse(laid, record.position()).expect(laid);
            opening.decide(decision, &mut record).expect("legal");
            assert_eq!(decided(opening, &record), (Some(Decision::Take(color)), 1.0), "{laid}");
        }
    }

    #[test]
    fn the_two_best_fifth_moves_that_differ_are_offered_and_the_worse_for_black_is_kept() {
        let (mut opening, mut record) = (Opening::new(Rule::TwoFifths), record(15));
        // All in the middle column; the last candidates are j4 and its reflection f4.
        for words in ["lay h8 h9 h10", "take black"] {
            let decision = Decision::parse(words, record.position()).expect(words);
            opening.decide(decision, &mut record).expect(words);
        }
        let fourth = record.position().parse_move("h6").expect("a point");
        record.play(fourth).expect("legal");
        let (offer, share) = decided(opening, &record);
        let offer = offer.expect("an offer");
        assert_eq!(offer.text(record.position()), "offer j4 i4");
        assert_eq!(share, 1.0);
        opening.decide(offer, &mut record).expect("two moves");
        // White's last candidate lies two steps behind the stone: further on after j4.
        let (kept, share) = decided(opening, &record);
        assert_eq!((kept.expect("one").text(record.position()).as_str(), share), ("keep j4", 1.0));
    }
}
