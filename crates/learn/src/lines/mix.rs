//! The evaluation `mix`: vectors of what stands around points, and the layers after their sums, learned together.

use std::marker::PhantomData;

use banyan_games::{Color, Rng};
use banyan_knowledge::line::lines::{LOOKS, WAYS};
use banyan_knowledge::line::mix::{
    BOTH, CHANNELS, FIRST, Head, Layers, Learned, Mixed, NUMBER_MAX, ONE, Row, SCALE, SECOND,
    SHAPES_MAX, SLOPE, leaky,
};
use banyan_selfplay::patterns::line_games::Recorded;

use super::course::{Sampled, Target, logistic};

/// Samples between two steps of all but the vectors of looks, which take one at each sample.
const BATCH: u32 = 64;

/// The step of those others, as a part of that of the vectors.
const OTHERS_STEP: f32 = 0.07;

/// A look that was seen less often, over all passes, goes by its kind alone.
const SEEN_MIN: u32 = 40;

/// Squares of slopes that a number of a look begins with.
const CAUTION: f32 = 1e-3;

/// What a point's numbers begin with, of 1.
const BIAS: f32 = 0.2;

type Floats = [f32; BOTH];

/// A position, as the model sees it.
pub(super) struct Sample {
    /// The head that judges it.
    head: usize,
    /// Of each point: the looks of its lines to the side to move, then to the other, one for all that are alike.
    points: Vec<[u16; 2 * WAYS]>,
    /// What the evaluation by shapes says, in logits.
    shapes: f32,
    /// The share of the game to learn.
    share: f32,
}

/// The model while it learns.
pub(super) struct Fit<G> {
    of: PhantomData<fn() -> G>,
    target: Target,
    /// By look.
    kind_of: Vec<u8>,
    looks: Vec<Floats>,
    /// Sums of squares of slopes.
    squares: Vec<Floats>,
    seen: Vec<u32>,
    /// All else.
    others: Others,
    slopes: Others,
    /// Samples since the last step of all else.
    waiting: u32,
    adam: Adam,
    /// Of the sample at hand.
    work: Work,
}

/// What learns by means over some samples.
#[derive(Clone)]
struct Others {
    bias: [f32; CHANNELS],
    kinds: Vec<Floats>,
    heads: Vec<Head>,
}

impl Others {
    fn zero<G: Mixed>() -> Others {
        Others {
            bias: [0.0; CHANNELS],
            kinds: vec![[0.0; BOTH]; G::KINDS],
            heads: vec![Head::ZERO; G::HEADS],
        }
    }

    /// Vectors near 0, layers by He's rule.
    fn random<G: Mixed>(rng: &mut Rng) -> Others {
        let mut others = Others { bias: [BIAS; CHANNELS], ..Others::zero::<G>() };
        let mut fill = |numbers: &mut [f32], most: f32| {
            for number in numbers {
                *number = most * (rng.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0);
            }
        };
        others.kinds.iter_mut().for_each(|row| fill(row, 0.25));
        let he = |inputs: usize| (3.0 / inputs as f32).sqrt();
        for head in &mut others.heads {
            head.first.iter_mut().for_each(|row| fill(row, he(BOTH)));
            head.second.iter_mut().for_each(|row| fill(row, he(FIRST)));
            fill(&mut head.last, 0.3 * he(SECOND));
            head.of_shapes = 0.5;
        }
        others
    }

    fn each(&mut self) -> impl Iterator<Item = &mut f32> {
        let vectors = self.bias.iter_mut().chain(self.kinds.iter_mut().flatten());
        vectors.chain(self.heads.iter_mut().flat_map(|head| {
            let Head { first, first_bias, second, second_bias, last, direct, bias, of_shapes } =
                head;
            let layers =
                first.iter_mut().flatten().chain(first_bias).chain(second.iter_mut().flatten());
            layers.chain(second_bias).chain(last).chain(direct).chain([bias, of_shapes])
        }))
    }
}

/// Steps by means of slopes and of their squares.
///
/// # Source
/// Kingma and Ba 2015.
struct Adam {
    means: Others,
    squares: Others,
    steps: i32,
}

impl Adam {
    fn step(&mut self, others: &mut Others, slopes: &mut Others, step: f32) {
        self.steps += 1;
        let unbiased = |rate: f32| 1.0 - rate.powi(self.steps);
        let (mean_part, square_part) = (unbiased(0.9), unbiased(0.999));
        let kept = self.means.each().zip(self.squares.each());
        for ((number, slope), (mean, square)) in others.each().zip(slopes.each()).zip(kept) {
            *mean += 0.1 * (*slope - *mean);
            *square += 0.001 * (*slope * *slope - *square);
            *number -= step * (*mean / mean_part) / ((*square / square_part).sqrt() + 1e-8);
            *slope = 0.0;
        }
    }
}

