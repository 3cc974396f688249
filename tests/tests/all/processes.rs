//! Real processes on loopback: answers, workers that come, drain, die and lie, and garbage at the door.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use banyan_lab::processes::{PATIENCE, Process, free_address};
use banyan_lab::scrape;
use rustix::process::Signal;
use serde_json::Value;

fn search(args: &[&str]) -> Value {
    let args = [&["search", "--json", "--threads", "1"], args].concat();
    Process::start("banyan", &args, |_| {}).json()
}

/// A search that fails; its last words.
fn refused(args: &[&str]) -> String {
    let args = [&["search", "--json"], args].concat();
    let mut process = Process::start("banyan", &args, |_| {});
    assert_eq!(process.wait().code(), Some(2), "{args:?}");
    process.log().join("\n")
}

#[test]
fn every_game_answers_with_the_playouts_that_were_asked_for() {
    for game in ["go", "othello", "gomoku", "connect6"] {
        let answer = search(&["--game", game, "--playouts", "20000"]);
        assert_eq!(answer["game"], game);
        assert_eq!(answer["playouts"], 20_000, "{game}");
        let candidates = answer["candidates"].as_array().expect("a list");
        assert_eq!(candidates[0]["move"], answer["best"], "{game}");
        let visits: u64 = candidates.iter().filter_map(|c| c["visits"].as_u64()).sum();
        // Playouts of the root before it had children are its own.
        assert!((19_900..=20_000).contains(&visits), "{game}: {visits}");
        assert_eq!(answer["nodes"][0]["name"], "local");
        assert!(answer["tree_digest"].is_string());
    }
}

#[test]
fn a_win_in_one_is_proven_and_played() {
    let four = ["--moves", "h8 a1 h9 a3 h10 a5 h11 a7"];
    let answer = search(&[&["--game", "gomoku", "--playouts", "20000"], &four[..]].concat());
    let best = answer["best"].as_str().expect("a move");
    assert!(["h7", "h12"].contains(&best), "{best}");
    assert_eq!(answer["value"], 1.0);
    assert!(answer["playouts"].as_u64() < Some(20_000), "a proven root ends the search");
}

#[test]
fn wrong_input_is_refused_with_its_value() {
    for (args, words) in [
        (&["--size", "1"][..], "1x1"),
        (&["--size", "26"], "26x26"),
        (&["--game", "othello", "--size", "10"], "8x8"),
        (&["--komi", "7.3"], "7.3"),
        (&["--moves", "e5 z99"], "z99"),
        (&["--moves", "e5 e5"], "illegal move E5"),
        (&["--set", "speed=9"], "unknown parameter 'speed'"),
        (&["--set", "exploration=-1"], "expected a number from 0 to 10"),
        (&["--set", "solver=0.5"], "solver=0.5: expected 0 or 1"),
        (&["--batch", "70000"], "70000"),
        (&["--window", "4", "--batch", "8"], "window of 4"),
        (&["--listen", "0.0.0.0:0"], "--insecure"),
        (&["--sgf", "/nonexistent.sgf"], "/nonexistent.sgf"),
        (&["--game", "chess"], "chess"),
        (&["--time", "soon"], "soon"),
        (&["--playouts", "0"], "0"),
        (&["--threads", "100000"], "100000"),
    ] {
        let log = refused(args);
        assert!(log.contains(words), "{args:?}: {log}");
        assert!(!log.contains("panicked"), "{args:?}: {log}");
    }
}

#[test]
fn a_broken_sgf_file_is_refused_with_line_and_column() {
    let folder = tempfile::tempdir().expect("a folder for a file");
    let path = folder.path().join("broken.sgf");
    std::fs::write(&path, "(;GM[1]SZ[9]\n;B[ee];W[cc").expect("written");
    let log = refused(&["--sgf", path.to_str().expect("UTF-8")]);
    assert!(log.contains("line 2"), "{log}");
}

