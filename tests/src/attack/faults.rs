//! Faults that make other engines hang or abort: the table that those were measured by.

use std::time::{Duration, Instant};

use banyan_lab::processes::{PATIENCE, Process, binary, free_address};
use banyan_lab::runner::engine::Engine;
use banyan_lab::scrape;
use rustix::process::Signal;

use super::{Attack, Seen};

/// A move of two seconds is answered within this, on a busy machine.
const MOVE_MAX: Duration = Duration::from_millis(3_500);

/// A GTP engine with options, that workers may join at the address.
fn engine(options: &str) -> (Engine, String) {
    let address = free_address();
    let program = binary("banyan");
    let command =
        format!("{} gtp --size 9 --policy uniform --listen {address} {options}", program.display());
    (Engine::start(&command).expect("our own engine starts"), address)
}

/// The answer to a command, and how long that took.
fn ask(engine: &mut Engine, command: &str) -> (String, Duration) {
    let began = Instant::now();
    let answer = engine.ask(command, PATIENCE).unwrap_or_else(|error| panic!("{error}"));
    (answer.trim().to_owned(), began.elapsed())
}

fn worker(address: &str, name: &str) -> Process {
    let worker = Process::worker(address, name);
    worker.wait_for_log("working for");
    worker
}

/// A move of an engine, while something is done to it as soon as playouts are counted.
fn move_while(engine: &mut Engine, metrics: &str, act: impl FnOnce() + Send) -> Seen {
    let (mv, took) = std::thread::scope(|scope| {
        scope.spawn(move || {
            scrape::wait_for_playouts(metrics);
            act();
        });
        ask(engine, "genmove b")
    });
    let held = took < MOVE_MAX && !mv.is_empty();
    Seen::new(held, format!("{mv} after {:.2} s of 2", took.as_secs_f64()))
}

pub(super) const FROZEN_WORKER: Attack = Attack {
    name: "frozen-worker",
    what: "one of two workers is frozen (SIGSTOP) in mid-move",
    expected: "the move comes in time",
    is_short: true,
    act: || {
        let metrics = free_address();
        let (mut engine, address) = engine(&format!("--threads 0 --time 2s --metrics {metrics}"));
        let workers = ["a", "b"].map(|name| worker(&address, name));
        move_while(&mut engine, &metrics, || workers[1].signal(Signal::STOP))
    },
};

pub(super) const KILLED_WORKER: Attack = Attack {
    name: "killed-worker",
    what: "the only worker is killed in mid-move",
    expected: "the move comes in time",
    is_short: false,
    act: || {
        let metrics = free_address();
        let (mut engine, address) = engine(&format!("--threads 0 --time 2s --metrics {metrics}"));
        let only = worker(&address, "a");
        move_while(&mut engine, &metrics, || only.signal(Signal::KILL))
    },
};

pub(super) const NOBODY_THERE: Attack = Attack {
    name: "nobody-there",
    what: "no worker and no thread of its own",
    expected: "commands are answered, and a move comes",
    is_short: false,
    act: || {
        let (mut engine, _) = engine("--threads 0 --time 2s");
        let (_, soon) = ask(&mut engine, "boardsize 9");
        let (mv, took) = ask(&mut engine, "genmove b");
        let held = soon < Duration::from_secs(1) && took < MOVE_MAX;
        Seen::new(held, format!("boardsize at once, {mv} after {:.2} s of 2", took.as_secs_f64()))
    },
};

pub(super) const LATE_JOIN: Attack = Attack {
    name: "late-join",
    what: "a worker joins during the first move",
    expected: "the move comes in time, and the worker plays",
    is_short: false,
    act: || {
        let metrics = free_address();
        let (mut engine, address) = engine(&format!("--threads 1 --time 2s --metrics {metrics}"));
        let mut late = None;
        let seen = move_while(&mut engine, &metrics, || late = Some(worker(&address, "late")));
        let text = scrape::get(&metrics, "/metrics");
        let played = scrape::samples(&text).iter().any(|(name, &playouts)| {
            name.starts_with("banyan_worker_playouts_total{worker=\"late\"") && playouts > 0.0
        });
        let held = seen.held == Some(true) && played;
        Seen::new(held, format!("{}, the newcomer played: {played}", seen.text))
    },
};

pub(super) const KILLED_COORDINATOR: Attack = Attack {
    name: "killed-coordinator",
    what: "the coordinator is killed and started again",
    expected: "its worker comes back, without a storm of connections, and moves are found",
    is_short: false,
    act: || {
        let address = free_address();
        let args = ["search", "--json", "--size", "9", "--threads", "0", "--time", "60s"];
        let args = [&args[..], &["--listen", &address]].concat();
        let first = Process::start("banyan", &args, |_| {});
        first.wait_for_log("--join ");
        let worker = worker(&address, "a");
        first.signal(Signal::KILL);
        drop(first);
        let args = ["search", "--json", "--size", "9", "--threads", "0", "--time", "6s"];
        let args = [&args[..], &["--listen", &address, "--min-workers", "1"]].concat();
        let answer = Process::start("banyan", &args, |_| {}).json();
        let tries = worker.log().iter().filter(|line| line.contains("trying again")).count();
        let playouts = answer["playouts"].as_u64().unwrap_or_default();
        let held = playouts > 0 && tries < 24;
        Seen::new(held, format!("{playouts} playouts afterwards, {tries} lines about trying again"))
    },
};

pub(super) const FEW_PLAYOUTS: Attack = Attack {
    name: "few-playouts",
    what: "2,000 playouts on 9x9 over two workers",
    expected: "a move on the board",
    is_short: false,
    act: || {
        let (mut engine, address) = engine("--threads 0 --min-workers 2 --playouts 2000");
        let _workers = ["a", "b"].map(|name| worker(&address, name));
        let (mv, _) = ask(&mut engine, "genmove b");
        let held = !["pass", "resign", ""].contains(&mv.to_lowercase().as_str());
        Seen::new(held, mv)
    },
};

pub(super) const ANALYSIS: Attack = Attack {
    name: "analysis",
    what: "lz-analyze with a worker, ended by the next command",
    expected: "the next command is answered at once",
    is_short: false,
    act: || {
        let (mut engine, address) = engine("--threads 0 --min-workers 1 --time 2s");
        let _worker = worker(&address, "a");
        let (text, took) = ask(&mut engine, "lz-genmove_analyze b 20");
        let (name, soon) = ask(&mut engine, "name");
        let held = soon < Duration::from_secs(1) && text.contains("info move") && !name.is_empty();
        Seen::new(held, format!("a move after {:.1} s, then {name}", took.as_secs_f64()))
    },
};
