//! `banyan gtp`: a session on standard input and output.

use std::io::{self, BufReader};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use banyan_cli::options::GtpArgs;
use banyan_frontends::gtp::{self, Options};
use banyan_frontends::opening::Rule;
use banyan_games::{Kind, with_game};

use super::home::Home;
use crate::node::Node;
use crate::signals;

/// A search that is told to stop is answered within this.
const ANSWER_TIME: Duration = Duration::from_millis(500);

pub(super) fn run(args: &GtpArgs) -> anyhow::Result<()> {
    let is_opened = args.opening != Rule::None;
    anyhow::ensure!(
        !is_opened || args.engine.game == Kind::Gomoku,
        "--opening {} is a rule of gomoku: expected --game gomoku, not {}",
        args.opening,
        args.engine.game,
    );
    let (config, home) = Home::find(&args.engine, &args.remote, &args.opening_book)?;
    let stopping = Arc::new(AtomicBool::new(false));
    let options = Options { stopping: stopping.clone(), ..Options::from(args) };
    with_game!(&config.search.rules, G, rules => {
        let (session, node) = home.session::<G>(rules, &config.search.settings)?;
        end_on_signal(node.as_ref(), session.end_for_good(), stopping)?;
        gtp::run(BufReader::new(io::stdin()), io::stdout().lock(), session, options)
    })
    .context("cannot answer")
}

/// The move under way is answered first. A thread that waits for the next line cannot be woken: where
/// there is nothing to answer the process ends under it, once the workers have been told.
fn end_on_signal(
    node: Option<&Node>,
    end: impl Fn() + Send + 'static,
    stopping: Arc<AtomicBool>,
) -> io::Result<()> {
    let link = node.map(|node| node.cluster().link().clone());
    signals::on_stop(move || {
        stopping.store(true, Ordering::Relaxed);
        end();
        std::thread::sleep(ANSWER_TIME);
        if let Some(link) = link {
            link.farewell();
        }
        std::process::exit(0);
    })
}
