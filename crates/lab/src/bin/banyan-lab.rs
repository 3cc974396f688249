//! Plays settings of the search against each other at equal playouts: see [`banyan_lab::self_play`].

use banyan_lab::self_play;
use clap::Parser;

fn main() -> anyhow::Result<()> {
    self_play::run(&self_play::Arguments::parse(), &mut std::io::stdout())
}
