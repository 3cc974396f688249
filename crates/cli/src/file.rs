//! `banyan.toml`: the same options as on the command line, kept in a file.

use std::collections::BTreeMap;
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

/// Makes the values of a settings file the defaults of every command that has such an option.
///
/// # Errors
/// [`FileError`] for a key that is no option of any command.
pub fn apply(
    mut root: clap::Command,
    path: &Path,
    mut values: BTreeMap<String, String>,
) -> Result<clap::Command, FileError> {
    let mut known = Vec::new();
    let mut set = |arg: clap::Arg| {
        let key = arg.get_long().unwrap_or_default().to_owned();
        known.push(key.clone());
        match values.get(&key) {
            Some(value) => arg.default_value(value.clone()),
            None => arg,
        }
    };
    root = root.mut_args(&mut set);
    let names: Vec<String> = root.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    for name in names {
        root = root.mut_subcommand(name, |command| command.mut_args(&mut set));
    }
    values.retain(|key, _| !known.contains(key));
    match values.into_keys().next() {
        None => Ok(root),
        Some(key) => Err(FileError {
            file: path.display().to_string(),
            reason: format!("'{key}' is no option of any command"),
        }),
    }
}
