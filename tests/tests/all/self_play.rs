//! Self-play on a cluster: the games are those of a process alone, whoever plays them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use banyan_lab::processes::{PATIENCE, Process, binary, free_address};
use banyan_tests::liar::{self, Lie};
use banyan_tests::small_disk;
use banyan_tests::web::{Events, get};
use rustix::process::Signal;
use serde_json::{Value, json};

const GAMES: [&str; 6] = ["--games", "12", "--shard", "6", "--size", "7"];

/// Shards of a loop's folder, by their names.
fn shards(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder.join("games/g000"))
        .expect("a generation's games")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a shard")).collect()
}

/// A file system of 64 kB, in a namespace of its own: some shards of six games fit, not all; then it grows.
const FULL_DISK: &str = r#"
mount -t tmpfs -o size=64k none "$PLACE" || exit 1
selfplay() { "$BANYAN" train selfplay --dir "$PLACE" --threads 1 --size 7 --shard 6 --games 60 --depths 6,3,2,0.5; }
selfplay > "$PLACE.first" 2>&1 && exit 2
ls "$PLACE/games/g000" > "$PLACE.kept"
mount -o remount,size=4m "$PLACE" || exit 3
selfplay > "$PLACE.again" 2>&1 || exit 4
ls "$PLACE/games/g000" > "$PLACE.all"
"#;

#[test]
fn a_full_disk_stops_self_play_in_words_and_what_was_finished_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("place");
    let Some(output) = small_disk::run(FULL_DISK, &place) else { return };
    let said = |name: &str| std::fs::read_to_string(place.with_extension(name)).unwrap_or_default();
    let status = output.status;
    assert!(status.success(), "{status}: {} {}", said("first"), said("again"));
    assert!(said("first").contains("cannot write"), "{}", said("first"));
    let kept = said("kept").lines().count();
    assert!((1..10).contains(&kept) && !said("kept").contains("part"), "{}", said("kept"));
    assert_eq!(said("all").lines().count(), 10);
}

#[test]
fn workers_play_the_games_that_a_process_alone_plays_and_one_that_dies_loses_none() {
    let home = tempfile::tempdir().expect("a folder");
    let [alone, together] = ["alone", "together"].map(|name| home.path().join(name));
    let mut command = Command::new(binary("banyan"));
    command.args(["train", "selfplay", "--threads", "1", "--dir"]).arg(&alone).args(GAMES);
    assert!(command.stdout(Stdio::null()).status().expect("it runs").success());

    let dir = together.to_str().expect("UTF-8");
    let args = ["train", "selfplay", "--threads", "0", "--min-workers", "2", "--dir", dir];
    let args = [&args[..], &GAMES].concat();
    let (mut process, address) = Process::coordinator(&args);
    let killed = Process::worker(&address, "oak");
    let _other = Process::worker(&address, "elm");
    process.wait_for_log("2 workers are here");
    killed.signal(Signal::KILL);
    assert!(process.wait().success());
    assert_eq!(shards(&together), shards(&alone));
    assert_eq!(shards(&alone).len(), 2);
}

/// A shard is a job for each of two workers: all audits come after all answers.
#[test]
fn who_lies_in_games_of_self_play_is_put_out_though_each_list_of_jobs_is_short() {
    let home = tempfile::tempdir().expect("a folder");
    let dir = home.path().to_str().expect("UTF-8");
    let args = ["train", "selfplay", "--threads", "0", "--min-workers", "2", "--audit", "1"];
    let games = ["--games", "4000", "--shard", "2", "--size", "19", "--depths", "2,2,2,0.1"];
    let (process, address) = Process::coordinator(&[&args[..], &["--dir", dir], &games].concat());
    let _honest = Process::worker(&address, "oak");
    let liar = liar::start(&address, "elm", Lie::GamesLater(12));
    let said = process.wait_for_log("put out, and not let in again");
    assert!(said.contains("elm") && said.contains("its games of batch"), "{said}");
    assert!(liar.join().expect("no panic").is_some());
}

