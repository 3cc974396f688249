//! Progress of a loop of learning: the folder that `banyan train run` keeps, read anew each time, and a game of it
//! that is watched.

use std::path::{Path, PathBuf};

use banyan_engine::Playable;
use banyan_games::{Color, Move, Record, Rules, with_game};
use serde::Serialize;
use serde_json::{Value, json};

use crate::board::{Position, point, stones};

/// A folder of learning, and how a game of it is found.
#[derive(Clone, Debug)]
pub struct Learning {
    /// The folder that `banyan train` keeps.
    pub folder: PathBuf,
    /// The game that was finished last.
    pub latest: LatestOf,
}

/// Finds the game of a folder that was finished last; nothing where that is the one of this name, or there is none.
pub type LatestOf = fn(&Path, Option<&str>) -> Result<Option<WatchedGame>, String>;

/// A game of self-play that is watched.
#[derive(Clone, Debug)]
pub struct WatchedGame {
    /// Another game has another one.
    pub name: String,
    /// What a person should know of it.
    pub words: String,
    /// Its rules.
    pub rules: Rules,
    /// Every ply.
    pub moves: Vec<Move>,
    /// What the side to move thought of each position in which it moved, 0 to 1.
    pub values: Vec<Option<f64>>,
}

/// A game as a page replays it.
#[derive(Debug, Serialize)]
struct Replay {
    name: String,
    words: String,
    /// The board before the first ply.
    position: Position,
    plies: Vec<Ply>,
}

#[derive(Debug, Serialize)]
struct Ply {
    text: String,
    point: Option<u16>,
    /// The board after it.
    stones: String,
    /// What it was thought to be worth to Black, 0 to 1.
    black: Option<f64>,
}

impl Learning {
    /// The game that was finished last, unless it was seen; `{}` where there is no other.
    ///
    /// # Errors
    /// In words, where files are damaged or cannot be read.
    pub(crate) fn game(&self, seen: Option<&str>) -> Result<Value, String> {
        let Some(game) = (self.latest)(&self.folder, seen)? else { return Ok(json!({})) };
        let replay = with_game!(&game.rules, G, rules => replay::<G>(rules, &game)?);
        serde_json::to_value(replay).map_err(|error| error.to_string())
    }
}

fn replay<G: Playable>(rules: &G::Rules, game: &WatchedGame) -> Result<Replay, String> {
    let mut record = Record::<G>::new(rules);
    let position = Position::of(&record);
    let mut plies = Vec::new();
    for (at, &mv) in game.moves.iter().enumerate() {
        let (side, text) = (record.position().side_to_move(), record.position().move_text(mv));
        record.play(mv).map_err(|error| format!("{}, ply {}: {error}", game.name, at + 1))?;
        let black = |value: f64| if side == Color::Black { value } else { 1.0 - value };
        plies.push(Ply {
            text,
            point: point(mv),
            stones: stones(record.position()),
            black: game.values.get(at).copied().flatten().map(black),
        });
    }
    Ok(Replay { name: game.name.clone(), words: game.words.clone(), position, plies })
}

/// Games of a generation are shards with this ending.
const SHARD: &str = ".games.gz";

/// The generations of a folder, and how many files of games there are of the one that is being played.
///
/// # Errors
/// Names the file that cannot be read.
pub(crate) fn read(folder: &Path) -> Result<Value, String> {
    let file = folder.join("loop.json");
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        // A loop that has just begun has judged nothing.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && folder.is_dir() => {
            "[]".into()
        }
        Err(error) => return Err(format!("cannot read {}: {error}", file.display())),
    };
    let generations: Value = serde_json::from_str(&text)
        .map_err(|error| format!("{} is no list of generations: {error}", file.display()))?;
    let played = generations.as_array().map_or(0, Vec::len);
    let games = folder.join(format!("games/g{played:03}"));
    let shards = std::fs::read_dir(games).map_or(0, |files| {
        let names = files.flatten().map(|file| file.file_name());
        names.filter(|name| name.to_string_lossy().ends_with(SHARD)).count()
    });
    Ok(json!({ "generations": generations, "playing": played, "shards": shards }))
}

#[cfg(test)]
mod tests {
    use banyan_games::{Kind, Terms};

    use super::*;

    #[test]
    fn a_loop_is_read_as_it_stands() {
        let folder = tempfile::tempdir().expect("a folder");
        let empty = read(folder.path()).expect("it has just begun");
        assert_eq!((&empty["generations"], &empty["shards"]), (&json!([]), &json!(0)));
        std::fs::write(folder.path().join("loop.json"), r#"[{"number":0}]"#).expect("written");
        let games = folder.path().join("games/g001");
        std::fs::create_dir_all(&games).expect("made");
        ["0000.games.gz", "0001.games.gz", "half.tmp"]
            .iter()
            .for_each(|name| std::fs::write(games.join(name), "").expect("written"));
        let found = read(folder.path()).expect("a loop");
        assert_eq!((&found["playing"], &found["shards"]), (&json!(1), &json!(2)));
        std::fs::write(folder.path().join("loop.json"), "{").expect("written");
        assert!(read(folder.path()).expect_err("broken").contains("loop.json"));
        assert!(read(&folder.path().join("nowhere")).is_err());
    }

    fn watched(_: &Path, seen: Option<&str>) -> Result<Option<WatchedGame>, String> {
        let rules = Rules::new(Kind::Go, Terms { width: 7, height: 7, ..Terms::of(Kind::Go) });
        let game = WatchedGame {
            name: "g000/0000".to_owned(),
            words: "generation 0".to_owned(),
            rules: rules.expect("a board"),
            moves: vec![Move(8), Move::PASS],
            values: vec![None, Some(0.25)],
        };
        Ok(Some(game).filter(|game| seen != Some(&*game.name)))
    }

    #[test]
    fn a_game_is_replayed_board_by_board_and_once() {
        let learning = Learning { folder: PathBuf::new(), latest: watched };
        let game = learning.game(None).expect("a game");
        let plies = game["plies"].as_array().expect("two plies");
        assert_eq!((&plies[0]["text"], &plies[0]["point"]), (&json!("B6"), &json!(8)));
        assert_eq!(plies[0]["stones"].as_str().expect("a board").find('X'), Some(8));
        assert_eq!((&plies[1]["point"], &plies[1]["black"]), (&json!(null), &json!(0.75)));
        assert_eq!(learning.game(Some("g000/0000")).expect("no other"), json!({}));
    }
}
