//! One search of one position by several threads that share its table: what they need beside it.
//!
//! All do the same work from the same root, and meet in the table. Who comes to a move that another is searching
//! leaves it for later, when the table may have its value. Who is done first has the answer for all.
//!
//! This crate starts no thread: [`Helpers`] are somebody else's.
//!
//! Reading order: the threads (`helpers`), the table that they write at the same time (`slots`), what is being
//! searched (`busy`) and what is put off for it (`places`), and one search by all (`race`).
//!
//! # Source
//! Weill 1996 for ABDADA, in a form without a counter in each entry; Hyatt & Mann 2002 for a table without locks.

mod helpers;

mod slots;

mod busy;

mod places;

mod race;

pub(crate) use busy::Busy;
pub use helpers::{Helpers, NoHelpers};
pub(crate) use places::Places;
pub(crate) use race::race;
pub(crate) use slots::{BUCKET, Slots};
