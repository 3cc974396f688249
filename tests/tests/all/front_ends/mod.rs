//! The program `banyan`, as whoever types or a manager sees it.

pub mod conversation;

mod engines;

mod gomocup;

mod gtp;

mod nboard;

mod ponder;

mod threats;
