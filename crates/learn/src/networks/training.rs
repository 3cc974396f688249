//! Fits a network: games to rows, rows to weights by PyTorch, weights to whole numbers.

use super::folder::Folder;
use super::torch::Torch;
use super::{rows, shard};
use crate::crew::Crew;
use crate::files::put;
use crate::meter::Meter;
use anyhow::{Context as _, bail, ensure};
use banyan_games::{Kind, Rules, Terms, with_game};
use banyan_knowledge::Knowledge as _;
use banyan_knowledge::planes::Encoding;
use banyan_net::network::About;
use banyan_net::shape::{LANES, Shape};
use banyan_net::{Network, Trained};
use clap::Args;
use std::path::{Path, PathBuf};

/// Options of a fit.
#[derive(Clone, Debug, Args)]
pub struct Fit {
    /// Shape of the network, BLOCKSxCHANNELS: 1 to 64 blocks, channels a multiple of 16 up to 512.
    #[arg(long, default_value = "4x32", value_parser = shape)]
    pub shape: String,
    /// Steps of a fit, count.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    pub steps: u32,
    /// Size of the largest steps, above 0, at most 1; smaller where a fit goes astray.
    #[arg(long, default_value_t = 0.002, value_parser = rate)]
    pub rate: f64,
    /// Positions of a step, count.
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub batch: u32,
    /// Rows that are learned from, the newest, count.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub newest: u64,
    /// Threads of the fit.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub fit_threads: u32,
    /// Network whose weights the first fit of a folder begins with, of the same game, or Gomoku's for Connect6 and
    /// the reverse, by encoding 1 alone; of as many blocks and channels as --shape, or fewer [default: chance].
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Network whose judgements are half of what is learned: a larger one, which cannot play as fast.
    #[arg(long, value_name = "FILE")]
    pub teacher: Option<PathBuf>,
    /// Share of the steps, the last, in which weights and activations are rounded as in whole numbers, 0 to 0.9: 0
    /// for a network that PyTorch alone is to evaluate, which reads weights that are rounded, activations that are not.
    #[arg(long, default_value_t = 0.25, value_parser = share)]
    pub rounding: f64,
    /// Multiply in bfloat16 in the trunk, where nothing is rounded: faster where the processor can.
    #[arg(long)]
    pub bfloat: bool,
}

fn shape(text: &str) -> Result<String, String> {
    tower(text).map(|_| text.to_owned())
}

/// The shape of BLOCKSxCHANNELS, but for planes and globals, which are the game's.
fn tower(text: &str) -> Result<Shape, String> {
    let numbers = text.split_once('x').and_then(|(blocks, channels)| {
        Some((blocks.parse::<usize>().ok()?, channels.parse::<usize>().ok()?))
    });
    let (blocks, channels) =
        numbers.ok_or_else(|| format!("{text:?}: must be BLOCKSxCHANNELS, such as 4x32"))?;
    let tower = Shape::tower(blocks, channels, 1, 1);
    tower.check().map_err(|error| format!("{text:?}: {error}"))?;
    Ok(tower)
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| rate > 0.0 && rate <= 1.0);
    rate.ok_or_else(|| format!("{text:?}: must be a number above 0, at most 1"))
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=0.9).contains(share));
    share.ok_or_else(|| format!("{text:?}: must be a number from 0 to 0.9"))
}

/// Makes the rows that are missing of games of generations up to this one, and removes those of shards that are gone;
/// returns how many shards had none.
///
/// # Errors
/// A shard that is none, a file that cannot be written.
pub fn export(folder: &Folder, generation: u32) -> anyhow::Result<usize> {
    let encoding = encoding(folder)?;
    let (games, to) = (folder.all_games(), folder.rows(encoding.version));
    let mut missing = Vec::new();
    for from in shards(folder, generation)? {
        let path = twin(&from, (&games, shard::EXTENSION), (&to, rows::EXTENSION));
        if !rows::is_current(&from, &path)? {
            missing.push((from, path));
        }
    }
    remove_lone(&to, &games)?;
    let rules = Rules::new(folder.game(), Terms::of(folder.game()))?;
    let make = |(from, path): &(PathBuf, PathBuf)| {
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        with_game!(&rules, G, _rules => rows::export::<G>(from, path))
    };
    let done = Meter::new("files of games", missing.len());
    let made = Crew::of(None).map(&missing, 0, &done, |files, _| make(files));
    made.into_iter().collect::<anyhow::Result<Vec<usize>>>().map(|made| made.len())
}

