//! Two levels of coordinators with real processes: one that works for another with workers of its own.

use std::time::Duration;

use banyan_lab::processes::{Process, free_address};
use banyan_tests::front_end::FrontEnd;
use banyan_tests::web::{Events, post};
use rustix::process::Signal;
use serde_json::{Value, json};

/// A cluster that works for the coordinator at `upstream`, and its own address.
fn below(upstream: &str, name: &str) -> (Process, String) {
    let args = ["serve", "--threads", "0", "--join", upstream, "--name", name];
    Process::coordinator(&args)
}

/// Sums the playouts of an answer's nodes of this name.
fn playouts(answer: &Value, name: &str) -> u64 {
    let nodes = answer["nodes"].as_array().expect("a list");
    let of_name = nodes.iter().filter(|node| node["name"] == name);
    of_name.filter_map(|node| node["playouts"].as_u64()).sum()
}

#[test]
fn two_clusters_search_for_one_coordinator_and_one_loses_a_worker_in_the_middle() {
    let args = ["search", "--json", "--threads", "0", "--game", "go", "--evaluator", "playouts"];
    let args = [&args[..], &["--time", "6s", "--min-workers", "2", "--mode", "subtree"]].concat();
    let (top, address) = Process::coordinator(&args);
    let (east, east_address) = below(&address, "east");
    let (_west, west_address) = below(&address, "west");
    let mut lost = Process::worker(&east_address, "lost");
    let _stays = Process::worker(&east_address, "stays");
    let _alone = Process::worker(&west_address, "alone");
    east.wait_for_log("working for");
    top.wait_for_log("the clock starts");
    std::thread::sleep(Duration::from_secs(2));
    lost.signal(Signal::KILL);
    lost.wait();
    let answer = top.json();
    assert!(playouts(&answer, "east") > 1000, "{answer}");
    assert!(playouts(&answer, "west") > 1000, "{answer}");
    // Batches that were audited came to the same on the other side.
    assert_eq!(answer["batches"]["disputed"], 0, "{answer}");
}

#[test]
fn a_network_of_a_file_travels_through_a_cluster_to_its_workers() {
    let folder = tempfile::tempdir().expect("a folder");
    let net = folder.path().join("net.safetensors").to_str().expect("UTF-8").to_owned();
    let args = ["model", "random", "--blocks", "1", "--channels", "16", "--out", &net];
    assert!(Process::start("banyan", &args, |_| {}).wait().success());
    let args = ["search", "--json", "--size", "9", "--threads", "0", "--net", &net];
    let (top, address) =
        Process::coordinator(&[&args[..], &["--playouts", "2000", "--min-workers", "1"]].concat());
    let (below, below_address) = below(&address, "below");
    let cache = folder.path().join("cache").to_str().expect("UTF-8").to_owned();
    let args = ["--join", &below_address, "--threads", "1", "--model-cache", &cache];
    let worker = Process::start("banyan-worker", &args, |_| {});
    let answer = top.json();
    assert_eq!(answer["evaluator"], "net", "{answer}");
    assert!(playouts(&answer, "below") > 1000, "{answer}");
    below.wait_for_log("came from the coordinator");
    worker.wait_for_log("came from the coordinator");
}

#[test]
fn a_cluster_that_is_drained_or_banned_from_above_goes_on_for_its_own() {
    let (http, address) = (free_address(), free_address());
    let top = ["serve", "--threads", "1", "--listen", &address, "--http", &http];
    let top = Process::start("banyan", &top, |_| {});
    let clusters = ["drained", "banned"].map(|name| {
        let (cluster, here) = below(&address, name);
        let worker = Process::worker(&here, "worker");
        cluster.wait_for_log("working for");
        (cluster, worker, here)
    });
    let mut events = Events::follow(&http, "/api/cluster/events");
    for (order, name) in [("drain", "drained"), ("ban", "banned")] {
        let of = |picture: &Value| {
            let nodes = picture["nodes"].as_array().cloned().unwrap_or_default();
            nodes.into_iter().find(|node| node["name"] == name && node["is_present"] == true)
        };
        let picture = events.wait(|picture| of(picture).is_some());
        let id = of(&picture).expect("it is there")["id"].as_str().expect("a number").to_owned();
        let path = format!("/api/workers/{id}/{order}");
        assert_eq!(post(&http, &path, &json!({})).status, 200, "{path}");
    }
    for (cluster, _worker, here) in &clusters {
        cluster.wait_for_log("this cluster works for it no more until it is started again");
        let mut front_end =
            FrontEnd::start(&["--size", "9", "--playouts", "500", "--remote", here]);
        assert!(!front_end.ask("genmove b").is_empty());
        assert!(!front_end.process.log().iter().any(|line| line.contains("this machine")));
    }
    // Whoever is banned is told so at the door, and counted there.
    let again = Process::start(
        "banyan",
        &["serve", "--join", &address, "--name", "banned", "--threads", "1"],
        |_| {},
    );
    again.wait_for_log("it was banned by the operator");
    top.wait_for_log("connection refused: worker \"banned\": it was banned by the operator");
    events.wait(|picture| picture["refused"].as_u64().is_some_and(|refused| refused > 0));
}

