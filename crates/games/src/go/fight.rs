//! A local fight over one chain: where it can be decided, who may play what, and when it is over.
//!
//! Rules of the fight only; who wins it is searched elsewhere.

use super::position::{Go, Points};
use crate::game::Game;
use crate::rng::mix;
use crate::types::{Color, Move};
use banyan_kernels::bits::Bits;

/// Empty points of a fight; where more hang together, those far from the chain are the way out.
const EMPTY_MAX: u32 = 24;

/// An enemy chain at the rim with so many liberties outside may be caught: these belong to the fight.
const WEAK_LIBERTIES: u32 = 2;

/// Far from every number that a position's hash scrambles.
const PASSES_SALT: u64 = 1 << 40;

/// Reasons why there is nothing to fight about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FightError {
    /// No stone stands there.
    #[error("no stone stands on {0}: expected a point with a stone of the group in question")]
    NoStone(String),
}

/// Result of a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// The chain was taken.
    Dead,
    /// It lives in two eyes, has run away, or neither side wants to go on (seki with it).
    Alive,
}

/// A position of a fight.
///
/// Kos: one side, the ko winner, may retake at once; the other must not retake before a move
/// elsewhere, as in the game. So every ko is decided in favour of the ko winner, who is assumed to have
/// all the threats; whoever asks tries both.
#[derive(Clone, Debug)]
pub struct Fight {
    position: Go,
    /// A bit of the chain in question.
    target: usize,
    defender: Color,
    ko_winner: Color,
    area: Points,
    /// Points behind the area: a chain that gets there has run away.
    beyond: Points,
    passes: u8,
}

impl Fight {
    /// The fight over the chain on `target`, in which `ko_winner` wins every ko.
    ///
    /// # Errors
    /// [`FightError::NoStone`] where `target` is empty or outside the board.
    pub fn new(position: &Go, target: Move, ko_winner: Color) -> Result<Fight, FightError> {
        let on_board = |&bit: &usize| position.full().contains(bit);
        let (Some(bit), Some(defender)) =
            (position.bit(target).filter(on_board), stone(position, target))
        else {
            return Err(FightError::NoStone(name(position, target)));
        };
        let (area, beyond) = area(position, defender, bit);
        let position = position.clone();
        Ok(Fight { position, target: bit, defender, ko_winner, area, beyond, passes: 0 })
    }

    /// The side that wants the chain to live.
    pub fn defender(&self) -> Color {
        self.defender
    }

    pub(super) fn position(&self) -> &Go {
        &self.position
    }

    /// A bit of the chain in question.
    pub(super) fn target(&self) -> usize {
        self.target
    }

    /// Tells whether the ply before was a pass.
    pub(super) fn has_passed(&self) -> bool {
        self.passes > 0
    }

