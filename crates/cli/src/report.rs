//! A finished search as JSON and as text. The keys are fixed: other programs read them.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use banyan_engine::Playable;
use banyan_engine::report::{Before, Explanation, Module, Report};
use banyan_games::{Move, Record, Rules};
use banyan_records::diagram;
use banyan_search::Proof;
use banyan_web::snapshot::BANNED;
use serde::Serialize;

/// Candidates in a text report.
const CANDIDATES_SHOWN: usize = 8;

/// Style of what stands out on a terminal that has colours.
const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const BEST: Style = AnsiColor::Green.on_default().bold();
const WHITE: Style = AnsiColor::Cyan.on_default().bold();
const WRONG: Style = AnsiColor::Red.on_default().bold();

/// The answer of `banyan search --json`.
#[derive(Debug, Serialize)]
pub struct SearchReport {
    game: String,
    size: String,
    /// Evaluator of positions: `playouts`, `net`, `katago`, `patterns` or `mixed`.
    evaluator: &'static str,
    best: Option<String>,
    /// Value of the best move, 0 to 1 for the side to move.
    value: f64,
    /// Playouts through the root.
    visits: u64,
    /// Playouts of this search, and the time that it took, in all its processes.
    playouts: u64,
    seconds: f64,
    /// The part of it that stood in the checkpoint from which this process went on.
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed: Option<Resumed>,
    /// The module that decided, and why.
    decided_by: DecidedBy,
    candidates: Vec<Candidate>,
    pv: Vec<String>,
    nodes: Vec<Node>,
    batches: Batches,
    tree_digest: Option<String>,
}

#[derive(Debug, Serialize)]
struct DecidedBy {
    /// `uct`, `alphabeta`, `mtdf`, `solver`, `threats` or `book`.
    module: &'static str,
    /// Score in the evaluation's unit; in the game's own when the solver decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    /// Depth in plies, or in branches of the budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// The old name of `depth`.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<u32>,
    /// Positions that an engine without playouts looked at.
    positions: u64,
    /// Searches with one pair of bounds each, of a classical engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    passes: Option<u32>,
    /// Threads of this process that an engine beside the tree searched with.
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Candidate {
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    value: f64,
    prior: f64,
    /// Points by which the side to move wins in the mean over the move's playouts, in games of territory.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Resumed {
    playouts: u64,
    seconds: f64,
}

/// Work of one worker for this process.
#[derive(Debug, Serialize)]
pub struct Node {
    /// The worker's name.
    pub name: String,
    /// Its threads.
    pub threads: u32,
    /// Playouts of this search that it made.
    pub playouts: u64,
    /// The same a second.
    pub playouts_per_s: f64,
    /// Share of all playouts.
    pub share: f64,
    /// It is there still.
    #[serde(skip)]
    pub is_present: bool,
    /// Reason why it was put out for good, if its tallies were found to be wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarantined: Option<String>,
}

#[derive(Debug, Serialize)]
struct Batches {
    sent: u64,
    merged: u64,
    lent_again: u64,
    dropped: u64,
    /// Batches without a tally at the end.
    abandoned: u64,
    /// Ends of leases, those to audit with them: `sent` is the sum of these three.
    answered: u64,
    lost: u64,
    dead: u64,
    /// Batches that were played again elsewhere, and those of them whose tallies differed.
    audited: u64,
    disputed: u64,
    /// Playouts that were counted and taken back out, since a worker was found to lie.
    taken_back: u64,
}

/// The answer of `banyan search --json`.
///
/// - `evaluator`: who judged, as [`SearchReport`] names it.
/// - `found`: what was found, with the workers that had a part in it.
pub fn search<G: Playable>(
    rules: &Rules,
    position: &G,
    evaluator: &'static str,
    found: (&Report, Vec<Node>),
) -> SearchReport {
    let (found, nodes) = found;
    let text = |mv: Move| position.move_text(mv);
    let best = found.candidates.first();
    let ended = found.ended.as_ref();
    let totals = ended.map(|ended| ended.settlement.totals).unwrap_or_default();
    SearchReport {
        game: rules.kind().to_string(),
        size: position.size().to_string(),
        evaluator: match found.explanation.module {
            // By the static evaluation, whoever judges for the tree.
            Module::AlphaBeta | Module::Mtdf => "patterns",
            _ => evaluator,
        },
        best: best.map(|best| text(best.mv)),
        value: best.map_or(0.5, |best| best.value),
        visits: found.visits,
        playouts: found.sums.playouts,
        seconds: (found.before.elapsed + found.elapsed).as_secs_f64(),
        resumed: (found.before != Before::default()).then_some(Resumed {
            playouts: found.before.playouts,
            seconds: found.before.elapsed.as_secs_f64(),
        }),
        decided_by: decided_by(found.explanation),
        candidates: found
            .candidates
            .iter()
            .map(|c| Candidate {
                mv: text(c.mv),
                visits: c.visits,
                value: c.value,
                prior: c.prior,
                score: found.sums.score(c.mv, position.side_to_move()),
            })
            .collect(),
        pv: found.pv.iter().map(|&mv| text(mv)).collect(),
        nodes,
        batches: Batches {
            sent: totals.sent,
            merged: totals.merged,
            lent_again: totals.lent_again,
            dropped: totals.dropped,
            abandoned: totals.abandoned,
            answered: totals.answered,
            lost: totals.lost,
            dead: totals.dead,
            audited: totals.audited,
            disputed: totals.disputed,
            taken_back: found.sums.taken_back,
        },
        tree_digest: ended.and_then(|ended| ended.digest).map(|digest| format!("{digest:016x}")),
    }
}

fn decided_by(explanation: Explanation) -> DecidedBy {
    let Explanation { module, score, depth, positions, passes, threads } = explanation;
    let [passes, threads] = [passes, threads].map(|count| (count > 0).then_some(count));
    DecidedBy { module: module.name(), score, depth, draft: depth, positions, passes, threads }
}

/// One sentence on who decided, where that was not the tree.
fn decision(found: &Report) -> Option<String> {
    let Explanation { module, score, depth, positions, .. } = found.explanation;
    let score = score?;
    let seconds = found.elapsed.as_secs_f64();
    let depth = depth.map_or_else(String::new, |depth| format!(" to depth {depth}"));
    Some(format!(
        "decided by {}{depth}: score {score:+}, {positions} positions in {seconds:.2} s, {:.0} a second",
        module.name(),
        positions as f64 / seconds.max(1e-9)
    ))
}

/// What a search counts, as people call it.
pub fn counted(found: &Report) -> &'static str {
    if found.is_judged { "evaluations" } else { "playouts" }
}

