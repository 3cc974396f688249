//! `banyan book`: books made, looked at, filled with games, written for others, checked.

mod build;

mod check;

mod export;

mod import;

mod probe;

mod show;

use std::path::Path;

use banyan_games::Rules;

use crate::bookmaker::Keeping;
use crate::cli::{BookArgs, BookCommand};

pub(super) fn run(args: &BookArgs) -> anyhow::Result<()> {
    match &args.command {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Show(args) => show::run(args),
        BookCommand::Probe(args) => probe::run(args),
        BookCommand::Import(args) => import::run(args),
        BookCommand::Export(args) => export::run(args),
        BookCommand::Check(args) => check::run(args),
    }
}

/// The rules of the book in a file.
fn rules_of(file: &Path) -> anyhow::Result<Rules> {
    Keeping::rules_of(file)
}
