//! Learns the weights of heavy playouts: see [`banyan_tests::learn`].

use banyan_tests::learn;
use clap::Parser;

fn main() -> anyhow::Result<()> {
    learn::run(&learn::Arguments::parse(), &mut std::io::stdout().lock())
}