/// The same for people, with colours that whoever writes it takes out where they are not wanted.
pub fn text<G: Playable>(record: &Record<G>, found: &Report, nodes: &[Node]) -> String {
    let counted = counted(found);
    let position = record.position();
    let mut text = coloured(&diagram::text(record));
    text.push('\n');
    text.push_str(&verdict(position, counted, found));
    text.push_str(&candidates(position, found));
    let line: Vec<String> = found.pv.iter().map(|&mv| position.move_text(mv)).collect();
    let _ = writeln!(text, "\nprincipal variation: {}", line.join(" "));
    text.push_str(&table(counted, nodes));
    if found.sums.taken_back > 0 {
        let _ = writeln!(text, "{} {counted} were taken back", found.sums.taken_back);
    }
    text
}

/// A board with its stones in colours: what stands between the two lines of columns.
fn coloured(board: &str) -> String {
    let lines: Vec<&str> = board.lines().collect();
    let last = lines.len().saturating_sub(2);
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let is_row = (1..last).contains(&number);
        for (column, letter) in line.chars().enumerate() {
            let _ = match letter {
                'X' if is_row && column > 1 => write!(text, "{STRONG}X{STRONG:#}"),
                'O' if is_row && column > 1 => write!(text, "{WHITE}O{WHITE:#}"),
                '.' if is_row => write!(text, "{FAINT}.{FAINT:#}"),
                other => write!(text, "{other}"),
            };
        }
        text.push('\n');
    }
    text
}

/// The best move, and what it took to find it.
fn verdict<G: Playable>(position: &G, counted: &str, found: &Report) -> String {
    let mut text = String::new();
    if let Some(best) = found.candidates.first() {
        let (mv, side) = (position.move_text(best.mv), position.side_to_move());
        let value = 100.0 * best.value;
        let proof = match best.proof {
            Proof::Open => "",
            Proof::Win => ", a proven win",
            Proof::Loss => ", a proven loss",
            Proof::Draw => ", a proven draw",
        };
        let _ = writeln!(text, "best move: {BEST}{mv}{BEST:#} ({value:.1} % for {side}{proof})");
    }
    let Before { playouts: before, elapsed } = found.before;
    let seconds = (found.elapsed + elapsed).as_secs_f64();
    let playouts = found.sums.playouts;
    let rate = playouts as f64 / seconds.max(1e-9);
    match decision(found) {
        Some(decision) => _ = writeln!(text, "{decision}"),
        None => {
            _ = writeln!(text, "{playouts} {counted} in {seconds:.2} s, {rate:.0} a second");
        }
    }
    if found.before != Before::default() {
        let seconds = elapsed.as_secs_f64();
        let _ = writeln!(text, "{before} of them in {seconds:.2} s stood in the checkpoint");
    }
    text
}

fn candidates<G: Playable>(position: &G, found: &Report) -> String {
    let (mut text, side) = (String::new(), position.side_to_move());
    let scores = if found.sums.scores.is_empty() { "" } else { "    score" };
    let head = format!("  move     visits    value{scores}");
    let _ = writeln!(text, "\n{STRONG}{head}{STRONG:#}   (for {side})");
    for (number, candidate) in found.candidates.iter().take(CANDIDATES_SHOWN).enumerate() {
        let mv = position.move_text(candidate.mv);
        let (visits, value) = (candidate.visits, 100.0 * candidate.value);
        let score = found.sums.score(candidate.mv, side);
        let score = score.map_or_else(String::new, |score| format!("  {score:>+7.1}"));
        let style = if number == 0 { BEST } else { Style::new() };
        let _ = writeln!(text, "  {style}{mv:<5}{style:#} {visits:>9}  {value:>5.1} %{score}");
    }
    text
}

fn table(counted: &str, nodes: &[Node]) -> String {
    let mut text = String::new();
    let rate = format!("{counted}/s");
    let head = format!("  node             threads {counted:>11} {rate:>13}   share");
    let _ = writeln!(text, "\n{STRONG}{head}{STRONG:#}");
    for Node { name, threads, playouts, playouts_per_s, share, is_present, .. } in nodes {
        let (share, style) = (100.0 * share, if *is_present { Style::new() } else { FAINT });
        let _ = writeln!(
            text,
            "  {style}{name:<16} {threads:>7} {playouts:>11} {playouts_per_s:>13.0} {share:>5.1} %{style:#}"
        );
    }
    for Node { name, quarantined, .. } in nodes {
        if let Some(why) = quarantined {
            let why = match why.as_str() {
                BANNED => format!(": {BANNED}"),
                why => format!(", since its tallies are wrong: {why}"),
            };
            let _ = writeln!(text, "\n{WRONG}{name} was put out{why}{WRONG:#}");
        }
    }
    text
}
