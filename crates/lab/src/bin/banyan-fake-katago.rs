//! A stand-in for KataGo's analysis process, which breaks when told to: see `banyan_lab::fake_katago`.

use std::io::{BufReader, stdin, stdout};

use banyan_lab::fake_katago::Arguments;
use clap::Parser as _;

fn main() -> anyhow::Result<()> {
    Arguments::parse().run(BufReader::new(stdin()), &mut stdout())
}
