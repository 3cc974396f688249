//! `banyan model`: networks made by chance, shown, and written for other programs.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use banyan_games::{Game as _, Kind, Rules, Terms, with_game};
use banyan_knowledge::Knowledge;
use banyan_knowledge::planes::{self, Planes};
use banyan_net::{About, Input, Network, onnx, test_vector};
use serde::Serialize;

use crate::options::{ExportArgs, ModelArgs, ModelCommand, RandomArgs, ShowArgs};
use crate::position::by_chance;

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
    write(&args.out, &network.write()?)
}

fn load(file: &Path) -> anyhow::Result<Network> {
    Network::load(file).map_err(|why| anyhow::anyhow!("{}: {why}", file.display()))
}

fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
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
    let Shown { game, encoding, blocks, channels, planes, globals, .. } = &shown;
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
    writeln!(out, "provenance  {}", shown.provenance)?;
    writeln!(out, "digest      {}", shown.digest)?;
    Ok(())
}

fn kind_of(network: &Network) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.name() == network.about().game)
}

fn export(args: &ExportArgs) -> anyhow::Result<()> {
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
        (position.size(), planes_by_chance(&position, args.positions))
    });
    let sides = (usize::from(size.width), usize::from(size.height));
    write(&args.onnx, &onnx::export(&network, sides))?;
    let inputs: Vec<Input<'_>> = positions.iter().map(Planes::input).collect();
    let outputs = args.onnx.with_extension("outputs.safetensors");
    let outputs = args.outputs.as_ref().unwrap_or(&outputs);
    write(outputs, &test_vector::write(&network, &inputs)?)
}

/// Planes of positions that chance makes.
fn planes_by_chance<G: Knowledge>(start: &G, count: usize) -> Vec<Planes> {
    let planes = |position: &G| {
        let mut planes = Planes::default();
        position.encode(&mut planes);
        planes
    };
    by_chance(start, count).iter().map(planes).collect()
}
