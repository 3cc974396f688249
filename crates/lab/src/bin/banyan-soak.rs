//! Plays for half an hour while workers are killed, frozen and started: see `banyan_lab::soak`.

use std::io::{Write as _, stderr, stdout};
use std::process::ExitCode;

use banyan_lab::soak::Arguments;
use clap::Parser as _;

fn main() -> ExitCode {
    match Arguments::parse().run(&mut stdout()) {
        Ok(outcome) if outcome.complaints().is_empty() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(stderr(), "banyan-soak: {error}");
            ExitCode::FAILURE
        }
    }
}
