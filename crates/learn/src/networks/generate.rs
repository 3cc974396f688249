//! Plays the games of a generation: shard by shard, on several threads, each a function of its number.

use super::folder::Folder;
use super::game::PlayedGame;
use super::judge::{ByNet, ByPlayouts};
use super::playing::Depths;
use super::self_play;
use super::shard::{self, Header};
use anyhow::Context as _;
use banyan_net::Network;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Depths where heavy playouts play, and where a network does.
pub const DEPTHS: [Depths; 2] = [
    Depths { full: 48, short: 12, decided: 6, full_share: 0.35 },
    Depths { full: 64, short: 16, decided: 8, full_share: 0.35 },
];

/// Who plays.
pub enum Player {
    /// Heavy playouts.
    Heavy,
    /// A network.
    Net(Box<Network>),
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Points a side.
    pub size: u32,
    /// Games of the generation, count, rounded up to whole shards.
    pub games: u64,
    /// Games in a shard, count, above 0.
    pub shard: u64,
    /// Threads.
    pub threads: usize,
    /// Seed of the loop.
    pub seed: u64,
}

impl Player {
    /// The network of a file, or heavy playouts where there is none.
    ///
    /// # Errors
    /// A file that is no network.
    pub fn of(path: &Path) -> anyhow::Result<Player> {
        if !path.exists() {
            return Ok(Player::Heavy);
        }
        let network = Network::load(path).with_context(|| format!("{}", path.display()))?;
        network.check_for(&banyan_knowledge::go::planes::ENCODING)?;
        Ok(Player::Net(Box::new(network)))
    }

    /// `heavy`, or the network's digest.
    pub fn name(&self) -> String {
        match self {
            Player::Heavy => "heavy".to_owned(),
            Player::Net(network) => network.digest().to_string(),
        }
    }

    fn depths(&self) -> Depths {
        match self {
            Player::Heavy => DEPTHS[0],
            Player::Net(_) => DEPTHS[1],
        }
    }

    /// Plays the games of these seeds; they come in the order of their ends.
    fn play(&self, size: u32, seeds: std::ops::Range<u64>) -> anyhow::Result<Vec<PlayedGame>> {
        let mut games = Vec::new();
        let (first, terms) = (seeds.start, (size, self.depths()));
        let mut take = |game| {
            games.push(game);
            Ok(())
        };
        match self {
            Player::Heavy => {
                self_play::play(&mut ByPlayouts::new(first), terms, seeds, &mut take)?;
            }
            Player::Net(network) => {
                self_play::play(&mut ByNet::new(network), terms, seeds, &mut take)?;
            }
        }
        Ok(games)
    }
}

/// Plays what is missing of a generation's games; returns how many there are then.
///
/// - `told`: hears after each shard how many are there.
///
/// # Errors
/// A shard that cannot be written; what was finished stays.
pub fn generate(
    folder: &Folder,
    player: &Player,
    (generation, wanted): (u32, &Wanted),
    told: &(impl Fn(u64) + Sync),
) -> anyhow::Result<u64> {
    std::fs::create_dir_all(folder.games(generation))?;
    let shards = wanted.games.div_ceil(wanted.shard);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || -> anyhow::Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= shards {
                return Ok(());
            }
            play_shard(folder, player, (generation, number), wanted)?;
            told(wanted.shard * (done.fetch_add(1, Ordering::Relaxed) + 1));
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..wanted.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let ends = threads.into_iter().map(|it| it.join().expect("a thread that does not panic"));
        ends.collect::<Vec<_>>().into_iter().collect::<anyhow::Result<()>>()
    })?;
    Ok(shards * wanted.shard)
}

fn play_shard(
    folder: &Folder,
    player: &Player,
    (generation, number): (u32, u64),
    wanted: &Wanted,
) -> anyhow::Result<()> {
    let path = folder.shard(generation, number);
    if path.exists() {
        return Ok(());
    }
    let first = (wanted.seed << 48) + (u64::from(generation) << 32) + number * wanted.shard;
    let games = player.play(wanted.size, first..first + wanted.shard)?;
    let header = Header::new(&player.name(), &format!("{:?}", player.depths()), generation);
    shard::write(&path, &header, &games)
}
