//! Opening books: positions with their values, kept in a database and grown where they matter most.
//!
//! A book knows no engine: whoever values its positions is handed in ([`Judge`]). It is asked by front ends
//! ([`Reader`]) and made by one writer at a time ([`Book`]).
//!
//! Reading order: a position as a book knows it (`place`), what can go wrong (`error`), the database (`file`
//! with its `schema`, `rows`), values and paths (`graph`), what comes next (`choice`), one book being made
//! (`book`) by a loop (`grow`); then those who read it (`variety`, `reader`), and what goes in and out
//! (`import`, `export`, `check`).

mod place;

mod error;

mod schema;

mod file;

mod rows;

mod graph;

mod choice;

mod book;

mod grow;

mod variety;

mod reader;

mod import;

mod export;

mod check;

#[cfg(test)]
mod attacks;

pub use book::{Answer, Book, Task, Valued, Work};
pub use check::{Fault, check};
pub use choice::{Costs, Paths};
pub use error::BookError;
pub use export::{lines, sgf};
pub use file::{Access, Facts, facts};
pub use graph::{Node, State, of_margin};
pub use grow::{Judge, Progress, Stop, grow};
pub use import::{Game, Imported, Whose, import};
pub use place::Place;
pub use reader::{Page, Reader};
pub use variety::{BookMove, Variety};
