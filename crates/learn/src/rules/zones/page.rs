//! Rules about local fights as they are shown.

use banyan_games::go::shape::{Cell, Content};
use banyan_proofs::life::rules::Rule;
use banyan_proofs::proof_number::Verdict;

use crate::rules::page::{Mark, Pictured};

fn side(is_defender: bool) -> &'static str {
    if is_defender { "Black" } else { "White" }
}

impl Pictured for Rule {
    const LEGEND: &'static str = "Black is the side of the chain in question, which has a dot; rings are stones \
        that cannot be taken: they have a liberty outside the fight. Points without a line do not matter, nor how \
        the chain goes from one of its eye spaces to the other.";

    fn title(&self) -> String {
        let fate = if self.verdict == Verdict::Proven { "is taken" } else { "lives" };
        format!("{} to move: the chain {fate}", side(self.shape().turn.defender_moves))
    }

    fn conditions(&self) -> String {
        format!("{} wins every ko.", side(self.shape().turn.defender_wins_kos))
    }

    fn extent(&self) -> (usize, usize) {
        (self.shape().height.into(), self.shape().width.into())
    }

    fn points(&self) -> Vec<(usize, usize, Mark)> {
        let point = |cell: &Cell| (cell.row.into(), cell.column.into(), mark(cell.content));
        self.shape().cells.iter().map(point).collect()
    }
}

fn mark(content: Content) -> Mark {
    match content {
        Content::Edge => Mark::Edge,
        Content::Empty => Mark::Empty,
        Content::Ko => Mark::Word("ko"),
        Content::Defender => Mark::Black,
        Content::Target => Mark::BlackDot,
        Content::Attacker => Mark::White,
        Content::Wall => Mark::WhiteRing,
    }
}
