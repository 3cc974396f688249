//! Rules as a page for people: board, conditions, proof, hits, saving.

use std::fmt::Write as _;

use banyan_games::Kind;

use super::learned::{LearnedRule, Rule};

/// Pixels of a point.
const POINT: usize = 22;

/// A rule that can be shown.
pub trait Pictured: Rule {
    /// Meaning of the marks on the boards.
    const LEGEND: &'static str;

    /// The statement that it makes.
    fn title(&self) -> String;

    /// Its other conditions, in sentences.
    fn conditions(&self) -> String;

    /// Rows and columns of its board.
    fn extent(&self) -> (usize, usize);

    /// Row, column and what is there, for each point that matters.
    fn points(&self) -> Vec<(usize, usize, Mark)>;
}

/// A mark drawn on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The board ends there.
    Edge,
    /// No stone.
    Empty,
    /// No stone, and a word.
    Word(&'static str),
    /// A black stone.
    Black,
    /// A black stone with a dot.
    BlackDot,
    /// A white stone.
    White,
    /// A white stone with a ring.
    WhiteRing,
}

/// First letters of a page.
pub const PAGE: &str = "<!DOCTYPE html>\n";

/// A page with a rule after the other.
pub fn page<R: Pictured>(game: Kind, rules: &[LearnedRule<R>]) -> String {
    let mut page = PAGE.to_owned();
    page.push_str(
        "<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Rules</title><style>\
         body{font:15px/1.4 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\
         article{display:flex;gap:1.5em;border-top:1px solid #bbb;padding:1em 0}\
         pre{white-space:pre-wrap;max-width:40em}</style></head><body>\n",
    );
    let saved: u64 = rules.iter().map(LearnedRule::saved).sum();
    let (count, legend) = (rules.len(), R::LEGEND);
    write!(
        page,
        "<h1>{count} rules of {game}</h1>\n<p>{legend}{}</p>\n",
        match saved {
            0 => String::new(),
            _ => format!(" Together they saved {saved} positions on what they were learned from."),
        }
    )
    .expect("a string grows");
    for (number, rule) in rules.iter().enumerate() {
        page.push_str(&article(number + 1, rule));
    }
    page + "</body></html>\n"
}

fn article<R: Pictured>(number: usize, learned: &LearnedRule<R>) -> String {
    let (title, conditions) = (learned.rule.title(), learned.rule.conditions());
    let (met, completions) = (met(learned), learned.completions);
    let proof = match learned.proof.is_empty() {
        true => "plain at once".to_owned(),
        false => escaped(&learned.proof),
    };
    format!(
        "<article id=\"rule-{number}\">{}<div><h2>{number}. {title}</h2>\n\
         <p>{conditions} {met} Proven anew on {completions} completions.</p>\n\
         <details><summary>proof</summary><pre>{proof}</pre></details></div></article>\n",
        board(&learned.rule)
    )
}

/// How often a rule was met, and where first.
fn met<R: Rule>(learned: &LearnedRule<R>) -> String {
    let (hits, saved, work) = (learned.hits, learned.saved(), learned.rule.work());
    let mut met = match hits {
        0 => format!("Its proof took {work} positions."),
        1 => format!("Met once, saved {saved} positions."),
        _ => format!("Met {hits} times, saved {saved} positions ({work} each)."),
    };
    if !learned.from.is_empty() {
        met.push_str(&format!(" First met in: {}.", escaped(&learned.from)));
    }
    met
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The shape as SVG, columns lettered, rows numbered as in the proof.
fn board<R: Pictured>(rule: &R) -> String {
    let (rows, columns) = rule.extent();
    let (width, height) = ((columns + 1) * POINT, (rows + 1) * POINT);
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" role=\"img\" font-size=\"11\" \
         text-anchor=\"middle\">"
    );
    for column in 0..columns {
        let x = (column + 1) * POINT + POINT / 2;
        let letter = char::from(b'a' + (column % 26) as u8);
        svg.push_str(&format!("<text x=\"{x}\" y=\"14\">{letter}</text>"));
    }
    for row in 0..rows {
        let y = (row + 1) * POINT + POINT / 2 + 4;
        svg.push_str(&format!("<text x=\"10\" y=\"{y}\">{}</text>", row + 1));
    }
    for (row, column, mark) in rule.points() {
        svg.push_str(&point(mark, (column + 1) * POINT, (row + 1) * POINT));
    }
    svg + "</svg>"
}

fn point(mark: Mark, x: usize, y: usize) -> String {
    let (cx, cy, radius) = (x + POINT / 2, y + POINT / 2, POINT / 2 - 1);
    let wood = format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{POINT}\" height=\"{POINT}\" fill=\"#e8c27a\"/>\
         <path d=\"M{x} {cy}h{POINT}M{cx} {y}v{POINT}\" stroke=\"#555\"/>"
    );
    let stone = |fill: &str| {
        format!(
            "{wood}<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#000\"/>"
        )
    };
    let small = |stone: String, style: &str| {
        format!("{stone}<circle cx=\"{cx}\" cy=\"{cy}\" r=\"4\" {style}/>")
    };
    match mark {
        Mark::Edge => {
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{POINT}\" height=\"{POINT}\" fill=\"#666\"/>"
            )
        }
        Mark::Empty => wood,
        Mark::Word(word) => format!("{wood}<text x=\"{cx}\" y=\"{}\">{word}</text>", cy + 4),
        Mark::Black => stone("#111"),
        Mark::BlackDot => small(stone("#111"), "fill=\"#fff\""),
        Mark::White => stone("#fff"),
        Mark::WhiteRing => small(stone("#fff"), "fill=\"none\" stroke=\"#000\""),
    }
}
