//! `cargo xtask dist`: what people install who have no compiler. Static programs of each target that can be
//! built here, as an archive, as a Debian package each, and as a container image; what they are made of; and
//! the digests of it all.
//!
//! Reading order: `target` (what can be built here), `elf` (whether a program is static), `files` (archives),
//! `contents` (what goes where), `deb`, `image`, `sbom`, and here the whole.

mod target;

mod elf;

mod files;

mod contents;

mod deb;

mod image;

mod sbom;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use clap::Parser;
use sha2::{Digest as _, Sha256};

use contents::{Manuals, PROGRAMS, Program};
use target::{Built, Choice, Target};
use xtask::arrows::workspace;

/// Makes packages of both programs: static, stripped, with manual pages, completions and units.
#[derive(Debug, Parser)]
pub struct Arguments {
    /// The folder for the packages; what else lies there stays.
    #[arg(long, default_value = "target/packages", value_name = "DIR")]
    out: PathBuf,
    /// The profile of cargo: dist optimises across crates, which takes long; ci is quick, for trying this out.
    #[arg(long, default_value = "dist", value_name = "NAME")]
    profile: String,
    /// Only this target, several times [default: one for each kind of processor that can be built for here].
    #[arg(long = "target", value_name = "TRIPLE")]
    targets: Vec<String>,
    /// Build nothing, and pack the static programs that lie there, of the one --target that is named.
    #[arg(long, value_name = "DIR", requires = "targets")]
    programs: Option<PathBuf>,
}

/// The folder for packages, and what all of them share.
struct Press<'a> {
    out: &'a Path,
    version: String,
    /// The time of everything in an archive, seconds since 1970: the commit's, so that the same source makes
    /// the same bytes.
    time: u64,
}

impl Arguments {
    /// Builds and packs.
    ///
    /// # Errors
    /// Names what could not be built, run or written.
    pub fn run(&self) -> anyhow::Result<()> {
        if self.programs.is_some() && self.targets.len() > 1 {
            bail!("--programs is a folder of one --target, and {} are named", self.targets.len());
        }
        let choice = target::choose(&self.targets)?;
        for why in &choice.left_out {
            say(&format!("left out: {why}"));
        }
        self.check_manuals(&choice)?;
        std::fs::create_dir_all(&self.out).with_context(|| cannot_write(&self.out))?;
        let press = Press { out: &self.out, version: version()?, time: commit_time() };
        let mut manuals = None;
        let mut made = Vec::new();
        for target in &choice.targets {
            let programs = self.programs(target)?;
            let manuals = match &mut manuals {
                Some(written) => written,
                // Those that run here come first.
                none => none.insert(Manuals::written_by(&programs.folder)?),
            };
            made.extend(press.pack(target, &programs, manuals)?);
        }
        made.push(press.write("SHA256SUMS", sums(&press, &made)?.as_bytes())?);
        for path in made {
            let length = path.metadata().map_or(0, |about| about.len());
            say(&format!("{:>10} {}", length, path.display()));
        }
        Ok(())
    }
}

impl Arguments {
    /// Says before anything is built that nothing could write the manual pages.
    fn check_manuals(&self, choice: &Choice) -> anyhow::Result<()> {
        if choice.targets.iter().any(Target::runs_here) {
            return Ok(());
        }
        let triples = choice.targets.iter().map(|it| it.triple.as_str()).collect::<Vec<_>>();
        let why = format!(
            "manual pages are written by the program itself, and no program of {} runs here",
            triples.join(", ")
        );
        match &self.programs {
            Some(folder) => bail!(
                "{why}: --programs {} can be packed only where they run; \
                 leave it out and add --target with this machine's",
                folder.display()
            ),
            None => bail!("{why}: add --target with this machine's"),
        }
    }

    /// Both programs of a target, built unless they are there.
    fn programs(&self, target: &Target) -> anyhow::Result<Built> {
        let built = match &self.programs {
            Some(folder) => Built { folder: folder.clone() },
            None => {
                say(&format!("building for {}", target.triple));
                target.build(&self.profile)?
            }
        };
        for program in PROGRAMS {
            if !elf::is_static(&built.read(program.name)?)? {
                bail!("{} of {} is not static: it asks for a loader", program.name, target.triple);
            }
        }
        Ok(built)
    }
}

