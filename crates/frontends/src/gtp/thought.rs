//! Thoughts about a move, for the log and for programs.

use std::io::Write as _;
use std::time::Duration;

use banyan_engine::report::Module;
use banyan_engine::{Playable, Report};
use banyan_games::{Color, Move};
use banyan_search::ponder::Foresight;
use serde::Serialize;

/// A move that was searched. The keys are fixed: other programs read them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Thought {
    #[serde(rename = "move")]
    mv: String,
    /// The side whose move it is.
    side: &'static str,
    /// The module that decided: `uct`, `alphabeta`, `mtdf`, `solver`, `threats` or `book`.
    decided_by: &'static str,
    /// Depth of the search, where it was a classical one: plies, or branches of the budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// Value of the best candidate, 0 to 1 for the side to move.
    value: f64,
    /// Playouts through the position, those carried over with them; positions looked at where the tree
    /// has not decided.
    visits: u64,
    /// Those from earlier searches.
    carried_over: u64,
    playouts: u64,
    seconds: f64,
    /// Time that was meant for the move, where a clock runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    usual_seconds: Option<f64>,
    /// The search on the opponent's time, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pondered: Option<Pondered>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Pondered {
    reply: String,
    foreseen: bool,
    /// Among the replies that were searched, from 1.
    rank: Option<usize>,
    /// Positions where a classical engine thinks.
    playouts: u64,
    /// Those of them that went to the reply.
    kept: u64,
}

impl Thought {
    /// - `position`: before the move.
    /// - `answer`: the side that was asked for, whoever's turn it was, and what is answered.
    pub fn new<G: Playable>(
        position: &G,
        (side, text): (Color, &str),
        report: &Report,
        foresight: Option<(Move, Foresight)>,
    ) -> Thought {
        let pondered = |(reply, Foresight { rank, spent, kept })| Pondered {
            reply: position.move_text(reply),
            foreseen: rank.is_some(),
            rank,
            playouts: spent,
            kept,
        };
        let is_of_tree = report.explanation.module == Module::Uct;
        Thought {
            mv: text.to_owned(),
            side: match side {
                Color::Black => "black",
                Color::White => "white",
            },
            decided_by: report.explanation.module.name(),
            depth: report.explanation.depth,
            value: report.candidates.first().map_or(0.5, |best| best.value),
            visits: report.visits,
            carried_over: match is_of_tree {
                true => report.visits.saturating_sub(report.sums.playouts),
                false => 0,
            },
            playouts: report.sums.playouts,
            seconds: report.elapsed.as_secs_f64(),
            usual_seconds: None,
            pondered: foresight.map(pondered),
        }
    }

    /// Says it in a line of the log, or in one of JSON on standard error.
    ///
    /// - `usual`: the time that was meant for the move.
    pub fn tell(mut self, usual: Option<Duration>, json: bool) {
        self.usual_seconds = usual.map(|usual| usual.as_secs_f64());
        if self.visits == 0 && self.decided_by == Module::Uct.name() {
            tracing::warn!(
                "nothing was searched in time: {} is what the priors like best",
                self.mv
            );
        }
        if !json {
            tracing::info!("{}", self.line());
        } else if let Ok(line) = serde_json::to_string(&self) {
            // Nobody is left to tell it to if standard error is closed.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    fn line(&self) -> String {
        let Thought { mv, side, value, visits, carried_over, seconds, .. } = self;
        let value = 100.0 * value;
        if self.decided_by == Module::Book.name() {
            return format!("{mv}: {value:.1} % for {side}, by the book, of {visits} visits");
        }
        let is_of_tree = self.decided_by == Module::Uct.name();
        let found = if is_of_tree {
            format!(
                "{mv}: {value:.1} % for {side} of {visits} visits, {carried_over} of them carried over, {seconds:.2} s"
            )
        } else {
            let by = self.decided_by;
            let depth = self.depth.map_or_else(String::new, |depth| format!(" to depth {depth}"));
            format!(
                "{mv}: {value:.1} % for {side}, {by}{depth} by {visits} positions, {seconds:.2} s"
            )
        };
        let unit = if is_of_tree { "playouts" } else { "positions" };
        let Some(Pondered { reply, rank, playouts, kept, .. }) = &self.pondered else {
            return found;
        };
        let share = 100.0 * *kept as f64 / (*playouts).max(1) as f64;
        match rank {
            Some(rank) => format!(
                "{found}; {reply} was foreseen, rank {rank}, {share:.0} % of {playouts} {unit} kept"
            ),
            None => format!("{found}; {reply} was not foreseen, {playouts} {unit} lost"),
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::go::{Go, GoRules};
    use banyan_search::{Candidate, Proof};

    use super::*;
    use banyan_engine::report::Explanation;
    use banyan_engine::search::Sums;

    fn thought(rank: Option<usize>) -> Thought {
        let position = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        let [best, reply] = ["D4", "E5"].map(|mv| position.parse_move(mv).expect("a move"));
        let proof = Proof::Open;
        let report = Report {
            candidates: vec![Candidate { mv: best, visits: 90, value: 0.625, prior: 0.1, proof }],
            visits: 100,
            sums: Sums { playouts: 60, ..Sums::default() },
            elapsed: Duration::from_millis(250),
            ..Report::default()
        };
        let foresight = Foresight { rank, spent: 200, kept: 50 };
        Thought::new(&position, (Color::Black, "D4"), &report, Some((reply, foresight)))
    }

    #[test]
    fn a_line_says_whether_the_reply_was_foreseen() {
        let found = "D4: 62.5 % for black of 100 visits, 40 of them carried over, 0.25 s";
        assert_eq!(
            thought(Some(2)).line(),
            format!("{found}; E5 was foreseen, rank 2, 25 % of 200 playouts kept")
        );
        assert_eq!(
            thought(None).line(),
            format!("{found}; E5 was not foreseen, 200 playouts lost")
        );
        assert_eq!(Thought { pondered: None, ..thought(None) }.line(), found);
    }

    #[test]
    fn a_move_that_the_tree_has_not_decided_says_who_has() {
        let position = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        let explanation = Explanation { module: Module::Mtdf, ..Explanation::default() };
        let report = Report { visits: 700, explanation, ..Report::default() };
        let thought = Thought::new(&position, (Color::Black, "D4"), &report, None);
        assert_eq!(thought.line(), "D4: 50.0 % for black, mtdf by 700 positions, 0.00 s");
        assert_eq!((thought.decided_by, thought.carried_over), ("mtdf", 0));
        let reply = position.parse_move("E5").expect("a move");
        let foresight = Foresight { rank: Some(1), spent: 400, kept: 100 };
        let thought =
            Thought::new(&position, (Color::Black, "D4"), &report, Some((reply, foresight)));
        let told = "0.00 s; E5 was foreseen, rank 1, 25 % of 400 positions kept";
        assert!(thought.line().ends_with(told), "{}", thought.line());
    }

    #[test]
    fn json_leaves_out_what_was_not() {
        let text = serde_json::to_string(&thought(Some(2))).expect("plain values");
        assert!(text.contains(r#""pondered":{"reply":"E5","foreseen":true,"rank":2"#), "{text}");
        assert!(!text.contains("usual_seconds"), "{text}");
        let without = Thought { pondered: None, ..thought(None) };
        assert!(!serde_json::to_string(&without).expect("plain values").contains("pondered"));
    }
}