/// A position's numbers on their way to its value.
struct Work {
    /// Of each point: the side to move's, then the other's, not yet kept within bounds.
    numbers: Vec<Floats>,
    inputs: Floats,
    layers: Layers,
}

impl Work {
    fn none() -> Work {
        let layers = Layers { first: [0.0; FIRST], second: [0.0; SECOND], value: 0.0 };
        Work { numbers: Vec::new(), inputs: [0.0; BOTH], layers }
    }
}

fn slope(value: f32) -> f32 {
    if value > 0.0 { 1.0 } else { SLOPE }
}

fn swapped(row: &Floats) -> Floats {
    std::array::from_fn(|at| row[(at + CHANNELS) % BOTH])
}

impl<G: Mixed> Fit<G> {
    pub fn new(target: Target, seed: u64) -> Fit<G> {
        let kind_of = (0..LOOKS as u16).map(|look| G::kind_of(look) as u8).collect();
        let zero = Others::zero::<G>;
        Fit {
            of: PhantomData,
            target,
            kind_of,
            looks: vec![[0.0; BOTH]; LOOKS],
            squares: vec![[CAUTION; BOTH]; LOOKS],
            seen: vec![0; LOOKS],
            others: Others::random::<G>(&mut Rng::from_seed(seed)),
            slopes: zero(),
            waiting: 0,
            adam: Adam { means: zero(), squares: zero(), steps: 0 },
            work: Work::none(),
        }
    }

    /// Goes on from what another fit learned.
    pub fn from(mut self, learned: &Learned) -> Fit<G> {
        let float = |number: i16| f32::from(number) / f32::from(ONE);
        self.others.bias = learned.bias.map(float);
        self.others.kinds = learned.kinds.iter().map(|row| row.map(float)).collect();
        self.others.heads.clone_from(&learned.heads);
        for (&look, row) in &learned.looks {
            let look = usize::from(look);
            let kind = &self.others.kinds[usize::from(self.kind_of[look])];
            self.looks[look] = std::array::from_fn(|at| float(row[at]) - kind[at]);
            self.seen[look] = SEEN_MIN;
        }
        self
    }

    /// The vector of a look, that of its kind and its own.
    fn row(&self, look: u16) -> Floats {
        let look = usize::from(look);
        let (own, kind) = (&self.looks[look], &self.others.kinds[usize::from(self.kind_of[look])]);
        std::array::from_fn(|at| own[at] + kind[at])
    }

    /// The value of a position, in logits.
    fn value(&self, sample: &Sample, work: &mut Work) -> f32 {
        work.numbers.clear();
        work.inputs = [0.0; BOTH];
        for looks in &sample.points {
            let bias = &self.others.bias;
            let mut numbers: Floats = std::array::from_fn(|at| bias[at % CHANNELS]);
            let (own, other) = looks.split_at(WAYS);
            let rows = own.iter().map(|&look| self.row(look));
            for row in rows.chain(other.iter().map(|&look| swapped(&self.row(look)))) {
                numbers.iter_mut().zip(row).for_each(|(number, part)| *number += part);
            }
            for (input, number) in work.inputs.iter_mut().zip(numbers) {
                *input += SCALE * number.clamp(0.0, 1.0);
            }
            work.numbers.push(numbers);
        }
        work.layers = self.others.heads[sample.head].layers(&work.inputs, sample.shapes);
        work.layers.value
    }

    /// Adds up slopes of the layers, and returns those of the inputs.
    ///
    /// - `error`: how much the value is too large.
    fn layers_back(&mut self, error: f32, sample: &Sample) -> Floats {
        let head = &self.others.heads[sample.head];
        let (slopes, work) = (&mut self.slopes.heads[sample.head], &self.work);
        let mut back_second = [0.0; SECOND];
        for (at, &unit) in work.layers.second.iter().enumerate() {
            slopes.last[at] += error * leaky(unit);
            back_second[at] = error * head.last[at] * slope(unit);
            slopes.second_bias[at] += back_second[at];
        }
        let mut back_first = [0.0; FIRST];
        for (at, &unit) in work.layers.first.iter().enumerate() {
            let (input, mut back) = (leaky(unit), 0.0);
            for (to, &above) in back_second.iter().enumerate() {
                slopes.second[at][to] += input * above;
                back += above * head.second[at][to];
            }
            back_first[at] = back * slope(unit);
            slopes.first_bias[at] += back_first[at];
        }
        let mut inputs = [0.0; BOTH];
        for (at, &input) in work.inputs.iter().enumerate() {
            slopes.direct[at] += error * input;
            let mut back = error * head.direct[at];
            for (to, &above) in back_first.iter().enumerate() {
                slopes.first[at][to] += input * above;
                back += above * head.first[at][to];
            }
            inputs[at] = SCALE * back;
        }
        slopes.bias += error;
        slopes.of_shapes += error * sample.shapes;
        inputs
    }

