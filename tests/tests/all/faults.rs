//! Faults of clusters, with real processes: workers that freeze, die, come late and lie, a
//! coordinator that is killed or stopped, nobody there at all.
//!
//! Each row of the table of faults that other engines fail has its test here, in `processes` (the only
//! worker killed) or in `admission` (silent connections).

use std::time::{Duration, Instant};

use banyan_lab::processes::{PATIENCE, Process, binary, free_address};
use banyan_lab::runner::engine::Engine;
use banyan_lab::scrape;
use banyan_tests::liar::{self, Lie};
use rustix::process::Signal;
use serde_json::Value;

/// A GTP engine with options, that workers may join at the address.
fn engine(options: &str) -> (Engine, String) {
    let address = free_address();
    let program = binary("banyan");
    let command =
        format!("{} gtp --size 9 --policy uniform --listen {address} {options}", program.display());
    (Engine::start(&command).expect("our own engine starts"), address)
}

/// Answers a command, and says how long that took.
fn ask_timed(engine: &mut Engine, command: &str) -> Duration {
    let started = Instant::now();
    ask(engine, command);
    started.elapsed()
}

/// Tells whether a sample says that this worker has played.
fn has_played(sample: &str, playouts: f64, worker: &str) -> bool {
    let name = format!("banyan_worker_playouts_total{{worker=\"{worker}\"");
    sample.starts_with(&name) && playouts > 0.0
}

fn ask(engine: &mut Engine, command: &str) -> String {
    engine.ask(command, PATIENCE).unwrap_or_else(|error| panic!("{error}")).trim().to_owned()
}

fn workers(address: &str, names: &[&str]) -> Vec<Process> {
    let workers: Vec<Process> = names.iter().map(|name| Process::worker(address, name)).collect();
    workers.iter().for_each(|worker| drop(worker.wait_for_log("working for")));
    workers
}

#[test]
fn a_frozen_worker_holds_no_move_back() {
    let metrics = free_address();
    let (mut engine, address) = engine(&format!("--threads 0 --time 2s --metrics {metrics}"));
    let workers = workers(&address, &["a", "b", "c", "frozen"]);
    let took = std::thread::scope(|scope| {
        scope.spawn(|| {
            scrape::wait_for(&metrics, |name, value| has_played(name, value, "frozen"));
            workers[3].signal(Signal::STOP);
        });
        ask_timed(&mut engine, "genmove b")
    });
    // It answers within 2.2 s where nothing else runs; a busy machine has a second more.
    assert!(took < Duration::from_millis(3_200), "a move of 2 s took {took:?}");
    let took = ask_timed(&mut engine, "genmove w");
    assert!(took < Duration::from_millis(3_200), "the next one took {took:?}");
    workers[3].signal(Signal::CONT);
}

#[test]
fn a_frozen_worker_loses_no_playout() {
    let metrics = free_address();
    let args = ["search", "--json", "--threads", "0", "--playouts", "600000", "--min-workers", "2"];
    let args = [&args[..], &["--mode", "leaf-parallel", "--metrics", &metrics]].concat();
    let (coordinator, address) = Process::coordinator(&args);
    let workers = workers(&address, &["well", "frozen"]);
    let of_frozen = |name: &str| name.starts_with("banyan_worker_playouts_total{worker=\"frozen\"");
    // Its window may hold nothing but audits as long as both workers' first tallies are compared.
    scrape::wait_for(&metrics, |name, playouts| of_frozen(name) && playouts > 10_000.0);
    workers[1].signal(Signal::STOP);
    let answer = coordinator.json();
    workers[1].signal(Signal::CONT);
    assert_eq!(answer["playouts"], 600_000);
    let batches = &answer["batches"];
    let count = |key: &str| batches[key].as_u64().expect("a count");
    assert!(count("lent_again") > 0, "it was frozen with batches: {batches}");
    assert_eq!(count("sent"), count("answered") + count("lost") + count("dead"), "{batches}");
}

#[test]
fn without_workers_every_command_is_answered() {
    let (mut engine, _) = engine("--threads 0 --playouts 500");
    for command in ["boardsize 9", "komi 6.5", "clear_board", "genmove b", "showboard", "undo"] {
        ask(&mut engine, command);
    }
    engine.quit();
}

#[test]
fn a_worker_that_joins_in_mid_move_is_used_at_once() {
    let args = ["search", "--json", "--threads", "1", "--time", "4s"];
    let (coordinator, address) = Process::coordinator(&args);
    let late = Process::worker(&address, "late");
    late.wait_for_log("working for");
    let joined = Instant::now();
    let answer = coordinator.json();
    let node = nodes(&answer).iter().find(|node| node["name"] == "late").expect("listed").clone();
    // What a second of its thread gives, a busy machine allowed for.
    let seconds = joined.elapsed().as_secs_f64() - 1.0;
    let alone = node["playouts_per_s"].as_f64().expect("a number");
    assert!(node["playouts"].as_f64() > Some(0.0), "{answer}");
    assert!(alone > 0.0 && seconds < 4.0, "{node}");
}

fn nodes(answer: &Value) -> &Vec<Value> {
    answer["nodes"].as_array().expect("a list")
}

#[test]
fn workers_wait_quietly_for_a_killed_coordinator_and_come_back() {
    let address = free_address();
    let start = || {
        let args = ["search", "--json", "--threads", "0", "--time", "60s", "--listen", &address];
        Process::start("banyan", &args, |_| {})
    };
    let coordinator = start();
    coordinator.wait_for_log("--join");
    let workers = workers(&address, &["a", "b"]);
    coordinator.signal(Signal::KILL);
    workers.iter().for_each(|worker| drop(worker.wait_for_log("trying again")));
    let before = workers[0].cpu();
    std::thread::sleep(Duration::from_secs(1));
    let used = workers[0].cpu() - before;
    assert!(used < Duration::from_millis(300), "a worker without work used {used:?} in a second");
    let coordinator = start();
    for name in ["name=\"a\"", "name=\"b\""] {
        coordinator.wait_for_log(name);
    }
}

