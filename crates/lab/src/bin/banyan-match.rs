//! Plays two GTP engines against each other: see `banyan_lab::runner`.

use std::io::{Write as _, stderr, stdout};
use std::process::ExitCode;

use banyan_lab::runner::cli::Arguments;
use clap::Parser as _;

fn main() -> ExitCode {
    match Arguments::parse().run(&mut stdout()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to tell it to if standard error is closed.
            let _ = writeln!(stderr(), "banyan-match: {error:#}");
            ExitCode::FAILURE
        }
    }
}
