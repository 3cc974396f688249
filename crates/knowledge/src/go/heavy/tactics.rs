//! Reasons for or against single moves: captures and escapes, answers to the last stone, vital
//! points of small eyes, self-atari.

use arrayvec::ArrayVec;

use super::board::{Board, Chain};
use super::pattern;
use super::weights::{Factor, Factors, Stage};
use banyan_games::types::Color;
use banyan_kernels::bits::Bits;

/// Eye spaces with more points have no single vital point.
const NAKADE_MAX: u32 = 6;

/// Chains with more liberties are in no race yet.
/// Source: errors of playouts, docs/experiments/go.md.
const RACE_MAX: u16 = 4;

/// Room for what answers one stone. More is hardly ever there, and left out.
pub(super) const ANSWERS_MAX: usize = 24;

/// Points that answer the last stone.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers(ArrayVec<(u16, Factor), ANSWERS_MAX>);

impl Answers {
    /// Each point with what speaks for it; no pair twice.
    #[inline(always)]
    pub(super) fn all(&self) -> &[(u16, Factor)] {
        &self.0
    }

    #[inline(always)]
    fn add_all<const W: usize>(&mut self, factor: Factor, points: Bits<W>) {
        for v in points.iter() {
            self.add(factor, v);
        }
    }

    #[inline(always)]
    fn add(&mut self, factor: Factor, v: usize) {
        let answer = (v as u16, factor);
        for known in &self.0 {
            if *known == answer {
                return;
            }
        }
        let _ = self.0.try_push(answer);
    }
}

impl<const W: usize, const N: usize> Board<W, N> {
    /// The empty points around the last stone.
    #[inline(always)]
    pub(super) fn around_last(&self) -> Bits<W> {
        match self.last {
            Some(last) => self.square(last) & self.empty,
            None => Bits::EMPTY,
        }
    }

    /// The empty points around the last two stones.
    #[inline(always)]
    pub(super) fn around_last_two(&self) -> Bits<W> {
        match self.before {
            Some(before) => self.around_last() | self.square(before) & self.empty,
            None => self.around_last(),
        }
    }

    /// Answers of `color` to the last stone of the other side, but for shapes.
    #[inline(always)]
    pub(super) fn answers(&self, color: Color) -> Answers {
        let mut answers = Answers::default();
        for &stage in Stage::ALL {
            self.add_answers(color, stage, &mut answers);
        }
        answers
    }

    /// Those of one kind.
    #[inline(always)]
    pub(super) fn add_answers(&self, color: Color, stage: Stage, answers: &mut Answers) {
        let Some(last) = self.last else { return };
        let attacker = self.chain(last);
        match (stage, attacker.breath) {
            (Stage::Atari, 1) => answers.add_all(Factor::CaptureLast, attacker.liberties),
            (Stage::Liberties, 2) => {
                answers.add_all(Factor::AtariLast, self.ataris(!color, attacker.liberties));
            }
            (Stage::Vital, _) => {
                if let Some(vital) = self.vital_next_to(last) {
                    answers.add(Factor::Nakade, vital);
                }
                return;
            }
            (Stage::Shape, _) => return,
            _ => {}
        }
        for (near, what) in self.near(last) {
            if what == pattern::stone(color) {
                self.add_defence(color, stage, self.chain(near), answers);
            }
        }
    }

    /// Moves that save a chain next to the last stone, if it is short of liberties, and what helps it in a
    /// race.
    #[inline(always)]
    fn add_defence(&self, color: Color, stage: Stage, chain: &Chain<W>, answers: &mut Answers) {
        let relief = match (stage, chain.breath) {
            (Stage::Atari, 1) => Factor::SaveByCapture,
            (Stage::Liberties, 2) if self.ataris(color, chain.liberties).is_empty() => return,
            (Stage::Liberties, 2) => Factor::DefendTwo,
            (Stage::Race, 3..=RACE_MAX) => Factor::Race,
            _ => return,
        };
        let mut foes = chain.stones.neighbours(self.stride()) & self.stones[(!color).index()];
        while let Some(stone) = foes.lowest() {
            let foe = self.chain(stone);
            foes = foes.minus(foe.stones);
            let is_in_reach = match relief {
                Factor::Race => foe.breath <= chain.breath,
                _ => foe.is_in_atari(),
            };
            if is_in_reach {
                answers.add_all(relief, foe.liberties);
            }
        }
        if relief == Factor::Race {
            return;
        }
        for v in chain.liberties.iter() {
            match (self.after(color, v).0.len(), relief) {
                (..=1, _) | (2, Factor::DefendTwo) => {}
                (2, _) => answers.add(Factor::SaveToTwo, v),
                (_, Factor::DefendTwo) => answers.add(Factor::DefendTwo, v),
                _ => answers.add(Factor::SaveToMore, v),
            }
        }
    }

    /// Those of the two liberties of a chain of `color` where a foe puts it in an atari from which it
    /// flees to two liberties at most: nothing is read further, no ladder with it.
    #[inline(always)]
    pub(super) fn ataris(&self, color: Color, liberties: Bits<W>) -> Bits<W> {
        let mut found = Bits::EMPTY;
        for atari in liberties.iter() {
            let Some(flight) = liberties.minus(Bits::one(atari)).lowest() else { continue };
            let is_safe = self.after(!color, atari).0.len() > 1 || self.may_choke(atari);
            let fled = self.after(color, flight).0.minus(Bits::one(atari));
            if is_safe && fled.len() <= 2 {
                found |= Bits::one(atari);
            }
        }
        found
    }

