//! A stand-in for KataGo's analysis process, and at a question of its choice it breaks in one way.
//!
//! Its judgements are drawn from the position alone, so that the same question has the same answer; they
//! say nothing of Go. What it knows of the protocol is what `banyan-katago` uses.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use banyan_games::go::{Go, GoRules};
use banyan_games::rng::mix;
use banyan_games::{Color, Game as _, Move, Notation, Record, Size};
use clap::{Parser, ValueEnum};
use serde_json::{Map, Value, json};

/// A way to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Break {
    /// Ends without an answer.
    Die,
    /// Answers nothing more.
    Hang,
    /// Says what is no line of the protocol.
    Rubbish,
    /// Says a chance to win above one.
    Impossible,
    /// Says that the other side wins, as another network might.
    Opposite,
    /// Answers for another board.
    Board,
    /// Says that it takes other rules.
    Rules,
    /// Refuses the question.
    Error,
    /// Answers later: by `--slow-ms`, and so from then on.
    Slow,
}

/// The stand-in's command line.
#[derive(Clone, Debug, Parser)]
pub struct Arguments {
    /// What KataGo is started with; looked at by nobody.
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// The release that it says it is.
    #[arg(long, default_value = "1.16.0", value_name = "VERSION")]
    version: String,
    /// The network's name.
    #[arg(long, default_value = "stand-in", value_name = "NAME")]
    model: String,
    /// Positions that it says it takes at once.
    #[arg(long, default_value_t = 8, value_name = "N")]
    batch: u32,
    /// What goes wrong.
    #[arg(long = "break", value_name = "HOW")]
    breaks: Option<Break>,
    /// From which question on, counted from 1.
    #[arg(long, default_value_t = 1, value_name = "N")]
    at: u64,
    /// It goes wrong in one process alone: the one that makes this file.
    #[arg(long, value_name = "FILE")]
    once: Option<PathBuf>,
    /// Questions that have come together are answered from the last to the first.
    #[arg(long)]
    backwards: bool,
    /// Milliseconds that each answer takes.
    #[arg(long, default_value_t = 0, value_name = "MS")]
    delay_ms: u64,
    /// The same once `--break slow` has begun.
    #[arg(long, default_value_t = 500, value_name = "MS")]
    slow_ms: u64,
    /// Lines before all others, as a wrapper may print.
    #[arg(long, default_value_t = 0, value_name = "N")]
    preface: u32,
}

impl Arguments {
    /// Answers questions until they end.
    ///
    /// # Errors
    /// Writing.
    pub fn run(
        &self,
        input: impl BufRead + Send + 'static,
        output: &mut impl Write,
    ) -> anyhow::Result<()> {
        (0..self.preface).try_for_each(|n| writeln!(output, "loading, part {n}"))?;
        let (lines, questions) = mpsc::channel();
        std::thread::spawn(move || {
            input.lines().map_while(Result::ok).try_for_each(|line| lines.send(line))
        });
        let mut asked = 0;
        while let Some(mut together) = together(&questions) {
            if self.backwards {
                together.reverse();
            }
            for line in together {
                self.answer(&line, &mut asked, output)?;
                output.flush()?;
            }
        }
        Ok(())
    }

    fn answer(&self, line: &str, asked: &mut u64, output: &mut impl Write) -> anyhow::Result<()> {
        let Ok(Value::Object(mut query)) = serde_json::from_str(line) else {
            writeln!(
                output,
                "{}",
                json!({ "error": "Could not parse input line as json request" })
            )?;
            return Ok(());
        };
        match query.get("action").and_then(Value::as_str) {
            Some("query_version") => {
                query.insert("version".to_owned(), self.version.clone().into());
            }
            Some("query_models") => {
                let model = json!({ "internalName": self.model, "maxBatchSize": self.batch });
                query.insert("models".to_owned(), json!([model]));
            }
            _ => {
                *asked += 1;
                let breaks = self.breaks.filter(|_| *asked >= self.at && self.is_the_one());
                let delay = if breaks == Some(Break::Slow) { self.slow_ms } else { self.delay_ms };
                std::thread::sleep(Duration::from_millis(delay));
                return judge(&query, breaks, output);
            }
        }
        writeln!(output, "{}", Value::Object(query))?;
        Ok(())
    }

    /// Tells whether this process is the one that breaks: the first to make the file, for as long as that names it.
    fn is_the_one(&self) -> bool {
        let Some(path) = &self.once else { return true };
        let me = std::process::id().to_string();
        let made =
            std::fs::File::create_new(path).and_then(|mut file| file.write_all(me.as_bytes()));
        made.is_ok() || std::fs::read_to_string(path).is_ok_and(|who| who == me)
    }
}

/// Lines that are there; waits for the first. Nothing at their end.
fn together(questions: &Receiver<String>) -> Option<Vec<String>> {
    let first = questions.recv().ok()?;
    Some(std::iter::once(first).chain(questions.try_iter()).collect())
}

