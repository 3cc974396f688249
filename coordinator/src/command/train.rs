//! `banyan train` over a cluster: games of self-play are jobs like any other.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use banyan_cli::options::FarmArgs;
use banyan_games::{Color, Kind, Record, Rules, Terms, with_game};
use banyan_jobs::{
    Batch, BatchId, Claim, Epoch, Evaluators, Growing, Job, Lender, ModelDigest, Play, PlayedGame,
    Root, RootId, ToSearch, Wanted, WorkerId, limits,
};
use banyan_knowledge::network;
use banyan_learn::networks::player::{By, Player};
use banyan_learn::networks::{self, Arguments, Players, alone};

use crate::config;
use crate::node::{Node, Setup};

/// Points of the boards of one batch: eight games on 9x9, so that their positions are judged together and
/// a thread is busy for a second or two.
const POINTS_PER_BATCH: u32 = 8 * 81;

/// Threads of a cluster for which a shard has work enough.
const THREADS_PER_SHARD: u32 = 12;

/// Shards that are under way at a time.
const SHARDS: std::ops::RangeInclusive<usize> = 2..=16;

/// The cluster answers a closed session at once.
const SETTLE_TIME_MAX: Duration = Duration::from_millis(500);

/// Runs a command; what it says goes to `out`.
///
/// # Errors
/// In words for people.
pub(super) fn run(args: &Arguments<FarmArgs>, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let front = match args.playing() {
        Some((farm, dir)) => front(farm, dir)?.map(Arc::new),
        None => None,
    };
    networks::run(args, &|farm, player| call(farm, player, front.as_ref()), out)
}

/// Pages and metrics, where they are asked for: they stay from generation to generation, while those who play come
/// and go.
fn front(args: &FarmArgs, dir: &Path) -> anyhow::Result<Option<Node>> {
    let mut setup = Setup { threads: 0, listen: None, ..config::setup(&args.cluster)? };
    if let Some(pages) = &mut setup.pages {
        pages.learning = Some(dir.to_owned());
    }
    let is_asked = setup.pages.is_some() || setup.metrics.is_some();
    Ok(is_asked.then(|| Node::start(&setup)).transpose()?)
}

/// Calls those who play: a cluster where this process listens for workers, else its threads alone.
fn call(
    args: &FarmArgs,
    player: &Player,
    front: Option<&Arc<Node>>,
) -> anyhow::Result<Box<dyn Players>> {
    let mut setup = Setup { pages: None, metrics: None, ..config::setup(&args.cluster)? };
    if setup.listen.is_none() {
        return alone(player, setup.threads as usize);
    }
    anyhow::ensure!(
        matches!(player.by, By::Processors),
        "--torch has this process alone play, --listen has workers play: one of them"
    );
    let evaluator = offer(&mut setup, player)?;
    let node = super::gather(&setup, &args.wait)?;
    let lender = node.cluster().lender();
    let (game, front) = (player.game, front.cloned());
    if let Some(front) = &front {
        front.watch(node.cluster());
    }
    Ok(Box::new(Farm { game, node, front, lender, evaluator, played: Mutex::default() }))
}

/// Has workers given the player's network.
fn offer(setup: &mut Setup, player: &Player) -> anyhow::Result<Option<ModelDigest>> {
    setup.kind = Some(player.game);
    let Some(network) = player.network.as_deref() else { return Ok(None) };
    let mut evaluators = Evaluators::default();
    network::add_network(&mut evaluators, network)
        .with_context(|| format!("no network that judges {}", player.game))?;
    let file = network.write().context("the network cannot travel")?;
    setup.evaluators = evaluators;
    setup.models = [(network.digest(), file.into())].into();
    Ok(Some(network.digest()))
}

/// A cluster that plays.
struct Farm {
    game: Kind,
    node: Node,
    /// The node that shows it.
    front: Option<Arc<Node>>,
    lender: Arc<dyn Lender>,
    evaluator: Option<ModelDigest>,
    /// Games by the name of who played them.
    played: Mutex<BTreeMap<String, u64>>,
}

impl Players for Farm {
    fn at_once(&self) -> usize {
        let threads: u32 = self.lender.crews().iter().map(|crew| crew.threads).sum();
        ((threads / THREADS_PER_SHARD) as usize).clamp(*SHARDS.start(), *SHARDS.end())
    }

    fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
        let session = self.lender.new_session();
        let (post, inbox) = mpsc::channel();
        let id = RootId { session, epoch: Epoch(1) };
        let root = Arc::new(empty_board(self.game, size, (id, self.evaluator))?);
        // A session that has gone away hears nothing.
        let post = Box::new(move |news| drop(post.send(news)));
        self.lender.open(root, Claim::default(), post);
        let mut shard = Shard {
            lender: &*self.lender,
            root: id,
            judged: self.evaluator.is_some(),
            size,
            next_number: 0,
            asked: HashMap::new(),
            played: HashMap::new(),
        };
        shard.ask(parts(size, wanted));
        let end = shard.wait_for(&inbox);
        self.lender.close(session);
        while let Ok(news) = inbox.recv_timeout(SETTLE_TIME_MAX) {
            if matches!(news, ToSearch::Settled(_)) {
                break;
            }
        }
        end?;
        shard.played.values().for_each(|part| self.count(part.by, part.games.len() as u64));
        Ok(shard.games())
    }

    fn told(&self) -> Option<String> {
        let played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        let by: Vec<String> =
            played.iter().map(|(name, games)| format!("{name} {games}")).collect();
        (!by.is_empty()).then(|| format!("by {}", by.join(", ")))
    }
}

/// The board that games begin on; where there is a komi each game has its own.
fn empty_board(
    game: Kind,
    size: u32,
    (id, evaluator): (RootId, Option<ModelDigest>),
) -> anyhow::Result<Root> {
    let growing = Growing { evaluator, ..Growing::of(game) };
    let rules = Rules::new(game, Terms { width: size, height: size, ..Terms::of(game) })?;
    Ok(with_game!(&rules, G, rules => {
        Root::of(&Record::<G>::new(rules), Color::Black, id, growing)
    }))
}

/// Splits what is wanted into parts of a batch each.
fn parts(size: u32, wanted: &Wanted) -> Vec<Wanted> {
    let games = (POINTS_PER_BATCH / (size * size)).clamp(1, limits::GAMES_PER_BATCH_MAX);
    let part = |first: u32| Wanted {
        seed: wanted.seed.wrapping_add(first.into()),
        games: games.min(wanted.games - first),
        ..*wanted
    };
    (0..wanted.games).step_by(games as usize).map(part).collect()
}

/// Games of a batch that was answered.
struct Part {
    wanted: Wanted,
    /// The worker that played them, where its word may be doubted.
    by: Option<WorkerId>,
    games: Vec<PlayedGame>,
}

/// Games of one session.
struct Shard<'a> {
    lender: &'a dyn Lender,
    root: RootId,
    judged: bool,
    size: u32,
    next_number: u64,
    /// Batches under way.
    asked: HashMap<BatchId, Wanted>,
    /// Batches that were answered.
    played: HashMap<BatchId, Part>,
}

impl Shard<'_> {
    fn ask(&mut self, parts: Vec<Wanted>) {
        let batch = |wanted: Wanted| {
            let id = BatchId::new(self.root.session, self.next_number);
            self.next_number += 1;
            self.asked.insert(id, wanted);
            let area = (self.size * self.size) as usize;
            let cost = wanted.cost(area).min(limits::PLAYOUTS_PER_BATCH_MAX.into()) as u32;
            let job = Job::Play(Play { wanted, judged: self.judged, cost });
            Batch { id, root: self.root, path: Vec::new(), job }
        };
        let batches = parts.into_iter().map(batch).collect();
        self.lender.submit(self.root.session, batches);
    }

    /// Waits until all games are there, none of them by who was found to lie.
    fn wait_for(&mut self, inbox: &Receiver<ToSearch>) -> anyhow::Result<()> {
        while !self.asked.is_empty() {
            match inbox.recv().context("the cluster has ended")? {
                ToSearch::Tallies(by, tallies) => {
                    for tally in tallies {
                        self.take(by, tally.batch, tally.answer.played());
                    }
                }
                ToSearch::TakeBack(liar) => self.take_back(liar),
                ToSearch::Capacity(_) => {}
                ToSearch::Settled(_) => anyhow::bail!("the cluster has ended"),
            }
        }
        Ok(())
    }

    fn games(self) -> Vec<PlayedGame> {
        let mut games: Vec<PlayedGame> =
            self.played.into_values().flat_map(|part| part.games).collect();
        games.sort_by_key(|game| game.seed);
        games
    }

    fn take(&mut self, by: Option<WorkerId>, batch: BatchId, games: Option<&[PlayedGame]>) {
        // One that was taken back may come all the same.
        if let (Some(wanted), Some(games)) = (self.asked.remove(&batch), games) {
            self.played.insert(batch, Part { wanted, by, games: games.to_vec() });
        }
    }

    /// Has everything played again that a liar played.
    fn take_back(&mut self, liar: WorkerId) {
        let lies = self.played.extract_if(|_, part| part.by == Some(liar));
        let again = lies.map(|(_, part)| part.wanted).collect();
        self.ask(again);
    }
}

