//! What helps people to run Banyan, beside playing: `parameters` (the numbers of the search, explained)
//! and `manual` (pages and completions made from the command lines).

pub mod parameters;

pub mod manual;
