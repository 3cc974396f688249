//! Files that are installed with each program, and their places.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};
use xtask::arrows::workspace;

use super::files::{File, gzip};

/// One of the programs, and what its package says of it.
#[derive(Debug)]
pub struct Program {
    /// Its name, that of its crate, and of its package.
    pub name: &'static str,
    /// A line.
    pub summary: &'static str,
    /// Some more, lines of up to 76 letters.
    pub description: &'static [&'static str],
    /// Files of deploy/systemd that start it.
    units: &'static [&'static str],
    /// The file of deploy/systemd that the units read, and how it is called in /etc/banyan.
    settings: &'static str,
    /// Units of it that systemd may be running, as a pattern.
    pub running: &'static str,
}

/// Both programs.
pub const PROGRAMS: [Program; 2] = [
    Program {
        name: "banyan",
        summary: "one strong game search across many machines: the coordinator",
        description: &[
            "Searches Go, Othello, Gomoku, Connect6 and Hex with this machine's cores and",
            "with those of workers that join. An engine for board programs (GTP, NBoard,",
            "Gomocup), and a page for browsers.",
        ],
        units: &["banyan-coordinator.service"],
        settings: "coordinator.env",
        running: "banyan-coordinator.service",
    },
    Program {
        name: "banyan-worker",
        summary: "one strong game search across many machines: a worker",
        description: &[
            "Dials a coordinator and does the work that it is lent. Comes and goes at any",
            "moment; needs no port and no files.",
        ],
        units: &["banyan-worker@.service"],
        settings: "worker.env",
        running: "banyan-worker@*.service",
    },
];

/// Folder of units, and of what goes beside the programs.
const UNITS: &str = "deploy/systemd";

/// Places where the units of the repository look for programs, and where packages put them.
const PLACES: [&str; 2] = ["/usr/local/bin/", "/usr/bin/"];