    /// Has the vectors of a sample's looks take a step, and adds up slopes of the kinds' and of the bias.
    fn vectors_back(&mut self, sample: &Sample, inputs: &Floats, step: f32) {
        for (looks, numbers) in sample.points.iter().zip(&self.work.numbers) {
            let own: Floats = std::array::from_fn(|at| {
                if numbers[at] > 0.0 && numbers[at] < 1.0 { inputs[at] } else { 0.0 }
            });
            for (at, slope) in own.iter().enumerate() {
                self.slopes.bias[at % CHANNELS] += slope;
            }
            let other = swapped(&own);
            for (number, &look) in looks.iter().enumerate() {
                let (slopes, look) = (if number < WAYS { &own } else { &other }, usize::from(look));
                self.seen[look] = self.seen[look].saturating_add(1);
                let kind = &mut self.slopes.kinds[usize::from(self.kind_of[look])];
                let (row, squares) = (&mut self.looks[look], &mut self.squares[look]);
                for at in 0..BOTH {
                    kind[at] += slopes[at];
                    squares[at] += slopes[at] * slopes[at];
                    row[at] -= step * slopes[at] / squares[at].sqrt();
                }
            }
        }
    }

    /// The model in whole numbers.
    fn learned(&self) -> Learned {
        let most = f32::from(NUMBER_MAX);
        let whole = |number: f32| (number * f32::from(ONE)).round().clamp(-most, most) as i16;
        let row = |row: &Floats| -> Row { row.map(whole) };
        let often =
            |look: &u16| *look == G::alike(*look) && self.seen[usize::from(*look)] >= SEEN_MIN;
        Learned {
            bias: self.others.bias.map(whole),
            kinds: self.others.kinds.iter().map(row).collect(),
            looks: (0..LOOKS as u16)
                .filter(often)
                .map(|look| (look, row(&self.row(look))))
                .collect(),
            heads: self.others.heads.clone(),
        }
    }
}

impl<G: Mixed> Sampled for Fit<G> {
    type Game = G;
    type Sample = Sample;

    fn samples(&self, root: &G, game: &Recorded) -> Vec<Sample> {
        let shapes = &G::evaluations()[0];
        let mut samples = Vec::new();
        game.each(root, |position, ply, share| {
            // Where something is urgent a search goes on, and asks for no value.
            let Some(value) = shapes.quiescence_value(position, &mut Vec::new()) else { return };
            let own = position.side_to_move() == Color::Black;
            let points = position.looks().into_iter().map(|by_way| {
                let look = |at: usize| by_way[at % WAYS][usize::from((at < WAYS) != own)];
                std::array::from_fn(|at| G::alike(look(at)))
            });
            samples.push(Sample {
                head: position.head(),
                points: points.collect(),
                shapes: (value as f32 / shapes.scale()).clamp(-SHAPES_MAX, SHAPES_MAX),
                share: self.target.share(ply.value, share) as f32,
            });
        });
        samples
    }

    fn learn(&mut self, sample: &Sample, step: f64) {
        let step = step as f32;
        let mut work = std::mem::replace(&mut self.work, Work::none());
        let value = self.value(sample, &mut work);
        self.work = work;
        let error = logistic(f64::from(value)) as f32 - sample.share;
        let inputs = self.layers_back(error, sample);
        self.vectors_back(sample, &inputs, step);
        self.waiting += 1;
        if self.waiting == BATCH {
            self.waiting = 0;
            self.slopes.each().for_each(|slope| *slope /= BATCH as f32);
            self.adam.step(&mut self.others, &mut self.slopes, OTHERS_STEP * step);
        }
    }

    fn loss(&self, sample: &Sample) -> f64 {
        let share = f64::from(sample.share);
        let said =
            logistic(f64::from(self.value(sample, &mut Work::none()))).clamp(1e-6, 1.0 - 1e-6);
        -(share * said.ln() + (1.0 - share) * (1.0 - said).ln())
    }

