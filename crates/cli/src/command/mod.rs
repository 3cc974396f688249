//! The part of the commands that needs no cluster, a function a command: options in, text out.

pub mod book;

pub mod model;

pub mod solve;

pub mod bench;
