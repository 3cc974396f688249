//! Books that grow: positions valued by sessions, which come after whoever plays.
//!
//! What a book is, and what it looks into next, is [`banyan_book`]'s business.

mod idle;

mod judge;

pub use idle::{Keeper, Keeping, leaf_limits, time_alone};
pub use judge::{Ends, Means, SessionJudge};
