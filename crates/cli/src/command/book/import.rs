//! `banyan book import`: games into a book.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
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
        false => read(&files[0])?.first().context("an empty file")?.rules(),
    };
    let is_new = !args.file.book.exists();
    with_game!(&rules, G, rules => {
        let mut book = Book::<G>::open(&args.file.book, rules)?;
        let whose = Whose { player: args.player.clone(), plies: args.plies };
        let mut sums = Sums::default();
        for file in &files {
            match read(file) {
                Ok(games) => for found in games {
                    sums.add(file, take::<G>(&mut book, &found, rules, &whose));
                    if sums.games % GAMES_A_CHANGE == 0 {
                        book.save()?;
                    }
                },
                Err(why) => sums.refuse(&format!("{why:#}")),
            }
        }
        book.save()?;
        let told = sums.tell(book.nodes().len());
        drop(book);
        if is_new && sums.games == 0 {
            // Nothing came into it.
            std::fs::remove_file(&args.file.book)?;
        }
        told
    })
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

/// Counts of what became of all games.
#[derive(Debug, Default)]
struct Sums {
    games: usize,
    left_out: usize,
    positions: usize,
    marked: usize,
    refused: usize,
}

impl Sums {
    fn add(&mut self, file: &Path, taken: anyhow::Result<Option<Imported>>) {
        match taken {
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

    fn tell(&self, all: usize) -> anyhow::Result<()> {
        let Sums { games, left_out, positions, marked, refused } = self;
        writeln!(
            std::io::stdout(),
            "{games} games, {positions} new positions of {all}, {marked} places marked where a loser left; \
             {left_out} games of others left out, {refused} refused"
        )?;
        anyhow::ensure!(*games > 0 || *refused == 0, "no game could be taken");
        Ok(())
    }
}