#[test]
fn torch_plays_alone_and_what_is_its_own_is_not_ignored() {
    let home = tempfile::tempdir().expect("a folder");
    let refused_by = |part: &str, more: &[&str]| {
        let mut command = Command::new(binary("banyan"));
        command.args(["train", part, "--threads", "1", "--dir"]).arg(home.path());
        let output = command.args(GAMES).args(more).output().expect("it runs");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let refused = |more: &[&str]| refused_by("selfplay", more);
    let words = refused(&["--follow", "newer.safetensors"]);
    assert!(words.contains("--torch"), "{words}");
    let words = refused(&["--torch", "--follow", "newer.safetensors"]);
    assert!(words.contains("best.safetensors to begin with"), "{words}");
    let words = refused_by("run", &["--torch", "--follow", "newer.safetensors"]);
    assert!(words.contains("--follow goes with `banyan train selfplay`"), "{words}");
    let words = refused(&["--torch", "--listen", "127.0.0.1:0"]);
    assert!(words.contains("--torch has this process alone play"), "{words}");
    let words = refused(&["--device", "cpu"]);
    assert!(words.contains("which --torch has play"), "{words}");
    std::fs::copy("../models/go.safetensors", home.path().join("best.safetensors")).expect("ours");
    let words = refused(&["--torch", "--python", "no-such-python"]);
    assert!(words.contains("cannot run no-such-python"), "{words}");
}

/// A fit that says when it has begun, and goes on while there is its folder.
const SLOW_FIT: &str = "#!/bin/sh\ntouch \"$0.begun\"\nwhile [ -e \"$0\" ]; do sleep 0.1; done\n";

#[test]
fn a_page_of_learning_stays_while_those_who_play_come_and_go() {
    let home = tempfile::tempdir().expect("a folder");
    let (dir, fit) = (home.path().join("loop"), home.path().join("fit"));
    std::fs::write(&fit, SLOW_FIT).expect("a file");
    std::fs::set_permissions(&fit, std::fs::Permissions::from_mode(0o700)).expect("ours");
    let (pages, text) = (free_address(), |path: &Path| path.to_str().expect("UTF-8").to_owned());
    let (dir, python) = (text(&dir), text(&fit));
    let args = ["train", "run", "--threads", "0", "--min-workers", "1", "--dir", &dir];
    let args = [&args[..], &["--http", &pages, "--python", &python], &GAMES].concat();
    let (process, address) = Process::coordinator(&args);
    assert_eq!(get(&pages, "/api/about").json()["learns"], true);
    assert_eq!(get(&pages, "/api/learning").status, 200);
    let mut cluster = Events::follow(&pages, "/api/cluster/events");
    let worker = Process::worker(&address, "oak");
    let has_oak = |picture: &Value| {
        let nodes = picture["nodes"].as_array().cloned().unwrap_or_default();
        nodes.iter().any(|node| node["name"] == "oak" && node["is_present"] != false)
    };
    cluster.wait(has_oak);
    let deadline = Instant::now() + PATIENCE;
    while !Path::new(&format!("{python}.begun")).exists() {
        assert!(Instant::now() < deadline, "no fit: {:?}", process.log());
        std::thread::sleep(Duration::from_millis(50));
    }
    // The games are played, and their cluster is no more.
    cluster.wait(|picture| !has_oak(picture));
    assert_eq!(get(&pages, "/api/learning").status, 200);
    let game = get(&pages, "/api/learning/game").json();
    let plies = game["plies"].as_array().map_or(0, Vec::len);
    assert!(plies > 5 && game["position"]["width"] == 7, "{game}");
    let seen = game["name"].as_str().expect("a name").replace('/', "%2F");
    assert_eq!(get(&pages, &format!("/api/learning/game?seen={seen}")).json(), json!({}));
    drop(worker);
}
