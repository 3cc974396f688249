//! The network of self-play that goes on while another process fits: taken up from that one's file when it changes.

use super::folder::Folder;
use super::player::{By, Player};
use super::torch::Inference;
use crate::files::put;
use anyhow::{Context as _, bail, ensure};
use banyan_net::{Network, Trained};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// A player whose network may be replaced between two shards.
pub struct Following<'a> {
    player: &'a Player,
    source: Option<Source<'a>>,
    now: Mutex<Now>,
}

/// Where newer networks come from.
struct Source<'a> {
    inference: &'a Inference,
    /// The file that is followed.
    file: PathBuf,
    /// Weights as the process that evaluates reads them.
    asked: PathBuf,
}

struct Now {
    /// When the file was changed that the network is of; nothing as long as it is the player's own.
    changed: Option<SystemTime>,
    name: String,
    /// Why the file as it is now is not followed.
    refused: Option<String>,
}

impl<'a> Following<'a> {
    /// - `file`: file whose network is taken up when it changes; nothing where the player keeps its own.
    ///
    /// # Errors
    /// A file to be followed by a player whose network PyTorch does not evaluate.
    pub fn new(
        player: &'a Player,
        folder: &Folder,
        file: Option<&Path>,
    ) -> anyhow::Result<Following<'a>> {
        let source = |file: &Path| match &player.by {
            By::Torch(Some(inference)) => {
                Ok(Source { inference, file: file.to_owned(), asked: folder.asked() })
            }
            By::Torch(None) => {
                bail!("--follow: there is no {} to begin with", folder.best().display())
            }
            By::Processors => bail!("--follow goes with --torch"),
        };
        let now = Mutex::new(Now { changed: None, name: player.name(), refused: None });
        Ok(Following { player, source: file.map(source).transpose()?, now })
    }

    /// The player.
    pub fn player(&self) -> &Player {
        self.player
    }

    /// Name of the network that plays from now on: the newest, which games under way take up as well. A file that
    /// will not do is told of, and looked at again next time.
    pub fn name(&self) -> String {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = &self.source {
            let taken = self.follow(source, &mut now);
            now.refused = taken.err().map(|why| format!("{}: {why:#}", source.file.display()));
        }
        now.name.clone()
    }

    /// What plays, for a line a minute; nothing where nobody is followed.
    pub fn told(&self) -> Option<String> {
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = now.refused.as_ref().map(|why| format!("; not followed: {why}"));
        let name: String = now.name.chars().take(8).collect();
        self.source.as_ref()?;
        Some(format!("network {name}{}", refused.unwrap_or_default()))
    }

    fn follow(&self, source: &Source<'_>, now: &mut Now) -> anyhow::Result<()> {
        let changed = match std::fs::metadata(&source.file).and_then(|it| it.modified()) {
            Ok(changed) => changed,
            // It was not written yet.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        if now.changed != Some(changed) {
            now.name = self.take_up(source)?;
            now.changed = Some(changed);
        }
        Ok(())
    }

    fn take_up(&self, source: &Source<'_>) -> anyhow::Result<String> {
        let network = Network::load(&source.file)?;
        let ours = self.player.network.as_ref().context("nothing plays yet")?;
        let [found, wanted] = [network.about(), ours.about()];
        ensure!(
            (&found.game, found.encoding) == (&wanted.game, wanted.encoding),
            "for {} by encoding {}, that which plays is for {} by {}",
            found.game,
            found.encoding,
            wanted.game,
            wanted.encoding
        );
        let (found, wanted) = (network.shape(), ours.shape());
        ensure!(found == wanted, "{found:?}, that which plays is {wanted:?}");
        put(&source.asked, &Trained::of(&network).write()?)?;
        source.inference.renew()?;
        Ok(network.digest().to_string())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::players::tests::{hello, stand_in};
    use super::*;
    use banyan_games::Kind;
    use banyan_knowledge::go::planes::ENCODING;
    use std::time::{Duration, Instant};

    fn network(blocks: usize, seed: u64) -> Network {
        Network::random_for(&ENCODING, (blocks, 16), seed).unwrap()
    }

    fn player(network: Network, by: By) -> Player {
        let depths = super::super::player::DEPTHS[1];
        Player { game: Kind::Go, network: Some(Box::new(network)), depths, by }
    }

    /// Writes a network later than any before.
    fn write(network: &Network, file: &Path, seconds: u64) {
        std::fs::write(file, network.write().unwrap()).unwrap();
        let later = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        std::fs::File::options().write(true).open(file).unwrap().set_modified(later).unwrap();
    }

    /// Waits until the process has counted so many renewals.
    fn wait_for(count: &Path, renewals: usize) {
        let begun = Instant::now();
        let seen = || std::fs::read(count).map_or(0, |it| it.len());
        while seen() != renewals {
            assert!(begun.elapsed() < Duration::from_secs(60), "{} of {renewals}", seen());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_network_is_taken_up_once_each_time_that_its_file_changes() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("loop"), Kind::Go).unwrap();
        let (file, count) = (home.path().join("newer"), home.path().join("count"));
        let counting = format!(
            "while (read(STDIN, $head, 16) == 16) {{ open(F, '>>', '{}'); print F 'x'; close(F); }}",
            count.display()
        );
        let torch = stand_in(home.path(), &(hello(ENCODING.planes) + &counting));
        let own = network(1, 1);
        let inference = Inference::start(&torch, Path::new("w"), own.shape()).unwrap();
        let player = player(own, By::Torch(Some(inference)));
        let following = Following::new(&player, &folder, Some(&file)).unwrap();
        assert_eq!(following.name(), player.name());
        for (seed, renewals) in [(2, 1), (3, 2)] {
            let newer = network(1, seed);
            write(&newer, &file, seed);
            for _ in 0..2 {
                assert_eq!(following.name(), newer.digest().to_string());
            }
            let weights = Trained::of(&newer).write().unwrap();
            assert_eq!(std::fs::read(folder.asked()).unwrap(), weights);
            wait_for(&count, renewals);
        }
        // One that will not do is told of, and the last one plays on.
        write(&network(2, 4), &file, 4);
        assert_eq!(following.name(), network(1, 3).digest().to_string());
        let words = following.told().unwrap();
        assert!(
            words.contains(&file.display().to_string()) && words.contains("blocks: 2"),
            "{words}"
        );
        write(&network(1, 5), &file, 5);
        let name = following.name();
        assert_eq!(following.told().unwrap(), format!("network {}", &name[..8]));
        wait_for(&count, 3);
    }

    #[test]
    fn who_is_not_evaluated_by_pytorch_follows_nobody() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(home.path(), Kind::Go).unwrap();
        let refused = |by| {
            let player = player(network(1, 1), by);
            Following::new(&player, &folder, Some(Path::new("newer"))).err().unwrap().to_string()
        };
        assert_eq!(refused(By::Processors), "--follow goes with --torch");
        assert!(refused(By::Torch(None)).contains("best.safetensors to begin with"));
        let own = player(network(1, 1), By::Processors);
        let following = Following::new(&own, &folder, None).unwrap();
        assert_eq!((following.name(), following.told()), (own.name(), None));
    }
}
