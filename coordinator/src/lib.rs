//! The coordinator.
pub mod scheduler;
pub mod growth;
pub mod view;
pub mod cluster;
mod rpc;
pub mod grower;
