//! The evaluation, from position to position.

use std::io::Read as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use banyan_games::game::Game as _;
use banyan_games::gomoku::{Gomoku, Variant};
use banyan_games::types::Move;
use flate2::read::GzDecoder;

use crate::digest::Digest;
use crate::evaluation::{Accumulator, Evaluation, LateMoves, Ranked};
use crate::line::LOGIT;
use crate::line::lines::WAYS;

use crate::gomoku::accumulator::{ByShapes, Follower};
use crate::gomoku::by_shapes::Shapes;
use crate::gomoku::value::SURE;
use crate::gomoku::weights::Weights;

use super::learned::{Learned, Model};
use super::sums::Sums;

/// Values are cut to this many logits: who wins is all that they say beyond.
const LOGITS_MAX: f32 = 12.0;

/// The evaluation by shapes counts no more than so many logits.
pub const SHAPES_MAX: f32 = 8.0;

/// What stands around each empty point near a stone on each of its lines, as Black sees it and as White does:
/// what a model learns from.
pub fn looks(position: &Gomoku) -> Vec<[[u16; 2]; WAYS]> {
    ByShapes::followed(Weights::learned(), Seen::default(), position).follower.0
}

/// Whoever only looks on.
#[derive(Default)]
struct Seen(Vec<[[u16; 2]; WAYS]>);

impl Follower for Seen {
    fn meet(&mut self, _: usize, looks: [[u16; 2]; WAYS]) {
        self.0.push(looks);
    }

    fn leave(&mut self, _: usize) {}

    fn change(&mut self, _: usize, _: usize, _: [u16; 2]) {}

    fn begin(&mut self) {}

    fn take_back(&mut self) {}
}

/// By such a model where five or more win; by shapes, which the order of moves always is by, elsewhere.
#[derive(Debug)]
pub(in crate::gomoku) struct Mix {
    shapes: Shapes,
    /// That of this build is read when it is asked for first.
    model: OnceLock<Model>,
    digest: Digest,
}

impl Mix {
    /// The evaluation of a model's text.
    ///
    /// The error is the first line that cannot be read.
    pub fn parse(text: &str) -> Result<Arc<Mix>, String> {
        /// The one that was read last: to read one takes as long as a short search.
        static LAST: Mutex<Option<(Box<str>, Arc<Mix>)>> = Mutex::new(None);
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, mix)) = last.as_ref().filter(|(known, _)| **known == *text) {
            return Ok(mix.clone());
        }
        let model = OnceLock::from(Model::new(&Learned::parse(text)?));
        let mix = Arc::new(Mix { model, ..Mix::new(text.as_bytes()) });
        *last = Some((text.into(), mix.clone()));
        Ok(mix)
    }

    fn new(contents: &[u8]) -> Mix {
        let shapes = Shapes::new(Weights::learned_shared());
        let digest = shapes.digest().and(contents);
        Mix { shapes, model: OnceLock::new(), digest }
    }

    /// The model of this build.
    pub fn built_in() -> Arc<Mix> {
        Arc::new(Mix::new(FILE))
    }

    fn model(&self) -> &Model {
        let read = || Model::new(&Learned::parse(&text()).expect("a test reads it"));
        self.model.get_or_init(read)
    }

    fn of(&self, position: &Gomoku) -> Option<ByMix<'_>> {
        let is_learned = position.rules().variant() == Variant::Freestyle;
        let follower = || Sums::new(self.model(), position.size());
        is_learned.then(|| ByMix(ByShapes::followed(self.shapes.weights(), follower(), position)))
    }
}

/// What this build has learned.
const FILE: &[u8] = include_bytes!("../../../../../models/gomoku.mix.gz");

fn text() -> String {
    let mut text = String::new();
    GzDecoder::new(FILE).read_to_string(&mut text).expect("a test reads it");
    text
}

/// The identity of what this build has learned.
pub(in crate::gomoku) fn built_in() -> Digest {
    Digest::EMPTY.and(FILE)
}

impl Evaluation<Gomoku> for Mix {
    fn name(&self) -> &str {
        "mix"
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn scale(&self) -> f32 {
        LOGIT
    }

    fn value(&self, position: &Gomoku) -> i32 {
        match self.of(position) {
            Some(mut own) => own.value(position),
            None => self.shapes.value(position),
        }
    }

    fn rank(&self, position: &Gomoku, moves: &mut [Ranked]) {
        self.shapes.rank(position, moves);
    }

    fn quiescence_value(&self, position: &Gomoku, moves: &mut Vec<Move>) -> Option<i32> {
        match self.of(position) {
            Some(mut own) => own.quiescence_value(position, moves),
            None => self.shapes.quiescence_value(position, moves),
        }
    }

    fn forced(&self, position: &Gomoku, moves: &mut Vec<Move>) {
        self.shapes.forced(position, moves);
    }

    fn late_moves(&self) -> Option<LateMoves> {
        self.shapes.late_moves()
    }

    fn accumulator(&self, position: &Gomoku) -> Option<Box<dyn Accumulator<Gomoku> + '_>> {
        match self.of(position) {
            Some(own) => Some(Box::new(own)),
            None => self.shapes.accumulator(position),
        }
    }
}

