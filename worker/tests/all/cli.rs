//! The command line of a worker.

use std::process::Command;

fn worker(args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_banyan-worker"));
    let output = command.args(args).env("NO_COLOR", "1").output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_worker_without_a_good_address_says_what_is_expected() {
    let (code, words) = worker(&[]);
    assert_eq!(code, Some(2));
    assert!(words.contains("--join"), "{words}");
    for address in ["host:http", "host:", ":7337", "host:99999"] {
        let (code, words) = worker(&["--join", address]);
        assert_eq!(code, Some(1), "{address}: {words}");
        assert!(words.contains("expected HOST:PORT"), "{address}: {words}");
    }
}
