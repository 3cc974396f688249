//! `banyan search`: one search, watched as it goes, explained when it is done.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Context as _;
use banyan_engine::checkpoint::{Checkpoint, CheckpointError, Wish};
use banyan_engine::report::{Module, Report};
use banyan_engine::{Playable, Session, Settings};
use banyan_games::{IllegalMove, Kind, Move, MoveTextError, Record, Rules, with_game};
use banyan_records::sgf;
use indicatif::{ProgressBar, ProgressStyle};

use super::report;
use crate::cli::SearchArgs;
use crate::config::{self, Config};
use crate::signals;

pub(super) fn run(args: &SearchArgs) -> anyhow::Result<()> {
    let mut config = Config::new(&args.engine)?;
    config.settings.digest = true;
    let game =
        args.sgf.as_ref().map(|path| read_sgf(path, args.engine.game, args.ply)).transpose()?;
    if let Some(game) = &game {
        config.rules = game.rules.clone();
    }
    let rules = config.rules.clone();
    with_game!(&rules, G, rules => {
        let record = match &game {
            Some(game) => game.record::<G>(rules)?,
            None => played::<G>(rules, &args.moves)?,
        };
        config.settings.book = config::opening(&args.opening_book, &config.rules)?;
        let wish = args.checkpoint.clone().map(|file| Wish { file, every: args.checkpoint_every });
        search(record, &config, wish.as_ref(), args.json)
    })
}

/// The first game of a file, up to the ply that was asked for.
pub(super) fn read_sgf(
    path: &std::path::Path,
    kind: Kind,
    ply: Option<usize>,
) -> anyhow::Result<sgf::SgfGame> {
    let name = path.display();
    let reads = std::fs::metadata(path).with_context(|| format!("cannot read {name}"))?;
    if !reads.is_file() {
        anyhow::bail!("{name} is no file: expected one that can be read to its end");
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let options = sgf::Options { kind: Some(kind), plies: ply, ..sgf::Options::default() };
    let game = sgf::read(&bytes, &options).with_context(|| name.to_string())?;
    if let Some(asked) = ply.filter(|&asked| asked > game.plies.len()) {
        anyhow::bail!("{name} has {} plies: there is no position after {asked}", game.plies.len());
    }
    Ok(game)
}

/// Why `--moves` cannot be played.
#[derive(Debug, thiserror::Error)]
pub(super) enum MovesError {
    #[error("--moves, number {number}: {source}")]
    Text { number: usize, source: MoveTextError },
    #[error("--moves, number {number}: {source}")]
    Illegal { number: usize, source: IllegalMove },
}

/// The game after the moves of a text such as `e5 c3`. Forced passes may be left out.
pub(super) fn played<G: Playable>(rules: &G::Rules, moves: &str) -> Result<Record<G>, MovesError> {
    let mut record = Record::<G>::new(rules);
    let words = moves.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty());
    for (index, word) in words.enumerate() {
        let number = index + 1;
        let mv = record.position().parse_move(word);
        let mv = mv.map_err(|source| MovesError::Text { number, source })?;
        if must_pass(&record) && !mv.is_pass() {
            let _ = record.play(Move::PASS);
        }
        record.play(mv).map_err(|source| MovesError::Illegal { number, source })?;
    }
    Ok(record)
}

fn must_pass<G: Playable>(record: &Record<G>) -> bool {
    let mut moves = Vec::new();
    record.position().legal_moves(&mut moves);
    moves == [Move::PASS]
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
    let checkpoint = wish.map(|wish| opened(wish, &record, &config.settings)).transpose()?;
    let node = super::gather(&config.setup, &config.wait)?;
    let mut session =
        Session::<G>::new(position.rules(), node.cluster().lender(), &config.settings)?;
    *session.record_mut() = record;
    if let Some(checkpoint) = checkpoint {
        session.keep_in(checkpoint);
    }
    node.show(&mut session);
    signals::on_stop(session.end_for_good())?;
    let bar = progress_bar(json);
    let (side, limits) = (position.side_to_move(), session.limits());
    let found = session.book_move(side, &[]).unwrap_or_else(|| {
        session.think(side, limits, Vec::new(), &mut |report| {
            bar.set_message(progress(&position, report));
        })
    });
    bar.finish_and_clear();
    let nodes = report::nodes(node.cluster().link(), &found);
    searched(&found, &nodes)?;
    let mut out = anstream::stdout().lock();
    if json {
        let rules: Rules = position.rules().clone().into();
        let answer = report::search(&rules, &position, config.evaluator, (&found, nodes));
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
    } else {
        write!(out, "{}", report::text(session.record(), config.evaluator, &found, &nodes))?;
    }
    Ok(())
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
        Module::Uct => format!("{playouts} playouts  {rate:.0}/s{best}  {line}"),
        module => {
            let positions = report.explanation.positions;
            format!("{}  {positions} positions{best}  {line}", module.name())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::go::{Go, GoRules};

    fn after(moves: &str) -> Result<Record<Go>, MovesError> {
        played::<Go>(&GoRules::new(9, 15).expect("a size of Go"), moves)
    }

    #[test]
    fn moves_are_played_in_turn_and_a_wrong_one_is_named() {
        assert_eq!(after("e5, c3 pass").expect("legal").plies().len(), 3);
        let twice = after("e5 e5").expect_err("occupied").to_string();
        assert_eq!(twice, "--moves, number 2: illegal move E5");
        let outside = after("e5 Z99").expect_err("outside").to_string();
        assert!(outside.starts_with("--moves, number 2: 'Z99' is outside"), "{outside}");
    }
}
