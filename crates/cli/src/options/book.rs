//! Options of `banyan book`, and of those who open by a book.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use banyan_book::Costs;
use banyan_worker::typed::{count, duration};
use clap::{Args, Subcommand, ValueEnum};

use super::EngineArgs;
use super::words::{COSTS, one_of};

/// The name under which the books stand that are part of the program.
pub const SHIPPED: &str = "shipped";

/// Options of `banyan book`.
#[derive(Clone, Debug, Args)]
pub struct BookArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: BookCommand,
}

/// What is done with books.
#[derive(Clone, Debug, Subcommand)]
pub enum BookCommand {
    /// Let a book grow for --time, or make a new one: positions are looked into where good play leads,
    /// valued by the game's best engine, many at once. Stop it at any time: what was found is kept.
    Build(Box<BookBuildArgs>),
    /// Say what a book knows of a position: its board, its moves with values, the lines after them.
    Show(BookShowArgs),
    /// Ask a book for the moves of a position, as a program would.
    Probe(BookProbeArgs),
    /// Take games into a book: SGF, or Othello's GGF. Where a loser left the book is looked into first.
    Import(BookImportArgs),
    /// Write a book as a game with variations (SGF), or as a line for each position.
    Export(BookExportArgs),
    /// See whether a book is whole: every line, every move, every value.
    Check(BookFileArgs),
}

/// The file of a book.
#[derive(Clone, Debug, Args)]
pub struct BookFileArgs {
    /// The book.
    #[arg(long, env = "BANYAN_BOOK", value_name = "FILE", value_parser = file)]
    pub book: PathBuf,
}

/// A book's own file: front ends would not find one of that name.
fn file(text: &str) -> Result<PathBuf, String> {
    match text == SHIPPED {
        true => {
            Err("the name of the books that are part of the program: expected a file".to_owned())
        }
        false => Ok(text.into()),
    }
}

/// Options of `banyan book build`.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("time", |it| it.help("Stop after so long: 8h, 30m [default: go on until stopped]")))]
#[command(mut_arg("playouts", |it| it.help("Value each position by so many playouts, or positions of a \
    classical engine: 1000, 500k")))]
pub struct BookBuildArgs {
    /// The book.
    #[command(flatten)]
    pub file: BookFileArgs,
    /// Think so long about each position [default: 1s unless --playouts or --depth is given].
    #[arg(long, env = "BANYAN_LEAF_TIME", value_name = "TIME", value_parser = duration)]
    pub leaf_time: Option<Duration>,
    /// So many positions at once [default: the threads that are there].
    #[arg(long, env = "BANYAN_LEAVES", value_name = "N")]
    pub leaves: Option<NonZeroUsize>,
    /// By what the next position is chosen.
    #[arg(long, env = "BANYAN_EXPAND", value_parser = one_of(COSTS), default_value = "drop-out")]
    pub expand: Costs,
    /// Leave positions alone that are so many plies from the start.
    #[arg(long, env = "BANYAN_PLIES", value_name = "N", default_value_t = 60)]
    pub plies: usize,
    /// Stop after so many positions were looked into.
    #[arg(long, env = "BANYAN_POSITIONS", value_name = "N", value_parser = count)]
    pub positions: Option<u64>,
    /// Othello: solve positions with at most so many empty squares, 2 to 26, however long that takes.
    #[arg(long, env = "BANYAN_SOLVE_FROM", value_name = "N", default_value_t = 24)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=26))]
    pub solve_from: u32,
    /// The game and the search.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Options of `banyan book show`.
#[derive(Clone, Debug, Args)]
pub struct BookShowArgs {
    /// The book.
    #[command(flatten)]
    pub file: BookFileArgs,
    /// The position after these moves, such as "f5 d6".
    #[arg(long, env = "BANYAN_MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    /// Follow lines for so many plies.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub plies: usize,
    /// At each position show the best so many moves.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub best: usize,
}

/// Options of `banyan book probe`.
#[derive(Clone, Debug, Args)]
pub struct BookProbeArgs {
    /// The book.
    #[command(flatten)]
    pub file: BookFileArgs,
    /// The position after these moves, such as "f5 d6".
    #[arg(long, env = "BANYAN_MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    /// Answer with one JSON object instead of text.
    #[arg(long, env = "BANYAN_JSON")]
    pub json: bool,
}

/// Options of `banyan book import`.
#[derive(Clone, Debug, Args)]
pub struct BookImportArgs {
    /// The book; a new one is for the game of the first file that can be read.
    #[command(flatten)]
    pub file: BookFileArgs,
    /// Games, or folders of them, without the folders in these: .sgf, and .ggf with a game a line.
    #[arg(value_name = "FILE", required = true)]
    pub games: Vec<PathBuf>,
    /// Take so many plies of each game, 1 or more.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = plies)]
    pub plies: usize,
    /// Only games of this player, by the names in the files, with or without a version after a blank: those it won or
    /// drew come in whole, and of those it lost the line up to the move that left the book.
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
}

/// Options of `banyan book export`.
#[derive(Clone, Debug, Args)]
pub struct BookExportArgs {
    /// The book.
    #[command(flatten)]
    pub file: BookFileArgs,
    /// A game with variations, or a line for each position.
    #[arg(long, value_enum, default_value_t = ExportFormat::Sgf)]
    pub format: ExportFormat,
    /// Where it goes [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// How a book is written for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A game with variations, values in comments.
    Sgf,
    /// A line for each position.
    Lines,
}

/// Options of those who open by a book.
#[derive(Clone, Debug, Default, Args)]
pub struct OpeningArgs {
    /// Open by this book: it is asked before any search for a move (docs/books.md). `shipped` is the small one
    /// that is part of the program, of Othello, Gomoku, Connect6 and Go on 9x9.
    #[arg(long, env = "BANYAN_BOOK", value_name = "FILE", help_heading = "Book")]
    #[arg(conflicts_with = "no_book")]
    pub book: Option<PathBuf>,
    /// Open by no book.
    #[arg(long, env = "BANYAN_NO_BOOK", help_heading = "Book")]
    pub no_book: bool,
    /// Of the book's good moves play one drawn by lot, more often those that were looked into or played more
    /// often; the same number draws the same lots.
    #[arg(long, env = "BANYAN_BOOK_RANDOM", help_heading = "Book", value_name = "SEED")]
    #[arg(num_args = 0..=1, default_missing_value = "clock", require_equals = true)]
    pub book_random: Option<Lot>,
    /// Moves of the book are good that are worth at most so much less than its best, of a value of 0 to 1; where a
    /// move outside the book is better by more, that one is played or the position is searched.
    #[arg(long, env = "BANYAN_BOOK_MARGIN", help_heading = "Book", value_name = "VALUE")]
    #[arg(default_value_t = 0.02, value_parser = share)]
    pub book_margin: f64,
}

/// Source of lots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lot {
    /// From the clock: other ones each time.
    Clock,
    /// From a number.
    Seed(u64),
}

impl std::str::FromStr for Lot {
    type Err = String;

    fn from_str(typed: &str) -> Result<Lot, String> {
        match typed {
            "clock" | "true" => Ok(Lot::Clock),
            number => {
                let wrong = |_| format!("'{number}' is no seed: expected a whole number from 0");
                number.parse().map(Lot::Seed).map_err(wrong)
            }
        }
    }
}

fn plies(typed: &str) -> Result<usize, String> {
    let found = typed.parse().ok().filter(|&plies| plies > 0);
    found.ok_or_else(|| "expected a whole number from 1 on".to_owned())
}

pub(super) fn share(typed: &str) -> Result<f64, String> {
    let found = typed.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    found.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
