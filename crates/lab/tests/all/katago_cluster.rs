//! Clusters whose judges are stand-ins for KataGo: real processes on one machine.

use std::path::PathBuf;

use banyan_lab::processes::{PATIENCE, Process, binary};
use banyan_lab::runner::engine::Engine;
use rustix::process::{Pid, Signal};
use serde_json::Value;

const STAND_IN: &str = env!("CARGO_BIN_EXE_banyan-fake-katago");

const SEARCH: [&str; 8] =
    ["search", "--json", "--size", "9", "--threads", "0", "--evaluator", "katago"];

/// A worker that judges alone.
fn judge(address: &str, name: &str, options: &str) -> Process {
    let katago = format!("{STAND_IN} analysis {options}");
    let args = ["--join", address, "--threads", "0", "--name", name, "--katago", &katago];
    Process::start("banyan-worker", &args, |_| {})
}

fn searched(coordinator: Process, evaluations: u64) -> Value {
    let answer = coordinator.json();
    assert_eq!(answer["playouts"], evaluations, "{answer}");
    answer
}

#[test]
fn one_process_judges_for_a_game_of_its_own() {
    let program = binary("banyan");
    let command = format!(
        "{} gtp --size 9 --playouts 40 --katago '{STAND_IN} analysis --backwards'",
        program.display()
    );
    let mut engine = Engine::start(&command).expect("our own engine starts");
    for side in ["b", "w", "b"] {
        let answer = engine.ask(&format!("genmove {side}"), PATIENCE).expect("a move");
        assert!(!answer.trim().is_empty(), "{answer}");
    }
}

#[test]
fn workers_judge_for_a_coordinator_that_has_no_katago() {
    let args = [&SEARCH[..], &["--playouts", "300", "--min-workers", "2"]].concat();
    let (coordinator, address) = Process::coordinator(&args);
    let judges = ["pine", "oak"].map(|name| judge(&address, name, ""));
    for judge in &judges {
        judge.wait_for_log("KataGo 1.16.0 judges positions");
        judge.wait_for_log("working for");
    }
    let answer = searched(coordinator, 300);
    let workers = answer["nodes"].as_array().expect("a list");
    let judged = workers.iter().filter(|it| it["playouts"].as_u64() > Some(0)).count();
    assert_eq!(judged, 2, "{answer}");
}

#[test]
fn judges_that_differ_are_named_where_the_coordinator_has_no_katago() {
    let more = ["--playouts", "300", "--min-workers", "2", "--audit", "1"];
    let (coordinator, address) = Process::coordinator(&[&SEARCH[..], &more].concat());
    let judges = [("pine", ""), ("oak", "--break opposite")]
        .map(|(name, options)| judge(&address, name, &format!("--delay-ms 2 {options}")));
    judges.iter().for_each(|judge| drop(judge.wait_for_log("working for")));
    let said = coordinator.wait_for_log("two workers judge a position differently: Black wins");
    assert!(said.contains("pine") && said.contains("oak"), "{said}");
    searched(coordinator, 300);
}

#[test]
fn a_judge_that_differs_from_the_coordinators_own_katago_is_put_out() {
    let katago = format!("{STAND_IN} analysis --delay-ms 2");
    let args = ["search", "--json", "--size", "9", "--threads", "0", "--katago", &katago];
    let more = ["--playouts", "400", "--min-workers", "2", "--audit", "1"];
    let (coordinator, address) = Process::coordinator(&[&args[..], &more].concat());
    let liar = judge(&address, "oak", "--delay-ms 2 --break opposite");
    let said = coordinator.wait_for_log("worker put out: it judges a position otherwise");
    assert!(said.contains("oak") && said.contains("expected the same network"), "{said}");
    liar.wait_for_log("expected the same network");
    let answer = searched(coordinator, 400);
    assert_ne!(answer["batches"]["audited"], 0, "{answer}");
}

#[test]
fn what_a_katago_that_dies_held_is_judged_by_others_and_it_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = [&SEARCH[..], &["--playouts", "400", "--min-workers", "2"]].concat();
    let (coordinator, address) = Process::coordinator(&args);
    let slow = judge(&address, "slow", "--delay-ms 2");
    let once = folder.path().join("once");
    let options = format!("--delay-ms 2 --break die --at 30 --once {}", once.display());
    let mortal = judge(&address, "mortal", &options);
    slow.wait_for_log("working for");
    let why = mortal.wait_for_log("KataGo is down: ");
    assert!(why.contains("it ended with exit status 7; starting it again in 1 s"), "{why}");
    searched(coordinator, 400);
    mortal.wait_for_count("judges positions", 2);
}

#[test]
fn a_worker_that_is_killed_in_mid_move_is_replaced_and_the_game_goes_on() {
    let args = [&SEARCH[..], &["--playouts", "300", "--min-workers", "1"]].concat();
    let (coordinator, address) = Process::coordinator(&args);
    let killed = judge(&address, "killed", "--delay-ms 5 --break hang --at 40");
    killed.wait_for_log("working for");
    coordinator.wait_for_log("worker joined");
    killed.signal(Signal::KILL);
    let other = judge(&address, "other", "");
    other.wait_for_log("working for");
    searched(coordinator, 300);
}

