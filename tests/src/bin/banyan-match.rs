//! Plays two GTP engines against each other: see `banyan_tests::runner`.

use std::io::stdout;

use banyan_tests::runner::cli::Arguments;
use clap::Parser as _;

fn main() -> anyhow::Result<()> {
    Arguments::parse().run(&mut stdout())?;
    Ok(())
}
