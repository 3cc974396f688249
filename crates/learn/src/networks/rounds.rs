//! The loop: self-play, fit, gate, publish; each stage goes on where it was broken off.

use super::by_net::ByNet;
use super::contest::{Terms, play};
use super::folder::{Folder, Generation};
use super::following::Following;
use super::generate::{Order, SEED_MAX, Until, generate};
use super::player::{self, By, Player};
use super::players::Call;
use super::progress::Progress;
use super::quality;
use super::shard;
use super::sizes::Sizes;
use super::torch::{Inference, Torch};
use super::training::Fit;
use crate::files::put;
use crate::gate::Tally;
use anyhow::{Context as _, bail, ensure};
use banyan_games::{Rules, with_game};
use banyan_lab::runner::sprt::{Decision, Sprt};
use banyan_net::{Network, Trained};
use banyan_selfplay::Depths;
use banyan_selfplay::game::VISITS_MAX;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Generations in a row that may fail the gate.
const FAILURES_MAX: usize = 3;

/// Options of self-play.
#[derive(Clone, Debug, Args)]
pub struct SelfPlay<H: Args> {
    /// Points a side of the boards, 7 to 19; several with commas take turns, shard by shard [default: the
    /// game's usual board].
    #[arg(long, value_name = "SIZES")]
    pub size: Option<Sizes>,
    /// Visits of full searches, of short ones, of those in decided games, and the share of full ones
    /// [default: 48,12,6,0.35 without a network, 64,16,8,0.35 with one].
    #[arg(long, value_name = "FULL,SHORT,DECIDED,SHARE", value_parser = player::depths)]
    pub depths: Option<Depths>,
    /// Games of each generation, count, rounded up to whole shards; of the smallest board, larger ones
    /// have fewer.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Games of a shard, which is played whole or not at all, count.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub shard: u64,
    /// Seed of all games, at most 65535.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=SEED_MAX))]
    pub seed: u64,
    /// Have PyTorch evaluate the network, on --device: a graphics card asks a network that is too large for
    /// processors. This process alone plays then, and no two machines play the same games.
    #[arg(long)]
    pub torch: bool,
    /// With --torch: take up the network of this file whenever it changes, so that self-play goes on while another
    /// folder's fit writes it; of the same shape as best.safetensors, which begins.
    #[arg(long, value_name = "FILE", requires = "torch")]
    pub follow: Option<PathBuf>,
    /// Who plays.
    #[command(flatten)]
    pub hands: H,
}

impl<H: Args> SelfPlay<H> {
    /// The boards, those that the game is usually played on where nobody said otherwise.
    pub fn sizes(&self, folder: &Folder) -> Sizes {
        self.size.clone().unwrap_or_else(|| Sizes::usual(folder.game()))
    }
}

/// Options of the gate.
#[derive(Clone, Copy, Debug, Args)]
pub struct Gate {
    /// Visits a move of both sides.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=i64::from(VISITS_MAX)))]
    pub visits: u32,
    /// Pairs of games at most.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: u32,
    /// What stops the match: Elo that is too little, Elo that is enough, and how often each may be wrong.
    #[arg(long, default_value = "0,35,0.05,0.05", allow_hyphen_values = true)]
    pub sprt: Sprt,
    /// Share of the points, in percent, that a generation must win.
    #[arg(long, default_value_t = 55.0, value_parser = percent)]
    pub percent: f64,
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| format!("{text:?}: must be a number from 0 to 100"))
}

/// All that a generation needs.
#[derive(Clone, Debug)]
pub struct Stages<H: Args> {
    /// Options by which games are played.
    pub self_play: SelfPlay<H>,
    /// Options by which networks are fitted.
    pub fit: Fit,
    /// The PyTorch that fits them.
    pub torch: Torch,
    /// The gate that judges them.
    pub gate: Gate,
    /// Whether games of the next generation are played while a network is fitted.
    pub overlap: bool,
}

/// The generation that is under way: after the last that has been judged.
///
/// # Errors
/// A history that is none.
pub fn current(folder: &Folder) -> anyhow::Result<u32> {
    Ok(folder.history()?.last().map_or(0, |last| last.number + 1))
}

