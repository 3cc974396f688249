//! Rules in a file: a line of JSON for the header, one for each rule, and one for the end with a digest.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail, ensure};
use banyan_ebg::place::end_of_text;
use banyan_games::Kind;
use banyan_rules::Written;
use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::learned::{LearnedRule, is_learned};
use crate::files;

/// Value of the header's `format`.
const FORMAT: &str = "banyan-rules";

/// Version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;

/// First bytes of compressed files.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Bytes of a file's text, at most.
const TEXT_MAX: u64 = 256 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    game: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Footer {
    /// Rules, count.
    rules: usize,
    /// SHA-256 of all lines before this one, line ends included.
    digest: String,
}

/// A rule with what is known of it, as it is written.
#[derive(Debug, Serialize, Deserialize)]
struct Line<L> {
    #[serde(flatten)]
    rule: L,
    proof: String,
    completions: u32,
    hits: u64,
    from: String,
}

impl<L> Line<L> {
    fn new<R: Written<Line = L>>(learned: &LearnedRule<R>) -> Line<L> {
        let LearnedRule { rule, proof, completions, hits, from } = learned;
        let (proof, from) = (proof.clone(), from.clone());
        Line { rule: rule.line(), proof, completions: *completions, hits: *hits, from }
    }

    fn learned<R: Written<Line = L>>(self) -> anyhow::Result<LearnedRule<R>> {
        let Line { rule, proof, completions, hits, from } = self;
        Ok(LearnedRule { rule: R::of_line(rule)?, proof, completions, hits, from })
    }
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of a file of a game's rules.
///
/// # Errors
/// Never for rules that were learned.
pub fn text<R: Written>(game: Kind, rules: &[LearnedRule<R>]) -> serde_json::Result<String> {
    let header = Header { format: FORMAT.to_owned(), version: VERSION, game: game.to_string() };
    let mut text = serde_json::to_string(&header)? + "\n";
    for rule in rules {
        text += &serde_json::to_string(&Line::new(rule))?;
        text.push('\n');
    }
    let footer = Footer { rules: rules.len(), digest: digest(&text) };
    Ok(text + &serde_json::to_string(&footer)? + "\n")
}

/// Writes a file of rules; it is there whole, or as it was before.
///
/// # Errors
/// A place that cannot be written to.
pub fn write<R: Written>(path: &Path, game: Kind, rules: &[LearnedRule<R>]) -> anyhow::Result<()> {
    files::put(path, text(game, rules)?.as_bytes())
}

/// Refuses a place where [`write`] would fail, or take the place of something else.
///
/// # Errors
/// With the file: another kind of file, a place that cannot be written to.
pub fn may_write(path: &Path) -> anyhow::Result<()> {
    if std::fs::metadata(path).is_ok_and(|it| it.is_dir() || (it.is_file() && it.len() > 0)) {
        let expected = "it would be written over: expected a file of rules, or another name";
        game_of(path).context(expected)?;
    }
    files::may_put(path)
}

/// Reads a file of a game's rules.
///
/// # Errors
/// With the line: a file that is none, is of another version or game, is cut short or was changed.
pub fn read<R: Written>(path: &Path, game: Kind) -> anyhow::Result<Vec<LearnedRule<R>>> {
    parse(&content(path)?, game).with_context(|| path.display().to_string())
}

/// The game that a file's rules are of.
///
/// # Errors
/// As [`read`].
pub fn game_of(path: &Path) -> anyhow::Result<Kind> {
    let text = content(path)?;
    let game = header(&text).and_then(|header| {
        let known = header.game.parse::<Kind>().ok().filter(|&game| is_learned(game));
        let expected = "where those of go, gomoku or connect6 were expected";
        known.with_context(|| format!("line 1: rules of {}, {expected}", header.game))
    });
    game.with_context(|| path.display().to_string())
}

/// The text of a file, which may be compressed by gzip.
fn content(path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    unpacked(&bytes).with_context(|| format!("cannot read {}", path.display()))
}

/// The text in these bytes, which may be compressed by gzip.
///
/// # Errors
/// In words: bytes that are cut short, too many, or no text.
pub fn unpacked(bytes: &[u8]) -> anyhow::Result<String> {
    let mut text = Vec::new();
    let read = match bytes.starts_with(GZIP) {
        true => MultiGzDecoder::new(bytes).take(TEXT_MAX + 1).read_to_end(&mut text),
        false => bytes.take(TEXT_MAX + 1).read_to_end(&mut text),
    };
    read?;
    ensure!(text.len() as u64 <= TEXT_MAX, "a text of more than {TEXT_MAX} bytes");
    String::from_utf8(text).map_err(|wrong| {
        let (line, column) = end_of_text(&wrong);
        anyhow!("line {line}, column {column}: what stands here is no text in UTF-8")
    })
}

fn header(text: &str) -> anyhow::Result<Header> {
    let first = text.lines().next().context("line 1: the file is empty")?;
    let header: Header = serde_json::from_str(first)
        .context("line 1: no header: expected {\"format\":\"banyan-rules\",…}")?;
    let Header { format, version, .. } = &header;
    ensure!(format == FORMAT, "line 1: format '{format}' where {FORMAT} was expected");
    ensure!(*version == VERSION, "line 1: version {version}, this program reads {VERSION}");
    Ok(header)
}

/// The rule that a line of a file is.
fn rule<R: Written>(line: &str, game: Kind) -> anyhow::Result<LearnedRule<R>> {
    // The words of serde name fields that nobody who has such a file knows of.
    let read = serde_json::from_str::<Line<R::Line>>(line).map_err(|wrong| match wrong.is_data() {
        true => anyhow!("no rule of {game}: the file is one of another game, or was changed"),
        false => anyhow!("no rule, or cut short"),
    });
    read?.learned()
}

/// Reads the text of a file of a game's rules.
///
/// # Errors
/// As [`read`].
pub fn parse<R: Written>(text: &str, game: Kind) -> anyhow::Result<Vec<LearnedRule<R>>> {
    let found = header(text)?.game;
    ensure!(found == game.to_string(), "line 1: rules of {found}, expected those of {game}");
    let (mut rules, mut read) = (Vec::new(), 0);
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let number = at + 1;
        if let Ok(footer) = serde_json::from_str::<Footer>(line) {
            ensure!(
                footer.rules == rules.len() && footer.digest == digest(&text[..read]),
                "line {number}: the digest is not that of the {} rules before it: the file was changed",
                rules.len()
            );
            let is_all = read + line.len() == text.len();
            ensure!(is_all, "line {}: the file goes on after its last line, {number}", number + 1);
            return Ok(rules);
        }
        if at > 0 {
            rules.push(rule(line, game).with_context(|| format!("line {number}"))?);
        }
        read += line.len();
    }
    bail!(
        "line {}: cut short after {} rules: the last line is missing",
        rules.len() + 2,
        rules.len()
    )
}
