//! `cargo xtask fuzz`: gives each way in what libFuzzer thinks of, for as long as one likes.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};
use clap::Parser;

/// Options as they were typed.
#[derive(Debug, Parser)]
#[command(about = "Fuzz targets under fuzz/; cargo install cargo-fuzz first")]
pub struct Arguments {
    /// Which: names of files in fuzz/fuzz_targets [default: all].
    doors: Vec<String>,
    /// For how long each.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Nothing takes longer, or it hangs; a conversation may judge stones many times.
const TIMEOUT_S: u32 = 60;

impl Arguments {
    /// Runs the targets one after the other; stops at the first that finds something.
    ///
    /// # Errors
    /// Names the target, whose log says where the input is.
    pub fn run(self) -> anyhow::Result<()> {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz"));
        let doors = if self.doors.is_empty() { all(folder)? } else { self.doors };
        for door in doors {
            run_one(folder, &door, self.seconds)?;
        }
        Ok(())
    }
}

fn all(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in folder.join("fuzz_targets").read_dir().context("no fuzz targets")? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// Runs one target. New inputs go to `generated`, which no repository keeps: the corpus stays small.
fn run_one(folder: &Path, door: &str, seconds: u32) -> anyhow::Result<()> {
    let generated = format!("generated/{door}");
    std::fs::create_dir_all(folder.join(&generated))?;
    let mut fuzz = Command::new("cargo");
    // The sanitizers are an unstable option, which this build of the compiler then takes.
    fuzz.current_dir(folder).env("RUSTC_BOOTSTRAP", "1");
    fuzz.args([
        "fuzz",
        "run",
        "--fuzz-dir",
        ".",
        door,
        &generated,
        &format!("corpus/{door}"),
        "--",
    ]);
    fuzz.arg(format!("-max_total_time={seconds}")).arg(format!("-timeout={TIMEOUT_S}"));
    // Threads that still wait for a line when the process ends are no leak.
    fuzz.args(["-detect_leaks=0", "-print_final_stats=1"]);
    let status = fuzz.status().context("cannot run cargo fuzz: cargo install cargo-fuzz")?;
    if !status.success() {
        bail!("{door} ended with {status}: what it was given lies in fuzz/artifacts/{door}");
    }
    Ok(())
}
