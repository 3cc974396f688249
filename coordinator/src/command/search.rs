//! `banyan search`: one search, watched as it goes, explained when it is done.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Context as _;
use banyan_cli::config::judge_of;
use banyan_cli::options::SearchArgs;
use banyan_cli::position::{played, read_sgf};
use banyan_cli::report;
use banyan_engine::checkpoint::{Checkpoint, CheckpointError, Wish};
use banyan_engine::report::{Module, Report};
use banyan_engine::{Playable, Session, Settings};
use banyan_games::{Record, Rules, with_game};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cluster::Link;
use crate::config::Config;
use crate::{signals, view};

/// Komi in half points, in Go.
fn komi_of(rules: &Rules) -> Option<i16> {
    if let Rules::Go(go) = rules { Some(go.komi()) } else { None }
}

pub(super) fn run(args: &SearchArgs) -> anyhow::Result<()> {
    let mut config = Config::new(&args.engine)?;
    config.search.settings.digest = true;
    let (meant, komi) = ((args.engine.game, args.engine.rules), komi_of(&config.search.rules));
    let read = |path: &std::path::PathBuf| read_sgf(path, meant, komi, args.ply);
    let game = args.sgf.as_ref().map(read).transpose()?;
    if let Some(game) = &game {
        config.search.rules = game.rules.clone();
        config.search.settings = config.search.settings.under(&game.rules);
    }
    if args.checkpoint.is_some() && config.search.settings.engines.classical.is_some() {
        anyhow::bail!(
            "--checkpoint keeps a tree, and a classical engine grows none: expected --engine uct, or no --checkpoint"
        );
    }
    let rules = config.search.rules.clone();
    with_game!(&rules, G, rules => {
        let record = match &game {
            Some(game) => game.record::<G>(rules).with_context(|| file_name(args))?,
            None => played::<G>(rules, &args.moves)?,
        };
        config.open_by(&args.opening_book)?;
        let wish = args.checkpoint.clone().map(|file| Wish { file, every: args.checkpoint_every });
        search(record, &config, wish.as_ref(), args.json)
    })
}

fn file_name(args: &SearchArgs) -> String {
    args.sgf.as_ref().map_or_else(String::new, |file| file.display().to_string())
}

fn search<G: Playable>(
    record: Record<G>,
    config: &Config,
    wish: Option<&Wish>,
    json: bool,
) -> anyhow::Result<()> {
    let position = record.position().clone();
    if let Some(outcome) = position.outcome() {
        anyhow::bail!("the game is over ({outcome}): there is nothing to search");
    }
    // Before anybody is waited for: a file that cannot be gone on with is known at once.
    let checkpoint = wish.map(|wish| opened(wish, &record, &config.search.settings)).transpose()?;
    let node = super::gather(&config.setup, &config.wait)?;
    let mut session =
        Session::<G>::new(position.rules(), node.cluster().lender(), &config.search.settings)?;
    *session.record_mut() = record;
    if let Some(checkpoint) = checkpoint {
        session.keep_in(checkpoint);
    }
    node.show(&mut session);
    signals::on_stop(session.end_for_good())?;
    let bar = progress_bar(json);
    let (side, limits) = (position.side_to_move(), session.limits());
    let found = session.book_move(side, limits, &[]).unwrap_or_else(|| {
        session.think(side, limits, Vec::new(), &mut |report| {
            bar.set_message(progress(&position, report));
        })
    });
    bar.finish_and_clear();
    let nodes = nodes(node.cluster().link(), &found);
    searched(&found, &nodes)?;
    let mut out = anstream::stdout().lock();
    if json {
        let rules: Rules = position.rules().clone().into();
        let answer = report::search(
            &rules,
            &position,
            judge_of(&config.search.settings.tuning),
            (&found, nodes),
        );
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        write!(out, "{}", report::text(session.record(), &found, &nodes))?;
    }
    Ok(())
}

/// Every worker that played for this search or is there, and every one that was put out for good.
fn nodes(link: &Link, found: &Report) -> Vec<report::Node> {
    let Some(ended) = &found.ended else { return Vec::new() };
    let played = &ended.settlement.played;
    let total = played.iter().map(|&(_, playouts)| playouts).sum::<u64>().max(1);
    let seconds = found.elapsed.as_secs_f64().max(1e-9);
    let all = link.view().nodes().into_iter();
    let node = |(id, node): (_, view::Node)| {
        let playouts = played.iter().find(|&&(by, _)| by == id).map_or(0, |&(_, sum)| sum);
        let is_listed = node.present || playouts > 0 || node.quarantined.is_some();
        is_listed.then(|| report::Node {
            name: node.name,
            threads: node.threads,
            playouts,
            playouts_per_s: playouts as f64 / seconds,
            share: playouts as f64 / total as f64,
            is_present: node.present,
            quarantined: node.quarantined,
        })
    };
    all.filter_map(node).collect()
}

/// Refuses to call that an answer which nobody has searched for.
fn searched(found: &Report, nodes: &[report::Node]) -> anyhow::Result<()> {
    let is_searched = found.sums.playouts > 0 || found.explanation.module != Module::Uct;
    if is_searched || found.candidates.is_empty() {
        return Ok(());
    }
    let seconds = found.elapsed.as_secs_f64();
    let has_threads = nodes.iter().any(|node| node.is_present);
    anyhow::bail!(match has_threads {
        true => format!(
            "nothing was searched: 0 playouts in {seconds:.3} s, so there is no best move: expected \
             more --time, or --playouts N"
        ),
        false => format!(
            "nothing was searched in {seconds:.3} s: this process has no threads and no worker is \
             there: expected --threads 1 or more, or --listen ADDR:PORT with --min-workers 1"
        ),
    })
}

fn opened<G: Playable>(
    wish: &Wish,
    record: &Record<G>,
    settings: &Settings,
) -> Result<Checkpoint, CheckpointError> {
    let checkpoint = G::open_checkpoint(wish, record, settings)?;
    let (file, playouts) = (wish.file.display(), checkpoint.playouts());
    if playouts > 0 {
        let seconds = checkpoint.elapsed().as_secs_f32();
        tracing::info!("{file}: going on from {playouts} playouts of {seconds:.1} s");
    }
    Ok(checkpoint)
}

fn progress_bar(json: bool) -> ProgressBar {
    if json {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn progress<G: Playable>(position: &G, report: &Report) -> String {
    let playouts = report.sums.playouts;
    let new = playouts.saturating_sub(report.before.playouts);
    let rate = new as f64 / report.elapsed.as_secs_f64().max(1e-9);
    let best = report.candidates.first().map_or_else(String::new, |best| {
        let (mv, side) = (position.move_text(best.mv), position.side_to_move());
        format!("  best {mv} {:.1} % for {side}", 100.0 * best.value)
    });
    let line: Vec<String> = report.pv.iter().take(6).map(|&mv| position.move_text(mv)).collect();
    let line = line.join(" ");
    match report.explanation.module {
        Module::Uct => {
            let counted = report::counted(report);
            format!("{playouts} {counted}  {rate:.0}/s{best}  {line}")
        }
        module => {
            let positions = report.explanation.positions;
            format!("{}  {positions} positions{best}  {line}", module.name())
        }
    }
}
