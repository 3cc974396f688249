//! Who is let in: listeners of a coordinator, what they ask of whoever dials in, and who is not let in again.
//!
//! It knows no message: what is said by those who are in is the coordinator's business.
//!
//! Reading order: `descriptors` (how many connections there can be), `identity` (who somebody is, and who lied),
//! `said` (what of it is logged), `strangers` (those who have not said who they are), `tls` and `guard`
//! (certificates and tokens) with their `locks`, the `door` (sockets), and those of `browsers`.

pub mod descriptors;

pub mod identity;

mod said;

mod strangers;

mod tls;

mod guard;

mod locks;

pub mod door;

mod browsers;

pub use browsers::{Browser, Browsers};
pub use door::Visits;
pub use guard::Guard;
pub use identity::{Identity, Outcasts, Register};
pub use locks::{Locks, Security};
pub use strangers::{Guest, Strangers};
pub use tls::{TlsError, TlsFiles};
