//! Playouts by any weights that tell how each weight bears on what was played: what simulation balancing
//! learns from. They draw as heavy playouts do, but weigh every move anew, and are slow.

use super::super::position::Go;
use super::board::Board;
use super::pattern;
use super::traits::Trait;
use super::{areas_of, for_side, score};
use crate::rng::Rng;
use crate::types::{Color, Outcome};

/// A playout of which something can be learned.
#[derive(Clone, Debug, Default)]
pub struct Lesson {
    /// How the chance of the playout's moves changes with the weights: parts of
    /// ∂ ln P / ∂ ln weight of a trait, to be added up; the same trait comes many times.
    pub slopes: Vec<(Trait, f64)>,
    /// Traits of all moves of a ply, one move after the other.
    traits: Vec<Trait>,
    /// Of each move: its place, its strength, and where its traits end.
    moves: Vec<(usize, f64, usize)>,
}

impl Lesson {
    /// Plays one playout of `game` by `weights` (by the index of traits), and notes its slopes in place
    /// of those that were there.
    ///
    /// # Panics
    /// When there are not [`Trait::COUNT`] weights.
    pub fn play(&mut self, game: &Go, weights: &[f64], rng: &mut Rng) -> Outcome {
        assert_eq!(weights.len(), Trait::COUNT, "a weight for each trait");
        self.slopes.clear();
        for_side!(game.layout.side(), play(game, weights, rng, self))
    }

    fn weigh<const W: usize, const N: usize>(
        &mut self,
        board: &Board<W, N>,
        side: Color,
        weights: &[f64],
    ) -> f64 {
        let answers = board.answers(side);
        self.traits.clear();
        self.moves.clear();
        let mut total = 0.0;
        for v in board.empty.iter() {
            let is_eye = pattern::is_eye(pattern::seen_by(side, board.code(v)));
            if is_eye || board.ko == Some(v) {
                continue;
            }
            let (first, mut strength) = (self.traits.len(), 1.0);
            let is_legal = board.add_traits(&answers, (side, v), |of| {
                self.traits.push(of);
                strength *= weights[of.index()];
            });
            if is_legal {
                total += strength;
                self.moves.push((v, strength, self.traits.len()));
            } else {
                self.traits.truncate(first);
            }
        }
        total
    }

    /// Draws a move by its share of `total`, and notes what its traits have that the others' lack.
    fn draw(&mut self, total: f64, rng: &mut Rng) -> Option<usize> {
        let mut left = total * f64::from(rng.below(1 << 24)) / f64::from(1 << 24);
        let drawn = self.moves.iter().position(|&(_, strength, _)| {
            left -= strength;
            left < 0.0
        });
        let drawn = drawn.or(self.moves.len().checked_sub(1))?;
        let mut first = 0;
        for (index, &(_, strength, end)) in self.moves.iter().enumerate() {
            let slope = f64::from(u8::from(index == drawn)) - strength / total;
            self.slopes.extend(self.traits[first..end].iter().map(|&of| (of, slope)));
            first = end;
        }
        Some(self.moves[drawn].0)
    }
}

fn play<const W: usize, const N: usize>(
    game: &Go,
    weights: &[f64],
    rng: &mut Rng,
    lesson: &mut Lesson,
) -> Outcome {
    let mut board = Board::<W, N>::new(game);
    let (mut side, mut passes) = (game.side, u32::from(game.passes));
    for _ in 0..3 * game.layout.area() {
        let total = lesson.weigh(&board, side, weights);
        match lesson.draw(total, rng) {
            Some(v) => {
                board.play(side, v);
                passes = 0;
            }
            None => {
                board.pass();
                passes += 1;
            }
        }
        if passes >= 2 {
            break;
        }
        side = !side;
    }
    score(game, &areas_of(&board))
}
