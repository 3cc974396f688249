//! Every way in, on a corpus and on thousands of changed copies of it: a quick look at what
//! `cargo xtask fuzz` does for as long as one likes. `BANYAN_HOSTILE_INPUTS=1000000` makes it a longer
//! look.

use std::path::{Path, PathBuf};

use banyan_games::Rng;
use banyan_tests::hostile::{DOORS, Door, door};

/// Changed copies at each door that answers within microseconds.
const CHANGED: u32 = 4_000;
/// A conversation starts and ends an engine.
const CHANGED_CONVERSATIONS: u32 = 60;

/// Changed copies at each door: as many as the environment says, or else `few`.
fn times(few: u32) -> u32 {
    let asked = std::env::var("BANYAN_HOSTILE_INPUTS").ok();
    asked.map_or(few, |number| number.parse().expect("a number of inputs"))
}

fn corpus(door: &Door) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus")).join(door.name)
}

/// The corpus in the order of names, so that a failure comes again.
fn inputs(door: &Door) -> Vec<(String, Vec<u8>)> {
    let folder = corpus(door);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    let name = |file: &Path| file.file_name().expect("a file").to_string_lossy().into_owned();
    files.iter().map(|file| (name(file), std::fs::read(file).expect("readable"))).collect()
}

/// One to four bytes changed, some thrown out, put in twice, or cut off at the end.
fn changed(input: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=rng.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = rng.below(bytes.len() as u32) as usize;
        let length = (1 + rng.below(16) as usize).min(bytes.len() - at);
        match rng.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + length)),
            2 => bytes.extend_from_within(at..at + length),
            3 => bytes[at] ^= 1 << rng.below(8),
            _ => bytes[at] = rng.below(256) as u8,
        }
    }
    bytes
}

fn knock_often(door: &Door, times: u32) {
    let inputs = inputs(door);
    let mut rng = Rng::from_seed(1);
    for _ in 0..times {
        let (_, input) = &inputs[rng.below(inputs.len() as u32) as usize];
        (door.knock)(&changed(input, &mut rng));
    }
}

#[test]
fn no_changed_message_does_harm() {
    knock_often(&door("from_worker"), times(CHANGED));
    knock_often(&door("to_worker"), times(CHANGED));
    knock_often(&door("from_front_end"), times(CHANGED));
    knock_often(&door("to_front_end"), times(CHANGED));
}

#[test]
fn no_changed_game_record_does_harm() {
    knock_often(&door("sgf"), times(CHANGED));
}

#[test]
fn no_changed_checkpoint_does_harm() {
    knock_often(&door("checkpoint"), times(CHANGED));
}

#[test]
fn no_changed_conversation_does_harm() {
    knock_often(&door("gtp"), times(CHANGED_CONVERSATIONS));
}

/// A seed that is turned away at once tests nothing behind the door.
#[test]
fn every_seed_is_let_in() {
    for door in DOORS {
        for (name, input) in inputs(door) {
            let is_let_in = (door.knock)(&input);
            assert!(
                is_let_in || !name.starts_with("seed-"),
                "{}/{name} is turned away: has its format changed? Then write the seeds anew with \
                 cargo test --release -p banyan-tests --test all hostile -- --ignored",
                door.name
            );
        }
    }
}

#[test]
#[ignore = "writes into fuzz/corpus: only after a format has changed"]
fn seeds_are_written_into_the_corpus() {
    for door in DOORS {
        let folder = corpus(door);
        std::fs::create_dir_all(&folder).expect("a folder of ours");
        for (number, seed) in (door.seeds)().into_iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed).expect("written");
        }
    }
}
