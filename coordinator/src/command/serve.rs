//! `banyan serve`: a coordinator that stays up, for workers that join and front ends that attach.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc;

use anyhow::Context as _;
use banyan_book::{Costs, Paths};
use banyan_cli::command::book::rules_of;
use banyan_cli::options::{Cli, ClusterArgs, Command, ServeArgs};
use banyan_engine::Limits;
use banyan_engine::bookmaker::{Keeper, Keeping, Means};
use banyan_games::Kind;
use banyan_jobs::Purpose;
use clap::{CommandFactory as _, FromArgMatches as _};

use crate::cluster::Link;
use crate::config::{self, Config};
use crate::node::Node;
use crate::upstream::Upstream;
use crate::{signals, site};

/// Positions of Othello with so many empty squares are solved.
const SOLVE_FROM: u32 = 24;

/// No more positions at once: each has tables of its own.
const LEAVES_MAX: usize = 16;

pub(super) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let setup = config::serving(args)?;
    let joining = config::joining(args, &setup)?;
    let node = Node::start(&setup).context("cannot start the cluster")?;
    if let Some(address) = node.listening().map(site::dialled) {
        tracing::info!("front ends may attach: banyan gtp --remote {address}");
        tracing::info!("workers may join: banyan-worker --join {address}");
    }
    // Before the node: what it has lent must end first.
    let _keeper = args.book.as_ref().map(|file| keeper(args, file, &node)).transpose()?;
    let (stop, stopped) = mpsc::channel();
    let refused = stop.clone();
    signals::on_stop(move || {
        let _ = stop.send(Ok(()));
    })?;
    let work_for = |join| {
        let refused = move |why| drop(refused.send(Err(why)));
        Upstream::start(join, node.cluster().link(), refused)
    };
    let upstream = joining.map(work_for).transpose()?;
    let ended = stopped.recv().unwrap_or(Ok(()));
    // What is held of the other coordinator's work is finished while workers are still here.
    drop(upstream);
    tracing::info!("stopping: workers and front ends are told");
    Ok(ended?)
}

/// Keeps a book growing while nobody plays.
fn keeper(args: &ServeArgs, file: &Path, node: &Node) -> anyhow::Result<Keeper> {
    let rules = rules_of(file)?;
    let config = who_plays(args, rules.kind(), node.listening())?;
    let threads: u32 = node.cluster().lender().crews().iter().map(|crew| crew.threads).sum();
    let limits = Limits { time: Some(args.leaf_time), ..Limits::default() };
    let settings = config.search.settings.under(&rules);
    let means = Means { settings, limits, solve_from: SOLVE_FROM };
    let paths = Paths { costs: Costs::DROP_OUT, plies_max: usize::MAX };
    let leaves = (threads.max(1) as usize).min(LEAVES_MAX);
    let keeping = Keeping { file: file.to_owned(), rules, means, leaves, paths };
    let link = node.cluster().link().clone();
    Keeper::start(keeping, node.cluster().lender(), move || somebody_plays(&link))
}

/// Whoever plays best where nothing was said, with the workers of this cluster.
///
/// - `listening`: where it lets them in.
fn who_plays(
    args: &ServeArgs,
    game: Kind,
    listening: Option<SocketAddr>,
) -> anyhow::Result<Config> {
    let typed = format!("banyan gtp --game {game}");
    let matches = without_environment("gtp").try_get_matches_from(typed.split(' '))?;
    let Command::Gtp(mut playing) = Cli::from_arg_matches(&matches)?.command else {
        anyhow::bail!("gtp is gtp");
    };
    playing.engine.cluster = ClusterArgs { listen: listening, ..args.cluster.clone() };
    Ok(Config::to_play(&playing.engine)?)
}

/// The command line, of which one command does not look at the environment: what stands there is meant for another.
fn without_environment(name: &'static str) -> clap::Command {
    Cli::command().mut_subcommand(name, |it| it.mut_args(|arg| arg.env(None::<&'static str>)))
}

/// Tells whether anything is searched that is not a book's.
fn somebody_plays(link: &Link) -> bool {
    link.view().whole().searches.iter().any(|it| it.claim.purpose != Purpose::Idle)
}

#[cfg(test)]
mod tests {
    use banyan_games::{Rules, Terms};
    use clap::Parser as _;

    use super::*;

    #[test]
    fn what_the_environment_says_to_serve_is_not_heard_by_who_grows_a_book() {
        let looks = |command: clap::Command| {
            let gtp = command.find_subcommand("gtp").expect("it is there").clone();
            gtp.get_arguments().filter(|arg| arg.get_env().is_some()).count()
        };
        assert!(looks(Cli::command()) > 0);
        assert_eq!(looks(without_environment("gtp")), 0);
    }

    #[test]
    fn whoever_plays_best_with_workers_grows_a_book_on_an_open_address_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let token = folder.path().join("token");
        std::fs::write(&token, "a-secret-of-thirty-two-characters").expect("written");
        let token = token.to_str().expect("a name in Unicode");
        let open = "0.0.0.0:7337";
        let typed = ["banyan", "serve", "--listen", open, "--token-file", token, "--book", "b"];
        let Command::Serve(args) = Cli::parse_from(typed).command else { panic!("serve is serve") };
        let is_classical = |game| {
            let config = who_plays(&args, game, open.parse().ok()).expect("it may be open");
            let rules = Rules::new(game, Terms::of(game)).expect("the usual board");
            config.search.settings.under(&rules).engines.classical.is_some()
        };
        assert!(!is_classical(Kind::Gomoku) && is_classical(Kind::Othello));
    }
}
