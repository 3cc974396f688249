//! Choice among moves that win as often, once a game is decided: the one that wins by more.
//!
//! A tree counts wins alone, so that a move that gives points away without giving the game away is as good
//! to it as any other; people see it otherwise. Pure.

use banyan_games::{Color, Move};
use banyan_jobs::Sums;
use banyan_search::{Candidate, Proof, Searchable, Tree};

use crate::report::{PV_PLIES_MAX, Report};

/// Values that differ by less are the same.
const TIE: f64 = 0.01;

/// A game is open while the best move wins so often: there what is found in few more visits matters more than
/// points. (Measured: with ties broken in open games too 44.5 % of 200 games, docs/experiments/go.md.)
const OPEN: std::ops::Range<f64> = 0.05..0.95;

/// A move with less than this part of the best one's visits is not known well enough.
const VISITS_SHARE: u64 = 4;

/// Puts the move first in a report of `tree` that is played of those that win as often, and its line.
pub(crate) fn break_tie(report: &mut Report, tree: &Tree, side: Color) {
    let index = best_by_score(&report.candidates, &report.sums, side);
    if index > 0 {
        let line = tree.line(report.candidates[index].mv, PV_PLIES_MAX);
        report.put_first(index, line);
    }
}

/// Puts the move first that is likeliest where no move has a playout or an evaluation: by what the tree knows of its
/// root, such as an evaluator's policy, or else by the game's priors.
pub(crate) fn prefer_likeliest<G: Searchable>(report: &mut Report, position: &G) {
    let is_unknown = |it: &Candidate| it.visits == 0 && it.proof == Proof::Open;
    if !report.candidates.iter().all(is_unknown) {
        return;
    }
    let moves: Vec<Move> = report.candidates.iter().map(|it| it.mv).collect();
    let mut weights: Vec<f64> = report.candidates.iter().map(|it| it.prior).collect();
    if weights.windows(2).all(|two| two[0] == two[1]) {
        let mut own = Vec::new();
        position.priors(&moves, &mut own);
        weights = own.into_iter().map(f64::from).collect();
    }
    let best = weights.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
    if let Some((index, _)) = best {
        report.put_first(index, vec![(moves[index], 0)]);
    }
}

/// The index of the candidate to play: the first, or one as good by value whose playouts `side` wins by
/// more points.
///
/// - `candidates`: the best first.
pub fn best_by_score(candidates: &[Candidate], sums: &Sums, side: Color) -> usize {
    let first = candidates.first().filter(|first| !OPEN.contains(&first.value));
    let Some(first) = first else { return 0 };
    let score = |candidate: &Candidate| sums.score(candidate.mv, side);
    let Some(mut best) = score(first) else { return 0 };
    let mut index = 0;
    for (nth, candidate) in candidates.iter().enumerate().skip(1) {
        let is_known = candidate.visits >= first.visits.div_ceil(VISITS_SHARE);
        let is_as_good = candidate.value + TIE >= first.value && candidate.proof == first.proof;
        if let Some(score) = score(candidate).filter(|_| is_known && is_as_good)
            && score > best
        {
            (best, index) = (score, nth);
        }
    }
    index
}

#[cfg(test)]
mod tests {
    use banyan_games::gomoku::{Gomoku, GomokuRules};
    use banyan_games::{Counts, Game, Move};
    use banyan_search::{Descent, FinalMove, Parameters, Proof};

    use super::*;

    fn candidate(point: usize, visits: u64, value: f64) -> Candidate {
        Candidate { mv: Move::point(point), visits, value, prior: 0.1, proof: Proof::Open }
    }

    /// Black wins by so many points through each of the moves, in their order.
    fn sums(points: &[i64]) -> Sums {
        let mut sums = Sums::default();
        for (point, won) in points.iter().enumerate() {
            sums.add_score(Move::point(point), 10, 10 * 2 * won);
        }
        sums
    }

    #[test]
    fn of_moves_that_win_as_often_the_one_is_played_that_wins_by_more() {
        let close = [candidate(0, 800, 0.97), candidate(1, 300, 0.965), candidate(2, 200, 0.968)];
        assert_eq!(best_by_score(&close, &sums(&[3, 9, 5]), Color::Black), 1);
        assert_eq!(best_by_score(&close, &sums(&[3, 2, 5]), Color::Black), 2);
        assert_eq!(best_by_score(&close, &sums(&[9, 3, 5]), Color::Black), 0);
        // For White the fewest points of Black's.
        assert_eq!(best_by_score(&close, &sums(&[9, 3, 5]), Color::White), 1);
    }

