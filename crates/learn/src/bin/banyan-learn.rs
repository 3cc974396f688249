//! Learns the weights of heavy playouts: see [`banyan_learn::heavy`].

use banyan_learn::heavy;
use clap::Parser;

fn main() -> anyhow::Result<()> {
    heavy::run(&heavy::Arguments::parse(), &mut std::io::stdout().lock())
}
