//! Plays settings of the search against each other at equal playouts: see [`banyan_lab::self_play`].

use std::io::{Write as _, stderr, stdout};
use std::process::ExitCode;

use banyan_lab::self_play;
use clap::Parser as _;

fn main() -> ExitCode {
    match self_play::run(&self_play::Arguments::parse(), &mut stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to tell it to if standard error is closed.
            let _ = writeln!(stderr(), "banyan-lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}
