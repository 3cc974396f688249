//! `banyan train` over a cluster: games of self-play are jobs like any other.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use banyan_admission::Outcasts;
use banyan_cli::options::FarmArgs;
use banyan_games::{Kind, Rules};
use banyan_jobs::{
    Answer, Evaluators, Job, Label, ModelDigest, Play, PlayedGame, Practice, Practise, Wanted,
    limits,
};
use banyan_knowledge::{network, pattern_files};
use banyan_learn::Crew;
use banyan_learn::networks::player::{By, Player};
use banyan_learn::networks::{self, Arguments, Players, alone};
use banyan_learn::practisers::{self, GameToLabel, Model, Practisers};

use super::farm::{self, Farm, Ground, Task, board};
use crate::config;
use crate::node::{Node, Setup};

/// Points of the boards of one batch: eight games on 9x9, so that their positions are judged together and
/// a thread is busy for a second or two.
const POINTS_PER_BATCH: u32 = 8 * 81;

/// Threads of a cluster for which a shard has work enough.
const THREADS_PER_SHARD: u32 = 12;

/// Shards that are under way at a time.
const SHARDS: std::ops::RangeInclusive<usize> = 2..=16;

/// Runs a command; what it says goes to `out`.
///
/// # Errors
/// In words for people.
pub(super) fn run(args: &Arguments<FarmArgs>, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let front = match args.playing() {
        Some((farm, dir)) => front(farm, dir)?.map(Arc::new),
        None => None,
    };
    // Each generation has a cluster of its own; who lied to one is let in by none.
    let outcasts = Arc::default();
    let players =
        |farm: &FarmArgs, player: &Player| call(farm, player, (front.as_ref(), &outcasts));
    networks::run(args, &players, &practise, out)
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
    (front, outcasts): (Option<&Arc<Node>>, &Arc<Outcasts>),
) -> anyhow::Result<Box<dyn Players>> {
    let outcasts = outcasts.clone();
    let mut setup = Setup { pages: None, metrics: None, outcasts, ..config::setup(&args.cluster)? };
    if setup.listen.is_none() {
        farm::check_threads(&setup)?;
        return alone(player, setup.threads as usize);
    }
    anyhow::ensure!(
        matches!(player.by, By::Processors),
        "--torch has this process alone play, --listen has workers play: one of them"
    );
    let evaluator = offer(&mut setup, player)?;
    let farm = Farm::start(&setup, &args.wait, front.cloned())?;
    Ok(Box::new(PlayingFarm { game: player.game, farm, evaluator }))
}

/// Calls those who play games of classical searches: a cluster where this process listens for workers, else its
/// threads alone.
fn practise(
    args: &FarmArgs,
    game: Kind,
    model: Option<&Model>,
) -> anyhow::Result<Box<dyn Practisers>> {
    let mut setup = config::setup(&args.cluster)?;
    let crew = farm::crew(&setup);
    if setup.listen.is_none() {
        farm::check_alone(&setup)?;
        let patterns = model.map(|model| model.patterns.clone());
        return Ok(Box::new(practisers::Alone { crew, patterns }));
    }
    setup.kind = Some(game);
    let model = model.map(|Model { patterns, contents }| {
        let file = pattern_files::file(game, contents);
        let digest = pattern_files::digest(&file);
        setup.evaluators.add_patterns(digest, patterns.clone());
        setup.models = [(digest, file.into())].into();
        digest
    });
    Ok(Box::new(PractisingFarm { farm: Farm::start(&setup, &args.wait, None)?, model, crew }))
}

/// A cluster that plays games of classical searches.
struct PractisingFarm {
    farm: Farm,
    model: Option<ModelDigest>,
    crew: Crew,
}

/// Jobs of a thread between two writes.
const JOBS_A_THREAD: usize = 8;

impl Practisers for PractisingFarm {
    fn jobs_at_once(&self) -> usize {
        JOBS_A_THREAD * self.farm.threads() as usize
    }

    fn play(&self, rules: &Rules, parts: &[Practice]) -> anyhow::Result<Vec<Vec<u8>>> {
        let judged = self.model.is_some();
        let job = |&part: &Practice| Job::Practise(Practise::new(rules.kind(), part, judged));
        let jobs = parts.iter().map(|part| job(part).into()).collect();
        let ground = Ground { rules, evaluator: self.model };
        let games = |job: &Job, _: &Answer| match job {
            Job::Practise(practise) => practise.practice.games.into(),
            _ => 0,
        };
        let answers = self.farm.work(ground, jobs, &|| (), games)?;
        Ok(answers.iter().filter_map(|it| it.practised().map(<[u8]>::to_vec)).collect())
    }

    fn label(
        &self,
        rules: &Rules,
        parts: &[GameToLabel],
        done: &(dyn Fn() + Sync),
    ) -> anyhow::Result<Vec<Vec<u8>>> {
        let judged = self.model.is_some();
        let task = |GameToLabel { moves, labelling }: &GameToLabel| Task {
            path: moves.clone(),
            job: Job::Label(Label::new(*labelling, judged)),
        };
        let ground = Ground { rules, evaluator: self.model };
        let positions = |job: &Job, _: &Answer| match job {
            Job::Label(label) => label.labelling.count.into(),
            _ => 0,
        };
        let tasks = parts.iter().map(task).collect();
        let answers = self.farm.work(ground, tasks, done, positions)?;
        Ok(answers.iter().filter_map(|it| it.labelled().map(<[u8]>::to_vec)).collect())
    }

    fn crew(&self) -> Crew {
        self.crew
    }

    fn told(&self) -> Option<String> {
        self.farm.take_by()
    }
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
struct PlayingFarm {
    game: Kind,
    farm: Farm,
    evaluator: Option<ModelDigest>,
}

impl Players for PlayingFarm {
    fn at_once(&self) -> usize {
        ((self.farm.threads() / THREADS_PER_SHARD) as usize).clamp(*SHARDS.start(), *SHARDS.end())
    }

    fn play(&self, size: u32, wanted: &Wanted) -> anyhow::Result<Vec<PlayedGame>> {
        let judged = self.evaluator.is_some();
        let job = |wanted: Wanted| {
            let cost = wanted.cost((size * size) as usize);
            let cost = cost.min(limits::PLAYOUTS_PER_BATCH_MAX.into()) as u32;
            Job::Play(Play { wanted, judged, cost })
        };
        let jobs = parts(size, wanted).into_iter().map(|part| job(part).into()).collect();
        let rules = board(self.game, size)?;
        let ground = Ground { rules: &rules, evaluator: self.evaluator };
        let games =
            |_: &Job, answer: &Answer| answer.played().map_or(0, |games| games.len() as u64);
        let answers = self.farm.work(ground, jobs, &|| (), games)?;
        Ok(answers.iter().flat_map(|it| it.played().unwrap_or_default().to_vec()).collect())
    }

    fn told(&self) -> Option<String> {
        self.farm.by()
    }
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

#[cfg(test)]
mod tests {
    use banyan_jobs::Depths;

    use super::*;

    const DEPTHS: Depths = Depths { full: 6, short: 3, decided: 2, full_permille: 500 };

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
