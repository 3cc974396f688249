//! The evaluation by [what stands around points](crate::line::mix), from position to position.

use std::sync::LazyLock;

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::game::Game as _;
use banyan_games::line::LineRules as _;
use banyan_games::types::Move;

use crate::digest::Digest;
use crate::evaluation::{Accumulator, Evaluation, LateMoves, Ranked};
use crate::line::LOGIT;
use crate::line::lines::{LOOKS, WAYS};
use crate::line::mix::{Mixed, OWN, Stored, Sums, TAKEN, digits, looks, what_counts};
use crate::line::surroundings::Surroundings;

use super::accumulator::ByPatterns;
use super::by_scores::ByScores;

const SIX: usize = Connect6Rules::LENGTH;

/// Windows with the most own stones are told apart up to so many.
const WINDOWS_MAX: usize = 3;

impl Mixed for Connect6 {
    const TITLE: &str = "mix of connect6 1";
    const PACKED: &[u8] = include_bytes!("../../../../models/connect6.mix.gz");
    const KINDS: usize = 1 + SIX * WINDOWS_MAX;
    const HEADS: usize = Connect6Rules::STONES_A_TURN as usize;

    /// By the most own stones in a window of six through the point that can still be filled, and how many have so
    /// many; 0 where there is none.
    fn kind_of(look: u16) -> usize {
        let best = best_windows(look);
        best.map_or(0, |(most, windows)| 1 + most * WINDOWS_MAX + windows.min(WINDOWS_MAX) - 1)
    }

    /// What lies beyond a point that is not to be had does not count, nor which end is which, nor anything where
    /// there is no room for six.
    fn alike(look: u16) -> u16 {
        static ALL: LazyLock<Box<[u16]>> =
            LazyLock::new(|| (0..LOOKS as u16).map(|look| what_counts(look, SIX)).collect());
        ALL[usize::from(look)]
    }

    /// By the stones that are left in the turn, one or two.
    fn head(&self) -> usize {
        usize::from(self.plies_left()) - 1
    }

    fn looks(&self) -> Vec<[[u16; 2]; WAYS]> {
        looks(self)
    }
}

/// The most own stones in a window of six through a point that can still be filled, and how many windows have so
/// many.
pub(super) fn best_windows(look: u16) -> Option<(usize, usize)> {
    let digits = digits(look);
    let mut windows = [0; SIX];
    for first in 0..SIX {
        // The point itself is not among the digits.
        let seen = &digits[first..first + SIX - 1];
        if !seen.contains(&TAKEN) {
            windows[seen.iter().filter(|&&digit| digit == OWN).count()] += 1;
        }
    }
    let most = windows.iter().rposition(|&windows| windows > 0)?;
    Some((most, windows[most]))
}

/// By such a model; the order of moves and what is urgent are those of the evaluation by shapes.
#[derive(Debug)]
pub(super) struct Mix {
    shapes: ByScores,
    model: Stored<Connect6>,
}

impl Mix {
    /// The evaluation of such a model.
    pub fn of(model: Stored<Connect6>) -> Mix {
        Mix { shapes: ByScores::tuned(), model }
    }

    fn at(&self, position: &Connect6) -> ByMix<'_> {
        ByMix {
            patterns: ByPatterns::of(self.shapes.scores(), position),
            around: Surroundings::of(Sums::new(self.model.get(), position.size()), position),
            scale: self.shapes.scale(),
        }
    }
}

impl Evaluation<Connect6> for Mix {
    fn name(&self) -> &str {
        "mix"
    }

    fn digest(&self) -> Digest {
        self.shapes.digest().and_digest(self.model.digest())
    }

    fn scale(&self) -> f32 {
        LOGIT
    }

    fn value(&self, position: &Connect6) -> i32 {
        self.at(position).value(position)
    }

    fn rank(&self, position: &Connect6, moves: &mut [Ranked]) {
        self.shapes.rank(position, moves);
    }

    fn quiescence_value(&self, position: &Connect6, moves: &mut Vec<Move>) -> Option<i32> {
        self.at(position).quiescence_value(position, moves)
    }

    fn forced(&self, position: &Connect6, moves: &mut Vec<Move>) {
        self.shapes.forced(position, moves);
    }

    fn late_moves(&self) -> Option<LateMoves> {
        self.shapes.late_moves()
    }

    fn accumulator(&self, position: &Connect6) -> Option<Box<dyn Accumulator<Connect6> + '_>> {
        Some(Box::new(self.at(position)))
    }
}

