//! From the first node's GM, SZ, KM and RU to rules.

use banyan_games::go::GoRules;
use banyan_games::gomoku::Variant;
use banyan_games::{Kind, Rules, Terms};

use super::error::{Place, SgfError, shorten};
use super::game::Options;
use super::parser::{Node, Value};

/// Komi in half points where a file says none: today's usual 7.5 points under area scoring.
const KOMI_DEFAULT: i16 = 15;
/// The same for a handicap game.
const KOMI_HANDICAP: i16 = 1;

/// The first value of a property of the node.
pub(super) fn value<'a>(node: &'a Node, name: &str) -> Option<&'a Value> {
    node.properties.iter().find(|p| p.name == name).map(|p| &p.values[0])
}

/// The error of a value that cannot be.
pub(super) fn refuse(name: &str, value: &Value, expected: impl Into<String>) -> SgfError {
    let (property, text) = (name.to_owned(), shorten(&value.text));
    SgfError::Value { at: value.at, property, value: text, expected: expected.into() }
}

/// The rules of the game whose first node this is.
pub(super) fn rules(root: &Node, options: &Options) -> Result<Rules, SgfError> {
    let kind = kind(root, options)?;
    let (width, height) = size(root, kind)?;
    let komi = if kind == Kind::Go { komi(root, options)? } else { 0 };
    let at = value(root, "SZ").map_or(root.at, |size| size.at);
    Rules::new(kind, Terms { width, height, komi, variant: variant(root, options) })
        .map_err(|source| SgfError::Rules { at, source })
}

fn kind(root: &Node, options: &Options) -> Result<Kind, SgfError> {
    let asked = options.kind;
    let Some(written) = value(root, "GM") else {
        return Ok(asked.or(options.kind_unsaid).unwrap_or(Kind::Go));
    };
    let number = written.text.trim().parse::<u32>();
    let number = number.map_err(|_| refuse("GM", written, "the number of a game, such as 1"))?;
    let found = Kind::ALL.into_iter().find(|kind| kind.sgf_number() == number);
    match (found, asked) {
        (None, None) => Err(SgfError::UnknownGame { at: written.at, number }),
        (Some(kind), None) => Ok(kind),
        (found, Some(asked)) if may_mean(found, asked) => Ok(asked),
        (found, Some(asked)) => {
            Err(SgfError::OtherGame { at: written.at, found: found.unwrap_or(asked), asked })
        }
    }
}

/// Tells whether a file that names the game `found` may really hold one of `asked`: many programs write
/// 1 for every game, and those of Connect6 also the 4 of Gomoku.
fn may_mean(found: Option<Kind>, asked: Kind) -> bool {
    match found {
        None | Some(Kind::Go) => true,
        Some(Kind::Gomoku) => matches!(asked, Kind::Gomoku | Kind::Connect6),
        Some(kind) => kind == asked,
    }
}

fn size(root: &Node, kind: Kind) -> Result<(u32, u32), SgfError> {
    // The format has its own default for Go.
    let default = if kind == Kind::Go { 19 } else { kind.side() };
    let Some(written) = value(root, "SZ").filter(|size| !size.text.trim().is_empty()) else {
        return Ok((default, default));
    };
    let (width, height) = written.text.split_once(':').unwrap_or((&written.text, &written.text));
    let sides = width.trim().parse().ok().zip(height.trim().parse().ok());
    sides.ok_or_else(|| refuse("SZ", written, "a size such as 19 or 19:13"))
}

/// Returns what wins in Gomoku: five or more, unless RU says that it must be exactly five, or Renju. Where it says
/// nothing, what was asked for.
fn variant(root: &Node, options: &Options) -> Variant {
    let told = value(root, "RU").map(|rules| rules.text.to_ascii_lowercase());
    let told = told.filter(|text| !text.trim().is_empty());
    match told.as_deref() {
        Some(text) if text.contains("renju") => Variant::Renju,
        Some(text) if text.contains("standard") || text.contains("exactly") => Variant::Standard,
        None => options.variant.unwrap_or_default(),
        Some(_) => Variant::Freestyle,
    }
}

fn komi(root: &Node, options: &Options) -> Result<i16, SgfError> {
    match value(root, "KM").filter(|komi| !komi.text.trim().is_empty()) {
        Some(written) => komi_halves(&written.text)
            .ok_or_else(|| refuse("KM", written, "a multiple of a half point, such as 7.5")),
        None if handicap(root)? >= 2 => Ok(KOMI_HANDICAP),
        None => Ok(options.komi_unsaid.unwrap_or(KOMI_DEFAULT)),
    }
}

/// The number of handicap stones that HA tells; 0 where it tells none.
pub(super) fn handicap(root: &Node) -> Result<u32, SgfError> {
    let Some(written) = value(root, "HA").filter(|stones| !stones.text.trim().is_empty()) else {
        return Ok(0);
    };
    written.text.trim().parse().map_err(|_| refuse("HA", written, "a number of stones"))
}

/// KM in half points, with two habits of servers undone:
///
/// - a whole number of 100 or more without a decimal point counts hundredths (Fox's `650` is 6.5);
/// - a value that ends in a quarter counts stones, as Chinese rules do, and a stone is two points
///   (`3.75` is 7.5, so Fox's `375` is 7.5 too).
///
/// A komi of 0 is taken as it stands, though Fox also writes it for games that had one.
fn komi_halves(text: &str) -> Option<i16> {
    let text = text.trim().replace(',', ".");
    let written: f64 = text.parse().ok()?;
    let hundredths = written.abs() >= 100.0 && !text.contains('.');
    let value = if hundredths { written / 100.0 } else { written };
    let in_stones = (value * 2.0).fract() != 0.0 && (value * 4.0).fract() == 0.0;
    let points = if in_stones { value * 2.0 } else { value };
    GoRules::komi_from_points(points).ok()
}

/// Returns the place of a property in the file; that of the first node where the file does not spell it out.
pub(super) fn place(root: &Node, name: &str) -> Place {
    value(root, name).map_or(root.at, |value| value.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_is_read_as_servers_write_it() {
        for (text, halves) in [
            ("7.5", 15),
            ("6,5", 13),
            ("0", 0),
            ("-5.5", -11),
            ("650", 13),
            ("375", 15),
            ("0.00", 0),
            ("3.75", 15),
            ("2.75", 11),
            ("750", 15),
            ("100.0", 200),
            ("-3.25", -13),
        ] {
            assert_eq!(komi_halves(text), Some(halves), "KM[{text}]");
        }
        for text in ["abc", "7.3", "NaN", "inf", "1e300", "6.5 points", "99999999"] {
            assert_eq!(komi_halves(text), None, "KM[{text}]");
        }
    }
}
