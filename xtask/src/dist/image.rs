//! A container image of both programs and nothing else, as a file that `docker load`, `podman load` and tools
//! of the OCI read: its layout, with the list beside it that older programs look for.

use serde_json::{Value, json};

use super::digest;
use super::files::{File, gzip, tar};

/// Kinds of documents of the OCI.
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";

/// Nobody: neither program needs a file or a right.
const USER: &str = "65534:65534";

/// The image.
///
/// - `programs`: names and bytes.
/// - `arch`: the processor, as Go names it.
/// - `time`: of all files, seconds since 1970.
///
/// # Errors
/// None in memory.
pub fn of(
    programs: &[(&str, Vec<u8>)],
    version: &str,
    arch: &str,
    time: u64,
) -> anyhow::Result<Vec<u8>> {
    let files: Vec<File> = programs
        .iter()
        .map(|(name, bytes)| File::new(format!("usr/local/bin/{name}"), bytes.clone()).run())
        .collect();
    let plain = tar(&files, time)?;
    let layer = gzip(&plain)?;
    let config = serde_json::to_vec(&config(&digest(&plain), version, arch))?;
    let (of_layer, of_config) = (Blob::new(LAYER, layer), Blob::new(CONFIG, config));
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": of_config.described(),
        "layers": [of_layer.described()],
    });
    let of_manifest = Blob::new(MANIFEST, serde_json::to_vec(&manifest)?);
    let names = [version, "latest"].map(|tag| format!("banyan:{tag}"));
    let index = json!({
        "schemaVersion": 2,
        "mediaType": INDEX,
        "manifests": names.each_ref().map(|name| of_manifest.named(name, arch)),
    });
    let older = json!([{
        "Config": of_config.path(),
        "RepoTags": names,
        "Layers": [of_layer.path()],
    }]);
    let mut all = vec![
        File::new("oci-layout", r#"{"imageLayoutVersion":"1.0.0"}"#),
        File::new("index.json", serde_json::to_vec(&index)?),
        File::new("manifest.json", serde_json::to_vec(&older)?),
    ];
    all.extend([of_layer, of_config, of_manifest].map(|blob| File::new(blob.path(), blob.bytes)));
    Ok(tar(&all, time)?)
}

fn config(layer: &str, version: &str, arch: &str) -> Value {
    json!({
        "architecture": arch,
        "os": "linux",
        "config": {
            "User": USER,
            "Env": ["PATH=/usr/local/bin"],
            "Cmd": ["banyan", "--help"],
            "ExposedPorts": { "7337/tcp": {} },
            "Labels": {
                "org.opencontainers.image.title": "banyan",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
        "history": [{ "created_by": "cargo xtask dist" }],
    })
}

/// A document, found by its digest.
struct Blob {
    kind: &'static str,
    digest: String,
    bytes: Vec<u8>,
}

impl Blob {
    fn new(kind: &'static str, bytes: Vec<u8>) -> Blob {
        Blob { kind, digest: digest(&bytes), bytes }
    }

    fn path(&self) -> String {
        format!("blobs/sha256/{}", self.digest)
    }

    fn described(&self) -> Value {
        json!({
            "mediaType": self.kind,
            "digest": format!("sha256:{}", self.digest),
            "size": self.bytes.len(),
        })
    }

    fn named(&self, name: &str, arch: &str) -> Value {
        let mut described = self.described();
        described["platform"] = json!({ "architecture": arch, "os": "linux" });
        described["annotations"] = json!({
            "io.containerd.image.name": format!("docker.io/library/{name}"),
            "org.opencontainers.image.ref.name": name.rsplit(':').next(),
        });
        described
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::Read as _;

    use super::super::files::{gunzip, listed};
    use super::*;

    fn unpacked(image: &[u8]) -> BTreeMap<String, Vec<u8>> {
        let mut archive = tar::Archive::new(image);
        let entries = archive.entries().expect("an archive").map(|entry| {
            let mut entry = entry.expect("an entry");
            let (path, mut bytes) =
                (entry.path().expect("a path").display().to_string(), Vec::new());
            entry.read_to_end(&mut bytes).expect("whole");
            (path, bytes)
        });
        entries.collect()
    }

    #[test]
    fn every_document_is_found_by_its_digest_from_the_index_to_the_programs() {
        let programs = [("banyan", b"one".to_vec()), ("banyan-worker", b"two".to_vec())];
        let image = unpacked(&of(&programs, "1.2.3", "amd64", 5).expect("an image"));
        let read = |path: &str| serde_json::from_slice::<Value>(&image[path]).expect("JSON");
        let follow = |to: &Value| {
            let sum =
                to["digest"].as_str().expect("a digest").strip_prefix("sha256:").expect("a sum");
            let bytes = &image[&format!("blobs/sha256/{sum}")];
            assert_eq!(
                (digest(bytes), to["size"].as_u64()),
                (sum.to_owned(), Some(bytes.len() as u64))
            );
            bytes
        };
        let index = read("index.json");
        let manifest: Value = serde_json::from_slice(follow(&index["manifests"][0])).expect("JSON");
        let config: Value = serde_json::from_slice(follow(&manifest["config"])).expect("JSON");
        let layer = gunzip(follow(&manifest["layers"][0]));
        assert_eq!(config["rootfs"]["diff_ids"][0], format!("sha256:{}", digest(&layer)));
        assert_eq!(config["architecture"], "amd64");
        assert_eq!(config["config"]["User"], USER);
        let programs: Vec<_> = listed(&layer).into_iter().filter(|it| it.2 > 0).collect();
        let paths = ["usr/local/bin/banyan", "usr/local/bin/banyan-worker"];
        assert_eq!(programs, paths.map(|path| (path.to_owned(), 0o755, 3)));
        let older = read("manifest.json");
        assert_eq!(older[0]["RepoTags"], json!(["banyan:1.2.3", "banyan:latest"]));
        for path in [&older[0]["Config"], &older[0]["Layers"][0]] {
            assert!(image.contains_key(path.as_str().expect("a path")), "{path}");
        }
    }
}
