//! The coordinator: grows the tree, lends batches to workers, and speaks to people and programs.
//!
//! Reading order: `cli` and `config` (what was asked), `command` (what is done about it), `session`
//! (one game), `engines` (who may decide beside the tree), then the life of a batch: `grower` and `growth` (the search), `sizing` (how
//! much is lent at once), `cluster` and `scheduler`
//! (who plays it out), `serve` and `remote` (front ends elsewhere, and their end), `checkpoint` (a search that survives its process), `rpc` (workers that dial in)
//! with `certs`, `view`, `busy` and `metrics` (what can be seen of it).

pub mod cli;

pub mod config;

pub mod command;

pub mod session;

pub mod engines;

pub mod grower;

pub mod growth;

pub mod sizing;

mod mailbox;

pub mod checkpoint;

pub mod serve;

pub mod remote;

pub mod cluster;

pub mod scheduler;

pub mod rpc;

pub mod certs;

pub mod view;

pub mod busy;

mod metrics;

mod lines;

pub mod gtp;

pub mod judgement;

pub mod decide;

pub mod dynamic_komi;
pub mod ties;

pub mod nboard;

pub mod opening;

pub mod gomocup;

pub mod signals;
