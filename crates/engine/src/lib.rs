//! One game being thought about: the search on its thread, the session around it, whoever may decide
//! beside the tree, and searches that outlive their process.
//!
//! It knows no socket and no option: a cluster lends its batches ([`banyan_jobs::Lender`]), and whoever
//! starts it says how to search ([`Settings`]).
//!
//! Reading order: what is said (`report`, `question`, `tuning`, `sizing`), the search itself (`search`), its thread
//! (`search_thread`, asked by a `request`, with `mailbox` and `ties`), searches that are kept (`checkpoint`),
//! other ways to decide (`engines`), the games for which all this is compiled (`playable`), one game (`session` with
//! its `settings` and the `opening` book), what is made of a report (`judgement`, `decide`, `dynamic_komi`), and books
//! that grow by sessions (`bookmaker`).

pub mod report;

pub mod question;

pub mod tuning;

pub mod sizing;

pub mod search;

mod mailbox;

#[cfg(test)]
mod alone;

pub mod ties;

pub mod checkpoint;

pub mod request;

pub mod search_thread;

pub mod engines;

pub mod opening;

pub mod settings;

mod playable;

pub mod session;

pub mod judgement;

pub mod decide;

pub mod dynamic_komi;

pub mod bookmaker;

pub use opening::Opening;
pub use playable::Playable;
pub use question::{Limits, Onlooker, Question, Watch};
pub use report::Report;
pub use session::Session;
pub use settings::{ByRules, Chosen, Settings};
