//! `banyan train patterns`: games of Othello against itself, and tables over patterns that fit them; the games of
//! lines have theirs in [`crate::lines`].

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use banyan_games::Kind;
use banyan_games::othello::OthelloRules;
use banyan_knowledge::Patterns;
use banyan_knowledge::othello::learned;
use banyan_knowledge::othello::patterns::LAYOUT;
use banyan_knowledge::tuples::{Header, Stages, Tables};
use banyan_search::endgame::Solver;
use banyan_selfplay::patterns::othello::{Depths, Player, pair};
use banyan_selfplay::patterns::othello_games::{Played, SOLVE_MAX, Sample};
use banyan_selfplay::patterns::{Practice, usual_plies};
use clap::Args;

use crate::files::{own, put};
use crate::games_file::{NUMBER_BITS, SEED_MAX, Wanted, play_on};
use crate::gate::Gate;
use crate::lines;
use crate::practisers::{Call, Model, Practisers};

use super::fit::{Course, Fit};

/// Discs between two stages, from twelve on.
const STAGE: usize = 4;

/// Games of which one is kept apart to see what the weights are worth, count.
const KEPT_APART: usize = 20;

/// Empty points from which on a game is solved, where nothing else is said.
const SOLVE_FROM: u32 = 14;

/// Squares of slopes that a weight begins with, where nothing else is said.
const CAUTION: f32 = 1000.0;

/// Part of how a game ended in what a position of it is worth, where nothing else is said.
const OUTCOME: f64 = 0.5;

/// Part of what the next position is worth in what a position is, where nothing else is said.
const LAMBDA: f64 = 0.7;

/// Games between two lines.
const GAMES_A_LINE: u64 = 500;

/// Options of `banyan train patterns`.
#[derive(Clone, Debug, Args)]
pub struct Arguments<H: Args> {
    /// Game: othello, gomoku or connect6.
    #[arg(long, default_value = "othello")]
    game: Kind,
    /// Folder of games and tables; made where there is none. Games that are there already are kept.
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Games there shall be before tables are fitted, count.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Plies that a move is searched deep [default: 4, 6 in Gomoku].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=20))]
    plies: Option<u32>,
    /// Othello: empty points from which on a game is solved [default: 14].
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=i64::from(SOLVE_MAX)))]
    solve_from: Option<u32>,
    /// Passes over all positions.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// First step of a weight, above 0 [default: 0.3 discs, 0.03 logits].
    #[arg(long, value_parser = above_zero)]
    step: Option<f32>,
    /// Gomoku, Connect6: part of how a game ended in what a position is said to be worth, from 0 to 1; the rest
    /// is what the search said [default: 0.5].
    #[arg(long, value_name = "PART", value_parser = part)]
    outcome: Option<f64>,
    /// Gomoku, Connect6: what is learned [default: tables].
    #[arg(long, value_name = "KIND")]
    model: Option<lines::ModelKind>,
    /// Gomoku, Connect6: learn from so many positions that the searches of each game judge, and from what other
    /// searches, in Connect6 for wins by threats too, say of them, not from the game's own positions and its end.
    #[arg(long, value_name = "N", conflicts_with = "outcome")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    leaves: Option<u16>,
    /// Gomoku, Connect6: learn from the positions of this file too, a GAME.N.leaves of another folder; several times.
    #[arg(long, value_name = "FILE", requires = "leaves")]
    also: Vec<PathBuf>,
    /// Gomoku, Connect6: the evaluation that games are played by, one of those of `banyan search` [default: mix].
    #[arg(long, value_name = "NAME")]
    evaluation: Option<String>,
    /// A file with the tables that games are played by [default: those built in].
    #[arg(long, value_name = "FILE", conflicts_with = "evaluation")]
    patterns: Option<PathBuf>,
    /// Othello: λ, from 0 to 1: a position is worth (1 − λ) times what the search said of it plus λ times what the next
    /// one of its game is worth, the last one how it ended; 1 is how games ended alone, as where no search said
    /// anything [default: 0.7].
    #[arg(long, value_name = "PART", value_parser = part)]
    lambda: Option<f64>,
    /// Othello: squares of slopes that a weight begins with: the more, the less a rare one moves [default: 1000].
    #[arg(long, value_parser = above_zero)]
    caution: Option<f32>,
    /// Othello, and --model mix: the fit begins with the weights of --patterns, or those built in, not with none.
    #[arg(long)]
    go_on: bool,
    /// Seed of all chance, at most 16777215.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=SEED_MAX))]
    seed: u64,
    #[command(flatten)]
    gate: Gate,
    #[command(flatten)]
    hands: H,
}

fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn above_zero(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|&number: &f32| number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

impl<H: Args> Arguments<H> {
    /// Refuses options that another game has.
    fn check(&self) -> anyhow::Result<()> {
        let is_othello = self.game == Kind::Othello;
        for (option, is_given, is_othellos) in [
            ("--solve-from", self.solve_from.is_some(), true),
            ("--caution", self.caution.is_some(), true),
            ("--lambda", self.lambda.is_some(), true),
            ("--outcome", self.outcome.is_some(), false),
            ("--evaluation", self.evaluation.is_some(), false),
            ("--model", self.model.is_some(), false),
            ("--leaves", self.leaves.is_some(), false),
        ] {
            let games = if is_othellos { "othello" } else { "gomoku and connect6" };
            let fits = !is_given || is_othellos == is_othello;
            ensure!(fits, "{option} is an option of {games}, not of {}", self.game);
        }
        let goes_on = is_othello || self.model == Some(lines::ModelKind::Mix);
        ensure!(goes_on || !self.go_on, "--go-on in {} wants --model mix", self.game);
        Ok(())
    }

    fn of_lines<'a>(
        &'a self,
        model: Option<&'a Model>,
        practisers: &'a dyn Practisers,
    ) -> lines::Asked<'a> {
        lines::Asked {
            game: self.game,
            dir: &self.dir,
            games: self.games,
            plies: self.plies,
            passes: self.passes,
            step: self.step.map_or(0.03, f64::from),
            of_outcome: if self.leaves.is_some() { 0.0 } else { self.outcome.unwrap_or(OUTCOME) },
            kind: self.model.unwrap_or(lines::ModelKind::Tables),
            go_on: self.go_on,
            leaves: self.leaves.map_or(0, usize::from),
            also: &self.also,
            evaluation: self.evaluation.as_deref(),
            model,
            seed: self.seed,
            practisers,
            gate: self.gate,
        }
    }
}