    fn text(&self) -> String {
        self.learned().text::<G>()
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    use super::*;

    fn gomoku() -> Gomoku {
        Gomoku::new(&GomokuRules::new(15, 15, Variant::Freestyle).expect("a size"))
    }

    fn connect6() -> Connect6 {
        Connect6::new(&Connect6Rules::new(15).expect("a size"))
    }

    fn sample<G: Mixed>(fit: &Fit<G>, root: &G, moves: &[u16]) -> Sample {
        let ply = |point: u16, value: i16| {
            let mv = banyan_games::Move(point);
            banyan_selfplay::patterns::line_games::Ply { mv, best: mv, value }
        };
        let unknown = banyan_selfplay::patterns::line_games::UNKNOWN;
        let mut plies: Vec<_> = moves.iter().map(|&point| ply(point, unknown)).collect();
        plies.push(ply(0, 150));
        let game = Recorded { plies, winner: None };
        fit.samples(root, &game).pop().expect("one with a value")
    }

    /// With each head of each game.
    #[test]
    fn slopes_are_those_of_the_loss() {
        check_slopes(&gomoku(), &[112, 113, 97, 98, 128], 0);
        check_slopes(&connect6(), &[112, 113, 97, 98], 0);
        check_slopes(&connect6(), &[112, 113, 97, 98, 128], 1);
    }

    /// Each step of a slope is what the loss says when one number is moved a little.
    fn check_slopes<G: Mixed>(root: &G, moves: &[u16], head: usize) {
        let mut fit = Fit::<G>::new(Target { of_outcome: 0.0 }, 1);
        let sample = sample(&fit, root, moves);
        assert_eq!(sample.head, head);
        let error = {
            let mut work = Work::none();
            let value = fit.value(&sample, &mut work);
            fit.work = work;
            logistic(f64::from(value)) as f32 - sample.share
        };
        let inputs = fit.layers_back(error, &sample);
        fit.vectors_back(&sample, &inputs, 0.0);
        let slopes: Vec<f32> = fit.slopes.each().map(|slope| *slope).collect();
        let (mut checked, little) = (0, 1e-2);
        for (at, slope) in slopes.into_iter().enumerate().filter(|(_, slope)| slope.abs() > 1e-3) {
            let mut moved = |by: f32| {
                *fit.others.each().nth(at).expect("a number") += by;
                fit.loss(&sample)
            };
            let above = moved(little);
            let below = moved(-2.0 * little);
            let here = moved(little);
            let [up, down] = [above - here, here - below].map(|by| by as f32 / little);
            // Where a bound or a bend lies between, the slope changes on the way.
            if (up - down).abs() < 0.05 * slope.abs() + 1e-3 {
                let found = (up + down) / 2.0;
                let is_right = (found - slope).abs() < 0.05 * slope.abs() + 1e-3;
                assert!(is_right, "{at}: {found} {slope}");
                checked += 1;
            }
        }
        assert!(checked > 100, "{checked}");
    }

    #[test]
    fn a_fit_goes_on_from_what_another_learned() {
        let built_in = Learned::built_in::<Connect6>();
        let target = Target { of_outcome: 0.0 };
        let mut fit = Fit::<Connect6>::new(target, 3).from(&built_in);
        assert_eq!(fit.learned(), built_in);
        let sample = sample(&fit, &connect6(), &[112, 113, 97, 98]);
        let before = fit.loss(&sample);
        (0..BATCH).for_each(|_| fit.learn(&sample, 0.001));
        assert!(fit.loss(&sample) < before);
        let learned = fit.learned();
        assert_ne!(learned, built_in);
        assert!(built_in.looks.keys().all(|look| learned.looks.contains_key(look)));
    }

    #[test]
    fn one_position_is_learned_and_comes_out_of_the_text_as_it_went_in() {
        check_learning(&gomoku(), &[112, 113, 97, 98, 128]);
        check_learning(&connect6(), &[112, 113, 97, 98]);
        check_learning(&connect6(), &[112, 113, 97, 98, 128]);
    }

    fn check_learning<G: Mixed>(root: &G, moves: &[u16]) {
        let mut fit = Fit::<G>::new(Target { of_outcome: 0.0 }, 2);
        let sample = sample(&fit, root, moves);
        let before = fit.loss(&sample);
        (0..640).for_each(|_| fit.learn(&sample, 0.03));
        let entropy = {
            let share = f64::from(sample.share);
            -(share * share.ln() + (1.0 - share) * (1.0 - share).ln())
        };
        assert!(fit.loss(&sample) < entropy + 0.1 * (before - entropy).max(0.01));
        let text = fit.text();
        assert_eq!(Learned::parse::<G>(&text).map(|it| it.text::<G>()), Ok(text.clone()));
        assert!(G::evaluation_by(&text).is_ok());
    }
}
