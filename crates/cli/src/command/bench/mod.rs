//! `banyan bench` of the parts alone: playouts, evaluations, and one number for all that the search does.

pub mod playouts_only;

pub mod evaluations_only;

pub mod signature;

mod positions;