/// The path of a file in another folder, where it has another extension.
fn twin(path: &Path, (from, was): (&Path, &str), (to, is): (&Path, &str)) -> PathBuf {
    let inner = path.strip_prefix(from).unwrap_or(path).to_string_lossy().into_owned();
    to.join(inner.strip_suffix(was).unwrap_or(&inner).to_owned() + is)
}

/// Removes rows of shards that are not there; those that another folder has added to shared ones meanwhile are.
fn remove_lone(rows: &Path, games: &Path) -> anyhow::Result<()> {
    let all = if rows.is_dir() { shard::list_of(rows, rows::EXTENSION)? } else { Vec::new() };
    for path in all {
        if !twin(&path, (rows, rows::EXTENSION), (games, shard::EXTENSION)).exists() {
            remove(&path)?;
        }
    }
    Ok(())
}

/// How positions of a folder's game become planes.
fn encoding(folder: &Folder) -> anyhow::Result<Encoding<'static>> {
    let rules = Rules::new(folder.game(), Terms::of(folder.game()))?;
    with_game!(&rules, G, _rules => rows::encoding::<G>())
}

/// Whether a fit may begin with a network: one of its game, or of another whose positions become the same planes, as
/// those of Gomoku and Connect6 did by encoding 1.
fn may_begin(network: &Network, ours: &Encoding<'_>) -> anyhow::Result<()> {
    let About { game, encoding, .. } = network.about();
    let lines = [Kind::Gomoku, Kind::Connect6].map(Kind::name);
    let is_kindred = [game, ours.game].iter().all(|game| lines.contains(game)) && game != ours.game;
    if is_kindred {
        ensure!(
            *encoding == 1,
            "network for {game} by encoding {encoding}, the game is {0}: expected one for {0}, or for {game} by \
             encoding 1, whose planes are the same",
            ours.game
        );
    }
    Ok(network.check_for(&Encoding { game: if is_kindred { game } else { ours.game }, ..*ours })?)
}

/// Whether a network grows into a shape, as `read` of `banyan_learn.fit` has it grow; planes and globals are left out.
fn grows(from: &Shape, to: &Shape) -> bool {
    let rest = |it: &Shape| [it.pooled, it.pooling_every, it.head, it.hidden];
    from.blocks <= to.blocks && from.channels <= to.channels && rest(from) == rest(to)
}

/// Refuses a network that does not grow into the shape asked for, in words that say which shapes it grows into.
fn check_grows(from: &Shape, asked: &str) -> anyhow::Result<()> {
    let to = tower(asked).map_err(anyhow::Error::msg)?;
    let Shape { blocks, channels, .. } = *from;
    let widths = (LANES..=512).step_by(LANES);
    let widths = widths.filter(|&width| grows(from, &Shape::tower(blocks, width, 1, 1)));
    let widths: Vec<String> = widths.map(|width| width.to_string()).collect();
    let expected = match widths.as_slice() {
        [] => "no --shape does, as its head or its pooling is another".to_owned(),
        widths => format!("expected {blocks} blocks or more of {} channels", widths.join(" or ")),
    };
    ensure!(
        grows(from, &to),
        "a network of {blocks}x{channels} does not grow into --shape {asked}: {expected}"
    );
    Ok(())
}

/// Shards of generations up to this one: those of the next may be there already, played ahead.
fn shards(folder: &Folder, generation: u32) -> anyhow::Result<Vec<PathBuf>> {
    let mut shards = shard::list(&folder.all_games())?;
    let of = |shard: &PathBuf| shard.parent().and_then(Folder::generation_of);
    shards.retain(|shard| of(shard).is_none_or(|it| it <= generation));
    Ok(shards)
}

