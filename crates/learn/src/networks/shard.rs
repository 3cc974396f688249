//! Shards: many games in one file, compressed, with a version and a digest.
//!
//! A shard is lines of JSON in gzip. The first line is the [`Header`], one line a game follows, the last
//! line is the [`Footer`]. A shard appears whole or not at all: it is written beside its place, then moved.

use crate::files::put;
use anyhow::{Context as _, bail, ensure};
use banyan_games::Kind;
use banyan_selfplay::PlayedGame;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Value of the header's `format`.
const FORMAT: &str = "banyan-games";

/// Version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;

/// Extension of a shard's file.
pub const EXTENSION: &str = "games.gz";

/// First line of a shard: where its games come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// `banyan-games`.
    pub format: String,
    /// Version of the format.
    pub version: u32,
    /// Game, as the command line calls it.
    pub game: String,
    /// Player that chose the moves: the digest of a network, the name of the game's evaluation, or `heavy`.
    pub player: String,
    /// Visits, chances and noise, in words.
    pub settings: String,
    /// Generation of the loop that they were played in.
    pub generation: u32,
}

/// Last line of a shard: what a broken one lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Footer {
    /// Games in the shard, count.
    games: usize,
    /// SHA-256 of all lines before this one with their line feeds.
    digest: String,
}

impl Header {
    /// A header of today's version.
    pub fn new(game: Kind, player: &str, settings: &str, generation: u32) -> Header {
        Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: game.to_string(),
            player: player.to_owned(),
            settings: settings.to_owned(),
            generation,
        }
    }
}

/// Writes a shard; a file of that name is there afterwards, whole, or none is.
///
/// # Errors
/// A folder that cannot be written to, a full disk.
pub fn write(path: &Path, header: &Header, games: &[PlayedGame]) -> anyhow::Result<()> {
    let mut text = serde_json::to_string(header)? + "\n";
    for game in games {
        text += &serde_json::to_string(game)?;
        text.push('\n');
    }
    let footer = Footer { games: games.len(), digest: digest(text.as_bytes()) };
    text += &serde_json::to_string(&footer)?;
    text.push('\n');
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes())?;
    put(path, &encoder.finish()?)
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a shard that must be whole.
///
/// # Errors
/// A file that cannot be read, is no shard, is one of another version, or is cut short or damaged.
pub fn read(path: &Path) -> anyhow::Result<(Header, Vec<PlayedGame>)> {
    read_whole(path).with_context(|| format!("shard {}", path.display()))
}

/// Games of a shard by its last line, count, whatever stands before that.
///
/// # Errors
/// A file that cannot be read, or has no such line.
pub fn count(path: &Path) -> anyhow::Result<u64> {
    let last = || {
        let mut text = String::new();
        MultiGzDecoder::new(File::open(path)?)
            .read_to_string(&mut text)
            .context("no compressed text, damaged or cut short")?;
        let line = text.lines().next_back().unwrap_or_default();
        let footer: Footer = serde_json::from_str(line).context("its last line counts no games")?;
        anyhow::Ok(footer.games as u64)
    };
    last().with_context(|| format!("shard {}", path.display()))
}

/// The first line of a shard, whatever follows it.
///
/// # Errors
/// A file that cannot be read, is no shard, or is one of another version.
pub fn header(path: &Path) -> anyhow::Result<Header> {
    let first = || {
        let mut line = String::new();
        let mut reader = BufReader::new(MultiGzDecoder::new(File::open(path)?));
        reader.read_line(&mut line).context("no compressed text, or cut short")?;
        read_header(&line)
    };
    first().with_context(|| format!("shard {}", path.display()))
}

/// The first game of a shard, whatever follows it; nothing where there is none.
///
/// # Errors
/// As [`header`], and a second line that is neither a game nor the last.
pub fn first(path: &Path) -> anyhow::Result<Option<PlayedGame>> {
    let second = || {
        let mut lines = BufReader::new(MultiGzDecoder::new(File::open(path)?)).lines();
        let mut line = || lines.next().context("cut short")?.context("damaged or cut short");
        read_header(&line()?)?;
        let line = line()?;
        if serde_json::from_str::<Footer>(&line).is_ok() {
            return Ok(None);
        }
        serde_json::from_str(&line).context("game 1").map(Some)
    };
    second().with_context(|| format!("shard {}", path.display()))
}

