//! Networks of Go that learn from self-play: `banyan train`.
//!
//! Reading order: a game as it is kept (`game`) and files of them (`shard`); how games begin and end
//! (`opening`, `ending`), what happens in between (`playing`); who judges positions (`judge`), the search of
//! few evaluations (`gumbel`), many games at a time (`self_play`); games as numbers (`rows`); matches of
//! networks (`contest`), their losses (`quality`); the loop's folder (`folder`), its stages (`generate`,
//! `training`, `rounds`), what is said of it (`report`) and what can be typed (`command`).

pub mod game;

pub mod shard;

mod opening;

mod ending;

pub mod playing;

pub mod judge;

mod gumbel;

pub mod self_play;

pub mod rows;

pub mod contest;

pub mod quality;

pub mod folder;

pub mod generate;

pub mod training;

pub mod rounds;

mod report;

mod command;

pub use command::{Arguments, run};
