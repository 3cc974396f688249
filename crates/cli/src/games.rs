//! Games of files: SGF, one a file, and GGF, one a line or, as GGS writes those that were played side by side, two.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use banyan_book::Game;
use banyan_games::othello::OthelloRules;
use banyan_games::{Color, Listed, Record, Rules};
use banyan_records::{ggf, sgf};

/// A game of a file, by any rules.
#[derive(Debug)]
pub enum Found {
    /// SGF's.
    Sgf(Box<sgf::SgfGame>),
    /// Othello's, as text.
    Ggf(String),
}

impl Found {
    /// The rules that it names.
    pub fn rules(&self) -> Rules {
        match self {
            Found::Sgf(game) => game.rules.clone(),
            Found::Ggf(_) => OthelloRules.into(),
        }
    }

    /// The game, from its start, and what is said of it.
    ///
    /// # Errors
    /// A move that the rules forbid, or a start that is none of theirs.
    pub fn game<G: Listed>(&self, rules: &G::Rules) -> anyhow::Result<Game<G>> {
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

/// Adds the files at a path: itself, or those of a folder that hold games, in the order of their names.
///
/// # Errors
/// A path that cannot be read.
pub fn list(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
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

/// The games of a file.
///
/// - `meant`: rules of the games that are wanted: many programs write GM\[1\] for all games, or no GM. A file that
///   cannot be of these is read as what it says; nothing for whatever the file says.
///
/// # Errors
/// A file that cannot be read, is too large, or holds no game.
pub fn read(file: &Path, meant: Option<&Rules>) -> anyhow::Result<Vec<Found>> {
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
        return Ok(lines.flat_map(ggf_games).map(|game| Found::Ggf(game.to_owned())).collect());
    }
    let as_said = || sgf::read(&bytes, &sgf::Options::default());
    let game = match meant {
        Some(rules) => sgf::read(&bytes, &options(rules)).or_else(|why| as_said().map_err(|_| why)),
        None => as_said(),
    };
    Ok(vec![Found::Sgf(Box::new(game.with_context(|| name.to_string())?))])
}

/// The games of a line; the line itself where there is none, which is refused later.
fn ggf_games(line: &str) -> Vec<&str> {
    let games: Vec<&str> = ggf::games(line).collect();
    if games.is_empty() { vec![line] } else { games }
}

fn options(meant: &Rules) -> sgf::Options {
    let variant = match meant {
        Rules::Gomoku(rules) => Some(rules.variant()),
        _ => None,
    };
    sgf::Options { kind: Some(meant.kind()), variant, ..sgf::Options::default() }
}

#[cfg(test)]
mod tests {
    use banyan_games::gomoku::{GomokuRules, Variant};
    use banyan_games::{Kind, Terms};

    use super::*;

    #[test]
    fn files_that_name_their_game_wrongly_are_read_as_the_game_meant() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.sgf");
        let usual = |kind| Rules::new(kind, Terms::of(kind)).expect("usual rules");
        let renju = GomokuRules::new(15, 15, Variant::Renju).expect("rules").into();
        for (text, meant) in [
            ("(;GM[1]SZ[19];B[j10];W[j9l11])", usual(Kind::Connect6)),
            ("(;GM[1]SZ[8];B[f5];W[d6])", usual(Kind::Othello)),
            ("(;SZ[15];B[hh];W[hg])", renju),
            // Plainly another game.
            ("(;GM[1]SZ[9]KM[7.5];B[ee])", usual(Kind::Go)),
        ] {
            std::fs::write(&file, text).expect("a file");
            let wanted = if text.contains("SZ[9]") { usual(Kind::Othello) } else { meant.clone() };
            let games = read(&file, Some(&wanted)).expect("a game");
            assert_eq!(games[0].rules(), meant, "{text}");
        }
    }

    #[test]
    fn games_that_were_played_side_by_side_stand_in_one_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.ggf");
        let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
        let game = |name: &str| format!("(;GM[Othello]PB[{name}]RE[+2]{start}B[F5]C[;) (;]W[D6];)");
        let text = format!("2 {}{}\n{}\nno game\n", game("a"), game("b"), game("c"));
        std::fs::write(&file, text).expect("a file");
        let games = read(&file, None).expect("games");
        let names = games.iter().map(|it| {
            let game = it.game::<banyan_games::othello::Othello>(&OthelloRules);
            game.map_or_else(|_| String::new(), |game| game.names[0].clone().unwrap_or_default())
        });
        assert_eq!(names.collect::<Vec<String>>(), ["a", "b", "c", ""]);
    }

    #[test]
    fn results_are_read_as_servers_and_programs_write_them() {
        assert_eq!(winner("B+3.5"), Some(Some(Color::Black)));
        assert_eq!(winner("W+R"), Some(Some(Color::White)));
        assert_eq!(winner("+12.000"), Some(Some(Color::Black)));
        assert_eq!(winner("-2.0:t"), Some(Some(Color::White)));
        assert_eq!((winner("0"), winner("Draw"), winner("?")), (Some(None), Some(None), None));
    }
}
