//! `banyan.toml`: the same options as on the command line, kept in a file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::ArgAction;

/// A settings file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct FileError {
    /// Name of the file.
    file: String,
    /// Reason.
    reason: String,
}

/// A value of a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text, a number, true or false.
    One(String),
    /// A list of these, for an option that is given several times.
    Several(Vec<String>),
}

/// The values of a settings file as texts, by option name with `-`.
///
/// # Errors
/// [`FileError`] for a file that cannot be read, is no TOML, or holds more than plain values and lists of them.
pub fn read(path: &Path) -> Result<BTreeMap<String, Value>, FileError> {
    let wrong = |reason: String| FileError { file: path.display().to_string(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| wrong(e.to_string()))?;
    let value = |(key, value): (String, toml::Value)| {
        let found = match value {
            toml::Value::Array(values) => {
                values.into_iter().map(plain).collect::<Option<_>>().map(Value::Several)
            }
            one => plain(one).map(Value::One),
        };
        match found {
            Some(found) => Ok((key.replace('_', "-"), found)),
            None => Err(wrong(format!("{key} must be {PLAIN}, or a list of these"))),
        }
    };
    table.into_iter().map(value).collect()
}

/// What one value may be.
const PLAIN: &str = "a text, a number or true or false";

/// Nothing for a table, a list or a date.
fn plain(value: toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(truth) => Some(truth.to_string()),
        toml::Value::Array(_) | toml::Value::Table(_) | toml::Value::Datetime(_) => None,
    }
}

/// Makes the values of a settings file the defaults of every command that has such an option: of those under
/// another, such as `book build`, where it reads an environment variable too.
///
/// # Errors
/// [`FileError`] for a key that is no option of any command, or a list for an option that is given once.
pub fn apply(
    root: clap::Command,
    path: &Path,
    mut values: BTreeMap<String, Value>,
) -> Result<clap::Command, FileError> {
    let wrong = |reason: String| FileError { file: path.display().to_string(), reason };
    let (mut known, mut listed) = (BTreeSet::new(), None);
    let mut set = |arg: clap::Arg, depth: usize| {
        let key = arg.get_long().unwrap_or_default().to_owned();
        let value = values.get(&key).filter(|_| depth < 2 || arg.get_env().is_some());
        let Some(value) = value else { return arg };
        known.insert(key.clone());
        match value {
            Value::One(text) => arg.required(false).default_value(text.clone()),
            Value::Several(texts) if matches!(arg.get_action(), ArgAction::Append) => {
                arg.required(false).default_values(texts.clone())
            }
            Value::Several(_) => {
                listed = Some(key);
                arg
            }
        }
    };
    let root = set_all(root, 0, &mut set);
    values.retain(|key, _| !known.contains(key));
    match (listed, values.into_keys().next()) {
        (None, None) => Ok(root),
        (Some(key), _) => Err(wrong(format!("{key} must be {PLAIN}, not a list"))),
        (None, Some(key)) => {
            Err(wrong(format!("'{key}' is no option of any command that reads this file")))
        }
    }
}

/// Changes every option of a command and of those under it.
///
/// - `depth`: commands above this one.
pub(crate) fn set_all(
    command: clap::Command,
    depth: usize,
    set: &mut impl FnMut(clap::Arg, usize) -> clap::Arg,
) -> clap::Command {
    let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let command = command.mut_args(|arg| set(arg, depth));
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |under| set_all(under, depth + 1, set))
    })
}
