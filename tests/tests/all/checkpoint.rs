//! Searches that outlive their process: killed, asked to end, refused, and cut off from their file.

use std::path::Path;
use std::time::{Duration, Instant};

use banyan_lab::processes::{PATIENCE, Process, free_address};
use banyan_lab::scrape;
use banyan_tests::small_disk;
use rustix::process::Signal;
use serde_json::Value;

/// A search of a second or more on one thread.
const SEARCH: &[&str] = &["search", "--game", "go", "--size", "9", "--threads", "1", "--json"];
const PLAYOUTS: &[&str] = &["--playouts", "150000"];

fn start(file: &Path, more: &[&str]) -> Process {
    let file = file.to_str().expect("UTF-8");
    let playouts = if more.contains(&"--playouts") { &[] } else { PLAYOUTS };
    let args = [SEARCH, playouts, &["--checkpoint", file], more].concat();
    Process::start("banyan", &args, |_| {})
}

/// Waits until the search's file is as wanted.
fn wait_until(search: &Process, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "no checkpoint: {:#?}", search.log());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills a search once its file has been written twice.
fn killed_in_the_middle(file: &Path, more: &[&str]) {
    let search = start(file, &[&["--checkpoint-every", "50ms"], more].concat());
    let mut seen = Vec::new();
    wait_until(&search, || {
        let written = file.metadata().and_then(|metadata| metadata.modified());
        seen.extend(written.ok().filter(|written| !seen.contains(written)));
        seen.len() == 2
    });
    search.signal(Signal::KILL);
    drop(search);
}

fn number(answer: &Value, path: &str) -> u64 {
    answer.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path}: {answer}"))
}

#[test]
fn a_killed_search_is_finished_by_the_same_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("search");
    killed_in_the_middle(&file, &[]);
    let answer = start(&file, &[]).json();
    let resumed = number(&answer, "/resumed/playouts");
    assert!((1..150_000).contains(&resumed), "{resumed}");
    assert_eq!(number(&answer, "/playouts"), 150_000);
    assert_eq!(number(&answer, "/visits"), 150_000);
    // Once more, there is nothing left to do.
    let again = start(&file, &[]).json();
    assert_eq!(number(&again, "/resumed/playouts"), 150_000);
    assert_eq!(again["tree_digest"], answer["tree_digest"]);
    assert_eq!(again["batches"]["sent"], 0);
}

#[test]
fn a_killed_reproducible_search_ends_with_the_tree_of_one_that_was_not() {
    let folder = tempfile::tempdir().expect("a folder");
    for mode in ["leaf-parallel", "subtree"] {
        let reproducible = ["--reproducible", "--seed", "7", "--mode", mode];
        let file = folder.path().join(mode);
        killed_in_the_middle(&file, &reproducible);
        let answer = start(&file, &reproducible).json();
        let resumed = number(&answer, "/resumed/playouts");
        assert!((1..150_000).contains(&resumed), "{mode}: {resumed}");
        let args = [SEARCH, PLAYOUTS, &reproducible].concat();
        let whole = Process::start("banyan", &args, |_| {}).json();
        assert_eq!(answer["tree_digest"], whole["tree_digest"], "{mode}");
    }
}

#[test]
fn a_search_that_is_asked_to_end_is_written_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("search");
    let args = ["--checkpoint-every", "1h", "--playouts", "100000000"];
    let args = [SEARCH, &["--checkpoint", file.to_str().expect("UTF-8")], &args].concat();
    let metrics = free_address();
    let (search, address) = Process::coordinator(&[&args[..], &["--metrics", &metrics]].concat());
    let worker = Process::worker(&address, "one");
    worker.wait_for_log("");
    search.wait_until_it_catches(Signal::TERM);
    scrape::wait_for_playouts(&metrics);
    search.signal(Signal::TERM);
    let first = search.json();
    let done = number(&first, "/playouts");
    let limit = (done + 2_000).to_string();
    let again = [&args[..args.len() - 1], &[limit.as_str()]].concat();
    let again = Process::start("banyan", &again, |_| {}).json();
    assert_eq!(number(&again, "/resumed/playouts"), done, "not a playout is lost");
    assert_eq!(number(&again, "/playouts"), done + 2_000);
    drop(worker);
}

#[test]
fn a_file_that_is_not_this_searchs_is_refused_and_left_in_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("search");
    assert!(start(&file, &["--playouts", "500"]).wait().success());
    let good = std::fs::read(&file).expect("written");
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 4;
    for (bytes, more, words) in [
        (&good[..], &["--komi", "6.5"][..], "komi 7.5' there and"),
        (&good, &["--moves", "e5 c3"], "the game so far"),
        (&good[..good.len() / 2], &[], "ends in the middle of its tree"),
        (&flipped, &[], "is corrupt: the checksum"),
        (b"(;GM[1]SZ[9])", &[], "is no checkpoint of banyan: it begins with '(;GM[1]SZ[9])'"),
    ] {
        std::fs::write(&file, bytes).expect("written");
        let mut refused = start(&file, more);
        assert_eq!(refused.wait().code(), Some(2), "{words}");
        refused.wait_for_log(words);
        assert_eq!(std::fs::read(&file).expect("still there"), bytes, "{words}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_known_at_once_and_two_searches_do_not_share_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut nowhere = start(&folder.path().join("no/such/folder/search"), &[]);
    assert_eq!(nowhere.wait().code(), Some(2));
    nowhere.wait_for_log("cannot be written as a checkpoint: No such file");
    let file = folder.path().join("search");
    let first = start(&file, &["--playouts", "100000000", "--checkpoint-every", "20ms"]);
    wait_until(&first, || file.exists());
    let mut second = start(&file, &[]);
    assert_eq!(second.wait().code(), Some(2));
    second.wait_for_log("is being written by another search");
}

#[test]
fn a_folder_that_goes_away_costs_the_checkpoint_and_not_the_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).expect("created");
    let search = start(&inner.join("search"), &["--checkpoint-every", "20ms"]);
    wait_until(&search, || inner.join("search").exists());
    std::fs::rename(&inner, folder.path().join("moved")).expect("renamed");
    search.wait_for_log("cannot be written: No such file or directory");
    assert_eq!(number(&search.json(), "/playouts"), 150_000);
}

/// A file system of one MiB, in a namespace of its own: a small search fits, a larger one does not.
const FULL_DISK: &str = r#"
set -e
mount -t tmpfs -o size=1m none "$PLACE"
search() { "$BANYAN" search --game go --size 5 --threads 1 --json --checkpoint "$PLACE/search" "$@"; }
search --playouts 200 > "$PLACE.first"
cp "$PLACE/search" "$PLACE.kept"
search --playouts 40000 > "$PLACE.answer" 2> "$PLACE.log"
cmp "$PLACE/search" "$PLACE.kept"
ls "$PLACE" > "$PLACE.left"
"#;

#[test]
fn a_full_disk_costs_neither_the_search_nor_what_was_written_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("place");
    let Some(output) = small_disk::run(FULL_DISK, &place) else { return };
    let said = |name: &str| {
        let file = place.with_extension(name);
        std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(said("log").contains("cannot be written"), "{}", said("log"));
    let answer: Value = serde_json::from_str(&said("answer")).expect("an answer all the same");
    assert_eq!(number(&answer, "/playouts"), 40_000);
    assert_eq!(said("left").trim(), "search", "half a file gives its room back");
}
