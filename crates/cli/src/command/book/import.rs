//! `banyan book import`: games into a book.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use banyan_book::{Book, Game, Imported, Whose, import};
use banyan_games::othello::OthelloRules;
use banyan_games::{Color, Listed, Record, Rules, with_game};
use banyan_records::{ggf, sgf};

use crate::options::BookImportArgs;

/// Games in one change of the file.
const GAMES_A_CHANGE: usize = 100;

/// A game of a file, by any rules.
enum Found {
    Sgf(Box<sgf::SgfGame>),
    /// Othello's, as text.
    Ggf(String),
}

impl Found {
    fn rules(&self) -> Rules {
        match self {
            Found::Sgf(game) => game.rules.clone(),
            Found::Ggf(_) => OthelloRules.into(),
        }
    }

    fn game<G: Listed>(&self, rules: &G::Rules) -> anyhow::Result<Game<G>> {
        match self {
            Found::Sgf(game) => {
                let record = game.record::<G>(rules)?;
                let winner = game.result.as_deref().and_then(winner);
                let winner = winner.or(record.position().outcome().map(|it| it.winner()));
                Ok(Game { record, winner, names: [game.black.clone(), game.white.clone()] })
            }
            Found::Ggf(text) => {
                let othello = ggf::read(text)?;
                let mut record = Record::<G>::new(rules);
                anyhow::ensure!(ggf::is_from_start(&othello), "the game begins from another board");
                for &(_, mv) in othello.plies() {
                    record.play(mv)?;
                }
                let property = |key| ggf::property(text, key).map(str::to_owned);
                let winner = property("RE").as_deref().and_then(winner);
                let winner = winner.or(record.position().outcome().map(|it| it.winner()));
                Ok(Game { record, winner, names: [property("PB"), property("PW")] })
            }
        }
    }
}

/// Reads who won by a result such as `B+3.5`, `W+R`, `+12.000`, `Draw`; nothing at all where it does not say.
fn winner(result: &str) -> Option<Option<Color>> {
    let text = result.trim().to_ascii_lowercase();
    let number = text.split(':').next().and_then(|it| it.parse::<f64>().ok());
    match number {
        _ if text.starts_with("b+") => Some(Some(Color::Black)),
        _ if text.starts_with("w+") => Some(Some(Color::White)),
        _ if text == "draw" || text == "jigo" => Some(None),
        Some(0.0) => Some(None),
        Some(number) => Some(Some(if number > 0.0 { Color::Black } else { Color::White })),
        None => None,
    }
}

/// Takes games into a book.
///
/// # Errors
/// A book or games that cannot be read; that no game could be taken.
pub fn run(args: &BookImportArgs) -> anyhow::Result<()> {
    let mut files = Vec::new();
    for path in &args.games {
        list(path, &mut files)?;
    }
    anyhow::ensure!(!files.is_empty(), "no games: expected .sgf or .ggf files, or folders of them");
    let rules = match args.file.book.exists() {
        true => super::rules_of(&args.file.book)?,
        false => read(&files[0])?.first().context("an empty file")?.rules(),
    };
    with_game!(&rules, G, rules => {
        let mut book = Book::<G>::open(&args.file.book, rules)?;
        let whose = Whose { player: args.player.clone(), plies: args.plies };
        let mut sums = Sums::default();
        for file in &files {
            match read(file) {
                Ok(games) => for found in games {
                    sums.add(file, take::<G>(&mut book, &found, rules, &whose));
                    if sums.games % GAMES_A_CHANGE == 0 {
                        book.save()?;
                    }
                },
                Err(why) => sums.add(file, Err(why)),
            }
        }
        book.save()?;
        sums.tell(book.nodes().len())
    })
}

fn take<G: Listed>(
    book: &mut Book<G>,
    found: &Found,
    rules: &G::Rules,
    whose: &Whose,
) -> anyhow::Result<Option<Imported>> {
    let (expected, rules_found): (Rules, Rules) = (rules.clone().into(), found.rules());
    if expected != rules_found {
        let words = with_game!(&rules_found, _G, rules => rules.to_string());
        bail!("a game of {words}: expected {rules}");
    }
    Ok(import(book, &found.game::<G>(rules)?, whose)?)
}

/// Counts of what became of all games.
#[derive(Debug, Default)]
struct Sums {
    games: usize,
    left_out: usize,
    positions: usize,
    marked: usize,
    refused: usize,
}

impl Sums {
    fn add(&mut self, file: &Path, taken: anyhow::Result<Option<Imported>>) {
        match taken {
            Ok(Some(taken)) => {
                self.games += 1;
                self.positions += taken.positions;
                self.marked += usize::from(taken.is_departure_marked);
            }
            Ok(None) => self.left_out += 1,
            Err(why) => {
                self.refused += 1;
                tracing::warn!("{}: {why:#}: left out", file.display());
            }
        }
    }

    fn tell(&self, all: usize) -> anyhow::Result<()> {
        let Sums { games, left_out, positions, marked, refused } = self;
        writeln!(
            std::io::stdout(),
            "{games} games, {positions} new positions of {all}, {marked} places marked where a loser left; \
             {left_out} games of others left out, {refused} refused"
        )?;
        anyhow::ensure!(*games > 0 || *refused == 0, "no game could be taken");
        Ok(())
    }
}

/// The files at a path: itself, or those of a folder that hold games, in the order of their names.
fn list(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let cannot = || format!("cannot read {}", path.display());
    if !std::fs::metadata(path).with_context(cannot)?.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).with_context(cannot)?;
    let mut found: Vec<PathBuf> =
        entries.map(|it| Ok(it?.path())).collect::<std::io::Result<_>>()?;
    let holds_games = |path: &PathBuf| {
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        ["sgf", "ggf"].contains(&extension.to_ascii_lowercase().as_str())
    };
    found.retain(holds_games);
    found.sort();
    files.extend(found);
    Ok(())
}

fn read(file: &Path) -> anyhow::Result<Vec<Found>> {
    let name = file.display();
    let meta = std::fs::metadata(file).with_context(|| format!("cannot read {name}"))?;
    anyhow::ensure!(
        meta.is_file() && meta.len() <= sgf::FILE_BYTES_MAX as u64,
        "{name}: expected a file of at most {} bytes",
        sgf::FILE_BYTES_MAX
    );
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {name}"))?;
    if file.extension().is_some_and(|it| it.eq_ignore_ascii_case("ggf")) {
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        return Ok(lines.map(|line| Found::Ggf(line.to_owned())).collect());
    }
    let game = sgf::read(&bytes, &sgf::Options::default()).with_context(|| name.to_string())?;
    Ok(vec![Found::Sgf(Box::new(game))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_servers_and_programs_write_them() {
        assert_eq!(winner("B+3.5"), Some(Some(Color::Black)));
        assert_eq!(winner("W+R"), Some(Some(Color::White)));
        assert_eq!(winner("+12.000"), Some(Some(Color::Black)));
        assert_eq!(winner("-2.0:t"), Some(Some(Color::White)));
        assert_eq!((winner("0"), winner("Draw"), winner("?")), (Some(None), Some(None), None));
    }
}
