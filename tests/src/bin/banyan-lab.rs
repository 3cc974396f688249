//! Plays settings of the search against each other at equal playouts: see [`banyan_tests::lab`].

use banyan_tests::lab;
use clap::Parser;

fn main() -> anyhow::Result<()> {
    lab::run(&lab::Arguments::parse(), &mut std::io::stdout())
}