/// Shells with the places where they look for completions: before the program's name, and after it.
const SHELLS: [(&str, &str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/", ""),
    ("zsh", "usr/share/zsh/vendor-completions/_", ""),
    ("fish", "usr/share/fish/vendor_completions.d/", ".fish"),
];

/// Manual pages and completions of both programs.
#[derive(Debug, Default)]
pub struct Manuals {
    /// Names of pages, such as `banyan-search.1`, with their text.
    pub pages: Vec<(String, Vec<u8>)>,
    /// Program, shell, text.
    pub completions: Vec<(&'static str, &'static str, Vec<u8>)>,
}

impl Manuals {
    /// Asks `banyan` in a folder for what it writes about itself and the worker.
    ///
    /// # Errors
    /// Where it cannot be run, or fails.
    pub fn written_by(folder: &Path) -> anyhow::Result<Manuals> {
        let banyan = std::path::absolute(folder.join("banyan"))?;
        let pages = tempfile::tempdir()?;
        let ask = |args: &[&str]| {
            let answer = Command::new(&banyan).args(args).current_dir(&pages).output();
            let answer = answer.with_context(|| format!("cannot run {}", banyan.display()))?;
            if !answer.status.success() {
                bail!("banyan {}: {}", args.join(" "), String::from_utf8_lossy(&answer.stderr));
            }
            Ok(answer.stdout)
        };
        ask(&["man", "man1"])?;
        let mut manuals = Manuals::default();
        for page in std::fs::read_dir(pages.path().join("man1"))? {
            let page = page?;
            let name = page.file_name().to_string_lossy().into_owned();
            manuals.pages.push((name, std::fs::read(page.path())?));
        }
        // A folder has no order.
        manuals.pages.sort();
        for program in PROGRAMS {
            for (shell, ..) in SHELLS {
                let text = ask(&["completions", shell, "--program", program.name])?;
                manuals.completions.push((program.name, shell, text));
            }
        }
        Ok(manuals)
    }

    /// Pages of one program: `banyan.1` and `banyan-search.1` are the coordinator's, `banyan-worker.1` is not.
    fn pages_of(&self, program: &str) -> impl Iterator<Item = &(String, Vec<u8>)> {
        let is_workers = |name: &str| name.starts_with("banyan-worker");
        let of_worker = is_workers(program);
        self.pages.iter().filter(move |(name, _)| is_workers(name) == of_worker)
    }
}

/// All files of a program's package.
///
/// - `binary`: the program itself.
/// - `bom`: what it is made of.
///
/// # Errors
/// Where a unit or a licence cannot be read.
pub fn installed(
    program: &Program,
    binary: &[u8],
    manuals: &Manuals,
    bom: &[u8],
) -> anyhow::Result<Vec<File>> {
    let name = program.name;
    let mut files = vec![File::new(format!("usr/bin/{name}"), binary).run()];
    for unit in program.units {
        let text = read(&format!("{UNITS}/{unit}"))?.replace(PLACES[0], PLACES[1]);
        files.push(File::new(format!("usr/lib/systemd/system/{unit}"), text));
    }
    // It may hold a token.
    let settings = read(&format!("{UNITS}/{}", program.settings))?;
    files.push(File { mode: 0o600, ..File::new(settings_path(program), settings) });
    for (page, text) in manuals.pages_of(name) {
        files.push(File::new(format!("usr/share/man/man1/{page}.gz"), gzip(text)?));
    }
    for (of, shell, text) in manuals.completions.iter().filter(|(of, ..)| *of == name) {
        let place = SHELLS.iter().find(|(known, ..)| known == shell);
        let (_, before, after) = place.context("completions of an unknown shell")?;
        files.push(File::new(format!("{before}{of}{after}"), text.clone()));
    }
    files.push(File::new(format!("usr/share/doc/{name}/copyright"), copyright()?));
    files.push(File::new(format!("usr/share/doc/{name}/{name}.cdx.json"), bom));
    Ok(files)
}

/// The file that whoever installs may change.
pub fn settings_path(program: &Program) -> String {
    format!("etc/banyan/{}", program.settings)
}

/// The same files below a folder, for those who install by hand.
pub fn unpacked(folder: &str, files: Vec<File>) -> Vec<File> {
    files.into_iter().map(|file| File { path: format!("{folder}/{}", file.path), ..file }).collect()
}

fn copyright() -> anyhow::Result<String> {
    let words = "Banyan is licensed under MIT or Apache-2.0, at your choice.\n\
                 What it is built from, with licences, stands in the bill of materials beside this file.\n";
    Ok([words.to_owned(), read("LICENSE-MIT")?, read("LICENSE-APACHE")?].join("\n"))
}

fn read(path: &str) -> anyhow::Result<String> {
    std::fs::read_to_string(workspace().join(path)).with_context(|| format!("cannot read {path}"))
}

#[cfg(test)]
mod tests {
    use super::super::files::gunzip;
    use super::*;

    fn manuals() -> Manuals {
        let pages = ["banyan-search.1", "banyan-worker.1", "banyan.1"];
        Manuals {
            pages: pages.map(|page| (page.to_owned(), page.into())).into(),
            completions: vec![
                ("banyan", "zsh", b"z".into()),
                ("banyan-worker", "fish", b"f".into()),
            ],
        }
    }

    fn of(program: &Program) -> Vec<File> {
        installed(program, b"program", &manuals(), b"{}").expect("all is there")
    }

    #[test]
    fn each_package_holds_its_program_units_settings_manuals_and_completions() {
        let paths = |files: &[File]| files.iter().map(|it| it.path.clone()).collect::<Vec<_>>();
        assert_eq!(
            paths(&of(&PROGRAMS[0])),
            [
                "usr/bin/banyan",
                "usr/lib/systemd/system/banyan-coordinator.service",
                "etc/banyan/coordinator.env",
                "usr/share/man/man1/banyan-search.1.gz",
                "usr/share/man/man1/banyan.1.gz",
                "usr/share/zsh/vendor-completions/_banyan",
                "usr/share/doc/banyan/copyright",
                "usr/share/doc/banyan/banyan.cdx.json",
            ]
        );
        assert_eq!(
            paths(&of(&PROGRAMS[1])),
            [
                "usr/bin/banyan-worker",
                "usr/lib/systemd/system/banyan-worker@.service",
                "etc/banyan/worker.env",
                "usr/share/man/man1/banyan-worker.1.gz",
                "usr/share/fish/vendor_completions.d/banyan-worker.fish",
                "usr/share/doc/banyan-worker/copyright",
                "usr/share/doc/banyan-worker/banyan-worker.cdx.json",
            ]
        );
    }

    #[test]
    fn units_start_what_is_installed_and_secrets_are_for_root_alone() {
        for program in &PROGRAMS {
            let files = of(program);
            let find = |end: &str| files.iter().find(|it| it.path.ends_with(end)).expect("there");
            let unit = String::from_utf8_lossy(&find(".service").bytes).into_owned();
            assert!(unit.contains(&format!("ExecStart=/usr/bin/{} ", program.name)), "{unit}");
            let settings =
                files.iter().find(|it| it.path == settings_path(program)).expect("there");
            assert!(unit.contains(&format!("/{}", settings.path)), "{unit}");
            assert_eq!(settings.mode, 0o600);
            assert_eq!(files[0].mode, 0o755);
            assert!(gunzip(&find(".1.gz").bytes).starts_with(b"banyan"));
        }
    }

    #[test]
    fn both_can_be_unpacked_into_one_folder() {
        let all: Vec<File> = PROGRAMS.iter().flat_map(of).collect();
        let mut paths: Vec<String> =
            unpacked("banyan-1", all).into_iter().map(|it| it.path).collect();
        assert!(paths.iter().all(|path| path.starts_with("banyan-1/")));
        paths.sort();
        assert!(paths.windows(2).all(|pair| pair[0] != pair[1]), "{paths:?}");
    }
}
