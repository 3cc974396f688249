//! `cargo xtask NAME`: the daily commands, so that nobody has to remember their options.

use xtask::arrows;

mod book;

mod dist;

mod fuzz;

mod versus;

use std::process::Command;

use anyhow::{Context as _, bail};
use clap::Parser as _;

/// A name, what it is for, and what it does.
struct Task {
    name: &'static str,
    purpose: &'static str,
    action: Action,
}

enum Action {
    /// Runs cargo with each of these, and with what was typed after the name.
    Cargo(&'static [&'static [&'static str]]),
    /// Runs a program of a crate on what was typed after the name.
    Program(&'static str, &'static str),
    /// Runs a function of this crate on what was typed after the name.
    Own(fn(Vec<String>) -> anyhow::Result<()>),
}

const SIMULATION: &[&str] =
    &["test", "--release", "-p", "banyan-tests", "--test", "all", "simulation"];

const TASKS: &[Task] = &[
    Task {
        name: "check",
        purpose: "formatting and lints, as CI asks for them",
        action: Action::Cargo(&[
            &["fmt", "--all", "--check"],
            &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        ]),
    },
    Task {
        name: "test",
        purpose: "every test",
        action: Action::Cargo(&[&["test", "--release", "--workspace"]]),
    },
    Task {
        name: "sim",
        purpose: "simulated clusters; BANYAN_SIM_SEEDS=10000 for more of them",
        action: Action::Cargo(&[SIMULATION]),
    },
    Task {
        name: "bench",
        purpose: "benchmarks of the tree and of playouts",
        action: Action::Cargo(&[&["bench", "-p", "banyan-search"], &["bench"]]),
    },
    Task {
        name: "versus",
        purpose: "a peer's command and one of ours in turn: cargo xtask versus --help",
        action: Action::Own(versus),
    },
    Task {
        name: "match",
        purpose: "play two GTP engines against each other: cargo xtask match --help",
        action: Action::Program("banyan-lab", "banyan-match"),
    },
    Task {
        name: "lab",
        purpose: "settings of the search against each other at equal playouts: cargo xtask lab --help",
        action: Action::Program("banyan-lab", "banyan-lab"),
    },
    Task {
        name: "tune",
        purpose: "numbers of an engine tuned by games against itself: cargo xtask tune --help",
        action: Action::Program("banyan-lab", "banyan-tune"),
    },
    Task {
        name: "soak",
        purpose: "half an hour of games while workers are killed, frozen and started; --seconds",
        action: Action::Program("banyan-lab", "banyan-soak"),
    },
    Task {
        name: "attack",
        purpose: "liars, strangers and bad links against a cluster: cargo xtask attack --list",
        action: Action::Program("banyan-tests", "banyan-attack"),
    },
    Task {
        name: "arrows",
        purpose: "which crates use which, and files that use each other in a circle",
        action: Action::Own(arrows),
    },
    Task {
        name: "fuzz",
        purpose: "hostile input at every way in: cargo xtask fuzz --seconds 600 [NAME]",
        action: Action::Own(fuzz),
    },
    Task {
        name: "dist",
        purpose: "packages of both programs: static, .deb, container image, bill of materials",
        action: Action::Own(dist),
    },
    Task {
        name: "book",
        purpose: "what mdBook asks for the site: `mdbook build docs` or `mdbook serve docs`",
        action: Action::Own(|rest| book::run(&rest)),
    },
    Task {
        name: "proto",
        purpose: "write the code of proto/src/generated anew, after a change of cluster.proto",
        action: Action::Own(proto),
    },
    Task {
        name: "deny",
        purpose: "licences, bans and sources of dependencies (cargo install cargo-deny first)",
        action: Action::Cargo(&[&["deny", "check", "bans", "licenses", "sources"]]),
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
    match task.action {
        Action::Cargo(commands) => cargo(commands, &rest),
        Action::Program(package, name) => {
            let run = ["run", "--release", "-p", package, "--bin", name, "--"];
            cargo(&[&run], &rest)
        }
        Action::Own(run) => run(rest),
    }
}

fn cargo(commands: &[&[&str]], rest: &[String]) -> anyhow::Result<()> {
    for command in commands {
        let status = Command::new("cargo").args(*command).args(rest).status();
        let status = status.with_context(|| format!("cannot run cargo {}", command.join(" ")))?;
        if !status.success() {
            bail!("cargo {} ended with {status}", command.join(" "));
        }
    }
    Ok(())
}

fn versus(rest: Vec<String>) -> anyhow::Result<()> {
    let name = "cargo xtask versus".to_owned();
    versus::Arguments::parse_from(std::iter::once(name).chain(rest)).run()
}

fn arrows(rest: Vec<String>) -> anyhow::Result<()> {
    let name = "cargo xtask arrows".to_owned();
    arrows::Arguments::parse_from(std::iter::once(name).chain(rest)).run()
}

fn fuzz(rest: Vec<String>) -> anyhow::Result<()> {
    let name = "cargo xtask fuzz".to_owned();
    fuzz::Arguments::parse_from(std::iter::once(name).chain(rest)).run()
}

fn dist(rest: Vec<String>) -> anyhow::Result<()> {
    let name = "cargo xtask dist".to_owned();
    dist::Arguments::parse_from(std::iter::once(name).chain(rest)).run()
}

/// Writes the code that the committed `.proto` stands for.
fn proto(_: Vec<String>) -> anyhow::Result<()> {
    let mut generate = Command::new("cargo");
    generate.args(["run", "--quiet", "-p", "banyan-proto-codegen"]);
    let status = generate.status().context("cannot run cargo")?;
    if !status.success() {
        bail!("cluster.proto does not compile: {status}");
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a list for the person who asked")]
fn print_tasks() {
    for task in TASKS {
        println!("cargo xtask {:<8} {}", task.name, task.purpose);
    }
}
