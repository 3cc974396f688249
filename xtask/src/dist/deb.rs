//! A package of Debian, written without Debian's tools: an `ar` of a version, what there is to know of the
//! package, and its files (deb(5)).

use super::contents::{self, Program};
use super::files::{File, gzip, tar};

/// Whoever asks systemd to look again, where it runs.
const LOOK_AGAIN: &str = "#!/bin/sh\nset -e\n\
                          if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi\n";

/// Drains before the program goes.
const STOP: &str = "#!/bin/sh\nset -e\n\
                    if [ \"$1\" = remove ] && [ -d /run/systemd/system ]; then\n    \
                    systemctl stop 'UNITS' || true\nfi\n";

/// A package of one program.
#[derive(Debug)]
pub struct Package<'a> {
    /// Its program.
    pub program: &'a Program,
    /// Its version.
    pub version: &'a str,
    /// Debian's word for the processor.
    pub arch: &'a str,
    /// Files that it installs.
    pub files: &'a [File],
    /// The time of all its files, seconds since 1970.
    pub time: u64,
}

impl Package<'_> {
    /// The package.
    ///
    /// # Errors
    /// Where a path is too long for an archive.
    pub fn bytes(&self) -> std::io::Result<Vec<u8>> {
        let conffiles = format!("/{}\n", contents::settings_path(self.program));
        let stop = STOP.replace("UNITS", self.program.running);
        let about = [
            File::new("control", self.control()),
            File::new("conffiles", conffiles),
            File::new("postinst", LOOK_AGAIN).run(),
            File::new("prerm", stop).run(),
            File::new("postrm", LOOK_AGAIN).run(),
        ];
        let mut package = b"!<arch>\n".to_vec();
        for (name, bytes) in [
            ("debian-binary", b"2.0\n".to_vec()),
            ("control.tar.gz", gzip(&tar(&about, self.time)?)?),
            ("data.tar.gz", gzip(&tar(self.files, self.time)?)?),
        ] {
            package.extend(member(name, self.time, bytes));
        }
        Ok(package)
    }

    fn control(&self) -> String {
        let Program { name, summary, description, .. } = self.program;
        let kilobytes: usize = self.files.iter().map(|file| file.bytes.len().div_ceil(1024)).sum();
        let text: String = description.iter().map(|line| format!(" {line}\n")).collect();
        format!(
            "Package: {name}\nVersion: {}\nArchitecture: {}\n\
             Maintainer: The Banyan developers <banyan@localhost>\n\
             Installed-Size: {kilobytes}\nSection: games\nPriority: optional\n\
             Description: {summary}\n{text}",
            self.version, self.arch
        )
    }
}

/// A file of an `ar`, padded to an even length.
fn member(name: &str, time: u64, mut bytes: Vec<u8>) -> Vec<u8> {
    let (owner, group, mode) = (0, 0, "100644");
    let mut member =
        format!("{name:<16}{time:<12}{owner:<6}{group:<6}{mode:<8}{:<10}`\n", bytes.len())
            .into_bytes();
    if bytes.len() % 2 == 1 {
        bytes.push(b'\n');
    }
    member.extend(bytes);
    member
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::process::Command;

    use super::super::contents::PROGRAMS;
    use super::super::files::{gunzip, listed};
    use super::*;

    fn package(program: &Program) -> Vec<u8> {
        let files = [
            File::new("usr/bin/x", vec![0; 2000]).run(),
            File::new(contents::settings_path(program), "# none\n"),
        ];
        let package = Package { program, version: "1.2.3", arch: "amd64", files: &files, time: 9 };
        package.bytes().expect("packed")
    }

    /// Names and bytes of the files of an `ar`.
    fn members(mut bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
        bytes = bytes.strip_prefix(b"!<arch>\n").expect("an ar");
        let mut members = Vec::new();
        while !bytes.is_empty() {
            let (head, rest) = bytes.split_at(60);
            let head = std::str::from_utf8(head).expect("text");
            assert!(head.ends_with("`\n"), "{head:?}");
            let length: usize = head[48..58].trim().parse().expect("a number");
            members.push((head[..16].trim().to_owned(), rest[..length].to_vec()));
            bytes = &rest[length + length % 2..];
        }
        members
    }

    #[test]
    fn a_package_says_what_it_is_and_holds_its_files() {
        for program in &PROGRAMS {
            let parts = members(&package(program));
            let names: Vec<_> = parts.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
            assert_eq!(parts[0].1, b"2.0\n");
            let about = gunzip(&parts[1].1);
            let mut archive = tar::Archive::new(about.as_slice());
            let mut control = String::new();
            let mut first = archive.entries().expect("files").next().expect("one").expect("whole");
            first.read_to_string(&mut control).expect("text");
            let start = format!("Package: {}\nVersion: 1.2.3\nArchitecture: amd64\n", program.name);
            assert!(control.starts_with(&start), "{control}");
            assert!(control.contains("\nInstalled-Size: 3\n"), "{control}");
            let scripts = listed(&about).into_iter().filter(|(_, mode, _)| *mode == 0o755);
            assert_eq!(scripts.map(|it| it.0).collect::<Vec<_>>(), ["postinst", "prerm", "postrm"]);
            let paths: Vec<_> = listed(&gunzip(&parts[2].1)).into_iter().map(|it| it.0).collect();
            assert!(paths.contains(&"usr/bin/x".to_owned()), "{paths:?}");
            assert!(paths.contains(&contents::settings_path(program)), "{paths:?}");
        }
    }

    /// Debian's own tool, where it is installed, reads the same.
    #[test]
    fn dpkg_reads_what_was_packed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.deb");
        std::fs::write(&path, package(&PROGRAMS[0])).expect("written");
        let ask = |what: &str| Command::new("dpkg-deb").arg(what).arg(&path).output();
        let Ok(info) = ask("--info") else { return };
        let text = String::from_utf8_lossy(&info.stdout).into_owned();
        assert!(info.status.success() && text.contains("Package: banyan\n"), "{info:?}");
        let list = ask("--contents").expect("it was there");
        let text = String::from_utf8_lossy(&list.stdout).into_owned();
        assert!(
            list.status.success() && text.contains("-rwxr-xr-x root/root      2000"),
            "{list:?}"
        );
    }
}