/// Shortest and longest side of the boards of a folder's games of generations up to this one.
fn sides(folder: &Folder, generation: u32) -> anyhow::Result<(usize, usize)> {
    let mut sides = Vec::new();
    for path in shards(folder, generation)? {
        // All games of a shard are of one size.
        sides.extend(shard::first(&path)?.map(|game| game.size as usize));
    }
    let games = folder.all_games();
    let least = sides.iter().min().with_context(|| format!("no games in {}", games.display()))?;
    Ok((*least, sides.iter().copied().max().unwrap_or(*least)))
}

fn load(path: &Path) -> anyhow::Result<Network> {
    Ok(Network::load(path)?)
}

/// Removes a file, unless somebody has done so already.
fn remove(path: &Path) -> anyhow::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

impl Fit {
    /// Fits a network to all games of a folder and keeps it as that of a generation.
    ///
    /// # Errors
    /// Python that is not there or fails, with its last words above ours; weights that make no network.
    pub fn run(&self, folder: &Folder, generation: u32, torch: &Torch) -> anyhow::Result<Network> {
        self.check(folder)?;
        export(folder, generation)?;
        let sides = self.sides(folder, generation)?;
        let begun = self.begun(folder)?.map(Path::to_owned);
        let float = folder.float(generation);
        float.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        self.python(folder, &float, (generation, torch))?;
        let bytes = std::fs::read(&float)
            .with_context(|| format!("the fit has not written {}", float.display()))?;
        let provenance = self.provenance(generation, begun.as_deref())?;
        let Encoding { game, version: encoding, .. } = encoding(folder)?;
        let game = game.to_owned();
        let about = About { game, encoding, sides, provenance };
        let network = || anyhow::Ok(Trained::read(&bytes)?.quantise(about)?);
        // The same fit would come to the same weights, which make no network.
        let network = network().or_else(|error| remove(&folder.fit()).and(Err(error)))?;
        put(&folder.network(generation), &network.write()?)?;
        remove(&folder.fit())?;
        Ok(network)
    }

    /// Finds out, before games are played and rows made for a fit, whether it can take its weights and its teacher from
    /// the networks that it was given.
    ///
    /// # Errors
    /// A file that is no network, one of another game, one to begin with that does not grow into the shape.
    pub fn check(&self, folder: &Folder) -> anyhow::Result<()> {
        let ours = encoding(folder)?;
        if let Some(path) = &self.from {
            let fits = |network: &Network| {
                may_begin(network, &ours)?;
                // What goes on from the folder's own state takes no weights from it.
                if folder.state().exists() {
                    Ok(())
                } else {
                    check_grows(network.shape(), &self.shape)
                }
            };
            load(path).and_then(|it| fits(&it)).with_context(|| format!("{}", path.display()))?;
        }
        if let Some(path) = &self.teacher {
            let fits = |network: Network| Ok(network.check_for(&ours)?);
            load(path).and_then(fits).with_context(|| format!("{}", path.display()))?;
        }
        Ok(())
    }

    /// What it is told to begin with, where it does: a fit that goes on from its folder's own state does not, unless
    /// that comes from a first fit whose network was never written.
    fn begun(&self, folder: &Folder) -> anyhow::Result<Option<&Path>> {
        let is_first = !folder.state().exists() || folder.networks()?.is_empty();
        Ok(self.from.as_deref().filter(|_| is_first))
    }

    /// What a network says of itself: what it learned from, and which others had a part in it.
    fn provenance(&self, generation: u32, begun: Option<&Path>) -> anyhow::Result<String> {
        let Fit { steps, newest, .. } = self;
        let mut words = format!(
            "banyan train, generation {generation}: self-play alone, {steps} steps on the newest {newest} rows at most"
        );
        for (part, path) in [("begun with", begun), ("taught by", self.teacher.as_deref())] {
            if let Some(path) = path {
                let network = Network::load(path).with_context(|| format!("{}", path.display()))?;
                let digest = network.digest().to_string();
                words += &format!(", {part} network {}", &digest[..digest.len().min(12)]);
            }
        }
        Ok(words)
    }

