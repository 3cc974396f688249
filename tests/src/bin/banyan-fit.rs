//! Fits the weights of Othello's evaluation: see [`banyan_tests::fit`].

use banyan_tests::fit;
use clap::Parser;

fn main() -> anyhow::Result<()> {
    fit::run(&fit::Arguments::parse(), &mut std::io::stdout())
}
