//! Networks that travel to workers that have them not: real processes.

use std::path::{Path, PathBuf};

use banyan_lab::processes::Process;
use serde_json::Value;

/// A network of chance weights for a game.
fn network(folder: &Path, game: &str) -> String {
    let file = folder.join(format!("{game}.safetensors")).display().to_string();
    let args =
        ["model", "random", "--blocks", "1", "--channels", "16", "--game", game, "--out", &file];
    assert!(Process::start("banyan", &args, |_| {}).wait().success());
    file
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    entries.map(|entry| entry.path()).collect()
}

/// A search of 60 evaluations by a network that its only worker has not, and that worker's log.
fn judged_by(net: &str, cache: &Path) -> (Value, Vec<String>) {
    let args = ["search", "--json", "--size", "9", "--threads", "0", "--playouts", "60"];
    let (coordinator, address) =
        Process::coordinator(&[&args[..], &["--net", net, "--min-workers", "1"]].concat());
    let cache = cache.display().to_string();
    let args = ["--join", &address, "--threads", "1", "--name", "w", "--model-cache", &cache];
    let worker = Process::start("banyan-worker", &args, |_| {});
    let answer = coordinator.json();
    (answer, worker.log())
}

fn has(log: &[String], text: &str) -> bool {
    log.iter().any(|line| line.contains(text))
}

#[test]
fn a_worker_fetches_the_network_that_it_lacks_judges_by_it_and_keeps_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (net, cache) = (network(folder.path(), "go"), folder.path().join("cache"));
    let (answer, log) = judged_by(&net, &cache);
    assert_eq!(answer["playouts"], 60);
    assert!(has(&log, "came from the coordinator"), "{log:#?}");
    let of_worker = |it: &&Value| it["name"] == "w" && it["playouts"].as_u64() > Some(0);
    assert!(
        answer["nodes"].as_array().is_some_and(|it| it.iter().any(|it| of_worker(&it))),
        "{answer}"
    );
    let [kept] = &files(&cache)[..] else { panic!("one file") };
    // From the cache the second time, and from the coordinator where that is damaged.
    let (_, log) = judged_by(&net, &cache);
    assert!(!has(&log, "came from the coordinator"), "{log:#?}");
    std::fs::write(kept, "damaged").expect("a file of ours");
    let (answer, log) = judged_by(&net, &cache);
    assert_eq!(answer["playouts"], 60);
    assert!(
        has(&log, "of the cache will not do") && has(&log, "came from the coordinator"),
        "{log:#?}"
    );
}
