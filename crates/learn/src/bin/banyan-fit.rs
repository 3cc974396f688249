//! Fits the weights of Othello's evaluation: see [`banyan_learn::evaluations`].

use banyan_learn::evaluations;
use clap::Parser;

fn main() -> anyhow::Result<()> {
    evaluations::run(&evaluations::Arguments::parse(), &mut std::io::stdout())
}
