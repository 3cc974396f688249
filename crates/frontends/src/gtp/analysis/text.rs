//! A report as one line of analysis.
//!
//! The line of moves stands last in each candidate's part, as interfaces want it. Figures are the side's
//! to move.

use std::fmt::Write as _;

use banyan_engine::judgement::komi;
use banyan_engine::{Playable, Report};
use banyan_games::{Color, Move};
use banyan_search::{Candidate, Proof};

use super::asked::{Asked, Dialect};

/// Two-sided 95 %.
const Z: f64 = 1.96;

/// Says how the candidates stand; empty while there is nothing to say.
///
/// - `position`: with the right side to move.
pub(super) fn line<G: Playable>(position: &G, report: &Report, asked: &Asked) -> String {
    let mut parts = Vec::new();
    for (order, candidate) in report.candidates.iter().take(asked.moves_max).enumerate() {
        // Some interfaces drop a move without a line, and one without visits has none yet. What was
        // solved has no visits and is worth saying.
        let is_solved = report.exact_score().is_some();
        if candidate.visits > 0 || order < asked.moves_min || is_solved {
            parts.push(part(position, report, Place { order, candidate }, asked));
        }
    }
    if parts.is_empty() {
        return String::new();
    }
    if asked.root_info {
        parts.push(root_info(position, report));
    }
    if asked.ownership && report.sums.owner_playouts > 0 {
        parts.push(ownership(position.side_to_move(), report));
    }
    parts.join(" ")
}

/// A candidate and where it stands among them, from 0.
struct Place<'a> {
    order: usize,
    candidate: &'a Candidate,
}

fn part<G: Playable>(position: &G, report: &Report, place: Place<'_>, asked: &Asked) -> String {
    let Place { order, candidate } = place;
    let Candidate { mv, visits, value, prior, .. } = *candidate;
    // What is proven is not an estimate.
    let bound = match candidate.proof {
        Proof::Open => lower_bound(value, visits),
        _ => value,
    };
    let name = position.move_text(mv);
    let mut text = match asked.dialect {
        Dialect::LeelaZero => format!(
            "info move {name} visits {visits} winrate {} prior {} lcb {} order {order}",
            of_ten_thousand(value),
            of_ten_thousand(prior),
            of_ten_thousand(bound)
        ),
        Dialect::KataGo => format!(
            "info move {name} visits {visits} utility {:.6} winrate {value:.6}{} prior {prior:.6} \
             lcb {bound:.6} utilityLcb {:.6} order {order}",
            utility(value),
            scores(position.side_to_move(), report, mv),
            utility(bound)
        ),
    };
    let plies = plies(report, order, candidate);
    text.push_str(" pv");
    for &(mv, _) in &plies {
        let _ = write!(text, " {}", position.move_text(mv));
    }
    if asked.pv_visits {
        text.push_str(" pvVisits");
        for (_, visits) in plies {
            let _ = write!(text, " {visits}");
        }
    }
    text
}

/// The mean score of a move's playouts, twice, since interfaces ask for it by either name; nothing where
/// the game has none.
fn scores(side: Color, report: &Report, mv: Move) -> String {
    let score = report.sums.score(mv, side);
    // No zero has a sign.
    let text = |score| format!(" scoreMean {:.3} scoreLead {0:.3}", score + 0.0);
    score.map_or_else(String::new, text)
}

/// The line through a candidate, each ply with its visits; what decides without a tree knows only the
/// best one's.
fn plies(report: &Report, order: usize, candidate: &Candidate) -> Vec<(Move, u64)> {
    match report.lines.get(order) {
        Some(line) => line.clone(),
        None if order == 0 && !report.pv.is_empty() => {
            report.pv.iter().map(|&mv| (mv, candidate.visits)).collect()
        }
        None => vec![(candidate.mv, candidate.visits)],
    }
}

fn root_info<G: Playable>(position: &G, report: &Report) -> String {
    let visits = report.candidates.iter().map(|c| c.visits).sum::<u64>().max(1) as f64;
    let sum: f64 = report.candidates.iter().map(|c| c.value * c.visits as f64).sum();
    let value = sum / visits;
    let mut text = format!(
        "rootInfo visits {} utility {:.6} winrate {value:.6}",
        report.visits,
        utility(value)
    );
    if let Some(lead) = score_lead(position, report) {
        let _ = write!(text, " scoreLead {lead:.3}");
    }
    text
}

/// By how many points the side to move is ahead in the mean over the playouts whose owners were asked
/// for; games of territory alone.
fn score_lead<G: Playable>(position: &G, report: &Report) -> Option<f64> {
    let playouts = report.sums.owner_playouts;
    let komi = komi(position).filter(|_| playouts > 0)?;
    let held = report.sums.ownership.iter().sum::<i64>() as f64 / playouts as f64;
    Some(sign(position.side_to_move()) * (held + f64::from(komi.0) / 2.0))
}

