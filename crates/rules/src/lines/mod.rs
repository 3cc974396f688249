//! Rules about wins by threats in Gomoku and Connect6: as text (`written`), on a board with anything around them
//! (`completion`), and what the solver says of them there (`trying`).

mod written;

pub mod completion;

mod trying;

pub use trying::judged;
pub use written::{Line, rows};
