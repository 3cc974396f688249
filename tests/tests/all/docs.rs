//! Tests that the pages are true of the repository: links lead somewhere, paths exist, and commands use
//! options that there are. Nothing is run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};

/// Files and folders with pages.
const PAGES: &[&str] = &["README.md", "ARCHITECTURE.md", "docs", "deploy", "crates/lab", "tests"];

/// Endings of names that are taken for files of the repository.
const ENDINGS: &[&str] = &[".rs", ".md", ".proto", ".toml", ".txt", ".yaml", ".sh"];

/// Files that belong to whoever uses the program.
const YOURS: &[&str] = &["banyan.toml"];

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let mut broken = Vec::new();
    for page in pages.values() {
        for target in page.links() {
            if !target.contains("://") && !resolves(page, &target, &pages) {
                broken.push(format!("{}: {target}", page.name.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_path_that_is_named_exists() {
    let files = files();
    let roots: BTreeSet<_> = files.iter().filter_map(|f| Some(f.split_once('/')?.0)).collect();
    let mut missing = Vec::new();
    for page in pages().values() {
        let paths = page.paths(&roots).into_iter().flat_map(|path| expanded(&path));
        for path in paths.filter(|path| !is_there(path, &files)) {
            missing.push(format!("{}: {path}", page.name.display()));
        }
    }
    assert!(missing.is_empty(), "no such file or folder:\n{}", missing.join("\n"));
}

#[test]
fn every_command_of_a_block_is_understood() {
    let mut wrong = Vec::new();
    for page in pages().values() {
        for line in page.blocks("sh").iter().flat_map(|block| shell_lines(block)) {
            for typed in commands_in(&line) {
                if let Err(why) = program(&typed[0]).try_get_matches_from(&typed) {
                    wrong.push(format!("{}: {}\n{why}", page.name.display(), typed.join(" ")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "commands that are refused:\n{}", wrong.join("\n"));
}

#[test]
fn every_option_of_a_command_within_a_line_is_known() {
    let mut wrong = Vec::new();
    for page in pages().values() {
        for typed in page.spans().iter().flat_map(|span| commands_in(span)) {
            let known = options(&typed);
            let used = typed.iter().filter(|word| word.starts_with("--") && word.len() > 2);
            let used = used.map(|word| word.split('=').next().expect("one at least"));
            for option in used.filter(|option| !known.contains(&option[2..])) {
                wrong.push(format!("{}: {option} of {}", page.name.display(), typed.join(" ")));
            }
        }
    }
    assert!(wrong.is_empty(), "options that there are not:\n{}", wrong.join("\n"));
}

/// The list of the site that mdBook makes of docs/.
#[test]
fn the_site_lists_every_page_of_docs_once() {
    let pages = pages();
    let list = Path::new("docs/SUMMARY.md");
    let mut listed: Vec<PathBuf> =
        pages[list].links().iter().map(|page| Path::new("docs").join(page)).collect();
    listed.sort();
    let is_listed = |page: &&PathBuf| page.starts_with("docs") && *page != list;
    assert_eq!(listed, pages.keys().filter(is_listed).cloned().collect::<Vec<_>>());
}

#[test]
fn headings_become_anchors_as_they_do_on_the_web() {
    let page = Page { name: "x.md".into(), text: "# A, `b` and c\n## MTD(f)\n## MTD(f)\n".into() };
    assert_eq!(page.anchors(), ["a-b-and-c", "mtdf", "mtdf-1"].map(String::from).into());
}

#[test]
fn commands_are_found_in_quotes_and_behind_others() {
    let line = "printf 'x\\n' | a/banyan gtp --time 2s  # banyan serve";
    assert_eq!(commands_in(line), [["banyan", "gtp", "--time", "2s"]]);
    let nested =
        "banyan-match --first \"taskset -c 0 banyan gtp --size 9\" --second 'gnugo --mode gtp'";
    assert_eq!(commands_in(nested)[1], ["banyan", "gtp", "--size", "9"]);
    assert_eq!(commands_in("cargo build -p banyan -p banyan-worker").len(), 0);
}

/// A page of documentation.
struct Page {
    /// Its path from the repository's root.
    name: PathBuf,
    text: String,
}

impl Page {
    /// Lines outside and inside fenced blocks, these with the language of their block.
    fn lines(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        let mut fence = None;
        self.text.lines().filter_map(move |line| {
            match (line.trim_start().strip_prefix("```"), fence) {
                (Some(language), None) => fence = Some(language.trim()),
                (Some(_), Some(_)) => fence = None,
                (None, _) => return Some((fence, line)),
            }
            None
        })
    }

    fn prose(&self) -> impl Iterator<Item = &str> {
        self.lines().filter(|(fence, _)| fence.is_none()).map(|(_, line)| line)
    }

    /// The text of all blocks of a language, as one block each time it is met without a gap.
    fn blocks(&self, language: &str) -> Vec<String> {
        let lines = self.lines().filter(|(fence, _)| *fence == Some(language));
        vec![lines.map(|(_, line)| format!("{line}\n")).collect()]
    }

    /// Targets of links, without those in code.
    fn links(&self) -> Vec<String> {
        let without_code = self.prose().map(|line| line.split('`').step_by(2).collect::<String>());
        let text = without_code.collect::<Vec<_>>().join("\n");
        let targets =
            text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.into()));
        targets.collect()
    }

    /// Code within lines.
    fn spans(&self) -> Vec<String> {
        let spans = self.prose().flat_map(|line| line.split('`').skip(1).step_by(2));
        spans.map(String::from).collect()
    }

    /// Words that look like a path of the repository: in code within lines, and in pictures.
    fn paths(&self, roots: &BTreeSet<&str>) -> Vec<String> {
        let pictures = self.lines().filter(|(fence, _)| *fence == Some(""));
        let in_pictures = pictures.flat_map(|(_, line)| line.split_whitespace());
        let in_pictures = in_pictures.map(|word| word.trim_matches([',', '.', ';']).to_owned());
        let from_root = |path: &String| path.split_once('/').is_some_and(|p| roots.contains(p.0));
        let by_name = |path: &String| ENDINGS.iter().any(|ending| path.ends_with(ending));
        let written_as_path = |path: &String| {
            path.chars().all(|c| c.is_ascii_alphanumeric() || "_-./{},@".contains(c))
                && !path.starts_with(['/', '.'])
                && !YOURS.contains(&path.as_str())
        };
        let in_lines = self.spans().into_iter().filter(|path| from_root(path) || by_name(path));
        let all = in_lines.chain(in_pictures.filter(from_root));
        all.filter(written_as_path).collect()
    }

    /// The anchors of its headings.
    fn anchors(&self) -> BTreeSet<String> {
        let mut seen = BTreeMap::new();
        let headings = self.prose().filter(|line| line.starts_with('#'));
        let slugs = headings.map(|line| slug(line.trim_start_matches('#').trim()));
        let numbered = slugs.map(|slug| {
            let times = seen.entry(slug.clone()).or_insert(0);
            *times += 1;
            if *times == 1 { slug } else { format!("{slug}-{}", *times - 1) }
        });
        numbered.collect()
    }
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn resolves(page: &Page, target: &str, pages: &BTreeMap<PathBuf, Page>) -> bool {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.name.parent().expect("a file");
    let aim = if path.is_empty() { page.name.clone() } else { tidied(&folder.join(path)) };
    let anchored = || pages.get(&aim).is_some_and(|aim| aim.anchors().contains(anchor));
    root().join(&aim).exists() && (anchor.is_empty() || anchored())
}

/// The path without `..`.
fn tidied(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut tidy, part| {
        match part {
            std::path::Component::ParentDir => drop(tidy.pop()),
            part => tidy.push(part),
        }
        tidy
    })
}

/// `a/{b,c}.rs` is `a/b.rs` and `a/c.rs`.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    choices.split(',').map(|choice| format!("{before}{choice}{after}")).collect()
}

/// Tells whether a file or folder ends like this: pages name files below what they speak of.
fn is_there(path: &str, files: &BTreeSet<String>) -> bool {
    let path = path.trim_end_matches('/');
    let (within, at_end) = (format!("/{path}/"), format!("/{path}"));
    files.iter().map(|file| format!("/{file}")).any(|f| f.contains(&within) || f.ends_with(&at_end))
}

/// The program that a word starts, if it is one of ours.
fn program(word: &str) -> Command {
    known_program(word).unwrap_or_else(|| panic!("{word} is not a program of ours"))
}

fn known_program(word: &str) -> Option<Command> {
    Some(match word {
        "banyan" => banyan_cli::options::Cli::command(),
        "banyan-worker" => banyan_worker::cli::Cli::command(),
        "banyan-match" => banyan_lab::runner::cli::Arguments::command(),
        "banyan-lab" => banyan_lab::self_play::Arguments::command(),
        "banyan-soak" => banyan_lab::soak::Arguments::command(),
        "banyan-fake-katago" => banyan_lab::fake_katago::Arguments::command(),
        "banyan-fake-engine" => banyan_lab::fake::Arguments::command(),
        "banyan-fit" => banyan_learn::evaluations::Arguments::command(),
        "banyan-learn" => banyan_learn::heavy::Arguments::command(),
        _ => return None,
    })
}

/// Long options of the command that was typed, with those of the program before it.
fn options(typed: &[String]) -> BTreeSet<String> {
    let mut command = program(&typed[0]);
    command.build();
    let placeholder = |word: &str| word.chars().all(|c| c.is_uppercase() || c == '…');
    let chosen = typed.get(1).filter(|word| !word.starts_with('-') && !placeholder(word));
    let chosen = chosen.map(|word| {
        let found = command.find_subcommand(word);
        found.unwrap_or_else(|| panic!("{} has no command {word}", typed[0])).clone()
    });
    let nested = typed.get(2).and_then(|word| chosen.as_ref()?.find_subcommand(word));
    let commands = std::iter::once(&command).chain(&chosen).chain(nested);
    let arguments = commands.flat_map(Command::get_arguments);
    let names = arguments.flat_map(|argument| {
        let aliases = argument.get_all_aliases().unwrap_or_default();
        argument.get_long().into_iter().chain(aliases).map(String::from).collect::<Vec<_>>()
    });
    names.collect()
}

/// Lines as a shell sees them: a backslash at the end goes on in the next.
fn shell_lines(block: &str) -> Vec<String> {
    block.replace("\\\n", " ").lines().map(String::from).collect()
}

/// The commands of ours in a line, each with the program's bare name first; those in quotes too.
fn commands_in(line: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let words = words(line);
    for part in words.split(|word| ["|", "&&", ";", "&"].contains(&word.as_str())) {
        let bare = |word: &String| word.rsplit('/').next().expect("one at least").to_owned();
        let starts = |at: &usize| {
            let is_ours = known_program(&bare(&part[*at])).is_some();
            let next = part.get(at + 1).map_or("", String::as_str);
            let goes_on = next.starts_with("--") || program_has(&bare(&part[*at]), next);
            is_ours && (*at == 0 || goes_on)
        };
        if let Some(at) = (0..part.len()).find(starts) {
            // Where the shell sends what is written is not the program's to know.
            let rest = part[at + 1..].iter().take_while(|word| *word != ">").cloned();
            commands.push(std::iter::once(bare(&part[at])).chain(rest).collect());
        }
        let quoted = part.iter().filter(|word| word.contains(' '));
        commands.extend(quoted.flat_map(|word| commands_in(word)));
    }
    commands
}

fn program_has(program: &str, subcommand: &str) -> bool {
    known_program(program).is_some_and(|command| command.find_subcommand(subcommand).is_some())
}

/// A line's words, without quotes and up to a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        let word = words.last_mut().expect("one at least");
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '#') if word.is_empty() => break,
            (None, c) if c.is_whitespace() => words.push(String::new()),
            _ => word.push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn pages() -> BTreeMap<PathBuf, Page> {
    let is_page = |file: &String| {
        let below = |place: &str| file == place || file.starts_with(&format!("{place}/"));
        file.ends_with(".md") && PAGES.iter().any(|place| below(place))
    };
    let pages = files().into_iter().filter(is_page).map(|file| {
        let text = std::fs::read_to_string(root().join(&file)).expect("a page of ours");
        (PathBuf::from(&file), Page { name: file.into(), text })
    });
    pages.collect()
}

/// All files from the root on, but what is built and git's own.
fn files() -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of ours") {
            let path = entry.expect("readable").path();
            let name = path.strip_prefix(root()).expect("below the root").display().to_string();
            match path.is_dir() {
                true if ["target", ".git", "fuzz/target"].contains(&name.as_str()) => {}
                true => folders.push(path),
                false => drop(files.insert(name)),
            }
        }
    }
    files
}
