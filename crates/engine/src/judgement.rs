//! Judgement of a position by the ends of playouts: who will hold what, and which stones are dead.

use banyan_games::{Color, Margin, Move, Outcome};
use banyan_search::Searchable;

use crate::report::Report;

/// A group is dead when this share of playouts ends with its points in enemy hands.
const DEAD_SHARE: f64 = 0.5;

/// Positions looked into for stones that playouts call dead, of all groups together: some tens of milliseconds.
const SEKI_NODES_MAX: u64 = 20_000;

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

/// The same for the end of a game: stones in seki stay, whatever playouts make of them. Those never pass, so that who
/// runs out of free moves first has to give up his seki.
///
/// Ownership is what playouts came to all the same.
pub fn last_judgement<G: Searchable>(position: &G, report: &Report) -> Judgement {
    let Judgement { ownership, mut dead, outcome } = judgement(position, report);
    let stay = position.in_seki(&dead, SEKI_NODES_MAX);
    if stay.is_empty() {
        return Judgement { ownership, dead, outcome };
    }
    dead.retain(|stone| !stay.contains(stone));
    let outcome = position.score_without(&dead);
    Judgement { ownership, dead, outcome }
}

/// Komi, as Black's margin; nothing in games without territory.
pub fn komi<G: Searchable>(position: &G) -> Option<Margin> {
    // Without any stone there is only komi.
    let everything: Vec<Move> = (0..position.size().area()).map(Move::point).collect();
    position.score_without(&everything).map(|outcome| outcome.margin)
}

#[cfg(test)]
pub(crate) mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::notation::drawn;
    use banyan_games::{Game, Record};
    use banyan_jobs::Sums;

    use super::*;

    /// Four black stones and three white ones share C1 and C2; a white stone at A8 is dead.
    pub(crate) const SEKI: &str = "
        . X O . . . . . .
        O X O . . . . . .
        . X O . . . . . .
        X X O . . . . . .
        . X O . . . . . .
        X X O O O . . . .
        X O X X O . . . .
        X O . X O . . . .
        X O . X O . . . .";

    #[test]
    fn stones_in_seki_stay_and_dead_ones_do_not() {
        let (stones, _) = drawn(SEKI);
        let rules = GoRules::new(9, 1).expect("rules");
        let record = Record::<Go>::set_up(&rules, &stones, Color::Black).expect("a position");
        let position = record.position();
        // As if Black had been the first without a free move: only its left wall lives.
        let ownership = (0..81).map(|point| match (point / 9, point % 9) {
            (0..6, 0..2) | (6..9, 0) => 99,
            _ => -99,
        });
        let sums = Sums { owner_playouts: 100, ownership: ownership.collect(), ..Sums::default() };
        let report = Report { sums, ..Report::default() };
        let dead = |judged: &Judgement| -> Vec<String> {
            judged.dead.iter().map(|&mv| position.move_text(mv)).collect()
        };
        let played_out = judgement(position, &report);
        assert_eq!(dead(&played_out), ["A8", "C3", "D3", "D2", "D1"]);
        let judged = last_judgement(position, &report);
        assert_eq!(
            (dead(&judged), &judged.ownership),
            (vec!["A8".to_owned()], &played_out.ownership)
        );
        // 15 black points at the left and 4 stones; C1 and C2 are nobody's, and half a point is komi.
        assert_eq!(judged.outcome.map(|it| it.to_string()).as_deref(), Some("W+41.5"));
    }
}
