//! Positions a turn from another.

use banyan_games::{Color, Move};

use super::Searchable;

/// The position as if the side to move had passed; nothing where the rules do not have such a position.
pub fn turned<G: Searchable>(position: &G) -> Option<G> {
    let mut turned = G::new(position.rules());
    let points = (0..position.size().area()).map(Move::point);
    let stones: Vec<(Color, Move)> =
        points.filter_map(|point| Some((position.stone(point)?, point))).collect();
    turned.set_up(&stones, !position.side_to_move()).ok()?;
    Some(turned)
}

/// The position after the moves that the side to move plays in this turn; nothing where the line ends before.
pub fn after_turn<G: Searchable>(position: &G, line: &[Move]) -> Option<G> {
    let side = position.side_to_move();
    let mut next = position.clone();
    let mut line = line.iter();
    while next.outcome().is_none() && next.side_to_move() == side {
        next.play(*line.next()?);
    }
    Some(next)
}
