//! Go: any size from 2 to 25, area scoring, no suicide.
//!
//! Reading order: size and komi (`rules`), what a stone does to its neighbours (`chains`), a position
//! (`position`), fixed handicaps (`handicap`), chains that live for certain (`benson`), a local fight
//! (`fight`) and what decides it (`zone`, `shape`), a step of many games side by side (`lanes`), playouts (`playout`).
//! Here: the contract with the search.

mod benson;
mod chains;
mod fight;
mod handicap;
mod lanes;
mod playout;
mod position;
mod rules;
pub mod shape;
mod zone;

pub use fight::{Fate, Fight, FightError};
pub use position::{Go, Points};
pub use rules::GoRules;
pub use zone::Zone;

use banyan_kernels::bits::Bits;

use crate::counts::{Counts, Observer};
use crate::game::{Game, Leaf, SetupError, WrongSide};
use crate::kind::Kind;
use crate::notation::Notation;
use crate::rng::Rng;
use crate::types::{Color, Move, Outcome, Size};

impl Game for Go {
    type Rules = GoRules;

    const KIND: Kind = Kind::Go;
    const NOTATION: Notation = Notation::Go;
    const SUPERKO: bool = true;
    const TERRITORY: bool = true;

    fn new(rules: &GoRules) -> Go {
        Go::empty_board(rules)
    }

    fn rules(&self) -> &GoRules {
        &self.rules
    }

    fn size(&self) -> Size {
        Size::square(self.rules.size())
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn stone(&self, point: Move) -> Option<Color> {
        let bit = self.bit(point)?;
        Color::BOTH.into_iter().find(|color| self.stones[color.index()].contains(bit))
    }

    fn is_legal(&self, mv: Move) -> bool {
        if self.is_over() {
            return false;
        }
        mv.is_pass() || self.bit(mv).is_some_and(|bit| self.is_legal_stone(bit))
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if !self.is_over() {
            self.push_moves(self.playable(), moves);
        }
    }

    /// Legal moves that do not fill one of the side's own one-point eyes, and the pass.
    fn candidates(&self, moves: &mut Vec<Move>) {
        if !self.is_over() {
            self.push_moves(self.playable().minus(self.eyes()), moves);
        }
    }

    fn play(&mut self, mv: Move) {
        match self.bit(mv) {
            Some(bit) => self.play_stone(bit),
            None => {
                self.ko = None;
                self.before = self.last.take();
                self.passes += 1;
            }
        }
        self.side = !self.side;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.score())
    }

    fn hash(&self) -> u64 {
        self.whole_hash()
    }

    fn stones_hash(&self) -> u64 {
        self.stones_hash
    }

    fn set_up(&mut self, stones: &[(Color, Move)], side: Color) -> Result<(), SetupError> {
        *self = Go { side, ..Go::new(&self.rules) };
        for &(color, point) in stones {
            self.check_free(color, point)?;
            self.put(color, self.layout.bit(usize::from(point.0)));
        }
        for &(color, point) in stones {
            let bit = self.layout.bit(usize::from(point.0));
            let chain = self.chain(color, Bits::one(bit));
            if !self.neighbours(chain).intersects(self.empty()) {
                return Err(SetupError::NoLiberty { point: self.move_text(point) });
            }
        }
        Ok(())
    }

    fn set_side_to_move(&mut self, color: Color) -> Result<(), WrongSide> {
        if self.side != color {
            self.side = color;
            self.ko = None;
            (self.last, self.before) = (None, None);
            self.passes = 0;
        }
        Ok(())
    }

    fn playout(&mut self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
        playout::one(self, rng, observer)
    }

    fn playouts(&self, count: u32, rng: &mut Rng, counts: &mut Counts) {
        Go::play_out(&mut [Leaf { position: self, playouts: count, rng, counts }]);
    }

    fn play_out(leaves: &mut [Leaf<'_, Go>]) {
        playout::many(leaves);
    }

    fn score_without(&self, dead: &[Move]) -> Option<Outcome> {
        let mut rest = self.clone();
        for bit in dead.iter().filter_map(|&point| self.bit(point)) {
            for color in Color::BOTH {
                rest.stones[color.index()] = rest.stones[color.index()].minus(Bits::one(bit));
            }
        }
        Some(rest.score())
    }

    fn group(&self, point: Move) -> Vec<Move> {
        let (Some(color), Some(bit)) = (self.stone(point), self.bit(point)) else {
            return Vec::new();
        };
        let chain = self.chain(color, Bits::one(bit));
        chain.iter().map(|bit| Move::point(self.layout.point(bit))).collect()
    }

    fn handicap_points(&self, count: u32) -> Option<Vec<Move>> {
        handicap::points(self.layout.side(), count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::notation::drawn;
    use crate::types::Color;

    /// The position of a drawing, with Black to move.
    pub(super) fn diagram(text: &str) -> Go {
        let (stones, points) = drawn(text);
        let rules = GoRules::new(points.isqrt() as u32, 15).expect("a size of Go");
        let mut position = Go::new(&rules);
        position.set_up(&stones, Color::Black).expect("a position that can stand");
        position
    }
}
