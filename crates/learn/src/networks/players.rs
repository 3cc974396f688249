//! Who plays the games of self-play: threads of this process, or the workers of a cluster.

use super::player::Player;
use anyhow::Context as _;
use banyan_games::go::Go;
use banyan_knowledge::Evaluator;
use banyan_knowledge::network::Net;
use banyan_selfplay::{PlayedGame, Wanted, play};
use clap::Args;
use std::sync::Arc;

/// Plays games; each is the same whoever plays it.
pub trait Players: Sync {
    /// Shards that are best played at a time.
    fn at_once(&self) -> usize;

    /// Plays games, and gives them by rising seeds.
    ///
    /// - `size`: points a side.
    ///
    /// # Errors
    /// What keeps them from being played, in words.
    fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>>;

    /// Who played so far, in words, for a line a shard; nothing where it is this process alone.
    fn told(&self) -> Option<String> {
        None
    }
}

/// Options that say who plays.
pub trait Hands: Args + Clone + std::fmt::Debug {
    /// Calls those who play the games of this player.
    ///
    /// # Errors
    /// What keeps them from coming, in words.
    fn call(&self, player: &Player) -> anyhow::Result<Box<dyn Players>>;
}

/// Threads of this process.
pub struct Alone {
    evaluator: Option<Arc<dyn Evaluator<Go>>>,
    threads: usize,
}

impl Alone {
    /// So many threads, at least one, that play as this player does.
    ///
    /// # Errors
    /// A network of something else.
    pub fn new(player: &Player, threads: usize) -> anyhow::Result<Alone> {
        let evaluator: Option<Arc<dyn Evaluator<Go>>> = match player {
            Player::Heavy => None,
            Player::Net(network) => {
                let net = Net::new::<Go>(network).context("no network that judges Go")?;
                Some(Arc::new(net))
            }
        };
        Ok(Alone { evaluator, threads: threads.max(1) })
    }
}

impl Players for Alone {
    fn at_once(&self) -> usize {
        self.threads
    }

    fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
        play(self.evaluator.as_deref(), size, wanted)
    }
}
