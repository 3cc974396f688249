//! Targets for which static programs can be built here: one for each kind of processor, musl's before glibc's, if both
//! its libraries and a C compiler for it are installed.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, bail};

use super::contents;
use xtask::arrows::workspace;

/// Every target that programs may be made for, the better one of a processor first.
const KNOWN: [&str; 4] = [
    "x86_64-unknown-linux-musl",
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
    "aarch64-unknown-linux-gnu",
];

/// A target to build for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// As rustc names it.
    pub triple: String,
}

/// Targets to build, and why others are not.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    /// One for each kind of processor, or those that were asked for; those that run here come first.
    pub targets: Vec<Target>,
    /// A sentence each.
    pub left_out: Vec<String>,
}

/// Programs of one target.
#[derive(Debug)]
pub struct Built {
    /// Folder in which they lie.
    pub folder: PathBuf,
}

/// The targets that were asked for, else one for each kind of processor that can be built for here.
///
/// # Errors
/// Where one that was asked for is unknown, or nothing can be built.
pub fn choose(asked: &[String]) -> anyhow::Result<Choice> {
    if let Some(unknown) = asked.iter().find(|it| !KNOWN.contains(&it.as_str())) {
        bail!("no packages are made for {unknown}: expected one of {}", KNOWN.join(", "));
    }
    if !asked.is_empty() {
        let targets = asked.iter().map(|triple| Target { triple: triple.clone() }).collect();
        return Ok(Choice { targets: those_here_first(targets), left_out: Vec::new() });
    }
    let Choice { targets, left_out } = among(|target| target.lacks());
    if targets.is_empty() {
        bail!("no static program can be built here: {}", left_out.join("; "));
    }
    Ok(Choice { targets: those_here_first(targets), left_out })
}

fn those_here_first(mut targets: Vec<Target>) -> Vec<Target> {
    targets.sort_by_key(|target| !target.runs_here());
    targets
}

/// - `lacks`: what keeps a target from being built.
fn among(lacks: impl Fn(&Target) -> Option<String>) -> Choice {
    let mut choice = Choice { targets: Vec::new(), left_out: Vec::new() };
    for triple in KNOWN {
        let target = Target { triple: triple.to_owned() };
        let processor = target.processor();
        if choice.targets.iter().any(|it| it.processor() == processor) {
            continue;
        }
        match lacks(&target) {
            Some(why) => choice.left_out.push(format!("{triple}: {why}")),
            None => choice.targets.push(target),
        }
    }
    choice
}

impl Target {
    fn processor(&self) -> &str {
        self.triple.split('-').next().unwrap_or_default()
    }

    /// As Debian and containers call it.
    pub fn architecture(&self) -> &'static str {
        if self.processor() == "aarch64" { "arm64" } else { "amd64" }
    }

    /// Tells whether this machine can run its programs.
    pub fn runs_here(&self) -> bool {
        self.processor() == std::env::consts::ARCH && cfg!(target_os = "linux")
    }

    /// The C compiler for it.
    fn compiler(&self) -> String {
        match self.triple.as_str() {
            "x86_64-unknown-linux-gnu" if self.runs_here() => "cc".to_owned(),
            "aarch64-unknown-linux-gnu" if self.runs_here() => "cc".to_owned(),
            "x86_64-unknown-linux-musl" if self.runs_here() => "musl-gcc".to_owned(),
            triple => format!("{}-gcc", triple.replace("-unknown", "")),
        }
    }

    /// Returns the linker of its programs.
    fn linker(&self) -> String {
        match self.triple.as_str() {
            // Rust brings musl along; the wrapper names a loader although none is needed.
            "x86_64-unknown-linux-musl" if self.runs_here() => "cc".to_owned(),
            _ => self.compiler(),
        }
    }

    /// Says what keeps it from being built here.
    fn lacks(&self) -> Option<String> {
        let installed = Command::new("rustc")
            .args(["--print", "target-libdir", "--target", &self.triple])
            .output()
            .is_ok_and(|answer| {
                let folder = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
                answer.status.success() && PathBuf::from(folder).is_dir()
            });
        if !installed {
            return Some(format!("its libraries are missing (rustup target add {})", self.triple));
        }
        let compiler = self.compiler();
        let compiles = Command::new(&compiler).arg("--version").output();
        match compiles.is_ok_and(|answer| answer.status.success()) {
            true => None,
            false => Some(format!("the C compiler {compiler} is missing")),
        }
    }

    /// Builds both programs without libraries of the system.
    ///
    /// # Errors
    /// Where cargo does not.
    pub fn build(&self, profile: &str) -> anyhow::Result<Built> {
        let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
        let name = self.triple.to_uppercase().replace('-', "_");
        let mut build = Command::new("cargo");
        build.current_dir(workspace());
        // Named, the target keeps the flag away from build scripts and procedural macros.
        build.args(["build", "--locked", "--target", &self.triple, "--profile", profile]);
        build.args(contents::PROGRAMS.iter().flat_map(|program| ["-p", program.name]));
        build.env("RUSTFLAGS", format!("{flags} -C target-feature=+crt-static").trim());
        build.env(format!("CARGO_TARGET_{name}_LINKER"), self.linker());
        build.env(format!("CC_{}", self.triple.replace('-', "_")), self.compiler());
        let status = build.status().context("cannot run cargo")?;
        if !status.success() {
            bail!("building for {} ended with {status}", self.triple);
        }
        let profile = if profile == "dev" { "debug" } else { profile };
        Ok(Built { folder: target_directory()?.join(&self.triple).join(profile) })
    }
}

