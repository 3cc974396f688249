//! `banyan model`: networks made by chance, shown, and written for other programs.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use banyan_games::{Game as _, Kind, Listed, Rules, Size, Terms, with_game};
use banyan_knowledge::Knowledge;
use banyan_knowledge::planes::{self, Planes};
use banyan_learn::files;
use banyan_net::{About, Input, Network, onnx, test_vector};
use serde::Serialize;

use crate::games::{self, Found};
use crate::options::{ExportArgs, ModelArgs, ModelCommand, RandomArgs, ShowArgs};
use crate::position::by_chance;

/// Letters of what a file says of itself that are shown.
const WORDS_MAX: usize = 400;

/// Does what was asked of networks.
///
/// # Errors
/// A file that holds no network or cannot be written, a shape that none has.
pub fn run(args: &ModelArgs) -> anyhow::Result<()> {
    match &args.command {
        ModelCommand::Random(args) => random(args),
        ModelCommand::Show(args) => show(args),
        ModelCommand::Export(args) => export(args),
    }
}

fn random(args: &RandomArgs) -> anyhow::Result<()> {
    let rules = Rules::new(args.game, Terms::of(args.game))?;
    let encoding = with_game!(&rules, G, _rules => G::ENCODING);
    let Some(encoding) = encoding else {
        bail!("there is no encoding of {} for networks", args.game);
    };
    let network = Network::random_for(&encoding, (args.blocks, args.channels), args.seed)?;
    write(&args.out, &network.write()?, args.force)
}

fn load(file: &Path) -> anyhow::Result<Network> {
    Network::load(file).map_err(|why| anyhow::anyhow!("{}: {why}", file.display()))
}

/// Writes a file; over another one only where `force` says so.
fn write(file: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    may_write(file, force)?;
    files::put(file, bytes)
}

/// Refuses to write over a file where `force` does not say so.
fn may_write(file: &Path, force: bool) -> anyhow::Result<()> {
    if !force && std::fs::symlink_metadata(file).is_ok() {
        bail!("{} is there already; give --force to write over it", file.display());
    }
    Ok(())
}

/// Words of a file as a terminal may have them: on one line, without commands to it, and not endless.
fn plain(words: &str) -> String {
    let is_shown = |letter: &char| !letter.is_control();
    let mut shown: String = words.chars().filter(is_shown).take(WORDS_MAX).collect();
    if words.chars().filter(is_shown).count() > WORDS_MAX {
        shown.push('…');
    }
    shown
}

/// The answer of `banyan model show --json`.
#[derive(Debug, Serialize)]
struct Shown {
    game: String,
    encoding: u32,
    side_min: usize,
    side_max: usize,
    blocks: usize,
    channels: usize,
    planes: usize,
    globals: usize,
    /// Bytes of the convolutions' weights.
    weight_bytes: u64,
    /// Multiplications and additions of one evaluation on the game's usual board, millions.
    million_multiply_adds: f64,
    provenance: String,
    digest: String,
}

fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let network = load(&args.file)?;
    let (About { game, encoding, sides, provenance }, shape) = (network.about(), network.shape());
    let side = kind_of(&network).map_or(19, |kind| kind.side() as usize);
    let shown = Shown {
        game: game.clone(),
        encoding: *encoding,
        side_min: sides.0,
        side_max: sides.1,
        blocks: shape.blocks,
        channels: shape.channels,
        planes: shape.planes,
        globals: shape.globals,
        weight_bytes: shape.weight_bytes(),
        million_multiply_adds: shape.multiply_adds(side * side) as f64 / 1e6,
        provenance: provenance.clone(),
        digest: network.digest().to_string(),
    };
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&shown)?)?;
        return Ok(());
    }
    let Shown { encoding, blocks, channels, planes, globals, .. } = &shown;
    let game = plain(&shown.game);
    writeln!(
        out,
        "network     of {game}, encoding {encoding}: {planes} planes, {globals} globals"
    )?;
    let (least, most) = sides;
    writeln!(out, "boards      learned on sides of {least} to {most} points")?;
    writeln!(out, "shape       {blocks} blocks of {channels} channels")?;
    writeln!(out, "weights     {:.1} kB", shown.weight_bytes as f64 / 1000.0)?;
    writeln!(
        out,
        "evaluation  {:.1} million multiplications and additions on {side}x{side}",
        shown.million_multiply_adds
    )?;
    writeln!(out, "provenance  {}", plain(&shown.provenance))?;
    writeln!(out, "digest      {}", shown.digest)?;
    Ok(())
}

fn kind_of(network: &Network) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.name() == network.about().game)
}

