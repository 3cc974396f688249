//! Plays the games of a generation: shard by shard, each a function of its number.

use super::folder::Folder;
use super::following::Following;
use super::player::{Player, is_network};
use super::players::Players;
use super::shard::{self, Header};
use super::sizes::Sizes;
use anyhow::ensure;
use banyan_selfplay::{PlayedGame, Wanted};
use std::collections::HashMap;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

/// How often those who play are asked anew how many shards they play at once.
const LOOK: Duration = Duration::from_millis(250);

/// Bits of a game's seed below those of the generation: those of its number.
const NUMBER_BITS: u32 = 32;

/// Bits of a game's seed below those of the loop's: 16 of the generation come between.
const SEED_BITS: u32 = NUMBER_BITS + 16;

/// Largest seed of a loop.
pub const SEED_MAX: u64 = u64::MAX >> SEED_BITS;

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
    /// Seed of the loop, at most [`SEED_MAX`].
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
/// Shards there of another size than is asked for; a shard that cannot be written, what was finished stays.
pub fn generate(
    folder: &Folder,
    following: &Following<'_>,
    (generation, order): (u32, &Order),
    (players, until): (&dyn Players, Until<'_>),
    told: &(impl Fn(u64) + Sync),
) -> anyhow::Result<u64> {
    std::fs::create_dir_all(folder.games(generation))?;
    check_shards(folder, generation, order)?;
    let others = of_other_orders(folder, following.player(), (generation, order))?;
    if others > 0 {
        tracing::warn!(
            "of the shards that are there already {others} are of another --size, --seed or --depths, and count all the same; \
             another --dir has games of these alone"
        );
    }
    let mut numbers = 0..order.shards();
    let (ended, ends) = mpsc::channel();
    std::thread::scope(|scope| {
        let (mut busy, mut done) = (HashMap::new(), 0);
        loop {
            while busy.len() < players.at_once().max(1)
                && !until()
                && let Some(number) = numbers.next()
            {
                let ended = Ended(ended.clone(), number);
                let play = move || {
                    let _ended = ended;
                    play_shard(folder, following, (generation, number), (order, players))
                };
                busy.insert(number, scope.spawn(play));
            }
            if busy.is_empty() {
                return Ok(done);
            }
            // Workers may have come meanwhile.
            let Ok(number) = ends.recv_timeout(LOOK) else { continue };
            let thread = busy.remove(&number).expect("a shard ends once");
            thread.join().expect("a thread that does not panic")?;
            done += order.sizes.games(number, order.shard);
            told(done);
        }
    })
}

/// Says that a shard has ended, however it did.
struct Ended(Sender<u64>, u64);

impl Drop for Ended {
    fn drop(&mut self) {
        // Nobody hears it where another shard has failed.
        let _ = self.0.send(self.1);
    }
}

impl Order {
    fn shards(&self) -> u64 {
        self.games.div_ceil(self.shard)
    }

    /// Seed of a generation's first game; those of the others follow it.
    fn first(&self, generation: u32) -> u64 {
        (self.seed << SEED_BITS) + (u64::from(generation) << NUMBER_BITS)
    }

    /// Games of all shards.
    pub fn count(&self) -> u64 {
        (0..self.shards()).map(|number| self.sizes.games(number, self.shard)).sum()
    }
}

/// Refuses to go on with shards of another size: games of one would be played again in another.
fn check_shards(folder: &Folder, generation: u32, order: &Order) -> anyhow::Result<()> {
    for path in shard::list(&folder.games(generation))? {
        let of_order = |game: &PlayedGame| game.seed.checked_sub(order.first(generation));
        let game = shard::first(&path)?;
        let Some(first) = game.as_ref().and_then(of_order) else { continue };
        // Of another board it has other numbers of games.
        let is_of_order = game.is_some_and(|game| game.size == order.sizes.of(0));
        let was = match Folder::number_of(&path) {
            // Shards of another seed share no games with these.
            _ if first >> NUMBER_BITS != 0 => continue,
            Some(0) if is_of_order && order.sizes.games(0, order.shard) == order.shard => {
                shard::read(&path)?.1.len() as u64
            }
            None | Some(0) => continue,
            Some(number) => first / number,
        };
        ensure!(
            was == order.shard,
            "{} is of --shard {was}, asked for {}: some games would be played twice; expected \
             --shard {was}, or another --seed",
            path.display(),
            order.shard
        );
    }
    Ok(())
}

/// Count of the shards that are there in place of those of an order, and are of other boards, seeds or depths. Those
/// that were played ahead before there was a network had depths of their own.
fn of_other_orders(
    folder: &Folder,
    player: &Player,
    (generation, order): (u32, &Order),
) -> anyhow::Result<usize> {
    let mut others = 0;
    for number in 0..order.shards() {
        let path = folder.shard(generation, number);
        if !path.exists() {
            continue;
        }
        let Some(first) = shard::first(&path)? else { continue };
        let header = shard::header(&path)?;
        let is_before = !is_network(&header.player) && player.network.is_some();
        let is_of_order = first.seed == order.first(generation) + number * order.shard
            && first.size == order.sizes.of(number)
            && (is_before || header.settings == settings(player));
        others += usize::from(!is_of_order);
    }
    Ok(others)
}

/// How deep a player searches, as headers say it.
fn settings(player: &Player) -> String {
    format!("{:?}", player.depths)
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
    let seed = order.first(generation) + number * order.shard;
    let count = order.sizes.games(number, order.shard) as u32;
    let wanted = Wanted { seed, games: count, depths: player.depths };
    let games = players.play(order.sizes.of(number), &wanted)?;
    let header = Header::new(player.game, &name, &settings(player), generation);
    shard::write(&path, &header, &games)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Instant;

    use banyan_games::Kind;
    use banyan_knowledge::go::planes::ENCODING;
    use banyan_net::Network;
    use banyan_selfplay::Depths;

    use super::super::player::{By, Player};
    use super::*;

    /// One plays at first, and has not ended when three are there who only end together.
    #[derive(Default)]
    struct Coming(AtomicUsize);

    impl Players for Coming {
        fn at_once(&self) -> usize {
            if self.0.load(Ordering::SeqCst) == 0 { 1 } else { 3 }
        }

        fn play(&self, _: u32, _: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
            self.0.fetch_add(1, Ordering::SeqCst);
            let began = Instant::now();
            while self.0.load(Ordering::SeqCst) < 3 {
                anyhow::ensure!(
                    began.elapsed() < Duration::from_secs(60),
                    "the others do not come"
                );
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(Vec::new())
        }
    }

    fn order(shards: u64) -> Order {
        Order { sizes: "7".parse().unwrap(), games: 2 * shards, shard: 2, seed: 1 }
    }

    fn generated(players: &dyn Players, until: Until<'_>) -> anyhow::Result<u64> {
        let home = tempfile::tempdir()?;
        let folder = Folder::open(home.path(), Kind::Go)?;
        let player = Player::of(Kind::Go, Path::new("no network"))?;
        let following = Following::new(&player, &folder, None)?;
        generate(&folder, &following, (0, &order(4)), (players, until), &|_| ())
    }

    #[test]
    fn those_who_come_while_a_shard_is_played_play_others_at_once() {
        assert_eq!(generated(&Coming::default(), &|| false).unwrap(), 8);
    }

    #[test]
    fn no_shard_is_begun_when_no_more_are_wanted_and_one_that_fails_is_told() {
        assert_eq!(generated(&Coming::default(), &|| true).unwrap(), 0);
        struct Failing;
        impl Players for Failing {
            fn at_once(&self) -> usize {
                2
            }
            fn play(&self, _: u32, _: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
                anyhow::bail!("nobody is there")
            }
        }
        let words = generated(&Failing, &|| false).unwrap_err().to_string();
        assert_eq!(words, "nobody is there");
    }

    /// Plays games of no moves at once.
    struct Short;

    impl Players for Short {
        fn at_once(&self) -> usize {
            1
        }

        fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
            let game = |number| PlayedGame {
                size,
                komi: 15,
                seed: wanted.seed + u64::from(number),
                opening: 0,
                moves: Vec::new(),
                values: Vec::new(),
                thoughts: Vec::new(),
                winner: "W".to_owned(),
                margin: 15,
                ownership: String::new(),
            };
            Ok((0..wanted.games).map(game).collect())
        }
    }

    #[test]
    fn a_generation_is_gone_on_with_by_shards_as_large_as_those_that_are_there() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(home.path(), Kind::Go).unwrap();
        let player = Player::of(Kind::Go, Path::new("no network")).unwrap();
        let following = Following::new(&player, &folder, None).unwrap();
        let generate =
            |order: Order| generate(&folder, &following, (1, &order), (&Short, &|| false), &|_| ());
        let refused = |shard, seed| {
            let words = generate(Order { shard, seed, ..order(4) }).unwrap_err().to_string();
            assert!(words.contains(&format!("is of --shard 2, asked for {shard}: ")), "{words}");
            words
        };
        assert_eq!(generate(order(1)).unwrap(), 2);
        assert!(refused(1, 1).contains("0000.games.gz"));
        assert_eq!(generate(order(4)).unwrap(), 8);
        std::fs::remove_file(folder.shard(1, 0)).unwrap();
        assert!(refused(3, 1).contains("0001.games.gz"));
        assert_eq!(generate(order(4)).unwrap(), 8);
        // Of another seed all games are others.
        for seed in [0, 2] {
            generate(Order { shard: 3, seed, ..order(5) }).unwrap();
        }
        let others =
            |order: Order, player: &Player| of_other_orders(&folder, player, (1, &order)).unwrap();
        assert_eq!(others(order(4), &player), 0);
        let deeper = |network| Player {
            network,
            depths: Depths { full: 99, ..player.depths },
            by: By::Processors,
            game: Kind::Go,
        };
        assert_eq!(others(order(4), &deeper(None)), 4);
        let network = Network::random_for(&ENCODING, (1, 16), 1).unwrap();
        assert_eq!(others(order(4), &deeper(Some(Box::new(network)))), 0, "from before it");
        let path = folder.shard(1, 0);
        let (header, games) = shard::read(&path).unwrap();
        shard::write(&path, &Header { player: "mix".to_owned(), ..header }, &games).unwrap();
        let network = Network::random_for(&ENCODING, (1, 16), 1).unwrap();
        assert_eq!(others(order(4), &deeper(Some(Box::new(network)))), 0, "by an evaluation");
        assert_eq!(others(Order { sizes: "9".parse().unwrap(), ..order(4) }, &player), 4);
        assert_eq!(others(Order { seed: 2, ..order(9) }, &player), 4, "of those that are there");
    }

    #[test]
    fn boards_may_change_within_a_generation() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(home.path(), Kind::Go).unwrap();
        let player = Player::of(Kind::Go, Path::new("no network")).unwrap();
        let following = Following::new(&player, &folder, None).unwrap();
        for sizes in ["9,7", "7,9", "7"] {
            let order = Order { sizes: sizes.parse().unwrap(), games: 8, shard: 4, seed: 1 };
            generate(&folder, &following, (1, &order), (&Short, &|| false), &|_| ()).unwrap();
        }
        // The first is of the larger board still, and has fewer games.
        assert_eq!(shard::read(&folder.shard(1, 0)).unwrap().1.len(), 1);
    }
}
