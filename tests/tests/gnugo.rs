//! A whole game of 9x9 Go against GNU Go, played out by worker processes that die and join.

use std::sync::mpsc::channel;
use std::time::Duration;

use banyan_tests::processes::{Process, binary, free_address, installed};
use banyan_tests::runner::engine::Engine;
use rustix::process::Signal;

/// No answer takes longer, on a busy machine, with a worker dead.
const BOUND: Duration = Duration::from_secs(60);

/// A game is over long before.
const PLIES_MAX: usize = 250;

fn ask(engine: &mut Engine, command: &str) -> String {
    engine.ask(command, BOUND).unwrap_or_else(|error| panic!("{error}")).trim().to_owned()
}

/// Asks for a move, and lets `meanwhile` happen once it is being thought about.
fn genmove_while(engine: &mut Engine, color: &str, meanwhile: impl FnOnce() + Send) -> String {
    let (thinking, thought) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            thought.recv().expect("sent below");
            std::thread::sleep(Duration::from_millis(100));
            meanwhile();
        });
        thinking.send(()).expect("the thread waits");
        ask(engine, &format!("genmove {color}"))
    })
}

#[test]
fn a_game_goes_on_while_a_worker_is_killed_and_another_joins() {
    let Some(gnugo) = installed("gnugo") else { return };
    let address = free_address();
    let coordinator = binary("banyan");
    let mut ours = Engine::start(&format!(
        "{} gtp --size 9 --policy uniform --threads 0 --playouts 60000 --listen {address} --resign 0",
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
            6 => genmove_while(&mut ours, "b", || first.signal(Signal::KILL)),
            10 => genmove_while(&mut ours, "b", || {
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
    let (our_score, their_score) = (ask(&mut ours, "final_score"), ask(&mut theirs, "final_score"));
    let board = ask(&mut ours, "showboard");
    assert_eq!(
        our_score.parse::<Score>(),
        their_score.parse::<Score>(),
        "we say {our_score}, GNU Go {their_score} of\n{board}"
    );
    theirs.quit();
    ours.quit();
}

/// `B+3.5` and `B+3.50` are one score.
#[derive(Debug, PartialEq)]
struct Score {
    winner: char,
    half_points: i32,
}

impl std::str::FromStr for Score {
    type Err = String;

    fn from_str(text: &str) -> Result<Score, String> {
        let (winner, points) = text.split_once('+').ok_or_else(|| text.to_owned())?;
        let points: f64 = points.parse().map_err(|_| text.to_owned())?;
        let winner = winner.chars().next().ok_or_else(|| text.to_owned())?;
        Ok(Score { winner, half_points: (points * 2.0).round() as i32 })
    }
}