/// The folder in which cargo builds the workspace, from whichever folder it is asked.
fn target_directory() -> anyhow::Result<PathBuf> {
    let asked = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--no-deps", "--locked"])
        .current_dir(workspace())
        .output()
        .context("cannot run cargo")?;
    if !asked.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&asked.stderr));
    }
    let metadata: serde_json::Value = serde_json::from_slice(&asked.stdout)?;
    let folder = metadata["target_directory"].as_str();
    Ok(folder.context("cargo metadata names no target_directory")?.into())
}

impl Built {
    /// The bytes of a program.
    ///
    /// # Errors
    /// Where it is not there.
    pub fn read(&self, program: &str) -> anyhow::Result<Vec<u8>> {
        let path = self.folder.join(program);
        std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_processor_gets_its_first_target_that_can_be_built_and_the_rest_is_said() {
        let only = |there: &'static [&'static str]| {
            let choice = among(|it| (!there.contains(&it.triple.as_str())).then(|| "gone".into()));
            let names = choice.targets.into_iter().map(|it| it.triple).collect::<Vec<_>>();
            (names, choice.left_out)
        };
        let (targets, left_out) = only(&KNOWN);
        assert_eq!(targets, [KNOWN[0], KNOWN[2]]);
        assert!(left_out.is_empty());
        let (targets, left_out) = only(&[KNOWN[1]]);
        assert_eq!(targets, [KNOWN[1]]);
        assert_eq!(left_out, [0, 2, 3].map(|at| format!("{}: gone", KNOWN[at])));
    }

    #[test]
    fn the_folder_of_what_is_built_does_not_depend_on_that_of_the_caller() {
        // Tests run in a subfolder.
        assert!(!std::env::current_dir().expect("a folder").join("Cargo.lock").exists());
        let folder = target_directory().expect("cargo says");
        assert!(folder.is_absolute() && !folder.starts_with(env!("CARGO_MANIFEST_DIR")));
    }

    #[test]
    fn targets_that_run_here_come_before_those_that_were_asked_for_first() {
        let (foreign, own) =
            if cfg!(target_arch = "x86_64") { (KNOWN[3], KNOWN[1]) } else { (KNOWN[1], KNOWN[3]) };
        let chosen = choose(&[foreign, own].map(str::to_owned)).expect("known");
        let names = chosen.targets.iter().map(|it| it.triple.as_str()).collect::<Vec<_>>();
        assert_eq!(names, [own, foreign]);
    }

    #[test]
    fn a_target_that_no_package_is_made_for_is_named() {
        let error = choose(&["sparc64-unknown-linux-gnu".to_owned()]).expect_err("unknown");
        assert!(
            error.to_string().contains("for sparc64-unknown-linux-gnu: expected one of x86_64-")
        );
        let asked = choose(&[KNOWN[3].to_owned()]).expect("known").targets;
        assert_eq!(asked[0].architecture(), "arm64");
    }
}
