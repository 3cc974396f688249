//! A whole game of 9x9 Go against GNU Go, played out by worker processes that die and join.

use std::collections::BTreeSet;
use std::time::Duration;

use banyan_lab::processes::{Process, binary, free_address, installed};
use banyan_lab::runner::engine::Engine;
use banyan_lab::scrape;
use rustix::process::Signal;

/// No answer takes longer, on a busy machine, with a worker dead.
const BOUND: Duration = Duration::from_secs(60);

/// A game is over long before.
const PLIES_MAX: usize = 250;

fn ask(engine: &mut Engine, command: &str) -> String {
    engine.ask(command, BOUND).unwrap_or_else(|error| panic!("{error}")).trim().to_owned()
}

/// Asks for a move, and lets `meanwhile` happen once the search is under way, as the metrics tell.
fn genmove_while(engine: &mut Engine, metrics: &str, meanwhile: impl FnOnce() + Send) -> String {
    scrape::wait_for(metrics, |name, searches| name == "banyan_searches" && searches == 0.0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            scrape::wait_for(metrics, |name, searches| name == "banyan_searches" && searches > 0.0);
            meanwhile();
        });
        ask(engine, "genmove b")
    })
}

#[test]
fn a_game_goes_on_while_a_worker_is_killed_and_another_joins() {
    let Some(gnugo) = installed("gnugo") else { return };
    let (address, metrics) = (free_address(), free_address());
    let coordinator = binary("banyan");
    let mut ours = Engine::start(&format!(
        "{} gtp --size 9 --policy uniform --threads 0 --playouts 25000 --listen {address} \
         --metrics {metrics} --resign 0",
        coordinator.display()
    ))
    .expect("our own engine starts");
    let theirs =
        format!("{gnugo} --mode gtp --level 1 --never-resign --chinese-rules --positional-superko");
    let mut theirs = Engine::start(&theirs).expect("it is installed");
    let first = Process::worker(&address, "first");
    let second = Process::worker(&address, "second");
    for worker in [&first, &second] {
        worker.wait_for_log("working for");
    }
    for engine in [&mut ours, &mut theirs] {
        for command in ["boardsize 9", "clear_board", "komi 7.5"] {
            ask(engine, command);
        }
    }
    let mut third = None;
    let mut passes = 0;
    let mut plies = 0;
    while passes < 2 {
        assert!(plies < PLIES_MAX, "the game does not end");
        let ours_to_move = plies % 2 == 0;
        let mv = match plies {
            6 => genmove_while(&mut ours, &metrics, || first.signal(Signal::KILL)),
            10 => genmove_while(&mut ours, &metrics, || {
                third = Some(Process::worker(&address, "third"));
            }),
            _ if ours_to_move => ask(&mut ours, "genmove b"),
            _ => ask(&mut theirs, "genmove w"),
        };
        // GNU Go refuses an illegal move, which fails the test.
        if ours_to_move {
            ask(&mut theirs, &format!("play b {mv}"));
        } else {
            ask(&mut ours, &format!("play w {mv}"));
        }
        passes = if mv.eq_ignore_ascii_case("pass") { passes + 1 } else { 0 };
        plies += 1;
    }
    third.expect("it joined").wait_for_log("working for");
    // Which stones are dead is a matter of opinion after some ends; which stand is not.
    let board = ask(&mut ours, "showboard");
    for (color, mark) in [("black", 'X'), ("white", 'O')] {
        let theirs = ask(&mut theirs, &format!("list_stones {color}"));
        let theirs: BTreeSet<String> = theirs.split_whitespace().map(str::to_owned).collect();
        assert_eq!(stones(&board, mark), theirs, "{color} of\n{board}");
    }
    let score = ask(&mut ours, "final_score");
    assert!(score.starts_with("B+") || score.starts_with("W+"), "{score}");
    theirs.quit();
    ours.quit();
}

/// The points with this mark on a board as `showboard` draws it.
fn stones(board: &str, mark: char) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in board.lines() {
        let Some((row, points)) = line.trim_start().split_once(' ') else { continue };
        if row.parse::<u32>().is_err() {
            continue;
        }
        let points = points.chars().filter(|point| "XO.".contains(*point));
        let columns = "ABCDEFGHJKLMNOPQRST".chars().zip(points);
        found.extend(
            columns.filter(|(_, at)| *at == mark).map(|(column, _)| format!("{column}{row}")),
        );
    }
    found
}
