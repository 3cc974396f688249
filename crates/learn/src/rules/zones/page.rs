//! Rules as a page for people: board, conditions, proof, hits, saving.

use std::fmt::Write as _;

use banyan_games::go::shape::{Content, Shape};
use banyan_proofs::proof_number::Verdict;

use super::learned::LearnedRule;

/// Pixels of a point.
const POINT: usize = 22;

/// A page with a rule after the other.
pub fn page(rules: &[LearnedRule]) -> String {
    let mut page = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Rules</title><style>\
         body{font:15px/1.4 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}\
         article{display:flex;gap:1.5em;border-top:1px solid #bbb;padding:1em 0}\
         pre{white-space:pre-wrap;max-width:40em}</style></head><body>\n",
    );
    let saved: u64 = rules.iter().map(LearnedRule::saved).sum();
    let count = rules.len();
    write!(
        page,
        "<h1>{count} rules of Go</h1>\n<p>Black is the side of the chain in question, which has a dot; \
         rings are stones that cannot be taken: they have a liberty outside the fight. Points without a line \
         do not matter, nor how the chain goes from one of its eye spaces to the other. Together they saved {saved} positions on what they were learned from.</p>\n"
    )
    .expect("a string grows");
    for (number, rule) in rules.iter().enumerate() {
        page.push_str(&article(number + 1, rule));
    }
    page + "</body></html>\n"
}

fn article(number: usize, learned: &LearnedRule) -> String {
    let (rule, turn) = (&learned.rule, learned.rule.shape().turn);
    let side = |is_defender: bool| if is_defender { "Black" } else { "White" };
    let moves = side(turn.defender_moves);
    let kos = side(turn.defender_wins_kos);
    let fate = if rule.verdict == Verdict::Proven { "is taken" } else { "lives" };
    let (hits, saved, completions, work) =
        (learned.hits, learned.saved(), learned.completions, rule.work);
    let from = escaped(&learned.from);
    let proof = match learned.proof.is_empty() {
        true => "plain at once".to_owned(),
        false => escaped(&learned.proof),
    };
    format!(
        "<article id=\"rule-{number}\">{}<div><h2>{number}. {moves} to move: the chain {fate}</h2>\n\
         <p>{kos} wins every ko. Met {hits} times, saved {saved} positions ({work} each). \
         Proven anew on {completions} completions. First met in: {from}.</p>\n\
         <details><summary>proof</summary><pre>{proof}</pre></details></div></article>\n",
        board(rule.shape())
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The shape as SVG, columns lettered, rows numbered as in the proof.
fn board(shape: &Shape) -> String {
    let side = |points: u8| (usize::from(points) + 1) * POINT;
    let (width, height) = (side(shape.width), side(shape.height));
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" role=\"img\" font-size=\"11\" \
         text-anchor=\"middle\">"
    );
    for column in 0..shape.width {
        let x = (usize::from(column) + 1) * POINT + POINT / 2;
        let letter = char::from(b'a' + column % 26);
        svg.push_str(&format!("<text x=\"{x}\" y=\"14\">{letter}</text>"));
    }
    for row in 0..shape.height {
        let y = (usize::from(row) + 1) * POINT + POINT / 2 + 4;
        svg.push_str(&format!("<text x=\"10\" y=\"{y}\">{}</text>", row + 1));
    }
    for cell in &shape.cells {
        let x = (usize::from(cell.column) + 1) * POINT;
        let y = (usize::from(cell.row) + 1) * POINT;
        svg.push_str(&point(cell.content, x, y));
    }
    svg + "</svg>"
}

fn point(content: Content, x: usize, y: usize) -> String {
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
    let mark = |stone: String, style: &str| {
        format!("{stone}<circle cx=\"{cx}\" cy=\"{cy}\" r=\"4\" {style}/>")
    };
    match content {
        Content::Edge => {
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{POINT}\" height=\"{POINT}\" fill=\"#666\"/>"
            )
        }
        Content::Empty => wood,
        Content::Ko => format!("{wood}<text x=\"{cx}\" y=\"{}\">ko</text>", cy + 4),
        Content::Defender => stone("#111"),
        Content::Target => mark(stone("#111"), "fill=\"#fff\""),
        Content::Attacker => stone("#fff"),
        Content::Wall => mark(stone("#fff"), "fill=\"none\" stroke=\"#000\""),
    }
}
