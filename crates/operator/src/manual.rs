//! Manual pages and completions of both programs, made from their command lines.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory as _, ValueEnum};
use clap_complete::Shell;

/// Options of `banyan completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
    /// The program whose command line is completed.
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub program: Program,
}

/// Options of `banyan man`.
#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// The folder for the pages, banyan.1, banyan-search.1 and so on, and banyan-worker.1; made where it
    /// is not there.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// The programs that have a manual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Program {
    /// The coordinator and its front ends.
    #[default]
    Banyan,
    /// The worker.
    BanyanWorker,
}

/// Writes what a shell reads to complete a command line.
///
/// - `banyan`: the coordinator's.
///
/// # Errors
/// Whatever keeps `out` from being written to.
pub fn completions(
    args: &CompletionsArgs,
    banyan: Command,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut command = match args.program {
        Program::Banyan => banyan,
        Program::BanyanWorker => banyan_worker::cli::Cli::command(),
    };
    let name = command.get_name().to_owned();
    // The generator panics where it cannot write; memory it can.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut text);
    Ok(out.write_all(&text)?)
}

/// Writes the manual pages of both programs; returns how many there are.
///
/// - `banyan`: the coordinator's command line.
///
/// # Errors
/// Names the folder that cannot be made or written.
pub fn pages(args: &ManArgs, banyan: Command) -> anyhow::Result<usize> {
    let folder = &args.folder;
    let wrong = || format!("cannot write manual pages to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(wrong)?;
    let mut written = 0;
    for command in [banyan, banyan_worker::cli::Cli::command()] {
        let mut command = command.disable_help_subcommand(true);
        command.build();
        written += write(&command, folder).with_context(wrong)?;
    }
    Ok(written)
}

/// Writes the page of a command and those of the commands below it.
fn write(command: &Command, folder: &Path) -> std::io::Result<usize> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let page = clap_mangen::Man::new(command.clone().name(name)).manual("Banyan");
    page.generate_to(folder)?;
    let below = command.get_subcommands().filter(|it| !it.is_hide_set());
    below.map(|command| write(command, folder)).try_fold(1, |sum, pages| Ok(sum + pages?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Command {
        Command::new("banyan").subcommand(Command::new("search").about("Search one position."))
    }

    #[test]
    fn there_is_a_page_for_each_command_of_both_programs() {
        let folder = tempfile::tempdir().expect("a folder");
        let args = ManArgs { folder: folder.path().join("man1") };
        assert_eq!(pages(&args, program()).expect("written"), 3);
        for (page, words) in [
            ("banyan.1", "banyan\\-search(1)"),
            ("banyan-search.1", "Search one position."),
            ("banyan-worker.1", "\\-\\-join"),
        ] {
            let text = std::fs::read_to_string(args.folder.join(page)).expect(page);
            assert!(text.contains(words), "{page}: {text}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let folder = tempfile::NamedTempFile::new().expect("a file");
        let args = ManArgs { folder: folder.path().join("below") };
        let error = pages(&args, program()).expect_err("a file is in the way").to_string();
        assert!(error.contains("below"), "{error}");
    }

    #[test]
    fn shells_complete_both_programs() {
        for (program, option) in [(Program::Banyan, "search"), (Program::BanyanWorker, "--join")] {
            for &shell in Shell::value_variants() {
                let (args, mut text) = (CompletionsArgs { shell, program }, Vec::new());
                completions(&args, self::program(), &mut text).expect("written");
                let text = String::from_utf8(text).expect("UTF-8");
                assert!(text.contains(option.trim_start_matches('-')), "{shell}: {text}");
            }
        }
    }
}
