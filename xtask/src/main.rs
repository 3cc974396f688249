//! `cargo xtask NAME`: the daily commands, so that nobody has to remember their options.

use std::process::Command;

use anyhow::{Context as _, bail};

/// A name, what it is for, and the cargo commands that it runs.
struct Task {
    name: &'static str,
    purpose: &'static str,
    commands: &'static [&'static [&'static str]],
}

const TASKS: &[Task] = &[
    Task {
        name: "check",
        purpose: "formatting and lints, as CI asks for them",
        commands: &[
            &["fmt", "--all", "--check"],
            &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        ],
    },
    Task {
        name: "test",
        purpose: "every test",
        commands: &[&["test", "--release", "--workspace"]],
    },
    Task {
        name: "sim",
        purpose: "simulated clusters; BANYAN_SIM_SEEDS=10000 for more of them",
        commands: &[&["test", "--release", "-p", "banyan-tests", "--test", "simulation"]],
    },
    Task {
        name: "bench",
        purpose: "benchmarks of playouts",
        commands: &[&["bench", "-p", "banyan-games"]],
    },
    Task {
        name: "match",
        purpose: "play two GTP engines against each other: cargo xtask match --help",
        commands: &[&["run", "--release", "-p", "banyan-tests", "--bin", "banyan-match", "--"]],
    },
    Task {
        name: "deny",
        purpose: "licences, bans and sources of dependencies (cargo install cargo-deny first)",
        commands: &[&["deny", "check", "bans", "licenses", "sources"]],
    },
];

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let Some(name) = args.next() else {
        print_tasks();
        return Ok(());
    };
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        print_tasks();
        bail!("'{name}' is none of these");
    };
    let rest: Vec<String> = args.collect();
    for command in task.commands {
        let status = Command::new("cargo").args(*command).args(&rest).status();
        let status = status.with_context(|| format!("cannot run cargo {}", command.join(" ")))?;
        if !status.success() {
            bail!("cargo {} ended with {status}", command.join(" "));
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a list for the person who asked")]
fn print_tasks() {
    for task in TASKS {
        println!("cargo xtask {:<8} {}", task.name, task.purpose);
    }
}
