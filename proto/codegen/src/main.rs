//! Writes the code that `cluster.proto` gives into `proto/src/generated`: `cargo xtask proto`.
//!
//! Compiling the compiler would cost everybody who builds Banyan more than the rest of the wire, so its
//! output is committed, and a test here compares it. A crate of its own, since code that is not up to
//! date may keep the wire's crate from compiling.

use std::path::{Path, PathBuf};

use prost::Message as _;

fn main() {
    for (name, contents) in generate() {
        std::fs::write(place(name), contents).expect("the sources can be written");
    }
}

/// The files that the code is made of: name and contents.
fn generate() -> Vec<(&'static str, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a folder of ours");
    let home = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let descriptors = protox::compile(["cluster.proto"], [home]).expect("cluster.proto is valid");
    let bytes = descriptors.encode_to_vec();
    let builder = tonic_prost_build::configure().out_dir(folder.path());
    builder.compile_fds(descriptors).expect("code for every message and service");
    let name = "banyan.cluster.v1.rs";
    let code = std::fs::read(folder.path().join(name)).expect("one package, one file");
    vec![(name, code), ("descriptors.bin", bytes)]
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/generated").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_code_is_what_the_proto_file_gives() {
        for (name, contents) in generate() {
            let committed = std::fs::read(place(name)).expect("it is committed");
            assert!(committed == contents, "{name} is not up to date: run `cargo xtask proto`");
        }
    }
}
