//! What is typed wins over the environment, and that over `banyan.toml`, also where two different options exclude
//! each other: `--no-ponder` beside `ponder = true` of the file.
//!
//! Of options that are both typed, or both in the environment, the command line says itself what cannot be.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::file::set_all;

/// Takes out of the environment's options, and out of the values of a settings file, those that an option of more
/// weight excludes.
///
/// - `typed`: the command line, the program's name first.
/// - returns the commands, and what is left of the file's values.
pub fn settle<V>(
    root: Command,
    typed: &[OsString],
    mut values: BTreeMap<String, V>,
) -> (Command, BTreeMap<String, V>) {
    let probe = set_all(root.clone(), 0, &mut |arg, _| arg.env(None::<&str>)).ignore_errors(true);
    // Help, and what is no command line: said elsewhere.
    let Ok(matches) = probe.try_get_matches_from(typed) else { return (root, values) };
    let (path, command, matches) = innermost(&root, &matches);
    let args = || command.get_arguments();
    let typed: Vec<&Arg> = args().filter(|arg| is_typed(matches, arg)).collect();
    let (excluded, set): (Vec<&Arg>, Vec<&Arg>) =
        args().filter(|arg| is_set(arg)).partition(|arg| is_excluded(command, arg, &typed));
    let said = [typed, set].concat();
    let dropped = args().filter(|arg| is_excluded(command, arg, &said));
    dropped.filter_map(Arg::get_long).for_each(|name| drop(values.remove(name)));
    let excluded: BTreeSet<String> = excluded.iter().map(|arg| arg.get_id().to_string()).collect();
    (unset(root, &path, &excluded), values)
}

/// The command that was typed, with those above it by name, and what was typed of it.
fn innermost<'a>(
    root: &'a Command,
    matches: &'a ArgMatches,
) -> (Vec<String>, &'a Command, &'a ArgMatches) {
    let (mut path, mut command, mut here) = (Vec::new(), root, matches);
    while let Some((name, under)) = here.subcommand()
        && let Some(found) = command.find_subcommand(name)
    {
        path.push(name.to_owned());
        (command, here) = (found, under);
    }
    (path, command, here)
}

fn is_typed(matches: &ArgMatches, arg: &Arg) -> bool {
    matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
}

/// Tells whether the environment says something by an option: a switch may be off there.
fn is_set(arg: &Arg) -> bool {
    let Some(value) = arg.get_env().and_then(std::env::var_os) else { return false };
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    let off = ["", "n", "no", "f", "false", "off", "0"];
    !is_switch || !off.contains(&value.to_string_lossy().to_lowercase().as_str())
}

/// Tells whether one of these options cannot stand beside another, whichever of the two says so.
fn is_excluded(command: &Command, arg: &Arg, by: &[&Arg]) -> bool {
    let excludes = |one: &Arg, other: &Arg| {
        command.get_arg_conflicts_with(one).iter().any(|it| it.get_id() == other.get_id())
    };
    let is_by = by.iter().any(|it| it.get_id() == arg.get_id());
    !is_by && by.iter().any(|it| excludes(arg, it) || excludes(it, arg))
}

/// Options of the command of a path that do not read the environment any more.
fn unset(command: Command, path: &[String], ids: &BTreeSet<String>) -> Command {
    match path.split_first() {
        Some((name, rest)) => command.mut_subcommand(name, |under| unset(under, rest, ids)),
        None => command.mut_args(|arg| match ids.contains(arg.get_id().as_str()) {
            true => arg.env(None::<&str>),
            false => arg,
        }),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::options::Cli;

    /// What is left of a file beside what is typed.
    fn left(file: &str, typed: &str) -> Vec<String> {
        let values = file.split(' ').map(|key| (key.to_owned(), "true".to_owned())).collect();
        let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
        settle(Cli::command(), &typed, values).1.into_keys().collect()
    }

    #[test]
    fn the_file_gives_way_to_what_is_typed_against_it() {
        for (file, typed) in [
            ("ponder", "banyan gtp --no-ponder"),
            ("no-ponder", "banyan gtp --ponder"),
            ("no-book", "banyan gtp --book shipped"),
            ("book", "banyan search --no-book"),
            ("remote", "banyan gtp --listen 7411"),
            ("listen", "banyan gtp --remote a:1"),
            ("http", "banyan nboard --remote a:1"),
            ("metrics", "banyan gtp --remote a:1"),
            ("moves", "banyan search --sgf a.sgf"),
            ("learned-rules", "banyan gtp --no-learned-rules"),
            ("evaluation", "banyan train patterns --game gomoku --dir a --patterns b"),
        ] {
            assert_eq!(left(file, typed), [""; 0], "{file}: {typed}");
        }
        for (file, typed) in [
            ("ponder", "banyan gtp --ponder"),
            ("ponder", "banyan gtp --threads 1"),
            ("listen", "banyan serve --join a:1"),
            ("book", "banyan gtp --book-random"),
        ] {
            assert_eq!(left(file, typed), [file], "{file}: {typed}");
        }
    }
}
