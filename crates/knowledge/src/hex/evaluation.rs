//! The evaluation of Hex by two-distances and shortest ways.
//!
//! # Source
//! S7 for A*; van Rijswijck 2002 for two-distances, potentials and attack mobility.

use std::sync::{Arc, LazyLock};

use banyan_games::hex::Hex;
use banyan_games::{Game as _, Move, Size};

use crate::digest::Digest;
use crate::evaluation::{Evaluation, Ranked};

use super::lines::{Lines, points};
use super::shortest::shortest;
use super::two_distance::{FAR, Potential, TwoDistances};

/// The evaluations of Hex.
pub(super) static ALL: LazyLock<[Arc<dyn Evaluation<Hex>>; 1]> =
    LazyLock::new(|| [Arc::new(TwoDistance)]);

/// By two-distances.
#[derive(Debug)]
struct TwoDistance;

/// A step of two-distance, and one stone on the shortest way.
const STEP: i32 = 100;
const STONE: i32 = 25;

/// Each more way to attack, up to so many.
const WAY: i32 = 4;
const WAYS_MAX: u16 = 12;

/// To be to move is worth part of a step.
const TO_MOVE: i32 = STEP / 2;

/// Weight of two-distances in the order of moves; no point is further from the middle.
const RANK: i32 = 2 * Size::SIDE_MAX as i32;

/// Measures how near a side is to its goal: the less it lacks the more.
fn nearness(lines: &Lines) -> i32 {
    let Potential { least, points } = TwoDistances::of(lines).least(lines);
    let side = lines.side as i32;
    let steps = if least == FAR { 2 * side } else { i32::from(least) };
    let stones = shortest(lines).map_or(side * side, |way| way.len() as i32);
    WAY * i32::from(points.min(WAYS_MAX)) - STEP * steps - STONE * stones
}

/// Appends the points on which one stone joins the edges.
fn push_winning(lines: &Lines, moves: &mut Vec<Move>) {
    let [first, last] = [0, 1].map(|edge| lines.at_edge(edge));
    for (line, (first, last)) in first.into_iter().zip(last).enumerate() {
        moves.extend(points(first & last).map(|bit| lines.move_at((line, bit))));
    }
}

impl Evaluation<Hex> for TwoDistance {
    fn name(&self) -> &str {
        "two-distance"
    }

    fn digest(&self) -> Digest {
        let model = [STEP, STONE, WAY, WAYS_MAX.into(), TO_MOVE];
        Digest::EMPTY.and_numbers(model).and(self.name().as_bytes())
    }

    fn scale(&self) -> f32 {
        150.0
    }

    fn value(&self, position: &Hex) -> i32 {
        let side = position.side_to_move();
        let [own, other] = [side, !side].map(|color| nearness(&Lines::of(position, color)));
        own - other + TO_MOVE
    }

    /// Points through which both sides' best ways go come first, of these the nearest to the middle.
    fn rank(&self, position: &Hex, moves: &mut [Ranked]) {
        let side = position.side_to_move();
        let views = [side, !side].map(|color| {
            let lines = Lines::of(position, color);
            (TwoDistances::of(&lines), lines)
        });
        for Ranked { mv, rank } in moves {
            let far = |(distances, lines): &(TwoDistances, Lines)| {
                let far = distances.potential(lines.point_of(*mv));
                i32::from(far.min(4 * lines.side as u16))
            };
            let (line, bit) = views[0].1.point_of(*mv);
            let from_middle = |at: usize| (2 * at).abs_diff(views[0].1.side - 1) as i32;
            let off = from_middle(line) + from_middle(bit);
            *rank = -(RANK * views.iter().map(far).sum::<i32>() + off);
        }
    }

    /// Appends what wins at once; else what stops the other side from winning with its next stone.
    fn forced(&self, position: &Hex, moves: &mut Vec<Move>) {
        let (side, before) = (position.side_to_move(), moves.len());
        push_winning(&Lines::of(position, side), moves);
        if moves.len() > before {
            moves.truncate(before + 1);
            return;
        }
        push_winning(&Lines::of(position, !side), moves);
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Color;

    use super::super::lines::tests::{drawn, drawn_for};
    use super::*;

    #[test]
    fn values_by_hand() {
        // An empty board of 3: each side has least 4 on three points and lacks three stones; to move counts alone.
        assert_eq!(TwoDistance.value(&drawn("... ... ...")), TO_MOVE);
        // Black in the middle: least 3 on four points, two stones. White: b2 is gone; a2 and c2 are its middle, and
        // its value follows from the same functions.
        let position = drawn("... .X. ...");
        let own = 4 * WAY - 3 * STEP - 2 * STONE;
        assert_eq!(nearness(&Lines::of(&position, Color::Black)), own);
        let white = nearness(&Lines::of(&position, Color::White));
        assert!(white < nearness(&Lines::of(&drawn("... ... ..."), Color::White)));
        assert_eq!(TwoDistance.value(&position), own - white + TO_MOVE);
    }

    #[test]
    fn colours_and_edges_changed_places_mean_the_same() {
        let black = TwoDistance.value(&drawn("..X.. .XO.. O.... ...X. ....."));
        // Rows and columns, Black and White.
        let white = drawn_for("..X.. .O... OX... ...O. .....", Color::White);
        assert_eq!(TwoDistance.value(&white), black);
    }

    #[test]
    fn the_middle_is_tried_first() {
        let position = drawn("..... ..... ..... ..... .....");
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut ranked: Vec<Ranked> = moves.into_iter().map(Ranked::new).collect();
        TwoDistance.rank(&position, &mut ranked);
        let best = ranked.iter().max_by_key(|it| it.rank).expect("many");
        assert_eq!(position.move_text(best.mv), "c3");
    }

    #[test]
    fn what_wins_or_must_be_stopped_is_forced() {
        let forced = |drawing: &str, side| {
            let position = drawn_for(drawing, side);
            let mut moves = Vec::new();
            TwoDistance.forced(&position, &mut moves);
            let names = moves.iter().map(|&mv| position.move_text(mv));
            names.collect::<Vec<_>>().join(" ")
        };
        // Black lacks one stone in the last row, with two points for it.
        let drawing = "..X. ..X. .X.. ....";
        assert_eq!(forced(drawing, Color::Black), "a4");
        assert_eq!(forced(drawing, Color::White), "a4 b4");
        assert_eq!(forced("..X. ..X. .... ....", Color::White), "");
    }
}
