//! The wire: generated messages, and the one door between them and `banyan-jobs`.
//!
//! Outside this crate, wire types are named only where a stream begins or ends. Everything that
//! arrives is checked against `banyan_jobs::limits` here, so that no later code has to.
//!
//! Reading order: `cluster.proto`, `error`, `decode`, `encode`, `numbers` (lists in both), `sessions` (both
//! directions of a front end's conversation), `bytes`.

/// Code generated from `cluster.proto`: `cargo xtask proto` after each change of that file.
#[allow(missing_docs, rust_2018_idioms, clippy::all)]
pub mod wire {
    include!("generated/banyan.cluster.v1.rs");
}

/// The descriptors of all messages and services, for clients that ask.
pub const DESCRIPTORS: &[u8] = include_bytes!("generated/descriptors.bin");

mod error;

pub mod decode;

pub mod encode;

mod numbers;

pub mod sessions;

pub mod bytes;

#[cfg(test)]
mod tests;

pub use error::WireError;
