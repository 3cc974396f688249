//! Games from files and into files.

use std::fs;
use std::io::{self, Read};

use banyan_engine::Playable;
use banyan_games::gomoku::Variant;
use banyan_games::{Record, Rules};
use banyan_jobs::limits;
use banyan_records::sgf;

use super::args::Args;
use super::engine::Engine;
use super::reply::{Fault, LoadError, Reply};

/// `loadsgf FILE [MOVE]`: the position before that move, else at the end. A name may hold spaces.
pub(super) fn loadsgf<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let (file, before) = match args.rest().rsplit_once(' ') {
        Some((file, last)) => match last.parse::<usize>() {
            Ok(number) => (file.trim(), Some(number)),
            Err(_) => (args.rest(), None),
        },
        None => (args.rest(), None),
    };
    if file.is_empty() {
        return Err(Fault::Syntax("the name of a file"));
    }
    let plies = before.map(|number| number.saturating_sub(1));
    let asked = variant(engine.record());
    let record = load(file, plies, asked, komi(engine.record()));
    let failed = |reason| Fault::Load { file: file.chars().take(200).collect(), reason };
    let record = record.map_err(failed)?;
    let told = variant(&record);
    if let (Some(told), Some(asked)) = (told, asked)
        && told != asked
    {
        tracing::warn!("{file} says {}: that holds now, not {}", told.name(), asked.name());
    }
    engine.begin(record);
    Ok(String::new())
}

/// Returns the variant, in Gomoku.
fn variant<G: Playable>(record: &Record<G>) -> Option<Variant> {
    match record.start().rules().clone().into() {
        Rules::Gomoku(rules) => Some(rules.variant()),
        _ => None,
    }
}

/// Returns the komi, in Go, in half points.
fn komi<G: Playable>(record: &Record<G>) -> Option<i16> {
    match record.start().rules().clone().into() {
        Rules::Go(rules) => Some(rules.komi()),
        _ => None,
    }
}

/// - `variant`, `komi_unsaid`: where the file does not say.
fn load<G: Playable>(
    file: &str,
    plies: Option<usize>,
    variant: Option<Variant>,
    komi_unsaid: Option<i16>,
) -> Result<Record<G>, LoadError> {
    // A pipe or a device may never end, and opening one may never return.
    if !fs::metadata(file)?.is_file() {
        return Err(LoadError::NoFile);
    }
    let mut bytes = Vec::new();
    // One byte more than is allowed, so that a longer file is refused as such.
    fs::File::open(file)?.take(sgf::FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    let kind = Some(G::KIND);
    let options = sgf::Options { kind, plies, variant, komi_unsaid, ..sgf::Options::default() };
    let game = sgf::read(&bytes, &options)?;
    let rules = G::Rules::try_from(game.rules.clone()).map_err(|_| LoadError::OtherGame)?;
    if game.plies.len() >= limits::ROOT_PLIES_MAX {
        return Err(LoadError::TooManyPlies(game.plies.len()));
    }
    Ok(game.record(&rules)?)
}

/// `printsgf [FILE]`: the game so far, as the answer or into a file.
pub(super) fn printsgf<G: Playable>(engine: &mut Engine<G>, args: &Args<'_>) -> Reply {
    let text = sgf::write_sgf(engine.record(), &sgf::Header::default());
    let file = args.rest();
    if file.is_empty() || file == "-" {
        return Ok(text);
    }
    let failed = |reason: io::Error| Fault::Save { file: file.chars().take(200).collect(), reason };
    fs::write(file, text).map_err(failed)?;
    Ok(String::new())
}
