//! Fits the weights of evaluations of Othello, Gomoku and Connect6: see [`banyan_learn::evaluations`].

use banyan_learn::evaluations;
use clap::Parser;

fn main() -> anyhow::Result<()> {
    evaluations::run(&evaluations::Arguments::parse(), &mut std::io::stdout())
}
