//! The coordinator: lends batches to workers, and speaks to people and programs.
//!
//! Reading order: `cli` and `config` (what was asked), `command` (what is done about it), `node` (this
//! process as a whole), `cluster` (who plays a batch out, driving [`banyan_scheduler`]), `serve` and `remote`
//! (front ends elsewhere, and their end), `rpc` (workers that dial in) with `certs`, `view`, `busy` and
//! `watched` (what can be seen of it, by [`banyan_web`]), `site` (its pages), `bookmaker` (books that
//! grow). What one game is thought about by is [`banyan_engine`].

pub mod cli;

pub mod config;

pub mod command;

pub mod serve;

pub mod seats;

pub mod remote;

pub mod cluster;

pub mod node;

pub mod rpc;

pub mod certs;

pub mod identity;

pub mod view;

pub mod busy;

pub mod watched;

pub mod site;

pub mod bookmaker;

mod descriptors;

pub mod signals;
