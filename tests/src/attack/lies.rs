//! Workers that lie.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banyan_lab::processes::Process;
use serde_json::Value;

use super::ground::{honest_value, lines_with, of_batches, search, seconds, value};
use super::{Attack, Seen};
use crate::liar::{self, Liar, Lie};

/// By so much two honest searches of a second or two may differ.
const NEAR: f64 = 0.05;

pub(super) const FALSE_PROOF: Attack = Attack {
    name: "false-proof",
    what: "a liar of 64 claimed threads says that every reply loses, beside an honest worker",
    expected: "the search lasts its whole time, nothing is proven, the liar is put out",
    is_short: true,
    act: || {
        let options = "--game hex --size 9 --engine uct --threads 1 --min-workers 2 --mode subtree";
        let (coordinator, address) = search(2, options);
        let _honest = Process::worker(&address, "honest");
        let liar = Liar { threads: 64, ..lying("liar", Lie::FalseProofs) };
        let liar = starts(liar, &address);
        let answer = coordinator.json();
        let told = liar.join().expect("no panic").is_some();
        let (seconds, value) = (seconds(&answer), value(&answer));
        let held = seconds > 1.9 && (0.02..0.98).contains(&value) && told;
        Seen::new(held, format!("{seconds:.1} s of 2, value {value:.2}, put out: {told}"))
    },
};

pub(super) const COLLUDING: Attack = Attack {
    name: "colluding",
    what: "two liars alone, honest for 40 tallies, then both lie alike",
    expected: "both are put out and all that they said is taken back",
    is_short: true,
    act: || {
        let expected = honest_value("");
        let (coordinator, address) = search(6, "--threads 0 --min-workers 2");
        let liars = ["one", "two"].map(|name| starts(lying(name, Lie::WinsLater(40)), &address));
        coordinator.wait_for_count("not let in again", 2);
        let told = liars.map(|liar| liar.join().expect("no panic").is_some());
        let answer = coordinator.json();
        let taken_back = of_batches(&answer, "taken_back");
        let value = value(&answer);
        let held = told == [true; 2] && taken_back > 0 && (value - expected).abs() < NEAR;
        let text = format!(
            "both put out, {taken_back} playouts taken back, value {value:.2} where honest ones have \
             {expected:.2}"
        );
        Seen::new(held, text)
    },
};

pub(super) const HIT_AND_RUN: Attack = Attack {
    name: "hit-and-run",
    what: "four liars leave after a few tallies and come back under new names, beside an honest worker",
    expected: "the value is what an honest search has",
    is_short: false,
    act: || {
        let expected = honest_value("");
        let (coordinator, address) = search(8, "--threads 0 --min-workers 1");
        let _honest = Process::worker(&address, "honest");
        let (over, times) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
        // Two lie from the first tally on, two once their first ones have come through.
        let lies = [Lie::Wins, Lie::Wins, Lie::WinsLater(6), Lie::WinsLater(6)];
        let liars: Vec<JoinHandle<()>> = (0..)
            .zip(lies)
            .map(|(at, lie)| {
                let (address, over, times) = (address.clone(), over.clone(), times.clone());
                std::thread::spawn(move || hit_and_run(at, lie, &address, &over, &times))
            })
            .collect();
        let put_out = watch(&coordinator, Duration::from_secs(7));
        let answer = coordinator.json();
        over.store(true, Ordering::Relaxed);
        liars.into_iter().for_each(|liar| liar.join().expect("no panic"));
        let (value, times) = (value(&answer), times.load(Ordering::Relaxed));
        let held = times > 20 && (value - expected).abs() < NEAR;
        let text = format!(
            "{times} incarnations, {put_out} put out, value {value:.3} where honest ones have \
             {expected:.3}"
        );
        Seen::new(held, text)
    },
};

/// Lines about liars that were put out until so much time is over.
fn watch(coordinator: &Process, time: Duration) -> usize {
    let until = Instant::now() + time;
    while Instant::now() < until {
        std::thread::sleep(Duration::from_millis(100));
    }
    lines_with(coordinator, "not let in again")
}

fn hit_and_run(at: u32, lie: Lie, address: &str, over: &AtomicBool, times: &AtomicU32) {
    for again in 0..10_000 {
        let name = format!("run-{at}-{again}");
        let leaves_after = Some(if lie == Lie::Wins { 3 } else { 12 });
        let liar = Liar { leaves_after, ..lying(&name, lie) };
        if over.load(Ordering::Relaxed) || liar.join(address).is_err() {
            return;
        }
        times.fetch_add(1, Ordering::Relaxed);
    }
}