#[test]
fn a_drained_worker_finishes_what_it_holds_and_leaves() {
    let args = ["search", "--json", "--threads", "0", "--playouts", "400000", "--min-workers", "2"];
    let (coordinator, address) = Process::coordinator(&args);
    let mut leaving = Process::worker(&address, "leaving");
    let staying = Process::worker(&address, "staying");
    for worker in [&leaving, &staying] {
        worker.wait_for_log("working for");
    }
    coordinator.wait_for_log("the clock starts");
    leaving.signal(Signal::TERM);
    assert!(leaving.wait().success(), "{:?}", leaving.log());
    let answer = coordinator.json();
    assert_eq!(answer["playouts"], 400_000);
    // What it held is about a hundred batches; a busy machine may hedge one or two of the others'.
    assert!(answer["batches"]["lent_again"].as_u64() < Some(10), "{}", answer["batches"]);
}

#[test]
fn a_worker_whose_lifetime_is_over_leaves_as_a_drained_one() {
    let args = ["search", "--json", "--threads", "0", "--time", "1h", "--min-workers", "1"];
    let (coordinator, address) = Process::coordinator(&args);
    let _staying = Process::worker(&address, "staying");
    coordinator.wait_for_log("the clock starts");
    let args = ["--join", &address, "--threads", "1", "--name", "short", "--lifetime", "300ms"];
    let mut short = Process::start("banyan-worker", &args, |_| {});
    assert!(short.wait().success(), "{:?}", short.log());
    assert!(short.log().iter().any(|line| line.contains("draining")), "{:?}", short.log());
    coordinator.wait_until_it_catches(Signal::INT);
    coordinator.signal(Signal::INT);
    let answer = coordinator.json();
    assert!(answer["playouts"].as_u64() > Some(0), "{answer}");
    assert_eq!(answer["batches"]["lost"], 0, "what it held was answered: {}", answer["batches"]);
}

#[test]
fn ctrl_c_ends_a_search_with_its_answer_and_tells_the_workers() {
    let args = ["search", "--json", "--threads", "1", "--time", "1h"];
    let (coordinator, address) = Process::coordinator(&args);
    let worker = Process::worker(&address, "w");
    worker.wait_for_log("working for");
    coordinator.wait_until_it_catches(Signal::INT);
    coordinator.signal(Signal::INT);
    let answer = coordinator.json();
    assert!(answer["best"].is_string());
    worker.wait_for_log("the coordinator stops");
}

#[test]
fn a_worker_finds_a_coordinator_that_starts_later_and_again_after_it() {
    let address = free_address();
    let worker = Process::worker(&address, "early");
    worker.wait_for_log("trying again");
    for _ in 0..2 {
        let args = ["search", "--json", "--threads", "0", "--playouts", "2000", "--listen"];
        let args = [&args[..], &[&address, "--min-workers", "1"]].concat();
        let answer = Process::start("banyan", &args, |_| {}).json();
        assert_eq!(answer["nodes"][0]["name"], "early");
        assert_eq!(answer["playouts"], 2_000);
        // Games that end during a descent are counted without a worker.
        assert!(answer["nodes"][0]["playouts"].as_u64() > Some(1_900), "{answer}");
    }
}

