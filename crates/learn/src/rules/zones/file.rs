//! Rules in a file: a line of JSON for the header, one for each rule, and one for the end with a digest.

use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use banyan_games::go::shape::{Cell, Content, Shape, Turn};
use banyan_proofs::life::rules::Rule;
use banyan_proofs::proof_number::Verdict;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::learned::LearnedRule;

/// What the header's `format` says.
const FORMAT: &str = "banyan-rules";

/// Version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    game: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Footer {
    /// Rules, count.
    rules: usize,
    /// SHA-256 of all lines before this one, line ends included.
    digest: String,
}

/// A rule as it is written.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    /// Zones with these parts, each by rows, a sign for each point.
    layouts: Vec<Vec<String>>,
    defender_moves: bool,
    defender_wins_kos: bool,
    /// Whether the chain is taken.
    dead: bool,
    work: u32,
    proof: String,
    completions: u32,
    hits: u64,
    from: String,
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

impl Line {
    fn new(learned: &LearnedRule) -> Line {
        let (Rule { layouts, verdict, work }, turn) = (&learned.rule, learned.rule.shape().turn);
        Line {
            layouts: layouts.iter().map(rows).collect(),
            defender_moves: turn.defender_moves,
            defender_wins_kos: turn.defender_wins_kos,
            dead: *verdict == Verdict::Proven,
            work: *work,
            proof: learned.proof.clone(),
            completions: learned.completions,
            hits: learned.hits,
            from: learned.from.clone(),
        }
    }

    fn rule(self) -> anyhow::Result<LearnedRule> {
        let (defender_moves, defender_wins_kos) = (self.defender_moves, self.defender_wins_kos);
        let turn = Turn { defender_moves, defender_wins_kos };
        let layouts = self.layouts.iter().map(|rows| shape(rows, turn));
        let layouts = layouts.collect::<anyhow::Result<Vec<Shape>>>()?;
        ensure!(!layouts.is_empty(), "a rule without a shape");
        let verdict = if self.dead { Verdict::Proven } else { Verdict::Refuted };
        let rule = Rule { layouts, verdict, work: self.work };
        let Line { proof, completions, hits, from, .. } = self;
        Ok(LearnedRule { rule, proof, completions, hits, from })
    }
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of a file of rules.
///
/// # Errors
/// Never for rules that were learned.
pub fn text(rules: &[LearnedRule]) -> serde_json::Result<String> {
    let header = Header { format: FORMAT.to_owned(), version: VERSION, game: "go".to_owned() };
    let mut text = serde_json::to_string(&header)? + "\n";
    for rule in rules {
        text += &serde_json::to_string(&Line::new(rule))?;
        text.push('\n');
    }
    let footer = Footer { rules: rules.len(), digest: digest(&text) };
    Ok(text + &serde_json::to_string(&footer)? + "\n")
}

/// Writes a file of rules; it is there whole, or as it was before.
///
/// # Errors
/// A place that cannot be written to.
pub fn write(path: &Path, rules: &[LearnedRule]) -> anyhow::Result<()> {
    let beside = path.with_extension("part");
    let written =
        std::fs::write(&beside, text(rules)?).and_then(|()| std::fs::rename(&beside, path));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Reads a file of rules.
///
/// # Errors
/// With the line: a file that is none, is of another version or game, is cut short or was changed.
pub fn read(path: &Path) -> anyhow::Result<Vec<LearnedRule>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    parse(&text).with_context(|| name.to_string())
}

/// Reads the text of a file of rules.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &str) -> anyhow::Result<Vec<LearnedRule>> {
    let mut lines = text.split_inclusive('\n').enumerate();
    let (_, first) = lines.next().context("line 1: the file is empty")?;
    let header: Header = serde_json::from_str(first)
        .context("line 1: no header: expected {\"format\":\"banyan-rules\",…}")?;
    let Header { format, version, game } = header;
    ensure!(format == FORMAT, "line 1: format '{format}' where {FORMAT} was expected");
    ensure!(version == VERSION, "line 1: version {version}, this program reads {VERSION}");
    ensure!(game == "go", "line 1: rules of {game}, expected those of go");
    let (mut rules, mut read) = (Vec::new(), first.len());
    for (at, line) in lines {
        let number = at + 1;
        if let Ok(footer) = serde_json::from_str::<Footer>(line) {
            ensure!(
                footer.rules == rules.len() && footer.digest == digest(&text[..read]),
                "line {number}: the digest is not that of the {} rules before it: the file was changed",
                rules.len()
            );
            return Ok(rules);
        }
        let rule = serde_json::from_str::<Line>(line).map_err(anyhow::Error::from);
        let rule = rule.and_then(Line::rule);
        rules.push(rule.with_context(|| format!("line {number}: no rule, or cut short"))?);
        read += line.len();
    }
    bail!(
        "line {}: cut short after {} rules: the last line is missing",
        rules.len() + 2,
        rules.len()
    )
}
