//! What stands under `src/generated` is what `cluster.proto` gives.
//!
//! Compiling the compiler would cost everybody who builds Banyan more than the rest of this crate, so
//! its output is committed. `cargo xtask proto` runs this test with `BANYAN_REGENERATE` set, which
//! writes the files instead of comparing them.

use std::path::{Path, PathBuf};

use prost::Message as _;

/// The files that the code is made of: name and contents.
fn generate() -> Vec<(&'static str, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a folder of ours");
    let home = env!("CARGO_MANIFEST_DIR");
    let descriptors = protox::compile(["cluster.proto"], [home]).expect("cluster.proto is valid");
    let bytes = descriptors.encode_to_vec();
    let builder = tonic_prost_build::configure().out_dir(folder.path());
    builder.compile_fds(descriptors).expect("code for every message and service");
    let name = "banyan.cluster.v1.rs";
    let code = std::fs::read(folder.path().join(name)).expect("one package, one file");
    vec![(name, code), ("descriptors.bin", bytes)]
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/generated").join(name)
}

#[test]
fn the_committed_code_is_what_the_proto_file_gives() {
    let is_asked_for = std::env::var_os("BANYAN_REGENERATE").is_some();
    for (name, contents) in generate() {
        if is_asked_for {
            std::fs::write(place(name), &contents).expect("the sources can be written");
        }
        let committed = std::fs::read(place(name)).expect("it is committed");
        assert!(committed == contents, "{name} is not up to date: run `cargo xtask proto`");
    }
}
