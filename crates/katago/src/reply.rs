//! Answers: lines of KataGo's analysis protocol, checked.
//!
//! Nothing that a line holds is believed before it is checked, and no line can panic.

use serde::Deserialize;
use serde_json::Value;

use crate::judged::Judged;
use crate::query;

/// Bytes of one line, at most. An answer on the largest board is some 20 kB.
pub(crate) const LINE_BYTES_MAX: usize = 1 << 20;

/// Characters of KataGo's words that a message of ours repeats.
const WORDS_MAX: usize = 200;

/// Contents of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// Release of the program.
    Version(String),
    /// The network that it has, and how many positions that takes at once.
    Model {
        /// Its name.
        name: String,
        /// Positions.
        batch: u32,
    },
    /// Judgement on a position.
    Judged(u64, Result<Judged, Malformed>),
    /// A question that was not taken; without a number where KataGo did not say which.
    Refused(Option<u64>, String),
    /// A question that was taken for another one.
    Altered(u64, String),
    /// Nothing that matters here.
    Other,
}

/// Reasons why a line is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Malformed {
    /// Not a line of the protocol.
    #[error("'{0}' is no line of its protocol")]
    Rubbish(String),
    /// A part that should be there.
    #[error("it says no {0}")]
    Lacks(&'static str),
    /// A number that cannot be.
    #[error("{what} is {found}, expected {expected}")]
    Number {
        /// Name of the number.
        what: &'static str,
        /// As it stands there.
        found: String,
        /// In words.
        expected: &'static str,
    },
    /// A list for another board.
    #[error("its {what} has {found} entries, expected {expected}")]
    Entries {
        /// Name of the list.
        what: &'static str,
        /// Number of its entries.
        found: usize,
        /// Number that there should be.
        expected: usize,
    },
    /// No ply has a share.
    #[error("its policy sums to {0}, expected about 1")]
    Nothing(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    warning: Option<String>,
    #[serde(default)]
    field: Option<String>,
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    models: Option<Vec<ModelLine>>,
    #[serde(default)]
    is_during_search: bool,
    #[serde(default)]
    no_results: bool,
    #[serde(default)]
    root_info: Option<RootInfo>,
    #[serde(default)]
    policy: Option<Vec<f32>>,
    #[serde(default)]
    ownership: Option<Vec<f32>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ModelLine {
    #[serde(default)]
    internal_name: String,
    #[serde(default)]
    max_batch_size: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RootInfo {
    raw_winrate: Option<f32>,
    raw_lead: Option<f32>,
}

/// Reads a line; `area` gives the points of the board that a question was about.
///
/// # Errors
/// [`Malformed::Rubbish`] for what is no line of the protocol.
pub(crate) fn read(line: &str, area: impl Fn(u64) -> Option<usize>) -> Result<Reply, Malformed> {
    let rubbish = |_| Malformed::Rubbish(shorten(line));
    let line: Line = serde_json::from_str(line).map_err(rubbish)?;
    let id = line.id.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    let number = id.parse().ok();
    let about = |words: &str| match &line.field {
        Some(field) => format!("{}: {}", shorten(field), shorten(words)),
        None => shorten(words),
    };
    Ok(match (&line.error, &line.warning, number) {
        (Some(error), _, _) => Reply::Refused(number, about(error)),
        (None, Some(warning), Some(number)) => Reply::Altered(number, about(warning)),
        (None, Some(_), None) => Reply::Other,
        (None, None, Some(number)) if !line.is_during_search => match area(number) {
            Some(area) => Reply::Judged(number, judged(line, area)),
            None => Reply::Other,
        },
        (None, None, _) => named(&id, line),
    })
}

fn named(id: &str, line: Line) -> Reply {
    match (id, line.version, line.models) {
        (query::VERSION, Some(version), _) => Reply::Version(shorten(&version)),
        (query::MODELS, _, Some(models)) => match models.into_iter().next() {
            Some(model) => Reply::Model {
                name: shorten(&model.internal_name),
                batch: model.max_batch_size.max(1),
            },
            None => Reply::Other,
        },
        _ => Reply::Other,
    }
}

fn judged(line: Line, area: usize) -> Result<Judged, Malformed> {
    if line.no_results {
        return Err(Malformed::Lacks("results"));
    }
    let root = line.root_info.ok_or(Malformed::Lacks("rootInfo"))?;
    let winrate = root.raw_winrate.ok_or(Malformed::Lacks("rawWinrate"))?;
    let lead = root.raw_lead.ok_or(Malformed::Lacks("rawLead"))?;
    // KataGo rounds: a sure win may be a little more than one.
    within("rawWinrate", winrate, -0.01..=1.01, "0 to 1")?;
    within("rawLead", lead, -1e4..=1e4, "points")?;
    let mut policy = line.policy.ok_or(Malformed::Lacks("policy"))?;
    entries("policy", policy.len(), area + 1)?;
    for &share in &policy {
        within("a share of the policy", share, -1.0..=1.01, "-1 or 0 to 1")?;
    }
    let sum: f32 = policy.iter().filter(|&&share| share > 0.0).sum();
    if !(0.5..=1.5).contains(&sum) {
        return Err(Malformed::Nothing((sum + 0.0).to_string()));
    }
    let ownership = line.ownership.ok_or(Malformed::Lacks("ownership"))?;
    entries("ownership", ownership.len(), area)?;
    for &owner in &ownership {
        within("an owner", owner, -1.01..=1.01, "-1 to 1")?;
    }
    let pass = policy.pop().map_or(0.0, |share| share.max(0.0));
    let policy = policy.into_iter().map(|share| Some(share).filter(|&share| share >= 0.0));
    Ok(Judged { winrate: winrate.clamp(0.0, 1.0), lead, policy: policy.collect(), pass, ownership })
}

fn within(
    what: &'static str,
    found: f32,
    range: std::ops::RangeInclusive<f32>,
    expected: &'static str,
) -> Result<(), Malformed> {
    // What is no number is in no range.
    if range.contains(&found) {
        return Ok(());
    }
    Err(Malformed::Number { what, found: found.to_string(), expected })
}

fn entries(what: &'static str, found: usize, expected: usize) -> Result<(), Malformed> {
    if found == expected { Ok(()) } else { Err(Malformed::Entries { what, found, expected }) }
}

/// Words of another program, short and on one line.
pub(crate) fn shorten(words: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    words.chars().take(WORDS_MAX).map(printable).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// An answer about a board of two by two.
    fn answer() -> Value {
        json!({
            "id": "7", "isDuringSearch": false, "turnNumber": 3,
            "rootInfo": { "winrate": 0.4, "rawWinrate": 0.625, "rawLead": -1.5, "visits": 1 },
            "policy": [0.5, -1, 0.25, 0.125, 0.125],
            "ownership": [1, -0.5, 0, 0.25],
            "moveInfos": []
        })
    }

    fn read_it(line: &Value) -> Result<Reply, Malformed> {
        read(&line.to_string(), |number| (number == 7).then_some(4))
    }

    fn refused(part: &str, value: Value) -> String {
        let mut line = answer();
        *line.pointer_mut(part).expect("a part of an answer") = value;
        match read_it(&line) {
            Ok(Reply::Judged(7, Err(why))) => why.to_string(),
            other => panic!("{part}: {other:?}"),
        }
    }

    #[test]
    fn an_answer_is_what_the_network_said_for_the_side_to_move() {
        let Ok(Reply::Judged(7, Ok(judged))) = read_it(&answer()) else { panic!("an answer") };
        assert_eq!((judged.winrate, judged.lead, judged.pass), (0.625, -1.5, 0.125));
        assert_eq!(judged.policy, [Some(0.5), None, Some(0.25), Some(0.125)]);
        assert_eq!(judged.ownership, [1.0, -0.5, 0.0, 0.25]);
        assert_eq!(judged.likeliest(), Some(0));
    }

    #[test]
    fn an_answer_that_cannot_be_is_refused_with_what_is_wrong() {
        let winrate = refused("/rootInfo/rawWinrate", json!(1.5));
        assert_eq!(winrate, "rawWinrate is 1.5, expected 0 to 1");
        assert_eq!(refused("/rootInfo/rawLead", Value::Null), "it says no rawLead");
        assert!(refused("/rootInfo/rawLead", json!(1e30)).contains("expected points"));
        assert_eq!(refused("/policy", json!([1, 0])), "its policy has 2 entries, expected 5");
        assert_eq!(
            refused("/policy", json!([0, -1, 0, 0, 0])),
            "its policy sums to 0, expected about 1"
        );
        assert!(refused("/policy/2", json!(7)).contains("a share of the policy is 7"));
        assert!(refused("/ownership/1", json!(-2)).contains("an owner is -2"));
        assert_eq!(refused("/ownership", json!([])), "its ownership has 0 entries, expected 4");
    }

    #[test]
    fn errors_and_warnings_come_with_the_number_and_the_words() {
        let line =
            json!({ "id": "7", "field": "boardXSize", "error": "Must be an integer from 2 to 19" });
        let words = "boardXSize: Must be an integer from 2 to 19".to_owned();
        assert_eq!(read_it(&line), Ok(Reply::Refused(Some(7), words)));
        let nameless = json!({ "error": "no\nJSON" });
        assert_eq!(read_it(&nameless), Ok(Reply::Refused(None, "no JSON".to_owned())));
        let warning = json!({ "id": "7", "field": "rules", "warning": "other rules" });
        assert_eq!(read_it(&warning), Ok(Reply::Altered(7, "rules: other rules".to_owned())));
    }

    #[test]
    fn the_program_and_its_network_have_names() {
        let version = json!({ "id": "version", "action": "query_version", "version": "1.16.0" });
        assert_eq!(read_it(&version), Ok(Reply::Version("1.16.0".to_owned())));
        let models =
            json!({ "id": "models", "models": [{ "internalName": "b6", "maxBatchSize": 16 }] });
        assert_eq!(read_it(&models), Ok(Reply::Model { name: "b6".to_owned(), batch: 16 }));
    }

    #[test]
    fn answers_to_nobody_and_half_answers_are_passed_over() {
        let mut other = answer();
        other["id"] = json!("8");
        assert_eq!(read_it(&other), Ok(Reply::Other));
        let mut early = answer();
        early["isDuringSearch"] = json!(true);
        assert_eq!(read_it(&early), Ok(Reply::Other));
        assert_eq!(read_it(&json!({})), Ok(Reply::Other));
    }

    #[test]
    fn what_is_no_json_is_rubbish() {
        let why = read("Segmentation fault", |_| None).expect_err("rubbish");
        assert_eq!(why.to_string(), "'Segmentation fault' is no line of its protocol");
        assert!(read("[1, 2]", |_| None).is_err());
    }

    proptest! {
        #[test]
        fn no_line_panics(line in ".{0,200}", area in 0_usize..4) {
            let _ = read(&line, |_| Some(area));
        }

        #[test]
        fn no_numbers_panic(policy in prop::collection::vec(any::<f32>(), 5), winrate: f32) {
            let mut line = answer();
            line["policy"] = json!(policy);
            line["rootInfo"]["rawWinrate"] = json!(winrate);
            let read = read_it(&line);
            prop_assert!(matches!(read, Ok(Reply::Judged(7, _)) | Err(_)));
        }
    }
}
