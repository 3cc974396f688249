//! Rules about wins by threats as they are shown.

use std::collections::BTreeSet;

use banyan_proofs::threats::rules::{Cell, Content, Guard, Place, Rule};
use banyan_rules::proof_text::place_name;

use crate::rules::page::{Mark, Pictured};

impl Pictured for Rule {
    const LEGEND: &'static str = "Black is to move, and wins: the first move is marked 1. Points without a line do \
        not matter: there may be a stone of either side, or the board's edge. A name in parentheses is a row and a \
        column beyond the picture. White may have nothing at hand that \
        must be answered, but for single fours elsewhere that lead to nothing.";

    fn title(&self) -> String {
        let stones = self.cells.iter().filter(|cell| cell.content == Content::Own).count();
        format!("Black to move wins with {stones} stones")
    }

    fn conditions(&self) -> String {
        if self.guards.is_empty() {
            return "Nothing is asked of White's stones around it.".to_owned();
        }
        let name = |(row, column): Place| place_or_beyond(row.into(), column.into());
        let line = |guard: &Guard| format!("{}–{}", name(guard.ends[0]), name(guard.ends[1]));
        let most = self.guards.iter().map(|guard| guard.stones_max).collect::<BTreeSet<u8>>();
        let lines = most.into_iter().map(|most| {
            let alike = self.guards.iter().filter(|guard| guard.stones_max == most);
            let count = if most == 0 { "no".to_owned() } else { format!("at most {most}") };
            format!(
                "{count} of White's stones on each of {}",
                alike.map(line).collect::<Vec<_>>().join(", ")
            )
        });
        let lines = lines.collect::<Vec<_>>().join("; ");
        format!("Of lines that are on the board and hold no stone of Black's, {lines}.")
    }

    fn extent(&self) -> (usize, usize) {
        let (height, width) = self.extent();
        (height as usize, width as usize)
    }

    fn points(&self) -> Vec<(usize, usize, Mark)> {
        let point = |cell: &Cell| {
            let mark = match cell.content {
                Content::Own => Mark::Black,
                Content::Empty if cell.place == self.first => Mark::Word("1"),
                Content::Empty => Mark::Empty,
            };
            (cell.place.0 as usize, cell.place.1 as usize, mark)
        };
        self.cells.iter().map(point).collect()
    }
}

/// The name of a point, or its row and column where they lie beyond the picture.
fn place_or_beyond(row: i32, column: i32) -> String {
    match row >= 0 && (0..26).contains(&column) {
        true => place_name(row, column),
        false => format!("({}, {})", row + 1, column + 1),
    }
}
