//! `banyan book build`: a book grows until its time is up.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use banyan_book::{Book, Paths, Progress, grow};
use banyan_cli::options::{BookBuildArgs, EngineArgs};
use banyan_engine::bookmaker::{Ends, Means, SessionJudge, leaf_limits, time_alone};
use banyan_engine::{Limits, Playable};
use banyan_games::{Listed, with_game};

use crate::config::Config;
use crate::node::Node;
use crate::signals;

/// Between two lines on how far it is.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// No more positions at once: each has tables of its own.
const LEAVES_MAX: usize = 64;

pub(super) fn run(args: &BookBuildArgs) -> anyhow::Result<()> {
    let config = Config::to_play(&EngineArgs { time: args.leaf_time, ..args.engine.clone() })?;
    with_game!(&config.search.rules, G, rules => {
        // Before anybody is waited for: a file that cannot be written is known at once.
        let book = Book::<G>::open(&args.file.book, rules)?;
        let node = super::super::gather(&config.setup, &config.wait)?;
        build(args, book, &config, &node)
    })
}

fn build<G: Playable + Listed>(
    args: &BookBuildArgs,
    mut book: Book<G>,
    config: &Config,
    node: &Node,
) -> anyhow::Result<()> {
    let limits = Limits {
        time: args.leaf_time,
        playouts: args.engine.playouts,
        depth: args.engine.engines.depth,
    };
    let means = Means {
        settings: config.search.settings.clone(),
        limits: leaf_limits(limits),
        solve_from: args.solve_from,
    };
    let lender = node.cluster().lender();
    let threads: u32 = lender.crews().iter().map(|crew| crew.threads).sum();
    let leaves = args.leaves.map_or((threads.max(1) as usize).min(LEAVES_MAX), |it| it.get());
    let ends = Ends::after(args.engine.time);
    let stop = ends.stop.clone();
    signals::on_stop({
        let stop = stop.clone();
        move || stop.store(true, Ordering::Relaxed)
    })?;
    let rules = book.rules().clone();
    let mut judges = SessionJudge::several(leaves, &rules, &lender, (&means, &ends))?;
    let paths = Paths { costs: args.expand, plies_max: args.plies };
    let started = Instant::now();
    tracing::info!(
        "{}: {} positions; {leaves} at once from here",
        args.file.book.display(),
        book.nodes().len()
    );
    let mut told = Teller { told: started, looked: 0, positions_max: args.positions };
    book.thinks_by(means.in_words(args.plies), time_alone(means.limits))?;
    let grown = grow(&mut book, &mut judges, &paths, &stop, &mut |progress| told.tell(&progress))?;
    let seconds = started.elapsed().as_secs_f64();
    let (positions, value) = (book.nodes().len(), book.nodes()[0].value);
    let why = if stop.load(Ordering::Relaxed) { "" } else { "; nothing is left to look into" };
    writeln!(
        std::io::stdout(),
        "{positions} positions, {grown} looked into in {seconds:.0} s; the start is worth {value:.3} to who begins{why}"
    )?;
    drop(Arc::clone(&lender));
    Ok(())
}

struct Teller {
    told: Instant,
    looked: u64,
    positions_max: Option<u64>,
}

impl Teller {
    /// Says from time to time how far it is; false once it is enough.
    fn tell<G: Playable>(&mut self, progress: &Progress<'_, G>) -> bool {
        self.looked += 1;
        if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            let chosen = progress.chosen.map(|mv| progress.place.position.move_text(mv));
            let chosen = chosen.unwrap_or_default();
            let line = progress.place.text();
            let count = progress.nodes.len();
            tracing::info!("{count} positions, {} looked into; last {line} {chosen}", self.looked);
        }
        self.positions_max.is_none_or(|most| self.looked < most)
    }
}
