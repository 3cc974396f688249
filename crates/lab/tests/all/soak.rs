//! A short soak; `cargo xtask soak` is the long one.

use banyan_lab::soak::Arguments;
use clap::Parser as _;

#[test]
fn games_go_on_while_workers_come_and_go_and_every_lease_is_accounted_for() {
    let args = Arguments::parse_from(["soak", "--seconds", "20", "--workers", "3", "--seed", "5"]);
    let outcome = args.run(&mut std::io::sink()).expect("nothing is written");
    // Half a minute says nothing about memory.
    let complaints = outcome.complaints().into_iter().filter(|it| !it.contains("MiB"));
    assert_eq!(complaints.collect::<Vec<_>>(), [""; 0], "{outcome}");
    let done = outcome.done;
    assert!(done.joined > 0 && done.killed + done.frozen + done.drained > 2, "{done}");
    assert!(outcome.moves > 10, "{outcome}");
}
