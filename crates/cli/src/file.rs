//! `banyan.toml`: the same options as on the command line, kept in a file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A settings file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct FileError {
    /// Name of the file.
    file: String,
    /// Reason.
    reason: String,
}

/// The keys of a settings file as texts, by option name with `-`.
///
/// # Errors
/// [`FileError`] for a file that cannot be read, is no TOML, or holds more than plain values.
pub fn read(path: &Path) -> Result<BTreeMap<String, String>, FileError> {
    let wrong = |reason: String| FileError { file: path.display().to_string(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| wrong(e.to_string()))?;
    let plain = |(key, value): (String, toml::Value)| {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Boolean(truth) => truth.to_string(),
            _ => return Err(wrong(format!("{key} must be a text, a number or true or false"))),
        };
        Ok((key.replace('_', "-"), text))
    };
    table.into_iter().map(plain).collect()
}

/// Makes the values of a settings file the defaults of every command that has such an option: of those under
/// another, such as `book build`, where it reads an environment variable too.
///
/// # Errors
/// [`FileError`] for a key that is no option of any command.
pub fn apply(
    root: clap::Command,
    path: &Path,
    mut values: BTreeMap<String, String>,
) -> Result<clap::Command, FileError> {
    let mut known = BTreeSet::new();
    let mut set = |arg: clap::Arg, depth: usize| {
        let key = arg.get_long().unwrap_or_default().to_owned();
        let value = values.get(&key).filter(|_| depth < 2 || arg.get_env().is_some());
        let Some(value) = value else { return arg };
        known.insert(key);
        arg.required(false).default_value(value.clone())
    };
    let root = set_all(root, 0, &mut set);
    values.retain(|key, _| !known.contains(key));
    match values.into_keys().next() {
        None => Ok(root),
        Some(key) => Err(FileError {
            file: path.display().to_string(),
            reason: format!("'{key}' is no option of any command that reads this file"),
        }),
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
