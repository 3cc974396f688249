//! Results of the games: a table and a drawing, a point for each so many games.

use std::fmt::Write as _;

use banyan_games::Color;

/// Games of a row of the table.
pub const GAMES_A_ROW: usize = 50;

/// Result of one game for the learner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    /// The learner's side; nothing where it had both.
    pub learner: Option<Color>,
    /// The winner, if any.
    pub winner: Option<Color>,
    /// The square of the difference between the learner's first output and the result.
    pub error: f64,
}

/// Some games together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Games up to here.
    pub games: usize,
    /// The learner's share of the games, Black's where it had both sides.
    pub share: f64,
    /// The mean squared error of the outputs over these games.
    pub error: f64,
}

/// The rows of whole dozens of games.
pub fn rows(ended: &[Ended]) -> Vec<Row> {
    let share = |it: &Ended| {
        it.winner
            .map_or(0.5, |winner| f64::from(u8::from(it.learner.unwrap_or(Color::Black) == winner)))
    };
    let row = |(number, games): (usize, &[Ended])| {
        let mean =
            |of: &dyn Fn(&Ended) -> f64| games.iter().map(of).sum::<f64>() / games.len() as f64;
        Row {
            games: GAMES_A_ROW * number + games.len(),
            share: mean(&share),
            error: mean(&|it| it.error),
        }
    };
    ended.chunks(GAMES_A_ROW).enumerate().map(row).collect()
}

/// First lines of a table.
const HEAD: &str = "| games | score | mean squared error |\n|---|---|---|\n";

/// First letters of a drawing.
pub const DRAWING: &str = "<svg ";

/// The table, as Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(HEAD);
    for Row { games, share, error } in rows {
        let _ = writeln!(text, "| {games} | {:.1} % | {error:.4} |", 100.0 * share);
    }
    text
}

/// The rows of a table that [`table`] made; nothing where it is none.
pub fn read(text: &str) -> Option<Vec<Row>> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", games, share, error, ""] = cells[..] else { return None };
        let share: f64 = share.strip_suffix('%')?.trim().parse().ok()?;
        Some(Row { games: games.parse().ok()?, share: share / 100.0, error: error.parse().ok()? })
    };
    text.strip_prefix(HEAD)?.lines().map(row).collect()
}

/// Width and height of the drawing, and the margin around its curves, in pixels.
const SIZE: (f64, f64, f64) = (720.0, 300.0, 48.0);

/// The drawing: the score from 0 to 100 % and the error from 0 to ½, over games.
pub fn drawing(rows: &[Row]) -> String {
    let (width, height, margin) = SIZE;
    let last = rows.last().map_or(1, |row| row.games).max(1) as f64;
    let points = |of: &dyn Fn(&Row) -> f64| {
        let point = |row: &Row| {
            let x = margin + (width - 2.0 * margin) * row.games as f64 / last;
            let y = height - margin - (height - 2.0 * margin) * of(row).clamp(0.0, 1.0);
            format!("{x:.1},{y:.1}")
        };
        rows.iter().map(point).collect::<Vec<_>>().join(" ")
    };
    let curve = |color: &str, points: String| {
        format!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n"
        )
    };
    let text = |x: f64, y: f64, color: &str, words: &str| {
        format!("<text x=\"{x}\" y=\"{y}\" fill=\"{color}\">{words}</text>\n")
    };
    let (bottom, right) = (height - margin, width - margin);
    [
        format!(
            "{DRAWING}xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
             <path d=\"M{margin},{margin} V{bottom} H{right}\" fill=\"none\" stroke=\"#888\"/>\n"
        ),
        text(margin, 20.0, "#1b6", "score, 0 to 100 %"),
        text(margin + 200.0, 20.0, "#c33", "mean squared error, 0 to 0.5"),
        text(margin, height - 12.0, "#000", &format!("0 to {last} games")),
        curve("#1b6", points(&|row| row.share)),
        curve("#c33", points(&|row| 2.0 * row.error)),
        "</svg>\n".to_owned(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_means_over_games_and_stand_in_table_and_drawing() {
        let ended = |at: usize| Ended {
            learner: (at < 50).then_some(Color::White),
            winner: (!at.is_multiple_of(4)).then_some(Color::White),
            error: 0.25,
        };
        let rows = rows(&(0..75).map(ended).collect::<Vec<_>>());
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].games, rows[0].share, rows[0].error), (50, 43.5 / 50.0, 0.25));
        // Without a side the score is Black's, who got half of the draws alone.
        assert_eq!((rows[1].games, rows[1].share), (75, 3.0 / 25.0));
        let table = table(&rows);
        assert!(table.ends_with("| 50 | 87.0 % | 0.2500 |\n| 75 | 12.0 % | 0.2500 |\n"), "{table}");
        assert_eq!(read(&table), Some(rows.clone()));
        for none in ["| a |\n|---|\n| b |\n", "no\ntable\n", ""] {
            assert_eq!(read(none), None, "{none}");
        }
        let drawing = drawing(&rows);
        assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"), "{drawing}");
        assert!(drawing.contains("672.0,227.5"), "{drawing}");
    }
}
