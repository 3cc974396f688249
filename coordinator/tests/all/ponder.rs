//! The opponent's time, as a controller sees it: a real process that is waited for.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(options: &[&str]) -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_banyan"))
            .args(["gtp", "--threads", "1", "--resign", "0", "--json"])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        Engine { process, input, output }
    }

    fn ask(&mut self, command: &str) -> String {
        writeln!(self.input, "{command}").expect("it listens");
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("it speaks");
            if line.trim().is_empty() {
                return answer.trim_start_matches(['=', ' ']).trim().to_owned();
            }
            answer.push_str(&line);
        }
    }

    /// Processor time that the process takes while nothing is said, seconds.
    fn idle_seconds(&mut self, time: Duration) -> f64 {
        let before: f64 = self.ask("cputime").parse().expect("seconds");
        std::thread::sleep(time);
        let after: f64 = self.ask("cputime").parse().expect("seconds");
        after - before
    }

    /// What it says of each move on standard error, at its end.
    fn thoughts(mut self) -> Vec<Value> {
        self.ask("quit");
        let ended = self.process.wait_with_output().expect("it ends");
        let log = String::from_utf8_lossy(&ended.stderr).into_owned();
        log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

const PAUSE: Duration = Duration::from_millis(600);

/// Far more than a process takes that only waits, far less than one that searches, even on a machine
/// that others use.
const BUSY_SECONDS: f64 = 0.03;

#[test]
fn it_thinks_on_the_opponent_s_time_in_games_on_a_clock_until_they_are_over() {
    let mut engine = Engine::start(&["--size", "5"]);
    engine.ask("time_settings 20 0 0");
    assert!(engine.idle_seconds(PAUSE) < BUSY_SECONDS, "nobody has moved");
    engine.ask("genmove b");
    assert!(engine.idle_seconds(PAUSE) > BUSY_SECONDS, "it should ponder");
    let asked = Instant::now();
    engine.ask("name");
    assert!(asked.elapsed() < Duration::from_secs(2), "late by {:?}", asked.elapsed());
    engine.ask("kgs-game_over");
    assert!(engine.idle_seconds(PAUSE) < BUSY_SECONDS, "the game is over");
    engine.ask("genmove w");
    engine.ask("play b pass");
    engine.ask("play w pass");
    assert!(engine.idle_seconds(PAUSE) < BUSY_SECONDS, "two passes end a game");
    engine.thoughts();
}

#[test]
fn it_thinks_on_nobody_s_time_without_a_clock_or_when_told_not_to() {
    for (options, busy) in [
        (&["--playouts", "50"][..], false),
        (&["--playouts", "50", "--ponder"], true),
        (&["--time", "50ms", "--no-ponder"], false),
    ] {
        let mut engine = Engine::start(&[&["--size", "5"], options].concat());
        if !busy && options.contains(&"--no-ponder") {
            engine.ask("time_settings 20 0 0");
        }
        engine.ask("genmove b");
        assert_eq!(engine.idle_seconds(PAUSE) > BUSY_SECONDS, busy, "{options:?}");
        engine.thoughts();
    }
}

#[test]
fn each_move_says_what_became_of_the_time() {
    let mut engine = Engine::start(&["--size", "5", "--playouts", "200"]);
    engine.ask("time_settings 20 0 0");
    engine.ask("genmove b");
    std::thread::sleep(PAUSE);
    // Whatever Black has played, not both of these are taken.
    let replied = engine.ask("play w B2").is_empty() || engine.ask("play w D4").is_empty();
    assert!(replied);
    engine.ask("genmove b");
    let thoughts = engine.thoughts();
    assert_eq!(thoughts.len(), 2, "{thoughts:?}");
    assert_eq!(thoughts[0].get("pondered"), None);
    let pondered = &thoughts[1]["pondered"];
    assert!(pondered["playouts"].as_u64() > Some(0), "{pondered}");
    assert_eq!(pondered["foreseen"].as_bool(), Some(!pondered["rank"].is_null()), "{pondered}");
    let carried = thoughts[1]["carried_over"].as_u64().expect("a count");
    let visits = thoughts[1]["visits"].as_u64().expect("a count");
    let playouts = thoughts[1]["playouts"].as_u64().expect("a count");
    assert!(playouts > 0 && carried + playouts <= visits + 1, "{}", thoughts[1]);
    assert!(thoughts[1]["usual_seconds"].as_f64() > Some(0.0));
}

#[test]
fn a_classical_engine_thinks_on_the_opponent_s_time_too() {
    let mut engine = Engine::start(&["--game", "othello"]);
    engine.ask("time_settings 20 0 0");
    engine.ask("genmove b");
    assert!(engine.idle_seconds(PAUSE) > BUSY_SECONDS, "it should ponder");
    let reply = engine.ask("genmove w");
    assert!(!reply.is_empty() && !reply.starts_with('?'), "{reply}");
    engine.ask("kgs-game_over");
    assert!(engine.idle_seconds(PAUSE) < BUSY_SECONDS, "the game is over");
    let thoughts = engine.thoughts();
    assert!(thoughts.iter().all(|thought| thought["decided_by"] == "alphabeta"), "{thoughts:?}");
}
