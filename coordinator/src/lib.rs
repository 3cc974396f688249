//! The coordinator.
pub mod scheduler;
pub mod growth;
pub mod view;
pub mod cluster;
mod rpc;
pub mod grower;
pub mod cli;
pub mod config;
pub mod session;
pub mod sgf;
pub mod decide;
pub mod gtp;
