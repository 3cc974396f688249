//! Games that tables over patterns learn from, played by a cluster: the same as those of a process alone.

use std::path::Path;
use std::process::Command;

use banyan_lab::processes::{Process, binary};
use rustix::process::Signal;

const TRAIN: [&str; 8] = ["train", "patterns", "--plies", "2", "--passes", "1", "--pairs", "1"];

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Trains in one process, in this folder.
fn alone(dir: &Path, more: &[&str]) {
    let mut command = Command::new(binary("banyan"));
    command.args(TRAIN).args(["--threads", "1", "--dir", text(dir)]).args(more);
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Trains over a cluster of two workers, of which one is killed as soon as it is there; what was said.
fn together(dir: &Path, more: &[&str]) -> String {
    let cluster = ["--threads", "0", "--min-workers", "2", "--dir", text(dir)];
    let (process, address) = Process::coordinator(&[&TRAIN[..], &cluster, more].concat());
    let killed = Process::worker(&address, "oak");
    let _other = Process::worker(&address, "elm");
    process.wait_for_log("2 workers are here");
    killed.signal(Signal::KILL);
    let (said, status) = process.output();
    assert!(status.success(), "{said}");
    said
}

#[test]
fn workers_play_the_games_that_a_process_alone_plays_by_tables_that_travel() {
    let home = tempfile::tempdir().expect("a folder");
    let first = home.path().join("first");
    let othello = ["--games", "30", "--solve-from", "6"];
    alone(&first, &othello);
    let tables = first.join("othello.tuples");
    let next = [&othello[..], &["--seed", "2", "--patterns", text(&tables)]].concat();
    let [by_one, by_all] = ["one", "all"].map(|name| home.path().join(name));
    alone(&by_one, &next);
    let said = together(&by_all, &next);
    // A worker may have answered before it was killed.
    assert!(said.contains("games by elm "), "{said}");
    for name in ["othello.games", "othello.tuples"] {
        let read = |dir: &Path| std::fs::read(dir.join(name)).expect("a file");
        assert!(read(&by_one) == read(&by_all), "{name}");
        assert!(read(&by_one) != read(&first), "{name}: other tables play other games");
    }
}

#[test]
fn workers_play_games_of_lines_by_the_evaluation_that_is_named() {
    let home = tempfile::tempdir().expect("a folder");
    for (game, evaluation) in
        [("gomoku", "shapes"), ("gomoku", "mix"), ("connect6", "shapes"), ("connect6", "mix")]
    {
        let [by_one, by_all] =
            ["one", "all"].map(|name| home.path().join(evaluation).join(game).join(name));
        let lines = ["--game", game, "--evaluation", evaluation, "--games", "9"];
        alone(&by_one, &lines);
        together(&by_all, &lines);
        let read = |dir: &Path| std::fs::read(dir.join(format!("{game}.games"))).expect("games");
        assert!(read(&by_one) == read(&by_all), "{game}");
    }
}

#[test]
fn workers_take_the_positions_of_searches_that_a_process_alone_takes() {
    let home = tempfile::tempdir().expect("a folder");
    let first = home.path().join("first");
    let learn = ["--game", "gomoku", "--model", "mix", "--games", "3"];
    alone(&first, &[&learn[..], &["--leaves", "2"]].concat());
    let tables = first.join("gomoku.tables");
    // More than one job of each game.
    let next = ["--leaves", "66", "--seed", "2", "--patterns", text(&tables)];
    let next = [&learn[..], &next].concat();
    let [by_one, by_all] = ["one", "all"].map(|name| home.path().join(name));
    alone(&by_one, &next);
    let said = together(&by_all, &next);
    assert!(said.contains("positions by elm "), "{said}");
    let read = |dir: &Path, name: &str| std::fs::read(dir.join(name)).expect("a file");
    for name in ["gomoku.games", "gomoku.66.leaves", "gomoku.tables"] {
        assert!(read(&by_one, name) == read(&by_all, name), "{name}");
    }
    // Half a file is gone on with: what is whole of a game stays, and is taken by nobody.
    let whole = read(&by_all, "gomoku.66.leaves");
    let half = by_all.join("gomoku.66.leaves");
    std::fs::write(&half, &whole[..whole.len() / 2]).expect("a shorter file");
    let said = together(&by_all, &next);
    assert!(read(&by_all, "gomoku.66.leaves") == whole);
    let by = said.lines().find_map(|line| line.strip_prefix("positions by ")).expect("who");
    let taken = |part: &str| part.rsplit(' ').next().and_then(|count| count.parse::<u32>().ok());
    let taken: u32 = by.split(", ").map(|part| taken(part).expect("a count")).sum();
    assert_eq!(taken, 2 * 66, "{by}");
}

#[test]
fn what_shows_a_cluster_is_refused_where_there_is_none() {
    let home = tempfile::tempdir().expect("a folder");
    let dir = text(home.path());
    let learn = ["rules", "learn", "--game", "go", "--eyes", "1", "--out", "x.rules"];
    for command in [&["train", "patterns", "--dir", dir][..], &learn] {
        let mut process = Command::new(binary("banyan"));
        let output =
            process.args(command).args(["--http", "127.0.0.1:0"]).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{command:?}");
        assert!(
            said.contains("--http shows a cluster, and without --listen there is none"),
            "{said}"
        );
    }
}
