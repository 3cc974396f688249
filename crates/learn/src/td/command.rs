//! `banyan train td`: learning of Connect6 by temporal differences, against another program or itself.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use banyan_games::{Color, Kind, Rng};
use banyan_knowledge::connect6::tables::Tables;
use banyan_knowledge::connect6::td::Network;
use clap::{Args, ValueEnum};

use crate::files::{own, put};

use super::curve::{DRAWING, Ended, GAMES_A_ROW, Row, drawing, read, rows, table};
use super::game::{Game, Manner, play};
use super::learner::{Learner, Letter, Rates, Tuples, Turn, learn};
use super::opponent::Opponent;

/// Names of a model's files in a folder.
#[derive(Debug)]
struct Names {
    /// The model.
    model: &'static str,
    /// Its curve as a table.
    table: &'static str,
    /// Its curve as a drawing.
    drawing: &'static str,
}

/// Files of the network 64-18-1.
const LETTER: Names = Names { model: "connect6.td", table: "curve.table", drawing: "curve.svg" };

/// Files of the tuned model.
const TUPLES: Names =
    Names { model: "connect6.tables", table: "curve.tuples.table", drawing: "curve.tuples.svg" };

/// What learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// The network 64-18-1 of S10, `connect6.td`.
    Letter,
    /// Looks along lines and whose turn it is, `connect6.tables`.
    Tuples,
}

/// Options of `banyan train td`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// Game: connect6.
    #[arg(long, default_value = "connect6")]
    game: Kind,
    /// Folder of the model, its curve as a table and as a drawing; made where there is none. Both models may share one.
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// What learns: the network of S10 to the letter (64-18-1, blind to whose turn it is), or the tuned
    /// one, sums over looks along lines that see it.
    #[arg(long, value_enum, default_value = "letter")]
    model: Model,
    /// Command line of the program that it plays against, which speaks GTP [default: itself].
    #[arg(long, value_name = "COMMAND")]
    opponent: Option<String>,
    /// Games.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Learning rate, above 0, at most 1.
    #[arg(long, default_value_t = 0.3, value_parser = above_zero)]
    alpha: f64,
    /// Decay of what earlier turns (with --model tuples, stones) have to do with an error, from 0 to 1.
    #[arg(long, default_value_t = 0.7, value_parser = rate)]
    lambda: f64,
    /// One of so many own turns is played at random; 0 for none.
    #[arg(long, default_value_t = 20, value_name = "N")]
    random_every: u32,
    /// Learn from each game with colours swapped, too; with --model tuples, which is the same for both colours, that is
    /// each game twice, about twice the --alpha.
    #[arg(long)]
    swap: bool,
    /// Seed of all chance.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Games may be slow: nobody wants to lose an hour of them.
const WRITE_EVERY: Duration = Duration::from_secs(60);

fn above_zero(text: &str) -> Result<f64, String> {
    let rate = rate(text).ok().filter(|&rate| rate > 0.0);
    rate.ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    rate.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Plays, learns after each game, and writes model and curve.
///
/// # Errors
/// In words for people: a folder that cannot be used, an opponent that fails.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.game != Kind::Connect6 {
        bail!("{} does not learn by temporal differences, only connect6", arguments.game);
    }
    let dir = &arguments.dir;
    let _held = own(dir)?;
    part_curves(dir)?;
    match arguments.model {
        Model::Letter => {
            let known = learned(&dir.join(LETTER.model), Network::read)?;
            let letter = known.map_or_else(|| Letter::new(arguments.seed), Letter::of);
            train(arguments, letter, &LETTER, out)
        }
        Model::Tuples => {
            let known = learned(&dir.join(TUPLES.model), Tables::read)?;
            let tuples = known.map_or_else(Tuples::new, |tables| Tuples::of(&tables));
            train(arguments, tuples, &TUPLES, out)
        }
    }
}

