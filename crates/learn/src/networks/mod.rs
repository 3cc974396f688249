//! Networks that learn from self-play: `banyan train`.
//!
//! Games are played by [`banyan_selfplay`], here or by workers. Reading order: their boards (`sizes`), files of
//! them (`shard`); games
//! as numbers (`rows`); a network as it is (`by_net`), by PyTorch (`torch`), matches of two (`contest`), their losses (`quality`);
//! the loop's folder (`folder`), whose games they are (`player`), who plays them (`players`), the stages (`following`, `generate`, `progress`, `training`, `rounds`), what is said of it (`report`), the game that is watched (`latest`)
//! and what can be typed (`command`).

mod sizes;

pub mod shard;

mod by_net;

pub mod torch;

pub mod rows;

pub mod contest;

pub mod quality;

pub mod folder;

mod latest;

pub mod player;

pub mod players;

pub mod following;

pub mod generate;

pub mod training;

mod progress;

pub mod rounds;

mod report;

mod command;

pub use banyan_selfplay::play;
pub use command::{Arguments, run};
pub use latest::{LatestGame, latest_game};
pub use players::{Call, Players, alone};
pub use sizes::Sizes;