pub(super) const LONE_LIAR: Attack = Attack {
    name: "lone-liar",
    what: "the only worker lies from its 21st tally on",
    expected: "it is put out, and every tally of it is taken back",
    is_short: true,
    act: || {
        let expected = honest_value("");
        let (coordinator, address) = search(4, "--threads 0 --min-workers 1");
        let liar = starts(lying("liar", Lie::WinsLater(20)), &address);
        coordinator.wait_for_log("not let in again");
        let told = liar.join().expect("no panic").is_some();
        let answer = coordinator.json();
        let (value, taken_back) = (value(&answer), of_batches(&answer, "taken_back"));
        let told_of = playouts_of(&answer, "liar");
        let held = told && taken_back >= told_of && (value - expected).abs() < NEAR;
        let text = format!(
            "put out; of its {told_of} playouts {taken_back} taken back, value {value:.2} where honest \
             ones have {expected:.2}"
        );
        Seen::new(held, text)
    },
};

/// Playouts of a worker that counted, later taken back or not.
fn playouts_of(answer: &Value, name: &str) -> u64 {
    let nodes = answer["nodes"].as_array().expect("a list");
    let node = nodes.iter().find(|node| node["name"] == name);
    node.and_then(|node| node["playouts"].as_u64()).unwrap_or_default()
}

pub(super) const RARE_LIE: Attack = Attack {
    name: "rare-lie",
    what: "a worker turns one answer in 30 of a shared alpha-beta search around, beside an honest one",
    expected: "the move is one that an honest search would choose",
    is_short: false,
    act: || {
        let options = "--game othello --engine alphabeta --threads 0 --min-workers 2";
        let mut honest = Vec::new();
        for _ in 0..2 {
            let (coordinator, address) = search(3, options);
            let _workers = ["one", "two"].map(|name| Process::worker(&address, name));
            honest.push(coordinator.json());
        }
        let (coordinator, address) = search(3, options);
        let _honest = Process::worker(&address, "honest");
        let liar = starts(lying("liar", Lie::SometimesSolutions(30)), &address);
        let answer = coordinator.json();
        let told = liar.join().expect("no panic").is_some();
        let best = |answer: &Value| answer["best"].as_str().map(str::to_owned);
        let is_honest = honest.iter().any(|honest| best(honest) == best(&answer));
        let [ours, lowest, highest] = {
            let values: Vec<f64> = honest.iter().map(value).collect();
            [value(&answer), values[0].min(values[1]), values[0].max(values[1])]
        };
        let held = is_honest && (lowest - NEAR..=highest + NEAR).contains(&ours);
        let text = format!(
            "move {} and value {ours:.2}, honest ones have {} and {lowest:.2} to {highest:.2}; put out: \
             {told}",
            best(&answer).unwrap_or_default(),
            best(&honest[0]).unwrap_or_default()
        );
        Seen::new(held, text)
    },
};

pub(super) const WILD_COUNTS: Attack = Attack {
    name: "wild-counts",
    what: "a worker counts 2,000 million games, another fewer points than the board has",
    expected: "both are put out, and nothing of it counts",
    is_short: false,
    act: || {
        let expected = honest_value("");
        let (coordinator, address) = search(2, "--threads 1");
        let liars = [("wild", Lie::TooManyGames), ("short", Lie::ShortLists)];
        let liars = liars.map(|(name, lie)| liar::start(&address, name, lie));
        coordinator.wait_for_count("put out", 2);
        let answer = coordinator.json();
        liars.into_iter().for_each(|liar| drop(liar.join().expect("no panic")));
        let value = value(&answer);
        let held = (value - expected).abs() < NEAR;
        Seen::new(
            held,
            format!("both put out, value {value:.2} where honest ones have {expected:.2}"),
        )
    },
};

fn lying(name: &str, lie: Lie) -> Liar {
    Liar { name: name.to_owned(), lie, threads: 1, leaves_after: None }
}

fn starts(liar: Liar, address: &str) -> JoinHandle<Option<String>> {
    let address = address.to_owned();
    std::thread::spawn(move || liar.join(&address).expect("it listens"))
}
