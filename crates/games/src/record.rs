//! One game as it is being played: the start, every ply, and what superko forbids.

use crate::game::{Game, SetupError, WrongSide};
use crate::types::{Color, Move};

/// Reasons why a ply cannot be added to a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The rules of the game forbid it in this position.
    #[error("illegal move {0}")]
    Illegal(String),
    /// It would bring back the stones of an earlier position.
    #[error("illegal move {0}: it repeats an earlier position (superko)")]
    Superko(String),
    /// The other side is to move.
    #[error(transparent)]
    Side(#[from] WrongSide),
}

/// A game: its start position, the plies since, and every position on the way.
///
/// Positions are kept whole, so that taking back any number of plies is exact and cheap.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    setup: Vec<(Color, Move)>,
    plies: Vec<(Color, Move)>,
    /// One longer than `plies`; never empty.
    positions: Vec<G>,
}

impl<G: Game> Record<G> {
    /// A game at its start.
    pub fn new(rules: &G::Rules) -> Record<G> {
        Record { setup: Vec::new(), plies: Vec::new(), positions: vec![G::new(rules)] }
    }

    /// A game that starts from stones already on the board, with `side` to move.
    ///
    /// # Errors
    /// [`SetupError`] with the stone that cannot stand.
    pub fn set_up(
        rules: &G::Rules,
        stones: &[(Color, Move)],
        side: Color,
    ) -> Result<Record<G>, SetupError> {
        let mut start = G::new(rules);
        start.set_up(stones, side)?;
        Ok(Record { setup: stones.to_vec(), plies: Vec::new(), positions: vec![start] })
    }

    /// The same stones and plies by other rules; nothing where those forbid them.
    pub fn under(&self, rules: &G::Rules) -> Option<Record<G>> {
        let mut same = Record::set_up(rules, &self.setup, self.start().side_to_move()).ok()?;
        for &(color, mv) in &self.plies {
            same.play_as(color, mv).ok()?;
        }
        Some(same)
    }

    /// The position now.
    pub fn position(&self) -> &G {
        &self.positions[self.plies.len()]
    }

    /// The position before the first ply.
    pub fn start(&self) -> &G {
        &self.positions[0]
    }

    /// The position after the first `plies` plies, 0 to all.
    ///
    /// # Panics
    /// Panics beyond the last ply.
    pub fn position_after(&self, plies: usize) -> &G {
        &self.positions[plies]
    }

    /// Stones that stood on the board before the first ply.
    pub fn setup(&self) -> &[(Color, Move)] {
        &self.setup
    }

    /// Every ply so far, with who played it.
    pub fn plies(&self) -> &[(Color, Move)] {
        &self.plies
    }

    /// How far the game is: its plies, and one for each stone that was set up beyond those of the start.
    pub fn plies_from_start(&self) -> usize {
        let start = G::new(self.start().rules());
        let points = (0..start.size().area()).map(Move::point);
        let own = points.filter(|&point| start.stone(point).is_some()).count();
        self.setup.len().saturating_sub(own) + self.plies.len()
    }

    /// Adds a ply of the side to move.
    ///
    /// # Errors
    /// [`IllegalMove`]; the record is as before.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.play_as(self.position().side_to_move(), mv)
    }

    /// Adds a ply of `color`, where the game lets a side play out of turn.
    ///
    /// # Errors
    /// [`IllegalMove`]; the record is as before.
    pub fn play_as(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let mut next = self.position().clone();
        next.set_side_to_move(color)?;
        if !next.is_legal(mv) {
            return Err(IllegalMove::Illegal(next.move_text(mv)));
        }
        next.play(mv);
        if self.repeats(mv, &next) {
            return Err(IllegalMove::Superko(next.move_text(mv)));
        }
        self.plies.push((color, mv));
        self.positions.push(next);
        Ok(())
    }

    /// Takes back the last ply and returns it; nothing at the start.
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        let ply = self.plies.pop()?;
        self.positions.pop();
        Some(ply)
    }

    /// Tells whether the side to move may play `mv`, superko included.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.position().is_legal(mv) && !self.is_superko(mv)
    }

    /// The candidates of the position that superko allows.
    pub fn candidates(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.position().candidates(&mut moves);
        moves.retain(|&mv| !self.is_superko(mv));
        if moves.is_empty() {
            self.position().legal_moves(&mut moves);
            moves.retain(|&mv| !self.is_superko(mv));
        }
        moves
    }

    fn is_superko(&self, mv: Move) -> bool {
        if !G::SUPERKO || mv.is_pass() {
            return false;
        }
        let mut next = self.position().clone();
        next.play(mv);
        self.repeats(mv, &next)
    }

    fn repeats(&self, mv: Move, next: &G) -> bool {
        let hash = next.stones_hash();
        G::SUPERKO && !mv.is_pass() && self.positions.iter().any(|p| p.stones_hash() == hash)
    }
}