/// Gives the tuned model the curve that it left under the name that is the letter's alone now: where it is the only
/// model of the folder, or was written after the other.
fn part_curves(dir: &Path) -> anyhow::Result<()> {
    let written = |name| std::fs::metadata(dir.join(name)).and_then(|it| it.modified()).ok();
    let is_its = written(TUPLES.model) > written(LETTER.model);
    if !is_its || dir.join(TUPLES.table).exists() || !matches!(curve(dir, &LETTER), Ok(Some(_))) {
        return Ok(());
    }
    for (from, to) in [(LETTER.drawing, TUPLES.drawing), (LETTER.table, TUPLES.table)] {
        let [from, to] = [from, to].map(|name| dir.join(name));
        if from.exists() {
            let cannot = || format!("cannot rename {} to {}", from.display(), to.display());
            std::fs::rename(&from, &to).with_context(cannot)?;
        }
    }
    Ok(())
}

/// The rows of a model's curve; nothing where there is none.
///
/// # Errors
/// A table or a drawing that is something else, and would be written over.
fn curve(dir: &Path, names: &Names) -> anyhow::Result<Option<Vec<Row>>> {
    let text = |name: &str| {
        let path = dir.join(name);
        let bytes = if path.exists() { std::fs::read(&path) } else { Ok(Vec::new()) };
        let bytes = bytes.with_context(|| format!("cannot read {}", path.display()))?;
        anyhow::Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let refuse = |name: &str| {
        format!(
            "{} is no curve of `banyan train td`, and would be written over: expected it under another name, or \
             another --dir",
            dir.join(name).display()
        )
    };
    let drawn = text(names.drawing)?;
    ensure!(drawn.is_empty() || drawn.starts_with(DRAWING), refuse(names.drawing));
    let table = text(names.table)?;
    if table.is_empty() {
        return Ok(None);
    }
    read(&table).map(Some).with_context(|| refuse(names.table))
}

/// The model of a file, to go on from; nothing where there is none.
fn learned<M, E: std::error::Error + Send + Sync + 'static>(
    path: &Path,
    read: impl FnOnce(&str) -> Result<M, E>,
) -> anyhow::Result<Option<M>> {
    if !path.exists() {
        return Ok(None);
    }
    let model = || anyhow::Ok(read(&std::fs::read_to_string(path)?)?);
    model().map(Some).with_context(|| format!("{}", path.display()))
}

fn train<L: Learner>(
    arguments: &Arguments,
    mut learner: L,
    names: &Names,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let rates = Rates { alpha: arguments.alpha, lambda: arguments.lambda };
    let mut opponent = arguments.opponent.as_deref().map(Opponent::start).transpose()?;
    let mut rng = Rng::from_seed(arguments.seed);
    // The curve goes on where the model does.
    let is_known = arguments.dir.join(names.model).exists();
    let before = curve(&arguments.dir, names)?.filter(|_| is_known).unwrap_or_default();
    let mut ended = Vec::new();
    let mut written = Instant::now();
    for number in 0..arguments.games as usize {
        let sides = [Color::Black, Color::White];
        let own = opponent.is_some().then(|| sides[number % 2]);
        let manner = Manner { random_every: arguments.random_every, learner: own };
        let game = match play(&learner, &mut opponent, manner, &mut rng) {
            Ok(game) => game,
            Err(why) => {
                // What was learned so far stays.
                if !ended.is_empty() {
                    write(arguments, &learner, &going_on(&before, rows(&ended)), names)?;
                }
                return Err(why.into());
            }
        };
        ended.push(Ended { learner: own, winner: game.winner, error: error(&learner, &game) });
        learn(&mut learner, &game.turns, game.result(), rates);
        if arguments.swap {
            let turn =
                |turn: &Turn<L::Seen>| Turn { seen: learner.swapped(&turn.seen), ..turn.clone() };
            let swapped: Vec<Turn<L::Seen>> = game.turns.iter().map(turn).collect();
            learn(&mut learner, &swapped, 1.0 - game.result(), rates);
        }
        if (number + 1).is_multiple_of(GAMES_A_ROW) || number + 1 == arguments.games as usize {
            let all = going_on(&before, rows(&ended));
            write(arguments, &learner, &all, names)?;
            written = Instant::now();
            let last = all.last().expect("a game at least");
            let games = number % GAMES_A_ROW + 1;
            let whose = if opponent.is_some() { "" } else { " for Black" };
            writeln!(
                out,
                "{} of {} games: {:.1} % of the last {games}{whose}, mean squared error {:.4}",
                number + 1,
                arguments.games,
                100.0 * last.share,
                last.error
            )?;
        } else if written.elapsed() >= WRITE_EVERY {
            write(arguments, &learner, &going_on(&before, rows(&ended)), names)?;
            written = Instant::now();
        }
    }
    writeln!(out, "model in {}", arguments.dir.join(names.model).display())?;
    Ok(())
}