    #[test]
    fn where_nothing_came_in_time_the_move_is_played_that_the_game_itself_likes_best() {
        let rules = GomokuRules::new(7, 7, Default::default()).expect("a size of Gomoku");
        let mut position = Gomoku::new(&rules);
        for point in [24, 0, 25, 1, 26, 2] {
            position.play(Move::point(point));
        }
        // The fourth in a row, among points far from it.
        let report = |visits| Report {
            candidates: [6, 42, 27, 48].map(|point| candidate(point, visits, 0.5)).to_vec(),
            ..Report::default()
        };
        let mut unknown = report(0);
        prefer_likeliest(&mut unknown, &position);
        assert_eq!(
            (unknown.candidates[0].mv, &unknown.pv[..]),
            (Move::point(27), &[Move::point(27)][..])
        );
        // By one evaluation nothing is known but the root's policy.
        let mut judged = report(0);
        judged.candidates[1].prior = 0.4;
        prefer_likeliest(&mut judged, &position);
        assert_eq!(judged.candidates[0].mv, Move::point(42));
        let mut known = report(1);
        prefer_likeliest(&mut known, &position);
        assert_eq!(known.candidates[0].mv, Move::point(6));
    }

    #[test]
    fn a_move_that_wins_less_often_or_is_hardly_known_is_not() {
        let first = candidate(0, 800, 0.97);
        let points = sums(&[3, 9]);
        for other in [candidate(1, 700, 0.955), candidate(1, 199, 0.97)] {
            assert_eq!(best_by_score(&[first, other], &points, Color::Black), 0);
        }
        let proven = Candidate { proof: Proof::Win, ..first };
        assert_eq!(best_by_score(&[proven, candidate(1, 700, 0.99)], &points, Color::Black), 0);
    }

    /// A tree with so many playouts through each of the first points, a part of which Black won.
    fn tree(playouts: [(u32, u32); 3]) -> Tree {
        let position = Gomoku::new(&GomokuRules::new(7, 7, Default::default()).expect("a size"));
        let mut tree = Tree::new(Parameters::of(Gomoku::KIND), 1, 1 << 20, Color::White);
        tree.allow_at_root(Color::Black, &[0, 1, 2].map(Move::point));
        for (point, (wins, losses)) in playouts.into_iter().enumerate() {
            let child = tree.child(tree.root(), Move::point(point)).expect("allowed");
            let mut after = position.clone();
            let Descent::Leaf(path) = tree.descend_through(child, &mut after, 1_000) else {
                panic!("no end is near")
            };
            tree.merge(&path, &Counts { wins, losses, ..Counts::default() });
        }
        tree
    }

    #[test]
    fn the_move_that_breaks_a_tie_comes_first_with_its_line_and_the_others_stay_in_order() {
        let tree = tree([(58, 2), (39, 1), (29, 1)]);
        let report = |lines| Report {
            candidates: tree.candidates(FinalMove::Visits),
            pv: tree.principal_variation(FinalMove::Visits, 9),
            lines: tree.lines(FinalMove::Visits, lines, 9),
            sums: sums(&[1, 7, 2]),
            ..Report::default()
        };
        let points =
            |moves: Vec<Move>| moves.iter().filter_map(|mv| mv.index()).collect::<Vec<_>>();
        for lines in [0, 1, 2, 3] {
            let mut report = report(lines);
            break_tie(&mut report, &tree, Color::Black);
            assert_eq!(points(report.candidates.iter().map(|c| c.mv).collect()), [1, 0, 2]);
            assert_eq!(points(report.pv), [1]);
            let firsts = report.lines.iter().map(|line| line[0].0).collect();
            assert_eq!(points(firsts), [1, 0, 2][..lines]);
        }
    }

    #[test]
    fn while_a_game_is_open_points_do_not_matter() {
        for (value, played) in [(0.94, 0), (0.5, 0), (0.06, 0), (0.96, 1), (0.04, 1)] {
            let equal = [candidate(0, 800, value), candidate(1, 800, value)];
            assert_eq!(best_by_score(&equal, &sums(&[3, 9]), Color::Black), played, "{value}");
        }
    }

    #[test]
    fn without_scores_nothing_changes() {
        let close = [candidate(0, 800, 0.97), candidate(1, 800, 0.97)];
        assert_eq!(best_by_score(&close, &Sums::default(), Color::Black), 0);
        assert_eq!(best_by_score(&[], &Sums::default(), Color::Black), 0);
    }
}
