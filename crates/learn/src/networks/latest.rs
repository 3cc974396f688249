//! The game of self-play that was finished last, to be watched.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use banyan_games::{Kind, Move, Rules, Terms};
use banyan_selfplay::game::decode;

use super::folder::Folder;
use super::shard;

/// A game of self-play.
#[derive(Clone, Debug, PartialEq)]
pub struct LatestGame {
    /// Its shard: another one has another game.
    pub shard: String,
    /// Generation of the loop that it was played in.
    pub generation: u32,
    /// Player that chose the moves: the digest of a network, the name of the game's evaluation, or `heavy`.
    pub player: String,
    /// Its rules.
    pub rules: Rules,
    /// Every ply.
    pub moves: Vec<Move>,
    /// Value of each ply's search for its side to move, 0 to 1; nothing where none was made.
    pub values: Vec<Option<f64>>,
    /// Winner: `B`, `W`, or `0` for a draw.
    pub winner: String,
}

/// The last game of the newest shard of a loop's folder; nothing where no game was finished.
///
/// - `seen`: the shard that is known already, of which nothing is read again.
///
/// # Errors
/// A folder or a shard that cannot be read.
pub fn latest_game(home: &Path, seen: Option<&str>) -> anyhow::Result<Option<LatestGame>> {
    let games = home.join("games");
    if !games.is_dir() {
        return Ok(None);
    }
    let Some(generation) = newest(&games)? else { return Ok(None) };
    // Numbers of shards say nothing of when they were finished.
    let finished = |path: &PathBuf| path.metadata().and_then(|it| it.modified()).ok();
    let Some(path) = shard::list(&generation)?.into_iter().max_by_key(finished) else {
        return Ok(None);
    };
    let name = path.strip_prefix(&games).unwrap_or(&path).display().to_string();
    if seen == Some(&*name) {
        return Ok(None);
    }
    let (header, mut games) = shard::read(&path)?;
    let Some(game) = games.pop() else { return Ok(None) };
    let kind: Kind = header.game.parse().map_err(|_| anyhow::anyhow!("no game {}", header.game))?;
    let terms = Terms { width: game.size, height: game.size, komi: game.komi, ..Terms::of(kind) };
    let rules = Rules::new(kind, terms).with_context(|| format!("{name}: no such board"))?;
    let value = |&value: &i16| (value >= 0).then(|| f64::from(value) / 1000.0);
    Ok(Some(LatestGame {
        shard: name,
        generation: header.generation,
        player: header.player,
        rules,
        moves: game.moves.iter().map(|&code| decode(code, game.size)).collect(),
        values: game.values.iter().map(value).collect(),
        winner: game.winner,
    }))
}

/// The folder of the highest generation that has games.
fn newest(games: &Path) -> anyhow::Result<Option<PathBuf>> {
    let entries = std::fs::read_dir(games);
    let entries = entries.with_context(|| format!("cannot read folder {}", games.display()))?;
    let numbered = entries.flatten().filter_map(|entry| {
        let number = Folder::generation_of(&entry.path())?;
        let has_games = std::fs::read_dir(entry.path()).ok()?.next().is_some();
        has_games.then(|| (number, entry.path()))
    });
    Ok(numbered.max().map(|(_, path)| path))
}

#[cfg(test)]
mod tests {
    use banyan_selfplay::PlayedGame;

    use super::*;
    use crate::networks::shard::{Header, write};

    #[test]
    fn the_last_game_of_the_newest_shard_is_told_and_not_told_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path();
        assert_eq!(latest_game(home, None).expect("no games"), None);
        let game = |moves: &[u16]| PlayedGame {
            size: 7,
            komi: 19,
            seed: 1,
            opening: 1,
            moves: moves.to_vec(),
            values: moves.iter().map(|&mv| if mv == 0 { -1 } else { 250 }).collect(),
            thoughts: Vec::new(),
            winner: "W".to_owned(),
            margin: 0,
            ownership: String::new(),
        };
        let shards =
            [("g999/0009", vec![game(&[9])]), ("g1000/0000", vec![game(&[3]), game(&[0, 49])])];
        for (generation, (name, games)) in (999..).zip(shards) {
            let path = home.join(format!("games/{name}.games.gz"));
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            write(&path, &Header::new(Kind::Go, "heavy", "", generation), &games).expect("written");
        }
        let found = latest_game(home, None).expect("a shard").expect("a game");
        assert_eq!((found.generation, &*found.shard), (1000, "g1000/0000.games.gz"));
        let Rules::Go(rules) = &found.rules else { panic!("a game of Go: {:?}", found.rules) };
        assert_eq!(rules.to_string(), "go 7x7, komi 9.5");
        assert_eq!(
            (found.moves, found.values),
            (vec![Move(0), Move::PASS], vec![None, Some(0.25)])
        );
        assert_eq!(latest_game(home, Some(&found.shard)).expect("a shard"), None);
        std::fs::write(home.join("games/g1000/0001.games.gz"), "no shard").expect("written");
        assert!(
            latest_game(home, None).expect_err("damaged").to_string().contains("0001.games.gz")
        );
    }
}
