//! Compiles `cluster.proto` without `protoc`.

use std::path::PathBuf;

use prost::Message as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=cluster.proto");
    let descriptors = protox::compile(["cluster.proto"], ["."])?;
    let folder = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(folder.join("descriptors.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