/// A position near the root, and the way to it.
struct ByMix<'a>(ByShapes<'a, Sums<'a>>);

impl ByMix<'_> {
    /// The value of a position of which shapes say this.
    fn mixed(&self, position: &Gomoku, shapes: i32) -> i32 {
        if shapes.abs() >= SURE {
            return shapes;
        }
        let logits = (shapes as f32 / LOGIT).clamp(-SHAPES_MAX, SHAPES_MAX);
        let value = self.0.follower.value(position.side_to_move().index(), logits);
        (LOGIT * value.clamp(-LOGITS_MAX, LOGITS_MAX)) as i32
    }
}

impl Accumulator<Gomoku> for ByMix<'_> {
    fn play(&mut self, position: &Gomoku, mv: Move) {
        self.0.play(position, mv);
    }

    fn take_back(&mut self) {
        self.0.take_back();
    }

    fn value(&mut self, position: &Gomoku) -> i32 {
        let shapes = self.0.value(position);
        self.mixed(position, shapes)
    }

    fn rank(&mut self, position: &Gomoku, moves: &mut [Ranked]) {
        self.0.rank(position, moves);
    }

    fn quiescence_value(&mut self, position: &Gomoku, moves: &mut Vec<Move>) -> Option<i32> {
        let shapes = self.0.quiescence_value(position, moves)?;
        Some(self.mixed(position, shapes))
    }

    fn forced(&mut self, position: &Gomoku, moves: &mut Vec<Move>) {
        self.0.forced(position, moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::mix::sizes::{CHANNELS, ONE};
    use banyan_games::gomoku::GomokuRules;
    use banyan_games::rng::Rng;

    /// Down random lines and back up again, now and then without a question on the way.
    #[test]
    fn an_accumulator_says_what_is_found_afresh() {
        let mix = Mix::built_in();
        let mut rng = Rng::from_seed(14);
        for (width, height) in [(15, 15), (9, 6), (25, 25)] {
            let rules = GomokuRules::new(width, height, Variant::Freestyle).expect("a size");
            let mut line = vec![Gomoku::new(&rules)];
            let mut accumulator = mix.of(&line[0]).expect("freestyle");
            for _ in 0..300 {
                let position = line.last().expect("the root at least");
                let mut moves = Vec::new();
                position.candidates(&mut moves);
                if line.len() > 1 && (moves.is_empty() || rng.below(3) == 0) {
                    line.pop();
                    accumulator.take_back();
                } else {
                    let mv = moves[rng.below(moves.len() as u32) as usize];
                    let mut next = position.clone();
                    next.play(mv);
                    if next.outcome().is_some() {
                        continue;
                    }
                    accumulator.play(position, mv);
                    line.push(next);
                }
                if rng.below(3) > 0 {
                    let position = line.last().expect("the root at least");
                    let (mut moves, mut afresh) = (Vec::new(), Vec::new());
                    let quiet = accumulator.quiescence_value(position, &mut moves);
                    assert_eq!(quiet, mix.quiescence_value(position, &mut afresh));
                    assert_eq!(moves, afresh);
                    assert_eq!(accumulator.value(position), mix.value(position));
                }
            }
        }
    }

    /// Board, sides and value by the definition, point by point.
    #[test]
    fn a_value_is_what_its_definition_says() {
        let (mix, learned) = (Mix::built_in(), Learned::parse(&text()).expect("the built-in text"));
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        let mut position = Gomoku::new(&rules);
        let mut rng = Rng::from_seed(15);
        for _ in 0..12 {
            let mut moves = Vec::new();
            position.candidates(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
            let own = position.side_to_move().index();
            let shapes = mix.shapes.value(&position);
            if shapes.abs() >= SURE {
                break;
            }
            let mut sums = [[0u16; CHANNELS]; 2];
            for looks in looks(&position) {
                for (side, sums) in sums.iter_mut().enumerate() {
                    for (channel, sum) in sums.iter_mut().enumerate() {
                        let of = |look: u16, half: usize| {
                            i32::from(learned.row(look)[half * CHANNELS + channel])
                        };
                        let lines = looks.iter();
                        let number: i32 = i32::from(learned.bias[channel])
                            + lines.map(|it| of(it[side], 0) + of(it[1 - side], 1)).sum::<i32>();
                        *sum += number.clamp(0, i32::from(ONE)) as u16;
                    }
                }
            }
            let logits = (shapes as f32 / LOGIT).clamp(-SHAPES_MAX, SHAPES_MAX);
            let value = learned.head.value(&sums, own, logits).clamp(-LOGITS_MAX, LOGITS_MAX);
            assert_eq!(mix.value(&position), (LOGIT * value) as i32);
        }
    }

    #[test]
    fn other_rules_are_judged_by_shapes() {
        let mix = Mix::built_in();
        for variant in [Variant::Standard, Variant::Renju] {
            let rules = GomokuRules::new(15, 15, variant).expect("a size");
            let position =
                Gomoku::with_stones(&rules, ["h8 h9 g7", "i8 j9"], banyan_games::Color::White)
                    .expect("free points");
            assert_eq!(mix.value(&position), mix.shapes.value(&position));
            assert!(mix.of(&position).is_none());
        }
    }
}
