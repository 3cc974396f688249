//! Judgement of a position by the ends of playouts: who will hold what, and which stones are dead.

use banyan_games::{Color, Margin, Move, Outcome};
use banyan_search::Searchable;

use crate::report::Report;

/// A group is dead when this share of playouts ends with its points in enemy hands.
const DEAD_SHARE: f64 = 0.5;

/// A position as playouts show it: who will hold what.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Per point, from -1 (White's in every playout) to 1 (Black's).
    pub ownership: Vec<f64>,
    /// Stones that will not stay, whole groups.
    pub dead: Vec<Move>,
    /// The outcome if the game stopped here and dead stones were taken off; games without territory
    /// have one only when they are over.
    pub outcome: Option<Outcome>,
}

/// Reads a report's ownership: whole groups live or die by the mean over their points.
pub fn judgement<G: Searchable>(position: &G, report: &Report) -> Judgement {
    let playouts = report.sums.owner_playouts.max(1) as f64;
    let ownership: Vec<f64> =
        report.sums.ownership.iter().map(|&held| held as f64 / playouts).collect();
    let mut dead = Vec::new();
    let mut seen = vec![false; ownership.len()];
    for point in 0..ownership.len() {
        let Some(color) = position.stone(Move::point(point)).filter(|_| !seen[point]) else {
            continue;
        };
        let group = position.group(Move::point(point));
        let points = group.iter().filter_map(|mv| mv.index());
        points.clone().for_each(|at| seen[at] = true);
        let held: f64 = points.map(|at| ownership[at]).sum::<f64>() / group.len() as f64;
        let own = if color == Color::Black { held } else { -held };
        // From -1..1 to the share of playouts in which the enemy holds it.
        if (1.0 - own) / 2.0 > DEAD_SHARE {
            dead.extend(group);
        }
    }
    let outcome = position.score_without(&dead);
    Judgement { ownership, dead, outcome }
}

/// Komi, as Black's margin; nothing in games without territory.
pub fn komi<G: Searchable>(position: &G) -> Option<Margin> {
    // Without any stone there is only komi.
    let everything: Vec<Move> = (0..position.size().area()).map(Move::point).collect();
    position.score_without(&everything).map(|outcome| outcome.margin)
}