#[test]
fn without_any_worker_a_search_still_ends() {
    let args = ["search", "--json", "--threads", "0", "--playouts", "2000"];
    let started = Instant::now();
    let answer = Process::start("banyan", &args, |_| {}).json();
    assert_eq!(answer["playouts"], 2_000);
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn the_only_worker_killed_does_not_hang_the_search() {
    let args = ["search", "--json", "--threads", "0", "--playouts", "300000", "--min-workers", "1"];
    let (coordinator, address) = Process::coordinator(&args);
    let worker = Process::worker(&address, "only");
    coordinator.wait_for_log("the clock starts");
    worker.signal(Signal::KILL);
    assert_eq!(coordinator.json()["playouts"], 300_000);
}

#[test]
fn garbage_at_the_door_leaves_the_search_alone() {
    let args = ["search", "--json", "--threads", "1", "--time", "3s"];
    let (coordinator, address) = Process::coordinator(&args);
    let mut silent = Vec::new();
    for _ in 0..24 {
        silent.push(TcpStream::connect(&address).expect("it listens"));
    }
    for garbage in garbage() {
        let mut socket = TcpStream::connect(&address).expect("it still listens");
        socket.set_read_timeout(Some(Duration::from_millis(200))).expect("a socket");
        // The coordinator may close before all is written or read; both are right.
        let _ = socket.write_all(&garbage);
        let _ = socket.read(&mut [0; 1024]);
    }
    let worker = Process::worker(&address, "honest");
    worker.wait_for_log("working for");
    let answer = coordinator.json();
    let nodes = answer["nodes"].as_array().expect("a list");
    let honest = nodes.iter().find(|node| node["name"] == "honest").expect("it joined");
    assert!(honest["playouts"].as_u64() > Some(0), "{nodes:?}");
}

fn garbage() -> Vec<Vec<u8>> {
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    let random: Vec<u8> =
        (0..4096u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    // A frame that says it is 16 MiB long, half a settings frame, and a stream of a made-up type.
    let huge = [&preface[..], &[0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]].concat();
    let half = [&preface[..], &[0, 0, 6, 4, 0, 0]].concat();
    let odd = [&preface[..], &[0, 0, 0, 99, 0, 0, 0, 0, 1], &random[..]].concat();
    let http1 = b"GET / HTTP/1.1\r\nHost: banyan\r\n\r\n".to_vec();
    vec![random, http1, preface, huge, half, odd, vec![0; 100_000]]
}

#[test]
fn bench_lists_every_node_with_shares_of_work_as_of_capacity() {
    let args = ["bench", "--json", "--threads", "1", "--time", "3s", "--min-workers", "2"];
    let (coordinator, address) = Process::coordinator(&args);
    let workers = ["one", "two"].map(|name| Process::worker(&address, name));
    let answer = coordinator.json();
    drop(workers);
    let nodes = answer["nodes"].as_array().expect("a list");
    let names: Vec<&str> = nodes.iter().filter_map(|node| node["name"].as_str()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    for node in nodes {
        let share = |key: &str| node[key].as_f64().expect("a number");
        let (work, capacity) = (share("share_of_work"), share("share_of_capacity"));
        assert!((work - capacity).abs() < 0.1, "{node}");
        assert!(node["playouts_per_s"].as_f64() > Some(0.0), "{node}");
        assert!(node["cpu_s"].as_f64() > Some(0.0), "{node}");
    }
    let remote = nodes.iter().find(|node| node["name"] == "one").expect("listed");
    assert!(remote["rtt_ms_p99"].as_f64() > Some(0.0), "{remote}");
}

#[test]
fn logs_are_lines_of_text_or_json_objects() {
    for program in ["banyan", "banyan-worker"] {
        let args: &[&str] = match program {
            "banyan" => &["search", "--threads", "0", "--playouts", "1", "--listen", "127.0.0.1:0"],
            _ => &["--join", "127.0.0.1:1", "--threads", "1"],
        };
        let args = [args, &["--log-format", "json"]].concat();
        let process = Process::start(program, &args, |_| {});
        let line = process.wait_for_log("message");
        let line: Value = serde_json::from_str(&line).expect("one object a line");
        assert!(line["timestamp"].is_string() && line["level"].is_string(), "{line}");
    }
}

#[test]
fn sigterm_in_mid_move_is_answered_with_a_move_and_an_orderly_end() {
    let metrics = free_address();
    let args = ["gtp", "--threads", "1", "--time", "1h", "--metrics", &metrics];
    let mut engine = Process::start("banyan", &args, |command| {
        command.stdin(std::process::Stdio::piped());
    });
    let mut input = engine.child().stdin.take().expect("piped");
    input.write_all(b"7 genmove b\n").expect("it reads");
    scrape::wait_for_playouts(&metrics);
    engine.signal(Signal::TERM);
    let (answer, status) = engine.output();
    assert!(status.success(), "{status}");
    assert!(answer.starts_with("=7 ") && answer.ends_with("\n\n"), "{answer:?}");
    drop(input);
}