/// Its words for a komi beyond its range.
const KOMI_EXPECTED: &str = "Must be between -150 and 150";

fn judge(
    query: &Map<String, Value>,
    breaks: Option<Break>,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let id = query.get("id").cloned().unwrap_or_default();
    let error = |field: &str, error: &str| json!({ "id": id, "field": field, "error": error });
    let answer = match position(query) {
        Ok(record) => judgement(&record),
        Err((field, why)) => {
            writeln!(output, "{}", error(field, &why))?;
            return Ok(());
        }
    };
    let mut answer = answer;
    answer["id"] = id.clone();
    match breaks {
        Some(Break::Die) => std::process::exit(7),
        Some(Break::Hang) => loop {
            std::thread::park();
        },
        Some(Break::Rubbish) => {
            writeln!(output, "Segmentation fault")?;
            return Ok(());
        }
        Some(Break::Error) => answer = error("komi", KOMI_EXPECTED),
        Some(Break::Impossible) => answer["rootInfo"]["rawWinrate"] = json!(1.5),
        Some(Break::Opposite) => {
            let share = answer["rootInfo"]["rawWinrate"].as_f64().unwrap_or_default();
            answer["rootInfo"]["rawWinrate"] = json!(1.0 - share);
        }
        Some(Break::Board) => answer["policy"] = json!([1, 0, 0, 0, 0]),
        Some(Break::Rules) => {
            let warning = "Rules converted to those that the network knows";
            writeln!(output, "{}", json!({ "id": id, "field": "rules", "warning": warning }))?;
        }
        Some(Break::Slow) | None => {}
    }
    writeln!(output, "{answer}")?;
    Ok(())
}

/// The game that a question is about, or the field that is wrong and why.
fn position(query: &Map<String, Value>) -> Result<Record<Go>, (&'static str, String)> {
    let number = |field| query.get(field).and_then(Value::as_f64);
    let side = number("boardXSize").filter(|side| (2.0..=19.0).contains(side));
    let side =
        side.ok_or(("boardXSize", "Must provide an integer from 2 to 19".to_owned()))? as u32;
    let komi = number("komi").unwrap_or(7.5);
    if !(-150.0..=150.0).contains(&komi) {
        return Err(("komi", KOMI_EXPECTED.to_owned()));
    }
    let komi = (2.0 * komi) as i16;
    let rules = GoRules::new(side, komi).map_err(|error| ("komi", error.to_string()))?;
    let size = Size::square(side as u8);
    let stones = plies(query, "initialStones", size)?;
    let first = query.get("initialPlayer").and_then(Value::as_str);
    let first = if first == Some("W") { Color::White } else { Color::Black };
    let start = Record::set_up(&rules, &stones, first);
    let mut record = start.map_err(|error| ("initialStones", error.to_string()))?;
    for (color, mv) in plies(query, "moves", size)? {
        record.play_as(color, mv).map_err(|error| ("moves", error.to_string()))?;
    }
    Ok(record)
}

fn plies(
    query: &Map<String, Value>,
    field: &'static str,
    size: Size,
) -> Result<Vec<(Color, Move)>, (&'static str, String)> {
    let told = query.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let ply = |told: &Value| {
        let text = told[1].as_str().unwrap_or_default();
        let mv = Notation::Go.parse(text, size).map_err(|error| (field, error.to_string()))?;
        Ok((if told[0] == "W" { Color::White } else { Color::Black }, mv))
    };
    told.iter().map(ply).collect()
}

/// Numbers drawn from the position: legal moves have shares that sum to one.
fn judgement(record: &Record<Go>) -> Value {
    let position = record.position();
    let area = position.size().area();
    let drawn =
        |what: usize| (mix(position.hash() ^ mix(what as u64)) >> 40) as f64 / f64::from(1 << 24);
    let moves = (0..area).map(Move::point).chain([Move::PASS]);
    let weight = |(place, mv)| record.is_legal(mv).then(|| 0.01 + drawn(place));
    let weights: Vec<Option<f64>> = moves.enumerate().map(weight).collect();
    let sum: f64 = weights.iter().flatten().sum();
    let policy: Vec<f64> =
        weights.iter().map(|share| share.map_or(-1.0, |share| share / sum)).collect();
    let ownership: Vec<f64> = (0..area).map(|point| 2.0 * drawn(area + 1 + point) - 1.0).collect();
    let (winrate, lead) = (drawn(2 * area + 1), 20.0 * drawn(2 * area + 2) - 10.0);
    json!({
        "isDuringSearch": false,
        "turnNumber": record.plies().len(),
        "rootInfo": { "rawWinrate": winrate, "rawLead": lead, "visits": 1 },
        "policy": policy,
        "ownership": ownership,
    })
}
