//! With `--reproducible`, the same seed gives the same tree on any workers, under any faults.

use banyan_lab::processes::{Process, free_address};
use banyan_lab::scrape;
use rustix::process::Signal;

/// `game` may carry a mode of batches, or heavy playouts: `go subtree`, `go heavy`.
fn args<'a>(game: &'a str, playouts: &'a str, threads: &'a str) -> Vec<&'a str> {
    let (game, mode) = game.split_once(' ').unwrap_or((game, "auto"));
    let mut args = vec!["search", "--game", game, "--reproducible", "--seed", "7", "--json"];
    match mode {
        "heavy" => args.extend(["--policy", mode]),
        _ => args.extend(["--mode", mode]),
    }
    args.extend(["--playouts", playouts, "--threads", threads]);
    args
}

fn digest(answer: &serde_json::Value) -> String {
    answer["tree_digest"].as_str().expect("asked for").to_owned()
}

/// The digest that local threads come to.
fn local(game: &str, playouts: &str, threads: &str) -> String {
    digest(&Process::start("banyan", &args(game, playouts, threads), |_| {}).json())
}

/// A search over three worker processes; `trouble` is made once all of them have played.
fn with_workers(game: &str, playouts: &str, trouble: impl FnOnce(&[Process])) -> serde_json::Value {
    let mut args = args(game, playouts, "0");
    let metrics = free_address();
    args.extend(["--min-workers", "3", "--metrics", &metrics]);
    let (coordinator, address) = Process::coordinator(&args);
    let workers = ["one", "two", "three"].map(|name| Process::worker(&address, name));
    for name in ["one", "two", "three"] {
        let played = format!("banyan_worker_playouts_total{{worker=\"{name}\"");
        scrape::wait_for(&metrics, |sample, playouts| {
            sample.starts_with(&played) && playouts > 0.0
        });
    }
    trouble(&workers);
    let answer = coordinator.json();
    drop(workers);
    answer
}

#[test]
fn threads_and_processes_grow_the_same_tree() {
    let subtrees = ["go subtree", "othello subtree", "gomoku subtree", "connect6 subtree"];
    for game in
        ["go", "othello", "gomoku", "connect6"].into_iter().chain(subtrees).chain(["go heavy"])
    {
        let expected = local(game, "6000", "1");
        assert_eq!(local(game, "6000", "2"), expected, "{game}, two threads");
        let answer = with_workers(game, "6000", |_| {});
        assert_eq!(digest(&answer), expected, "{game}, three processes");
    }
}

#[test]
fn a_killed_and_a_frozen_worker_change_nothing() {
    // Enough work that the faults strike in the middle.
    let playouts = "250000";
    for game in ["go", "go subtree"] {
        let expected = local(game, playouts, "2");
        let answer = with_workers(game, playouts, |workers| {
            workers[0].signal(Signal::KILL);
            workers[1].signal(Signal::STOP);
        });
        assert_eq!(digest(&answer), expected, "{game}");
        let again = answer["batches"]["lent_again"].as_u64().expect("a count");
        assert!(again > 0, "{game}: the faults struck too late: {}", answer["batches"]);
    }
}
