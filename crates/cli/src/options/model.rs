//! Options of `banyan model`.

use std::path::PathBuf;

use banyan_games::Kind;
use clap::{Args, Subcommand};

use super::BoardSize;

/// Options of `banyan model`.
#[derive(Clone, Debug, Args)]
pub struct ModelArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: ModelCommand,
}

/// What is done with networks.
#[derive(Clone, Debug, Subcommand)]
pub enum ModelCommand {
    /// Make a network of chance weights, to measure with: a network's speed depends on its shape alone.
    Random(RandomArgs),
    /// Say what a network is for, how large it is, where it comes from, and its digest.
    Show(ShowArgs),
    /// Write a network for other programs: in floating point as ONNX, and what the network of whole
    /// numbers says of some positions.
    Export(ExportArgs),
}

/// Options of `banyan model random`.
#[derive(Clone, Debug, Args)]
pub struct RandomArgs {
    /// Residual blocks, 1 to 64.
    #[arg(long, default_value_t = 6, value_name = "N")]
    pub blocks: usize,
    /// Channels, a multiple of 16 up to 512.
    #[arg(long, default_value_t = 48, value_name = "N")]
    pub channels: usize,
    /// The game whose positions it takes.
    #[arg(long, env = "BANYAN_GAME", default_value_t = Kind::Go)]
    pub game: Kind,
    /// Other seeds give other weights.
    #[arg(long, env = "BANYAN_SEED", default_value_t = 1)]
    pub seed: u64,
    /// Where it goes.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Write over a file that is there.
    #[arg(long)]
    pub force: bool,
}

/// Options of `banyan model show`.
#[derive(Clone, Debug, Args)]
pub struct ShowArgs {
    /// The network.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Answer with one JSON object instead of text.
    #[arg(long, env = "BANYAN_JSON")]
    pub json: bool,
}

/// Options of `banyan model export`.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// The network.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Where the ONNX file goes, in floating point: what the network is the quantisation of.
    #[arg(long, value_name = "FILE")]
    pub onnx: PathBuf,
    /// Where positions go and what the network of whole numbers says of them, as safetensors (the names
    /// stand in crates/net/src/test_vector.rs) [default: the ONNX file's name with .outputs.safetensors].
    #[arg(long, value_name = "FILE")]
    pub outputs: Option<PathBuf>,
    /// The board that the ONNX file is for: points a side, or WIDTHxHEIGHT [default: the game's own].
    #[arg(long, env = "BANYAN_SIZE", value_name = "N")]
    pub size: Option<BoardSize>,
    /// Positions, at most, of games that are played by chance.
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub positions: usize,
    /// Positions of these games in place of those that chance makes: .sgf, and .ggf with a game a line, or folders
    /// of them.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub games: Vec<PathBuf>,
    /// Write over files that are there.
    #[arg(long)]
    pub force: bool,
}