#[test]
fn a_cluster_without_workers_leaves_and_comes_back_with_one() {
    let args = ["search", "--json", "--threads", "1", "--time", "1h", "--game", "othello"];
    let (top, address) = Process::coordinator(&args);
    let (below, below_address) = below(&address, "below");
    let mut first = Process::worker(&below_address, "first");
    top.wait_for_log("worker joined name=\"below\"");
    first.signal(Signal::TERM);
    assert!(first.wait().success());
    top.wait_for_log("worker left name=\"below\"");
    let _second = Process::worker(&below_address, "second");
    below.wait_for_count("working for", 2);
}

#[test]
fn a_cluster_that_stops_finishes_what_it_holds_for_the_other() {
    let args = ["search", "--json", "--threads", "0", "--game", "othello", "--mode", "subtree"];
    let args = [&args[..], &["--playouts", "150000", "--min-workers", "2"]].concat();
    let (top, address) = Process::coordinator(&args);
    let (mut leaves, leaves_address) = below(&address, "leaves");
    let _first = Process::worker(&leaves_address, "first");
    let _stays = Process::worker(&address, "stays");
    leaves.wait_for_log("working for");
    top.wait_for_log("the clock starts");
    leaves.signal(Signal::TERM);
    assert!(leaves.wait().success(), "{:?}", leaves.log());
    let answer = top.json();
    assert_eq!(answer["playouts"], 150_000);
}

#[test]
fn who_is_not_let_in_says_so_and_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let token = folder.path().join("token");
    std::fs::write(&token, "one-secret-of-thirty-two-letters").expect("written");
    let token = token.to_str().expect("UTF-8");
    let (_top, address) = Process::coordinator(&["serve", "--threads", "0", "--token-file", token]);
    let other = folder.path().join("other");
    std::fs::write(&other, "another-secret-of-as-many-letters").expect("written");
    let other = other.to_str().expect("UTF-8");
    let args = ["serve", "--threads", "1", "--join", &address, "--join-token-file", other];
    let (mut refused, _) = Process::coordinator(&args);
    assert_eq!(refused.wait().code(), Some(2), "{:?}", refused.log());
    let log = refused.log().join("\n");
    assert!(log.contains("the coordinator refused this worker"), "{log}");
}

#[test]
fn a_cluster_joins_by_a_certificate_of_its_own_and_keeps_another_for_its_workers() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let folder_name = folder.path().to_str().expect("UTF-8");
    let args = ["certs", "--host", "127.0.0.1", "--worker", "site", folder_name];
    assert!(Process::start("banyan", &args, |_| {}).wait().success());
    let [authority, own, own_key] = ["ca.pem", "coordinator.pem", "coordinator-key.pem"].map(file);
    let [shown, shown_key] = ["site.pem", "site-key.pem"].map(file);
    let serve = ["serve", "--tls-cert", &own, "--tls-key", &own_key, "--threads"];
    let (top, address) =
        Process::coordinator(&[&serve[..], &["0", "--tls-client-ca", &authority]].concat());
    let join = ["1", "--join", &address, "--name", "site", "--tls-ca", &authority];
    let shows = ["--join-tls-cert", &shown, "--join-tls-key", &shown_key];
    let (_below, _) = Process::coordinator(&[&serve[..], &join, &shows].concat());
    top.wait_for_log("worker joined name=\"site\"");
}

#[test]
fn an_address_that_is_none_is_refused_before_anything_listens() {
    let args = ["serve", "--listen", "127.0.0.1:0", "--join", "127.0.0.1:99999"];
    let mut refused = Process::start("banyan", &args, |_| {});
    assert_eq!(refused.wait().code(), Some(2));
    let [line] = &refused.log()[..] else { panic!("one line") };
    let words = "error: '127.0.0.1:99999' is no address: expected HOST:PORT such as";
    assert!(line.starts_with(words), "{line}");
}

#[test]
fn a_cluster_that_works_for_itself_searches_all_the_same() {
    let address = free_address();
    let args = ["serve", "--threads", "1", "--listen", &address, "--join", &address];
    let served = Process::start("banyan", &args, |_| {});
    served.wait_for_log("worker joined");
    let args = ["--game", "othello", "--engine", "uct", "--time", "2s", "--threads", "1"];
    let mut front_end = FrontEnd::start(&[&args[..], &["--remote", &address]].concat());
    front_end.process.wait_for_log("thinking with");
    front_end.say("genmove b");
    assert!(front_end.answer().starts_with("= "));
}