impl Drop for Farm {
    fn drop(&mut self) {
        if let Some(front) = &self.front {
            front.watch(front.cluster());
        }
    }
}

impl Farm {
    fn count(&self, by: Option<WorkerId>, games: u64) {
        let link = self.node.cluster().link();
        let name = by.map_or_else(|| "this process".to_owned(), |worker| link.name_of(worker));
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        *played.entry(name).or_default() += games;
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::Go;
    use banyan_jobs::{Answer, BatchId, Crew, Depths, Post, Tally};

    use super::*;

    const DEPTHS: Depths = Depths { full: 6, short: 3, decided: 2, full_permille: 500 };

    /// Notes what it is given.
    #[derive(Debug, Default)]
    struct Noted(Mutex<Vec<Batch>>);

    impl Lender for Noted {
        fn new_session(&self) -> banyan_jobs::SessionId {
            banyan_jobs::SessionId(1)
        }
        fn open(&self, _: Arc<Root>, _: Claim, _: Post) {}
        fn submit(&self, _: banyan_jobs::SessionId, batches: Vec<Batch>) {
            self.0.lock().unwrap().extend(batches);
        }
        fn drop_batches(&self, _: banyan_jobs::SessionId, _: Vec<BatchId>) {}
        fn close(&self, _: banyan_jobs::SessionId) {}
        fn crews(&self) -> Vec<Crew> {
            Vec::new()
        }
        fn note_search_time(&self) {}
    }

    #[test]
    fn what_a_liar_played_is_played_again() {
        let lender = Noted::default();
        let root = RootId { session: lender.new_session(), epoch: Epoch(1) };
        let (asked, played) = (HashMap::new(), HashMap::new());
        let mut shard =
            Shard { lender: &lender, root, judged: false, size: 7, next_number: 0, asked, played };
        let wanted = Wanted { seed: 9, games: 2, depths: DEPTHS };
        shard.ask((9..11).map(|seed| Wanted { seed, games: 1, ..wanted }).collect());
        let (post, inbox) = mpsc::channel();
        let answer = |number: usize, by: u64| {
            let batch = lender.0.lock().unwrap()[number].clone();
            let Job::Play(play) = batch.job else { panic!("games are asked for") };
            let games = banyan_learn::networks::play::<Go>(None, 7, &play.wanted).unwrap();
            let tallies = vec![Tally { batch: batch.id, answer: Answer::Played(games) }];
            post.send(ToSearch::Tallies(Some(WorkerId(by)), tallies)).unwrap();
        };
        answer(0, 5);
        post.send(ToSearch::TakeBack(WorkerId(5))).unwrap();
        // The lie comes once more, too late.
        answer(0, 5);
        answer(1, 6);
        drop(post);
        let words = shard.wait_for(&inbox).unwrap_err().to_string();
        assert_eq!(words, "the cluster has ended", "one of three is missing");
        let (post, inbox) = mpsc::channel();
        let batch = lender.0.lock().unwrap()[2].clone();
        let Job::Play(play) = batch.job else { panic!("games are asked for") };
        assert_eq!(play.wanted.seed, 9);
        let games = banyan_learn::networks::play::<Go>(None, 7, &play.wanted).unwrap();
        let tallies = vec![Tally { batch: batch.id, answer: Answer::Played(games) }];
        post.send(ToSearch::Tallies(Some(WorkerId(7)), tallies)).unwrap();
        shard.wait_for(&inbox).unwrap();
        assert!(shard.played.values().all(|part| part.by != Some(WorkerId(5))));
        assert_eq!(shard.games(), banyan_learn::networks::play::<Go>(None, 7, &wanted).unwrap());
    }

    #[test]
    fn a_shard_is_cut_into_batches_that_have_each_game_once() {
        let depths = DEPTHS;
        for (size, games, expected) in
            [(9, 20, vec![8, 8, 4]), (19, 2, vec![1, 1]), (7, 5, vec![5])]
        {
            let parts = parts(size, &Wanted { seed: 100, games, depths });
            assert_eq!(parts.iter().map(|part| part.games).collect::<Vec<_>>(), expected);
            let seeds: Vec<u64> = parts.iter().flat_map(Wanted::seeds).collect();
            assert_eq!(seeds, (100..100 + u64::from(games)).collect::<Vec<_>>());
        }
    }
}
