//! Checkpoints: whatever a file holds, it is refused or gives a search that goes on.
//!
//! Checksums are put right first, and so is what the file belongs to: they would keep all else out.

use std::sync::LazyLock;

use banyan_cli::config::SearchConfig;
use banyan_cli::options::{Cli, Command};
use banyan_engine::Settings;
use banyan_engine::checkpoint::{Resumed, read as read_checkpoint, written};
use banyan_engine::search::{Iteration, Plan, Search};
use banyan_engine::tuning::Tuning;
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Game, Record};
use banyan_jobs::{Growing, Prepared, Root, RootId};
use banyan_search::Tree;
use clap::Parser as _;
use serde_json::Value;

/// Batches in flight when a seed is written.
const WINDOW: u32 = 16;
/// Batches played after one was read.
const BATCHES_AFTER: usize = 24;

/// The search that files are read for, and what this build writes into their headers as its name.
static SEARCH: LazyLock<(Settings, Value)> = LazyLock::new(|| {
    let settings = settings();
    let name = name(&settings);
    (settings, name)
});

fn settings() -> Settings {
    let words = "banyan search --game gomoku --size 5 --reproducible --playouts 5000 --mode subtree \
                 --batch 4 --window 16 --tree-memory 1MiB";
    match Cli::try_parse_from(words.split_whitespace()) {
        Ok(Cli { command: Command::Search(args), .. }) => {
            SearchConfig::new(&args.engine).expect("a configuration").settings
        }
        other => panic!("our own options: {other:?}"),
    }
}

fn record() -> Record<Gomoku> {
    Record::new(&GomokuRules::new(5, 5, Default::default()).expect("a size of Gomoku"))
}

fn plan(settings: &Settings) -> Plan {
    Plan { seed: 1, playouts_max: settings.limits.playouts, ..settings.plan }
}

fn prepared(settings: &Settings) -> Prepared {
    let record = record();
    let Tuning { parameters, seed, evaluator, .. } = settings.tuning;
    let growing = Growing { parameters, seed, evaluator };
    let side = record.position().side_to_move();
    Prepared::new(&Root::of(&record, side, RootId::default(), growing)).expect("the start")
}

pub(super) fn read(bytes: &[u8]) -> bool {
    let (settings, name) = &*SEARCH;
    let bytes = sealed(bytes, name);
    let Ok(resumed) = read_checkpoint(&bytes[..], bytes.len() as u64, &record(), settings) else {
        return false;
    };
    let Resumed { tree, progress, elapsed: _ } = resumed;
    let mut search =
        Search::new(tree, RootId::default(), record().position().clone(), plan(settings), 0);
    let again = search.resume(progress).expect("tried when it was read");
    let prepared = prepared(settings);
    for batch in &again {
        if let Ok(tally) = prepared.run(batch) {
            search.take(None, tally);
        }
    }
    grow(&mut search, &prepared, BATCHES_AFTER);
    let (tree, _) = search.end();
    let _ = tree.digest();
    assert_eq!(tree.unobserved_total(), 0);
    true
}

/// Makes batches and merges their tallies, at most so many.
fn grow(search: &mut Search<Gomoku>, prepared: &Prepared, batches: usize) {
    for _ in 0..batches {
        while search.has_room(WINDOW) {
            match search.iterate() {
                Iteration::Batch(batch) => {
                    search.take(None, prepared.run(&batch).expect("our own batch"));
                }
                Iteration::Counted => {}
                Iteration::Complete | Iteration::Awaited => break,
            }
        }
        search.merge_next();
    }
}

/// The same bytes with this search's name and with checksums that are right, as far as they are a
/// checkpoint at all: the title's line, length and header, its checksum, the rest, its checksum.
fn sealed(bytes: &[u8], name: &Value) -> Vec<u8> {
    let whole = || {
        let title = bytes.iter().position(|&byte| byte == b'\n')? + 1;
        let length = u32::from_le_bytes(bytes.get(title..title + 4)?.try_into().ok()?) as usize;
        let header = bytes.get(title + 4..)?.get(..length)?;
        let rest = bytes.get(title + 4 + length + 4..)?;
        let mut header: Value = serde_json::from_slice(header).ok()?;
        *header.get_mut("search")? = name.clone();
        let header = serde_json::to_vec(&header).ok()?;
        let mut sealed = bytes[..title].to_vec();
        sealed.extend((header.len() as u32).to_le_bytes());
        sealed.extend(&header);
        sealed.extend(crc32fast::hash(&sealed).to_le_bytes());
        sealed.extend(&rest[..rest.len().checked_sub(4)?]);
        sealed.extend(crc32fast::hash(&sealed).to_le_bytes());
        Some(sealed)
    };
    whole().unwrap_or_else(|| bytes.to_vec())
}

/// The name of the search as this build writes it into the header.
fn name(settings: &Settings) -> Value {
    let bytes = file(settings, 0);
    let start = bytes.iter().position(|&byte| byte == b'{').expect("a header");
    let mut header = serde_json::Deserializer::from_slice(&bytes[start..]).into_iter::<Value>();
    header.next().expect("a header").expect("our own")["search"].take()
}

fn file(settings: &Settings, batches: usize) -> Vec<u8> {
    let record = record();
    let position = record.position().clone();
    let side = position.side_to_move();
    let tuning = &settings.tuning;
    let mut tree = Tree::new(tuning.parameters, tuning.seed, tuning.tree_bytes_max, !side);
    tree.allow_at_root(side, &record.candidates());
    let mut search = Search::new(tree, RootId::default(), position, plan(settings), 0);
    grow(&mut search, &prepared(settings), batches);
    written(&search, &record, settings).expect("memory takes all")
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    [0, 1, 12, 60].map(|batches| file(&settings(), batches)).into()
}
