//! The folder of a loop of learning: what lies where, and who may write there.
//!
//! | path | is |
//! |---|---|
//! | `games/g000/0000.games.gz` | shards of games of a generation, see [`super::shard`] |
//! | `rows/e1/g000/0000.rows` | the same as numbers for encoding 1 (of Go `e2`), made anew where they are missing; those of earlier encodings may be removed |
//! | `state.pt` | weights and optimiser that the next fit goes on from |
//! | `state.pt.fit` | a fit under way, or one whose network is not kept yet |
//! | `begin.float` | weights that the first fit begins with, where it was given a network |
//! | `teacher.float`, `asked.float` | weights of the network that a fit also learns from, and of the one that plays by PyTorch |
//! | `networks/g000.safetensors` | network fitted to the games of generations up to this one |
//! | `best.safetensors` | the last one that passed the gate: it plays the next games |
//! | `loop.json` | what became of each generation |
//! | `lock` | held by the one process that writes here, and by the fit that it began |

use super::shard;
use crate::files::{own, put};
use anyhow::{Context as _, ensure};
use banyan_games::Kind;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A folder that this process alone writes to.
#[derive(Debug)]
pub struct Folder {
    home: PathBuf,
    game: Kind,
    /// Locked as long as it is open here or in a process that [`Folder::share`] gave it to, however these end.
    lock: File,
}

/// Outcome of a generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Number, counted from 0.
    pub number: u32,
    /// Player of its last games: the digest of a network, the name of the game's evaluation, or `heavy`.
    pub player: String,
    /// Games, count.
    pub games: u64,
    /// Digest of the network fitted.
    pub network: String,
    /// Mean cross entropy of the policy in its games that were held out, in nats; where none was, in its newest.
    pub policy_loss: f64,
    /// The same of win, draw and loss.
    pub outcome_loss: f64,
    /// Gate: games won, drawn, lost against the best before; nothing where there was none, or the process ended before
    /// it was noted.
    pub gate: Option<[u32; 3]>,
    /// The generation became the best.
    pub is_published: bool,
}

impl Folder {
    /// Opens a folder of a game, made where there is none.
    ///
    /// # Errors
    /// A folder that cannot be made, that another loop holds, or that holds games of another game.
    pub fn open(home: &Path, game: Kind) -> anyhow::Result<Folder> {
        let folder = Folder { home: home.to_owned(), game, lock: own(home)? };
        let games = folder.all_games();
        let shards = if games.is_dir() { shard::list(&games)? } else { Vec::new() };
        if let Some(path) = shards.first() {
            let found = shard::header(path)?.game;
            ensure!(
                found == game.to_string(),
                "{} holds games of {found}, not of {game}",
                home.display()
            );
        }
        Ok(folder)
    }

    /// The lock as the input of a process that writes here too and reads none: nobody else does until both have
    /// ended.
    ///
    /// # Errors
    /// Too many open files.
    pub fn share(&self) -> anyhow::Result<Stdio> {
        Ok(self.lock.try_clone().context("cannot share the folder's lock")?.into())
    }

    /// Its game.
    pub fn game(&self) -> Kind {
        self.game
    }

    /// A file of a generation's games.
    pub fn shard(&self, generation: u32, number: u64) -> PathBuf {
        self.games(generation).join(format!("{number:04}.games.gz"))
    }

    /// Folder of a generation's games.
    pub fn games(&self, generation: u32) -> PathBuf {
        self.all_games().join(format!("g{generation:03}"))
    }

    /// The generation whose games or rows a folder holds, by its name.
    pub fn generation_of(folder: &Path) -> Option<u32> {
        folder.file_name()?.to_str()?.strip_prefix('g')?.parse().ok()
    }

    /// The number of a file of games or rows, by its name.
    pub fn number_of(shard: &Path) -> Option<u64> {
        shard.file_name()?.to_str()?.split('.').next()?.parse().ok()
    }

    /// Folder of all games.
    pub fn all_games(&self) -> PathBuf {
        self.home.join("games")
    }

    /// Folder of the rows of an encoding.
    pub fn rows(&self, encoding: u32) -> PathBuf {
        self.home.join(format!("rows/e{encoding}"))
    }

    /// State that the next fit goes on from.
    pub fn state(&self) -> PathBuf {
        self.home.join("state.pt")
    }

    /// State of a fit under way, until its network is kept.
    pub fn fit(&self) -> PathBuf {
        self.home.join("state.pt.fit")
    }

    /// Weights in floating point that the first fit begins with.
    pub fn begin(&self) -> PathBuf {
        self.home.join("begin.float")
    }

    /// Weights in floating point of the network that a fit also learns from.
    pub fn teacher(&self) -> PathBuf {
        self.home.join("teacher.float")
    }

    /// Weights in floating point of the network that plays, where PyTorch evaluates it.
    pub fn asked(&self) -> PathBuf {
        self.home.join("asked.float")
    }

    /// Weights in floating point of a generation, between fit and quantisation.
    pub fn float(&self, generation: u32) -> PathBuf {
        self.home.join(format!("networks/g{generation:03}.float"))
    }

