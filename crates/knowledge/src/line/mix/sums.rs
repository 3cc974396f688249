//! Sums over points, kept up to date with what stands around them.

use banyan_games::types::Size;

use super::learned::Model;
use super::sizes::{BOTH, CHANNELS, LOGITS_MAX, ONE, Row, SHAPES_MAX};
use crate::line::lines::WAYS;
use crate::line::surroundings::Follower;

/// An empty point near a stone.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// Black's numbers, then White's, not yet kept within bounds.
    numbers: Row,
    /// What stands around it, by direction, as Black sees it and as White does.
    looks: [[u16; 2]; WAYS],
}

/// Numbers within bounds, added up over all points, by side.
type Totals = [[u16; CHANNELS]; 2];

/// The sums of a position, and the way back to those of the root.
pub(crate) struct Sums<'a> {
    model: &'a Model,
    points: Vec<Point>,
    totals: Totals,
    /// Before each ply: the sums, and how many changes there had been.
    plies: Vec<(Totals, usize)>,
    /// Points before they changed.
    changes: Vec<(usize, Point)>,
}

impl<'a> Sums<'a> {
    /// Of no points.
    pub fn new(model: &'a Model, size: Size) -> Sums<'a> {
        let nothing = Point { numbers: [0; BOTH], looks: [[0; 2]; WAYS] };
        Sums {
            model,
            points: vec![nothing; size.area()],
            totals: [[0; CHANNELS]; 2],
            plies: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// The value to the side to move, in logits.
    ///
    /// - `head`: the number of the layers that are asked.
    /// - `own`: the index of the side to move.
    /// - `shapes`: what the evaluation by shapes says, in logits.
    pub fn value(&self, head: usize, own: usize, shapes: f32) -> f32 {
        let shapes = shapes.clamp(-SHAPES_MAX, SHAPES_MAX);
        let value = self.model.heads[head].value(&self.totals, own, shapes);
        value.clamp(-LOGITS_MAX, LOGITS_MAX)
    }

    #[inline(always)]
    fn count(&mut self, numbers: &Row, is_there: bool) {
        for (sums, numbers) in self.totals.iter_mut().zip(numbers.chunks_exact(CHANNELS)) {
            for (sum, &number) in sums.iter_mut().zip(numbers) {
                let number = number.clamp(0, ONE) as u16;
                // What is taken away was added before.
                *sum = match is_there {
                    true => sum.wrapping_add(number),
                    false => sum.wrapping_sub(number),
                };
            }
        }
    }
}

/// Adds `times` (1 or −1) the vectors of what stands around a point on a line.
#[inline(always)]
fn add(numbers: &mut Row, [black, white]: [&Row; 2], times: i16) {
    for channel in 0..CHANNELS {
        let other = CHANNELS + channel;
        numbers[channel] += times * (black[channel] + white[other]);
        numbers[other] += times * (white[channel] + black[other]);
    }
}

impl Follower for Sums<'_> {
    fn meet(&mut self, index: usize, looks: [[u16; 2]; WAYS]) {
        let model = self.model;
        let mut numbers = [0; BOTH];
        for half in numbers.chunks_exact_mut(CHANNELS) {
            half.copy_from_slice(&model.bias);
        }
        looks.iter().for_each(|looks| add(&mut numbers, model.rows_of(*looks), 1));
        self.points[index] = Point { numbers, looks };
        self.count(&numbers, true);
    }

    fn leave(&mut self, index: usize) {
        let numbers = self.points[index].numbers;
        self.count(&numbers, false);
    }

    fn change(&mut self, index: usize, way: usize, looks: [u16; 2]) {
        let (model, before) = (self.model, self.points[index]);
        self.changes.push((index, before));
        let mut numbers = before.numbers;
        // In this order no sum of vectors is longer than that of four lines.
        add(&mut numbers, model.rows_of(before.looks[way]), -1);
        add(&mut numbers, model.rows_of(looks), 1);
        self.count(&before.numbers, false);
        self.count(&numbers, true);
        let point = &mut self.points[index];
        (point.numbers, point.looks[way]) = (numbers, looks);
    }

    fn begin(&mut self) {
        self.plies.push((self.totals, self.changes.len()));
    }

    fn take_back(&mut self) {
        let Some((totals, changes)) = self.plies.pop() else { return };
        self.totals = totals;
        for (index, point) in self.changes.drain(changes..).rev() {
            self.points[index] = point;
        }
    }
}
