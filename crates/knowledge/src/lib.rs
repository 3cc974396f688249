//! Knowledge of the games beyond their rules: evaluations, priors, and playouts that know something.
//!
//! Rules and uniform playouts are those of `banyan-games`; nothing here searches.
//!
//! Reading order: the identity of a model (`digest`), how playouts choose (`policy`), a static evaluation
//! (`evaluation`), a judgement of a position (`evaluator`), positions as networks see them (`planes`), what was judged
//! before (`evaluation_cache`), tables over patterns (`patterns`), the evaluators at hand (`evaluators`),
//! what is asked of the knowledge of a game (`knowledge`), networks and playouts that judge (`network`, `playouts`), sums of
//! weights over patterns (`tuples`), then what is
//! known of each game, its tables as files that travel (`pattern_files`), and the models of them all (`models`).

pub mod digest;

pub mod policy;

pub mod evaluation;

pub mod evaluator;

pub mod planes;

mod evaluation_cache;

mod patterns;

pub mod evaluators;

pub mod knowledge;

pub mod network;

pub mod playouts;

pub mod tuples;

pub mod line;

pub mod connect6;
pub mod go;
pub mod gomoku;
pub mod hex;
pub mod othello;

pub mod pattern_files;

pub mod models;

mod quiescence;

pub mod statics;

pub mod judges;

pub use digest::Digest;
pub use evaluation::{Accumulator, EVALUATION_MAX, Evaluation, LateMoves, Ranked};
pub use evaluator::{Chance, Evaluator, EvaluatorError, Judgement, ModelDigest, Query};
pub use evaluators::Evaluators;
pub use judges::{Judge, Reach};
pub use knowledge::{Knowledge, ModelError};
pub use network::{Net, NetError};
pub use patterns::Patterns;
pub use planes::Planes;
pub use playouts::Playouts;
pub use policy::Policy;
