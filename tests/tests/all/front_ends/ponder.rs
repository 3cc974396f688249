//! The opponent's time, as a controller sees it: a real process that is waited for.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use banyan_lab::processes::binary;
use serde_json::Value;

struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(options: &[&str]) -> Engine {
        let mut process = Command::new(binary("banyan"))
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

    /// Processor time that the process has taken, seconds.
    fn cpu_seconds(&self) -> f64 {
        let path = format!("/proc/{}/stat", self.process.id());
        let stat = std::fs::read_to_string(path).expect("our own process is there");
        // User and system time are fields 14 and 15; the name in field 2 may hold anything.
        let fields = stat.rsplit_once(')').expect("a name in brackets").1.split_whitespace();
        let ticks = fields.skip(11).take(2).map(|field| field.parse::<f64>().expect("a number"));
        ticks.sum::<f64>() / rustix::param::clock_ticks_per_second() as f64
    }

    /// Waits until it thinks though nothing is said.
    fn wait_until_it_thinks(&self) {
        let (before, deadline) = (self.cpu_seconds(), Instant::now() + PATIENCE);
        while self.cpu_seconds() - before < BUSY_SECONDS {
            assert!(Instant::now() < deadline, "it should ponder");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Tells whether it stays idle while nothing is said: only time can show it.
    fn stays_idle(&self) -> bool {
        let before = self.cpu_seconds();
        std::thread::sleep(PAUSE);
        self.cpu_seconds() - before < BUSY_SECONDS
    }

    /// Thoughts about each move on standard error, at its end.
    fn thoughts(mut self) -> Vec<Value> {
        self.ask("quit");
        let ended = self.process.wait_with_output().expect("it ends");
        let log = String::from_utf8_lossy(&ended.stderr).into_owned();
        log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

/// A process that thinks takes far more than [`BUSY_SECONDS`] in this time.
const PAUSE: Duration = Duration::from_millis(600);

/// Nothing that is waited for takes longer, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// Far more than a process takes that only waits, far less than one that searches, even on a machine
/// that others use.
const BUSY_SECONDS: f64 = 0.03;

#[test]
fn it_thinks_on_the_opponent_s_time_in_games_on_a_clock_until_they_are_over() {
    let mut engine = Engine::start(&["--size", "5"]);
    engine.ask("time_settings 20 0 0");
    assert!(engine.stays_idle(), "nobody has moved");
    engine.ask("genmove b");
    engine.wait_until_it_thinks();
    let asked = Instant::now();
    engine.ask("name");
    assert!(asked.elapsed() < Duration::from_secs(2), "late by {:?}", asked.elapsed());
    engine.ask("kgs-game_over");
    assert!(engine.stays_idle(), "the game is over");
    engine.ask("genmove w");
    engine.ask("play b pass");
    engine.ask("play w pass");
    assert!(engine.stays_idle(), "two passes end a game");
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
        match busy {
            true => engine.wait_until_it_thinks(),
            false => assert!(engine.stays_idle(), "{options:?}"),
        }
        engine.thoughts();
    }
}

#[test]
fn each_move_says_what_became_of_the_time() {
    let mut engine = Engine::start(&["--size", "5", "--playouts", "200"]);
    engine.ask("time_settings 20 0 0");
    engine.ask("genmove b");
    engine.wait_until_it_thinks();
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
    engine.wait_until_it_thinks();
    let reply = engine.ask("genmove w");
    assert!(!reply.is_empty() && !reply.starts_with('?'), "{reply}");
    engine.ask("kgs-game_over");
    assert!(engine.stays_idle(), "the game is over");
    let thoughts = engine.thoughts();
    assert!(thoughts.iter().all(|thought| thought["decided_by"] == "alphabeta"), "{thoughts:?}");
}
