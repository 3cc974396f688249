//! Entries of GoGui's window for analysis.

use super::args::Args;
use super::engine::Engine;
use super::reply::Reply;
use banyan_engine::Playable;

/// Type, label, and the command with what GoGui puts in (`%c`: a color).
const OFFERED: &[(&str, &str, &str)] = &[
    ("dboard", "Ownership", "banyan-ownership"),
    ("plist", "Dead Stones", "final_status_list dead"),
    ("plist", "Living Stones", "final_status_list alive"),
    ("varc", "Best Move", "reg_genmove %c"),
    ("string", "Final Score", "final_score"),
    ("hstring", "Show Board", "showboard"),
    ("string", "CPU Time", "cputime"),
];

/// The answer to `gogui-analyze_commands`: type/label/command, one a line, of those that are known.
pub(super) fn offered(is_known: impl Fn(&str) -> bool) -> String {
    let name = |command: &str| command.split(' ').next().unwrap_or_default().to_owned();
    let offered = OFFERED.iter().filter(|(_, _, command)| is_known(&name(command)));
    let lines = offered.map(|(kind, label, command)| format!("{kind}/{label}/{command}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// `banyan-ownership`: who will hold each point, from -1 (White in every playout) to 1 (Black); a line
/// for each row, the top one first.
pub(super) fn ownership<G: Playable>(engine: &mut Engine<G>, _: &Args<'_>) -> Reply {
    let width = usize::from(engine.record().position().size().width);
    let judged = engine.judge();
    let row =
        |row: &[f64]| row.iter().map(|held| format!("{held:.2}")).collect::<Vec<_>>().join(" ");
    Ok(judged.ownership.chunks(width).map(row).collect::<Vec<_>>().join("\n"))
}
