//! Structure of the source, as ARCHITECTURE.md says it: which crates use which, no files in a circle, the wire named
//! at its door alone, no clock where there should be none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use xtask::arrows::circles::{self, Circle};
use xtask::arrows::{dependencies, homes, name_of, workspace};

/// Each crate with those that stand right below it; it may use all that they may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("kernels", &[]),
    ("games", &["kernels"]),
    ("net", &["kernels"]),
    ("knowledge", &["games", "net"]),
    ("katago", &["knowledge"]),
    ("proofs", &["games"]),
    ("search", &["knowledge", "proofs"]),
    ("records", &["games"]),
    ("book", &["records"]),
    ("selfplay", &["search"]),
    ("rules", &["proofs"]),
    ("ebg", &[]),
    ("jobs", &["selfplay", "rules"]),
    ("proto", &["jobs"]),
    ("codegen", &[]),
    ("worker", &["katago", "proto"]),
    ("engine", &["book", "proto"]),
    ("frontends", &["engine"]),
    ("scheduler", &["jobs"]),
    ("web", &["engine", "worker"]),
    ("operator", &["web"]),
    ("cli", &["learn", "operator"]),
    ("admission", &["worker"]),
    ("coordinator", &["cli", "scheduler", "admission"]),
    ("lab", &["frontends"]),
    ("learn", &["lab", "ebg"]),
    ("tests", &["coordinator"]),
    ("xtask", &[]),
];

/// Crates that ARCHITECTURE.md has room for and that are not built yet.
const PLANNED: &[&str] = &[];

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
    "crates/proofs/src",
    "crates/records/src",
    "crates/rules/src",
    "crates/ebg/src",
    "crates/search/src",
    "crates/selfplay/src",
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
        let text: String = circles.iter().map(Circle::to_string).collect();
        assert!(circles.is_empty(), "{text}");
    }
}

/// The real files of a crate, with one line more.
#[test]
fn a_circle_put_in_by_hand_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = workspace().join("crates/jobs/src");
    for file in rust_files(&source) {
        let place = folder.path().join(file.strip_prefix(&source).expect("inside"));
        std::fs::create_dir_all(place.parent().expect("inside")).expect("a folder");
        std::fs::copy(&file, place).expect("a copy");
    }
    let circles = || circles::of_crate(folder.path()).expect("our own files");
    assert!(circles().is_empty());
    let job = folder.path().join("job.rs");
    let text = std::fs::read_to_string(&job).expect("a copy");
    std::fs::write(&job, text + "pub type Backwards = crate::run::Prepared;\n").expect("written");
    let found = circles();
    let text: String = found.iter().map(Circle::to_string).collect();
    assert!(text.contains("job.rs -> ") && text.contains("run.rs: Prepared"), "{text}");
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
        // A file's unit tests may begin threads: they are how a table without locks is tried.
        let code = text.split("#[cfg(test)]\nmod ").next().expect("a first part");
        for word in ["Instant::now", "SystemTime", "std::net", "std::fs", "tokio", "thread::"] {
            assert!(!code.contains(word), "{} uses {word}", file.display());
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
