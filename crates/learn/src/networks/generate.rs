//! Plays the games of a generation: shard by shard, each a function of its number.

use super::folder::Folder;
use super::following::Following;
use super::players::Players;
use super::shard::{self, Header};
use super::sizes::Sizes;
use banyan_selfplay::Wanted;
use std::sync::atomic::{AtomicU64, Ordering};

/// Games that are asked for.
#[derive(Clone, Debug)]
pub struct Order {
    /// Boards, by the shard's number.
    pub sizes: Sizes,
    /// Games of the generation, count, rounded up to whole shards; of the smallest board, and a shard of a
    /// larger one has fewer.
    pub games: u64,
    /// Games in a shard, count, above 0.
    pub shard: u64,
    /// Seed of the loop.
    pub seed: u64,
}

/// Says whether no more games are wanted.
pub type Until<'a> = &'a (dyn Fn() -> bool + Sync);

/// Plays what is missing of a generation's games; returns how many of its shards' games there are then.
///
/// - `following`: who chooses the moves.
/// - `players`: who plays them.
/// - `until`: no shard is begun any more when it says so.
/// - `told`: hears after each shard how many are there.
///
/// # Errors
/// A shard that cannot be written; what was finished stays.
pub fn generate(
    folder: &Folder,
    following: &Following<'_>,
    (generation, order): (u32, &Order),
    (players, until): (&dyn Players, Until<'_>),
    told: &(impl Fn(u64) + Sync),
) -> anyhow::Result<u64> {
    std::fs::create_dir_all(folder.games(generation))?;
    let shards = order.shards();
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || -> anyhow::Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= shards || until() {
                return Ok(());
            }
            play_shard(folder, following, (generation, number), (order, players))?;
            let games = order.sizes.games(number, order.shard);
            told(done.fetch_add(games, Ordering::Relaxed) + games);
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..players.at_once().max(1)).map(|_| scope.spawn(work)).collect();
        let ends = threads.into_iter().map(|it| it.join().expect("a thread that does not panic"));
        ends.collect::<Vec<_>>().into_iter().collect::<anyhow::Result<()>>()
    })?;
    Ok(done.into_inner())
}

impl Order {
    fn shards(&self) -> u64 {
        self.games.div_ceil(self.shard)
    }

    /// Games of all shards.
    pub fn count(&self) -> u64 {
        (0..self.shards()).map(|number| self.sizes.games(number, self.shard)).sum()
    }
}

fn play_shard(
    folder: &Folder,
    following: &Following<'_>,
    (generation, number): (u32, u64),
    (order, players): (&Order, &dyn Players),
) -> anyhow::Result<()> {
    let path = folder.shard(generation, number);
    if path.exists() {
        return Ok(());
    }
    let (player, name) = (following.player(), following.name());
    let seed = (order.seed << 48) + (u64::from(generation) << 32) + number * order.shard;
    let count = order.sizes.games(number, order.shard) as u32;
    let wanted = Wanted { seed, games: count, depths: player.depths };
    let games = players.play(order.sizes.of(number), &wanted)?;
    let header = Header::new(player.game, &name, &format!("{:?}", player.depths), generation);
    shard::write(&path, &header, &games)
}
