//! The arrows between crates are those of ARCHITECTURE.md, and no others.

use std::collections::BTreeSet;
use std::path::Path;

/// Each crate's folder with the crates of ours that it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("kernels", &[]),
    ("games", &["kernels"]),
    ("records", &["games"]),
    ("search", &["games", "kernels"]),
    ("jobs", &["games", "search"]),
    ("proto", &["games", "jobs"]),
    ("worker", &["games", "jobs", "proto", "search"]),
    ("coordinator", &["games", "jobs", "proto", "records", "search", "worker"]),
];

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The folders of our crates that a manifest names under `[dependencies]`.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let library = workspace().join("crates").join(folder);
    let home = if library.exists() { library } else { workspace().join(folder) };
    let path = home.join("Cargo.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let manifest: toml::Table = text.parse().expect("cargo accepts it");
    let dependencies = manifest["dependencies"].as_table().expect("a table");
    let ours = dependencies.keys().filter_map(|name| name.strip_prefix("banyan"));
    ours.map(|rest| rest.strip_prefix('-').unwrap_or("coordinator").to_owned()).collect()
}

#[test]
fn crates_use_only_what_the_architecture_allows() {
    for (folder, allowed) in ARROWS {
        let allowed: BTreeSet<String> = allowed.iter().map(|&name| name.to_owned()).collect();
        let used = dependencies(folder);
        assert!(used.is_subset(&allowed), "{folder} uses {used:?}, allowed are {allowed:?}");
    }
}

#[test]
fn wire_types_are_named_only_at_the_door() {
    // A checkpoint holds batches as messages; of these it knows the bytes alone.
    let checkpoint = "coordinator/src/checkpoint";
    let doors = ["proto", "coordinator/src/rpc", checkpoint, "worker/src/link.rs", "tests"];
    for folder in ["crates", "worker", "coordinator"] {
        for file in rust_files(&workspace().join(folder)) {
            let name = file.strip_prefix(workspace()).expect("inside").display().to_string();
            let text = std::fs::read_to_string(&file).expect("our own file");
            let names_wire = text.contains("banyan_proto");
            let is_door = doors.iter().any(|door| name.starts_with(door));
            assert!(!names_wire || is_door, "{name} names wire types");
        }
    }
}

#[test]
fn rules_and_search_know_no_clock_and_no_io() {
    for folder in [
        "crates/kernels/src",
        "crates/games/src",
        "crates/records/src",
        "crates/search/src",
        "crates/jobs/src",
        "coordinator/src/scheduler",
    ] {
        for file in rust_files(&workspace().join(folder)) {
            let text = std::fs::read_to_string(&file).expect("our own file");
            for word in ["Instant::now", "SystemTime", "std::net", "std::fs", "tokio", "thread::"] {
                assert!(!text.contains(word), "{} uses {word}", file.display());
            }
        }
    }
}

fn rust_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of ours") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