/// Rows of this run after those of the runs before.
fn going_on(before: &[Row], mut rows: Vec<Row>) -> Vec<Row> {
    let games = before.last().map_or(0, |last| last.games);
    rows.iter_mut().for_each(|row| row.games += games);
    [before, &rows].concat()
}

/// The mean squared error of what the learner said during a game.
fn error<L: Learner>(learner: &L, game: &Game<L::Seen>) -> f64 {
    let squares = game.turns.iter().map(|it| (learner.chance(&it.seen) - game.result()).powi(2));
    squares.sum::<f64>() / game.turns.len().max(1) as f64
}

fn write<L: Learner>(
    arguments: &Arguments,
    learner: &L,
    rows: &[Row],
    names: &Names,
) -> anyhow::Result<()> {
    // A model that has been written has its curve.
    for (name, text) in
        [(names.table, table(rows)), (names.drawing, drawing(rows)), (names.model, learner.text())]
    {
        put(&arguments.dir.join(name), text.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Typed {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn typed(dir: &Path, more: &[&str]) -> Arguments {
        let dir = dir.to_str().expect("a name in Unicode");
        Typed::parse_from(["td", "--dir", dir].iter().chain(more)).arguments
    }

    #[test]
    fn both_models_learn_from_games_against_themselves_and_leave_a_curve() {
        for (model, names) in [("letter", LETTER), ("tuples", TUPLES)] {
            let dir = tempfile::tempdir().expect("a folder");
            let mut out = Vec::new();
            run(&typed(dir.path(), &["--model", model, "--games", "2", "--swap"]), &mut out)
                .expect("it runs");
            let text = std::fs::read_to_string(dir.path().join(names.model)).expect("a model");
            let by =
                <banyan_games::connect6::Connect6 as banyan_knowledge::Knowledge>::evaluation_by;
            assert!(by(&text).is_ok(), "{text}");
            for curve in [names.table, names.drawing] {
                assert!(dir.path().join(curve).exists(), "{curve}");
            }
            assert!(String::from_utf8(out).expect("text").contains("2 of 2 games"));
        }
    }

    /// An opponent that answers each question by a line of its own, and a request for a move by `words`.
    fn opponent(words: &str) -> String {
        let answers = format!("case \"$line\" in genmove*) {words};; *) echo =;; esac; echo");
        format!("sh -c 'while read -r line; do {answers}; done'")
    }

    #[test]
    fn an_opponent_that_resigns_has_lost_and_one_that_fails_costs_no_game_before() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut out = Vec::new();
        let resigns = opponent("echo \"= resign\"");
        run(&typed(dir.path(), &["--games", "3", "--opponent", &resigns]), &mut out).expect("won");
        let said = String::from_utf8(out).expect("text");
        assert!(said.contains("3 of 3 games: 100.0 % of the last 3, "), "{said}");

        let dir = tempfile::tempdir().expect("a folder");
        let count = dir.path().join("count");
        let later = format!(
            "echo >> {0}; if [ $(wc -l < {0}) -gt 2 ]; then exit 1; fi; echo \"= resign\"",
            count.display()
        );
        let arguments = typed(dir.path(), &["--games", "9", "--opponent", &opponent(&later)]);
        assert!(run(&arguments, &mut Vec::new()).is_err());
        let curve = std::fs::read_to_string(dir.path().join("curve.table")).expect("a curve");
        assert!(curve.contains("| 2 | 100.0 % |"), "{curve}");
        assert!(dir.path().join("connect6.td").exists());
    }

    #[test]
    fn both_models_go_on_from_their_files_and_refuse_those_that_are_none() {
        for (model, names) in [("letter", LETTER), ("tuples", TUPLES)] {
            let dir = tempfile::tempdir().expect("a folder");
            let path = dir.path().join(names.model);
            // So small a step that what is written is what was read.
            let more = ["--model", model, "--games", "1", "--alpha"];
            let train = |alpha| {
                let words: Vec<&str> = more.into_iter().chain([alpha]).collect();
                run(&typed(dir.path(), &words), &mut Vec::new())
            };
            train("0.3").expect("it learns");
            let learned = std::fs::read_to_string(&path).expect("a model");
            train("1e-12").expect("it goes on");
            assert_eq!(std::fs::read_to_string(&path).expect("a model"), learned);
            assert_eq!(games(dir.path(), &names), [1, 2]);
            std::fs::write(&path, "no model").expect("written");
            let words = format!("{:#}", train("1e-12").expect_err("refused"));
            assert!(words.contains(names.model), "{words}");
            assert_eq!(std::fs::read_to_string(&path).expect("it"), "no model");
        }
    }

    /// Games up to each row of a model's curve.
    fn games(dir: &Path, names: &Names) -> Vec<usize> {
        let rows = curve(dir, names).expect("a curve").expect("it is there");
        rows.iter().map(|it| it.games).collect()
    }

    fn train_once(dir: &Path, model: &str) -> anyhow::Result<()> {
        run(&typed(dir, &["--model", model, "--games", "1"]), &mut Vec::new())
    }

    #[test]
    fn each_model_of_a_folder_has_a_curve_that_goes_on() {
        let dir = tempfile::tempdir().expect("a folder");
        for model in ["letter", "tuples", "letter", "tuples", "letter"] {
            train_once(dir.path(), model).expect("it learns");
        }
        assert_eq!(games(dir.path(), &LETTER), [1, 2, 3]);
        assert_eq!(games(dir.path(), &TUPLES), [1, 2]);
    }

    #[test]
    fn a_curve_that_tuples_left_under_the_letter_s_name_is_theirs() {
        for model in ["letter", "tuples"] {
            let dir = tempfile::tempdir().expect("a folder");
            let rename = |from: &str, to: &str| {
                std::fs::rename(dir.path().join(from), dir.path().join(to)).expect("renamed");
            };
            train_once(dir.path(), "tuples").expect("it learns");
            rename(TUPLES.table, LETTER.table);
            rename(TUPLES.drawing, LETTER.drawing);
            train_once(dir.path(), model).expect("it learns");
            let expected: &[usize] = if model == "letter" { &[1] } else { &[1, 2] };
            assert_eq!(games(dir.path(), &TUPLES), expected);
            assert_eq!(dir.path().join(LETTER.table).exists(), model == "letter");
        }
    }

    #[test]
    fn a_curve_that_is_something_else_is_refused_before_a_game() {
        for (model, names) in [("letter", LETTER), ("tuples", TUPLES)] {
            for (file, text) in
                [(names.table, &b"a\nb\n"[..]), (names.table, b"\xff"), (names.drawing, b"<html>")]
            {
                let dir = tempfile::tempdir().expect("a folder");
                let path = dir.path().join(file);
                std::fs::write(&path, text).expect("written");
                let words = train_once(dir.path(), model).expect_err("refused").to_string();
                let said = format!("{} is no curve of `banyan train td`", path.display());
                assert!(words.starts_with(&said), "{words}");
                assert_eq!(std::fs::read(&path).expect("it is there"), text);
                assert!(!dir.path().join(names.model).exists());
            }
        }
    }

    #[test]
    fn alpha_is_above_0_and_lambda_may_be_0() {
        let dir = tempfile::tempdir().expect("a folder");
        let dir = dir.path().to_str().expect("a name in Unicode");
        let parse =
            |more: [&str; 2]| Typed::try_parse_from(["td", "--dir", dir].iter().chain(&more));
        assert!(parse(["--lambda", "0"]).is_ok() && parse(["--alpha", "1"]).is_ok());
        for wrong in [["--alpha", "0"], ["--alpha", "nan"], ["--alpha", "1.5"]] {
            let said = parse(wrong).expect_err("refused").to_string();
            assert!(said.contains("expected a number above 0, at most 1"), "{said}");
        }
    }

    #[test]
    fn another_game_and_a_program_that_is_none_are_refused_in_words() {
        let dir = tempfile::tempdir().expect("a folder");
        let words = |more: &[&str]| {
            run(&typed(dir.path(), more), &mut Vec::new()).expect_err("refused").to_string()
        };
        assert!(words(&["--game", "go"]).contains("go does not learn by temporal differences"));
        assert!(
            words(&["--opponent", "/no/such/engine"]).contains("cannot start '/no/such/engine'")
        );
    }
}
