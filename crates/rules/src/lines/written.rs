//! Rules about wins by threats as text.

use anyhow::{Context as _, ensure};
use banyan_games::Size;
use banyan_proofs::threats::rules::{Cell, Content, Guard, Place, Rule};
use serde::{Deserialize, Serialize};

use crate::written::Written;

/// A rule as it is written.
#[derive(Debug, Serialize, Deserialize)]
pub struct Line {
    /// Its points by rows: `X` a stone of the side to move, `.` no stone, `?` anything.
    layout: Vec<String>,
    /// Windows: row and column of both ends, stones of the other side at most.
    guards: Vec<(Place, Place, u8)>,
    /// Row and column of a move that wins.
    first: Place,
    work: u32,
}

/// Each content of a point with its sign; points that do not matter are `?`.
const SIGNS: [(Content, char); 2] = [(Content::Own, 'X'), (Content::Empty, '.')];

/// Rows and columns that a window may reach beyond a rule's points.
const BEYOND: i8 = 8;

/// The rows of a rule.
pub fn rows(rule: &Rule) -> Vec<String> {
    let (height, width) = rule.extent();
    let mut rows = vec![vec!['?'; width as usize]; height as usize];
    for Cell { place: (row, column), content } in &rule.cells {
        let sign = SIGNS.iter().find(|(it, _)| it == content);
        rows[*row as usize][*column as usize] = sign.expect("one for each").1;
    }
    rows.into_iter().map(String::from_iter).collect()
}

fn cells(rows: &[String]) -> anyhow::Result<Vec<Cell>> {
    let most = usize::from(Size::SIDE_MAX);
    let width = rows.first().map_or(0, String::len);
    let is_board = (1..=most).contains(&rows.len()) && (1..=most).contains(&width);
    let count = rows.len();
    ensure!(
        is_board && rows.iter().all(|row| row.len() == width),
        "a shape of {count} rows that are no rectangle of 1 to {most} a side"
    );
    let mut cells = Vec::new();
    for (row, text) in (0..).zip(rows) {
        for (column, sign) in (0..).zip(text.chars()).filter(|(_, sign)| *sign != '?') {
            let known = SIGNS.iter().find(|(_, it)| *it == sign);
            let (content, _) = known.with_context(|| format!("'{sign}' is no sign of a point"))?;
            cells.push(Cell { place: (row, column), content: *content });
        }
    }
    cells.sort();
    Ok(cells)
}

fn is_near((row, column): Place) -> bool {
    let near = -BEYOND..Size::SIDE_MAX as i8 + BEYOND;
    near.contains(&row) && near.contains(&column)
}

/// Tells whether two points are the ends of a row, column or diagonal.
fn is_line(from: Place, to: Place) -> bool {
    let (down, right) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
    from != to && (down == 0 || right == 0 || down == right)
}

impl Written for Rule {
    type Line = Line;

    fn line(&self) -> Line {
        let guards = self.guards.iter().map(|it| (it.ends[0], it.ends[1], it.stones_max));
        let (guards, first, work) = (guards.collect(), self.first, self.work);
        Line { layout: rows(self), guards, first, work }
    }

    fn of_line(line: Line) -> anyhow::Result<Rule> {
        let Line { layout, guards, first, work } = line;
        let cells = cells(&layout)?;
        let has = |content| cells.iter().any(|cell| cell.content == content);
        ensure!(has(Content::Own), "a rule without a stone");
        let is_empty = |cell: &Cell| cell.place == first && cell.content == Content::Empty;
        ensure!(cells.iter().any(is_empty), "a first move at {first:?}, which is no empty point");
        let guard = |(from, to, stones_max): (Place, Place, u8)| {
            let is_window = is_near(from) && is_near(to) && is_line(from, to);
            ensure!(is_window, "no window goes from {from:?} to {to:?}");
            Ok(Guard { ends: [from, to], stones_max })
        };
        let guards = guards.into_iter().map(guard).collect::<anyhow::Result<Vec<Guard>>>()?;
        Ok(Rule { cells, guards, first, work })
    }
}
