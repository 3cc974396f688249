//! Tunes numbers of a GTP engine by games against itself: see `banyan_lab::tune`.

use std::io::{Write as _, stderr, stdout};
use std::process::ExitCode;

use banyan_lab::tune::Arguments;
use clap::Parser as _;

fn main() -> ExitCode {
    match Arguments::parse().run(&mut stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to tell it to if standard error is closed.
            let _ = writeln!(stderr(), "banyan-tune: {error:#}");
            ExitCode::FAILURE
        }
    }
}
