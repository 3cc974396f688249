//! Opening books, as they were typed and as they are meant.

use std::time::SystemTime;

use banyan_book::{BookError, Reader, Variety};
use banyan_engine::Opening;
use banyan_games::{Rules, with_game};

use crate::cli::{Lot, OpeningArgs};

/// The book to open by; nothing for none.
///
/// # Errors
/// [`BookError`] for what is no whole book of these rules.
pub fn opening(args: &OpeningArgs, rules: &Rules) -> Result<Option<Opening>, BookError> {
    let Some(file) = args.book.as_ref().filter(|_| !args.no_book) else { return Ok(None) };
    let book = with_game!(rules, G, rules => Reader::open::<G>(file, rules))?;
    let seed = args.book_random.map(|lot| match lot {
        Lot::Seed(seed) => seed,
        Lot::Clock => {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            now.as_nanos() as u64
        }
    });
    Ok(Some(Opening::new(book, Variety { margin: args.book_margin, seed })))
}