/// From 1 (the side to move holds the point in every playout) to -1, row by row from the top.
fn ownership(side: Color, report: &Report) -> String {
    let playouts = report.sums.owner_playouts as f64;
    let mut text = "ownership".to_owned();
    for &held in &report.sums.ownership {
        // No zero has a sign.
        let _ = write!(text, " {:.3}", sign(side) * held as f64 / playouts + 0.0);
    }
    text
}

const fn sign(side: Color) -> f64 {
    match side {
        Color::Black => 1.0,
        Color::White => -1.0,
    }
}

/// A value as a number from -1 to 1.
fn utility(value: f64) -> f64 {
    2.0 * value - 1.0
}

fn of_ten_thousand(value: f64) -> u32 {
    (value * 10_000.0).round() as u32
}

/// The lower end of Wilson's 95 % interval of a value over so many playouts.
///
/// Playouts of a search are not drawn independently: a figure to compare moves by, no more.
fn lower_bound(value: f64, visits: u64) -> f64 {
    let n = visits as f64;
    if visits == 0 {
        return 0.0;
    }
    let spread = Z * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((value + Z * Z / (2.0 * n) - spread) / (1.0 + Z * Z / n)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::Record;
    use banyan_games::go::{Go, GoRules};

    use super::*;
    use banyan_jobs::Scores;

    use crate::gtp::args::Args;
    use banyan_engine::search::Sums;

    fn asked(words: &str, dialect: Dialect) -> Asked {
        let record = Record::<Go>::new(&GoRules::new(2, 1).expect("a size of Go"));
        Asked::read(&record, &Args::new(words), dialect).expect("known words")
    }

    /// White to move on four points; Black holds two thirds of the first and nothing else.
    fn said(words: &str, dialect: Dialect) -> String {
        let mut position = Go::new(&GoRules::new(2, 1).expect("a size of Go"));
        position.set_side_to_move(Color::White).expect("either side may move");
        let named = |text: &str| position.parse_move(text).expect("a move");
        let candidate = |text: &str, visits, value| Candidate {
            mv: named(text),
            visits,
            value,
            prior: 0.25,
            proof: Proof::Open,
        };
        let report = Report {
            candidates: vec![
                candidate("A2", 96, 0.75),
                candidate("B1", 32, 0.25),
                candidate("B2", 0, 0.5),
            ],
            lines: vec![
                vec![(named("A2"), 96), (named("pass"), 40)],
                vec![(named("B1"), 32)],
                vec![(named("B2"), 0)],
            ],
            visits: 128,
            sums: Sums {
                owner_playouts: 30,
                ownership: vec![20, -30, 0, -30],
                scores: vec![Scores { mv: named("A2"), playouts: 4, margin_sum: -10 }],
                ..Sums::default()
            },
            ..Report::default()
        };
        line(&position, &report, &asked(words, dialect))
    }

    #[test]
    fn whole_numbers_of_ten_thousand() {
        // Wilson: 0.75 of 96, and 0.25 of 32.
        assert_eq!(
            said("w 10", Dialect::LeelaZero),
            "info move A2 visits 96 winrate 7500 prior 2500 lcb 6549 order 0 pv A2 pass \
             info move B1 visits 32 winrate 2500 prior 2500 lcb 1325 order 1 pv B1"
        );
    }

    #[test]
    fn fractions_the_root_and_the_owners_seen_from_the_side_to_move() {
        let text =
            said("w 10 maxmoves 1 rootInfo true ownership true pvVisits true", Dialect::KataGo);
        // Black: 20/30 - 1 - 1 points, less komi 0.5.
        assert_eq!(
            text,
            "info move A2 visits 96 utility 0.500000 winrate 0.750000 scoreMean 1.250 \
             scoreLead 1.250 prior 0.250000 lcb 0.654900 \
             utilityLcb 0.309800 order 0 pv A2 pass pvVisits 96 40 \
             rootInfo visits 128 utility 0.250000 winrate 0.625000 scoreLead 1.833 \
             ownership -0.667 1.000 0.000 1.000"
        );
    }

    #[test]
    fn what_is_proven_is_worth_no_less_than_that() {
        let position = Go::new(&GoRules::new(2, 1).expect("a size of Go"));
        let mv = position.parse_move("A2").expect("a move");
        let won = Candidate { mv, visits: 1, value: 1.0, prior: 1.0, proof: Proof::Win };
        let report = Report { candidates: vec![won], ..Report::default() };
        let text = line(&position, &report, &asked("b", Dialect::LeelaZero));
        assert!(text.contains(" winrate 10000 prior 10000 lcb 10000 "), "{text}");
    }

    #[test]
    fn moves_without_visits_are_shown_where_that_is_asked_for() {
        assert!(!said("w", Dialect::LeelaZero).contains("B2"));
        let text = said("w minmoves 3", Dialect::LeelaZero);
        assert!(
            text.ends_with("info move B2 visits 0 winrate 5000 prior 2500 lcb 0 order 2 pv B2")
        );
    }
}