/// Digest of a shard's games, as its last line says, whatever stands before it.
///
/// # Errors
/// A file that cannot be read, or whose last line is none of a shard.
pub fn digest_of(path: &Path) -> anyhow::Result<String> {
    let last = || {
        let mut lines = BufReader::new(MultiGzDecoder::new(File::open(path)?));
        let (mut line, mut last) = (String::new(), String::new());
        while lines.read_line(&mut line).context("damaged or cut short")? > 0 {
            std::mem::swap(&mut line, &mut last);
            line.clear();
        }
        let footer: Footer = serde_json::from_str(&last).context("cut short")?;
        anyhow::Ok(footer.digest)
    };
    last().with_context(|| format!("shard {}", path.display()))
}

fn read_whole(path: &Path) -> anyhow::Result<(Header, Vec<PlayedGame>)> {
    let mut lines = BufReader::new(MultiGzDecoder::new(File::open(path)?));
    let mut digesting = Sha256::new();
    let (mut line, mut games) = (String::new(), Vec::new());
    lines.read_line(&mut line).context("no compressed text, or cut short")?;
    let header = read_header(&line)?;
    loop {
        digesting.update(line.as_bytes());
        line.clear();
        let bytes = lines.read_line(&mut line).context("damaged or cut short")?;
        ensure!(bytes > 0, "cut short after {} games", games.len());
        if let Ok(footer) = serde_json::from_str::<Footer>(&line) {
            let found = Footer { games: games.len(), digest: hex(digesting) };
            ensure!(footer == found, "its last line says {footer:?}, it holds {found:?}");
            let more = lines.read_line(&mut line).context("damaged or cut short")?;
            ensure!(more == 0, "something follows its last line");
            return Ok((header, games));
        }
        let game = serde_json::from_str(&line);
        games.push(game.with_context(|| format!("game {}", games.len() + 1))?);
    }
}

fn hex(digesting: Sha256) -> String {
    digesting.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_header(line: &str) -> anyhow::Result<Header> {
    #[derive(Deserialize)]
    struct Any {
        format: String,
        version: u32,
    }
    let any: Any = serde_json::from_str(line).context("its first line is no header")?;
    if any.format != FORMAT {
        bail!("format {:?}, must be {FORMAT:?}", any.format);
    }
    ensure!(any.version == VERSION, "version {}, this program reads {VERSION}", any.version);
    Ok(serde_json::from_str(line)?)
}

/// The shards of a folder and of those in it, sorted by the numbers in their paths.
///
/// # Errors
/// A folder that cannot be read.
pub fn list(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    list_of(folder, EXTENSION)
}

/// The files with an extension, of a folder and of those in it, sorted by the numbers in their paths.
///
/// # Errors
/// A folder that cannot be read.
pub fn list_of(folder: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder);
    for entry in entries.with_context(|| format!("cannot read folder {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(list_of(&path, extension)?);
        } else if path.to_string_lossy().ends_with(extension) {
            found.push(path);
        }
    }
    found.sort_by_cached_key(|path| age(path));
    Ok(found)
}