/// Plays what is missing, fits, and says what came of it to `out`.
///
/// - `call`: calls those who play, by the options that say who they are.
///
/// # Errors
/// In words for people: folders and files that are not as they should be.
pub fn run<H: Args>(
    arguments: &Arguments<H>,
    call: Call<'_, H>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    arguments.check()?;
    let (games, seed, game) = (arguments.games, arguments.seed, arguments.game);
    let plies = arguments.plies.or(usual_plies(game));
    let plies = plies.with_context(|| {
        format!("{game} has no patterns to learn, only othello, gomoku and connect6")
    })?;
    let dir = &arguments.dir;
    let _held = own(dir)?;
    let model = arguments.patterns.as_deref().map(|path| model(game, path)).transpose()?;
    let practisers = &*call(&arguments.hands, game, model.as_ref())?;
    if game != Kind::Othello {
        return lines::run(&arguments.of_lines(model.as_ref(), practisers), out);
    }
    let solve_from = arguments.solve_from.unwrap_or(SOLVE_FROM);
    let depths = Depths { plies, solve_from };
    let tables = match model {
        Some(Model { patterns: Patterns::Othello(tables), .. }) => tables,
        _ => learned::tables().clone(),
    };
    let player = Player { depths, tables };
    let practice =
        Practice { seed: seed << NUMBER_BITS, games: 0, plies, solve_from, evaluation: 0 };
    let rules = OthelloRules.into();
    let wanted = Wanted { rules: &rules, practice, games, between_lines: GAMES_A_LINE };
    let read = |bytes: &[u8]| Ok(Played::read_all(bytes)?);
    let games = play_on(&dir.join("othello.games"), wanted, read, practisers, out)?;
    let lambda = arguments.lambda.unwrap_or(LAMBDA) as f32;
    let (learned, apart) = samples(&games, lambda);
    writeln!(out, "{} games, {} positions, {} apart", games.len(), learned.len(), apart.len())?;
    let begun = arguments.go_on.then_some(&*player.tables);
    let fit = fitted((arguments, begun), (&learned, &apart), out)?;
    let header = Header {
        game: Kind::Othello.name().to_owned(),
        layout: LAYOUT.digest(),
        stages: fit.stages().clone(),
        made: made(games.len(), lambda, arguments.go_on),
    };
    let path = dir.join("othello.tuples");
    let bytes = header.write(&fit.stored());
    put(&path, &bytes)?;
    writeln!(out, "tables in {}", path.display())?;
    let learned = Player { tables: Arc::new(learned::read(&bytes)?), ..player.clone() };
    let players = [learned, player];
    arguments.gate.judge(practisers.crew(), seed, |rng| pair(&players, rng), out)?;
    Ok(())
}

/// What tables were made from, in words.
fn made(games: usize, lambda: f32, goes_on: bool) -> String {
    let begun = if goes_on { ", going on from other tables" } else { "" };
    format!("from {games} games against itself, lambda {lambda}{begun}")
}

/// The tables of a file.
fn model(game: Kind, path: &Path) -> anyhow::Result<Model> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Model::read(game, bytes).with_context(|| format!("{}", path.display()))
}

/// Samples that are learned from, and those kept apart.
fn samples(games: &[Played], lambda: f32) -> (Vec<Sample>, Vec<Sample>) {
    let (mut learned, mut apart) = (Vec::new(), Vec::new());
    let mut solver = Solver::new(16 << 20);
    for (number, game) in games.iter().enumerate() {
        let is_apart = number % KEPT_APART == KEPT_APART - 1;
        let samples = game.samples(&mut solver, lambda);
        if is_apart { &mut apart } else { &mut learned }.extend(samples);
    }
    (learned, apart)
}

