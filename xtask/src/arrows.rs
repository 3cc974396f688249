//! `cargo xtask arrows`: which crates use which, and files that use each other in a circle.
//!
//! `tests/tests/all/arrows.rs` holds the tree to what ARCHITECTURE.md says of it.
//! Reading order: `tokens` (source as words and signs), `module` (what one module says), `names` (which file a
//! name comes from), `circles`, here the crates.

mod tokens;

mod module;

mod names;

pub mod circles;

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

/// The workspace's folder.
pub fn workspace() -> PathBuf {
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
///
/// # Errors
/// A manifest that cannot be read.
pub fn homes() -> anyhow::Result<Vec<PathBuf>> {
    let manifest = manifest(&workspace())?;
    let members = manifest["workspace"]["members"].as_array().context("members are a list")?;
    Ok(members.iter().filter_map(|it| it.as_str()).map(|it| workspace().join(it)).collect())
}

/// The name of a crate here: its folder.
pub fn name_of(home: &Path) -> String {
    home.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Our crates that a manifest names under `[dependencies]`.
///
/// # Errors
/// A manifest that cannot be read.
pub fn dependencies(home: &Path) -> anyhow::Result<BTreeSet<String>> {
    let manifest = manifest(home)?;
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
    let names = dependencies.into_iter().flat_map(toml::Table::keys);
    let ours = names.filter_map(|name| name.strip_prefix("banyan"));
    Ok(ours.map(|rest| rest.strip_prefix('-').unwrap_or("coordinator").to_owned()).collect())
}