impl Press<'_> {
    /// All that is made of a target's programs.
    fn pack(
        &self,
        target: &Target,
        programs: &Built,
        manuals: &Manuals,
    ) -> anyhow::Result<Vec<PathBuf>> {
        let (version, arch) = (&self.version, target.architecture());
        let mut made = Vec::new();
        let mut boms = Vec::new();
        for program in PROGRAMS {
            let bom = sbom::of(&target.triple, program.name)?;
            let bom = format!("{}\n", serde_json::to_string_pretty(&bom)?).into_bytes();
            made.push(self.write(&format!("{}_{version}_{arch}.cdx.json", program.name), &bom)?);
            boms.push(bom);
        }
        let mut all = Vec::new();
        for (program, bom) in PROGRAMS.iter().zip(&boms) {
            let binary = programs.read(program.name)?;
            let files = contents::installed(program, &binary, manuals, bom)?;
            let package = deb::Package { program, version, arch, files: &files, time: self.time };
            made.push(
                self.write(&format!("{}_{version}_{arch}.deb", program.name), &package.bytes()?)?,
            );
            all.extend(files);
        }
        let folder = format!("banyan-{version}-{arch}");
        let archive = files::gzip(&files::tar(&contents::unpacked(&folder, all), self.time)?)?;
        made.push(self.write(&format!("{folder}.tar.gz"), &archive)?);
        let binaries =
            PROGRAMS.iter().map(|Program { name, .. }| Ok((*name, programs.read(name)?)));
        let image =
            image::of(&binaries.collect::<anyhow::Result<Vec<_>>>()?, version, arch, self.time)?;
        made.push(self.write(&format!("{folder}.image.tar"), &image)?);
        Ok(made)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> anyhow::Result<PathBuf> {
        let path = self.out.join(name);
        std::fs::write(&path, bytes).with_context(|| cannot_write(&path))?;
        Ok(path)
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// The digest of some bytes, in hexadecimal.
fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A line a file, as `sha256sum --check` reads them.
fn sums(press: &Press<'_>, paths: &[PathBuf]) -> anyhow::Result<String> {
    let mut text = String::new();
    for path in paths {
        let name = path.strip_prefix(press.out).unwrap_or(path).display();
        text += &format!("{}  {name}\n", digest(&std::fs::read(path)?));
    }
    Ok(text)
}

/// The workspace's version.
fn version() -> anyhow::Result<String> {
    let text = std::fs::read_to_string(workspace().join("Cargo.toml"))?;
    let manifest: toml::Table = text.parse()?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    Ok(version.context("the workspace has no version")?.to_owned())
}

/// Of the workspace's last commit, wherever this is called from; 0 where there is no history.
fn commit_time() -> u64 {
    let mut asked = Command::new("git");
    let asked = asked.current_dir(workspace()).args(["log", "-1", "--format=%ct"]).output();
    let text = asked.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_owned());
    text.ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[expect(clippy::print_stdout, reason = "what it did, for the person who asked")]
fn say(line: &str) {
    println!("{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_could_write_manual_pages_it_is_said_before_anything_is_built() {
        let foreign = if cfg!(target_arch = "x86_64") { "aarch64" } else { "x86_64" };
        let triple = format!("{foreign}-unknown-linux-gnu");
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("packages");
        let said = |more: &[&str]| {
            let typed = ["dist", "--target", &triple, "--out", out.to_str().expect("UTF-8")];
            let arguments = Arguments::try_parse_from([&typed, more].concat()).expect("options");
            let refused = arguments.run().expect_err("no manual pages").to_string();
            assert!(refused.contains(&format!("no program of {triple} runs here")), "{refused}");
            assert!(!out.exists(), "{refused}");
            refused
        };
        // A profile that is none: were it built, cargo would say so.
        assert!(said(&["--profile", "none-such"]).ends_with(": add --target with this machine's"));
        let refused = said(&["--programs", "elsewhere"]);
        assert!(
            refused.contains("--programs elsewhere can be packed only where they"),
            "{refused}"
        );
    }

    #[test]
    fn sums_are_those_of_sha256sum() {
        let folder = tempfile::tempdir().expect("a folder");
        let press = Press { out: folder.path(), version: "1".to_owned(), time: 0 };
        let path = press.write("a.deb", b"abc").expect("written");
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.deb\n";
        assert_eq!(sums(&press, &[path]).expect("read"), expected);
    }
}
