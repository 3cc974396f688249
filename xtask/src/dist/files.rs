//! Files of a package and the archives that hold them: the same files at the same time give the same bytes.

use std::collections::BTreeSet;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A file to be installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path without a slash in front.
    pub path: String,
    /// Permissions to read, write and run it.
    pub mode: u32,
    /// Its contents.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file that everybody may read.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> File {
        File { path: path.into(), mode: 0o644, bytes: bytes.into() }
    }

    /// The same, to be run.
    pub fn run(self) -> File {
        File { mode: 0o755, ..self }
    }
}

/// An archive with the folders that these files need, each before what is in it.
///
/// - `time`: seconds since 1970.
///
/// # Errors
/// For a path that is too long for the format.
pub fn tar(files: &[File], time: u64) -> std::io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for folder in folders(files) {
        let mut header = header(0o755, 0, time);
        header.set_entry_type(tar::EntryType::Directory);
        archive.append_data(&mut header, format!("{folder}/"), &b""[..])?;
    }
    for file in files {
        let mut header = header(file.mode, file.bytes.len(), time);
        archive.append_data(&mut header, &file.path, file.bytes.as_slice())?;
    }
    archive.into_inner()
}

fn header(mode: u32, length: usize, time: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_mode(mode);
    header.set_size(length as u64);
    header.set_mtime(time);
    header.set_uid(0);
    header.set_gid(0);
    header.set_username("root").expect("short");
    header.set_groupname("root").expect("short");
    header
}

fn folders(files: &[File]) -> BTreeSet<String> {
    let slashes =
        files.iter().flat_map(|file| file.path.match_indices('/').map(move |at| (file, at.0)));
    slashes.map(|(file, at)| file.path[..at].to_owned()).collect()
}

/// The same bytes, compressed.
///
/// # Errors
/// None in memory.
pub fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    packed.finish()
}

/// Decompresses these bytes.
#[cfg(test)]
pub fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    std::io::copy(&mut flate2::read::GzDecoder::new(bytes), &mut plain).expect("compressed");
    plain
}

/// Paths of an archive with mode and length, in its order.
#[cfg(test)]
pub fn listed(archive: &[u8]) -> Vec<(String, u32, u64)> {
    let mut archive = tar::Archive::new(archive);
    let entries = archive.entries().expect("an archive").map(|entry| {
        let entry = entry.expect("an entry");
        let path = entry.path().expect("a path").display().to_string();
        let header = entry.header();
        assert_eq!((header.uid().expect("a number"), header.gid().expect("a number")), (0, 0));
        (path, header.mode().expect("a number"), entry.size())
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_before_what_is_in_them_and_bytes_are_the_same_again() {
        let files = [File::new("usr/bin/a", "program").run(), File::new("usr/share/b", "text")];
        let archive = tar(&files, 7).expect("an archive");
        let expected = [
            ("usr/", 0o755, 0),
            ("usr/bin/", 0o755, 0),
            ("usr/share/", 0o755, 0),
            ("usr/bin/a", 0o755, 7),
            ("usr/share/b", 0o644, 4),
        ];
        assert_eq!(
            listed(&archive),
            expected.map(|(path, mode, size)| (path.to_owned(), mode, size))
        );
        assert_eq!(archive, tar(&files, 7).expect("an archive"));
        let packed = gzip(&archive).expect("packed");
        assert_eq!(packed, gzip(&archive).expect("packed"));
        assert_eq!(gunzip(&packed), archive);
    }
}