#[test]
fn a_coordinator_that_was_stopped_has_its_workers_still() {
    let args = ["search", "--json", "--threads", "0", "--time", "8s", "--min-workers", "2"];
    let (coordinator, address) = Process::coordinator(&args);
    let workers = workers(&address, &["a", "b"]);
    coordinator.wait_for_log("the clock starts");
    coordinator.signal(Signal::STOP);
    // Longer than a worker may be silent.
    std::thread::sleep(Duration::from_secs(3));
    coordinator.signal(Signal::CONT);
    coordinator.wait_for_log("this process was stopped");
    let joined = coordinator.log().iter().filter(|line| line.contains("worker joined")).count();
    let answer = coordinator.json();
    assert_eq!(joined, 2);
    assert_eq!(nodes(&answer).len(), 2, "nobody left and came back: {answer}");
    for (worker, node) in workers.iter().zip(nodes(&answer)) {
        assert!(node["playouts"].as_u64() > Some(0), "{answer}");
        let greetings = worker.log().iter().filter(|line| line.contains("working for")).count();
        assert_eq!(greetings, 1, "{:?}", worker.log());
    }
}

#[test]
fn liars_are_found_named_and_not_let_in_again() {
    for (lie, audit) in [
        (Lie::Wins, "200"),
        (Lie::SometimesWins(20), "10"),
        (Lie::TooManyGames, "200"),
        (Lie::ShortLists, "200"),
    ] {
        let args =
            ["search", "--json", "--threads", "0", "--playouts", "200000", "--min-workers", "2"];
        let args =
            [&args[..], &["--mode", "leaf-parallel", "--batch", "8", "--audit", audit]].concat();
        let (coordinator, address) = Process::coordinator(&args);
        let _honest = Process::worker(&address, "honest");
        let liar = liar::start(&address, "liar", lie);
        let line = coordinator.wait_for_log("worker put out");
        assert!(line.contains("liar"), "{lie:?}: {line}");
        let words = liar.join().expect("no panic");
        // What cannot be a tally at all is refused at the door, and its connection closed.
        assert_eq!(line.contains("nonsense"), lie == Lie::TooManyGames, "{lie:?}: {line}");
        let is_lie = matches!(lie, Lie::Wins | Lie::SometimesWins(_));
        if is_lie {
            let told = words.is_some_and(|words| words.contains("its tallies are wrong"));
            assert!(told, "{lie:?}: it is told why");
            let again = liar::start(&address, "liar", lie).join().expect("no panic");
            assert!(again.is_some_and(|words| words.contains("were found to be wrong")), "{lie:?}");
        }
        let answer = coordinator.json();
        assert_eq!(answer["playouts"], 200_000, "{lie:?}: {answer}");
        let named = nodes(&answer)
            .iter()
            .any(|node| node["name"] == "liar" && node["quarantined"].is_string());
        // A list of the wrong length may be found by its length, or by another worker's tally.
        assert!(named || lie == Lie::TooManyGames || lie == Lie::ShortLists, "{lie:?}: {answer}");
    }
}

#[test]
fn a_lone_liar_is_found_by_the_coordinator_itself() {
    // Long enough for the coordinator's own audits, of which there is one a second.
    let args = ["search", "--json", "--threads", "0", "--playouts", "500000", "--min-workers", "1"];
    let (coordinator, address) = Process::coordinator(&args);
    let liar = liar::start(&address, "liar", Lie::Wins);
    coordinator.wait_for_log("its tallies are wrong");
    assert!(liar.join().expect("no panic").is_some());
    let answer = coordinator.json();
    assert_eq!(answer["playouts"], 500_000);
    let value = answer["value"].as_f64().expect("a number");
    assert!((0.2..0.8).contains(&value), "what it said is taken back: {answer}");
}

#[test]
fn tiny_budgets_over_two_workers_give_a_move_on_the_board() {
    for playouts in [1, 2, 10, 100, 2_000] {
        let (mut engine, address) =
            engine(&format!("--threads 0 --min-workers 2 --playouts {playouts}"));
        let _workers = workers(&address, &["a", "b"]);
        let mv = ask(&mut engine, "genmove b").to_lowercase();
        assert!(mv != "pass" && mv != "resign", "{playouts} playouts: {mv}");
        engine.quit();
    }
}

#[test]
fn who_lies_about_what_he_searched_is_found_and_not_believed() {
    let args = ["search", "--game", "othello", "--engine", "alphabeta", "--json", "--time", "3s"];
    let args = [&args[..], &["--evaluation", "stages"]].concat();
    let args = [&args[..], &["--threads", "0", "--min-workers", "2", "--audit", "1"]].concat();
    let (coordinator, address) = Process::coordinator(&args);
    let _honest = Process::worker(&address, "honest");
    let liar = liar::start(&address, "liar", Lie::Solutions);
    let line = coordinator.wait_for_log("worker put out");
    assert!(line.contains("liar"), "{line}");
    assert!(liar.join().expect("no panic").is_some_and(|words| words.contains("are wrong")));
    let answer = coordinator.json();
    assert_eq!(answer["decided_by"]["module"], "alphabeta", "{answer}");
    let value = answer["value"].as_f64().expect("a number");
    assert!((0.2..0.8).contains(&value), "the start is even, not lost: {answer}");
    assert!(answer["decided_by"]["depth"].as_u64() > Some(4), "it went on: {answer}");
}
