//! Reports on the generations of a loop: a table, and a drawing.

use super::folder::{Generation, UnderWay};
use banyan_lab::runner::statistics::{Wdl, elo};
use std::fmt::Write as _;
use std::io::Write;

/// Elo of a generation against the best before it, and the ends of its 95 % interval.
fn elo_of(generation: &Generation) -> Option<[f64; 3]> {
    let [wins, draws, losses] = generation.gate?;
    let games = Wdl { wins, draws, losses };
    let (low, high) = games.interval();
    Some([games.score(), low, high].map(|share| elo(share).clamp(-999.0, 999.0)))
}

/// First letters of a drawing.
pub const DRAWING: &str = "<svg ";

/// Writes a line for each generation.
///
/// - `under_way`: those that are not judged yet.
///
/// # Errors
/// A reader that has gone away.
pub fn status(
    history: &[Generation],
    under_way: &[UnderWay],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    const NONE: &str = "no generation has been judged yet";
    if history.is_empty() && under_way.is_empty() {
        writeln!(out, "{NONE}")?;
        return Ok(());
    }
    writeln!(
        out,
        " gen   games  player    policy  outcome   Elo against the best before  network"
    )?;
    let mut sum = 0.0;
    for (at, it) in history.iter().enumerate() {
        // A process may end between publishing and noting.
        let is_first = !history[..at].iter().any(|before| before.is_published);
        let none = if is_first { "nothing before it" } else { "not noted" };
        let against = elo_of(it).map_or(none.to_owned(), |[elo, low, high]| {
            format!("{elo:+.0} ({low:+.0} to {high:+.0})")
        });
        sum += elo_of(it).filter(|_| it.is_published).map_or(0.0, |[elo, ..]| elo);
        let verdict = if it.is_published { "" } else { ", not published" };
        writeln!(
            out,
            "{:4} {:7}  {:8.8}  {:.4}   {:.4}   {against:27}  {:.8}{verdict}",
            it.number, it.games, it.player, it.policy_loss, it.outcome_loss, it.network
        )?;
    }
    for UnderWay { number, player, games } in under_way {
        writeln!(out, "{number:4} {games:7}  {player:8.8}  not judged yet")?;
    }
    if history.is_empty() {
        writeln!(out, "{NONE}")?;
        return Ok(());
    }
    writeln!(out, "all steps together: {sum:+.0} Elo, each measured against the one before alone")?;
    Ok(())
}

/// Width and height of the drawing, and the margin around its curves, in pixels.
const SIZE: (f64, f64, f64) = (720.0, 300.0, 48.0);

/// Draws the sum of Elo and both losses over generations, each by a scale of its own.
pub fn plot(history: &[Generation]) -> String {
    let (width, height, margin) = SIZE;
    let mut sum = 0.0;
    let elos: Vec<f64> = history
        .iter()
        .map(|it| {
            sum += elo_of(it).filter(|_| it.is_published).map_or(0.0, |[elo, ..]| elo);
            sum
        })
        .collect();
    let losses = |of: fn(&Generation) -> f64| history.iter().map(of).collect::<Vec<_>>();
    let mut drawing = format!(
        "{DRAWING}xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    let curves = [
        ("Elo", "#1b6", elos),
        ("policy loss", "#c33", losses(|it| it.policy_loss)),
        ("outcome loss", "#36c", losses(|it| it.outcome_loss)),
    ];
    for (number, (name, color, values)) in curves.iter().enumerate() {
        let x = margin + 200.0 * number as f64;
        let ends = values
            .iter()
            .fold((f64::MAX, f64::MIN), |(low, high), &value| (low.min(value), high.max(value)));
        let range = if values.is_empty() {
            String::new()
        } else {
            format!(" {:.2} to {:.2}", ends.0, ends.1)
        };
        let _ = writeln!(drawing, "<text x=\"{x}\" y=\"20\" fill=\"{color}\">{name}{range}</text>");
        let points = points(values, ends);
        let _ = writeln!(
            drawing,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
        );
    }
    let _ = writeln!(
        drawing,
        "<text x=\"{}\" y=\"{}\">generation 0 to {}</text>\n</svg>",
        margin,
        height - 12.0,
        history.len().saturating_sub(1)
    );
    drawing
}

/// Points of a curve that fills the drawing between its least and its largest value.
fn points(values: &[f64], (low, high): (f64, f64)) -> String {
    let (width, height, margin) = SIZE;
    let step = (width - 2.0 * margin) / values.len().saturating_sub(1).max(1) as f64;
    let range = if high > low { high - low } else { 1.0 };
    let point = |(number, value): (usize, &f64)| {
        let x = margin + step * number as f64;
        let y = height - margin - (height - 2.0 * margin) * (value - low) / range;
        format!("{x:.1},{y:.1}")
    };
    values.iter().enumerate().map(point).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> Vec<Generation> {
        let generation = |number, gate, is_published| Generation {
            number,
            player: "heavy".to_owned(),
            games: 400,
            network: "0123456789abcdef".to_owned(),
            policy_loss: 3.0 - f64::from(number),
            outcome_loss: 0.6,
            gate,
            is_published,
        };
        vec![generation(0, None, true), generation(1, Some([75, 0, 25]), true)]
    }

    #[test]
    fn status_says_elo_with_its_interval() {
        let mut out = Vec::new();
        status(&history(), &[], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        // 75 of 100: 190.8 Elo; Wilson 65.7 % to 82.5 %.
        assert!(text.contains("+191 (+113 to +269)"), "{text}");
        assert!(
            text.contains("nothing before it") && text.contains("together: +191 Elo"),
            "{text}"
        );
        let mut history = history();
        history[1].gate = None;
        let mut out = Vec::new();
        status(&history, &[], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("nothing before it") && text.contains("not noted"), "{text}");
        let mut out = Vec::new();
        status(&[], &[], &mut out).unwrap();
        assert_eq!(out, b"no generation has been judged yet\n");
        let played = [UnderWay { number: 2, player: "two-distance".to_owned(), games: 60 }];
        let told = |history: &[Generation]| {
            let mut out = Vec::new();
            status(history, &played, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let line = "\n   2      60  two-dist  not judged yet\n";
        let text = told(&[]);
        assert!(
            text.contains(line) && text.ends_with("no generation has been judged yet\n"),
            "{text}"
        );
        let text = told(&history);
        assert!(text.contains(line) && text.contains("all steps together"), "{text}");
    }

    #[test]
    fn a_plot_is_a_drawing_with_a_point_for_each_generation() {
        let drawing = plot(&history());
        assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"), "{drawing}");
        assert!(drawing.contains("points=\"48.0,252.0 672.0,48.0\""), "{drawing}");
        assert_eq!(drawing.matches("<polyline").count(), 3);
        assert!(plot(&[]).contains("</svg>"));
    }
}