fn fitted<H: Args>(
    (arguments, begun): (&Arguments<H>, Option<&Tables>),
    (learned, apart): (&[Sample], &[Sample]),
    out: &mut impl Write,
) -> anyhow::Result<Fit> {
    let (passes, seed) = (arguments.passes, arguments.seed);
    let caution = arguments.caution.unwrap_or(CAUTION);
    let step = arguments.step.unwrap_or(0.3);
    let mut fit = match begun {
        Some(tables) => Fit::going_on(tables, caution),
        None => Fit::new(Stages::new((12..=60).step_by(STAGE).collect()), caution),
    };
    if apart.is_empty() {
        writeln!(out, "too few games to keep one in {KEPT_APART} apart: nobody knows how far off")?;
    }
    let mut written = Ok(());
    fit.learn(Course { passes, step, seed }, learned, |pass, fit| {
        let errors = fit.errors(apart);
        let (mean, square, end) = (errors.mean, errors.root_mean_square, errors.mean_of_scores);
        let line = if apart.is_empty() {
            writeln!(out, "pass {pass} of {passes}")
        } else {
            writeln!(out, "pass {pass} of {passes}: apart, {mean:.3} discs off in the mean, {square:.3} root mean square; {end:.3} off how games ended")
        };
        written = std::mem::replace(&mut written, Ok(())).and(line);
    });
    written?;
    Ok(fit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crew::Crew;
    use crate::practisers;
    use banyan_knowledge::Knowledge as _;
    use clap::Parser;
    use std::num::NonZeroUsize;

    #[derive(Clone, Debug, Args)]
    struct Hands {
        #[arg(long, default_value = "1")]
        threads: NonZeroUsize,
    }

    #[derive(Debug, Parser)]
    struct Typed {
        #[command(flatten)]
        arguments: Arguments<Hands>,
    }

    fn run(arguments: &Arguments<Hands>, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let call = |hands: &Hands, _, model: Option<&Model>| {
            let crew = Crew { threads: hands.threads };
            let patterns = model.map(|model| model.patterns.clone());
            Ok(Box::new(practisers::Alone { crew, patterns }) as Box<dyn Practisers>)
        };
        super::run(arguments, &call, out)
    }

    fn typed(dir: &Path, more: &[&str]) -> Arguments<Hands> {
        let solve_from = ["--solve-from", "6"];
        of_any(dir, &[&solve_from, more].concat())
    }

    fn of_any(dir: &Path, more: &[&str]) -> Arguments<Hands> {
        let dir = dir.to_str().expect("a name in Unicode");
        let all = ["patterns", "--dir", dir, "--plies", "1", "--passes", "1", "--pairs", "2"];
        Typed::parse_from(all.iter().chain(more)).arguments
    }

    #[test]
    fn a_seed_that_games_would_share_with_a_smaller_one_is_refused() {
        let parse = |seed| Typed::try_parse_from(["patterns", "--dir", "d", "--seed", seed]);
        assert_eq!(parse("16777215").expect("the largest").arguments.seed, SEED_MAX);
        let words = parse("16777216").expect_err("refused").to_string();
        assert!(words.contains("16777216 is not in 0..=16777215"), "{words}");
    }

    #[test]
    fn an_option_of_another_game_is_refused() {
        let dir = tempfile::tempdir().expect("a folder");
        let words = |more: &[&str]| {
            run(&of_any(dir.path(), more), &mut Vec::new()).expect_err("refused").to_string()
        };
        for (option, value) in [("--solve-from", "6"), ("--caution", "10"), ("--lambda", "1")] {
            let wanted = format!("{option} is an option of othello, not of gomoku");
            assert_eq!(words(&["--game", "gomoku", option, value]), wanted);
        }
        for (option, value) in [("--outcome", "0.5"), ("--evaluation", "shapes")] {
            let wanted = format!("{option} is an option of gomoku and connect6, not of othello");
            assert_eq!(words(&[option, value]), wanted);
        }
        let wanted = "gomoku has no evaluation 'foo': expected mix or shapes or windows or s9 or s9-cut or runs or \
                      runs-cut";
        assert_eq!(words(&["--game", "gomoku", "--evaluation", "foo"]), wanted);
        let wanted = "--go-on in gomoku wants --model mix";
        assert_eq!(words(&["--game", "gomoku", "--go-on"]), wanted);
        assert!(words(&["--game", "hex"]).contains("hex has no patterns"));
    }

    #[test]
    fn games_that_are_there_are_kept_and_half_a_game_is_played_again() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("othello.games");
        let mut out = Vec::new();
        run(&typed(dir.path(), &["--games", "21"]), &mut out).expect("it runs");
        let whole = std::fs::read(&path).expect("games");
        std::fs::write(&path, &whole[..whole.len() - 5]).expect("written");
        run(&typed(dir.path(), &["--games", "21", "--threads", "3"]), &mut out)
            .expect("it goes on");
        assert_eq!(std::fs::read(&path).expect("games"), whole);
        let said = String::from_utf8(out).expect("text");
        assert!(said.contains("against the tables behind the games, "), "{said}");
        let tables = std::fs::read(dir.path().join("othello.tuples")).expect("tables");
        Tables::read(&tables, ("othello", &*LAYOUT), 64).expect("tables for Othello");
    }

    #[test]
    fn how_much_the_searches_count_and_what_a_fit_begins_with_change_the_tables() {
        let dir = tempfile::tempdir().expect("a folder");
        let learned = |more: &[&str]| {
            let all = [&["--games", "21"], more].concat();
            run(&typed(dir.path(), &all), &mut Vec::new()).expect("it runs");
            std::fs::read(dir.path().join("othello.tuples")).expect("tables")
        };
        let weights = |bytes: &[u8]| Header::split(bytes).expect("a header").1.to_vec();
        let [usual, by_ends, on] = [&[][..], &["--lambda", "1"], &["--go-on"]].map(learned);
        assert_eq!(weights(&learned(&["--lambda", "0.7"])), weights(&usual));
        assert_ne!(weights(&by_ends), weights(&usual));
        assert_ne!(weights(&on), weights(&usual));
        let made = |bytes: &[u8]| Header::split(bytes).expect("a header").0.made;
        assert_eq!(made(&by_ends), "from 21 games against itself, lambda 1");
        let going_on = "from 21 games against itself, lambda 0.7, going on from other tables";
        assert_eq!(made(&on), going_on);
        for (option, value) in [("--lambda", "1.5"), ("--lambda", "NaN"), ("--caution", "0")] {
            let dir = dir.path().to_str().expect("a name in Unicode");
            let all = ["patterns", "--dir", dir, option, value];
            let refused = Typed::try_parse_from(all).expect_err(value).to_string();
            assert!(refused.contains(value) && refused.contains("expected a number"), "{refused}");
        }
    }

    #[test]
    fn games_of_lines_are_learned_from_and_played_on_where_they_broke_off() {
        for game in ["gomoku", "connect6"] {
            let dir = tempfile::tempdir().expect("a folder");
            let path = dir.path().join(format!("{game}.games"));
            let dir_text = dir.path().to_str().expect("a name in Unicode");
            let learn = |games: &str| {
                let all = ["patterns", "--dir", dir_text, "--game", game, "--games", games];
                let passes = ["--passes", "1", "--plies", "1", "--pairs", "1"];
                let arguments = Typed::parse_from(all.iter().chain(&passes)).arguments;
                run(&arguments, &mut Vec::new()).expect("it runs");
            };
            learn("3");
            let whole = std::fs::read(&path).expect("games");
            std::fs::write(&path, &whole[..whole.len() - 5]).expect("written");
            learn("3");
            assert_eq!(std::fs::read(&path).expect("games"), whole, "{game}");
            let tables = dir.path().join(format!("{game}.tables"));
            let text = std::fs::read_to_string(tables).expect("tables");
            let is_read = match game {
                "gomoku" => banyan_games::gomoku::Gomoku::evaluation_by(&text).is_ok(),
                _ => banyan_games::connect6::Connect6::evaluation_by(&text).is_ok(),
            };
            assert!(is_read, "{game}");
        }
    }

    #[test]
    fn positions_of_searches_are_learned_from_and_taken_on_where_that_broke_off() {
        let models = ["mix", "tables"];
        let both = ["gomoku", "connect6"].map(|game| models.map(|model| (game, model)));
        for (game, model) in both.into_iter().flatten() {
            let dir = tempfile::tempdir().expect("a folder");
            let path = dir.path().join(format!("{game}.4.leaves"));
            let dir_text = dir.path().to_str().expect("a name in Unicode");
            let learn = |threads: &str| {
                let all = [
                    "patterns", "--dir", dir_text, "--game", game, "--games", "3", "--leaves", "4",
                ];
                let more = ["--model", model, "--threads", threads];
                let passes = ["--passes", "1", "--plies", "1", "--pairs", "1"];
                let words = all.iter().chain(&more).chain(&passes);
                let mut out = Vec::new();
                run(&Typed::parse_from(words).arguments, &mut out).expect("it runs");
                String::from_utf8(out).expect("text")
            };
            let said = learn("1");
            assert!(said.contains("12 positions that searches of 3 games judge"), "{said}");
            let whole = std::fs::read(&path).expect("positions");
            std::fs::write(&path, &whole[..whole.len() - 5]).expect("written");
            learn("2");
            assert_eq!(std::fs::read(&path).expect("positions"), whole, "{game}");
            let tables = dir.path().join(format!("{game}.tables"));
            let text = std::fs::read_to_string(tables).expect("tables");
            assert!(text.contains("of searches of 3 games"), "{text:.200}");
            assert_eq!(text.contains("\nmix of "), model == "mix");
            also_learned(game, model, &path);
        }
        let dir = tempfile::tempdir().expect("a folder");
        let refused = |more: &[&str]| {
            run(&of_any(dir.path(), more), &mut Vec::new()).expect_err("refused").to_string()
        };
        assert!(
            refused(&["--leaves", "3"]).contains("--leaves is an option of gomoku and connect6")
        );
    }

    /// Another folder learns from these positions as well as from its own.
    fn also_learned(game: &str, model: &str, path: &Path) {
        let dir = tempfile::tempdir().expect("a folder");
        let also = |files: &[&Path]| {
            let usual = ["--game", game, "--games", "2", "--leaves", "4"];
            let more = ["--seed", "5", "--model", model];
            let files = files.iter().flat_map(|it| ["--also", it.to_str().expect("in Unicode")]);
            let words: Vec<&str> = usual.into_iter().chain(more).chain(files).collect();
            let mut out = Vec::new();
            run(&of_any(dir.path(), &words), &mut out)?;
            Ok::<_, anyhow::Error>(String::from_utf8(out).expect("text"))
        };
        let learned = |said: &str| -> u32 {
            let line = said.lines().find(|line| line.contains("apart")).expect("a line");
            let words: Vec<&str> = line.split(' ').collect();
            words[2].parse::<u32>().expect("a number") + words[4].parse::<u32>().expect("a number")
        };
        let [others, wrong] = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
        let copy = others.path().join(format!("{game}.4.leaves"));
        std::fs::copy(path, &copy).expect("copied");
        let [none, once, twice] =
            [&[][..], &[path], &[path, &copy]].map(|files| learned(&also(files).expect("learned")));
        assert!(none < once && twice - once == once - none, "{none} {once} {twice}");
        let refused = |file: &Path| format!("{:#}", also(&[file]).expect_err("refused"));
        for name in ["positions", "othello.4.leaves", ".4.leaves"] {
            let words = refused(&wrong.path().join(name));
            let expected = format!("{name}: expected a file {game}.N.leaves");
            assert!(words.contains(&expected), "{words}");
        }
        let cut = wrong.path().join(format!("{game}.4.leaves"));
        assert!(refused(&cut).contains(".4.leaves: No such file"), "{}", refused(&cut));
        let whole = std::fs::read(path).expect("positions");
        std::fs::write(&cut, &whole[..whole.len() - 5]).expect("written");
        assert!(refused(&cut).contains(".4.leaves: "), "{}", refused(&cut));
    }

    #[test]
    fn another_game_and_a_folder_in_use_are_refused_in_words() {
        let dir = tempfile::tempdir().expect("a folder");
        let words = |more: &[&str]| {
            run(&typed(dir.path(), more), &mut Vec::new()).expect_err("refused").to_string()
        };
        assert!(words(&["--patterns", "nowhere.tuples"]).contains("cannot read nowhere.tuples"));
        let path = dir.path().join("wrong.tuples");
        std::fs::write(&path, "banyan tuples 1\ngame chess\n").expect("written");
        let file = path.to_str().expect("a name in Unicode");
        let error = run(&typed(dir.path(), &["--patterns", file]), &mut Vec::new());
        let error = format!("{:#}", error.expect_err("refused"));
        assert!(error.contains("wrong.tuples") && error.contains("tables of weights"), "{error}");
        let _held = own(dir.path()).expect("free");
        assert!(words(&["--games", "1"]).contains("another process"));
    }
}