    /// The network of a generation.
    pub fn network(&self, generation: u32) -> PathBuf {
        self.home.join(format!("networks/g{generation:03}.safetensors"))
    }

    /// Files of all networks that were fitted here, and of the one that plays.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn networks(&self) -> anyhow::Result<Vec<PathBuf>> {
        let fitted = self.home.join("networks");
        let mut files = Vec::new();
        if fitted.is_dir() {
            let entries = std::fs::read_dir(&fitted)
                .with_context(|| format!("cannot read folder {}", fitted.display()))?;
            files.extend(entries.flatten().map(|entry| entry.path()));
            files.retain(|path| path.extension().is_some_and(|it| it == "safetensors"));
        }
        files.extend(Some(self.best()).filter(|path| path.exists()));
        Ok(files)
    }

    /// The network that plays.
    pub fn best(&self) -> PathBuf {
        self.home.join("best.safetensors")
    }

    /// Adds or replaces what became of a generation.
    ///
    /// # Errors
    /// As [`history`], and a file that cannot be written.
    pub fn note(&self, generation: Generation) -> anyhow::Result<()> {
        let mut all = history(&self.home)?;
        all.retain(|other| other.number != generation.number);
        all.push(generation);
        all.sort_by_key(|generation| generation.number);
        put(&self.home.join("loop.json"), serde_json::to_string_pretty(&all)?.as_bytes())
    }

    /// Outcome of each generation so far.
    ///
    /// # Errors
    /// As [`history`].
    pub fn history(&self) -> anyhow::Result<Vec<Generation>> {
        history(&self.home)
    }
}

/// Outcome of each generation of a folder, which another process may be writing to.
///
/// # Errors
/// A file that is no history.
pub fn history(home: &Path) -> anyhow::Result<Vec<Generation>> {
    let path = home.join("loop.json");
    match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text)
            .with_context(|| format!("{} is no history of a loop", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Games of a generation that is not judged yet.
#[derive(Clone, Debug, PartialEq)]
pub struct UnderWay {
    /// Number, counted from 0.
    pub number: u32,
    /// Player of its last games, as [`Generation`] has it.
    pub player: String,
    /// Games, count.
    pub games: u64,
}

/// Generations of a folder that have games and are not in its history, which another process may be writing to.
///
/// # Errors
/// A folder or a shard that cannot be read.
pub fn under_way(home: &Path, history: &[Generation]) -> anyhow::Result<Vec<UnderWay>> {
    let all = home.join("games");
    let mut found = Vec::new();
    for path in if all.is_dir() { shard::list(&all)? } else { Vec::new() } {
        let Some(number) = path.parent().and_then(Folder::generation_of) else { continue };
        if history.iter().any(|judged| judged.number == number) {
            continue;
        }
        let (player, games) = (shard::header(&path)?.player, shard::count(&path)?);
        match found.iter_mut().find(|it: &&mut UnderWay| it.number == number) {
            Some(it) => (it.player, it.games) = (player, it.games + games),
            None => found.push(UnderWay { number, player, games }),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use banyan_selfplay::PlayedGame;

    use super::*;

    #[test]
    fn games_of_generations_that_are_not_judged_yet_are_counted() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(home.path(), Kind::Gomoku).unwrap();
        assert_eq!(under_way(home.path(), &[]).unwrap(), []);
        let game = PlayedGame {
            size: 15,
            komi: 0,
            seed: 1,
            opening: 0,
            moves: Vec::new(),
            values: Vec::new(),
            thoughts: Vec::new(),
            winner: "0".to_owned(),
            margin: 0,
            ownership: String::new(),
        };
        for (generation, number, player, games) in
            [(0, 0, "mix", 3), (1, 0, "mix", 2), (1, 1, "net", 4), (2, 0, "net", 1)]
        {
            std::fs::create_dir_all(folder.games(generation)).unwrap();
            let header = shard::Header::new(Kind::Gomoku, player, "", generation);
            let games = vec![game.clone(); games];
            shard::write(&folder.shard(generation, number), &header, &games).unwrap();
        }
        let played =
            |number, player: &str, games| UnderWay { number, player: player.to_owned(), games };
        let [first, second, third] =
            [played(0, "mix", 3), played(1, "net", 6), played(2, "net", 1)];
        let found = under_way(home.path(), &[]).unwrap();
        assert_eq!(found, [first, second.clone(), third.clone()]);
        let judged = Generation::default();
        assert_eq!(under_way(home.path(), &[judged]).unwrap(), [second, third]);
    }

    #[test]
    fn what_became_of_a_generation_is_kept_and_may_be_replaced() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(home.path(), Kind::Go).unwrap();
        assert_eq!(folder.history().unwrap(), []);
        for (number, games) in [(1, 5), (0, 3), (1, 7)] {
            folder.note(Generation { number, games, ..Generation::default() }).unwrap();
        }
        let games: Vec<u64> = folder.history().unwrap().iter().map(|it| it.games).collect();
        assert_eq!(games, [3, 7]);
        std::fs::write(home.path().join("loop.json"), "x").unwrap();
        assert!(folder.history().unwrap_err().to_string().contains("is no history"));
    }
}
