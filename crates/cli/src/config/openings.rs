//! Opening books, as they were typed and as they are meant.

use std::path::Path;
use std::time::SystemTime;

use banyan_book::{BookError, Reader, Variety};
use banyan_engine::Opening;
use banyan_games::{Kind, Rules, Terms, with_game};

use crate::options::{Lot, OpeningArgs, SHIPPED};

/// A book that cannot be opened by.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file.
    #[error(transparent)]
    Book(#[from] BookError),
    /// None is part of the program.
    #[error("the program has no book of {0}: expected --book FILE")]
    NotShipped(String),
}

/// The book to open by; nothing for none.
///
/// # Errors
/// [`OpeningError`] for what is no whole book of these rules.
pub fn opening(args: &OpeningArgs, rules: &Rules) -> Result<Option<Opening>, OpeningError> {
    let Some(file) = args.book.as_ref().filter(|_| !args.no_book) else { return Ok(None) };
    let book = match file == Path::new(SHIPPED) {
        true => shipped(rules)?,
        false => with_game!(rules, G, rules => Reader::open::<G>(file, rules))?,
    };
    let seed = args.book_random.map(|lot| match lot {
        Lot::Seed(seed) => seed,
        Lot::Clock => {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            now.as_nanos() as u64
        }
    });
    Ok(Some(Opening::new(book, Variety { margin: args.book_margin, seed })))
}

/// All books that are part of the program, with the rules that they are for.
pub fn shipped_books() -> Vec<(Rules, Reader)> {
    let usual = Kind::ALL.iter().filter_map(|&kind| Rules::new(kind, Terms::of(kind)).ok());
    usual.filter_map(|rules| shipped(&rules).ok().map(|book| (rules, book))).collect()
}

/// The book that is part of the program; models/README.md says what made it.
fn shipped(rules: &Rules) -> Result<Reader, OpeningError> {
    let bytes: Option<&'static [u8]> = match rules.kind() {
        Kind::Go => Some(include_bytes!("../../../../models/go9.book")),
        Kind::Othello => Some(include_bytes!("../../../../models/othello.book")),
        Kind::Gomoku => Some(include_bytes!("../../../../models/gomoku.book")),
        Kind::Connect6 => Some(include_bytes!("../../../../models/connect6.book")),
        Kind::Hex => None,
    };
    let none = || with_game!(rules, _G, rules => OpeningError::NotShipped(rules.to_string()));
    let book = Reader::of_bytes(SHIPPED, bytes.ok_or_else(none)?)?;
    let is_for = with_game!(rules, G, rules => book.is_for::<G>(rules));
    is_for.then_some(book).ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shipped_book_is_for_the_usual_board_alone() {
        for kind in Kind::ALL {
            let rules = Rules::new(kind, Terms::of(kind)).expect("usual rules");
            assert_eq!(shipped(&rules).is_ok(), kind != Kind::Hex, "{kind}");
        }
        let wide = Rules::new(Kind::Go, Terms::of(Kind::Go)).and_then(|it| it.with_size(19, 19));
        let refused = shipped(&wide.expect("rules")).expect_err("no such book").to_string();
        assert!(refused.contains("no book of go 19x19"), "{refused}");
    }
}
