//! The evaluation by [what stands around points](crate::line::mix), from position to position.

use std::sync::LazyLock;

use banyan_games::game::Game as _;
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::line::LineRules as _;
use banyan_games::types::Move;

use crate::digest::Digest;
use crate::evaluation::{Accumulator, Evaluation, LateMoves, Ranked};
use crate::line::LOGIT;
use crate::line::lines::{LOOKS, WAYS};
use crate::line::mix::{Mixed, Stored, Sums, looks, what_counts};

use super::accumulator::ByShapes;
use super::by_shapes::Shapes;
use super::shapes::{Shape, Table};
use super::value::SURE;
use super::weights::Weights;

impl Mixed for Gomoku {
    const TITLE: &str = "mix of gomoku 2";
    const PACKED: &[u8] = include_bytes!("../../../../models/gomoku.mix.gz");
    const KINDS: usize = Shape::COUNT;
    const HEADS: usize = 1;

    /// The shape that a stone would make on a line where five or more win.
    fn kind_of(look: u16) -> usize {
        Table::of(true).shape_in(look) as usize
    }

    /// What counts to who wants five or more.
    fn alike(look: u16) -> u16 {
        static ALL: LazyLock<Box<[u16]>> = LazyLock::new(|| {
            (0..LOOKS as u16).map(|look| what_counts(look, GomokuRules::LENGTH)).collect()
        });
        ALL[usize::from(look)]
    }

    fn head(&self) -> usize {
        0
    }

    fn looks(&self) -> Vec<[[u16; 2]; WAYS]> {
        looks(self)
    }
}

/// By such a model where five or more win; by shapes, which the order of moves always is by, elsewhere.
#[derive(Debug)]
pub(super) struct Mix {
    shapes: Shapes,
    model: Stored<Gomoku>,
}

impl Mix {
    /// The evaluation of such a model.
    pub fn of(model: Stored<Gomoku>) -> Mix {
        Mix { shapes: Shapes::new(Weights::learned_shared()), model }
    }

    fn at(&self, position: &Gomoku) -> Option<ByMix<'_>> {
        let is_learned = position.rules().variant() == Variant::Freestyle;
        let follower = || Sums::new(self.model.get(), position.size());
        is_learned.then(|| ByMix(ByShapes::followed(self.shapes.weights(), follower(), position)))
    }
}

impl Evaluation<Gomoku> for Mix {
    fn name(&self) -> &str {
        "mix"
    }

    fn digest(&self) -> Digest {
        self.shapes.digest().and_digest(self.model.digest())
    }

    fn scale(&self) -> f32 {
        LOGIT
    }

    fn value(&self, position: &Gomoku) -> i32 {
        match self.at(position) {
            Some(mut own) => own.value(position),
            None => self.shapes.value(position),
        }
    }

    fn rank(&self, position: &Gomoku, moves: &mut [Ranked]) {
        self.shapes.rank(position, moves);
    }

    fn quiescence_value(&self, position: &Gomoku, moves: &mut Vec<Move>) -> Option<i32> {
        match self.at(position) {
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
        match self.at(position) {
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
        let own = position.side_to_move().index();
        (LOGIT * self.0.follower().value(position.head(), own, shapes as f32 / LOGIT)) as i32
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
    use crate::line::mix::{Learned, by_definition};
    use crate::line::wander::{any, wander};
    use banyan_games::rng::Rng;

    /// Down random lines and back up again, now and then without a question on the way.
    #[test]
    fn an_accumulator_says_what_is_found_afresh() {
        let mix = Mix::of(Stored::built_in());
        let mut rng = Rng::from_seed(14);
        for (width, height) in [(15, 15), (9, 6), (25, 25)] {
            let rules = GomokuRules::new(width, height, Variant::Freestyle).expect("a size");
            let root = Gomoku::new(&rules);
            let accumulator = mix.at(&root).expect("freestyle");
            let asked = wander((&root, accumulator), (300, &mut rng), any, |own, position| {
                let (mut moves, mut afresh) = (Vec::new(), Vec::new());
                let quiet = own.quiescence_value(position, &mut moves);
                assert_eq!(quiet, mix.quiescence_value(position, &mut afresh));
                assert_eq!(moves, afresh);
                assert_eq!(own.value(position), mix.value(position));
                1
            });
            assert!(asked > 50, "{asked}");
        }
    }

    /// Board, sides and value by the definition, point by point.
    #[test]
    fn a_value_is_what_its_definition_says() {
        let (mix, learned) = (Mix::of(Stored::built_in()), Learned::built_in::<Gomoku>());
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        let mut position = Gomoku::new(&rules);
        let mut rng = Rng::from_seed(15);
        for _ in 0..12 {
            let mut moves = Vec::new();
            position.candidates(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
            let shapes = mix.shapes.value(&position);
            if shapes.abs() >= SURE {
                break;
            }
            let value = by_definition(&learned, &position, shapes as f32 / LOGIT);
            assert_eq!(mix.value(&position), (LOGIT * value) as i32);
        }
    }

    #[test]
    fn other_rules_are_judged_by_shapes() {
        let mix = Mix::of(Stored::built_in());
        for variant in [Variant::Standard, Variant::Renju] {
            let rules = GomokuRules::new(15, 15, variant).expect("a size");
            let position =
                Gomoku::with_stones(&rules, ["h8 h9 g7", "i8 j9"], banyan_games::Color::White)
                    .expect("free points");
            assert_eq!(mix.value(&position), mix.shapes.value(&position));
            assert!(mix.at(&position).is_none());
        }
    }
}
