//! `banyan book`: books made, looked at, filled with games, written for others, checked.

mod build;

use banyan_cli::command::book::{check, export, import, probe, show};
use banyan_cli::options::{BookArgs, BookCommand};

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
