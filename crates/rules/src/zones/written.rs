//! Rules about local fights as text.

use anyhow::{Context as _, ensure};
use banyan_games::go::shape::{Cell, Content, Shape, Turn};
use banyan_proofs::life::rules::Rule;
use banyan_proofs::proof_number::Verdict;
use serde::{Deserialize, Serialize};

use crate::written::Written;

/// A rule as it is written.
#[derive(Debug, Serialize, Deserialize)]
pub struct Line {
    /// Zones with these parts, each by rows, a sign for each point.
    layouts: Vec<Vec<String>>,
    defender_moves: bool,
    defender_wins_kos: bool,
    /// The chain is taken.
    dead: bool,
    work: u32,
}

/// Each content of a point with its sign; points that do not matter are `?`.
pub const SIGNS: [(Content, char); 7] = [
    (Content::Empty, '.'),
    (Content::Ko, 'k'),
    (Content::Target, 'T'),
    (Content::Defender, 'D'),
    (Content::Attacker, 'a'),
    (Content::Wall, 'W'),
    (Content::Edge, '-'),
];

/// The rows of a shape.
pub fn rows(shape: &Shape) -> Vec<String> {
    let mut rows = vec![vec!['?'; shape.width.into()]; shape.height.into()];
    for cell in &shape.cells {
        let sign = SIGNS.iter().find(|(content, _)| *content == cell.content);
        rows[usize::from(cell.row)][usize::from(cell.column)] = sign.expect("one for each").1;
    }
    rows.into_iter().map(String::from_iter).collect()
}

fn shape(rows: &[String], turn: Turn) -> anyhow::Result<Shape> {
    let (height, width) = (rows.len(), rows.first().map_or(0, String::len));
    let is_board = (1..=27).contains(&height) && (1..=27).contains(&width);
    let is_even = rows.iter().all(|row| row.len() == width);
    ensure!(is_board && is_even, "a shape of {height} rows that are no rectangle up to 27 a side");
    Ok(Shape { height: height as u8, width: width as u8, cells: cells(rows)?, turn })
}

fn cells(rows: &[String]) -> anyhow::Result<Vec<Cell>> {
    let mut cells = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        for (column, sign) in text.chars().enumerate().filter(|(_, sign)| *sign != '?') {
            let known = SIGNS.iter().find(|(_, it)| *it == sign);
            let (content, _) = known.with_context(|| format!("'{sign}' is no sign of a point"))?;
            cells.push(Cell { row: row as u8, column: column as u8, content: *content });
        }
    }
    cells.sort();
    Ok(cells)
}

impl Written for Rule {
    type Line = Line;

    fn line(&self) -> Line {
        let (Rule { layouts, verdict, work }, turn) = (self, self.shape().turn);
        Line {
            layouts: layouts.iter().map(rows).collect(),
            defender_moves: turn.defender_moves,
            defender_wins_kos: turn.defender_wins_kos,
            dead: *verdict == Verdict::Proven,
            work: *work,
        }
    }

    fn of_line(line: Line) -> anyhow::Result<Rule> {
        let Line { layouts, defender_moves, defender_wins_kos, dead, work } = line;
        let turn = Turn { defender_moves, defender_wins_kos };
        let layouts = layouts.iter().map(|rows| shape(rows, turn));
        let layouts = layouts.collect::<anyhow::Result<Vec<Shape>>>()?;
        ensure!(!layouts.is_empty(), "a rule without a shape");
        let verdict = if dead { Verdict::Proven } else { Verdict::Refuted };
        Ok(Rule { layouts, verdict, work })
    }
}
