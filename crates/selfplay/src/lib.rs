//! Games of self-play, from which networks learn.
//!
//! A game is a pure function of its seed, of who judges and of how deep it is searched, on every machine
//! and in any company: so it can be lent to a worker and played again by another.
//!
//! Reading order: what a game has to say of itself (`learned`); one as it is kept (`game`); how games begin and end
//! (`opening`, `ending`), what happens in between (`playing`); who judges positions (`judge`), the search of few
//! evaluations (`gumbel`), many games at a time (`games`); games of classical searches and positions of them, from
//! which tables over patterns learn (`patterns`).

pub mod ending;

pub mod game;

pub mod games;

pub mod gumbel;

pub mod judge;

pub mod learned;

pub mod opening;

pub mod playing;

pub mod patterns;

pub use game::PlayedGame;
pub use games::{Wanted, check, play, play_by};
pub use learned::Learned;
pub use playing::Depths;