fn export(args: &ExportArgs) -> anyhow::Result<()> {
    let outputs = args.onnx.with_extension("outputs.safetensors");
    let outputs = args.outputs.as_ref().unwrap_or(&outputs);
    for (file, other) in [(&args.onnx, &args.file), (outputs, &args.file), (outputs, &args.onnx)] {
        if is_same(file, other) {
            bail!(
                "{} would be written over {}: expected another name",
                file.display(),
                other.display()
            );
        }
    }
    let network = load(&args.file)?;
    let kind = kind_of(&network)
        .with_context(|| format!("{} is no game of this program", network.about().game))?;
    let terms = Terms::of(kind);
    let rules = Rules::new(kind, args.size.map_or(terms, |size| size.of(terms)))?;
    let (size, positions) = with_game!(&rules, G, rules => {
        let position = G::new(rules);
        let encoding = G::ENCODING;
        let encoding = encoding.with_context(|| format!("no network judges {kind}"))?;
        network.check_for(&encoding)?;
        if !planes::is_board(position.size()) {
            bail!("networks judge boards of 7x7 to 25x25, not {}", position.size());
        }
        let positions = match args.games.as_slice() {
            [] => by_chance(&position).take(args.positions).collect(),
            paths => of_games::<G>(rules, paths, args.positions)?,
        };
        (position.size(), positions.iter().map(planes_of).collect::<Vec<_>>())
    });
    let sides = (usize::from(size.width), usize::from(size.height));
    // Both or neither.
    may_write(outputs, args.force)?;
    write(&args.onnx, &onnx::export(&network, sides), args.force)?;
    let inputs: Vec<Input<'_>> =
        positions.iter().map(|planes| planes.input(network.shape().planes)).collect();
    write(outputs, &test_vector::write(&network, &inputs)?, args.force)
}

/// Tells whether two names are of one file, as far as can be known before it is there.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let place = |file: &Path| std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    place(one) == place(other)
}

fn planes_of<G: Knowledge>(position: &G) -> Planes {
    let mut planes = Planes::default();
    position.encode(&mut planes);
    planes
}

/// Positions of games of files that go on, at most so many, evenly over all of them.
///
/// - `rules`: games of another game or board are an error; komi and the like may differ.
fn of_games<G: Listed + Knowledge>(
    rules: &G::Rules,
    paths: &[PathBuf],
    count: usize,
) -> anyhow::Result<Vec<G>> {
    let mut files = Vec::new();
    paths.iter().try_for_each(|path| games::list(path, &mut files))?;
    let size = G::new(rules).size();
    let mut positions = Vec::new();
    for file in &files {
        for found in games::read(file, Some(&rules.clone().into()))? {
            positions.extend(
                positions_of::<G>(&found, size).with_context(|| file.display().to_string())?,
            );
        }
    }
    ensure!(
        !positions.is_empty(),
        "--games: no position of a game: expected .sgf or .ggf files, or folders of them"
    );
    let kept = count.min(positions.len());
    Ok((0..kept).map(|at| positions[at * positions.len() / kept].clone()).collect())
}

/// Positions of a game before each of its moves.
fn positions_of<G: Listed + Knowledge>(found: &Found, size: Size) -> anyhow::Result<Vec<G>> {
    let rules = G::Rules::try_from(found.rules())
        .map_err(|other| anyhow!("a game of {}: expected {}", other.kind(), G::KIND))?;
    let record = found.game::<G>(&rules)?.record;
    let mut position = record.start().clone();
    let (found, words) = (position.size(), |size: Size| format!("{}x{}", size.width, size.height));
    ensure!(
        found == size,
        "a game on {}: expected {}, or another --size",
        words(found),
        words(size)
    );
    let mut positions = Vec::with_capacity(record.plies().len());
    for &(side, mv) in record.plies() {
        positions.push(position.clone());
        position.set_side_to_move(side)?;
        position.play(mv);
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_of_itself_gives_a_terminal_no_commands() {
        assert_eq!(plain("by \u{1b}[31mme\nnetwork of chess"), "by [31mmenetwork of chess");
        assert_eq!(plain(&"x".repeat(100_000)).chars().count(), WORDS_MAX + 1);
    }

    #[test]
    fn a_file_that_is_there_is_written_over_only_where_that_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("net");
        write(&file, b"one", false).expect("it was not there");
        let refused = write(&file, b"two", false).expect_err("it is there").to_string();
        assert!(
            refused.ends_with("net is there already; give --force to write over it"),
            "{refused}"
        );
        assert_eq!(std::fs::read(&file).expect("whole"), b"one");
        write(&file, b"2", true).expect("forced");
        assert_eq!(std::fs::read(&file).expect("whole"), b"2");
        assert!(is_same(&file, &folder.path().join("./net")));
    }
}