/// Player of a generation's last games, by their shard: all of them may have been played ahead.
fn last_player(folder: &Folder, generation: u32) -> anyhow::Result<String> {
    let games = folder.games(generation);
    let shards = if games.is_dir() { shard::list(&games)? } else { Vec::new() };
    let none =
        || format!("generation {generation} has no games yet: `banyan train selfplay` plays them");
    let last = shards.last().with_context(none)?;
    Ok(shard::header(last)?.player)
}

/// Plays what is missing of a generation's games; returns how many there are then.
///
/// # Errors
/// As [`generate`].
pub fn self_play<H: Args>(
    folder: &Folder,
    generation: u32,
    (asked, torch, call): (&SelfPlay<H>, &Torch, Call<'_, H>),
    (until, out): (Until<'_>, &mut (impl Write + Send)),
) -> anyhow::Result<u64> {
    let mut player = Player::of(folder.game(), &folder.best())?;
    if asked.torch {
        let start = |network: &Network| {
            put(&folder.asked(), &Trained::of(network).write()?)?;
            Inference::start(torch, &folder.asked(), network.shape())
        };
        player.by = By::Torch(player.network.as_deref().map(start).transpose()?);
    }
    player.depths = asked.depths.unwrap_or(player.depths);
    let order = Order {
        sizes: asked.sizes(folder),
        games: asked.games,
        shard: asked.shard,
        seed: asked.seed,
    };
    let players = call(&asked.hands, &player)?;
    let following = Following::new(&player, folder, asked.follow.as_deref())?;
    let progress = Mutex::new(Progress::new(out, generation, order.count()));
    let told = |done| {
        let mut progress = progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        progress.told(done, players.told().or_else(|| following.told()).as_deref());
    };
    generate(folder, &following, (generation, &order), (&*players, until), &told)
}

/// Measures a generation's network, plays it against the best one, publishes it if it passes, and notes what became
/// of it.
///
/// # Errors
/// A generation without games or a network, files that cannot be read or written.
pub fn gate(
    folder: &Folder,
    number: u32,
    (sizes, asked): (Sizes, &Gate),
    out: &mut impl Write,
) -> anyhow::Result<Generation> {
    let path = folder.network(number);
    ensure!(
        path.exists(),
        "generation {number} has no network yet: `banyan train fit` makes {}",
        path.display()
    );
    let player = last_player(folder, number)?;
    let network = load(&path)?;
    let (games, quality) = measure(folder, number, &network)?;
    writeln!(
        out,
        "generation {number}: policy {:.4}, outcome {:.4}, {:.1} % of {} moves foretold",
        quality.policy,
        quality.outcome,
        100.0 * quality.foretold,
        quality.searches
    )?;
    let best = folder.best().exists().then(|| load(&folder.best())).transpose()?;
    let tally = match best {
        None => {
            writeln!(out, "generation {number}: nothing to be held against yet")?;
            None
        }
        // It passed the gate before, and then the process ended before that was noted.
        Some(best) if best.digest() == network.digest() => None,
        Some(best) => Some(contest(folder, number, ([&network, &best], sizes, asked), out)?),
    };
    let is_published = tally.is_none_or(|tally| asked.passes(&tally));
    if is_published {
        put(&folder.best(), &network.write()?)?;
    }
    let generation = Generation {
        number,
        player,
        games,
        network: network.digest().to_string(),
        policy_loss: quality.policy,
        outcome_loss: quality.outcome,
        gate: tally.map(|it| [it.games.wins, it.games.draws, it.games.losses]),
        is_published,
    };
    folder.note(generation.clone())?;
    let verdict = if is_published { "is the best now" } else { "did not pass" };
    writeln!(out, "generation {number}: {verdict}")?;
    Ok(generation)
}

fn load(path: &Path) -> anyhow::Result<Network> {
    Network::load(path).with_context(|| format!("{}", path.display()))
}

/// Games of a generation, count, and what a network makes of those that were held out.
fn measure(
    folder: &Folder,
    number: u32,
    network: &Network,
) -> anyhow::Result<(u64, quality::Quality)> {
    let (mut count, mut held, mut newest) = (0, Vec::new(), Vec::new());
    for path in shard::list(&folder.games(number))? {
        newest = shard::read(&path)?.1;
        count += newest.len() as u64;
        held.extend(newest.iter().filter(|game| game.is_held_out()).cloned());
    }
    // Of a few games none may be.
    let games = if held.is_empty() { newest } else { held };
    let rules = Rules::new(folder.game(), banyan_games::Terms::of(folder.game()))?;
    let quality = with_game!(&rules, G, _rules => quality::measure::<G>(network, &games))?;
    Ok((count, quality))
}

/// Plays a generation's network against the best one.
fn contest(
    folder: &Folder,
    generation: u32,
    (networks, sizes, asked): ([&Network; 2], Sizes, &Gate),
    out: &mut impl Write,
) -> anyhow::Result<Tally> {
    let mut judges = networks.map(ByNet::new);
    let Gate { visits, pairs, sprt, .. } = *asked;
    let seed = 0x6761_7465 ^ u64::from(generation);
    let terms = Terms { sizes, visits, pairs, seed, sprt };
    let rules = Rules::new(folder.game(), banyan_games::Terms::of(folder.game()))?;
    let tally = with_game!(&rules, G, _rules => play::<G, _>(&mut judges, &terms, |_| ()))?;
    writeln!(out, "generation {generation}: against the best, {tally}")?;
    Ok(tally)
}

impl Gate {
    fn passes(&self, tally: &Tally) -> bool {
        let is_better = 100.0 * tally.games.score() >= self.percent;
        is_better && self.sprt.decide(&tally.pairs) != Decision::H0
    }
}

impl<H: Args> Stages<H> {
    /// Takes one generation all the way; returns what became of it.
    ///
    /// # Errors
    /// The first of its stages; what was finished stays and is not done again.
    pub fn round(
        &self,
        folder: &Folder,
        call: Call<'_, H>,
        out: &mut (impl Write + Send),
    ) -> anyhow::Result<Generation> {
        let number = current(folder)?;
        let playing = (&self.self_play, &self.torch, call);
        self_play(folder, number, playing, (&|| false, out))?;
        match Network::load(&folder.network(number)) {
            Ok(_) => {}
            Err(_) if self.overlap => self.fit_and_play(folder, number, (call, out))?,
            Err(_) => self.fit.run(folder, number, &self.torch).map(|_| ())?,
        }
        gate(folder, number, (self.self_play.sizes(folder), &self.gate), out)
    }

    /// Fits, and plays games of the next generation by the network that plays now until the fit has ended.
    fn fit_and_play(
        &self,
        folder: &Folder,
        number: u32,
        (call, out): (Call<'_, H>, &mut (impl Write + Send)),
    ) -> anyhow::Result<()> {
        let (fit, torch, has_ended) = (&self.fit, &self.torch, AtomicBool::new(false));
        std::thread::scope(|scope| {
            let fit = scope.spawn(|| {
                let network = fit.run(folder, number, torch);
                has_ended.store(true, Ordering::Relaxed);
                network
            });
            let until = || has_ended.load(Ordering::Relaxed);
            let playing = (&self.self_play, torch, call);
            let games = self_play(folder, number + 1, playing, (&until, &mut *out));
            fit.join().expect("a thread that does not panic")?;
            writeln!(out, "generation {}: {} games while the fit ran", number + 1, games?)?;
            Ok(())
        })
    }

    /// Goes round until so many generations were judged, or too many in a row failed.
    ///
    /// # Errors
    /// As [`Stages::round`]; three failures of the gate in a row.
    pub fn run(
        &self,
        folder: &Folder,
        generations: u32,
        (call, out): (Call<'_, H>, &mut (impl Write + Send)),
    ) -> anyhow::Result<()> {
        self.fit.check(folder)?;
        for _ in 0..generations {
            self.round(folder, call, out)?;
            let history = folder.history()?;
            let failures = history.iter().rev().take_while(|it| !it.is_published).count();
            if failures >= FAILURES_MAX {
                bail!(
                    "{failures} generations in a row won less than {} % against the best",
                    self.gate.percent
                );
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::players::{Players, alone};
    use super::*;
    use banyan_games::Kind;
    use banyan_knowledge::go::planes::ENCODING;
    use banyan_net::float::Largest;
    use banyan_net::random::Sample;
    use clap::Parser;
    use std::os::unix::fs::PermissionsExt as _;

    /// A thread of this process.
    #[derive(Clone, Debug, Args)]
    struct OneThread {}

    fn call(_: &OneThread, player: &Player) -> anyhow::Result<Box<dyn Players>> {
        alone(player, 1)
    }

    /// Stands for Python: writes a network of chance weights where the fit is to go, after a command of the shell's.
    fn python(folder: &Path, first: &str) -> std::path::PathBuf {
        let network = Network::random_for(&ENCODING, (1, 16), 1).unwrap();
        let (float, mut largest) = (network.dequantise(), Largest::none(1));
        for sample in Sample::draw(network.shape(), (7, 7), 5, 5) {
            float.evaluate(&sample.input(), &mut largest);
        }
        let trained = folder.join("trained");
        std::fs::write(&trained, Trained { network: float, largest }.write().unwrap()).unwrap();
        let script = format!(
            "#!/bin/sh\n{first}\nwhile [ \"$1\" != --to ]; do shift; done\ncp {} \"$2\"\n",
            trained.display()
        );
        let path = folder.join("python");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn stages(python: std::path::PathBuf) -> Stages<OneThread> {
        let torch = Torch { python: Some(python), package: None, device: None };
        let fit = Fit {
            shape: "1x16".to_owned(),
            steps: 1,
            newest: 1,
            fit_threads: 1,
            from: None,
            rate: 0.002,
            batch: 256,
            teacher: None,
            rounding: 0.25,
            bfloat: false,
        };
        let sprt = "0,100".parse().unwrap();
        Stages {
            self_play: SelfPlay {
                size: Some("7".parse().unwrap()),
                depths: None,
                games: 4,
                shard: 2,
                seed: 1,
                torch: false,
                follow: None,
                hands: OneThread {},
            },
            fit,
            torch,
            gate: Gate { visits: 2, pairs: 2, sprt, percent: 55.0 },
            overlap: false,
        }
    }

    #[derive(Debug, Parser)]
    struct Typed {
        #[command(flatten)]
        asked: SelfPlay<OneThread>,
    }

    #[test]
    fn a_seed_that_games_would_share_with_a_smaller_one_is_refused() {
        let parse = |seed| Typed::try_parse_from(["selfplay", "--seed", seed]);
        assert_eq!(parse("65535").expect("the largest").asked.seed, SEED_MAX);
        let words = parse("65536").expect_err("refused").to_string();
        assert!(words.contains("65536 is not in 0..=65535"), "{words}");
    }

    #[test]
    fn a_loop_publishes_first_stops_after_three_failures_and_goes_on_where_it_was() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("loop"), Kind::Go).unwrap();
        let mut stages = stages("no-such-python".into());
        let mut out = Vec::new();
        let words = format!("{:#}", stages.run(&folder, 9, (&call, &mut out)).unwrap_err());
        assert!(words.starts_with("cannot run no-such-python"), "{words}");
        let shard = std::fs::read(folder.shard(0, 0)).unwrap();

        stages.fit.teacher = Some("../../models/gomoku.safetensors".into());
        let words = format!("{:#}", stages.run(&folder, 9, (&call, &mut out)).unwrap_err());
        assert!(words.contains("gomoku.safetensors: ") && !words.contains("python"), "{words}");
        stages.fit.teacher = None;

        stages.torch.python = Some(python(home.path(), ""));
        let words = format!("{:#}", stages.run(&folder, 9, (&call, &mut out)).unwrap_err());
        assert_eq!(words, "3 generations in a row won less than 55 % against the best");
        assert_eq!(std::fs::read(folder.shard(0, 0)).unwrap(), shard);
        // Before any game.
        let other = Folder::open(&home.path().join("other"), Kind::Go).unwrap();
        stages.fit.from = Some("../../models/go.safetensors".into());
        let words = format!("{:#}", stages.run(&other, 9, (&call, &mut out)).unwrap_err());
        assert!(words.contains("6x48 does not grow into --shape 1x16"), "{words}");
        assert!(!other.all_games().exists());
        let history = folder.history().unwrap();
        let published: Vec<bool> = history.iter().map(|it| it.is_published).collect();
        assert_eq!(published, [true, false, false, false]);
        assert_eq!((history[0].player.as_str(), history[0].gate), ("heavy", None));
        assert_eq!(history[1].player, history[0].network);
        assert!(history[1].gate.is_some());
    }

    #[test]
    fn generations_are_counted_from_each_start() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("loop"), Kind::Go).unwrap();
        let stages = stages(python(home.path(), ""));
        for there in 1..=2 {
            stages.run(&folder, 1, (&call, &mut Vec::new())).unwrap();
            assert_eq!(folder.history().unwrap().len(), there);
        }
    }

    #[test]
    fn a_fit_holds_the_folder_as_long_as_it_goes_on() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("loop"), Kind::Go).unwrap();
        let lock = home.path().join("loop/lock");
        let holds = format!("[ /dev/stdin -ef {} ] || exit 3", lock.display());
        stages(python(home.path(), &holds)).round(&folder, &call, &mut Vec::new()).unwrap();
        let mut command = std::process::Command::new("sleep");
        let mut fit = command.arg("60").stdin(folder.share().unwrap()).spawn().unwrap();
        // Both hold the lock here.
        drop((command, folder));
        let open = || Folder::open(&home.path().join("loop"), Kind::Go);
        assert!(open().unwrap_err().to_string().starts_with("another process learns in "));
        fit.kill().unwrap();
        fit.wait().unwrap();
        open().unwrap();
    }

    #[test]
    fn a_fit_is_kept_until_its_network_is_there_unless_it_makes_none() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("loop"), Kind::Go).unwrap();
        let save = format!("echo > {}", folder.fit().display());
        let stages = stages(python(home.path(), &save));
        let round = || stages.round(&folder, &call, &mut Vec::new());
        // Where the network would be prepared there is a folder.
        let part = folder.network(0).with_extension("safetensors.part");
        std::fs::create_dir_all(&part).unwrap();
        assert!(round().unwrap_err().to_string().starts_with("cannot write "));
        assert!(folder.fit().exists());
        let trained = std::fs::read(home.path().join("trained")).unwrap();
        std::fs::write(home.path().join("trained"), "none").unwrap();
        round().unwrap_err();
        assert!(!folder.fit().exists());
        std::fs::write(home.path().join("trained"), trained).unwrap();
        std::fs::remove_dir(part).unwrap();
        round().unwrap();
        assert!(folder.network(0).exists() && !folder.fit().exists());
    }

    #[test]
    fn a_generation_that_was_published_and_not_noted_is_no_failure() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("loop"), Kind::Go).unwrap();
        let stages = stages(python(home.path(), ""));
        let first = stages.round(&folder, &call, &mut Vec::new()).unwrap();
        assert!(first.is_published);
        std::fs::copy(folder.network(0), folder.network(1)).unwrap();
        let judged = gate(&folder, 1, ("7".parse().unwrap(), &stages.gate), &mut Vec::new());
        assert!(format!("{:#}", judged.unwrap_err()).starts_with("generation 1 has no games yet"));
        std::fs::remove_file(home.path().join("loop/loop.json")).unwrap();
        assert_eq!(stages.round(&folder, &call, &mut Vec::new()).unwrap(), first);
    }

    #[test]
    fn games_of_the_next_generation_are_played_while_a_fit_runs_and_no_longer() {
        let home = tempfile::tempdir().unwrap();
        let folder = Folder::open(&home.path().join("loop"), Kind::Go).unwrap();
        // The fit ends when the last shard of the next generation is there, or does not end well after a minute.
        let wait = format!(
            "for _ in $(seq 600); do [ -e {0} ] && break; sleep 0.1; done; [ -e {0} ] || exit 1",
            folder.shard(1, 1).display()
        );
        let mut stages = stages(python(home.path(), &wait));
        stages.overlap = true;
        let mut out = Vec::new();
        let generation = stages.round(&folder, &call, &mut out).unwrap();
        assert_eq!((generation.number, generation.games), (0, 4));
        let said = String::from_utf8(out).unwrap();
        assert!(said.contains("generation 1: 4 games while the fit ran"), "{said}");
        // Heavy playouts chose all of its moves, though a network is the best by now.
        let ahead = stages.round(&folder, &call, &mut Vec::new()).unwrap();
        assert_eq!((ahead.number, ahead.player.as_str()), (1, "heavy"));
        let playing = (&stages.self_play, &stages.torch, &call as Call<'_, OneThread>);
        let none = self_play(&folder, 5, playing, (&|| true, &mut Vec::new())).unwrap();
        assert_eq!((none, shard::list(&folder.games(5)).unwrap().len()), (0, 0));
    }
}
