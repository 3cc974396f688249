//! A GTP engine that plays at random and breaks when told to: see `banyan_lab::fake`.

use std::io::{stdin, stdout};

use banyan_lab::fake::Arguments;
use clap::Parser as _;

fn main() -> anyhow::Result<()> {
    Arguments::parse().run(&mut stdin().lock(), &mut stdout())
}