/// Sorts paths by the numbers in them, which are filled up with zeros: g999 before g1000.
fn age(path: &Path) -> Vec<(usize, OsString)> {
    path.iter().map(|part| (part.len(), part.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> PlayedGame {
        PlayedGame {
            size: 7,
            komi: 15,
            seed: 3,
            opening: 1,
            moves: vec![24, 49, 49],
            values: vec![-1, 500, 400],
            thoughts: Vec::new(),
            winner: "B".to_owned(),
            margin: 83,
            ownership: "B".repeat(49),
        }
    }

    fn written(header: &Header) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0000.games.gz");
        write(&path, header, &[game(), game()]).unwrap();
        (folder, path)
    }

    #[test]
    fn shards_are_sorted_by_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let sorted = ["g099/0007", "g999/9999", "g999/10000", "g1000/0000"];
        for name in sorted {
            let path = folder.path().join(format!("{name}.{EXTENSION}"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let paths = sorted.map(|name| folder.path().join(format!("{name}.{EXTENSION}")));
        assert_eq!(list(folder.path()).unwrap(), paths);
    }

    fn refusal(path: &Path) -> String {
        format!("{:#}", read(path).unwrap_err())
    }

    #[test]
    fn games_come_back_from_their_shard() {
        let header = Header::new(Kind::Go, "heavy", "some", 2);
        let (folder, path) = written(&header);
        assert_eq!(read(&path).unwrap(), (header, vec![game(), game()]));
        assert_eq!(list(folder.path()).unwrap(), [path]);
    }

    #[test]
    fn a_shard_says_its_digest_and_other_games_have_another() {
        let header = Header::new(Kind::Go, "heavy", "", 0);
        let (_folder, path) = written(&header);
        let digest = digest_of(&path).unwrap();
        assert_eq!((digest.len(), &digest), (64, &digest_of(&path).unwrap()));
        write(&path, &header, &[game()]).unwrap();
        assert_ne!(digest_of(&path).unwrap(), digest);
        std::fs::write(&path, "").unwrap();
        let words = format!("{:#}", digest_of(&path).unwrap_err());
        assert!(words.contains("0000.games.gz") && words.contains("cut short"), "{words}");
    }

    #[test]
    fn a_shard_that_is_cut_short_or_damaged_is_refused_by_name() {
        let (_folder, path) = written(&Header::new(Kind::Go, "heavy", "", 0));
        let whole = std::fs::read(&path).unwrap();
        for length in [0, 5, 40, whole.len() / 2, whole.len() - 12, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let words = refusal(&path);
            assert!(
                words.contains("0000.games.gz") && words.contains("cut short"),
                "{length}: {words}"
            );
        }
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 64;
        std::fs::write(&path, damaged).unwrap();
        refusal(&path);
    }

    #[test]
    fn games_that_were_taken_away_are_missed() {
        let (_folder, path) = written(&Header::new(Kind::Go, "heavy", "", 0));
        let mut text = String::new();
        std::io::Read::read_to_string(
            &mut MultiGzDecoder::new(File::open(&path).unwrap()),
            &mut text,
        )
        .unwrap();
        let fewer: Vec<&str> =
            text.lines().enumerate().filter(|&(line, _)| line != 1).map(|(_, line)| line).collect();
        let mut encoder = GzEncoder::new(File::create(&path).unwrap(), Compression::fast());
        encoder.write_all((fewer.join("\n") + "\n").as_bytes()).unwrap();
        encoder.finish().unwrap();
        assert!(refusal(&path).contains("its last line says"), "{}", refusal(&path));
    }

    #[test]
    fn a_shard_that_another_follows_is_refused() {
        let (_folder, path) = written(&Header::new(Kind::Go, "heavy", "", 0));
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, whole.repeat(2)).unwrap();
        assert!(refusal(&path).ends_with("something follows its last line"), "{}", refusal(&path));
    }

    #[test]
    fn a_shard_of_another_version_is_refused_with_both() {
        let header = Header { version: 2, ..Header::new(Kind::Go, "heavy", "", 0) };
        let (_folder, path) = written(&header);
        assert!(refusal(&path).ends_with("version 2, this program reads 1"), "{}", refusal(&path));
        let header = Header { format: "sgf".to_owned(), ..Header::new(Kind::Go, "heavy", "", 0) };
        let (_folder, path) = written(&header);
        assert!(refusal(&path).ends_with("format \"sgf\", must be \"banyan-games\""));
    }

    #[test]
    fn where_nothing_can_be_written_the_shard_is_named_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        // A file where a folder is needed.
        std::fs::write(folder.path().join("none"), "").unwrap();
        let path = folder.path().join("none/0000.games.gz");
        let words =
            format!("{:#}", write(&path, &Header::new(Kind::Go, "", "", 0), &[]).unwrap_err());
        assert!(words.starts_with("cannot write ") && words.contains("0000.games.gz"), "{words}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