    /// Captures and escapes on `v`, which has a chain in atari next to it, and whether the rules let
    /// `color` play there. A ko is not asked for.
    #[inline(always)]
    pub(super) fn urgency(&self, color: Color, v: usize) -> (Factors, bool) {
        let mut factors = Factors::default();
        let mut is_legal = pattern::open(self.code(v)) > 0;
        for (near, what) in self.near(v) {
            if what == 0 || what == pattern::OFF {
                continue;
            }
            let chain = self.chain(near);
            let is_own = what == pattern::stone(color);
            is_legal |= is_own != chain.is_in_atari();
            if chain.is_in_atari() {
                factors.add(match (is_own, chain.size) {
                    (true, 1) => Factor::EscapeOne,
                    (true, _) => Factor::EscapeMany,
                    (false, 1) => Factor::CaptureOne,
                    (false, 2) => Factor::CaptureTwo,
                    (false, _) => Factor::CaptureMany,
                });
            }
        }
        (factors, is_legal)
    }

    /// The kind of self-atari that a legal stone of `color` on `v` is, if any. A capture is none.
    #[inline(always)]
    pub(super) fn self_atari(&self, color: Color, v: usize) -> Option<Factor> {
        if pattern::open(self.code(v)) >= 2 {
            return None;
        }
        let (liberties, stones) = self.after(color, v);
        if liberties.len() != 1 || !liberties.minus(self.empty).is_empty() {
            return None;
        }
        let size = stones.len();
        let inside = self.empty | self.stones[color.index()];
        let eye = stones | liberties;
        let is_walled = (eye.neighbours(self.stride()) & inside).minus(eye).is_empty();
        if is_walled && size < NAKADE_MAX && self.is_killing(stones) {
            return Some(Factor::ThrowIn);
        }
        if size == 1 {
            return Some(Factor::SelfAtariOne);
        }
        let beyond = liberties.neighbours(self.stride()) & inside;
        let is_enclosed = beyond.minus(stones).is_empty();
        let kills = is_enclosed && size < NAKADE_MAX && self.is_killing(stones);
        Some(if kills { Factor::SelfAtariShape } else { Factor::SelfAtariMany })
    }

    /// The vital point of a small eye space next to a stone, if it is empty. Foes may stand inside.
    #[inline(always)]
    fn vital_next_to(&self, stone: usize) -> Option<usize> {
        for (seed, what) in self.near(stone) {
            if what != 0 {
                continue;
            }
            for owner in Color::BOTH {
                let space = self.eye_space(owner, Bits::one(seed));
                let vital = space.and_then(|space| self.vital(space));
                if let Some(v) = vital.filter(|&v| self.empty.contains(v)) {
                    return Some(v);
                }
            }
        }
        None
    }

    /// The space that stones of `owner` enclose around a point, unless it has more than [`NAKADE_MAX`]
    /// points.
    #[inline(always)]
    fn eye_space(&self, owner: Color, seed: Bits<W>) -> Option<Bits<W>> {
        let open = self.empty | self.stones[(!owner).index()];
        let (mut space, mut size) = (seed, 1);
        loop {
            space |= space.neighbours(self.stride()) & open;
            match space.len() {
                grown if grown == size => return Some(space),
                grown if grown > NAKADE_MAX => return None,
                grown => size = grown,
            }
        }
    }

    /// Tells whether a stone of `color` on `v` would take room from a small eye space that one chain of its
    /// own encloses, where no foe has entered and it decides nothing.
    #[inline(always)]
    pub(super) fn fills_own_eye(&self, color: Color, v: usize) -> bool {
        if pattern::open(self.code(v)) > 3 {
            return false;
        }
        let Some(space) = self.eye_space(color, Bits::one(v)) else { return false };
        if !space.minus(self.empty).is_empty() || self.vital(space) == Some(v) {
            return false;
        }
        let walls = space.neighbours(self.stride()) & self.stones[color.index()];
        walls.lowest().is_some_and(|wall| walls.minus(self.chain(wall).stones).is_empty())
    }

    /// The point that decides whether a region becomes one eye or two.
    ///
    /// The shapes: three in a row or bent, the pyramid four, bulky and crossed five, rabbity six.
    #[inline(always)]
    pub(super) fn vital(&self, region: Bits<W>) -> Option<usize> {
        let near = |v| (Bits::one(v).neighbours(self.stride()) & region).len();
        let (mut links, mut most, mut vital) = (0, 0, None);
        for v in region.iter() {
            let count = near(v);
            links += count;
            if count > most {
                (most, vital) = (count, Some(v));
            }
        }
        // Every link was counted from both ends.
        let has_square = links >= 2 * region.len();
        vital.filter(|_| match region.len() {
            3 => most == 2,
            4 => most == 3,
            5 => most == 4 || (most == 3 && has_square),
            6 => most == 4 && has_square,
            _ => false,
        })
    }

    /// Tells whether stones taken off in this shape leave an eye space that a stone kills.
    #[inline(always)]
    fn is_killing(&self, stones: Bits<W>) -> bool {
        let near = |v| (Bits::one(v).neighbours(self.stride()) & stones).len();
        let is_square = || stones.iter().all(|v| near(v) == 2);
        match stones.len() {
            ..=3 => true,
            4 => is_square() || self.vital(stones).is_some(),
            _ => self.vital(stones).is_some(),
        }
    }
}
