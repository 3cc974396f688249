//! `banyan book import`: games into a book.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use banyan_book::{Book, Imported, Whose, import};
use banyan_games::{Listed, Rules, with_game};

use crate::games::{Found, list, read};
use crate::options::BookImportArgs;

/// Games in one change of the file.
const GAMES_A_CHANGE: usize = 100;

/// Takes games into a book.
///
/// # Errors
/// A book or games that cannot be read; that no game could be taken.
pub fn run(args: &BookImportArgs) -> anyhow::Result<()> {
    let mut files = Vec::new();
    for path in &args.games {
        list(path, &mut files)?;
    }
    anyhow::ensure!(!files.is_empty(), "no games: expected .sgf or .ggf files, or folders of them");
    let rules = match args.file.book.exists() {
        true => super::rules_of(&args.file.book)?,
        false => rules_of_first(&files)?,
    };
    let is_new = !args.file.book.exists();
    let wanted = rules.clone();
    with_game!(&rules, G, rules => {
        let mut book = Book::<G>::open(&args.file.book, rules)?;
        let whose = Whose { player: args.player.clone(), plies: args.plies };
        let mut sums = Sums::default();
        for file in &files {
            match read(file, Some(&wanted)) {
                Ok(games) => for found in games {
                    sums.add(file, take::<G>(&mut book, &found, rules, &whose));
                    if sums.games % GAMES_A_CHANGE == 0 {
                        book.save()?;
                    }
                },
                Err(why) => sums.refuse(&words(&why)),
            }
        }
        book.save()?;
        let told = sums.tell(book.nodes().len(), args.player.as_deref());
        drop(book);
        if is_new && sums.games == 0 {
            // Nothing came into it.
            std::fs::remove_file(&args.file.book)?;
        }
        told
    })
}

/// The rules of the first game that can be read.
fn rules_of_first(files: &[PathBuf]) -> anyhow::Result<Rules> {
    let mut first = None;
    for file in files {
        match read(file, None) {
            Ok(games) => {
                if let Some(found) = games.first() {
                    return Ok(found.rules());
                }
            }
            Err(why) => {
                first.get_or_insert(why);
            }
        }
    }
    Err(first.unwrap_or_else(|| anyhow!("the files are empty: expected games")))
}

fn take<G: Listed>(
    book: &mut Book<G>,
    found: &Found,
    rules: &G::Rules,
    whose: &Whose,
) -> anyhow::Result<Option<Imported>> {
    let (expected, rules_found): (Rules, Rules) = (rules.clone().into(), found.rules());
    if expected != rules_found {
        let words = with_game!(&rules_found, _G, rules => rules.to_string());
        bail!("a game of {words}: expected {rules}");
    }
    Ok(import(book, &found.game::<G>(rules)?, whose)?)
}

/// An error with its causes, but for those that it names itself.
fn words(why: &anyhow::Error) -> String {
    why.chain().map(ToString::to_string).fold(String::new(), |said, cause| match said.as_str() {
        "" => cause,
        said if said.contains(&cause) => said.to_owned(),
        said => format!("{said}: {cause}"),
    })
}

/// Counts of what became of all games.
#[derive(Debug, Default)]
struct Sums {
    games: usize,
    left_out: usize,
    positions: usize,
    marked: usize,
    refused: usize,
    /// Those that the book had already.
    known: usize,
}

impl Sums {
    fn add(&mut self, file: &Path, taken: anyhow::Result<Option<Imported>>) {
        match taken {
            Ok(Some(taken)) if taken.is_known => self.known += 1,
            Ok(Some(taken)) => {
                self.games += 1;
                self.positions += taken.positions;
                self.marked += usize::from(taken.is_departure_marked);
            }
            Ok(None) => self.left_out += 1,
            Err(why) => self.refuse(&format!("{}: {why}", file.display())),
        }
    }

    fn refuse(&mut self, why: &str) {
        self.refused += 1;
        tracing::warn!("{why}: left out");
    }

    /// - `player`: who was asked for.
    fn tell(&self, all: usize, player: Option<&str>) -> anyhow::Result<()> {
        let Sums { games, left_out, positions, marked, refused, known } = self;
        writeln!(
            std::io::stdout(),
            "{games} games, {positions} new positions of {all}, {marked} places marked where a loser left; \
             {known} games known already, {left_out} games of others left out, {refused} refused"
        )?;
        if let (0, Some(player), 1..) = (*games + *known, player, *left_out) {
            bail!(
                "no game of '{player}' whose end is known, in {left_out} that could be read: expected a name \
                 as PB and PW have it"
            );
        }
        anyhow::ensure!(*games + *known > 0 || *refused == 0, "no game could be taken");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::{Kind, Terms};

    use super::*;

    #[test]
    fn an_import_that_takes_nothing_is_an_error_that_says_why() {
        let told = |games, left_out, refused, player| {
            let sums = Sums { games, left_out, refused, ..Sums::default() };
            sums.tell(1, player).map_err(|why| why.to_string()).err().unwrap_or_default()
        };
        assert_eq!(told(1, 1, 1, Some("me")), "");
        assert_eq!(told(0, 0, 1, None), "no game could be taken");
        assert!(told(0, 2, 0, Some("me")).starts_with("no game of 'me' whose end is known, in 2"));
    }

    #[test]
    fn a_new_book_is_for_the_game_of_the_first_file_that_can_be_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).expect("a file");
            file
        };
        let (bad, good) = (write("a.sgf", "no game"), write("b.sgf", "(;GM[2]SZ[8];B[f5])"));
        let othello = Rules::new(Kind::Othello, Terms::of(Kind::Othello)).expect("usual rules");
        assert_eq!(rules_of_first(&[bad.clone(), good]).expect("rules"), othello);
        let why = format!("{:#}", rules_of_first(&[bad]).expect_err("no game"));
        assert!(why.contains("a.sgf: "), "{why}");
    }
}
