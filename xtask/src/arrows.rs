//! `cargo xtask arrows`: which crates use which, and files that use each other in a circle.
//!
//! The tests below hold the tree to what ARCHITECTURE.md says of it.
//! Reading order: `tokens` (source as words and signs), `module` (what one module says), `names` (which file a
//! name comes from), `circles`, here the crates.

mod tokens;

mod module;

mod names;

mod circles;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Parser;

/// Options as they were typed.
#[derive(Debug, Parser)]
#[command(about = "Prints which crates use which, and files that use each other in a circle")]
pub struct Arguments {
    /// Crates, by the names of their folders [default: all].
    crates: Vec<String>,
}

impl Arguments {
    /// Prints each crate with those that it uses, and its circles.
    ///
    /// # Errors
    /// Names the crates that have circles; manifests and files that cannot be read.
    #[expect(clippy::print_stdout, reason = "a list for the person who asked")]
    pub fn run(&self) -> anyhow::Result<()> {
        let mut in_circles = Vec::new();
        for home in homes()? {
            let name = name_of(&home);
            if !self.crates.is_empty() && !self.crates.contains(&name) {
                continue;
            }
            let used: Vec<String> = dependencies(&home)?.into_iter().collect();
            println!("{name}: {}", if used.is_empty() { "-".to_owned() } else { used.join(", ") });
            for circle in circles::of_crate(&home.join("src"))? {
                println!("{}", circle.to_string().replace(&format!("{}/", home.display()), ""));
                in_circles.push(name.clone());
            }
        }
        in_circles.dedup();
        if in_circles.is_empty() {
            return Ok(());
        }
        bail!("circles in {}", in_circles.join(", "))
    }
}

fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

fn manifest(folder: &Path) -> anyhow::Result<toml::Table> {
    let path = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    text.parse().with_context(|| format!("{} is no manifest", path.display()))
}

/// The folders of all crates.
fn homes() -> anyhow::Result<Vec<PathBuf>> {
    let manifest = manifest(&workspace())?;
    let members = manifest["workspace"]["members"].as_array().context("members are a list")?;
    Ok(members.iter().filter_map(|it| it.as_str()).map(|it| workspace().join(it)).collect())
}

/// The name of a crate here: its folder.
fn name_of(home: &Path) -> String {
    home.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Our crates that a manifest names under `[dependencies]`.
fn dependencies(home: &Path) -> anyhow::Result<BTreeSet<String>> {
    let manifest = manifest(home)?;
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
    let names = dependencies.into_iter().flat_map(toml::Table::keys);
    let ours = names.filter_map(|name| name.strip_prefix("banyan"));
    Ok(ours.map(|rest| rest.strip_prefix('-').unwrap_or("coordinator").to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each crate with those that stand right below it; it may use all that they may use.
    const ARROWS: &[(&str, &[&str])] = &[
        ("kernels", &[]),
        ("games", &["kernels"]),
        ("knowledge", &["games"]),
        ("search", &["knowledge"]),
        ("records", &["games"]),
        ("book", &["records"]),
        ("jobs", &["search"]),
        ("proto", &["jobs"]),
        ("worker", &["proto"]),
        ("engine", &["book", "proto"]),
        ("frontends", &["engine"]),
        ("scheduler", &["jobs"]),
        ("coordinator", &["frontends", "scheduler", "worker"]),
        ("lab", &["frontends"]),
        ("learn", &["lab"]),
        ("tests", &["coordinator", "learn"]),
        ("xtask", &[]),
    ];

    /// Crates that ARCHITECTURE.md has room for and that are not built yet.
    const PLANNED: &[&str] = &["book"];

    /// Files that may name what goes over the wire; of a checkpoint's batches the bytes alone are known.
    const DOORS: &[&str] = &[
        "proto",
        "coordinator/src/rpc",
        "crates/engine/src/checkpoint",
        "worker/src/link.rs",
        "tests",
    ];

    /// Folders whose code knows no clock and no I/O.
    const PURE: &[&str] = &[
        "crates/kernels/src",
        "crates/games/src",
        "crates/knowledge/src",
        "crates/records/src",
        "crates/search/src",
        "crates/jobs/src",
        "crates/scheduler/src",
    ];

    fn allowed(name: &str) -> BTreeSet<&'static str> {
        let row = ARROWS.iter().find(|(it, _)| *it == name);
        let (_, below) = row.unwrap_or_else(|| panic!("{name} is in no row of ARROWS"));
        below.iter().flat_map(|below| allowed(below).into_iter().chain([*below])).collect()
    }

    #[test]
    fn crates_use_only_what_the_architecture_allows() {
        for home in homes().expect("a workspace") {
            let (name, used) = (name_of(&home), dependencies(&home).expect("a manifest"));
            let allowed = allowed(&name);
            let wrong: Vec<_> = used.iter().filter(|it| !allowed.contains(it.as_str())).collect();
            assert!(wrong.is_empty(), "{name} uses {wrong:?}, allowed are {allowed:?}");
        }
    }

    #[test]
    fn every_crate_of_the_architecture_is_there_or_planned() {
        let there: BTreeSet<String> =
            homes().expect("a workspace").iter().map(|home| name_of(home)).collect();
        for (name, _) in ARROWS {
            assert!(there.contains(*name) || PLANNED.contains(name), "there is no {name}");
        }
    }

    #[test]
    fn no_files_use_each_other_in_a_circle() {
        for home in homes().expect("a workspace") {
            let circles = circles::of_crate(&home.join("src")).expect("our own files");
            let text: String = circles.iter().map(circles::Circle::to_string).collect();
            assert!(circles.is_empty(), "{text}");
        }
    }

    #[test]
    fn wire_types_are_named_only_at_the_door() {
        for folder in ["crates", "worker", "coordinator"] {
            for file in rust_files(&workspace().join(folder)) {
                let name = file.strip_prefix(workspace()).expect("inside").display().to_string();
                let text = std::fs::read_to_string(&file).expect("our own file");
                let is_door = DOORS.iter().any(|door| name.starts_with(door));
                assert!(is_door || !text.contains("banyan_proto"), "{name} names wire types");
            }
        }
    }

    #[test]
    fn rules_and_search_know_no_clock_and_no_io() {
        for file in PURE.iter().flat_map(|folder| rust_files(&workspace().join(folder))) {
            let text = std::fs::read_to_string(&file).expect("our own file");
            for word in ["Instant::now", "SystemTime", "std::net", "std::fs", "tokio", "thread::"] {
                assert!(!text.contains(word), "{} uses {word}", file.display());
            }
        }
    }

    fn rust_files(folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for entry in folder.read_dir().into_iter().flatten() {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                files.extend(rust_files(&path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
        files
    }
}
