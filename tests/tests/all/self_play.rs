//! Self-play on a cluster: the games are those of a process alone, whoever plays them.

use std::path::Path;
use std::process::{Command, Stdio};

use banyan_lab::processes::{Process, binary};
use rustix::process::Signal;

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