    pub(super) fn area(&self) -> Points {
        self.area
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Color {
        self.position.side_to_move()
    }

    /// The side that wins every ko.
    pub fn ko_winner(&self) -> Color {
        self.ko_winner
    }

    /// Points where stones may be put in this fight, count.
    pub fn points(&self) -> u32 {
        self.area.len()
    }

    /// Empty points where stones may be put in this fight, count.
    pub fn empty_points(&self) -> u32 {
        (self.area & self.position.empty()).len()
    }

    /// Enemy chains that share a liberty with the chain, each by one of its stones.
    pub fn rivals(&self) -> Vec<Move> {
        self.enemies_next_to(self.position.liberties_of(self.target))
    }

    /// Enemy chains that touch the chain, each by one of its stones.
    pub fn besiegers(&self) -> Vec<Move> {
        self.enemies_next_to(self.position.chain(self.defender, Bits::one(self.target)))
    }

    fn enemies_next_to(&self, points: Points) -> Vec<Move> {
        let foe = self.position.stones[(!self.defender).index()];
        let mut left = self.position.neighbours(points) & foe;
        let mut found = Vec::new();
        while let Some(seed) = left.first() {
            found.extend(seed.iter().map(|bit| Move::point(self.position.layout.point(bit))));
            left = left.minus(self.position.chain(!self.defender, seed));
        }
        found
    }

    /// Returns the fate of the chain, once that is plain.
    pub fn fate(&self) -> Option<Fate> {
        if !self.position.stones[self.defender.index()].contains(self.target) {
            return Some(Fate::Dead);
        }
        let chain = self.position.chain(self.defender, Bits::one(self.target));
        let has_escaped = self.position.neighbours(chain).intersects(self.beyond);
        if self.passes >= 2 || has_escaped || chain.intersects(self.beyond) {
            return Some(Fate::Alive);
        }
        let target = Move::point(self.position.layout.point(self.target));
        self.position.is_unconditionally_alive(target).then_some(Fate::Alive)
    }

    /// Appends what the side to move may do: points of the area but its own eyes, and the pass, last.
    pub fn moves(&self, moves: &mut Vec<Move>) {
        let mut free = self.position.clone();
        if self.side_to_move() == self.ko_winner {
            free.ko = None;
        }
        let stones = (free.playable() & self.area).minus(free.eyes());
        moves.extend(stones.iter().map(|bit| Move::point(free.layout.point(bit))));
        moves.push(Move::PASS);
    }

    /// Plays a move that [`Fight::moves`] gave.
    pub fn play(&mut self, mv: Move) {
        self.passes = if mv.is_pass() { self.passes + 1 } else { 0 };
        self.position.play(mv);
        // The game's own passes end it too; a fight counts for itself.
        self.position.passes = 0;
    }

    /// A hash of all that decides how it goes on.
    pub fn hash(&self) -> u64 {
        self.position.hash() ^ mix(PASSES_SALT + u64::from(self.passes))
    }

    /// Liberties of the chain, count; 0 once it is taken.
    pub fn liberties(&self) -> u32 {
        self.position.liberties_of(self.target).len()
    }

    /// The move as people write it.
    pub fn move_text(&self, mv: Move) -> String {
        self.position.move_text(mv)
    }
}

fn stone(position: &Go, point: Move) -> Option<Color> {
    position.bit(point).and_then(|_| position.stone(point))
}

fn name(position: &Go, point: Move) -> String {
    match position.bit(point) {
        Some(_) => position.move_text(point),
        None if point.is_pass() => "a pass".to_owned(),
        None => format!("point {}", point.0),
    }
}

/// Finds the area where the fight over the chain on `target` is decided, and the points behind it.
fn area(position: &Go, defender: Color, target: usize) -> (Points, Points) {
    let foe = position.stones[(!defender).index()];
    let inside = position.full().minus(foe);
    let chain = position.chain(defender, Bits::one(target));
    let all = chain.flood(inside, position.layout.stride());
    let mut near = chain;
    loop {
        let grown = near | (position.neighbours(near) & inside);
        if grown == near || (grown & position.empty()).len() > EMPTY_MAX {
            break;
        }
        near = grown;
    }
    let beyond = all.minus(near) & position.empty();
    (near | catchable(position, foe, near), beyond)
}

/// Enemy chains at the rim of `near` that may be caught, with their liberties.
fn catchable(position: &Go, foe: Points, near: Points) -> Points {
    let mut left = position.neighbours(near) & foe;
    let mut found = Points::EMPTY;
    while let Some(seed) = left.first() {
        let chain = seed.flood(foe, position.layout.stride());
        left = left.minus(chain);
        let liberties = position.neighbours(chain) & position.empty();
        if liberties.minus(near).len() <= WEAK_LIBERTIES {
            found |= chain | liberties;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::tests::diagram;

    fn fight(text: &str, row: usize, column: usize) -> Fight {
        let position = diagram(text);
        Fight::new(&position, Move::point(row * 7 + column), Color::Black).expect("a stone")
    }

    const CORNER: &str = "
        . . . X O . .
        X X X X O . .
        O O O O O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";

    #[test]
    fn the_area_is_what_the_wall_encloses() {
        let fight = fight(CORNER, 1, 0);
        let mut moves = Vec::new();
        fight.moves(&mut moves);
        assert_eq!(moves, [Move(0), Move(1), Move(2), Move::PASS]);
        assert_eq!((fight.fate(), fight.points(), fight.liberties()), (None, 8, 3));
    }

    #[test]
    fn a_wall_with_two_liberties_outside_may_be_taken_however_many_it_shares() {
        let race = "
            X . O X . . .
            X O O X . . .
            X O X . . . .
            X O . . . . .
            X O X . . . .
            X O O X . . .
            X . O X . . .";
        let outside = Move::point(3 * 7 + 2);
        let mut moves = Vec::new();
        fight(race, 3, 0).moves(&mut moves);
        assert_eq!(moves, [Move(1), outside, Move(6 * 7 + 1), Move::PASS]);
    }

    #[test]
    fn a_chain_that_is_taken_is_dead_and_two_passes_let_it_live() {
        // White plays in the middle; Black lets it happen and fills his own last liberties but one.
        let mut taken = fight(CORNER, 1, 0);
        for mv in [Move::PASS, Move(1), Move::PASS, Move(0), Move::PASS, Move(2)] {
            assert_eq!(taken.fate(), None, "{mv:?}");
            let mut moves = Vec::new();
            taken.moves(&mut moves);
            assert!(moves.contains(&mv), "{mv:?} of {moves:?}");
            taken.play(mv);
        }
        assert_eq!(taken.fate(), Some(Fate::Dead));
        let mut passed = self::fight(CORNER, 1, 0);
        passed.play(Move::PASS);
        passed.play(Move::PASS);
        assert_eq!(passed.fate(), Some(Fate::Alive));
    }

    #[test]
    fn a_chain_with_open_board_before_it_has_run_away() {
        let open = "
            . . . . . . .
            . X . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        // 48 empty points: more than a fight has.
        let fight = fight(open, 1, 1);
        assert!(fight.points() < 48);
        assert_eq!(fight.fate(), None, "there is a way, but it is not there yet");
    }

    #[test]
    fn rivals_share_a_liberty_and_besiegers_touch() {
        let shared = "
            . O . X . . .
            O O X . . . .
            X X X . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let corner = fight(shared, 0, 1);
        assert_eq!((corner.rivals(), corner.besiegers()), (vec![Move(3), Move(9)], vec![Move(9)]));
        // The stone at the top may be taken: it, and its two liberties outside, belong to the fight.
        assert_eq!((corner.empty_points(), corner.points(), corner.liberties()), (4, 8, 2));
    }

    #[test]
    fn nothing_stands_on_an_empty_point_or_outside() {
        let position = diagram(CORNER);
        for (mv, text) in [(Move(0), "A7"), (Move(600), "point 600"), (Move::PASS, "a pass")] {
            let refused = Fight::new(&position, mv, Color::Black).expect_err("nothing there");
            assert_eq!(refused, FightError::NoStone(text.to_owned()));
        }
    }
}