#[test]
fn where_nobody_judges_playouts_stand_in_and_the_move_is_made() {
    let args = [&SEARCH[..], &["--playouts", "60"]].concat();
    let (coordinator, _) = Process::coordinator(&args);
    coordinator.wait_for_log("no KataGo answers: one thread of this process judges by playouts");
    searched(coordinator, 60);
}

#[test]
fn a_position_that_katago_refuses_costs_no_move_and_does_not_put_it_out_for_good() {
    let katago = format!("{STAND_IN} analysis --break error");
    let args = ["search", "--json", "--size", "9", "--threads", "1"];
    let more = ["--time", "4s", "--katago", &katago];
    let search = Process::start("banyan", &[&args[..], &more].concat(), |_| {});
    let why = search.wait_for_log("worker put out: ");
    assert!(why.contains("Must be between -150 and 150"), "{why}");
    search.wait_for_log("no KataGo answers: one thread of this process judges by playouts");
    search.wait_for_log("KataGo is asked again");
    let answer = search.json();
    assert!(answer["playouts"].as_u64() > Some(20), "{answer}");
}

#[test]
fn a_process_that_hangs_costs_no_move_and_is_not_left_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let who = folder.path().join("who");
    let katago = format!("{STAND_IN} analysis --break hang --at 3 --once {}", who.display());
    let args = ["search", "--json", "--size", "9", "--threads", "1", "--time", "4s"];
    let search = Process::start("banyan", &[&args[..], &["--katago", &katago]].concat(), |_| {});
    search.wait_for_log("no KataGo answers: one thread of this process judges by playouts");
    let answer = search.json();
    assert!(answer["playouts"].as_u64() > Some(20), "{answer}");
    let process = std::fs::read_to_string(&who).expect("it has said who it is");
    let process = process.parse().ok().and_then(Pid::from_raw).expect("its number");
    assert!(rustix::process::test_kill_process(process).is_err(), "it hangs on");
}

#[test]
fn playouts_and_judgements_go_on_side_by_side() {
    let katago = format!("{STAND_IN} analysis");
    let args = ["search", "--json", "--size", "9", "--threads", "1", "--playouts", "3000"];
    let mixed = ["--evaluator", "mixed", "--lambda", "0.3", "--katago", &katago];
    let search = Process::start("banyan", &[&args[..], &mixed].concat(), |_| {});
    let log = search.wait_for_log("judges positions");
    assert!(log.contains("stand-in"), "{log}");
    searched(search, 3000);
}

fn refused(program: &str, args: &[&str]) -> String {
    let mut process = Process::start(program, args, |_| {});
    assert!(!process.wait().success(), "{args:?}");
    process.log().join("\n")
}

#[test]
fn what_cannot_be_together_is_refused_in_words() {
    let katago = ["search", "--evaluator", "katago"];
    for (more, words) in [
        (
            &["--reproducible", "--playouts", "100"][..],
            "--reproducible is for --evaluator net, patterns and playouts",
        ),
        (&["--size", "21"], "KataGo judges boards up to 19x19, not 21"),
        (&["--game", "hex"], "KataGo judges go, not hex"),
    ] {
        let said = refused("banyan", &[&katago[..], more].concat());
        assert!(said.contains(words), "{said}");
    }
    let said = refused("banyan", &["search", "--katago", "k", "--evaluator", "playouts"]);
    assert!(
        said.contains("--katago with --evaluator playouts: expected auto, katago or mixed"),
        "{said}"
    );
    let said = refused("banyan-worker", &["--join", "127.0.0.1:1", "--threads", "0"]);
    assert!(said.contains("--threads 0: expected 1 or more, or --katago beside it"), "{said}");
    let said = refused("banyan-worker", &["--join", "127.0.0.1:1", "--katago", "'k"]);
    assert!(said.contains("is never closed"), "{said}");
}

#[test]
fn a_configuration_is_written_once_unless_forced() {
    let folder = tempfile::tempdir().expect("a folder");
    let file: PathBuf = folder.path().join("analysis.cfg");
    let path = file.to_str().expect("a name of ours");
    let write = |more: &[&str]| {
        let args = [&["--write-katago-config", path, "--katago-batch", "4"], more].concat();
        Process::start("banyan-worker", &args, |_| {}).wait().success()
    };
    assert!(write(&[]));
    let text = std::fs::read_to_string(&file).expect("it is written");
    assert!(text.contains("numAnalysisThreads = 4\n") && text.contains("XSizeForNNBuffer = 19\n"));
    let said = refused("banyan-worker", &["--write-katago-config", path]);
    assert!(said.contains("is there already; give --force to write over it"), "{said}");
    assert!(write(&["--katago-side", "9", "--force"]));
    let text = std::fs::read_to_string(&file).expect("it is written");
    assert!(text.contains("XSizeForNNBuffer = 9\n"), "{text}");
}