/// A position near the root, and the way to it.
struct ByMix<'a> {
    patterns: ByPatterns<'a>,
    around: Surroundings<Sums<'a>>,
    /// Of the evaluation by shapes, a logit.
    scale: f32,
}

impl ByMix<'_> {
    /// The value of a position of which shapes say this.
    fn mixed(&mut self, position: &Connect6, shapes: i32) -> i32 {
        self.around.catch_up();
        let own = position.side_to_move().index();
        let value = self.around.follower.value(position.head(), own, shapes as f32 / self.scale);
        (LOGIT * value) as i32
    }
}

impl Accumulator<Connect6> for ByMix<'_> {
    fn play(&mut self, position: &Connect6, mv: Move) {
        self.patterns.play(position, mv);
        self.around.play(position.side_to_move(), mv);
    }

    fn take_back(&mut self) {
        self.patterns.take_back();
        self.around.take_back();
    }

    fn value(&mut self, position: &Connect6) -> i32 {
        let shapes = self.patterns.value(position);
        self.mixed(position, shapes)
    }

    fn rank(&mut self, position: &Connect6, moves: &mut [Ranked]) {
        self.patterns.rank(position, moves);
    }

    fn quiescence_value(&mut self, position: &Connect6, moves: &mut Vec<Move>) -> Option<i32> {
        let shapes = self.patterns.quiescence_value(position, moves)?;
        Some(self.mixed(position, shapes))
    }

    fn forced(&mut self, position: &Connect6, moves: &mut Vec<Move>) {
        self.patterns.forced(position, moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect6::wander::wander;
    use crate::line::mix::{Learned, by_definition, marked};
    use banyan_games::rng::Rng;

    #[test]
    fn looks_are_of_a_kind_by_their_best_windows() {
        let kind = |marks: &str| Connect6::kind_of(marked(marks));
        assert_eq!(kind("ooox...oxx"), 0);
        assert_eq!(kind("ooooo....."), 1);
        assert_eq!(kind("oooo......"), 2);
        assert_eq!(kind(".........."), 3);
        assert_eq!(kind("xxxxx....."), 1 + 5 * WINDOWS_MAX);
        assert_eq!(kind("..xxxx...."), 1 + 4 * WINDOWS_MAX + 1);
        let kinds = (0..LOOKS as u16).map(Connect6::kind_of);
        assert!(kinds.clone().all(|kind| kind < Connect6::KINDS));
        let like =
            |look: &u16| Connect6::kind_of(Connect6::alike(*look)) == Connect6::kind_of(*look);
        assert!((0..LOOKS as u16).all(|look| like(&look)), "who is alike is of a kind");
    }

    #[test]
    fn an_accumulator_says_what_is_found_afresh() {
        let mix = Mix::of(Stored::built_in());
        let urgent = wander(&|root| mix.at(root), &|own, position| {
            let (mut moves, mut afresh) = (Vec::new(), Vec::new());
            let quiet = own.quiescence_value(position, &mut moves);
            assert_eq!(quiet, mix.quiescence_value(position, &mut afresh), "{position:?}");
            assert_eq!(moves, afresh);
            assert_eq!(own.value(position), mix.value(position), "{position:?}");
            usize::from(quiet.is_none())
        });
        assert!(urgent > 100, "{urgent}");
    }

    /// With two stones left in the turn, and with one.
    #[test]
    fn a_value_is_what_its_definition_says() {
        let mix = Mix::of(Stored::built_in());
        let learned = Learned::built_in::<Connect6>();
        assert_ne!(learned.heads[0], learned.heads[1]);
        let mut rng = Rng::from_seed(15);
        let mut judged = [0; 2];
        for side in [6, 19, 25] {
            let mut position = Connect6::new(&Connect6Rules::new(side).expect("a size"));
            for _ in 0..9 {
                let mut moves = Vec::new();
                position.candidates(&mut moves);
                position.play(moves[rng.below(moves.len() as u32) as usize]);
                let shapes = mix.shapes.value(&position) as f32 / mix.shapes.scale();
                let value = by_definition(&learned, &position, shapes);
                assert_eq!(mix.value(&position), (LOGIT * value) as i32);
                judged[usize::from(position.plies_left()) - 1] += 1;
            }
        }
        assert!(judged.iter().all(|&judged| judged > 9), "{judged:?}");
    }
}
