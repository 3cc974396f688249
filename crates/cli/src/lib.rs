//! The command line: what can be typed, what it means for a search, and the commands that need no cluster.
//!
//! Threads, addresses and whatever else a cluster is made of are the coordinator's business; so is which
//! command does what.
//!
//! Reading order: `options` (as they are typed), `file` (as they are kept), `precedence` (which
//! of them count), `config` (what they mean),
//! `position` (positions as they are typed), `report` (a finished search as it is told), `command` (what is done
//! about some of them).

pub mod options;

pub mod file;

pub mod precedence;

pub mod games;

pub mod config;

pub mod position;

pub mod report;

pub mod command;
