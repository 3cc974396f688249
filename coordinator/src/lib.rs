//! The coordinator: lends batches to workers, and speaks to people and programs.
//!
//! Reading order: `config` (what was asked of a cluster), `command` (what is done about it), `node` (this
//! process as a whole), `cluster` (who plays a batch out, driving [`banyan_scheduler`]), `serve` and `remote`
//! (front ends elsewhere, and their end), `upstream` (this cluster as another's worker), `rpc` (workers that dial
//! in), `view`, `busy` and `watched` (what can be seen of it, by [`banyan_web`]), `site` (its pages). Who is let in
//! is [`banyan_admission`]'s business; what can be typed, and what needs no cluster, is [`banyan_cli`]; what one game
//! is thought about by is [`banyan_engine`].

pub mod config;

pub mod command;

pub mod serve;

pub mod seats;

pub mod remote;

pub mod upstream;

pub mod cluster;

pub mod node;

pub mod rpc;

pub mod view;

pub mod busy;

pub mod watched;

pub mod site;

pub mod signals;