    /// Shortest and longest side of the boards learned on, those of the networks that it goes on from among them; a
    /// damaged one of this generation, which is to be replaced, is passed over.
    fn sides(&self, folder: &Folder, generation: u32) -> anyhow::Result<(usize, usize)> {
        let (mut least, mut most) = sides(folder, generation)?;
        let networks = folder.networks()?;
        for path in networks.iter().map(PathBuf::as_path).chain(self.begun(folder)?) {
            let before = match Network::load(path) {
                Err(_) if path == folder.network(generation) => continue,
                before => before.with_context(|| format!("{}", path.display()))?,
            };
            let About { game, sides, .. } = before.about();
            // Of a kindred game's boards nothing is known in this one.
            if game == encoding(folder)?.game {
                (least, most) = (least.min(sides.0), most.max(sides.1));
            }
        }
        Ok((least, most))
    }

    fn python(
        &self,
        folder: &Folder,
        float: &Path,
        (generation, torch): (u32, &Torch),
    ) -> anyhow::Result<()> {
        let mut command = torch.command("banyan_learn.fit");
        // A fit outlives us where we are killed.
        command.stdin(folder.share()?);
        command
            .args(["--shape", &self.shape, "--batch", &self.batch.to_string()])
            .args(["--steps", &self.steps.to_string(), "--newest", &self.newest.to_string()])
            .args(["--rate", &self.rate.to_string(), "--rounding", &self.rounding.to_string()])
            .args(["--threads", &self.fit_threads.to_string(), "--seed", &generation.to_string()])
            .arg("--rows")
            .arg(folder.rows(encoding(folder)?.version))
            .arg("--checkpoint")
            .arg(folder.state())
            .arg("--to")
            .arg(float);
        let rules = Rules::new(folder.game(), Terms::of(folder.game()))?;
        if let Some(pairs) = with_game!(&rules, G, _rules => G::HALF_TURN) {
            let pairs: Vec<String> = pairs.iter().map(|[a, b]| format!("{a}:{b}")).collect();
            command.args(["--half-turn", &pairs.join(",")]);
        }
        if self.bfloat {
            command.arg("--bfloat");
        }
        for (option, file, weights) in
            [("--from", &self.from, folder.begin()), ("--teacher", &self.teacher, folder.teacher())]
        {
            if let Some(file) = file {
                let network = load(file).with_context(|| format!("{}", file.display()))?;
                put(&weights, &Trained::of(&network).write()?)?;
                command.arg(option).arg(weights);
            }
        }
        let python = torch.program().display();
        let status = command.status().with_context(|| format!("cannot run {python}"))?;
        if !status.success() {
            bail!("the fit by {python} ended with {status}{}", torch.hint());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Kind;
    use banyan_selfplay::game::{PlayedGame, Thought};

    use super::*;

    /// A folder with one game on a board of `size` points a side.
    fn folder(home: &Path, kind: Kind, size: u32) -> Folder {
        let folder = Folder::open(home, kind).unwrap();
        let points = (size * size) as usize;
        let game = PlayedGame {
            size,
            komi: 15,
            seed: 1,
            opening: 0,
            moves: vec![81, 81],
            values: vec![500, 500],
            thoughts: vec![Thought { ply: 0, visits: 8, policy: vec![(81, 10_000)] }],
            winner: "W".to_owned(),
            margin: 15,
            ownership: ".".repeat(points),
        };
        std::fs::create_dir_all(folder.games(0)).unwrap();
        let shard = folder.games(0).join(format!("0.{}", shard::EXTENSION));
        shard::write(&shard, &shard::Header::new(kind, "heavy", "", 0), &[game]).unwrap();
        folder
    }

    /// A fit that begins with a network of this repository.
    fn from(model: Option<&str>) -> Fit {
        Fit {
            shape: "4x32".to_owned(),
            steps: 1,
            rate: 0.001,
            batch: 1,
            newest: 1,
            fit_threads: 1,
            from: model.map(|name| Path::new("../../models").join(name)),
            teacher: None,
            rounding: 0.25,
            bfloat: false,
        }
    }

    #[test]
    fn boards_of_the_network_begun_with_count_as_learned() {
        let home = tempfile::tempdir().unwrap();
        let folder = folder(home.path(), Kind::Go, 9);
        assert_eq!(from(None).sides(&folder, 0).unwrap(), (9, 9));
        assert_eq!(from(Some("go.safetensors")).sides(&folder, 0).unwrap(), (7, 19));
        // The first fit ended, and its network was not written.
        std::fs::write(folder.state(), "state").unwrap();
        assert_eq!(from(Some("go.safetensors")).sides(&folder, 0).unwrap(), (7, 19));
        // What goes on from a network of the folder takes nothing from another.
        let earlier = folder.network(0);
        std::fs::create_dir_all(earlier.parent().unwrap()).unwrap();
        std::fs::write(&earlier, network_of_9().write().unwrap()).unwrap();
        assert_eq!(from(Some("go.safetensors")).sides(&folder, 1).unwrap(), (9, 9));
    }

    /// A network that learned on 9x9 alone.
    fn network_of_9() -> Network {
        let network = Network::load(Path::new("../../models/go.safetensors")).unwrap();
        let about = About { sides: (9, 9), ..network.about().clone() };
        Trained::of(&network).quantise(about).unwrap()
    }

    #[test]
    fn a_network_names_those_that_it_comes_from() {
        let fit = Fit {
            teacher: Some(Path::new("../../models/gomoku.safetensors").to_owned()),
            ..from(Some("go.safetensors"))
        };
        let words = |begun: Option<&Path>| fit.provenance(3, begun).unwrap();
        let digest = |name: &str| {
            let network = Network::load(&Path::new("../../models").join(name)).unwrap();
            network.digest().to_string()[..12].to_owned()
        };
        let told =
            "banyan train, generation 3: self-play alone, 1 steps on the newest 1 rows at most";
        let taught = format!(", taught by network {}", digest("gomoku.safetensors"));
        assert_eq!(words(None), format!("{told}{taught}"));
        let begun = format!(", begun with network {}", digest("go.safetensors"));
        assert_eq!(words(fit.from.as_deref()), format!("{told}{begun}{taught}"));
    }

    #[test]
    fn boards_of_a_folders_networks_count_as_learned() {
        let home = tempfile::tempdir().unwrap();
        let folder = folder(home.path(), Kind::Go, 9);
        let earlier = folder.network(3);
        std::fs::create_dir_all(earlier.parent().unwrap()).unwrap();
        std::fs::copy("../../models/go.safetensors", &earlier).unwrap();
        assert_eq!(from(None).sides(&folder, 0).unwrap(), (7, 19));
        std::fs::write(&earlier, "no network").unwrap();
        let words = format!("{:#}", from(None).sides(&folder, 4).unwrap_err());
        assert!(words.contains("g003.safetensors"), "{words}");
        assert_eq!(from(None).sides(&folder, 3).unwrap(), (9, 9));
    }

    #[test]
    fn rows_are_of_games_up_to_the_generation_that_learns() {
        let home = tempfile::tempdir().unwrap();
        let folder = folder(home.path(), Kind::Go, 9);
        let later = folder.shard(1, 0);
        std::fs::create_dir_all(later.parent().unwrap()).unwrap();
        std::fs::copy(folder.games(0).join(format!("0.{}", shard::EXTENSION)), &later).unwrap();
        assert_eq!(export(&folder, 0).unwrap(), 1);
        assert_eq!(export(&folder, 1).unwrap(), 1);
        assert_eq!(export(&folder, 1).unwrap(), 0);
        // Rows that an earlier version made, or that are none.
        let path = folder.rows(encoding(&folder).unwrap().version).join("g001/0000.rows");
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes[..400]).into_owned();
        let version = format!("\"version\":\"{}\"", rows::VERSION);
        let at = text[8..].find(&version).expect("its version") + 8;
        let mut older = bytes.clone();
        older[at + 11] = b'1';
        for damaged in [&older[..], &bytes[..40], b""] {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(export(&folder, 1).unwrap(), 1);
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn rows_follow_shards_that_are_replaced_and_removed() {
        let home = tempfile::tempdir().unwrap();
        let folder = folder(home.path(), Kind::Go, 9);
        let [first, later] = [0, 1].map(|number| folder.shard(0, number));
        let old = folder.games(0).join(format!("0.{}", shard::EXTENSION));
        std::fs::copy(&old, &first).unwrap();
        std::fs::rename(&old, &later).unwrap();
        assert_eq!(export(&folder, 0).unwrap(), 2);
        let (header, games) = shard::read(&first).unwrap();
        shard::write(&first, &header, &[&games[..], &games].concat()).unwrap();
        assert_eq!(export(&folder, 0).unwrap(), 1);
        assert_eq!(export(&folder, 0).unwrap(), 0);
        std::fs::remove_file(&later).unwrap();
        assert_eq!(export(&folder, 0).unwrap(), 0);
        let rows = folder.rows(encoding(&folder).unwrap().version);
        assert_eq!(shard::list_of(&rows, "rows").unwrap(), [rows.join("g000/0000.rows")]);
    }

    /// Rows of games that this folder does not learn from yet, such as another that shares them does.
    #[test]
    fn rows_of_later_generations_stay_as_long_as_their_shards_do() {
        let home = tempfile::tempdir().unwrap();
        let folder = folder(home.path(), Kind::Go, 9);
        let later = folder.shard(1, 0);
        std::fs::create_dir_all(later.parent().unwrap()).unwrap();
        std::fs::copy(folder.games(0).join(format!("0.{}", shard::EXTENSION)), &later).unwrap();
        assert_eq!(export(&folder, 1).unwrap(), 2);
        assert_eq!(export(&folder, 0).unwrap(), 0);
        assert_eq!(export(&folder, 1).unwrap(), 0);
    }

    #[test]
    fn boards_of_a_kindred_game_do_not() {
        let home = tempfile::tempdir().unwrap();
        let folder = folder(home.path(), Kind::Connect6, 19);
        assert_eq!(from(Some("gomoku.safetensors")).sides(&folder, 0).unwrap(), (19, 19));
    }

    #[test]
    fn a_fit_begins_with_a_network_of_its_game_or_of_one_with_the_same_planes() {
        let begins = |kind, model| {
            let ours = Rules::new(kind, Terms::of(kind)).unwrap();
            let ours = with_game!(&ours, G, _rules => rows::encoding::<G>()).unwrap();
            may_begin(&Network::load(&Path::new("../../models").join(model)).unwrap(), &ours)
        };
        assert!(begins(Kind::Go, "go.safetensors").is_ok());
        // One of an earlier encoding sees the planes that it knows.
        let go = banyan_knowledge::go::planes::ENCODING;
        let gomoku = banyan_knowledge::gomoku::planes::ENCODING;
        let connect6 = banyan_knowledge::connect6::planes::ENCODING;
        for ours in [go, gomoku, connect6] {
            for before in ours.earlier() {
                let network = Network::random_for(&before, (1, 16), 1).unwrap();
                assert!(may_begin(&network, &ours).is_ok());
            }
        }
        assert!(begins(Kind::Gomoku, "gomoku.safetensors").is_ok());
        // By encoding 1 Connect6 has the planes that Gomoku has, by later ones others.
        for (of, ours) in [(gomoku, connect6), (connect6, gomoku)] {
            let before = of.earlier().next().unwrap();
            let network = Network::random_for(&before, (1, 16), 1).unwrap();
            assert!(may_begin(&network, &ours).is_ok());
            let later = Network::random_for(&of, (1, 16), 1).unwrap();
            let refused = may_begin(&later, &ours).unwrap_err().to_string();
            let expected = format!(
                "network for {0} by encoding 2, the game is {1}: expected one for {1}, or for {0} by encoding 1, whose \
                 planes are the same",
                of.game, ours.game
            );
            assert_eq!(refused, expected);
        }
        let refused = begins(Kind::Connect6, "go.safetensors").unwrap_err().to_string();
        assert_eq!(refused, "network for go, the game is connect6");
        assert!(begins(Kind::Othello, "gomoku.safetensors").is_err());
    }

    #[test]
    fn a_network_that_does_not_grow_is_refused_before_python_begins() {
        let home = tempfile::tempdir().unwrap();
        let folder = folder(home.path(), Kind::Go, 9);
        let python = Some("no-such-python".into());
        let torch = Torch { python, package: None, device: None };
        let refused = |shape: &str| {
            let fit = Fit { shape: shape.to_owned(), ..from(Some("go.safetensors")) };
            format!("{:#}", fit.run(&folder, 0, &torch).unwrap_err())
        };
        for shape in ["2x16", "4x48", "6x32", "6x64"] {
            let words = format!(
                "../../models/go.safetensors: a network of 6x48 does not grow into --shape {shape}: expected 6 blocks \
                 or more of 48 channels"
            );
            assert_eq!(refused(shape), words);
        }
        assert!(refused("7x48").starts_with("cannot run no-such-python"));
        // It is not begun with where there is a state.
        std::fs::write(folder.state(), "state").unwrap();
        assert!(refused("2x16").starts_with("cannot run no-such-python"));
    }

    #[test]
    fn networks_grow_as_long_as_heads_and_pooling_stay() {
        let words = |from: Shape, asked| check_grows(&from, asked).map_err(|it| it.to_string());
        let of = |blocks, channels| Shape::tower(blocks, channels, 5, 2);
        for (from, to) in
            [((4, 32), "4x48"), ((1, 16), "9x16"), ((2, 64), "2x96"), ((2, 112), "3x144")]
        {
            assert_eq!(words(of(from.0, from.1), to), Ok(()));
        }
        let refused = words(of(2, 64), "2x112").unwrap_err();
        assert!(
            refused.ends_with(": expected 2 blocks or more of 64 or 80 or 96 channels"),
            "{refused}"
        );
        let refused = words(Shape { head: 48, ..of(2, 64) }, "2x64").unwrap_err();
        assert!(
            refused.ends_with(": no --shape does, as its head or its pooling is another"),
            "{refused}"
        );
    }

    #[test]
    fn a_shape_is_one_that_networks_have() {
        assert_eq!(shape("6x48"), Ok("6x48".to_owned()));
        for (wrong, words) in [
            ("4", "must be BLOCKSxCHANNELS"),
            ("4x", "must be BLOCKSxCHANNELS"),
            ("-4x32", "must be BLOCKSxCHANNELS"),
            ("0x32", "blocks is 0, must be 1 to 64"),
            ("4x0", "channels is 0, must be 16 to 512"),
            ("4x40", "channels is 40, must be a multiple of 16"),
            ("99x32", "blocks is 99, must be 1 to 64"),
        ] {
            let refused = shape(wrong).unwrap_err();
            assert!(refused.contains(wrong) && refused.contains(words), "{refused}");
        }
    }

    #[test]
    fn a_rate_is_above_0_and_at_most_1_and_a_share_from_0_to_nine_tenths() {
        assert_eq!(rate("0.001"), Ok(0.001));
        for wrong in ["0", "-1", "1.5", "nan", "fast"] {
            assert!(rate(wrong).unwrap_err().contains(wrong));
        }
        assert_eq!((share("0"), share("0.9")), (Ok(0.0), Ok(0.9)));
        for wrong in ["-0.1", "1", "nan", "most"] {
            assert!(share(wrong).unwrap_err().contains(wrong));
        }
    }
}
