//! Plays the games of a generation: shard by shard, each a function of its number.

use super::folder::Folder;
use super::players::Players;
use super::shard::{self, Header};
use anyhow::Context as _;
use banyan_net::Network;
use banyan_selfplay::{Depths, Wanted};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Depths where heavy playouts play, and where a network does.
pub const DEPTHS: [Depths; 2] = [
    Depths { full: 48, short: 12, decided: 6, full_permille: 350 },
    Depths { full: 64, short: 16, decided: 8, full_permille: 350 },
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
pub struct Order {
    /// Points a side.
    pub size: u32,
    /// Games of the generation, count, rounded up to whole shards.
    pub games: u64,
    /// Games in a shard, count, above 0.
    pub shard: u64,
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

    /// How deep its games are searched.
    pub fn depths(&self) -> Depths {
        match self {
            Player::Heavy => DEPTHS[0],
            Player::Net(_) => DEPTHS[1],
        }
    }
}

/// Plays what is missing of a generation's games; returns how many there are then.
///
/// - `players`: who plays them.
/// - `told`: hears after each shard how many are there.
///
/// # Errors
/// A shard that cannot be written; what was finished stays.
pub fn generate(
    folder: &Folder,
    player: &Player,
    (generation, order): (u32, &Order),
    players: &dyn Players,
    told: &(impl Fn(u64) + Sync),
) -> anyhow::Result<u64> {
    std::fs::create_dir_all(folder.games(generation))?;
    let shards = order.games.div_ceil(order.shard);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || -> anyhow::Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= shards {
                return Ok(());
            }
            play_shard(folder, player, (generation, number), (order, players))?;
            told(order.shard * (done.fetch_add(1, Ordering::Relaxed) + 1));
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..players.at_once().max(1)).map(|_| scope.spawn(work)).collect();
        let ends = threads.into_iter().map(|it| it.join().expect("a thread that does not panic"));
        ends.collect::<Vec<_>>().into_iter().collect::<anyhow::Result<()>>()
    })?;
    Ok(shards * order.shard)
}

fn play_shard(
    folder: &Folder,
    player: &Player,
    (generation, number): (u32, u64),
    (order, players): (&Order, &dyn Players),
) -> anyhow::Result<()> {
    let path = folder.shard(generation, number);
    if path.exists() {
        return Ok(());
    }
    let seed = (order.seed << 48) + (u64::from(generation) << 32) + number * order.shard;
    let wanted = Wanted { seed, games: order.shard as u32, depths: player.depths() };
    let games = players.play(order.size, &wanted)?;
    let header = Header::new(&player.name(), &format!("{:?}", player.depths()), generation);
    shard::write(&path, &header, &games)
}
