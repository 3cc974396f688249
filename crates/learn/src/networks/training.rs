//! Fits a network: games to rows, rows to weights by PyTorch, weights to whole numbers.

use super::folder::Folder;
use super::{rows, shard};
use crate::files::put;
use anyhow::{Context as _, bail};
use banyan_games::{Game as _, Rules, Terms, with_game};
use banyan_knowledge::planes::Encoding;
use banyan_net::network::About;
use banyan_net::{Network, Trained};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options of a fit.
#[derive(Clone, Debug, Args)]
pub struct Fit {
    /// Python with what crates/learn/python/requirements.txt names.
    #[arg(long, default_value = "python3")]
    pub python: PathBuf,
    /// Folder of the Python package banyan_learn.
    #[arg(long, default_value = "crates/learn/python")]
    pub package: PathBuf,
    /// Shape of the network, BLOCKSxCHANNELS.
    #[arg(long, default_value = "4x32")]
    pub shape: String,
    /// Steps of a fit, count.
    #[arg(long, default_value_t = 2000)]
    pub steps: u32,
    /// Size of the largest steps, above 0, at most 1; smaller where a fit goes astray.
    #[arg(long, default_value_t = 0.002, value_parser = rate)]
    pub rate: f64,
    /// Rows that are learned from, the newest, count.
    #[arg(long, default_value_t = 1_000_000)]
    pub newest: u64,
    /// Threads of the fit.
    #[arg(long, default_value_t = 2)]
    pub fit_threads: u32,
    /// Network whose weights the first fit of a folder begins with [default: chance].
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Multiply in bfloat16 in the trunk, where nothing is rounded: faster where the processor can.
    #[arg(long)]
    pub bfloat: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| rate > 0.0 && rate <= 1.0);
    rate.ok_or_else(|| format!("{text:?}: must be a number above 0, at most 1"))
}

/// Makes the rows that are missing; returns how many shards had none.
///
/// # Errors
/// A shard that is none, a file that cannot be written.
pub fn export(folder: &Folder) -> anyhow::Result<usize> {
    let encoding = encoding(folder)?;
    let (games, to) = (folder.all_games(), folder.rows(encoding.version));
    let mut made = 0;
    for from in shard::list(&games)? {
        let inner = from.strip_prefix(&games).unwrap_or(&from).to_string_lossy();
        let path = to.join(inner.replace(shard::EXTENSION, "rows"));
        if !path.exists() {
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            let rules = Rules::new(folder.game(), Terms::of(folder.game()))?;
            with_game!(&rules, G, _rules => rows::export::<G>(&from, &path))?;
            made += 1;
        }
    }
    Ok(made)
}

/// How positions of a folder's game become planes.
fn encoding(folder: &Folder) -> anyhow::Result<Encoding<'static>> {
    let rules = Rules::new(folder.game(), Terms::of(folder.game()))?;
    with_game!(&rules, G, _rules => rows::encoding::<G>())
}

/// Shortest and longest side of the boards of a folder's games.
fn sides(games: &Path) -> anyhow::Result<(usize, usize)> {
    let mut sides = Vec::new();
    for path in shard::list(games)? {
        sides.extend(shard::read(&path)?.1.iter().map(|game| game.size as usize));
    }
    let least = sides.iter().min().with_context(|| format!("no games in {}", games.display()))?;
    Ok((*least, sides.iter().copied().max().unwrap_or(*least)))
}

impl Fit {
    /// Fits a network to all games of a folder and keeps it as that of a generation.
    ///
    /// # Errors
    /// Python that is not there or fails, with its last words above ours; weights that make no network.
    pub fn run(&self, folder: &Folder, generation: u32) -> anyhow::Result<Network> {
        export(folder)?;
        let float = folder.float(generation);
        float.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        self.python(folder, &float, generation)?;
        let bytes = std::fs::read(&float)
            .with_context(|| format!("the fit has not written {}", float.display()))?;
        let provenance = format!(
            "banyan train, generation {generation}: self-play alone, {} steps on the newest {} rows",
            self.steps, self.newest
        );
        let Encoding { game, version: encoding, .. } = encoding(folder)?;
        let game = game.to_owned();
        let sides = sides(&folder.all_games())?;
        let network =
            Trained::read(&bytes)?.quantise(About { game, encoding, sides, provenance })?;
        put(&folder.network(generation), &network.write()?)?;
        Ok(network)
    }

    fn python(&self, folder: &Folder, float: &Path, generation: u32) -> anyhow::Result<()> {
        let mut command = Command::new(&self.python);
        command
            .env("PYTHONPATH", &self.package)
            .args(["-m", "banyan_learn.fit", "--shape", &self.shape])
            .args(["--steps", &self.steps.to_string(), "--newest", &self.newest.to_string()])
            .args(["--rate", &self.rate.to_string()])
            .args(["--threads", &self.fit_threads.to_string(), "--seed", &generation.to_string()])
            .arg("--rows")
            .arg(folder.rows(encoding(folder)?.version))
            .arg("--checkpoint")
            .arg(folder.state())
            .arg("--to")
            .arg(float);
        let rules = Rules::new(folder.game(), Terms::of(folder.game()))?;
        // Hex looks the same under a half turn alone, all other boards under all eight symmetries.
        if with_game!(&rules, G, rules => G::new(rules).symmetries().len()) < 8 {
            command.arg("--half-turn");
        }
        if self.bfloat {
            command.arg("--bfloat");
        }
        if let Some(from) = &self.from {
            let network = Network::load(from).with_context(|| format!("{}", from.display()))?;
            let begin = folder.begin();
            put(&begin, &Trained::of(&network).write()?)?;
            command.arg("--from").arg(begin);
        }
        let status =
            command.status().with_context(|| format!("cannot run {}", self.python.display()))?;
        if !status.success() {
            bail!("the fit by {} ended with {status}", self.python.display());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_above_0_and_at_most_1() {
        assert_eq!(rate("0.001"), Ok(0.001));
        for wrong in ["0", "-1", "1.5", "nan", "fast"] {
            assert!(rate(wrong).unwrap_err().contains(wrong));
        }
    }
}
