//! PROLOG-EBG (S6): rules learned by explanation.
//!
//! A domain theory of clauses proves an example; what the proof rests on, generalised, is a rule.
//!
//! Reading order: text (`place`, `operators`, `token`, `syntax`), what it means (`term`, `clause`, `lower`,
//! `theory`), values of variables (`bindings`), numbers and comparisons (`arithmetic`, `built_in`); the
//! search for a proof (`limits`, `proof`, `resolution`); from the proof to a rule (`names`, `explain_error`,
//! `negation`, `regression`), from examples to rules (`covering`).
//!
//! It knows no game, no file and no option: whoever has a theory hands its text in.

pub mod place;

mod operators;

mod token;

mod syntax;

pub mod term;

pub mod clause;

mod lower;

pub mod theory;

mod bindings;

mod arithmetic;

mod built_in;

pub mod limits;

pub mod proof;

pub mod resolution;

mod names;

pub mod explain_error;

mod negation;

pub mod regression;

pub mod covering;
