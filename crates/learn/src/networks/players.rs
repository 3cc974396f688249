//! Who plays the games of self-play: threads of this process, or the workers of a cluster.

use super::player::{By, Player};
use super::torch::{ByInference, Inference};
use anyhow::Context as _;
use banyan_games::{Rules, Terms, with_game};
use banyan_knowledge::Evaluator;
use banyan_knowledge::network::Net;
use banyan_selfplay::{Learned, PlayedGame, Wanted, play, play_by};
use std::marker::PhantomData;
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

/// Calls those who play the games of a player, by options that say who they are; or says what keeps them from
/// coming, in words.
pub type Call<'a, H> = &'a dyn Fn(&H, &Player) -> anyhow::Result<Box<dyn Players>>;

/// Threads of this process.
#[derive(Debug)]
pub struct Alone<G> {
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    threads: usize,
}

/// So many threads, at least one, that play as this player does.
///
/// # Errors
/// A network of something else.
pub fn alone(player: &Player, threads: usize) -> anyhow::Result<Box<dyn Players>> {
    let rules = Rules::new(player.game, Terms::of(player.game))?;
    if let By::Torch(Some(inference)) = &player.by {
        let inference = inference.clone();
        return Ok(with_game!(&rules, G, _rules => {
            Box::new(Asking::<G> { inference, threads: threads.max(1), game: PhantomData })
        }));
    }
    Ok(with_game!(&rules, G, _rules => Box::new(Alone::<G>::new(player, threads)?)))
}

impl<G: Learned> Alone<G> {
    fn new(player: &Player, threads: usize) -> anyhow::Result<Alone<G>> {
        let net = |network| {
            Net::new::<G>(network).with_context(|| format!("no network that judges {}", G::KIND))
        };
        let net = player.network.as_deref().map(net).transpose()?;
        let evaluator = net.map(|net| Arc::new(net) as Arc<dyn Evaluator<G>>);
        Ok(Alone { evaluator, threads: threads.max(1) })
    }
}

/// Threads of this process that have a network evaluated elsewhere.
struct Asking<G> {
    inference: Inference,
    threads: usize,
    game: PhantomData<fn() -> G>,
}

/// Games of a thread: so many positions are one request.
const TOGETHER: usize = 128;

impl<G: Learned> Players for Asking<G> {
    /// While half of them wait the others go on.
    fn at_once(&self) -> usize {
        2 * self.threads
    }

    fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
        play_by::<G, _>(&mut ByInference::new(&self.inference), TOGETHER, size, wanted)
    }
}

impl<G: Learned> Players for Alone<G> {
    fn at_once(&self) -> usize {
        self.threads
    }

    fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
        play(self.evaluator.as_deref(), size, wanted)
    }
}
