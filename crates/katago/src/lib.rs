//! KataGo as a judge of positions of Go: a process that is asked about one position at a time, many of them
//! at once.
//!
//! It knows nothing of searches and of clusters, and KataGo's own search is not used: every query is one
//! visit, which is what its network says.
//!
//! Reading order: `position` (what is asked about), `judged` (what is answered), `query` and `reply` (both
//! as the lines of KataGo's analysis protocol), `conversation` (a pure state machine: who waits for what, and
//! what follows when the process dies, hangs or talks rubbish), `command_line` and `process` (the thin edge),
//! `katago` (the handle that others hold), `evaluator` (the seam that it fits), `config` (the file that the process is started with).

pub mod position;

pub mod judged;

mod query;

mod reply;

pub mod conversation;

pub mod command_line;

mod process;

pub mod katago;

pub mod evaluator;

pub mod config;

pub use command_line::{CommandLine, CommandLineError};
pub use config::{Config, ConfigError};
pub use conversation::{BATCH_MAX, Limits, Model, Notice, Refusal};
pub use judged::Judged;
pub use katago::{Answered, KataGo};
pub use position::Position;
