//! Rules tried by a cluster: the same as those that a process alone learns, whoever tries them.

use std::path::Path;
use std::process::Command;

use banyan_lab::processes::{Process, binary};
use rustix::process::Signal;

const LESSONS: [&str; 2] = [
    "rules learn --game go --eyes 6 --nodes 2000 --completions 110 --rules-max 30",
    "rules learn --game connect6 --drawn 10 --nodes 1000 --completions 20 --hits-min 0",
];

fn typed(command: &str) -> Vec<&str> {
    command.split(' ').collect()
}

/// Output of a command of one process.
fn alone(args: &[&str]) -> String {
    let output = Command::new(binary("banyan")).args(args).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn workers_learn_the_rules_that_a_process_alone_learns_and_one_that_dies_loses_none() {
    let home = tempfile::tempdir().expect("a folder");
    for lesson in LESSONS {
        let [by_one, by_all] = ["one", "all"].map(|name| home.path().join(name));
        let said =
            alone(&[&typed(lesson)[..], &["--threads", "1", "--out", text(&by_one)]].concat());
        assert!(!said.contains("trials by"), "{said}");
        let cluster = ["--threads", "0", "--min-workers", "2", "--out", text(&by_all)];
        let (mut process, address) = Process::coordinator(&[&typed(lesson)[..], &cluster].concat());
        let killed = Process::worker(&address, "oak");
        let _other = Process::worker(&address, "elm");
        process.wait_for_log("2 workers are here");
        killed.signal(Signal::KILL);
        assert!(process.wait().success());
        let [by_one, by_all] = [by_one, by_all].map(|path| std::fs::read(path).expect("rules"));
        assert!(by_one == by_all, "{lesson}");
        assert!(by_one.iter().filter(|&&byte| byte == b'\n').count() > 10, "{lesson}");
    }
}

#[test]
fn a_cluster_judges_a_file_and_says_who_tried_how_much() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("rules");
    alone(&[&typed(LESSONS[1])[..], &["--threads", "1", "--out", text(&file)]].concat());
    let check = ["rules", "check", text(&file), "--completions", "120", "--rules", "5"];
    let by_one = alone(&[&check[..], &["--threads", "1"]].concat());
    assert!(by_one.starts_with("5 rules, "), "{by_one}");
    let cluster = ["--threads", "0", "--min-workers", "1"];
    let (process, address) = Process::coordinator(&[&check[..], &cluster].concat());
    let _worker = Process::worker(&address, "oak");
    let (by_all, status) = process.output();
    assert!(status.success());
    // Five rules, each by a trial of 100 boards and one of 20.
    assert_eq!(by_all, by_one + "trials by oak 10\n");
}
