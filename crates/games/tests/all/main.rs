//! Games against published numbers and slow twins.

mod go_counts;

mod go_rules;

mod go_twin;

mod line_laws;

mod line_twin;

mod othello_laws;

mod othello_twin;

mod renju;
